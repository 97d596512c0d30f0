"""Who somebody is, and which tenants and people there are."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.accounts.models import (
    Confirmation,
    Person,
    RoleGrant,
    RoleProposal,
    Tenant,
    Token,
    TokenReads,
    TokenSecret,
    User,
)
from apps.accounts.rules import (
    COMMAND_LINE,
    GRANTS,
    ROLE_WORDS,
    STORE,
    MailWhen,
    Principal,
    Right,
    Role,
    can,
    second_person_refusal,
)
from cruxstore.errors import NotFoundError

ANONYMOUS = Principal(kind="anonymous", principal_id="", name="")


@dataclass(frozen=True)
class SignIn:
    """One way in of a person."""

    username: str
    is_open: bool
    last_at: datetime | None


@dataclass(frozen=True)
class PersonRow:
    """One person of a tenant: their sign-ins and their roles there, those of the store included."""

    person_id: str
    name: str
    sign_ins: tuple[SignIn, ...]
    roles: tuple[Role, ...]

    @property
    def role_words(self) -> str:
        """The roles in words."""
        return ", ".join(ROLE_WORDS[role] for role in self.roles)

    @property
    def can_sign_in(self) -> bool:
        """Whether there is an open way in."""
        return any(sign_in.is_open for sign_in in self.sign_ins)


@dataclass(frozen=True)
class ProposalRow:
    """A role that somebody proposed for somebody, and what became of it."""

    proposal_id: str
    number: int
    tenant: str
    person_id: str
    person_name: str
    role: Role
    proposer_id: str
    proposer_name: str
    proposed_at: datetime
    state: str
    decider_name: str
    decided_at: datetime | None

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has decided on it."""
        return self.state == RoleProposal.WAITING

    @property
    def role_word(self) -> str:
        """The role in a sentence."""
        return ROLE_WORDS[self.role].lower()


@dataclass(frozen=True)
class TokenRow:
    """A token as its page shows it, without anything that opens a door."""

    token_id: str
    name: str
    entity_prefix: str
    may_read: bool
    may_propose: bool
    is_tool: bool
    maker: str
    made_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None
    reads_today: int
    reads_in_30_days: int
    works: bool


@dataclass(frozen=True)
class MailReceiver:
    """Who wants to be mailed what waits for them: where, when, and by which clock."""

    person_id: str
    email: str
    when: MailWhen
    time_zone: str


def principal_of(user: User) -> Principal:
    """The person behind a sign-in, with today's roles; their user names own private facts."""
    return principal_of_person(user.person_id) if user.is_active else ANONYMOUS


def principal_of_person(person_id: str) -> Principal:
    """A person with today's roles, whichever of their ids is given; ANONYMOUS where there is none."""
    person = Person.objects.filter(person_id=person_id).first()
    if person is not None and person.same_as:
        person = Person.objects.filter(person_id=person.same_as).first()
    if person is None:
        return ANONYMOUS
    sign_ins = list(User.objects.filter(person_id__in=ids_of(person.person_id)))
    roles = roles_of(person.person_id)
    retired = set(Tenant.objects.filter(retired_at__isnull=False).values_list("name", flat=True))
    return Principal(
        kind="person",
        principal_id=person.person_id,
        name=person.name,
        roles={tenant: held for tenant, held in roles.items() if tenant not in retired},
        asleep={tenant: held for tenant, held in roles.items() if tenant in retired},
        owner_names=frozenset(user.username for user in sign_ins),
        opened_by=_opened_by(person.person_id, sign_ins),
    )


def openers_of(person_id: str) -> dict[str, str]:
    """Who let this person in and may be behind their sign-ins, until somebody else confirms them: names by id."""
    openers = principal_of_person(person_id).opened_by - {COMMAND_LINE}
    return dict(sorted(names_of(set(openers)).items(), key=lambda opener: opener[1].casefold()))


def _opened_by(person_id: str, sign_ins: list[User]) -> frozenset[str]:
    """Who has had a link to one of the sign-ins, but for those whom a confirmation since then makes up for."""
    if not any(user.opened_by for user in sign_ins):
        return frozenset()
    confirmed: dict[str, datetime] = {}
    for opener, at in Confirmation.objects.filter(person_id__in=ids_of(person_id)).values_list(
        "opener", "confirmed_at"
    ):
        known = resolved(opener)
        confirmed[known] = max(at, confirmed.get(known, at))
    openers = set()
    for user in sign_ins:
        opener = resolved(user.opened_by)
        since = confirmed.get(opener)
        if user.opened_by and (since is None or (user.opened_at is not None and user.opened_at >= since)):
            openers.add(opener)
    return frozenset(openers)


