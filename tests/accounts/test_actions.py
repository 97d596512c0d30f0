"""People, tenants and roles are events first, rows second."""

import pytest

from apps.accounts.actions import (
    SYSTEM,
    AlreadySetUpError,
    PersonNameError,
    TenantNameError,
    UsernameError,
    WeakPasswordError,
    create_person,
    create_tenant,
    grant_role,
    revoke_role,
    set_up,
)
from apps.accounts.models import LedgerCursor, Person, RoleGrant, Tenant, User
from apps.accounts.projector import catch_up
from apps.accounts.rules import STORE, Right, Role, can
from cruxstore.door import Store
from tests.people import principal


def test_a_new_person_can_do_what_the_roles_say(store: Store) -> None:
    user = create_person(
        store,
        actor=SYSTEM,
        username="mara",
        name="Mara Lindqvist",
        password="a long enough phrase",
        roles=[("default", Role.CURATOR), (STORE, Role.OPERATOR)],
    )

    mara = principal(user)
    assert mara.name == "Mara Lindqvist"
    assert can(mara, Right.IMPORT, "default")
    assert can(mara, Right.OPERATE)
    assert not can(mara, Right.READ, "acme")


def test_a_revoked_role_is_gone_at_once(store: Store, curator: User) -> None:
    revoke_role(store, actor=SYSTEM, person_id=curator.person_id, tenant="default", role=Role.CURATOR)

    assert not can(principal(curator), Right.READ, "default")


def test_rows_about_people_are_rebuilt_from_the_ledger(store: Store, curator: User) -> None:
    grant_role(store, actor=SYSTEM, person_id=curator.person_id, tenant="acme", role=Role.VIEWER)
    rows = [list(model.objects.order_by("pk").values()) for model in (Person, Tenant)]
    grants = set(RoleGrant.objects.values_list("person_id", "tenant", "role"))
    for model in (Person, Tenant, RoleGrant, LedgerCursor):
        model.objects.all().delete()

    catch_up(store)

    assert [list(model.objects.order_by("pk").values()) for model in (Person, Tenant)] == rows
    assert set(RoleGrant.objects.values_list("person_id", "tenant", "role")) == grants


def test_the_ledger_holds_no_name_and_no_password(store: Store) -> None:
    create_person(store, actor=SYSTEM, username="ilse", name="Ilse de Wit", password="wonderful-evening-9", roles=[])

    ledger = store.ledger_path.read_bytes()
    assert b"Ilse" not in ledger
    assert b"wonderful" not in ledger
    assert b"Ilse de Wit" in store.texts_path.read_bytes()


def test_a_name_that_is_no_address_word_gets_a_numbered_address(store: Store) -> None:
    assert create_tenant(store, actor=SYSTEM, name="Müller & Söhne").slug == "t3"
    assert create_tenant(store, actor=SYSTEM, name="t3").slug == "t4"


@pytest.mark.parametrize("name", ["", "  ", "default", "x" * 401, "a\udcff"])
def test_a_wrong_tenant_name_changes_nothing(store: Store, name: str) -> None:
    before = store.ledger_path.read_bytes()

    with pytest.raises(TenantNameError):
        create_tenant(store, actor=SYSTEM, name=name)

    assert store.ledger_path.read_bytes() == before


@pytest.mark.parametrize(
    ("username", "password", "error"),
    [
        ("curator", "a long enough phrase", UsernameError),
        ("Curator", "a long enough phrase", UsernameError),
        ("a b", "a long enough phrase", UsernameError),
        ("\ufb01nance", "a long enough phrase", UsernameError),
        ("\udcff", "a long enough phrase", UsernameError),
    ],
)
def test_a_wrong_sign_in_changes_nothing(
    store: Store, curator: User, username: str, password: str, error: type[Exception]
) -> None:
    before = store.ledger_path.read_bytes()

    with pytest.raises(error):
        create_person(store, actor=SYSTEM, username=username, name="X", password=password, roles=[])

    assert store.ledger_path.read_bytes() == before


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "C\udcff"])
def test_a_person_needs_a_name_that_can_be_shown(store: Store, name: str) -> None:
    before = store.ledger_path.read_bytes()

    with pytest.raises(PersonNameError):
        create_person(store, actor=SYSTEM, username="carl", name=name, password=None, roles=[])

    assert store.ledger_path.read_bytes() == before


def test_a_role_in_a_tenant_that_is_not_there_is_refused(store: Store, curator: User) -> None:
    before = store.ledger_path.read_bytes()

    with pytest.raises(TenantNameError, match="There is no tenant typo"):
        create_person(store, actor=SYSTEM, username="bob", name="Bob", password=None, roles=[("typo", Role.VIEWER)])
    with pytest.raises(TenantNameError, match="There is no tenant typo"):
        grant_role(store, actor=SYSTEM, person_id=curator.person_id, tenant="typo", role=Role.VIEWER)

    assert store.ledger_path.read_bytes() == before


def test_a_site_whose_sign_ins_are_lost_is_set_up_in_the_tenant_it_has(store: Store, curator: User) -> None:
    User.objects.all().delete()

    first = set_up(store, username="ada", name="Ada", password="a long enough phrase", tenant="default")

    assert can(principal(first), Right.SEE_PEOPLE, "default")
    assert Tenant.objects.filter(name="default").count() == 1


def test_a_weak_password_is_refused(store: Store) -> None:
    with pytest.raises(WeakPasswordError):
        create_person(store, actor=SYSTEM, username="eve", name="Eve", password="12345678", roles=[])


def test_set_up_works_once(data_dir: object, store: Store) -> None:
    first = set_up(store, username="ada", name="Ada", password="a long enough phrase", tenant="museum")

    assert can(principal(first), Right.OPERATE)
    assert can(principal(first), Right.SEE_PEOPLE, "museum")
    with pytest.raises(AlreadySetUpError):
        set_up(store, username="eve", name="Eve", password="a long enough phrase", tenant="other")
