"""Whatever people type, the ledger, its proofs, the logs and the rows of jobs hold not a word of it.

1. A real site runs: web processes, both workers, and one file with all that they print.
2. Every action of every page is done by a browser. Each field in which one can type gets a secret, all of them with
   the same unmistakable beginning; what the site itself makes to let somebody in is a secret too.
3. Each address is also sent nothing but secrets, and each page asked for with secrets in its query.
4. Every operation of the door is done on the same folder.
5. Then all that is content-free is searched.

An address that takes a POST and is not done here fails the test, and so does a field that got no secret.
"""

import itertools
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.urls import resolve, reverse

from cruxstore.door import Store
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.ledger.bundle import encode_bundle
from cruxstore.ledger.bundling import make_bundle
from cruxstore.ledger.checkpoint import Slots
from cruxstore.verifying import Verdict, verify_folder
from tests.cruxstore.stores import ANA, view_of
from tests.cruxstore.test_content_free import FOREIGN, FOREIGN_ID, MUTATIONS, WEAK, secret_fact
from tests.cruxstore.test_content_free import SECRETS as DOOR_SECRETS
from tests.served import Answer, ServedSite, WebBrowser
from tests.services import free_port
from tests.site.test_every_address import IN_A_TENANT, KEYS, OF_THE_STORE

MARK = "xq7geheim"
FIRST, SECOND = f"{MARK}.first", f"{MARK}.second"
WAIT_SECONDS = 120
ENTITY, KEY = f"team:{MARK}", f"lead {MARK}"

FOR_READING = {
    *("home", "healthz", "readyz", "metrics", "account_inactive", "help:index", "help:page"),
    *("mfa_index", "mfa_list_webauthn", "mfa_view_recovery_codes", "mfa_download_recovery_codes"),
}
"""What is only read, among the addresses that the tables of addresses do not say that of."""

POSTED = {
    *(name for name, needs in {**IN_A_TENANT, **OF_THE_STORE}.items() if "POST" in needs),
    *(name for name in KEYS if name not in IN_A_TENANT and name not in OF_THE_STORE and name not in FOR_READING),
}

ONLY_REFUSED = {
    # passkeys need a device, which tests/browser has
    *(
        "mfa_add_webauthn",
        "mfa_edit_webauthn",
        "mfa_remove_webauthn",
        "mfa_login_webauthn",
        "mfa_reauthenticate_webauthn",
    ),
    "mfa_reauthenticate",  # asked only of who has signed in long ago
    *("jobs:retry", "jobs:set_aside", "jobs:cancel", "cancel_verification"),  # of jobs that failed, or still run
    "tenant_adopt",  # of a tenant that stands in the journal alone
    "notice_seen",  # of what waits for somebody, which is looked for once a minute
}
"""Done only as far as the site refuses them here, with secrets in all their fields."""

NOT_TYPED = {
    # an agent is known by its name, and so is a tenant: both stand in every event about them
    ("agent_tokens", "name"),
    ("set_up", "tenant"),
    ("tenant_new", "name"),
    # what is no number, moment or code is refused and sent as a secret then
    ("compact", "lines"),
    ("settings", "time_zone"),
    ("mfa_activate_totp", "code"),
    ("mfa_authenticate", "code"),
    *((f"facts:{act}", field) for act in ("state", "fact_correct", "fact_consolidate") for field in ("confidence",)),
    *(
        (f"facts:{act}", field)
        for act in ("state", "fact_correct", "fact_validity")
        for field in ("valid_from", "valid_to")
    ),
}
"""Fields of accepted forms that hold no secret, each for a reason; refused, they hold one too."""


OFFICER = f"""
from apps.accounts.actions import SYSTEM, create_person
from apps.accounts.rules import Role
from apps.store import open_store
create_person(
    open_store(),
    actor=SYSTEM,
    username="{MARK}.officer",
    name="{MARK} officer",
    password="{MARK}-password",
    roles=[("default", Role.OFFICER)],
)
"""


