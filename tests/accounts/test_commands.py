"""On the command line, roles take the same two people as on pages."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.accounts.actions import (
    authenticate,
    confirm_person,
    invite,
    make_agent_token,
    make_code,
    make_personal_token,
    offer_reset,
    use_link,
)
from apps.accounts.models import User
from apps.accounts.queries import principal_of_person, second_people
from apps.accounts.rules import Right, Role, can
from cruxstore.door import Store
from cruxstore.ledger.events import Action, Actor
from tests.people import principal

PASSWORD = "a long enough phrase"


def told(*arguments: str, **options: Any) -> dict[str, object]:
    """What a command prints as JSON."""
    out = StringIO()
    call_command(*arguments, json=True, stdout=out, **options)
    answer: dict[str, object] = json.loads(out.getvalue())
    return answer


def become(monkeypatch: pytest.MonkeyPatch, store: Store, person: User) -> str:
    """Puts a token of this person into the environment and answers a code of theirs."""
    now = timezone.now()
    made = make_personal_token(store, principal=principal(person), name="shell", days=1, now=now)
    monkeypatch.setenv("CRUXWEB_TOKEN", made.text)
    return make_code(principal(person), now=now)


def test_admin_takes_two_people_here_too(
    monkeypatch: pytest.MonkeyPatch, store: Store, admin: User, officer: User, curator: User
) -> None:
    code = become(monkeypatch, store, admin)
    proposed = told("grant_role", "curator", "admin", code=code)
    assert proposed == {"proposal": 1, "state": "waiting"}
    with pytest.raises(CommandError, match="second_person_needed"):
        told("decide_role", "1", "approve", code=make_code(principal(admin), now=timezone.now()))
    assert not can(principal(curator), Right.MANAGE_PEOPLE, "default")

    code = become(monkeypatch, store, officer)
    decided = told("decide_role", "1", "approve", code=code)

    assert decided == {"proposal": 1, "state": "approved"}
    assert can(principal(curator), Right.MANAGE_PEOPLE, "default")


def test_whom_the_proposer_invited_does_not_approve_here_either(
    monkeypatch: pytest.MonkeyPatch, store: Store, admin: User, officer: User, curator: User
) -> None:
    now = timezone.now()
    link = invite(store, principal=principal(admin), tenant="default", name="Guest", roles=[Role.OFFICER], now=now)
    guest = use_link(store, link.secret, username="guest", password=PASSWORD, now=now)
    told("grant_role", "curator", "admin", code=become(monkeypatch, store, admin))

    with pytest.raises(CommandError, match="second_person_needed"):
        told("decide_role", "1", "approve", code=become(monkeypatch, store, guest))
    confirm_person(store, principal=principal(officer), tenant="default", person_id=guest.person_id)
    decided = told("decide_role", "1", "approve", code=become(monkeypatch, store, guest))

    assert decided == {"proposal": 1, "state": "approved"}


def test_a_plain_role_takes_one_person_with_a_code(
    monkeypatch: pytest.MonkeyPatch, store: Store, admin: User, curator: User
) -> None:
    code = become(monkeypatch, store, admin)

    assert told("grant_role", "curator", "viewer", code=code) == {"state": "granted"}

    assert Role.VIEWER in principal_of_person(curator.person_id).roles["default"]
    newest = [event for event, _ in store.events_from(0)][-1]
    assert (newest.action, newest.actor) == (Action.ROLE_GRANTED, Actor("person", admin.person_id))


@pytest.mark.parametrize(
    "arguments",
    [("grant_role", "curator", "viewer"), ("grant_role", "curator", "admin"), ("decide_role", "1", "approve")],
)
def test_without_token_or_code_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, store: Store, admin: User, officer: User, curator: User, arguments: tuple[str, ...]
) -> None:
    with pytest.raises(CommandError, match="CRUXWEB_TOKEN"):
        told(*arguments)
    become(monkeypatch, store, admin)
    with pytest.raises(CommandError, match="code_needed"):
        told(*arguments)

    assert principal_of_person(curator.person_id).roles["default"] == {Role.CURATOR}


def test_a_curators_token_gives_no_role(
    monkeypatch: pytest.MonkeyPatch, store: Store, curator: User, viewer: User
) -> None:
    code = become(monkeypatch, store, curator)

    with pytest.raises(CommandError, match="not_permitted"):
        told("grant_role", "viewer", "curator", code=code)


def test_an_agents_token_is_no_person(monkeypatch: pytest.MonkeyPatch, store: Store, curator: User) -> None:
    made = make_agent_token(
        store,
        actor=Actor("system", "cli"),
        tenant="default",
        agent="bot",
        may_read=True,
        may_propose=True,
        days=1,
        now=timezone.now(),
    )
    monkeypatch.setenv("CRUXWEB_TOKEN", made.text)

    with pytest.raises(CommandError, match="an agent's"):
        told("grant_role", "curator", "viewer")


@pytest.mark.parametrize("role", ["admin", "operator"])
def test_setting_up_makes_no_second_admin(
    monkeypatch: pytest.MonkeyPatch, store: Store, operator: User, role: str
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(f"{PASSWORD}\n"))

    with pytest.raises(CommandError, match="given by two people"):
        call_command("create_person", "eve", name="Eve", role=[role])

    assert not User.objects.filter(username="eve").exists()


def test_an_agents_token_is_made_and_works(store: Store) -> None:
    made = told("create_agent_token", "triage-7", read=True, propose=True, days=5)

    agent = authenticate(str(made["token"]), now=timezone.now())
    assert agent.name == "triage-7"
    assert can(agent, Right.PROPOSE, "default")


def test_a_tool_is_granted_by_an_admin(
    monkeypatch: pytest.MonkeyPatch, store: Store, admin: User, curator: User
) -> None:
    tool: dict[str, Any] = {"propose": True, "tool": True}
    with pytest.raises(CommandError, match="CRUXWEB_TOKEN"):
        told("create_agent_token", "probe", **tool)
    with pytest.raises(CommandError, match="not_permitted"):
        told("create_agent_token", "probe", code=become(monkeypatch, store, curator), **tool)

    made = told("create_agent_token", "probe", code=become(monkeypatch, store, admin), **tool)

    assert authenticate(str(made["token"]), now=timezone.now()).is_tool


def test_a_token_of_nothing_is_refused(store: Store) -> None:
    with pytest.raises(CommandError, match="token_refused"):
        told("create_agent_token", "triage-7")


def test_somebody_locked_out_gets_in_but_approves_nothing(
    store: Store, admin: User, officer: User, curator: User
) -> None:
    now = timezone.now()
    made = told("make_reset_link", "officer")
    secret = str(made["address"]).partition("/join/?key=")[2]

    user = use_link(store, secret, username="", password=PASSWORD, now=now)

    assert user.check_password(PASSWORD)
    assert second_people("default", first=admin.person_id, receiver=curator.person_id) == []
    again = offer_reset(
        store, principal=principal(admin), tenant="default", person_id=officer.person_id, username="officer", now=now
    )
    use_link(store, again.secret, username="", password=PASSWORD, now=now)
    assert [row.name for row in second_people("default", first=curator.person_id)] == ["Admin", "Officer"]


def test_a_link_for_nobody_is_refused(store: Store) -> None:
    with pytest.raises(CommandError, match="not_found"):
        told("make_reset_link", "nobody")
