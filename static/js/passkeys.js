// Wires a page's passkey button to the library's dialog; the page names the kind and the elements in data attributes.
const problem = document.getElementById("passkey-problem");

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  problem.hidden = false;
});
window.allauth.webauthn.forms[problem.dataset.passkey](JSON.parse(problem.dataset.ids));
