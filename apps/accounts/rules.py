"""Who may do what, decided from values alone.

1. A role belongs to one tenant; operator belongs to the store.
2. A right that no role grants is refused.
3. A private fact is readable by its owner; one without an owner by the tenant's compliance officers. Who is bound to an
   entity prefix reads and writes nothing of other entities.
4. Admin and operator are given by two people: one proposes, another approves, and neither is who receives it.
5. Roles in a retired tenant give nothing; they still count for whose care a person is in.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from cruxstore.errors import NotPermittedError
from cruxstore.facts.privacy import private_entity


class EntityOutsideError(NotPermittedError):
    """Who is bound to an entity prefix writes about another entity."""

    code = "entity_outside_prefix"


class SecondPersonError(NotPermittedError):
    """An act of two people lacks the other one."""

    code = "second_person_needed"


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


class MailWhen(StrEnum):
    """When a person is mailed what waits for them."""

    NEVER = "never"
    AT_ONCE = "at_once"
    DAILY = "daily"


MAIL_WORDS = {MailWhen.NEVER: "Never", MailWhen.AT_ONCE: "At once", MailWhen.DAILY: "Once a day, at 08:00"}

STORE = ""
"""The place of rights that concern the whole store instead of one tenant."""


COMMAND_LINE = "cli"
"""Who acts where a command sets the site up: nobody in particular."""


class Right(StrEnum):
    """What can be asked for; the console shows nothing that the person's roles never have."""

    READ = "facts.read"
    EXPORT = "facts.export"
    IMPORT = "facts.import"
    RUN_JOBS = "jobs.run"
    TAKE_BACK = "facts.take_back_import"
    STATE = "facts.state"
    CHANGE = "facts.change"
    CONSOLIDATE = "facts.consolidate"
    DELETE = "facts.delete"
    PROPOSE = "facts.propose"
    SHARE_VIEW = "views.share"
    SEE_COUNTS = "store.see_counts"
    OPERATE = "store.operate"
    SEE_OWNERLESS = "facts.see_ownerless_private"
    SEE_LEDGER = "ledger.see"
    SEE_PEOPLE = "people.see"
    MANAGE_PEOPLE = "people.manage"
    APPROVE_ROLE = "people.approve_role"
    MANAGE_TOKENS = "tokens.manage"
    MANAGE_TENANTS = "tenants.manage"


RIGHT_WORDS: Mapping[Right, str] = {
    Right.READ: "read facts, entities and their history",
    Right.SEE_COUNTS: "see the tenant's counts",
    Right.EXPORT: "export what a filter shows",
    Right.SHARE_VIEW: "share a saved view",
    Right.IMPORT: "import a file",
    Right.RUN_JOBS: "start a scan, steer the tenant's jobs",
    Right.TAKE_BACK: "take an import back",
    Right.STATE: "state and correct a fact",
    Right.CHANGE: "set validity and horizon, verify again",
    Right.CONSOLIDATE: "consolidate facts, undo a consolidation",
    Right.DELETE: "delete a fact that no hold covers",
    Right.PROPOSE: "propose a fact, which waits until somebody has looked at it",
    Right.SEE_OWNERLESS: "read private facts that have no owner",
    Right.SEE_LEDGER: "see the tenant's ledger: who decided what, and when",
    Right.SEE_PEOPLE: "see the tenant's people and roles",
    Right.MANAGE_PEOPLE: "invite people, grant and revoke roles, propose an admin",
    Right.APPROVE_ROLE: "approve an admin whom somebody else proposed",
    Right.MANAGE_TOKENS: "make and revoke agents' tokens",
    Right.MANAGE_TENANTS: "make, rename, retire and adopt tenants, naming an operator their first admin",
    Right.OPERATE: "see the whole store: size, damaged lines, settings, and the proof of its ledger",
}
"""Each right as the manual calls it, in the order of its table."""

_LOOKS_AT_FACTS = frozenset({Right.READ, Right.SEE_COUNTS, Right.EXPORT, Right.SHARE_VIEW})
_LOOKS_AFTER_FACTS = frozenset(
    {Right.IMPORT, Right.RUN_JOBS, Right.TAKE_BACK, Right.STATE, Right.CHANGE, Right.CONSOLIDATE, Right.DELETE}
)
_LOOKS_AT_PEOPLE = frozenset({Right.SEE_LEDGER, Right.SEE_PEOPLE, Right.APPROVE_ROLE})
_LOOKS_AFTER_PEOPLE = _LOOKS_AT_PEOPLE | {Right.MANAGE_PEOPLE, Right.MANAGE_TOKENS}

GRANTS: Mapping[Role, frozenset[Right]] = {
    Role.VIEWER: frozenset({Right.READ, Right.SEE_COUNTS}),
    Role.CURATOR: _LOOKS_AT_FACTS | _LOOKS_AFTER_FACTS,
    Role.OFFICER: _LOOKS_AT_FACTS | _LOOKS_AT_PEOPLE | {Right.SEE_OWNERLESS},
    Role.ADMIN: _LOOKS_AT_FACTS | _LOOKS_AFTER_FACTS | _LOOKS_AFTER_PEOPLE,
    Role.OPERATOR: frozenset({Right.OPERATE, Right.MANAGE_TENANTS}),
}

AGENT_RIGHTS = frozenset({Right.READ, Right.PROPOSE})
"""What an agent's token may be given, each by itself."""

PROPOSED_ROLES = frozenset({Role.ADMIN, Role.OPERATOR})
"""The roles that one person alone cannot give."""


