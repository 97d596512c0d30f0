"""How belief in a fact fades: its horizon sets the pace, and past the threshold its confidence counts half.

In this order: a fact without a horizon is always fresh; one whose time of writing is unknown or still to come is
unknown; one older than its threshold is stale, an age equal to the threshold is fresh. Age counts from the last
re-verification, else from the writing, both cut to milliseconds.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, Self

from cruxstore.facts.records import Horizon, Timestamp

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
STALE_FACTOR: Final = 0.5

_SALIENCE_SLOPE: Final = 0.25
_SALIENCE_CAP: Final = 4.0
_MAX_MS: Final = 2**63 - 1
_WHOLE_NUMBER: Final = re.compile(r"\+?[0-9]+", re.ASCII)
_AGEING_PREFIXES: Final = (
    "__ops::",
    "bench:",
    "__bootstrap__::",
    "execplan:",
    "incident:",
    "__candidate_fact__::",
)
_STABLE_WORDS: Final = ("stable", "frozen", "immutable", "historical", "architect", "year")


class Freshness(StrEnum):
    """Whether a fact is within its horizon."""

    FRESH = "fresh"
    STALE = "stale"
    UNKNOWN = "unknown"


class AnchorKind(StrEnum):
    """What a fact's age counts from."""

    STORED = "stored"
    REVERIFIED = "reverified"


class Decaying(Protocol):
    """The part of a fact that decay looks at; a `Fact` is one."""

    @property
    def confidence(self) -> float: ...
    @property
    def horizon_class(self) -> Horizon: ...
    @property
    def stored_at(self) -> Timestamp: ...
    @property
    def reverified_at(self) -> Timestamp | None: ...
    @property
    def access_count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class DecayPolicy:
    """The thresholds in force; with salience, facts that are asked for often stay fresh longer."""

    volatile_ms: int = 24 * HOUR_MS
    medium_ms: int = 35 * DAY_MS
    stable_ms: int = 365 * DAY_MS
    has_salience: bool = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """The policy that the daemon's own variables ask for; what is not a whole number above 0 asks for nothing."""
        standard = cls()
        return cls(
            volatile_ms=_duration(environment, "CORECRUXD_DECAY_VOLATILE_HOURS", HOUR_MS) or standard.volatile_ms,
            medium_ms=_duration(environment, "CORECRUXD_DECAY_MEDIUM_DAYS", DAY_MS) or standard.medium_ms,
            stable_ms=_duration(environment, "CORECRUXD_DECAY_STABLE_DAYS", DAY_MS) or standard.stable_ms,
            has_salience=environment.get("CORECRUXD_MEMORY_SALIENCE", "").strip().lower() in ("1", "true", "on", "yes"),
        )

    def threshold_ms(self, horizon: Horizon, access_count: int = 0) -> int | None:
        """The greatest age at which a fact is fresh; None where it is fresh at any age."""
        match horizon:
            case Horizon.NONE:
                return None
            case Horizon.VOLATILE:
                base_ms = self.volatile_ms
            case Horizon.MEDIUM:
                base_ms = self.medium_ms
            case Horizon.STABLE:
                base_ms = self.stable_ms
        return int(base_ms * salience_factor(access_count)) if self.has_salience else base_ms


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Why a fact's confidence counts as it does, item by item; all times in milliseconds.

    `stale_at_ms` is the last millisecond at which the fact is fresh, None where it never goes stale or nobody can say.
    """

    horizon: Horizon
    threshold_ms: int | None
    anchor_ms: int
    anchor_kind: AnchorKind
    age_ms: int | None
    freshness: Freshness
    confidence: float
    factor: float
    effective: float
    stale_at_ms: int | None


def reckon(fact: Decaying, now_ms: int, policy: DecayPolicy) -> Reckoning:
    """Everything about a fact's decay at a moment."""
    anchor = fact.reverified_at or fact.stored_at
    anchor_ms = milliseconds(anchor)
    threshold_ms = policy.threshold_ms(fact.horizon_class, fact.access_count)
    freshness = freshness_of(threshold_ms, anchor_ms, now_ms)
    factor = STALE_FACTOR if freshness is Freshness.STALE else 1.0
    return Reckoning(
        horizon=fact.horizon_class,
        threshold_ms=threshold_ms,
        anchor_ms=anchor_ms,
        anchor_kind=AnchorKind.STORED if fact.reverified_at is None else AnchorKind.REVERIFIED,
        age_ms=None if _is_unknown(anchor_ms, now_ms) else now_ms - anchor_ms,
        freshness=freshness,
        confidence=fact.confidence,
        factor=factor,
        effective=fact.confidence * factor,
        stale_at_ms=stale_at_ms(fact.horizon_class, anchor_ms, policy, access_count=fact.access_count),
    )


