"""Every address of the site, asked by every role, by a stranger, and by nobody."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from apps.accounts.actions import SYSTEM, make_agent_token
from apps.accounts.models import Tenant, User
from apps.accounts.rules import STORE, Right, Role, can
from apps.accounts.set_up import make_set_up_token
from apps.facts.acting import acting
from apps.facts.models import SavedView, Upload
from apps.jobs.actions import enqueue
from apps.jobs.heartbeats import beat
from apps.jobs.rules import Lane
from cruxstore.door import NewFact, Store
from cruxstore.ledger.checkpoint import Dailies, Slots
from cruxstore.ledger.events import Action
from tests.conftest import MakePerson
from tests.people import principal

Needs = dict[str, Right]

READ: Needs = {"GET": Right.READ}


def both(right: Right) -> Needs:
    """A page and its form."""
    return {"GET": right, "POST": right}


IN_A_TENANT: dict[str, Needs] = {
    "review:findings": READ,
    "jobs:list": READ,
    "jobs:job": READ,
    "jobs:cancel": {"POST": Right.RUN_JOBS},
    "jobs:retry": {"POST": Right.RUN_JOBS},
    "jobs:set_aside": {"POST": Right.RUN_JOBS},
    "jobs:timetable": READ,
    "jobs:run_now": {"POST": Right.RUN_JOBS},
    "facts:overview": READ,
    "facts:list": READ,
    "facts:state": both(Right.STATE),
    "facts:export": {"GET": Right.EXPORT},
    "facts:views": both(Right.READ),
    "facts:forget_view": {"POST": Right.READ},
    "facts:fact": READ,
    "facts:preview": READ,
    "facts:value": READ,
    "facts:line": READ,
    "facts:fact_correct": both(Right.STATE),
    "facts:fact_delete": both(Right.DELETE),
    "facts:fact_validity": both(Right.CHANGE),
    "facts:fact_horizon": both(Right.CHANGE),
    "facts:fact_verify": both(Right.CHANGE),
    "facts:fact_consolidate": both(Right.CONSOLIDATE),
    "facts:fact_unmerge": both(Right.CONSOLIDATE),
    "facts:fact_dismiss": {"POST": Right.READ},
    "facts:entities": READ,
    "facts:entity": READ,
    "facts:belief": READ,
    "facts:belief_table": {"GET": Right.EXPORT},
    "facts:compare": READ,
    "facts:imports": READ,
    "facts:import_new": both(Right.IMPORT),
    "facts:import_preview": both(Right.IMPORT),
    "facts:import": READ,
    "facts:import_take_back": both(Right.TAKE_BACK),
    "facts:counts": {"GET": Right.SEE_COUNTS},
    "facts:ledger": {"GET": Right.SEE_LEDGER},
    "facts:bundle": {"GET": Right.SEE_LEDGER},
    "facts:decisions": READ,
    "people:list": {"GET": Right.SEE_PEOPLE},
    "people:invite": both(Right.MANAGE_PEOPLE),
    "people:proposal": {"GET": Right.SEE_PEOPLE, "POST": Right.APPROVE_ROLE},
    "people:person": {"GET": Right.SEE_PEOPLE},
    "people:roles": {"POST": Right.MANAGE_PEOPLE},
    "people:link": {"POST": Right.MANAGE_PEOPLE},
    "people:same": {"POST": Right.MANAGE_PEOPLE},
    "people:confirm": {"POST": Right.APPROVE_ROLE},
    "agent_tokens": both(Right.MANAGE_TOKENS),
    "agent_token_revoke": {"POST": Right.MANAGE_TOKENS},
}
"""What each address under a tenant needs, by method; any other method is not allowed."""

OF_THE_STORE: dict[str, Needs] = {
    "store": {"GET": Right.OPERATE},
    "rebuild": {"POST": Right.OPERATE},
    "tenants": {"GET": Right.MANAGE_TENANTS},
    "tenant_new": both(Right.MANAGE_TENANTS),
    "tenant": {"GET": Right.MANAGE_TENANTS},
    "tenant_rename": {"POST": Right.MANAGE_TENANTS},
    "tenant_adopt": {"POST": Right.MANAGE_TENANTS},
    "tenant_retire": {"POST": Right.MANAGE_TENANTS},
    "tenant_reinstate": {"POST": Right.MANAGE_TENANTS},
    "compact": both(Right.OPERATE),
    "proof": {"GET": Right.OPERATE},
    "verify": {"POST": Right.OPERATE},
    "cancel_verification": {"POST": Right.OPERATE},
    "checkpoint": {"GET": Right.OPERATE},
    "kept_checkpoint": {"GET": Right.OPERATE},
    "bundle": {"GET": Right.OPERATE},
}

FOR_ANYBODY = {
    "healthz",
    "readyz",
    "metrics",
    "account_login",
    "account_logout",
    "account_inactive",
    "set_up",
    "join",
    "mfa_authenticate",
    "mfa_login_webauthn",
    "help:index",
    "help:page",
}
"""What asks for no sign-in: ways in, and the manual."""

MAY_BE_SOMEBODY_ELSES = {
    "facts:forget_view",
    "facts:import_preview",
    "facts:fact_unmerge",
    "people:same",
}
"""Addresses of things that not everybody who has the right finds: their own, or of another kind than our samples."""


ASKS_FOR_A_RECENT_SIGN_IN = {
    "people:invite": Right.MANAGE_PEOPLE,
    "people:proposal": Right.APPROVE_ROLE,
    "people:roles": Right.MANAGE_PEOPLE,
    "people:link": Right.MANAGE_PEOPLE,
    "people:same": Right.MANAGE_PEOPLE,
    "people:confirm": Right.APPROVE_ROLE,
    "agent_tokens": Right.MANAGE_TOKENS,
    "tenant_new": Right.MANAGE_TENANTS,
    "tenant_adopt": Right.MANAGE_TENANTS,
    "tenant_retire": Right.MANAGE_TENANTS,
    "tenant_reinstate": Right.MANAGE_TENANTS,
    "compact": Right.OPERATE,
    "tokens": None,
    "token_code": None,
}
"""What a browser left open cannot do, and the right that is looked at before; None where it is one's own."""


