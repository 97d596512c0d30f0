"""Tokens on pages: shown once, listed without a secret, revoked by who may."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.actions import SYSTEM, TokenUnknownError, authenticate, make_agent_token, use_code
from apps.accounts.models import OneTimeCode, Token, User
from apps.accounts.rules import Role
from cruxstore.door import Store
from tests.conftest import MakePerson
from tests.pages.conftest import HOSTILE_NAME
from tests.people import principal

AGENTS = "/t/default/tokens/"
OWN = "/settings/tokens/"
SPELLED = re.compile(r"crux_[0-9a-f]{32}_[A-Za-z0-9_-]{43}")


@pytest.fixture
def admin(make_person: MakePerson) -> User:
    """The one admin of default."""
    return make_person("admin", Role.ADMIN)


def fresh(person: User) -> Client:
    """A browser in which this person has just signed in."""
    browser = Client()
    browser.post("/sign-in/", {"login": person.username, "password": f"{person.username}-test-1"})
    return browser


def test_a_personal_token_is_shown_once_and_revoked(curator: User) -> None:
    browser = fresh(curator)

    shown = browser.post(OWN, {"name": "laptop", "days": "30"}).content.decode()
    text = SPELLED.findall(shown)[0]
    listed = browser.get(OWN).content.decode()

    assert authenticate(text, now=timezone.now()) == principal(curator)
    assert "laptop" in listed
    assert not SPELLED.search(listed)
    browser.post(f"{OWN}{Token.objects.get().token_id}/revoke/")
    with pytest.raises(TokenUnknownError):
        authenticate(text, now=timezone.now())


def test_an_agents_token_is_made_by_an_admin_alone(admin: User, curator: User, officer: User) -> None:
    asked = {"name": "triage-7", "may_read": "on", "may_propose": "on", "is_tool": "on", "days": "7"}
    for person in (curator, officer):
        assert fresh(person).get(AGENTS).status_code == 403
        assert fresh(person).post(AGENTS, asked).status_code == 403

    shown = fresh(admin).post(AGENTS, asked).content.decode()

    agent = authenticate(SPELLED.findall(shown)[0], now=timezone.now())
    assert (agent.name, agent.is_tool) == ("triage-7", True)


@pytest.mark.parametrize(("prefix", "says_more"), [("customer::4", True), ("customer::4::", False)])
def test_a_token_for_some_entities_says_what_else_it_reaches(admin: User, prefix: str, says_more: bool) -> None:
    asked = {"name": "triage-7", "may_read": "on", "days": "7", "entity_prefix": prefix}

    shown = fresh(admin).post(AGENTS, asked).content.decode()
    listed = fresh(admin).get(AGENTS).content.decode()

    assert authenticate(SPELLED.findall(shown)[0], now=timezone.now()).entity_prefix == prefix
    assert "It reaches every entity that begins with" in shown
    assert (f"{prefix}2" in shown) is says_more
    assert "customer::4 is also the beginning of customer::42" in listed


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"days": "1000"}, {"may_read": ""}, {"name": "curator"}, {"name": "\x00"}]
)
def test_a_wrong_token_says_why(admin: User, curator: User, wrong: dict[str, str]) -> None:
    answer = fresh(admin).post(AGENTS, {"name": "bot", "may_read": "on", "days": "7", **wrong})

    assert answer.status_code == 422
    assert "No token was made" in answer.content.decode()
    assert not Token.objects.exists()


def test_tokens_and_codes_ask_for_a_recent_sign_in(sign_in: Callable[[User], Client], admin: User) -> None:
    browser = sign_in(admin)

    for address in (OWN, f"{OWN}code/", AGENTS):
        answer = browser.post(address, {"name": "bot", "may_read": "on", "days": "7"})
        assert answer.headers["Location"].startswith("/settings/confirm/?next="), address

    assert not Token.objects.exists()
    assert not OneTimeCode.objects.exists()


def test_revoking_needs_no_recent_sign_in(store: Store, sign_in: Callable[[User], Client], admin: User) -> None:
    made = make_agent_token(
        store,
        actor=SYSTEM,
        tenant="default",
        agent="bot",
        may_read=True,
        may_propose=False,
        days=1,
        now=timezone.now(),
    )

    sign_in(admin).post(f"{AGENTS}{made.token_id}/revoke/")

    with pytest.raises(TokenUnknownError):
        authenticate(made.text, now=timezone.now())


def test_another_tenants_token_is_not_there(store: Store, sign_in: Callable[[User], Client], admin: User) -> None:
    made = make_agent_token(
        store, actor=SYSTEM, tenant="acme", agent="bot", may_read=True, may_propose=False, days=1, now=timezone.now()
    )

    assert sign_in(admin).post(f"{AGENTS}{made.token_id}/revoke/").status_code == 404
    assert sign_in(admin).post(f"{OWN}{made.token_id}/revoke/").status_code == 404
    authenticate(made.text, now=timezone.now())


def test_a_code_from_the_page_works(curator: User) -> None:
    shown = fresh(curator).post(f"{OWN}code/").content.decode()

    use_code(principal(curator), re.findall(r"\d{5}-\d{5}", shown)[0], now=timezone.now())


def test_a_hostile_agent_name_stays_text(admin: User) -> None:
    browser = fresh(admin)

    shown = browser.post(AGENTS, {"name": HOSTILE_NAME[:190], "may_read": "on", "days": "7"}).content.decode()

    for page in (shown, browser.get(AGENTS).content.decode()):
        assert "<script>alert" not in page
        assert "\u202e" not in page
