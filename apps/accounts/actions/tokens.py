"""Tokens for programs: a person's own, with their roles, and agents', with what an admin gives them.

1. A token is shown once; only a digest of its secret is kept, outside the ledger.
2. What it may do, until when, and that it was revoked are events: an older database revives none.
3. A personal token never has more than its person has at that moment.
"""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from blake3 import blake3
from django.db.models import F

from apps.accounts.actions.people import actor_of
from apps.accounts.models import OneTimeCode, Tenant, Token, TokenReads, TokenSecret, User
from apps.accounts.projector import catch_up
from apps.accounts.queries import principal_of_person, resolved
from apps.accounts.rules import STORE, Principal, Right, can
from apps.accounts.token_rules import SpelledToken, TokenGrant
from cruxstore.door import Store
from cruxstore.errors import CruxError, NotFoundError, NotPermittedError
from cruxstore.ledger.events import Action, Actor

LONGEST = timedelta(days=366)
CODE_GOOD_FOR = timedelta(minutes=10)
MOST_BOUND = 180
"""So short that index texts hold the whole beginning of an entity, also of an agent's own private one."""

_SEEN_EVERY = timedelta(minutes=1)


class TokenAskedError(CruxError):
    """A token is asked for with a name, a right or an end that it cannot have."""

    code = "token_refused"


class TokenUnknownError(NotPermittedError):
    """A token is unknown, revoked or at its end; which of these is not told."""

    code = "token_unknown"


class CodeNeededError(NotPermittedError):
    """An act that needs a recent sign-in was asked for without a one-time code that works."""

    code = "code_needed"


@dataclass(frozen=True)
class MadeToken:
    """A token while it can still be shown."""

    text: str
    token_id: str
    name: str
    expires_at: datetime


def make_personal_token(store: Store, *, principal: Principal, name: str, days: int, now: datetime) -> MadeToken:
    """A token with which a program acts as this person, with the roles they have at that moment."""
    if principal.kind != "person":
        raise NotPermittedError("Only a person has personal tokens.")
    grant = TokenGrant(_end(now, days))
    subjects = (principal.principal_id,)
    return _make(store, actor_of(principal), STORE, subjects, name=name, prefix="", grant=grant)


def make_agent_token(
    store: Store,
    *,
    actor: Actor,
    tenant: str,
    agent: str,
    may_read: bool,
    may_propose: bool,
    days: int,
    now: datetime,
    is_tool: bool = False,
    entity_prefix: str = "",
) -> MadeToken:
    """A token with which an agent reads, proposes or both in one tenant; the caller has checked who asks."""
    if not (may_read or may_propose):
        raise TokenAskedError("A token reads, proposes, or both; this one would do nothing.")
    if is_tool and not may_propose:
        raise TokenAskedError("A tool reports what it observes; that takes a token that may propose.")
    if not Tenant.objects.filter(name=tenant, retired_at=None).exists():
        raise NotFoundError("There is no such tenant.")
    if any(agent.casefold() == name.casefold() for name in User.objects.values_list("username", flat=True)):
        # private facts are their owner's by name
        raise TokenAskedError(f"{agent} is a person's user name; give the agent another one.")
    grant = TokenGrant(_end(now, days), may_read, may_propose, is_tool)
    return _make(store, actor, tenant, (), name=agent, prefix=entity_prefix, grant=grant)


def revoke_token(store: Store, *, principal: Principal, token_id: str) -> None:
    """Ends a token at once: one's own, or an agent's of a tenant whose tokens one manages."""
    token = Token.objects.filter(token_id=token_id).first()
    if token is None or not _may_revoke(principal, token):
        raise NotFoundError("There is no such token here.")
    with store.writing() as door:
        door.record(actor_of(principal), token.tenant, Action.TOKEN_REVOKED, subjects=(token_id,))
    catch_up(store)