@dataclass(frozen=True)
class Address:
    """One address with its samples filled in."""

    name: str
    path: str
    has_id: bool


def patterns(found: list[Any], prefix: str = "", keys: frozenset[str] = frozenset()) -> Iterator[tuple[str, set[str]]]:
    """The full name of every address that the site knows, and what it holds."""
    for pattern in found:
        inside = keys | set(pattern.pattern.converters)
        if isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}", set(inside)
        else:
            named = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from patterns(pattern.url_patterns, named, inside)


KEYS = dict(patterns(get_resolver().url_patterns))


@pytest.fixture
def samples(store: Store, make_person: MakePerson) -> dict[str, object]:
    """Something of default behind every kind of id, and workers that live."""
    for lane in Lane:
        beat(lane)
    with acting(store) as (door, view):
        new = NewFact(entity="service:checkout", key="gate", value="open")
        fact_id = door.store_facts(SYSTEM, "default", [new], view=view).fact_ids[0]
    subject = make_person("subject", Role.VIEWER)
    with store.writing() as door:
        door.record(
            SYSTEM, "default", Action.ROLE_PROPOSED, subjects=("rp_sample", subject.person_id), code=Role.ADMIN.value
        )
    token = make_agent_token(
        store, actor=SYSTEM, tenant="default", agent="bot", may_read=True, may_propose=False, days=1, now=timezone.now()
    )
    job = enqueue("import", tenant="default", started_by="p_1", arguments={})
    vouching = store.data_dir / "checkpoint", store.data_dir / "checkpoints"
    if (newest := Slots(vouching[0]).newest()) is not None:
        Dailies(vouching[1]).keep(newest)
    saved = SavedView.objects.create(tenant="default", person_id="p_1", name="mine", query="q=x")
    curator = browser_of(make_person("importer", Role.CURATOR))
    file = SimpleUploadedFile("facts.csv", b"entity,key,value\nservice:mail,state,up\n")
    preview = curator.post("/t/default/imports/new/", {"file": file, "form": "auto"}).headers["Location"]
    started = curator.post(preview).headers["Location"]
    return {
        "fact_id": fact_id,
        "line_no": 1,
        "number": job.number,
        "tenant_number": Tenant.objects.get(name="default").number,
        "digest": Upload.objects.get().digest,
        "import_id": started.rstrip("/").rpartition("/")[2],
        "person_id": subject.person_id,
        "proposal_id": "rp_sample",
        "token_id": token.token_id,
        "view": saved.pk,
        "day": newest.time[:10] if newest is not None else "",
    }


