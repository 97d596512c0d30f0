"""What was believed of one entity and key, over both clocks; values in, values out.

1. A fact holds from its start until its end. One without a start that replaced another holds from when it was stored.
2. A fact that was replaced is retired from where its successor starts (else: was stored); one whose successor nobody
   knows is retired altogether, and a deleted one holds at no time.
3. What changes over recorded time is looked up by place: a fact is unknown before its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.facts.rules import State

FOREVER = 1 << 62
TOLERANCE_US = 24 * 3600 * 1_000_000
"""A start this far from the writing is no accident: backdated, or scheduled."""

SKEW_US = 60 * 1_000_000


@dataclass(frozen=True, slots=True)
class Standing:
    """What a fact was until a place: current, superseded or deleted, and when it holds; None is open."""

    until: int
    state: int
    superseded_by: str | None
    from_us: int | None
    to_us: int | None


@dataclass(frozen=True, slots=True)
class Version:
    """A fact with what it was over recorded time, the last standing being the one now."""

    fact_id: str
    row_id: int
    number: int
    place: int
    stored_us: int
    supersedes: str | None
    standings: tuple[Standing, ...]

    def at(self, key: int) -> Standing | None:
        """What was known of it at a place; None before it was recorded."""
        if key < self.place:
            return None
        return next(standing for standing in self.standings if standing.until > key)

    def starts_us(self, standing: Standing) -> int | None:
        """From when it holds; None for ever."""
        if standing.from_us is not None:
            return standing.from_us
        return None if self.supersedes is None else self.stored_us

    def effective_us(self, standing: Standing) -> int:
        """From when it retires what it replaces."""
        return self.stored_us if standing.from_us is None else standing.from_us


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of valid time and the facts that hold in it; None is open."""

    start_us: int | None
    end_us: int | None
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """From a place on, until the next band's, the same was believed."""

    place: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Replacement:
    """How a fact replaced another: a correction wipes the old one, a change leaves it until its own start."""

    version: Version
    replaced: Version
    is_correction: bool
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """What is odd about a belief: stretches with several facts, stretches with none between others, forks."""

    overlaps: tuple[Span, ...]
    gaps: tuple[Span, ...]
    forks: tuple[tuple[Version, ...], ...]


def believed(versions: Iterable[Version], key: int, about_us: int, outside: Mapping[str, int]) -> tuple[Version, ...]:
    """The facts that were known at a place to hold at a time, oldest first.

    `outside` says from when successors in other chains retire what they replace.
    """
    return tuple(
        version
        for version, start, end in _holding(list(versions), key, outside)
        if (start is None or start <= about_us) and (end is None or about_us < end)
    )


def spans_at(versions: Sequence[Version], key: int, outside: Mapping[str, int]) -> tuple[Span, ...]:
    """All of valid time as known at a place, cut where the belief changes."""
    holding = _holding(versions, key, outside)
    edges = sorted({edge for _, *bounds in holding for edge in bounds if edge is not None})
    spans: list[Span] = []
    for start, end in zip([None, *edges], [*edges, None], strict=True):
        inside = tuple(
            version
            for version, first, last in holding
            if (first is None or (start is not None and first <= start)) and (last is None or _is_before(end, last))
        )
        if spans and spans[-1].versions == inside:
            start = spans.pop().start_us
        spans.append(Span(start, end, inside))
    return tuple(spans)


def bands_of(versions: Sequence[Version], places: Iterable[int], outside: Mapping[str, int]) -> tuple[Band, ...]:
    """The bands of a belief, oldest first; places at which nothing of it changed make none."""
    bands: list[Band] = []
    for place in places:
        band = Band(place, spans_at(versions, place, outside))
        if not bands or bands[-1].spans != band.spans:
            bands.append(band)
    return tuple(bands)


def replacements_of(versions: Sequence[Version], key: int, now_us: int) -> tuple[Replacement, ...]:
    """Each replacement known at a place, oldest first, and what is noteworthy about its times."""
    known = {version.fact_id: (version, standing) for version in versions if (standing := version.at(key)) is not None}
    found = []
    for version, standing in known.values():
        before = known.get(version.supersedes or "")
        if before is None:
            continue
        replaced, its_standing = before
        found.append(
            Replacement(
                version,
                replaced,
                is_correction=version.effective_us(standing) <= replaced.effective_us(its_standing),
                marks=_marks(version, standing, replaced, known.values(), now_us),
            )
        )
    return tuple(found)


def findings_of(versions: Sequence[Version], key: int, outside: Mapping[str, int]) -> Findings:
    """What is odd about the belief as known at a place."""
    spans = spans_at(versions, key, outside)
    held = [number for number, span in enumerate(spans) if span.versions]
    between = range(held[0], held[-1]) if held else range(0)
    successors: dict[str, list[Version]] = {}
    for version in versions:
        standing = version.at(key)
        if standing is not None and standing.state == State.CURRENT and version.supersedes is not None:
            successors.setdefault(version.supersedes, []).append(version)
    return Findings(
        overlaps=tuple(span for span in spans if len(span.versions) > 1),
        gaps=tuple(spans[number] for number in between if not spans[number].versions),
        forks=tuple(tuple(some) for some in successors.values() if len(some) > 1),
    )


def _holding(
    versions: Sequence[Version], key: int, outside: Mapping[str, int]
) -> list[tuple[Version, int | None, int | None]]:
    """The facts that hold at any time as known at a place, with from when and until when."""
    known = {version.fact_id: (version, standing) for version in versions if (standing := version.at(key)) is not None}
    holding = []
    for version, standing in known.values():
        if standing.state == State.DELETED:
            continue
        start, end = version.starts_us(standing), standing.to_us
        if standing.state == State.SUPERSEDED:
            retired = _retired_us(standing.superseded_by or "", known, outside)
            if retired is None:
                continue
            end = retired if end is None else min(end, retired)
        if start is None or end is None or start < end:
            holding.append((version, start, end))
    return holding


def _retired_us(
    successor_id: str, known: Mapping[str, tuple[Version, Standing]], outside: Mapping[str, int]
) -> int | None:
    if successor_id in known:
        successor, standing = known[successor_id]
        return successor.effective_us(standing)
    return outside.get(successor_id)


def _is_before(end: int | None, last: int) -> bool:
    return end is not None and end <= last


def _marks(
    version: Version,
    standing: Standing,
    replaced: Version,
    known: Iterable[tuple[Version, Standing]],
    now_us: int,
) -> tuple[str, ...]:
    effective = version.effective_us(standing)
    is_late = any(
        other.place < version.place and other.effective_us(its_standing) > effective for other, its_standing in known
    )
    found = {
        "backdated": version.stored_us - effective > TOLERANCE_US,
        "scheduled": effective - version.stored_us > TOLERANCE_US,
        "late": is_late,
        "clock skew": version.stored_us < replaced.stored_us or version.stored_us > now_us + SKEW_US,
    }
    return tuple(mark for mark, holds in found.items() if holds)
