"""One-time links open a sign-in once, for a while, and only in good hands."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.utils import timezone

from apps.accounts.actions import (
    MadeLink,
    NoRoleError,
    UsernameError,
    WeakPasswordError,
    invite,
    offer_reset,
    offer_sign_in,
    read_link,
    use_link,
)
from apps.accounts.models import LedgerCursor, OneTimeLink, User
from apps.accounts.projector import catch_up
from apps.accounts.rules import Right, Role, can
from cruxstore.door import Store
from cruxstore.errors import NotFoundError, NotPermittedError
from cruxstore.ledger.events import Action, Actor
from tests.conftest import MakePerson
from tests.people import principal, signed_in

ACTOR = Actor(kind="system", id="test")
PASSWORD = "a long enough phrase"
NOW = timezone.now()


def invited(store: Store, by: User, *roles: Role) -> MadeLink:
    """A link for somebody new."""
    return invite(store, principal=principal(by), tenant="default", name="Ada Moss", roles=list(roles), now=NOW)


def test_an_invitation_makes_a_sign_in_with_its_roles(store: Store, admin: User) -> None:
    link = invited(store, admin, Role.CURATOR)

    user = use_link(store, link.secret, username="ada", password=PASSWORD, now=NOW)

    assert user.check_password(PASSWORD)
    assert principal(user).name == "Ada Moss"
    assert can(principal(user), Right.STATE, "default")


def test_a_link_works_once(store: Store, admin: User) -> None:
    link = invited(store, admin, Role.VIEWER)
    use_link(store, link.secret, username="ada", password=PASSWORD, now=NOW)

    with pytest.raises(NotFoundError):
        use_link(store, link.secret, username="ada2", password=PASSWORD, now=NOW)


def test_a_link_ends(store: Store, admin: User) -> None:
    link = invited(store, admin, Role.VIEWER)

    assert read_link(link.secret, now=link.expires_at - timedelta(seconds=1)).person_name == "Ada Moss"
    with pytest.raises(NotFoundError):
        read_link(link.secret, now=link.expires_at)


@pytest.mark.parametrize(
    ("username", "password", "error"),
    [("admin", PASSWORD, UsernameError), ("a b", PASSWORD, UsernameError), ("ada", "12345678", WeakPasswordError)],
)
def test_what_cannot_be_had_leaves_the_link_as_it_was(
    store: Store, admin: User, username: str, password: str, error: type[Exception]
) -> None:
    link = invited(store, admin, Role.VIEWER)
    with pytest.raises(error):
        use_link(store, link.secret, username=username, password=password, now=NOW)

    assert use_link(store, link.secret, username="ada", password=PASSWORD, now=NOW).username == "ada"


def test_neither_database_nor_files_hold_the_secret(store: Store, admin: User) -> None:
    link = invited(store, admin, Role.VIEWER)

    assert link.secret not in str(list(OneTimeLink.objects.values()))
    assert link.secret.encode() not in store.ledger_path.read_bytes() + store.texts_path.read_bytes()


def test_nobody_is_invited_to_nothing(store: Store, admin: User) -> None:
    with pytest.raises(NoRoleError):
        invited(store, admin)


def test_a_curator_invites_nobody(store: Store, curator: User) -> None:
    with pytest.raises(NotPermittedError):
        invited(store, curator, Role.VIEWER)


def test_a_reset_ends_sessions_and_second_factors(store: Store, admin: User, curator: User) -> None:
    browser = signed_in(curator)
    Authenticator.objects.create(user=curator, type=Authenticator.Type.TOTP, data={"secret": "x"})
    link = offer_reset(
        store,
        principal=principal(admin),
        tenant="default",
        person_id=curator.person_id,
        username="curator",
        now=NOW,
    )

    use_link(store, link.secret, username="", password=PASSWORD, now=NOW)

    assert browser.get("/settings/").status_code == 302
    assert not Authenticator.objects.filter(user=curator).exists()


def test_a_person_may_have_two_sign_ins(store: Store, admin: User, curator: User) -> None:
    link = offer_sign_in(store, principal=principal(admin), tenant="default", person_id=curator.person_id, now=NOW)

    second = use_link(store, link.secret, username="curator-phone", password=PASSWORD, now=NOW)

    assert principal(second).principal_id == curator.person_id
    assert principal(second).owner_names == {"curator", "curator-phone"}


def test_the_sign_ins_of_who_has_roles_elsewhere_are_not_in_one_admins_care(
    store: Store, admin: User, make_person: MakePerson
) -> None:
    abroad = make_person("abroad", Role.VIEWER)
    operator = make_person("operator", Role.VIEWER, Role.OPERATOR)
    with store.writing() as door:
        door.record(ACTOR, "acme", Action.ROLE_GRANTED, subjects=(abroad.person_id,), code="admin")

    for person in (abroad, operator):
        with pytest.raises(NotPermittedError, match="not in your care"):
            offer_sign_in(store, principal=principal(admin), tenant="default", person_id=person.person_id, now=NOW)


def test_a_person_of_another_tenant_is_not_there(store: Store, admin: User, stranger: User) -> None:
    with pytest.raises(NotFoundError):
        offer_sign_in(store, principal=principal(admin), tenant="default", person_id=stranger.person_id, now=NOW)


def test_a_link_that_was_used_is_not_revived_by_an_older_database(store: Store, admin: User) -> None:
    link = invited(store, admin, Role.VIEWER)
    offset = LedgerCursor.objects.get().offset
    use_link(store, link.secret, username="ada", password=PASSWORD, now=NOW)
    OneTimeLink.objects.update(used_at=None)
    LedgerCursor.objects.update(offset=offset)

    catch_up(store)

    with pytest.raises(NotFoundError):
        read_link(link.secret, now=NOW)
