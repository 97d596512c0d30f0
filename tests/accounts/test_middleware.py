"""Whoever asks has the roles of the ledger, whatever the database remembers."""

from apps.accounts.actions import SYSTEM
from apps.accounts.models import LedgerCursor, RoleGrant, User
from apps.accounts.rules import Role
from cruxstore.door import Store
from cruxstore.ledger.events import Action
from tests.people import signed_in


def test_a_role_revoked_behind_the_database_is_gone_with_the_next_page(store: Store, curator: User) -> None:
    browser = signed_in(curator)
    assert browser.get("/t/default/people/").status_code == 403
    with store.writing() as door:
        door.record(SYSTEM, "default", Action.ROLE_REVOKED, subjects=(curator.person_id,), code=Role.CURATOR.value)

    assert browser.get("/t/default/facts/").status_code == 404


def test_an_older_database_gives_no_old_role_to_the_first_page(store: Store, curator: User) -> None:
    offset = LedgerCursor.objects.get().offset
    with store.writing() as door:
        door.record(SYSTEM, "default", Action.ROLE_REVOKED, subjects=(curator.person_id,), code=Role.CURATOR.value)
    LedgerCursor.objects.update(offset=offset)
    RoleGrant.objects.get_or_create(person_id=curator.person_id, tenant="default", role=Role.CURATOR.value)

    assert signed_in(curator).get("/t/default/facts/").status_code == 404


def test_a_ledger_that_cannot_be_read_on_takes_no_page_away(store: Store, curator: User) -> None:
    with store.ledger_path.open("ab") as ledger:
        ledger.write(b"no event\n")

    assert signed_in(curator).get("/settings/").status_code == 200
    assert signed_in(curator).get("/healthz").status_code == 200
