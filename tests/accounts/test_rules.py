"""Rights come from roles, and private text from ownership."""

from pathlib import Path

import pytest

from apps.accounts.rules import (
    AGENT_RIGHTS,
    GRANTS,
    RIGHT_WORDS,
    STORE,
    Principal,
    Right,
    Role,
    can,
    require,
    rights_table,
    scope_of,
)
from cruxstore.errors import NotPermittedError


def person(*roles: Role, tenant: str = "default", owns: frozenset[str] = frozenset()) -> Principal:
    return Principal(kind="person", principal_id="p_1", name="Ada", roles={tenant: frozenset(roles)}, owner_names=owns)


@pytest.mark.parametrize(
    ("role", "right", "allowed"),
    [
        (Role.VIEWER, Right.READ, True),
        (Role.VIEWER, Right.EXPORT, False),
        (Role.VIEWER, Right.IMPORT, False),
        (Role.CURATOR, Right.IMPORT, True),
        (Role.CURATOR, Right.SEE_PEOPLE, False),
        (Role.CURATOR, Right.DELETE, True),
        (Role.ADMIN, Right.CONSOLIDATE, True),
        (Role.VIEWER, Right.STATE, False),
        (Role.OFFICER, Right.CHANGE, False),
        (Role.OFFICER, Right.EXPORT, True),
        (Role.OFFICER, Right.IMPORT, False),
        (Role.ADMIN, Right.SEE_PEOPLE, True),
        (Role.ADMIN, Right.SEE_LEDGER, True),
        (Role.ADMIN, Right.MANAGE_TOKENS, True),
        (Role.ADMIN, Right.SEE_OWNERLESS, False),
        (Role.OFFICER, Right.SEE_LEDGER, True),
        (Role.OFFICER, Right.APPROVE_ROLE, True),
        (Role.OFFICER, Right.MANAGE_PEOPLE, False),
        (Role.CURATOR, Right.SEE_LEDGER, False),
        (Role.CURATOR, Right.APPROVE_ROLE, False),
        (Role.ADMIN, Right.OPERATE, False),
        (Role.OPERATOR, Right.READ, False),
    ],
)
def test_a_role_grants_exactly_its_rights(role: Role, right: Right, allowed: bool) -> None:
    assert can(person(role), right, "default") is allowed


def test_a_right_in_one_tenant_is_none_in_another() -> None:
    assert not can(person(Role.CURATOR, tenant="acme"), Right.READ, "default")


def test_only_an_operator_works_on_the_store() -> None:
    assert can(person(Role.OPERATOR, tenant=STORE), Right.OPERATE)
    assert not can(person(Role.ADMIN), Right.OPERATE)


def test_a_refusal_names_who_can() -> None:
    with pytest.raises(NotPermittedError, match="curator or admin"):
        require(person(Role.VIEWER), Right.IMPORT, "default")


@pytest.mark.parametrize(
    ("owner", "roles", "owns", "readable"),
    [
        ("triage-7", {Role.CURATOR}, set(), False),
        ("triage-7", {Role.OFFICER, Role.ADMIN}, set(), False),
        ("triage-7", {Role.VIEWER}, {"triage-7"}, True),
        ("", {Role.CURATOR}, set(), False),
        ("", {Role.ADMIN}, set(), False),
        ("", {Role.OFFICER}, set(), True),
    ],
)
def test_private_text_is_for_its_owner_and_ownerless_for_officers(
    owner: str, roles: set[Role], owns: set[str], readable: bool
) -> None:
    scope = scope_of(person(*roles, owns=frozenset(owns)), "default")

    assert scope.may_read(private=True, owner=owner) is readable
    assert scope.may_read(private=False, owner=owner)


def test_the_manual_holds_the_table_of_roles_and_rights() -> None:
    manual = (Path(__file__).resolve().parents[2] / "docs/manual/roles.md").read_text()

    assert rights_table() in manual, f"docs/manual/roles.md needs this table:\n\n{rights_table()}"


def test_every_right_has_words_and_somebody_who_has_it() -> None:
    assert set(RIGHT_WORDS) == set(Right)
    assert frozenset().union(AGENT_RIGHTS, *GRANTS.values()) == set(Right)
