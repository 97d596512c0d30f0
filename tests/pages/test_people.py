"""The People pages: who sees them, who changes what, and what takes two."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from apps.accounts.actions import SYSTEM
from apps.accounts.models import OneTimeLink, RoleProposal, User
from apps.accounts.queries import principal_of_person
from apps.accounts.rules import Right, Role, can
from cruxstore.door import Store
from cruxstore.ledger.events import Action
from tests.conftest import MakePerson
from tests.pages.conftest import HOSTILE_NAME

PEOPLE = "/t/default/people/"
PASSWORD = "a long enough phrase"
Fresh = Callable[[User], Client]


@pytest.fixture
def fresh() -> Fresh:
    """A browser in which this person has just signed in, on the page."""

    def sign_in(person: User) -> Client:
        browser = Client()
        answer = browser.post("/sign-in/", {"login": person.username, "password": f"{person.username}-test-1"})
        assert answer.status_code == 302
        return browser

    return sign_in


@pytest.fixture
def admin(make_person: MakePerson) -> User:
    """The one admin of default."""
    return make_person("admin", Role.ADMIN)


def page_of(person: User) -> str:
    """The address of somebody's page."""
    return f"{PEOPLE}{person.person_id}/"


def test_an_invited_person_signs_in_by_the_link_once(fresh: Fresh, admin: User) -> None:
    shown = fresh(admin).post(f"{PEOPLE}invite/", {"name": "Ada Moss", "roles": ["curator"]}).content.decode()
    address = re.findall(r"http://testserver(/join/\?key=[\w-]+)", shown)[0]
    guest = Client()
    assert "Welcome, <bdi>Ada Moss</bdi>" in guest.get(address).content.decode()

    key = address.partition("=")[2]
    answer = guest.post("/join/", {"key": key, "username": "ada", "password": PASSWORD})

    assert answer.headers["Location"] == "/sign-in/"
    assert guest.post("/sign-in/", {"login": "ada", "password": PASSWORD}).status_code == 302
    assert guest.get("/t/default/facts/").status_code == 200
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("key", ["", "x", "\udc00", "a" * 5000])
def test_a_link_that_never_was_is_not_found(store: object, key: str) -> None:
    assert Client().get("/join/", {"key": key.encode("utf-8", "surrogatepass")}).status_code == 404


def test_a_curator_sees_no_people(fresh: Fresh, curator: User) -> None:
    browser = fresh(curator)

    for address in (PEOPLE, f"{PEOPLE}invite/", page_of(curator)):
        assert browser.get(address).status_code == 403
    assert browser.post(f"{page_of(curator)}roles/", {"role": "viewer"}).status_code == 403


def test_an_officer_sees_people_and_changes_none(fresh: Fresh, officer: User, curator: User) -> None:
    browser = fresh(officer)

    page = browser.get(page_of(curator)).content.decode()

    assert "Grant the role" not in page
    assert browser.get(f"{PEOPLE}invite/").status_code == 403
    assert browser.post(f"{page_of(curator)}roles/", {"role": "viewer", "do": "grant"}).status_code == 403
    assert browser.post(f"{page_of(curator)}link/", {}).status_code == 403


def test_roles_are_granted_and_revoked(fresh: Fresh, admin: User, curator: User) -> None:
    browser = fresh(admin)

    browser.post(f"{page_of(curator)}roles/", {"role": "officer", "do": "grant"})
    browser.post(f"{page_of(curator)}roles/", {"role": "curator", "do": "revoke"})

    roles = principal_of_person(curator.person_id).roles["default"]
    assert roles == {Role.OFFICER}


def test_the_last_admin_cannot_remove_themself(fresh: Fresh, admin: User) -> None:
    answer = fresh(admin).post(f"{page_of(admin)}roles/", {"role": "admin", "do": "revoke"})

    assert answer.status_code == 409
    assert "is the last admin of default" in answer.content.decode()
    assert can(principal_of_person(admin.person_id), Right.MANAGE_PEOPLE, "default")


def test_an_admin_is_proposed_on_one_page_and_approved_on_another(
    fresh: Fresh, admin: User, officer: User, curator: User
) -> None:
    fresh(admin).post(f"{page_of(curator)}roles/", {"role": "admin", "do": "propose"})
    address = f"{PEOPLE}proposals/{RoleProposal.objects.get().proposal_id}/"
    assert not can(principal_of_person(curator.person_id), Right.MANAGE_PEOPLE, "default")

    own = fresh(admin).post(address, {"do": "approve"})
    other = fresh(officer).post(address, {"do": "approve"})

    assert own.status_code == 409
    assert "You proposed it; another person decides." in own.content.decode()
    assert other.status_code == 302
    assert can(principal_of_person(curator.person_id), Right.MANAGE_PEOPLE, "default")


def test_where_nobody_could_approve_the_page_says_so_before(fresh: Fresh, admin: User, curator: User) -> None:
    browser = fresh(admin)

    people = browser.get(PEOPLE).content.decode()
    page = browser.get(page_of(curator)).content.decode()
    answer = browser.post(f"{page_of(curator)}roles/", {"role": "admin", "do": "propose"})

    assert "Nobody but you could approve a new admin" in people
    assert "Nobody else could approve it" in page
    assert f"{PEOPLE}invite/?role=officer" in page
    assert answer.status_code == 409
    assert not RoleProposal.objects.exists()


