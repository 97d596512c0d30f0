"""The store's tenants, and what the journal holds of tenants that nobody looks after."""

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.models import Person, RoleGrant, Tenant, Token
from apps.accounts.queries import holders_of
from apps.accounts.rules import ROLE_WORDS, STORE, Role, is_name
from apps.facts.projector.builds import current_build
from apps.facts.queries.status import count_everything
from cruxstore.errors import NotFoundError

MOST_NAME = 400


@dataclass(frozen=True)
class Holder:
    """Somebody with roles in a tenant."""

    name: str
    roles: str


@dataclass(frozen=True)
class TenantRow:
    """A tenant, how many facts it holds that are not deleted, and who may do what there."""

    number: int
    name: str
    title: str
    slug: str
    retired_at: datetime | None
    facts: int
    people: tuple[Holder, ...]
    tokens: int

    @property
    def is_renamed(self) -> bool:
        """Whether people call it something else than its facts do."""
        return self.title != self.name


@dataclass(frozen=True)
class FoundTenant:
    """A tenant without people: made and never given any, or only named by facts.

    `mark` stands for its name in forms.
    """

    mark: str
    name: str
    facts: int
    is_made: bool

    @property
    def can_be_adopted(self) -> bool:
        """Whether people could be shown its name."""
        return is_name(self.name, MOST_NAME)


@dataclass(frozen=True)
class Tenants:
    """Every tenant with people, by what it is called, and those found without."""

    rows: tuple[TenantRow, ...]
    found: tuple[FoundTenant, ...]


def find_tenants(*, now: datetime) -> Tenants:
    """All of them; the caller has checked that an operator asks."""
    build = current_build()
    facts = {} if build is None else count_everything(build.number)[1]
    people, tokens = _people(), _tokens(now)
    made = {tenant.name: tenant for tenant in Tenant.objects.all()}
    rows = [
        TenantRow(
            number=tenant.number,
            name=tenant.name,
            title=tenant.title,
            slug=tenant.slug,
            retired_at=tenant.retired_at,
            facts=facts.get(tenant.name, 0),
            people=tuple(people[tenant.name]),
            tokens=tokens[tenant.name],
        )
        for tenant in made.values()
        if people[tenant.name] or tenant.retired_at is not None
    ]
    shown = {row.name for row in rows}
    found = [
        FoundTenant(mark_of(name), name, facts.get(name, 0), name in made)
        for name in sorted({*facts, *made} - shown)
        if facts.get(name, 0) or name in made
    ]
    return Tenants(tuple(sorted(rows, key=lambda row: row.title.casefold())), tuple(found))


def get_tenant_row(number: int, *, now: datetime) -> TenantRow:
    """One tenant with people, or retired; NotFoundError otherwise."""
    for row in find_tenants(now=now).rows:
        if row.number == number:
            return row
    raise NotFoundError("There is no such tenant.")


def get_found(mark: str, *, now: datetime) -> FoundTenant:
    """One tenant without people; NotFoundError where it has some by now, or is gone."""
    for found in find_tenants(now=now).found:
        if found.mark == mark:
            return found
    raise NotFoundError("There is no such tenant without people.")


def operators() -> list[tuple[str, str]]:
    """Who may become a tenant's first admin: the operators who can sign in, by name."""
    return list(
        Person.objects.filter(person_id__in=holders_of(Role.OPERATOR, STORE))
        .order_by("name")
        .values_list("person_id", "name")
    )


def mark_of(name: str) -> str:
    """What stands for a name that a form may not carry as it is."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _people() -> defaultdict[str, list[Holder]]:
    roles: defaultdict[tuple[str, str], list[Role]] = defaultdict(list)
    for tenant, person_id, role in RoleGrant.objects.exclude(tenant=STORE).values_list("tenant", "person_id", "role"):
        roles[tenant, person_id].append(Role(role))
    names = dict(Person.objects.values_list("person_id", "name"))
    people: defaultdict[str, list[Holder]] = defaultdict(list)
    for (tenant, person_id), held in roles.items():
        words = ", ".join(ROLE_WORDS[role] for role in sorted(held, key=list(Role).index))
        people[tenant].append(Holder(names.get(person_id, person_id), words))
    for holders in people.values():
        holders.sort(key=lambda holder: holder.name.casefold())
    return people


def _tokens(now: datetime) -> defaultdict[str, int]:
    working: defaultdict[str, int] = defaultdict(int)
    found = Token.objects.filter(kind=Token.AGENT, revoked_at=None, expires_at__gt=now)
    for tenant in found.values_list("tenant", flat=True):
        working[tenant] += 1
    return working