def authenticate(text: str, *, now: datetime) -> Principal:
    """Who sends this token, with what they may do now; TokenUnknownError alike for whatever is wrong with it."""
    spelled = SpelledToken.read(text)
    secret = TokenSecret.objects.filter(token_id=spelled.token_id).first() if spelled is not None else None
    token = Token.objects.filter(token_id=spelled.token_id).first() if spelled is not None else None
    is_proved = spelled is not None and secret is not None and spelled.is_proved_by(secret.digest)
    if not is_proved or secret is None or token is None or token.revoked_at is not None or token.expires_at <= now:
        raise TokenUnknownError("This token is unknown, revoked or has ended.")
    if secret.last_used_at is None or now - secret.last_used_at >= _SEEN_EVERY:
        TokenSecret.objects.filter(token_id=token.token_id).update(last_used_at=now)
    if token.kind == Token.PERSONAL:
        return _person_of(token)
    if Tenant.objects.filter(name=token.tenant, retired_at__isnull=False).exists():
        raise TokenUnknownError("This token is unknown, revoked or has ended.")
    given = {Right.READ: token.may_read, Right.PROPOSE: token.may_propose}
    return Principal(
        kind="agent",
        principal_id=token.token_id,
        name=token.name,
        granted={token.tenant: frozenset(right for right, is_given in given.items() if is_given)},
        owner_names=frozenset({token.name}),
        entity_prefix=token.entity_prefix,
        is_tool=token.is_tool,
    )


def count_reads(token_id: str, *, now: datetime, reads: int = 1) -> None:
    """Counts reads of a token on this day (UTC); what was read is kept nowhere."""
    day, _ = TokenReads.objects.get_or_create(token_id=token_id, day=now.date())
    TokenReads.objects.filter(pk=day.pk).update(reads=F("reads") + reads)


def make_code(principal: Principal, *, now: datetime) -> str:
    """A code that stands once, for ten minutes, for this person's recent sign-in; the caller has seen that one."""
    code = f"{secrets.randbelow(10**10):010d}"
    OneTimeCode.objects.filter(person_id=principal.principal_id).delete()
    OneTimeCode.objects.create(
        digest=_digest_of_code(principal.principal_id, code),
        person_id=principal.principal_id,
        expires_at=now + CODE_GOOD_FOR,
    )
    return f"{code[:5]}-{code[5:]}"


def use_code(principal: Principal, code: str, *, now: datetime) -> None:
    """Raises CodeNeededError unless this is the person's newest code; right or wrong, it is used up."""
    codes = OneTimeCode.objects.filter(person_id=principal.principal_id)
    digest = _digest_of_code(principal.principal_id, re.sub(r"\D", "", code))
    is_right = codes.filter(digest=digest, expires_at__gt=now).exists()
    # a wrong guess costs the code, so that there is no second one; of two at once only one deletes it
    if not codes.delete()[0] or not is_right:
        raise CodeNeededError("This needs a one-time code from the page of your tokens, which works once.")


def _make(
    store: Store, actor: Actor, tenant: str, subjects: tuple[str, ...], *, name: str, prefix: str, grant: TokenGrant
) -> MadeToken:
    if prefix and (len(name) + len(prefix) > MOST_BOUND or re.search("[\x1f\u2400]", prefix)):
        raise TokenAskedError(
            f"The agent and what its entities begin with have at most {MOST_BOUND} characters, no U+001F and no U+2400."
        )
    if not name.strip() or len(name) > 200 or len(prefix) > 400 or re.search("[\n\x00\ud800-\udfff]", name + prefix):
        raise TokenAskedError("A token needs a name of 1 to 200 characters on one line.")
    spelled = SpelledToken.new()
    # first what proves it, which alone opens nothing; the event makes it a token
    TokenSecret.objects.create(token_id=spelled.token_id, digest=spelled.digest)
    with store.writing() as door:
        door.record(
            actor,
            tenant,
            Action.TOKEN_MADE,
            subjects=(spelled.token_id, *subjects),
            code=grant.encode(),
            text=f"{name}\n{prefix}",
        )
    catch_up(store)
    return MadeToken(str(spelled), spelled.token_id, name, grant.expires_at)


def _person_of(token: Token) -> Principal:
    principal = principal_of_person(token.person_id)
    if not principal.principal_id:
        raise TokenUnknownError("This token is unknown, revoked or has ended.")
    return principal


def _may_revoke(principal: Principal, token: Token) -> bool:
    if token.kind == Token.PERSONAL:
        return principal.kind == "person" and resolved(token.person_id) == principal.principal_id
    return can(principal, Right.MANAGE_TOKENS, token.tenant)


def _end(now: datetime, days: int) -> datetime:
    if not 1 <= days <= LONGEST.days:
        raise TokenAskedError(f"A token is good for 1 to {LONGEST.days} days.")
    return (now + timedelta(days=days)).replace(microsecond=0)


def _digest_of_code(person_id: str, code: str) -> str:
    return blake3(f"{person_id} {code}".encode("utf-8", "surrogatepass")).hexdigest()