def browser_of(person: User) -> Client:
    """A browser in which this person has just signed in, and has been told so."""
    browser = Client()
    browser.post("/sign-in/", {"login": person.username, "password": f"{person.username}-test-1"})
    browser.get("/settings/")
    return browser


def addresses(samples: dict[str, object], tenant: str = "default") -> list[Address]:
    """Every address, with the samples of default in their places."""
    known = {**samples, "tenant": tenant, "pk": 1, "name": "roles", "kind": "scan", "token": make_set_up_token()}
    answer = []
    for name, keys in KEYS.items():
        values = {key: known[key] for key in keys}
        if name.startswith("tenant") and "number" in values:
            values["number"] = samples["tenant_number"]
        if name == "facts:forget_view":
            values["number"] = samples["view"]
        path = reverse(name, kwargs=values)
        if name in {"facts:entity", "facts:belief", "facts:belief_table", "facts:compare"}:
            path += "?name=service:checkout&entity=service:checkout&key=gate"
        answer.append(Address(name, path, bool(keys - {"tenant", "kind"})))
    return answer


def ask(browser: Client, method: str, address: Address) -> Any:
    """The answer; a POST sends next to nothing."""
    if method == "GET":
        return browser.get(address.path)
    return browser.post(address.path, {"role": "viewer", "do": "refuse"})


def send(browser: Client, address: Address, samples: dict[str, object]) -> Any:
    """The answer to a form whose fields name what there is."""
    return browser.post(address.path, {"role": "viewer", "do": "refuse", "other": samples["person_id"]})


def test_every_address_has_its_place_in_the_table() -> None:
    others = {name for name in KEYS if name not in IN_A_TENANT and name not in OF_THE_STORE}

    assert set(IN_A_TENANT) | set(OF_THE_STORE) <= set(KEYS)
    assert (
        others - FOR_ANYBODY
        == {"home", "settings", "theme", "tokens", "token_code", "token_revoke", "notice_seen"}
        | {name for name in others if re.match(r"mfa_|usersessions_|account_(change|reauth)", name)} - FOR_ANYBODY
    )


@pytest.mark.parametrize("roles", [[role] for role in Role], ids=[role.value for role in Role])
def test_every_role_gets_what_its_rights_say(
    samples: dict[str, object], make_person: MakePerson, roles: list[Role]
) -> None:
    person = make_person("somebody", *roles)
    browser, rights = browser_of(person), principal(person)
    is_here = can(rights, Right.READ, "default")
    faults = []

    for address in addresses(samples):
        needs = {**IN_A_TENANT, **OF_THE_STORE}.get(address.name)
        if needs is None:
            continue
        place = STORE if address.name in OF_THE_STORE else "default"
        for method in ("GET", "POST"):
            status = ask(browser, method, address).status_code
            if place and not is_here:
                expected = {404}
            elif method not in needs:
                expected = {405}
            elif not can(rights, needs[method], place):
                expected = {403}
            else:
                expected = {200, 302, 400, 409, 422} | ({404} if address.name in MAY_BE_SOMEBODY_ELSES else set())
            if status not in expected:
                faults.append(f"{method} {address.name}: {status}, not {expected}")

    assert faults == []


@pytest.fixture
def left_open(make_person: MakePerson) -> Callable[..., Client]:
    """A browser in which somebody with these roles signed in long ago."""

    def browser_left_by(username: str, *roles: Role) -> Client:
        browser = Client()
        browser.force_login(make_person(username, *roles))
        return browser

    return browser_left_by


