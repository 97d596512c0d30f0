"""Tenants are events first: made, renamed, retired, reinstated, adopted; and the same again from the ledger alone."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from apps.accounts import actions
from apps.accounts.actions import (
    SYSTEM,
    FirstAdminError,
    TenantHasPeopleError,
    TenantMovedOnError,
    TenantNameError,
    TokenUnknownError,
)
from apps.accounts.models import LedgerCursor, RoleGrant, Tenant, Token, User
from apps.accounts.projector import catch_up
from apps.accounts.queries import find_tenant, tenants_of
from apps.accounts.rules import Principal, Right, Role, can, can_manage
from cruxstore.door import Store
from cruxstore.errors import NotFoundError, NotPermittedError, TenantRetiredError
from tests.conftest import MakePerson
from tests.people import principal

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def boss(operator: User) -> Principal:
    """The operator, who is admin of default too."""
    return principal(operator)


def test_a_tenant_is_made_with_an_operator_as_its_first_admin(store: Store, operator: User) -> None:
    actions.create_tenant(
        store, actor=actions.actor_of(principal(operator)), name="north", first_admin=operator.person_id
    )

    assert principal(operator).roles["north"] == {Role.ADMIN}
    assert [tenant.name for tenant in tenants_of(principal(operator))] == ["default", "north"]


def test_only_an_operator_becomes_a_first_admin(store: Store, boss: Principal, curator: User) -> None:
    for person_id in (curator.person_id, "p_nobody", ""):
        with pytest.raises(FirstAdminError):
            actions.adopt_tenant(store, principal=boss, name="acme", first_admin=person_id)
    with pytest.raises(FirstAdminError):
        actions.create_tenant(store, actor=SYSTEM, name="north", first_admin=curator.person_id)

    assert not Tenant.objects.filter(name="north").exists()
    assert not RoleGrant.objects.filter(tenant="acme").exists()


def test_the_command_makes_one_by_the_same_act(store: Store) -> None:
    call_command("create_tenant", "north")

    assert Tenant.objects.get(name="north").slug == "north"


def test_a_renamed_tenant_keeps_its_name_and_address(store: Store, boss: Principal) -> None:
    actions.rename_tenant(store, principal=boss, name="default", called="Acme Berlin")

    tenant = Tenant.objects.get(name="default")
    assert (tenant.title, tenant.name, tenant.slug) == ("Acme Berlin", "default", "default")
    assert b"Acme Berlin" not in store.ledger_path.read_bytes()
    actions.rename_tenant(store, principal=boss, name="default", called="default")
    assert Tenant.objects.get(name="default").called == ""


@pytest.mark.parametrize("called", ["", " ", "x" * 401, "half \ud800"])
def test_a_tenant_is_not_called_what_nobody_can_read(store: Store, boss: Principal, called: str) -> None:
    with pytest.raises(TenantNameError):
        actions.rename_tenant(store, principal=boss, name="default", called=called)


def test_two_tenants_are_not_called_the_same(store: Store, boss: Principal) -> None:
    actions.rename_tenant(store, principal=boss, name="acme", called="Berlin")

    for called in ("berlin", "Acme"):
        with pytest.raises(TenantNameError):
            actions.rename_tenant(store, principal=boss, name="default", called=called)
    with pytest.raises(TenantMovedOnError):
        actions.rename_tenant(store, principal=boss, name="acme", called="Berlin")


def test_in_a_retired_tenant_nobody_has_a_right_until_it_is_reinstated(
    store: Store, boss: Principal, curator: User
) -> None:
    actions.retire_tenant(store, principal=boss, name="default")

    assert not can(principal(curator), Right.READ, "default")
    assert find_tenant(principal(curator), "default") is None
    assert RoleGrant.objects.filter(tenant="default", person_id=curator.person_id).exists()

    actions.reinstate_tenant(store, principal=boss, name="default")

    assert can(principal(curator), Right.STATE, "default")


def test_a_tenant_is_retired_and_reinstated_once(store: Store, boss: Principal) -> None:
    with pytest.raises(TenantMovedOnError, match="not retired"):
        actions.reinstate_tenant(store, principal=boss, name="default")
    actions.retire_tenant(store, principal=boss, name="default")

    with pytest.raises(TenantMovedOnError, match="is retired already"):
        actions.retire_tenant(store, principal=boss, name="default")
    with pytest.raises(NotFoundError):
        actions.retire_tenant(store, principal=boss, name="nowhere")


def test_a_retired_tenant_takes_no_people_and_no_tokens(store: Store, boss: Principal, curator: User) -> None:
    actions.retire_tenant(store, principal=boss, name="acme")

    with pytest.raises(TenantRetiredError):
        actions.grant_role(store, actor=SYSTEM, person_id=curator.person_id, tenant="acme", role=Role.VIEWER)
    with pytest.raises(TenantRetiredError):
        actions.adopt_tenant(store, principal=boss, name="acme", first_admin=boss.principal_id)
    with pytest.raises(NotFoundError):
        actions.make_agent_token(
            store, actor=SYSTEM, tenant="acme", agent="bot", may_read=True, may_propose=False, days=1, now=NOW
        )


def test_an_agents_token_sleeps_with_its_tenant(store: Store, boss: Principal) -> None:
    made = actions.make_agent_token(
        store, actor=SYSTEM, tenant="default", agent="bot", may_read=True, may_propose=False, days=9, now=NOW
    )
    actions.retire_tenant(store, principal=boss, name="default")

    with pytest.raises(TokenUnknownError):
        actions.authenticate(made.text, now=NOW)

    actions.reinstate_tenant(store, principal=boss, name="default")
    assert can(actions.authenticate(made.text, now=NOW), Right.READ, "default")


def test_roles_in_a_retired_tenant_still_count_for_whose_care_a_person_is_in(
    store: Store, boss: Principal, make_person: MakePerson
) -> None:
    other = make_person("other", Role.ADMIN, tenant="acme")
    only_here = make_person("here", Role.CURATOR)
    actions.grant_role(store, actor=SYSTEM, person_id=other.person_id, tenant="default", role=Role.VIEWER)
    actions.retire_tenant(store, principal=boss, name="acme")

    # an admin of default would come into acme as this person once it is reinstated
    assert not can_manage(principal(only_here), {"acme": frozenset({Role.ADMIN})})
    with pytest.raises(NotPermittedError):
        actions.offer_sign_in(store, principal=boss, tenant="default", person_id=other.person_id, now=NOW)
    assert can_manage(principal(other), {"acme": frozenset({Role.VIEWER})})


def test_a_tenant_without_people_is_adopted_and_one_with_people_is_not(
    store: Store, boss: Principal, stranger: User, make_person: MakePerson
) -> None:
    with pytest.raises(TenantHasPeopleError):
        actions.adopt_tenant(store, principal=boss, name="acme", first_admin=boss.principal_id)

    adopted = actions.adopt_tenant(store, principal=boss, name="only in facts", first_admin=boss.principal_id)

    assert adopted.slug == "t3"
    assert RoleGrant.objects.get(tenant="only in facts").person_id == boss.principal_id


@pytest.mark.parametrize("act", [actions.retire_tenant, actions.reinstate_tenant])
def test_only_operators_look_after_tenants(store: Store, make_person: MakePerson, act: object) -> None:
    admin = principal(make_person("admin", Role.ADMIN))

    with pytest.raises(NotPermittedError):
        act(store, principal=admin, name="default")  # type: ignore[operator] # one of two acts
    with pytest.raises(NotPermittedError):
        actions.rename_tenant(store, principal=admin, name="default", called="Mine")
    with pytest.raises(NotPermittedError):
        actions.adopt_tenant(store, principal=admin, name="acme", first_admin=admin.principal_id)


def test_tenants_are_rebuilt_from_the_ledger(store: Store, boss: Principal) -> None:
    actions.rename_tenant(store, principal=boss, name="default", called="Acme Berlin")
    actions.retire_tenant(store, principal=boss, name="acme")
    actions.adopt_tenant(store, principal=boss, name="north", first_admin=boss.principal_id)
    actions.retire_tenant(store, principal=boss, name="north")
    actions.reinstate_tenant(store, principal=boss, name="north")
    rows = list(Tenant.objects.order_by("number").values())
    for model in (Tenant, RoleGrant, Token, LedgerCursor):
        model.objects.all().delete()

    catch_up(store)

    assert list(Tenant.objects.order_by("number").values()) == rows
    assert [row["retired_at"] is not None for row in rows] == [False, True, False]


def test_an_older_database_revives_no_retired_tenant(store: Store, boss: Principal, curator: User) -> None:
    before = list(LedgerCursor.objects.values())
    tenants = list(Tenant.objects.values())
    actions.retire_tenant(store, principal=boss, name="default")
    actions.rename_tenant(store, principal=boss, name="acme", called="Elsewhere")
    for row in tenants:
        Tenant.objects.filter(number=row["number"]).update(**row)
    LedgerCursor.objects.update(**before[0])
    assert can(principal(curator), Right.READ, "default")

    catch_up(store)

    assert not can(principal(curator), Right.READ, "default")
    assert Tenant.objects.get(name="acme").title == "Elsewhere"