def resolved(person_id: str) -> str:
    """The one id of a person who was known by several."""
    linked = Person.objects.filter(person_id=person_id).exclude(same_as="").values_list("same_as", flat=True).first()
    return linked or person_id


def ids_of(person_id: str) -> list[str]:
    """Every id that a person was known by."""
    return [person_id, *Person.objects.filter(same_as=person_id).values_list("person_id", flat=True)]


def ids_of_name(name: str) -> list[str]:
    """The ids of everyone who is called or signs in like this."""
    signed = User.objects.filter(username=name).values_list("person_id", flat=True)
    people = Person.objects.filter(name=name).values_list("person_id", flat=True)
    return [one for found in {*map(resolved, [*signed, *people])} for one in ids_of(found)]


def roles_of(person_id: str) -> dict[str, frozenset[Role]]:
    """A person's roles by tenant, retired ones too; those of the store under STORE."""
    roles: defaultdict[str, set[Role]] = defaultdict(set)
    for tenant, role in RoleGrant.objects.filter(person_id=person_id).values_list("tenant", "role"):
        roles[tenant].add(Role(role))
    return {tenant: frozenset(held) for tenant, held in roles.items()}


def tenants_of(principal: Principal) -> list[Tenant]:
    """The tenants that this principal may read, by name."""
    names = [name for name in principal.roles if can(principal, Right.READ, name)]
    return list(Tenant.objects.filter(name__in=names).order_by("name"))


def tenant_names() -> list[str]:
    """Every tenant that is not retired, for work that goes through them all."""
    return list(Tenant.objects.filter(retired_at__isnull=True).order_by("name").values_list("name", flat=True))


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
    for grant in RoleGrant.objects.filter(tenant__in=[tenant, STORE]):
        grants[grant.person_id].append(Role(grant.role))
    same = dict(Person.objects.filter(same_as__in=grants).values_list("person_id", "same_as"))
    sign_ins = defaultdict(list)
    for user in User.objects.filter(person_id__in=[*grants, *same]).order_by("username"):
        sign_in = SignIn(user.username, user.is_active, user.last_login)
        sign_ins[same.get(user.person_id, user.person_id)].append(sign_in)
    return [
        PersonRow(
            person_id=person.person_id,
            name=person.name,
            sign_ins=tuple(sign_ins[person.person_id]),
            roles=tuple(sorted(grants[person.person_id], key=list(Role).index)),
        )
        for person in Person.objects.filter(person_id__in=grants).order_by("name")
    ]


def get_person(tenant: str, person_id: str) -> PersonRow:
    """One of the tenant's people; NotFoundError where they have no role there."""
    for person in people_of(tenant):
        if person.person_id == person_id:
            return person
    raise NotFoundError("There is no such person here.")


def holders_of(role: Role, tenant: str) -> set[str]:
    """Who has this role in this tenant (operator: of the store) and an open sign-in to use it."""
    place = STORE if role is Role.OPERATOR else tenant
    held = set(RoleGrant.objects.filter(tenant=place, role=role.value).values_list("person_id", flat=True))
    return {person_id for person_id in held if _can_sign_in(person_id)}


def second_people(tenant: str, *, first: str, receiver: str = "") -> list[PersonRow]:
    """Who could decide on what this person proposes there."""
    return [
        row
        for row in people_of(tenant)
        if row.can_sign_in
        and any(Right.APPROVE_ROLE in GRANTS[role] for role in row.roles)
        and can(person := principal_of_person(row.person_id), Right.APPROVE_ROLE, tenant)
        and not second_person_refusal(person, first=first, receiver=receiver)
    ]


def unconfirmed_people(tenant: str, *, first: str) -> list[PersonRow]:
    """Who could decide on what this person proposes there, had not that person let them in."""
    return [
        row
        for row in people_of(tenant)
        if row.can_sign_in
        and row.person_id != first
        and can(person := principal_of_person(row.person_id), Right.APPROVE_ROLE, tenant)
        and first in person.opened_by
    ]


def proposals_of(tenant: str, *, person_id: str = "") -> list[ProposalRow]:
    """The proposals made in a tenant, of one person if asked for, newest first."""
    found = RoleProposal.objects.filter(tenant=tenant).order_by("-number")
    if person_id:
        found = found.filter(person_id=person_id)
    return _proposal_rows(list(found))


