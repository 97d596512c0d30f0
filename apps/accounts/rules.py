"""Who may do what, decided from values alone.

1. A role belongs to one tenant; operator belongs to the store.
2. A right that no role grants is refused.
3. A private fact is readable by its owner; one without an owner by the tenant's compliance officers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from cruxstore.errors import NotPermittedError


class Role(StrEnum):
    """What a person may be in a tenant; operator is for the whole store."""

    VIEWER = "viewer"
    CURATOR = "curator"
    OFFICER = "officer"
    ADMIN = "admin"
    OPERATOR = "operator"


ROLE_WORDS = {
    Role.VIEWER: "Viewer",
    Role.CURATOR: "Curator",
    Role.OFFICER: "Compliance officer",
    Role.ADMIN: "Admin",
    Role.OPERATOR: "Operator",
}

STORE = ""
"""The place of rights that concern the whole store instead of one tenant."""


class Right(StrEnum):
    """What can be asked for; the console shows nothing that the person's roles never have."""

    READ = "facts.read"
    EXPORT = "facts.export"
    IMPORT = "facts.import"
    TAKE_BACK = "facts.take_back_import"
    STATE = "facts.state"
    CHANGE = "facts.change"
    CONSOLIDATE = "facts.consolidate"
    DELETE = "facts.delete"
    SHARE_VIEW = "views.share"
    SEE_COUNTS = "store.see_counts"
    OPERATE = "store.operate"
    SEE_PEOPLE = "people.see"


_LOOKS_AFTER_FACTS = frozenset(
    {Right.IMPORT, Right.TAKE_BACK, Right.STATE, Right.CHANGE, Right.CONSOLIDATE, Right.DELETE}
)

GRANTS: Mapping[Role, frozenset[Right]] = {
    Role.VIEWER: frozenset({Right.READ, Right.SEE_COUNTS}),
    Role.CURATOR: frozenset({Right.READ, Right.SEE_COUNTS, Right.EXPORT, Right.SHARE_VIEW}) | _LOOKS_AFTER_FACTS,
    Role.OFFICER: frozenset({Right.READ, Right.SEE_COUNTS, Right.EXPORT, Right.SHARE_VIEW}),
    Role.ADMIN: frozenset({Right.READ, Right.SEE_COUNTS, Right.EXPORT, Right.SHARE_VIEW, Right.SEE_PEOPLE})
    | _LOOKS_AFTER_FACTS,
    Role.OPERATOR: frozenset({Right.OPERATE}),
}


@dataclass(frozen=True)
class Principal:
    """Someone who acts: a person, an agent or the system, with their roles per tenant."""

    kind: str
    principal_id: str
    name: str
    roles: Mapping[str, frozenset[Role]] = field(default_factory=dict)
    owner_names: frozenset[str] = frozenset()

    @property
    def is_operator(self) -> bool:
        """Whether the store itself is in their care."""
        return Role.OPERATOR in self.roles.get(STORE, frozenset())


@dataclass(frozen=True)
class Scope:
    """What one principal may see of one tenant; every query takes one."""

    tenant: str
    principal_id: str
    owner_names: frozenset[str] = frozenset()
    sees_ownerless_private: bool = False

    def may_read(self, *, private: bool, owner: str) -> bool:
        """Whether the text of a fact may be shown; `owner` is empty where nobody owns it."""
        if not private:
            return True
        if owner:
            return owner in self.owner_names
        return self.sees_ownerless_private


def can(principal: Principal, right: Right, tenant: str = STORE) -> bool:
    """Whether this principal has this right in this tenant (or, for STORE, over the store)."""
    return any(right in GRANTS[role] for role in principal.roles.get(tenant, frozenset()))


def require(principal: Principal, right: Right, tenant: str = STORE) -> None:
    """Raises NotPermittedError, naming who can, where the right is missing."""
    if not can(principal, right, tenant):
        who = " or ".join(ROLE_WORDS[role].lower() for role in Role if right in GRANTS[role])
        raise NotPermittedError(f"This needs the role {who}. An admin can give it to you.")


def scope_of(principal: Principal, tenant: str) -> Scope:
    """What this principal may see of this tenant; the caller has checked Right.READ."""
    return Scope(
        tenant=tenant,
        principal_id=principal.principal_id,
        owner_names=principal.owner_names,
        sees_ownerless_private=Role.OFFICER in principal.roles.get(tenant, frozenset()),
    )