class Form(HTMLParser):
    """A form of a page: what it sends by itself, and in which of its fields one can type."""

    def __init__(self, page: str, action: str, here: str) -> None:
        super().__init__()
        self.fields: dict[str, str | list[str]] = {}
        self.typed: set[str] = set()
        self._action, self._here = action, here
        self._is_inside, self._is_done = False, False
        self._select, self._area = "", ""
        self.feed(page)
        assert self._is_done, f"{here} has no form for {action}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        name = said.get("name", "")
        if tag == "form":
            leads = urlsplit(said.get("action") or self._here).path
            self._is_inside = not self._is_done and said.get("method") == "post" and leads == self._action
        if not self._is_inside or "disabled" in said:
            return
        if tag == "input" and name:
            self._take_input(name, said)
        elif tag == "textarea" and name:
            self._area, self.fields[name] = name, ""
            self.typed.add(name)
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in said or self._select not in self.fields):
            self.fields[self._select] = said.get("value", "")

    def _take_input(self, name: str, said: Mapping[str, str]) -> None:
        kind = said.get("type", "text")
        if kind in ("checkbox", "radio"):
            if "checked" in said:
                before = self.fields.get(name, [])
                self.fields[name] = [*before, said.get("value", "on")]
        elif kind != "file":
            self.fields[name] = said.get("value", "")
            if kind != "hidden":
                self.typed.add(name)

    def handle_data(self, data: str) -> None:
        if self._area:
            self.fields[self._area] = f"{self.fields[self._area]}{data}"

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._is_inside:
            self._is_inside, self._is_done = False, True
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = ""


class Driver:
    """A browser that types secrets, and remembers what it has done."""

    def __init__(self, port: int, done: set[str], untyped: set[tuple[str, str]], typed: set[tuple[str, str]]) -> None:
        self.browser, self.port = WebBrowser(port), port
        self.done, self.untyped, self.typed = done, untyped, typed
        self.codes: set[str] = set()

    def do(self, page: str, action: str = "", /, **given: str | list[str]) -> Answer:
        """Fills in a form of a page, sends it, and says whether the site took it."""
        action = action or urlsplit(page).path
        shown = self.browser.get(page)
        assert shown.status in (200, 422), (page, shown.status, shown.location)
        form = Form(shown.text, action, page)
        sent = form.fields | {name: f"{MARK}-{name}" for name in form.typed - given.keys()} | given
        answer = self.browser.post(action, sent)
        name = resolve(action).view_name
        errors = re.findall(r'(?:class="quote"|class="error"|role="alert").*?</', answer.text, re.DOTALL)
        assert answer.status in (200, 302) and "aria-invalid" not in answer.text, (name, answer.status, errors)
        self.done.add(name)
        self.typed |= {(name, field) for field in form.typed}
        self.untyped |= {(name, field) for field in form.typed if MARK not in str(sent[field])}
        return answer

    def refuse(self, path: str, fields: set[str]) -> None:
        """Sends an address secrets alone."""
        answer = self.browser.post(path, {field: f"{MARK} {field}" for field in fields})
        assert answer.status < 500, f"{path}: {answer.status}"
        self.codes |= set(re.findall(r'<p class="soft">Code (.*?)</p>', answer.text))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ServedSite]:
    site = ServedSite(tmp_path / "data", tmp_path / "log")
    yield site
    site.stop()


def found_in(text: str, pattern: str) -> str:
    found = re.search(pattern, text)
    assert found is not None, pattern
    return found[1]


def test_every_address_that_takes_something_is_known_here() -> None:
    assert ONLY_REFUSED <= POSTED
    assert {name for name, _ in NOT_TYPED} <= POSTED