def freshness(fact: Decaying, now_ms: int, policy: DecayPolicy) -> Freshness:
    """Whether a fact is fresh at a moment."""
    threshold_ms = policy.threshold_ms(fact.horizon_class, fact.access_count)
    return freshness_of(threshold_ms, milliseconds(fact.reverified_at or fact.stored_at), now_ms)


def freshness_of(threshold_ms: int | None, anchor_ms: int, now_ms: int) -> Freshness:
    """Whether something written or re-verified at one moment is fresh at another."""
    if threshold_ms is None:
        return Freshness.FRESH
    if _is_unknown(anchor_ms, now_ms):
        return Freshness.UNKNOWN
    return Freshness.STALE if now_ms - anchor_ms > threshold_ms else Freshness.FRESH


def stale_at_ms(horizon: Horizon, anchor_ms: int, policy: DecayPolicy, *, access_count: int = 0) -> int | None:
    """The last millisecond at which a fact is fresh: one later it is stale; None where that never comes."""
    threshold_ms = policy.threshold_ms(horizon, access_count)
    return None if threshold_ms is None or anchor_ms <= 0 else anchor_ms + threshold_ms


def effective_confidence(confidence: float, freshness: Freshness) -> float:
    """What a confidence counts for: half when stale, itself when fresh or unknown."""
    return confidence * STALE_FACTOR if freshness is Freshness.STALE else confidence


def age_days(anchor_ms: int, now_ms: int) -> int | None:
    """Whole days between two moments; None where the age is unknown."""
    return None if _is_unknown(anchor_ms, now_ms) else (now_ms - anchor_ms) // DAY_MS


def salience_factor(access_count: int) -> float:
    """How much longer a fact stays fresh that was asked for so often."""
    return min(1.0 + _SALIENCE_SLOPE * math.log(access_count + 1), _SALIENCE_CAP)


def milliseconds(moment: Timestamp) -> int:
    """An instant in milliseconds since 1970, cut, not rounded."""
    return moment.ns // 1_000_000


def default_horizon(entity: str) -> Horizon:
    """The horizon of a fact whose writer named none."""
    if not entity.startswith(_AGEING_PREFIXES):
        return Horizon.NONE
    if entity.startswith("__ops::"):
        return Horizon.VOLATILE
    if entity.startswith(("bench:", "__bootstrap__::")):
        return Horizon.STABLE
    return Horizon.MEDIUM


def horizon_from_words(text: str) -> Horizon:
    """The horizon that a writer described in words, such as `about two weeks`."""
    words = text.lower()
    if "hour" in words:
        return Horizon.VOLATILE
    if any(word in words for word in _STABLE_WORDS):
        return Horizon.STABLE
    if "month" in words or "week" in words:
        return Horizon.MEDIUM
    if "day" in words:
        number = re.search(r"[0-9]+", words)
        return Horizon.VOLATILE if number is not None and int(number[0][:20]) <= 2 else Horizon.MEDIUM
    return Horizon.NONE


def _is_unknown(anchor_ms: int, now_ms: int) -> bool:
    return anchor_ms <= 0 or now_ms <= 0 or anchor_ms > now_ms


def _duration(environment: Mapping[str, str], name: str, unit_ms: int) -> int | None:
    text = environment.get(name, "").strip()
    if not _WHOLE_NUMBER.fullmatch(text) or len(text) > 30:
        return None
    number = int(text)
    return min(number * unit_ms, _MAX_MS) if 0 < number <= _MAX_MS else None
