"""Who somebody is, and which tenants and people there are."""

from collections import defaultdict
from dataclasses import dataclass

from apps.accounts.models import Person, RoleGrant, Tenant, User
from apps.accounts.rules import ROLE_WORDS, Principal, Right, Role, can

ANONYMOUS = Principal(kind="anonymous", principal_id="", name="")


@dataclass(frozen=True)
class PersonRow:
    """One person on the People page: their sign-ins and their roles in this tenant."""

    person_id: str
    name: str
    usernames: tuple[str, ...]
    roles: tuple[str, ...]


def principal_of(user: User) -> Principal:
    """The person behind a sign-in, with today's roles; their user names own private facts."""
    person = Person.objects.filter(person_id=user.person_id).first()
    if person is None or not user.is_active:
        return ANONYMOUS
    return Principal(
        kind="person",
        principal_id=person.person_id,
        name=person.name,
        roles=_roles_of(person.person_id),
        owner_names=frozenset(User.objects.filter(person_id=person.person_id).values_list("username", flat=True)),
    )


def tenants_of(principal: Principal) -> list[Tenant]:
    """The tenants that this principal may read, by name."""
    names = [name for name in principal.roles if can(principal, Right.READ, name)]
    return list(Tenant.objects.filter(name__in=names).order_by("name"))


def find_tenant(principal: Principal, slug: str) -> Tenant | None:
    """The tenant with this address word, or None alike where it is missing or not theirs."""
    tenant = Tenant.objects.filter(slug=slug).first()
    return tenant if tenant is not None and can(principal, Right.READ, tenant.name) else None


def role_words(principal: Principal, tenant: str) -> str:
    """The principal's roles in this tenant in words, for the frame."""
    roles = sorted(principal.roles.get(tenant, frozenset()), key=list(Role).index)
    words = [ROLE_WORDS[role] for role in roles]
    if principal.is_operator:
        words.append(ROLE_WORDS[Role.OPERATOR])
    return ", ".join(words)


def people_of(tenant: str) -> list[PersonRow]:
    """Everyone with a role in this tenant, and the operators, by name."""
    grants = defaultdict(list)
    for grant in RoleGrant.objects.filter(tenant__in=[tenant, ""]):
        grants[grant.person_id].append(Role(grant.role))
    usernames = defaultdict(list)
    for user in User.objects.filter(person_id__in=grants).order_by("username"):
        usernames[user.person_id].append(user.username)
    return [
        PersonRow(
            person_id=person.person_id,
            name=person.name,
            usernames=tuple(usernames[person.person_id]),
            roles=tuple(ROLE_WORDS[role] for role in sorted(grants[person.person_id], key=list(Role).index)),
        )
        for person in Person.objects.filter(person_id__in=grants).order_by("name")
    ]


def names_of(person_ids: set[str]) -> dict[str, str]:
    """The names of these people; an id without a person keeps its id."""
    known = dict(Person.objects.filter(person_id__in=person_ids).values_list("person_id", "name"))
    return {person_id: known.get(person_id, person_id) for person_id in person_ids}


def _roles_of(person_id: str) -> dict[str, frozenset[Role]]:
    roles: defaultdict[str, set[Role]] = defaultdict(set)
    for tenant, role in RoleGrant.objects.filter(person_id=person_id).values_list("tenant", "role"):
        roles[tenant].add(Role(role))
    return {tenant: frozenset(held) for tenant, held in roles.items()}