def get_proposal(tenant: str, proposal_id: str) -> ProposalRow:
    """One proposal of a tenant; NotFoundError where it is unknown or another tenant's."""
    found = list(RoleProposal.objects.filter(tenant=tenant, proposal_id=proposal_id))
    if not found:
        raise NotFoundError("There is no such proposal here.")
    return _proposal_rows(found)[0]


def find_proposal(tenant: str, number: int) -> str:
    """The id of a proposal by its number; empty where the tenant has none of that number."""
    found = RoleProposal.objects.filter(tenant=tenant, number=number).values_list("proposal_id", flat=True).first()
    return found or ""


def person_id_of(username: str) -> str:
    """The person who signs in by this name; NotFoundError where nobody does."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise NotFoundError(f"Nobody signs in as {username}.")
    return resolved(user.person_id)


def tokens_of(tenant: str, *, now: datetime) -> list[TokenRow]:
    """The agents' tokens of a tenant, those that work first, then the newest."""
    return _token_rows(list(Token.objects.filter(kind=Token.AGENT, tenant=tenant)), now)


def personal_tokens_of(principal: Principal, *, now: datetime) -> list[TokenRow]:
    """A person's own tokens, those that work first, then the newest."""
    own = ids_of(principal.principal_id)
    return _token_rows(list(Token.objects.filter(kind=Token.PERSONAL, person_id__in=own)), now)


def names_of(person_ids: set[str]) -> dict[str, str]:
    """The names of these people; an id without a person keeps its id."""
    known = dict(Person.objects.filter(person_id__in=person_ids).values_list("person_id", "name"))
    return {person_id: known.get(person_id, person_id) for person_id in person_ids}


def waiting_proposals() -> list[ProposalRow]:
    """The proposals of all tenants that nobody has decided on, the oldest first."""
    return _proposal_rows(list(RoleProposal.objects.filter(state=RoleProposal.WAITING).order_by("number")))


def mail_receivers() -> list[MailReceiver]:
    """Everybody who can sign in and wants mail."""
    wanting = User.objects.filter(is_active=True).exclude(mails=MailWhen.NEVER.value).exclude(email="")
    return [
        MailReceiver(resolved(user.person_id), user.email, MailWhen(user.mails), user.time_zone)
        for user in wanting.order_by("username")
    ]


def _can_sign_in(person_id: str) -> bool:
    return User.objects.filter(person_id__in=ids_of(person_id), is_active=True).exists()


def _token_rows(tokens: list[Token], now: datetime) -> list[TokenRow]:
    ids = [token.token_id for token in tokens]
    used = dict(TokenSecret.objects.filter(token_id__in=ids).values_list("token_id", "last_used_at"))
    reads: defaultdict[str, int] = defaultdict(int)
    today: dict[str, int] = {}
    since = now.date() - timedelta(days=29)
    for token_id, day, count in TokenReads.objects.filter(token_id__in=ids, day__gte=since).values_list(
        "token_id", "day", "reads"
    ):
        reads[token_id] += count
        if day == now.date():
            today[token_id] = count
    names = names_of({token.made_by for token in tokens})
    rows = [
        TokenRow(
            token_id=token.token_id,
            name=token.name,
            entity_prefix=token.entity_prefix,
            may_read=token.may_read,
            may_propose=token.may_propose,
            is_tool=token.is_tool,
            maker="command line" if token.made_by == COMMAND_LINE else names[token.made_by],
            made_at=token.made_at,
            expires_at=token.expires_at,
            revoked_at=token.revoked_at,
            last_used_at=used.get(token.token_id),
            reads_today=today.get(token.token_id, 0),
            reads_in_30_days=reads[token.token_id],
            works=token.revoked_at is None and token.expires_at > now,
        )
        for token in tokens
    ]
    return sorted(rows, key=lambda row: (not row.works, -row.made_at.timestamp()))


def _proposal_rows(found: list[RoleProposal]) -> list[ProposalRow]:
    names = names_of({name for row in found for name in (row.person_id, row.proposed_by, row.decided_by) if name})
    return [
        ProposalRow(
            proposal_id=row.proposal_id,
            number=row.number,
            tenant=row.tenant,
            person_id=resolved(row.person_id),
            person_name=names[row.person_id],
            role=Role(row.role),
            proposer_id=resolved(row.proposed_by),
            proposer_name=names[row.proposed_by],
            proposed_at=row.proposed_at,
            state=row.state,
            decider_name=names.get(row.decided_by, ""),
            decided_at=row.decided_at,
        )
        for row in found
    ]