def test_what_asks_for_a_recent_sign_in_is_in_the_table(
    samples: dict[str, object], left_open: Callable[..., Client]
) -> None:
    browser = left_open("everything", *Role)

    asked = {
        address.name
        for address in addresses(samples)
        if address.name not in FOR_ANYBODY and not re.match(r"mfa_|usersessions_|account_", address.name)
        if send(browser, address, samples).headers.get("Location", "").startswith("/settings/confirm/")
    }

    assert asked == set(ASKS_FOR_A_RECENT_SIGN_IN)


@pytest.mark.parametrize("roles", [[role] for role in Role], ids=[role.value for role in Role])
def test_who_lacks_the_right_is_refused_before_they_are_asked_to_sign_in_again(
    samples: dict[str, object], left_open: Callable[..., Client], roles: list[Role]
) -> None:
    browser = left_open("somebody", *roles)
    rights = principal(User.objects.get(username="somebody"))
    is_here = can(rights, Right.READ, "default")
    faults = []

    for address in addresses(samples):
        right = ASKS_FOR_A_RECENT_SIGN_IN.get(address.name)
        place = STORE if address.name in OF_THE_STORE else "default"
        if right is None or can(rights, right, place):
            continue
        status = send(browser, address, samples).status_code
        if status != (403 if is_here or place == STORE else 404):
            faults.append(f"{address.name}: {status}")

    assert faults == []


def test_a_role_that_is_not_ones_own_to_give_is_refused_before_the_sign_in(
    samples: dict[str, object], left_open: Callable[..., Client]
) -> None:
    roles_of_subject = f"/t/default/people/{samples['person_id']}/roles/"

    answer = left_open("somebody", Role.ADMIN).post(roles_of_subject, {"role": "operator", "do": "propose"})

    assert answer.status_code == 403


def test_a_stranger_learns_nothing(samples: dict[str, object], stranger: User) -> None:
    browser = browser_of(stranger)
    missing = [address.path.replace("/t/default/", "/t/nowhere/") for address in addresses(samples)]

    for address, nowhere in zip(addresses(samples), missing, strict=True):
        if address.name not in IN_A_TENANT:
            continue
        for method in ("GET", "POST"):
            there = ask(browser, method, address)
            never = ask(browser, method, Address(address.name, nowhere, False))
            assert there.status_code == 404, f"{method} {address.name}"
            assert without_token(there.content) == without_token(never.content), f"{method} {address.name}"


def test_what_is_anothers_is_not_found_under_ones_own_tenant(
    samples: dict[str, object], make_person: MakePerson
) -> None:
    browser = browser_of(make_person("abroad", Role.CURATOR, Role.ADMIN, tenant="acme"))

    for address in addresses(samples, tenant="acme"):
        # dismissing only forgets what one's own session says
        if address.name in IN_A_TENANT and address.has_id and address.name != "facts:fact_dismiss":
            for method in IN_A_TENANT[address.name]:
                assert ask(browser, method, address).status_code == 404, f"{method} {address.name}"


def test_nobody_is_asked_to_sign_in_first(samples: dict[str, object]) -> None:
    for address in addresses(samples):
        for method in ("GET", "POST"):
            answer = ask(Client(), method, address)
            if address.name in FOR_ANYBODY:
                assert answer.status_code < 500, f"{method} {address.name}"
            else:
                assert answer.status_code == 302, f"{method} {address.name}"
                assert answer.headers["Location"].startswith("/sign-in/?next="), f"{method} {address.name}"


def test_what_is_ones_own_needs_no_role(samples: dict[str, object], make_person: MakePerson) -> None:
    browser = browser_of(make_person("nobody"))

    for address in addresses(samples):
        if address.name in IN_A_TENANT or address.name in OF_THE_STORE or address.name == "account_logout":
            continue
        status = ask(browser, "GET", address).status_code
        assert status in {200, 302, 404, 405} or (address.name == "home" and status == 403), address.name


def without_token(page: bytes) -> bytes:
    """The page without what differs between any two requests, its own address included."""
    page = re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", page)
    return page.replace(b"/t/nowhere/", b"/t/default/")
