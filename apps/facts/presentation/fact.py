"""One fact and one entity made ready for their pages: what is drawn, compared, cut and marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from apps.facts.answers import EntityDetail, FactDetail, FactRow, HoldRow, VersionRow
from apps.facts.presentation.differences import (
    JsonComparison,
    Word,
    indented_json,
    json_difference,
    word_difference,
)
from apps.facts.presentation.drawings import (
    ConfidenceCourse,
    Drawing,
    Validity,
    confidence_drawing,
    utc_datetime,
    validity_drawing,
)
from apps.facts.presentation.text import SHOWN_BYTES, count_hidden
from cruxstore.errors import BadTimestampError
from cruxstore.facts.decay import AnchorKind, Reckoning
from cruxstore.facts.times import parse_timestamp

DRAWN_ROWS = 24
_ANCHORS = {AnchorKind.STORED: "recorded", AnchorKind.REVERIFIED: "verified again"}


@dataclass(frozen=True)
class ShownValue:
    """The value as far as the page shows it; `json` is the indented document where it is one."""

    text: str
    is_folded: bool
    hidden: int
    json: str | None


@dataclass(frozen=True)
class ShownVersion:
    """A version with what it changed of the one before: by path, by word, or not compared."""

    row: FactRow
    text: str
    is_folded: bool
    words: tuple[Word, ...] | None
    paths: JsonComparison | None
    is_too_long: bool


@dataclass(frozen=True)
class ShownReckoning:
    """How the effective confidence comes about, line by line; spans in nanoseconds, absent ones None."""

    horizon: str
    threshold: int | None
    anchor: str
    anchor_at: datetime | None
    age: int | None
    over: int | None
    left: int | None
    ahead: int | None
    factor: float
    stale_at: datetime | None
    drawing: Drawing | None


@dataclass(frozen=True)
class ShownRecord:
    """Of the record itself, what a row does not say; moments beyond the calendar are None."""

    reverified_at: datetime | None
    last_accessed_at: datetime | None
    unknown_members: str


def shown_record(detail: FactDetail) -> ShownRecord | None:
    """The rest of the record; None for a stub."""
    if detail.fact is None:
        return None
    reverified, accessed = detail.fact.reverified_at, detail.fact.last_accessed_at
    return ShownRecord(
        reverified_at=utc_datetime(reverified.ns) if reverified else None,
        last_accessed_at=utc_datetime(accessed.ns) if accessed else None,
        unknown_members=(detail.fact.extra or b"").decode("utf-8", "surrogateescape"),
    )


def shown_value(detail: FactDetail) -> ShownValue:
    """The beginning of the value, whole where it is short."""
    text, is_folded = _fold(detail.value)
    return ShownValue(
        text=text,
        is_folded=is_folded or detail.value_is_cut,
        hidden=count_hidden(detail.value),
        json=None if detail.value_is_cut else indented_json(detail.value),
    )


def shown_versions(versions: Sequence[VersionRow]) -> tuple[ShownVersion, ...]:
    """Newest first, each compared with the one after it in the list."""
    shown = []
    for at, newer in enumerate(versions):
        older = versions[at + 1] if at + 1 < len(versions) else None
        text, is_folded = _fold(newer.value)
        words = paths = None
        if older is not None and not (newer.is_cut or older.is_cut):
            paths = json_difference(older.value, newer.value)
            words = None if paths else word_difference(older.value, newer.value)
        is_too_long = older is not None and words is None and paths is None
        shown.append(ShownVersion(newer.row, text, is_folded or newer.is_cut, words, paths, is_too_long))
    return tuple(shown)


def shown_holds(holds: Sequence[HoldRow]) -> tuple[tuple[HoldRow, datetime | None], ...]:
    """Each hold with the moment it was placed; None where what it says is no time."""
    shown = []
    for hold in holds:
        try:
            placed_at = utc_datetime(parse_timestamp(hold.placed_at).ns)
        except BadTimestampError:
            placed_at = None
        shown.append((hold, placed_at))
    return tuple(shown)


def shown_reckoning(detail: FactDetail, now_ns: int, zone: tzinfo) -> ShownReckoning | None:
    """The reckoning and its drawing; None for a stub."""
    fact, reckoning = detail.fact, detail.reckoning
    if fact is None or reckoning is None:
        return None
    threshold = _ns(reckoning.threshold_ms)
    age = _ns(reckoning.age_ms)
    over = age - threshold if age is not None and threshold is not None else None
    return ShownReckoning(
        horizon=str(reckoning.horizon),
        threshold=threshold,
        anchor=_ANCHORS[reckoning.anchor_kind],
        anchor_at=_from_ms(reckoning.anchor_ms),
        age=age,
        over=over if over is not None and over > 0 else None,
        left=-over if over is not None and over <= 0 else None,
        ahead=_ns(reckoning.anchor_ms - now_ns // 1_000_000) if age is None else None,
        factor=reckoning.factor,
        stale_at=_from_ms(reckoning.stale_at_ms),
        drawing=_course(detail, reckoning, now_ns, zone),
    )


def fact_validity(detail: FactDetail, now_ns: int, zone: tzinfo) -> Drawing | None:
    """The versions' validity, oldest above; None where none has a bound."""
    rows = [version.row for version in reversed(detail.versions)][-DRAWN_ROWS:]
    now = utc_datetime(now_ns)
    bars = [
        Validity(f"v{row.version}", row.valid_from, row.valid_to, row.fact_id != detail.row.fact_id) for row in rows
    ]
    return validity_drawing(bars, now, zone) if now else None


def entity_validity(entity: EntityDetail, now_ns: int, zone: tzinfo) -> Drawing | None:
    """Every version with a bound, key by key, as far as they fit; None where none has one."""
    now = utc_datetime(now_ns)
    bars = [
        Validity(f"{item.key} v{row.version}", row.valid_from, row.valid_to, row.state != "current")
        for item in entity.keys
        for row in reversed(item.history)
        if row.valid_from or row.valid_to
    ]
    return validity_drawing(bars[:DRAWN_ROWS], now, zone) if now else None


def _course(detail: FactDetail, reckoning: Reckoning, now_ns: int, zone: tzinfo) -> Drawing | None:
    assert detail.fact is not None
    recorded_at = utc_datetime(detail.fact.stored_at.ns)
    now = utc_datetime(now_ns)
    if recorded_at is None or now is None:
        return None
    reverified = detail.fact.reverified_at
    course = ConfidenceCourse(
        recorded_at=recorded_at,
        reverified_at=utc_datetime(reverified.ns) if reverified else None,
        stale_at=_from_ms(reckoning.stale_at_ms),
        now=now,
        confidence=detail.row.confidence,
        stale_confidence=detail.row.confidence / 2,
        effective=detail.row.effective,
    )
    return confidence_drawing(course, zone)


def _fold(text: str) -> tuple[str, bool]:
    return (text[:SHOWN_BYTES], True) if len(text) > SHOWN_BYTES else (text, False)


def _ns(milliseconds: int | None) -> int | None:
    return None if milliseconds is None else milliseconds * 1_000_000


def _from_ms(milliseconds: int | None) -> datetime | None:
    if milliseconds is None:
        return None
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