@dataclass(frozen=True)
class Principal:
    """Someone who acts: a person, an agent or the system, with their roles per tenant.

    `asleep` are their roles in retired tenants. `opened_by` are the people who have had a link to one of this person's
    sign-ins in their hands. `granted` is what an agent's token gives it, under `entity_prefix` only where that is not
    empty; `is_tool` says that it reports what it has observed instead of what it thinks.
    """

    kind: str
    principal_id: str
    name: str
    roles: Mapping[str, frozenset[Role]] = field(default_factory=dict)
    owner_names: frozenset[str] = frozenset()
    asleep: Mapping[str, frozenset[Role]] = field(default_factory=dict)
    opened_by: frozenset[str] = frozenset()
    granted: Mapping[str, frozenset[Right]] = field(default_factory=dict)
    entity_prefix: str = ""
    is_tool: bool = False

    @property
    def is_operator(self) -> bool:
        """Whether the store itself is in their care."""
        return Role.OPERATOR in self.roles.get(STORE, frozenset())


@dataclass(frozen=True)
class Scope:
    """What one principal may see of one tenant; every query takes one.

    With an `entity_prefix` it is bound: facts of entities that do not begin with it are as absent as missing ones. The
    prefix is compared letter by letter, so that `customer::4` begins `customer::42` too.
    """

    tenant: str
    principal_id: str
    owner_names: frozenset[str] = frozenset()
    sees_ownerless_private: bool = False
    entity_prefix: str = ""

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What an entity begins with that is not absent, the owners' own private ones included; none for all."""
        if not self.entity_prefix:
            return ()
        own = (private_entity(owner, self.entity_prefix) for owner in sorted(self.owner_names))
        return (self.entity_prefix, *own)

    @property
    def is_bound(self) -> bool:
        """Whether some entities of the tenant are absent."""
        return bool(self.entity_prefix)

    def is_within(self, entity: str) -> bool:
        """Whether an entity is not absent."""
        return not self.is_bound or entity.startswith(self.prefixes)

    def may_read(self, *, private: bool, owner: str) -> bool:
        """Whether the text of a fact may be shown; `owner` is empty where nobody owns it."""
        if not private:
            return True
        if owner:
            return owner in self.owner_names
        return self.sees_ownerless_private


def can(principal: Principal, right: Right, tenant: str = STORE) -> bool:
    """Whether this principal has this right in this tenant (or, for STORE, over the store)."""
    if right in principal.granted.get(tenant, frozenset()):
        return True
    return any(right in GRANTS[role] for role in principal.roles.get(tenant, frozenset()))


def require(principal: Principal, right: Right, tenant: str = STORE) -> None:
    """Raises NotPermittedError, naming who can, where the right is missing."""
    if not can(principal, right, tenant):
        who = " or ".join(ROLE_WORDS[role].lower() for role in Role if right in GRANTS[role])
        if not who or principal.kind == "agent":
            raise NotPermittedError("The token has not been given this. An admin can make one that has.")
        raise NotPermittedError(f"This needs the role {who}. An admin can give it to you.")


def require_within(scope: Scope, entity: str) -> None:
    """Raises EntityOutsideError where a bound scope does not reach an entity that is to be written about."""
    if not scope.is_within(entity):
        raise EntityOutsideError("The token is for entities that begin otherwise. An admin can make one for this.")


def can_manage(principal: Principal, roles: Mapping[str, frozenset[Role]]) -> bool:
    """Whether somebody with these roles is wholly in this principal's care.

    Who opens a sign-in can act as the person behind it, so that care for one of several tenants is not enough.
    """

    def is_in_care(tenant: str) -> bool:
        if tenant == STORE:
            return principal.is_operator
        asleep = principal.asleep.get(tenant, frozenset())
        return can(principal, Right.MANAGE_PEOPLE, tenant) or any(
            Right.MANAGE_PEOPLE in GRANTS[role] for role in asleep
        )

    return all(is_in_care(tenant) for tenant, held in roles.items() if held)


def second_person_refusal(principal: Principal, *, first: str, receiver: str = "") -> str:
    """Why this principal cannot be the second person to an act; empty where they can. Admins are no exception."""
    if principal.kind != "person" or not principal.principal_id:
        return "The second of two people is a person."
    if principal.principal_id == first:
        return "You proposed it; another person decides."
    if principal.principal_id == receiver:
        return "It is about you; another person decides."
    if COMMAND_LINE in principal.opened_by:
        return "Your sign-in was opened from the command line, where nobody tells who it was; another person decides."
    if first in principal.opened_by:
        return "Who proposed it has had a link to your sign-in; you count when somebody else has confirmed you."
    return ""


def scope_of(principal: Principal, tenant: str) -> Scope:
    """What this principal may see of this tenant; the caller has checked Right.READ."""
    return Scope(
        tenant=tenant,
        principal_id=principal.principal_id,
        owner_names=principal.owner_names,
        sees_ownerless_private=can(principal, Right.SEE_OWNERLESS, tenant),
        entity_prefix=principal.entity_prefix,
    )


def is_name(text: str, most: int) -> bool:
    """Whether a text is one that people can be shown; a command's argument may be bytes that are none."""
    return bool(text.strip()) and len(text) <= most and not re.search("[\ud800-\udfff]", text)


def rights_table() -> str:
    """The roles and their rights as a Markdown table; the manual holds exactly this."""
    columns = ["", *(ROLE_WORDS[role].lower() for role in Role), "agent's token"]
    rows = [f"| {' | '.join(columns)} |".replace("|  |", "| |"), "| --- " * len(columns) + "|"]
    for right, words in RIGHT_WORDS.items():
        held = ["yes" if right in GRANTS[role] else "no" for role in Role]
        rows.append(f"| {' | '.join([words, *held, 'if given' if right in AGENT_RIGHTS else 'no'])} |")
    return "\n".join(rows)
