"""Facts as somebody states them, and what is refused before a byte is written.

1. At most 1,000 facts an act, each entity and key once.
2. Texts that the journal can hold: no lone surrogate anywhere, no U+0000 in an entity or key (a value may hold it).
3. A finite confidence from 0 to 1; validity that ends after it starts.
4. No entity reserved for the daemon; `__agent::<owner>::…` only for a fact that asks to be private, and nothing else
   may ask.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from cruxstore.changing import check_validity
from cruxstore.errors import (
    ConfidenceError,
    OwnerlessPrivateError,
    RefusedFactError,
    RepeatedKeyError,
    ReservedEntityError,
    TextNotStorableError,
    TooManyFactsError,
)
from cruxstore.facts.decay import default_horizon
from cruxstore.facts.floats import round_to_f32
from cruxstore.facts.privacy import PrivacyPolicy, owner_of
from cruxstore.facts.records import Fact, Horizon, Timestamp, token_count
from cruxstore.facts.state import FactState, StateView, chain_head
from cruxstore.facts.times import timestamp_from_ns

MAX_FACTS = 1000

_VERSION_4 = bytes(byte & 0x0F | 0x40 for byte in range(256))
_VARIANT_1 = bytes(byte & 0x3F | 0x80 for byte in range(256))
_KNOWN_KEYS = frozenset(Fact._fields)


@dataclass(frozen=True, slots=True)
class NewFact:
    """What a fact's author may choose; everything else follows from the store.

    `extra` are members that the daemon does not know and every rewrite keeps.
    """

    entity: str
    key: str
    value: str
    confidence: float = 1.0
    private: bool = False
    horizon_class: Horizon | None = None
    actor: str | None = None
    source_receipt: str | None = None
    valid_from: Timestamp | None = None
    valid_to: Timestamp | None = None
    extra: Mapping[str, object] | None = None


def build_facts(
    new: Sequence[NewFact], *, tenant: str, now_ns: int, view: StateView, privacy: PrivacyPolicy
) -> list[tuple[Fact, FactState | None]]:
    """The facts as they will be written, each with the one it follows in its chain; or the first refusal."""
    if len(new) > MAX_FACTS:
        raise TooManyFactsError(f"One act holds at most {MAX_FACTS:,} facts, not {len(new):,}.")
    if len({(fact.entity, fact.key) for fact in new}) != len(new):
        raise RepeatedKeyError("The same entity and key stand twice in one act.")
    stored_at, ids = timestamp_from_ns(now_ns), _new_fact_ids(len(new))
    entities = {entity: _entity_rule(entity, privacy) for entity in {fact.entity for fact in new}}
    built = []
    for fact, fact_id in zip(new, ids, strict=True):
        rule = entities[fact.entity]
        extra = _checked_extra(fact, rule)
        before = chain_head(view, tenant, fact.entity, fact.key)
        built.append((_fact_of(fact, fact_id, tenant, stored_at, before, rule, extra), before))
    return built


def check_new_fact(fact: NewFact, privacy: PrivacyPolicy) -> None:
    """Raises the named RefusedFactError of a fact that no act could store, whatever else the store holds."""
    _checked_extra(fact, _entity_rule(fact.entity, privacy))


@dataclass(frozen=True, slots=True)
class _EntityRule:
    """What follows for a fact from its entity alone."""

    holds_nul: bool
    is_reserved: bool
    is_born_private: bool
    has_owner: bool
    horizon: Horizon


def _entity_rule(entity: str, privacy: PrivacyPolicy) -> _EntityRule:
    return _EntityRule(
        holds_nul="\0" in entity,
        is_reserved=privacy.is_create_reserved(entity),
        is_born_private=privacy.is_born_private(entity),
        has_owner=owner_of(entity) is not None,
        horizon=default_horizon(entity),
    )


def _checked_extra(fact: NewFact, rule: _EntityRule) -> bytes | None:
    """The fact's extra members as they will be written; or the refusal of the fact."""
    if rule.holds_nul or "\0" in fact.key:
        raise TextNotStorableError("An entity or key holds U+0000.")
    if not 0 <= fact.confidence <= 1:
        raise ConfidenceError("A confidence is a number from 0 to 1.")
    if fact.valid_from is not None:
        check_validity(fact.valid_from, fact.valid_to)
    if fact.private:
        if not rule.has_owner:
            raise OwnerlessPrivateError("A private fact needs an owner: its entity starts with __agent::<owner>::.")
    elif rule.is_reserved:
        raise ReservedEntityError("The entity's prefix is reserved.")
    try:
        # joined, because one question is quicker than five
        texts = "".join((fact.entity, fact.key, fact.value, fact.actor or "", fact.source_receipt or ""))
        if not texts.isascii():
            texts.encode()
        return _extra_members(fact.extra) if fact.extra else None
    except (UnicodeEncodeError, TypeError) as error:
        raise TextNotStorableError("A text of the fact holds a lone surrogate.") from error


def _fact_of(
    fact: NewFact,
    fact_id: str,
    tenant: str,
    stored_at: Timestamp,
    before: FactState | None,
    rule: _EntityRule,
    extra: bytes | None,
) -> Fact:
    # the quickest way to make one: an act has up to a thousand
    return Fact._make(
        (
            fact_id,
            tenant,
            fact.entity,
            fact.key,
            fact.value,
            fact.source_receipt,
            round_to_f32(fact.confidence),
            stored_at,
            token_count(fact.value),
            False,
            1 if before is None else before.version + 1,
            None if before is None else before.fact_id,
            fact.private or rule.is_born_private,
            rule.horizon if fact.horizon_class is None else fact.horizon_class,
            None,
            None,
            fact.actor,
            fact.valid_from,
            fact.valid_to,
            0,
            None,
            extra,
        )
    )


def _extra_members(extra: Mapping[str, object]) -> bytes:
    if not _KNOWN_KEYS.isdisjoint(extra):
        raise RefusedFactError("An extra member of a fact has the name of a known one.")
    return orjson.dumps(extra)[1:-1]


def _new_fact_ids(count: int) -> list[str]:
    made = bytearray(secrets.token_bytes(16 * count))
    # version 4, variant 1: the daemon's ids are UUIDs of that kind
    made[6::16] = made[6::16].translate(_VERSION_4)
    made[8::16] = made[8::16].translate(_VARIANT_1)
    digits = made.hex()
    return ["f_" + digits[start : start + 32] for start in range(0, len(digits), 32)]