@pytest.mark.services
@pytest.mark.timeout(900)
def test_no_secret_is_in_what_is_content_free(site: ServedSite) -> None:
    said = site.run("from django.core.management import call_command\ncall_command('prepare')")
    one_time = found_in(said, "/set-up/([^/]+)/")
    store = Store.open(site.data_dir, privacy=PrivacyPolicy())
    with store.journal_path.open("a") as journal:
        journal.write(FOREIGN.replace(FOREIGN_ID, f"f_{MARK}"))
    port = free_port()
    site.start("manage.py", "serve", port=port)
    done: set[str] = set()
    untyped: set[tuple[str, str]] = set()
    typed: set[tuple[str, str]] = set()
    first = Driver(port, done, untyped, typed)
    made = [one_time]

    second = Driver(port, done, untyped, typed)

    set_up(first, one_time)
    site.run(OFFICER)
    made += invite(first, second)
    made += second_factors(first)
    made += tokens(first)
    facts(first, store)
    imports(first)
    tenants(first)
    whole_store(first)
    passwords_and_sessions(first, second)
    refused(first)
    asked(first)
    metrics = first.browser.get("/metrics").content
    bundle = whole_bundle(store)
    jobs = site.run(
        "import json\nfrom apps.jobs.models import Job\nprint(json.dumps(list(Job.objects.values()), default=str))"
    )
    site.stop()
    by_the_door(store)

    assert POSTED - done - ONLY_REFUSED == set()
    assert untyped <= NOT_TYPED
    assert verify_folder(site.data_dir).verdict == Verdict.INTACT
    assert f"{MARK}-reason" in store.texts_path.read_text()
    written = {
        "ledger": store.ledger_path.read_bytes(),
        "checkpoint": (site.data_dir / "checkpoint").read_bytes(),
        "lock": (site.data_dir / ".lock").read_bytes(),
        **{path.name: path.read_bytes() for path in (site.data_dir / "checkpoints").glob("*")},
        "bundle": bundle,
        "bundle after the door": whole_bundle(store),
        "log": site.log.read_bytes(),
        "jobs": jobs.encode(),
        "metrics": metrics,
        "codes of errors": "\n".join(first.codes).encode(),
    }
    assert b'"POST /t/default/facts/state/" 302' in written["log"]
    assert first.codes
    secrets = {MARK, MARK.encode().hex(), MARK.upper(), *DOOR_SECRETS, *made}
    leaks = [
        (place, found.group()[:200])
        for place, content in written.items()
        for secret in secrets
        for found in itertools.islice(re.finditer(rb".{0,80}" + re.escape(secret.encode()) + rb".{0,40}", content), 3)
    ]
    assert leaks == []


def set_up(first: Driver, one_time: str) -> None:
    """The first person, who mistypes, signs in, and signs in again for what asks for it."""
    password = f"{MARK}-password"
    first.do(f"/set-up/{one_time}/", username=FIRST, password=password, tenant="default")
    first.browser.get("/sign-in/")
    first.browser.post("/sign-in/", {"login": f"{MARK}@example.org", "password": f"{MARK}-wrong"})
    first.do("/sign-in/", login=FIRST, password=password)
    first.do("/settings/confirm/", password=password)
    first.do("/settings/", theme="dark", time_zone="Europe/Berlin")
    first.do("/settings/", "/settings/theme/", theme="light")


def invite(first: Driver, second: Driver) -> list[str]:
    """People who join by links, get others, turn out to be one, and are confirmed and made admin by a second person."""
    people, keys = "/t/default/people/", []
    for username in (SECOND, f"{MARK}.third"):
        keys.append(found_in(first.do(f"{people}invite/", roles=["officer"]).text, r"key=([\w-]+)"))
        second.do(f"/join/?key={keys[-1]}", "/join/", username=username, password=f"{MARK}-password")
    second.do("/sign-in/", login=f"{MARK}.officer", password=f"{MARK}-password")
    ids = set(re.findall(r"/t/default/people/(p_[0-9a-f]{32})/", first.browser.get(people).text))
    pages = {each: first.browser.get(f"{people}{each}/").text for each in ids}
    person_id = next(each for each, page in pages.items() if SECOND in page)
    other = next(each for each, page in pages.items() if f"{MARK}.third" in page)
    person = f"{people}{person_id}/"
    keys.append(found_in(first.do(person, f"{person}link/").text, r"key=([\w-]+)"))
    keys.append(found_in(first.do(person, f"{person}link/", username=SECOND).text, r"key=([\w-]+)"))
    first.do(person, f"{person}roles/", role="curator")
    first.do(person, f"{person}same/", other=other)
    first.do(person, f"{person}roles/", role="admin", do="grant")
    proposal = found_in(first.browser.get(people).text, r"(/t/default/people/proposals/[\w-]+/)")
    second.do(person, f"{person}confirm/")
    second.do(proposal, do="approve")
    return keys


