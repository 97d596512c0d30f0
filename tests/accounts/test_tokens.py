"""Tokens are shown once, known by a digest, and never have more than they were given."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actions import (
    SYSTEM,
    CodeNeededError,
    MadeToken,
    TokenAskedError,
    TokenUnknownError,
    authenticate,
    count_reads,
    make_agent_token,
    make_code,
    make_personal_token,
    revoke_role,
    revoke_token,
    use_code,
)
from apps.accounts.models import LedgerCursor, OneTimeCode, Token, TokenReads, TokenSecret, User
from apps.accounts.projector import catch_up
from apps.accounts.queries import personal_tokens_of, tokens_of
from apps.accounts.rules import EntityOutsideError, Right, Role, can, require, require_within, scope_of
from cruxstore.door import Store
from cruxstore.errors import NotFoundError, NotPermittedError
from tests.people import principal

NOW = timezone.now()


def agent_token(store: Store, **given: object) -> MadeToken:
    """A token of the agent triage-7 in default that reads, unless told otherwise."""
    asked = {"tenant": "default", "agent": "triage-7", "may_read": True, "may_propose": False, "days": 30, **given}
    return make_agent_token(store, actor=SYSTEM, now=NOW, **asked)  # type: ignore[arg-type] # by name


def test_a_personal_token_acts_with_the_roles_of_the_moment(store: Store, curator: User) -> None:
    made = make_personal_token(store, principal=principal(curator), name="laptop", days=7, now=NOW)

    assert authenticate(made.text, now=NOW) == principal(curator)
    revoke_role(store, actor=SYSTEM, person_id=curator.person_id, tenant="default", role=Role.CURATOR)
    assert not can(authenticate(made.text, now=NOW), Right.READ, "default")


@pytest.mark.parametrize(
    ("given", "rights"),
    [
        ({}, {Right.READ}),
        ({"may_read": False, "may_propose": True}, {Right.PROPOSE}),
        ({"may_propose": True}, {Right.READ, Right.PROPOSE}),
    ],
)
def test_an_agent_may_exactly_what_it_was_given(store: Store, given: dict[str, bool], rights: set[Right]) -> None:
    agent = authenticate(agent_token(store, **given).text, now=NOW)

    assert {right for right in Right if can(agent, right, "default")} == rights
    assert not any(can(agent, right, "acme") or can(agent, right) for right in Right)
    assert (agent.kind, agent.name, agent.is_tool) == ("agent", "triage-7", False)


def test_an_agents_refusal_names_no_role(store: Store) -> None:
    agent = authenticate(agent_token(store).text, now=NOW)

    with pytest.raises(NotPermittedError, match="token has not been given"):
        require(agent, Right.PROPOSE, "default")


def test_a_token_bound_to_a_prefix_reaches_entities_that_begin_so_letter_by_letter(store: Store) -> None:
    agent = authenticate(agent_token(store, entity_prefix="customer::4").text, now=NOW)

    scope = scope_of(agent, "default")

    assert scope.is_within("customer::4")
    assert scope.is_within("customer::42")
    assert scope.is_within(f"__agent::{agent.name}::customer::4")
    for entity in ("Customer::4", "customer::", "order::9", "", "__agent::other::customer::4"):
        assert not scope.is_within(entity)
        with pytest.raises(EntityOutsideError):
            require_within(scope, entity)


@pytest.mark.parametrize("prefix", ["x" * 175, "customer\x1f", "customer\u2400", "customer\n"])
def test_a_beginning_that_the_index_could_not_hold_whole_is_refused(store: Store, prefix: str) -> None:
    with pytest.raises(TokenAskedError):
        agent_token(store, entity_prefix=prefix)


def test_nothing_that_is_kept_holds_a_token(store: Store) -> None:
    made = agent_token(store)
    secret = made.text.split("_", 2)[2]

    kept = store.ledger_path.read_bytes() + store.texts_path.read_bytes()
    rows = [*Token.objects.values(), *TokenSecret.objects.values()]
    assert secret.encode() not in kept
    assert b"triage-7" not in store.ledger_path.read_bytes()
    assert secret not in str(rows)


@pytest.mark.parametrize("change", ["secret", "id", "cut", "empty", "odd"])
def test_a_token_that_is_not_whole_is_unknown(store: Store, change: str) -> None:
    text = agent_token(store).text
    other = agent_token(store, agent="other").text
    wrong = {
        "secret": text[:-1] + ("A" if text[-1] != "A" else "B"),
        "id": other[:38] + text[38:],
        "cut": text[:-1],
        "empty": "",
        "odd": "\udc00",
    }[change]

    with pytest.raises(TokenUnknownError):
        authenticate(wrong, now=NOW)


def test_a_token_ends_by_itself_and_by_revoking(store: Store, admin: User) -> None:
    made, other = agent_token(store, days=1), agent_token(store, agent="other")

    authenticate(made.text, now=made.expires_at - timedelta(seconds=1))
    with pytest.raises(TokenUnknownError):
        authenticate(made.text, now=made.expires_at)
    revoke_token(store, principal=principal(admin), token_id=other.token_id)
    with pytest.raises(TokenUnknownError):
        authenticate(other.text, now=NOW)


def test_a_token_is_revoked_by_who_may(store: Store, admin: User, curator: User, viewer: User, stranger: User) -> None:
    own = make_personal_token(store, principal=principal(curator), name="laptop", days=7, now=NOW)
    agents = agent_token(store)

    for person, token in ((viewer, own), (admin, own), (curator, agents), (stranger, agents)):
        with pytest.raises(NotFoundError):
            revoke_token(store, principal=principal(person), token_id=token.token_id)
    revoke_token(store, principal=principal(curator), token_id=own.token_id)

    with pytest.raises(TokenUnknownError):
        authenticate(own.text, now=NOW)


def test_an_older_database_revives_no_token(store: Store, admin: User) -> None:
    made = agent_token(store)
    offset = LedgerCursor.objects.get().offset
    revoke_token(store, principal=principal(admin), token_id=made.token_id)
    Token.objects.update(revoked_at=None)
    LedgerCursor.objects.update(offset=offset)

    catch_up(store)

    with pytest.raises(TokenUnknownError):
        authenticate(made.text, now=NOW)


def test_without_its_database_a_token_keeps_its_rights_but_opens_nothing(store: Store) -> None:
    made = agent_token(store, may_propose=True, is_tool=True, entity_prefix="customer:")
    before = Token.objects.values().get()
    for model in (Token, TokenSecret, LedgerCursor):
        model.objects.all().delete()

    catch_up(store)

    assert Token.objects.values().get() == before
    with pytest.raises(TokenUnknownError):
        authenticate(made.text, now=NOW)


def test_a_token_whose_words_were_erased_opens_nothing(store: Store) -> None:
    made = agent_token(store, entity_prefix="customer:")
    store.texts_path.write_bytes(b"")
    LedgerCursor.objects.all().delete()

    catch_up(store)

    with pytest.raises(TokenUnknownError):
        authenticate(made.text, now=NOW)


@pytest.mark.parametrize(
    "wrong",
    [
        {"may_read": False},
        {"is_tool": True},
        {"days": 0},
        {"days": 367},
        {"agent": " "},
        {"agent": "a\nb"},
        {"agent": "x" * 201},
        {"agent": "\udc00"},
        {"agent": "CURATOR"},
        {"entity_prefix": "a\nb"},
    ],
)
def test_a_token_that_makes_no_sense_is_not_made(store: Store, curator: User, wrong: dict[str, object]) -> None:
    before = store.ledger_path.read_bytes()

    with pytest.raises(TokenAskedError):
        agent_token(store, **wrong)

    assert store.ledger_path.read_bytes() == before
    assert not TokenSecret.objects.exists()


def test_use_and_reads_are_seen_and_nothing_else(store: Store) -> None:
    made = agent_token(store)
    authenticate(made.text, now=NOW)
    count_reads(made.token_id, now=NOW - timedelta(days=1), reads=5)
    count_reads(made.token_id, now=NOW, reads=2)
    count_reads(made.token_id, now=NOW)

    row = tokens_of("default", now=NOW)[0]
    assert (row.last_used_at, row.reads_today, row.reads_in_30_days) == (NOW, 3, 8)
    assert {field.name for field in TokenReads._meta.fields} == {"id", "token_id", "day", "reads"}


def test_everyone_sees_their_own_tokens_only(store: Store, curator: User, viewer: User) -> None:
    make_personal_token(store, principal=principal(curator), name="laptop", days=7, now=NOW)

    assert [row.name for row in personal_tokens_of(principal(curator), now=NOW)] == ["laptop"]
    assert personal_tokens_of(principal(viewer), now=NOW) == []
    assert tokens_of("default", now=NOW) == []


def test_a_code_works_once_for_its_person(store: Store, curator: User, viewer: User) -> None:
    code = make_code(principal(curator), now=NOW)
    with pytest.raises(CodeNeededError):
        use_code(principal(viewer), code, now=NOW)

    use_code(principal(curator), code, now=NOW)

    with pytest.raises(CodeNeededError):
        use_code(principal(curator), code, now=NOW)
    assert code.replace("-", "") not in str(list(OneTimeCode.objects.values()))


def test_a_wrong_guess_costs_the_code(store: Store, curator: User) -> None:
    code = make_code(principal(curator), now=NOW)
    with pytest.raises(CodeNeededError):
        use_code(principal(curator), "00000-00000", now=NOW)

    with pytest.raises(CodeNeededError):
        use_code(principal(curator), code, now=NOW)


def test_a_code_ends_after_ten_minutes(store: Store, curator: User) -> None:
    code = make_code(principal(curator), now=NOW)

    with pytest.raises(CodeNeededError):
        use_code(principal(curator), code, now=NOW + timedelta(minutes=10))
