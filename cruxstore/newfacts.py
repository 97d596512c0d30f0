"""Facts as somebody states them, and what is refused before a byte is written.

1. At most 1,000 facts an act, each entity and key once.
2. Texts that the journal can hold: no lone surrogate anywhere, no U+0000 in an entity or key (a value may hold it).
3. A finite confidence from 0 to 1; validity that ends after it starts.
4. No entity reserved for the daemon; `__agent::<owner>::…` only for a fact that asks to be private, and nothing else
   may ask.
"""

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, filterfalse, repeat
from operator import attrgetter

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
from cruxstore.facts.state import FactState, RevisedView
from cruxstore.facts.times import timestamp_from_ns

MAX_FACTS = 1000

_VERSION_4 = bytes(byte & 0x0F | 0x40 for byte in range(256))
_VARIANT_1 = bytes(byte & 0x3F | 0x80 for byte in range(256))
_KNOWN_KEYS = frozenset(Fact._fields)
_CHOSEN = attrgetter(
    "entity",
    "key",
    "value",
    "confidence",
    "private",
    "horizon_class",
    "actor",
    "source_receipt",
    "valid_from",
    "valid_to",
    "extra",
)


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
    new: Sequence[NewFact], *, tenant: str, now_ns: int, view: RevisedView, privacy: PrivacyPolicy
) -> list[tuple[Fact, FactState | None]]:
    """The facts as they will be written, each with the one it follows in its chain; or the first refusal."""
    if len(new) > MAX_FACTS:
        raise TooManyFactsError(f"One act holds at most {MAX_FACTS:,} facts, not {len(new):,}.")
    if not new:
        return []
    # field by field, as an act has up to a thousand of them
    entities, keys, values, confidences, privates, horizons, actors, receipts, valid_from, valid_to, extras = zip(
        *map(_CHOSEN, new), strict=True
    )
    names = list(zip(entities, keys, strict=True))
    if len(set(names)) != len(new):
        raise RepeatedKeyError("The same entity and key stand twice in one act.")
    letters = privacy.first_letters()
    special = {entity for entity in entities if entity[:1] in letters}
    is_plain = not (any(privates) or any(map(privacy.is_create_reserved, special))) and valid_from.count(None) == len(
        new
    )
    if not (is_plain and _are_rightful(confidences) and _are_storable(names, values, actors, receipts)):
        for fact in new:
            check_new_fact(fact, privacy)
    born_private = set(filter(privacy.is_born_private, special))
    heads = view.heads(tenant, names)
    facts = map(
        Fact._make,
        zip(
            _new_fact_ids(len(new)),
            repeat(tenant),
            entities,
            keys,
            values,
            receipts,
            map(round_to_f32, confidences),
            repeat(timestamp_from_ns(now_ns)),
            map(token_count, values),
            repeat(False),
            [1 if head is None else head.version + 1 for head in heads],
            [None if head is None else head.fact_id for head in heads],
            [fact.private or fact.entity in born_private for fact in new] if born_private else privates,
            map(_horizon, horizons, entities),
            repeat(None),
            repeat(None),
            actors,
            valid_from,
            valid_to,
            repeat(0),
            repeat(None),
            map(_extra_members, extras),
            strict=False,
        ),
    )
    return list(zip(facts, heads, strict=True))


def check_new_fact(fact: NewFact, privacy: PrivacyPolicy) -> None:
    """Raises the named RefusedFactError of a fact that no act could store, whatever else the store holds."""
    if "\0" in fact.entity or "\0" in fact.key:
        raise TextNotStorableError("An entity or key holds U+0000.")
    if not 0 <= fact.confidence <= 1:
        raise ConfidenceError("A confidence is a number from 0 to 1.")
    if fact.valid_from is not None:
        check_validity(fact.valid_from, fact.valid_to)
    if fact.private:
        if owner_of(fact.entity) is None:
            raise OwnerlessPrivateError("A private fact needs an owner: its entity starts with __agent::<owner>::.")
    elif privacy.is_create_reserved(fact.entity):
        raise ReservedEntityError("The entity's prefix is reserved.")
    try:
        "".join((fact.entity, fact.key, fact.value, fact.actor or "", fact.source_receipt or "")).encode()
    except (UnicodeEncodeError, TypeError) as error:
        raise TextNotStorableError("A text of the fact holds a lone surrogate.") from error
    _extra_members(fact.extra)


def _are_rightful(confidences: Sequence[float]) -> bool:
    # the least and the greatest say nothing where one of them is no number, but then their sum is none either
    return min(confidences) >= 0 and max(confidences) <= 1 and not math.isnan(sum(confidences))


def _are_storable(names: Sequence[tuple[str, str]], *texts: Sequence[str | None]) -> bool:
    """Whether every text can be written; False where one cannot, or is none."""
    spelled = "".join(chain.from_iterable(names))
    if "\0" in spelled:
        return False
    try:
        for text in filterfalse(str.isascii, chain((spelled,), filter(None, chain.from_iterable(texts)))):
            text.encode()
    except (UnicodeEncodeError, TypeError):
        return False
    return True


def _horizon(chosen: Horizon | None, entity: str) -> Horizon:
    return default_horizon(entity) if chosen is None else chosen


def _extra_members(extra: Mapping[str, object] | None) -> bytes | None:
    """Extra members as they will be written; or their refusal."""
    if not extra:
        return None
    if not _KNOWN_KEYS.isdisjoint(extra):
        raise RefusedFactError("An extra member of a fact has the name of a known one.")
    try:
        return orjson.dumps(extra)[1:-1]
    except TypeError as error:
        raise TextNotStorableError("A text of the fact holds a lone surrogate.") from error


def _new_fact_ids(count: int) -> list[str]:
    made = bytearray(secrets.token_bytes(16 * count))
    # version 4, variant 1: the daemon's ids are UUIDs of that kind
    made[6::16] = made[6::16].translate(_VERSION_4)
    made[8::16] = made[8::16].translate(_VARIANT_1)
    digits = made.hex()
    return ["f_" + digits[start : start + 32] for start in range(0, len(digits), 32)]