def second_factors(first: Driver) -> list[str]:
    """An app with its codes, new recovery codes, a sign-in with a code, and the app taken off again."""
    about = "/settings/sign-in/"
    activate = f"{about}totp/activate/"
    first.browser.get(activate)
    first.browser.post(activate, {"code": MARK})
    secret = found_in(first.browser.get(activate).text, r"\b([A-Z2-7]{32})\b")

    def code(steps: int) -> str:
        return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps)))

    # asking for the page again makes another secret
    assert first.browser.post(activate, {"code": code(0)}).status == 302
    first.done.add("mfa_activate_totp")
    first.do(f"{about}recovery-codes/generate/")
    recovery = re.findall(r"\b[0-9a-f]{8}\b", first.browser.get(f"{about}recovery-codes/").text)
    assert len(recovery) >= 8
    first.do("/sign-out/")
    first.browser.get("/sign-in/")
    first.browser.post("/sign-in/", {"login": FIRST, "password": f"{MARK}-password"})
    first.browser.post(f"{about}authenticate/", {"code": MARK})
    first.do(f"{about}authenticate/", code=code(1))
    first.do("/settings/confirm/", password=f"{MARK}-password")
    first.do(f"{about}totp/deactivate/")
    return [secret, *recovery]


def tokens(first: Driver) -> list[str]:
    """A token of one's own, a code for the command line, and an agent's token; all shown once and ended."""
    own, agents = "/settings/tokens/", "/t/default/tokens/"
    shown = []
    for page, given in ((own, {}), (agents, {"name": "bot-1", "may_read": "on", "entity_prefix": f"{MARK}:"})):
        answer = first.do(page, **given)
        shown.append(found_in(answer.text, r"<textarea[^>]*>([^<]+)</textarea>"))
        listed = first.browser.get(page).text
        first.do(page, found_in(listed, rf'action="({page}[\w-]+/revoke/)"'))
    shown.append(found_in(first.do(own, f"{own}code/").text, r'class="[^"]*mono[^"]*"[^>]*>([\w-]{6,})<'))
    return shown


def facts(first: Driver, store: Store) -> None:
    """Facts stated, corrected, looked at, merged, taken apart and deleted, one of somebody else's among them."""
    state = "/t/default/facts/state/"
    moments = {"valid_from": "", "valid_to": "", "confidence": "0.7"}

    def stated(**given: str) -> str:
        answer = first.do(state, **{"entity": ENTITY, "key": KEY, **moments, **given})
        return urlsplit(answer.location).path

    fact = stated()
    fact = urlsplit(first.do(f"{fact}correct/", **moments).location).path
    first.do(f"{fact}validity/", valid_from="2026-01-01", valid_to="")
    first.do(f"{fact}horizon/", horizon="stable")
    first.do(f"{fact}verify/")
    first.do(fact, f"{fact}dismiss/")
    first.do(f"{fact}delete/")
    one = stated(key=f"{KEY} rivals", value=f"{MARK} one")
    other = urlsplit(first.do(f"{one}correct/", **moments).location).path
    with store.writing() as door:
        door.clear_supersede(ANA, "default", one.split("/")[-2], view=view_of(store))
    merged = first.do(f"{other}consolidate/", confidence="0.7").location
    first.do(f"{merged}undo-consolidation/")
    foreign = f"/t/default/facts/f_{MARK}/"
    assert first.browser.get(foreign).status == 200
    first.do(f"{foreign}verify/")
    first.do("/t/default/facts/views/")
    first.do(
        "/t/default/facts/views/",
        found_in(first.browser.get("/t/default/facts/views/").text, r'action="(\S+/forget/)"'),
    )


def imports(first: Driver) -> None:
    """A file brought in, and taken back."""
    page = "/t/default/imports/new/"
    first.browser.get(page)
    file = f"entity,key,value\n{ENTITY},{KEY} 2,{MARK}\n".encode()
    preview = first.browser.send_file(page, "file", f"{MARK}.csv", file, {"form": "auto"}).location
    first.done.add("facts:import_new")
    import_page = first.do(urlsplit(preview).path).location
    wait_until(lambda: "Finished" in first.browser.get(import_page).text)
    first.do(f"{import_page}take-back/")


