"""The daemon's own rule for contradictions: two live facts of one entity and key, one saying yes, the other no.

    " (Enabled)! "  ->  enabled  ->  positive

What surrounds a value and is neither a letter, a digit nor `_` is taken off; ASCII capitals count as small letters.
Only the 27 words below are read at all. Groups come sorted by entity and key, the facts that say no first.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Protocol

REASON = "opposite_polarity_same_entity_key"

POSITIVE = frozenset(
    {
        "true",
        "yes",
        "y",
        "on",
        "enabled",
        "enable",
        "active",
        "complete",
        "completed",
        "passed",
        "pass",
        "approved",
        "approve",
        "present",
    }
)
NEGATIVE = frozenset(
    {
        "false",
        "no",
        "n",
        "off",
        "disabled",
        "disable",
        "inactive",
        "blocked",
        "failed",
        "fail",
        "rejected",
        "reject",
        "absent",
    }
)

_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


class Polarity(StrEnum):
    """Which way a value goes, where it is one of the words."""

    NEGATIVE = "negative"
    POSITIVE = "positive"


class Standing(Protocol):
    """A fact that is neither deleted, superseded nor private."""

    @property
    def fact_id(self) -> str: ...

    @property
    def entity(self) -> str: ...

    @property
    def key(self) -> str: ...

    @property
    def value(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Facts of one entity and key that go both ways, those that say no first; `values` lie beside `fact_ids`."""

    entity: str
    key: str
    reason: str
    polarity_a: Polarity
    polarity_b: Polarity
    fact_ids: tuple[str, ...]
    values: tuple[str, ...]


def polarity_of(value: str) -> Polarity | None:
    """Which way a value goes; none where it is no single word of the list."""
    start, end = 0, len(value)
    while start < end and not _is_inner(value[start]):
        start += 1
    while end > start and not _is_inner(value[end - 1]):
        end -= 1
    word = value[start:end].translate(_LOWER)
    if word in NEGATIVE:
        return Polarity.NEGATIVE
    return Polarity.POSITIVE if word in POSITIVE else None


def contradictions(facts: Iterable[Standing], *, limit: int = 0) -> list[Contradiction]:
    """The groups that go both ways among the standing facts of one tenant; `limit` 0 means all."""
    found: list[Contradiction] = []
    told = [(fact, polarity) for fact in facts if (polarity := polarity_of(fact.value)) is not None]
    told.sort(key=lambda pair: (pair[0].entity, pair[0].key, pair[1]))
    for (entity, key), group in groupby(told, key=lambda pair: (pair[0].entity, pair[0].key)):
        sides = list(group)
        if len({polarity for _, polarity in sides}) < 2:
            continue
        found.append(
            Contradiction(
                entity=entity,
                key=key,
                reason=REASON,
                polarity_a=Polarity.NEGATIVE,
                polarity_b=Polarity.POSITIVE,
                fact_ids=tuple(fact.fact_id for fact, _ in sides),
                values=tuple(fact.value for fact, _ in sides),
            )
        )
        if limit and len(found) == limit:
            break
    return found


def _is_inner(character: str) -> bool:
    return character.isalnum() or character == "_"