def test_who_was_invited_approves_when_somebody_else_has_confirmed_them(
    fresh: Fresh, admin: User, officer: User, curator: User
) -> None:
    shown = fresh(admin).post(f"{PEOPLE}invite/", {"name": "Ada Moss", "roles": ["officer"]}).content.decode()
    key = re.findall(r"/join/\?key=([\w-]+)", shown)[0]
    Client().post("/join/", {"key": key, "username": "ada", "password": PASSWORD})
    ada = User.objects.get(username="ada")
    as_ada = Client()
    as_ada.post("/sign-in/", {"login": "ada", "password": PASSWORD})
    fresh(admin).post(f"{page_of(curator)}roles/", {"role": "admin", "do": "propose"})
    proposal = f"{PEOPLE}proposals/{RoleProposal.objects.get().proposal_id}/"

    assert "had a link to your sign-in" in as_ada.get(proposal).content.decode()
    assert as_ada.post(proposal, {"do": "approve"}).status_code == 409
    assert 'aria-disabled="true" aria-describedby="why-not-confirm"' in fresh(admin).get(page_of(ada)).content.decode()
    assert fresh(admin).post(f"{page_of(ada)}confirm/").status_code == 409
    assert "Confirm this person</button>" in fresh(officer).get(page_of(ada)).content.decode()
    assert fresh(officer).post(f"{page_of(ada)}confirm/").status_code == 302

    assert "Not confirmed" not in fresh(officer).get(page_of(ada)).content.decode()
    assert as_ada.post(proposal, {"do": "approve"}).status_code == 302
    assert Role.ADMIN in principal_of_person(curator.person_id).roles["default"]


def test_whom_one_has_invited_alone_is_named_as_not_confirmed_before_anything_is_proposed(
    fresh: Fresh, admin: User, curator: User
) -> None:
    shown = fresh(admin).post(f"{PEOPLE}invite/", {"name": "Ada Moss", "roles": ["officer"]}).content.decode()
    key = re.findall(r"/join/\?key=([\w-]+)", shown)[0]
    Client().post("/join/", {"key": key, "username": "ada", "password": PASSWORD})

    for address in (PEOPLE, page_of(curator)):
        page = re.sub(r"<[^>]+>", "", fresh(admin).get(address).content.decode())
        assert "Ada Moss would count when somebody else has confirmed them" in page, address
        assert "create_person on the machine" in page


def test_an_act_about_people_asks_for_a_recent_sign_in(
    store: Store, sign_in: Callable[[User], Client], admin: User, curator: User
) -> None:
    browser = sign_in(admin)
    with store.writing() as door:
        door.record(SYSTEM, "default", Action.ROLE_PROPOSED, subjects=("rp_1", curator.person_id), code="admin")

    for address, fields in (
        (f"{PEOPLE}invite/", {"name": "Ada", "roles": ["viewer"]}),
        (f"{page_of(curator)}roles/", {"role": "viewer", "do": "grant"}),
        (f"{page_of(curator)}link/", {"username": "curator"}),
        (f"{page_of(curator)}same/", {"other": admin.person_id}),
        (f"{PEOPLE}proposals/rp_1/", {"do": "approve"}),
    ):
        answer = browser.post(address, fields)
        assert answer.headers["Location"].startswith("/settings/confirm/?next="), address

    assert principal_of_person(curator.person_id).roles["default"] == {Role.CURATOR}
    assert not OneTimeLink.objects.exists()


def test_signing_in_again_leads_back_and_lets_the_act_be_done(
    sign_in: Callable[[User], Client], admin: User, curator: User
) -> None:
    browser = sign_in(admin)
    came_from = {"referer": f"http://testserver{page_of(curator)}"}
    asked = browser.post(f"{page_of(curator)}roles/", {"role": "viewer", "do": "grant"}, headers=came_from)
    assert "Nothing was done yet" in browser.get(asked.headers["Location"]).content.decode()

    back = browser.post("/settings/confirm/", {"password": "admin-test-1", "next": page_of(curator)})
    done = browser.post(f"{page_of(curator)}roles/", {"role": "viewer", "do": "grant"})

    assert back.headers["Location"] == page_of(curator)
    assert done.headers["Location"] == page_of(curator)
    assert Role.VIEWER in principal_of_person(curator.person_id).roles["default"]


def test_two_sign_ins_are_linked_to_one_person(fresh: Fresh, admin: User, curator: User, viewer: User) -> None:
    fresh(admin).post(f"{page_of(curator)}same/", {"other": viewer.person_id})

    assert principal_of_person(viewer.person_id).principal_id == curator.person_id
    page = fresh(admin).get(page_of(curator)).content.decode()
    assert "2 sign-ins" in page


def test_a_person_of_another_tenant_is_not_there(fresh: Fresh, admin: User, stranger: User) -> None:
    browser = fresh(admin)

    assert browser.get(page_of(stranger)).status_code == 404
    assert browser.post(f"{page_of(stranger)}roles/", {"role": "viewer", "do": "grant"}).status_code == 404
    assert browser.post(f"{page_of(stranger)}link/", {}).status_code == 404


def test_a_hostile_name_stays_text(fresh: Fresh, admin: User) -> None:
    browser = fresh(admin)

    shown = browser.post(f"{PEOPLE}invite/", {"name": HOSTILE_NAME, "roles": ["viewer"]}).content.decode()
    listed = browser.get(PEOPLE).content.decode()

    for page in (shown, listed):
        assert "<script>alert" not in page
        assert "\u202e" not in page


@pytest.mark.parametrize("role", ["", "owner", "\x00"])
def test_a_role_that_is_none_is_refused(fresh: Fresh, admin: User, curator: User, role: str) -> None:
    answer = fresh(admin).post(f"{page_of(curator)}roles/", {"role": role, "do": "grant"})

    assert answer.status_code == 404