def tenants(first: Driver) -> None:
    """A tenant made, called otherwise, retired and reinstated."""
    tenant = first.do("/store/tenants/new/", name="acme").location
    for act in ("rename", "retire", "reinstate"):
        first.do(tenant, f"{tenant}{act}/")


def whole_store(first: Driver) -> None:
    """The index built anew, the journal compacted, all files checked, and a turn taken before its time."""
    first.do("/store/", "/store/rebuild/")
    first.do("/store/proof/", "/store/proof/verify/")
    lines = found_in(first.browser.get("/store/compact/").text, r"Compact ([\d,]+) lines?<")
    first.do("/store/compact/", lines=lines)
    timetable = "/t/default/jobs/timetable/"
    first.do(timetable, f"{timetable}checkpoint/run/")
    wait_until(lambda: "The record is intact" in first.browser.get("/store/proof/").text)
    wait_until(lambda: not re.search("</svg>(Queued|Running)<", first.browser.get("/t/default/jobs/").text))


def passwords_and_sessions(first: Driver, second: Driver) -> None:
    """A new password, and all other sessions ended."""
    first.do("/settings/password/", oldpassword=f"{MARK}-password", password1=f"{MARK}-new", password2=f"{MARK}-new")
    assert WebBrowser(first.port).sign_in(FIRST, f"{MARK}-new")
    first.do("/settings/sessions/")
    second.do("/sign-out/")


def refused(first: Driver) -> None:
    """Every address that takes something is sent secrets alone, in every field that any of them has."""
    fields = {field for name, field in first.typed} | {
        "action",
        "code",
        "do",
        "found",
        "other",
        "reason",
        "role",
        "since",
    }
    for name in sorted(POSTED - {"account_logout", "usersessions_list", "mfa_generate_recovery_codes"}):
        first.refuse(address(name), fields)


def asked(first: Driver) -> None:
    """Every page is asked for with secrets in its query, and some that are not there."""
    names = ("q", "name", "entity", "key", "actor", "subject", "action", "since", "until", "known", "about", "kind")
    query = {
        name: f"{MARK} {name}" for name in (*names, "before", "after", "form", "first", "earlier", "import", "next")
    }
    for name in sorted(KEYS):
        # the line of somebody else makes the site unready, as it should
        assert first.browser.get(address(name), query).status < 500 or name == "readyz", name
    for path in (f"/{MARK}/", f"/t/{MARK}/facts/", f"/t/default/{MARK}/", f"/t/default/facts/~{MARK.encode().hex()}/"):
        assert first.browser.get(path).status == 404


def address(name: str) -> str:
    """An address with what its ids may be; where they may be any text, a secret."""
    known = {"tenant": "default", "line_no": 1, "pk": 1, "day": "2026-01-01", "fact_id": f"f_{MARK}"}
    # the second tenant is the one that may be retired
    known["number"] = 2 if name.startswith("tenant") else 1
    return reverse(name, kwargs={key: known.get(key, MARK.replace(".", "-")) for key in KEYS[name]})


def by_the_door(store: Store) -> None:
    """Every operation of the door, on the folder that the pages have filled."""
    with store.journal_path.open("a") as journal:
        journal.write(FOREIGN)
    with store.writing() as door:
        for number, confidence in enumerate(WEAK):
            weak = replace(secret_fact(number), entity="team:a", key="lead", confidence=confidence)
            door.store_facts(ANA, "default", [weak], view=view_of(store))
            if number == 0:
                # both count until they are merged
                first = list(view_of(store).facts)[-1]
        door.clear_supersede(ANA, "default", first, view=view_of(store))
    for mutate in MUTATIONS.values():
        with store.writing() as door:
            mutate(door, view_of(store))


def whole_bundle(store: Store) -> bytes:
    """All events as somebody would take them away."""
    checkpoint = Slots(store.data_dir / "checkpoint").newest()
    assert checkpoint is not None
    return encode_bundle(make_bundle(store.ledger_path, checkpoint, first=1, last=checkpoint.events))


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.3)
