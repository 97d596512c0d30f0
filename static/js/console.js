/* The console's behaviours. Every page works without them: links stay links, forms stay forms. */

const root = document.documentElement;
const rowsOf = () => [...document.querySelectorAll("[data-rows] > tr")];
const isTyping = (target) => target.closest("input:not([type=checkbox], [type=radio]), textarea, select, dialog");

root.classList.add("js");

function say(text) {
  const said = document.getElementById("said");
  if (said && text && said.textContent !== text) said.textContent = text;
}

/* rows: one is current; moving to it moves the focus, and htmx loads its preview */

function currentRow() {
  return document.querySelector("[data-rows] > tr.on");
}

function setCurrent(row) {
  if (row.classList.contains("on")) return;
  for (const other of document.querySelectorAll("[data-rows] > tr.on")) {
    other.classList.remove("on");
    other.querySelector("th a")?.removeAttribute("aria-current");
  }
  row.classList.add("on");
  row.querySelector("th a")?.setAttribute("aria-current", "true");
}

function move(step) {
  const rows = rowsOf();
  const row = currentRow();
  const isHere = row?.contains(document.activeElement);
  const next = row && !isHere ? row : rows[rows.indexOf(row) + step];
  if (!next) return;
  next.querySelector("th a").focus();
  say(`Row ${rows.indexOf(next) + 1} of ${rows.length}`);
}

function pick(row) {
  const box = row?.querySelector("input[type=checkbox]");
  if (!box) return;
  box.checked = !box.checked;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}

function countPicked() {
  const bar = document.getElementById("picked");
  if (!bar) return;
  const count = document.querySelectorAll("[data-rows] input:checked").length;
  bar.hidden = count === 0;
  bar.querySelector("[data-count]").textContent = count === 1 ? "1 fact selected" : `${count} facts selected`;
  say(count ? bar.querySelector("[data-count]").textContent : "Nothing selected");
}

/* keys: off while typing, in a dialog, with a modifier held, or switched off in the settings; a button names its own */

const keys = {
  j: () => move(1),
  k: () => move(-1),
  x: () => pick(currentRow()),
  "/": () => document.getElementById("q")?.focus(),
  "?": () => document.getElementById("keys")?.showModal(),
  Enter: (event) => (event.target === document.body ? currentRow()?.querySelector("th a").click() : null),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return escape(event);
  if (root.dataset.keys === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target) || document.querySelector("dialog:modal")) return;
  const button = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key.toLowerCase());
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : button && (() => button.click());
  if (!act) return;
  if (event.key !== "Enter") event.preventDefault();
  act(event);
});

function escape(event) {
  const menu = event.target.closest("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (event.target.id === "q") {
    event.preventDefault();
    const link = currentRow()?.querySelector("th a");
    link ? link.focus() : event.target.blur();
  }
}

/* clicks: menus close behind you, a row is one target, text is copied, the theme changes at once */

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
  const row = event.target.closest("[data-rows] > tr");
  if (row && !event.target.closest("a, input, button, label") && getSelection().isCollapsed) {
    row.querySelector("th a")?.focus();
  }
  const opener = event.target.closest("[data-dialog]");
  if (opener) document.getElementById(opener.dataset.dialog)?.showModal();
  const copier = event.target.closest("[data-copy], [data-copy-from], [data-copy-picked]");
  if (copier) copy(copier);
});

async function copy(button) {
  const { copy: text, copyFrom: address } = button.dataset;
  const picked = () => [...document.querySelectorAll("[data-rows] input:checked")].map((box) => box.value).join("\n");
  try {
    const exact = text ?? (address ? await (await fetch(address)).text() : picked());
    await navigator.clipboard.writeText(exact);
    say("Copied");
    button.dataset.done = "Copied";
  } catch {
    say("The browser did not allow copying");
    button.dataset.done = "Not allowed";
  }
}

document.addEventListener("focusin", (event) => {
  const row = event.target.closest?.("[data-rows] > tr");
  if (row) setCurrent(row);
});

document.addEventListener("change", (event) => {
  if (event.target.closest("[data-rows]")) return countPicked();
  const form = event.target.form;
  if (form?.id === "filter" && !form.closest(":popover-open")) form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form.themes");
  if (!form) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  root.dataset.theme = event.submitter.value;
  for (const button of form.querySelectorAll("button")) button.ariaPressed = String(button === event.submitter);
  fetch(form.action, { method: "POST", body });
});

/* htmx: say what a fragment has to say, keep out of a sign-in page, tell of a failure in words */

document.addEventListener("htmx:afterSettle", (event) => {
  const part = event.detail.elt;
  const saying = part.matches("[data-said]") ? part : part.querySelector("[data-said]");
  say(saying?.dataset.said);
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.responseURL && new URL(xhr.responseURL).pathname.startsWith("/sign-in/")) {
    event.detail.shouldSwap = false;
    location.reload();
  }
});

document.addEventListener("htmx:responseError", (event) => {
  say(`The page did not answer (${event.detail.xhr.status}). Load it again.`);
});
