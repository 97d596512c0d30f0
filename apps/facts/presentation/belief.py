"""The belief map as shapes, and what was done in words: across the time it is about, down the time it was recorded."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from apps.facts.answers import BeliefBand, BeliefMap, BeliefSpan, Clocks, Deed, KeyDifference
from apps.facts.presentation.drawings import Axis, Label, Line, axis_around, in_zone

TOP = 28
SPREAD = 312
LEAST = 22
FLOOR = 12
ZONES = ("za", "zb", "zc")

_DONE = {
    "store": "wrote version {}",
    "store_batch": "wrote version {}",
    "replace_latest": "wrote version {}",
    "consolidate": "consolidated into version {}",
    "consolidate_undo": "undid a consolidation",
    "set_validity": "set the validity of version {}",
    "delete": "deleted version {}",
    "supersede": "retired version {}",
    "clear_supersede": "brought version {} back",
    "consolidation_provenance": "noted what version {} was consolidated from",
    "horizon": "set the horizon of version {}",
    "verification": "verified version {} again",
}


@dataclass(frozen=True)
class Zone:
    """An area of the map: where the same is believed. Its words are letters, or that nothing is."""

    kind: str
    x: str
    width: str
    y: int
    height: int
    words: str


@dataclass(frozen=True)
class Dot:
    """One of the two moments."""

    x: str
    y: int
    words: str


@dataclass(frozen=True)
class MapDrawing:
    """Everything of a belief map; `sides` are the recorded times at its left."""

    height: int
    description: str
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    zones: tuple[Zone, ...]
    known: tuple[Line, ...]
    between: Line
    dots: tuple[Dot, ...]
    sides: tuple[tuple[str, int], ...]
    now_y: int


@dataclass(frozen=True)
class LegendEntry:
    """A letter with its area and what it stands for."""

    letter: str
    kind: str
    value: str
    is_cut: bool


@dataclass(frozen=True)
class ShownBand:
    """A row of the map's table: each stretch with its values and its end."""

    band: BeliefBand
    words: str
    who: str
    stretches: tuple[tuple[tuple[str, ...], datetime | None], ...]


@dataclass(frozen=True)
class ShownDifference:
    """A row of the comparison, its cause in words."""

    difference: KeyDifference
    words: str
    who: str


def legend_of(belief: BeliefMap) -> tuple[LegendEntry, ...]:
    """The letters in order; areas repeat after the third, letters never."""
    return tuple(
        LegendEntry(value.letter, ZONES[number % len(ZONES)], value.value, value.is_cut)
        for number, value in enumerate(belief.values)
    )


def shown_bands(belief: BeliefMap, names: Mapping[str, str]) -> tuple[ShownBand, ...]:
    """The map as a table, newest first."""
    values = {value.letter: value.value for value in belief.values}
    return tuple(
        ShownBand(
            band,
            done_words(band.deed),
            who(band.deed, names),
            tuple((tuple(values[letter] for letter in span.letters), span.ends_at) for span in _told(band.spans)),
        )
        for band in reversed(belief.bands)
    )


def table_of(bands: Sequence[ShownBand]) -> Iterator[Sequence[str]]:
    """The table as cells, a row for each stretch, with its heading; a stretch without values is one without belief."""
    yield ("recorded", "place", "who", "act", "valid_from", "valid_to", "believed")
    for row in bands:
        deed = row.band.deed
        for span, (values, _) in zip(_told(row.band.spans), row.stretches, strict=True):
            times = (moment.isoformat() if moment is not None else "" for moment in (span.starts_at, span.ends_at))
            yield (deed.at.isoformat(), deed.place, row.who, row.words, *times, " and ".join(values))


def shown_differences(keys: Sequence[KeyDifference], names: Mapping[str, str]) -> tuple[ShownDifference, ...]:
    """The keys that differ, each with who did what."""
    return tuple(
        ShownDifference(
            one,
            "" if one.deed is None else done_words(one.deed),
            "" if one.deed is None else who(one.deed, names),
        )
        for one in keys
    )


def done_words(deed: Deed) -> str:
    """What was done, as it follows on who did it."""
    return _DONE[deed.op].format(f"{deed.version:,}")


def who(deed: Deed, names: Mapping[str, str]) -> str:
    """Who did it: a person by name, an agent as it calls itself, or somebody."""
    return names.get(deed.actor_id, deed.actor_id) or "Somebody"


def belief_drawing(belief: BeliefMap, moments: Sequence[Clocks], now: datetime, zone: tzinfo) -> MapDrawing:
    """The map with its two moments."""
    starts = [band.deed.at for band in belief.bands]
    ends = [*starts[1:], max(now, starts[-1])]
    heights = _heights([end - start for start, end in zip(starts, ends, strict=True)])
    tops = [TOP + sum(heights[:number]) for number in range(len(heights))]
    bottom = tops[-1] + heights[-1]
    edges = [edge for band in belief.bands for span in band.spans for edge in (span.starts_at, span.ends_at) if edge]
    abouts = [moment.about_at or now for moment in moments]
    axis = axis_around(min([*edges, *starts, *abouts]), max([*edges, now, *abouts]), zone)
    zones = [
        _zone(span, axis, belief, top, height)
        for band, top, height in zip(belief.bands, tops, heights, strict=True)
        for span in band.spans
    ]
    _ticks_above(axis)

    def down(moment: datetime) -> int:
        for start, end, top, height in zip(starts, ends, tops, heights, strict=True):
            if moment < end:
                share = (moment - start) / (end - start) if moment > start else 0.0
                return round(top + height * share)
        return bottom

    dots = tuple(
        Dot(axis.at(about), min(down(moment.known.at if moment.known else now), bottom - FLOOR), str(number))
        for number, (moment, about) in enumerate(zip(moments, abouts, strict=True), 1)
    )
    known = tuple(
        Line("plot dash", axis.at(start), axis.at(end), top, top + height)
        for start, end, top, height in zip(starts, ends, tops, heights, strict=True)
    )
    return MapDrawing(
        height=bottom + FLOOR,
        description=f"{len(belief.bands)} bands, one for each change of the belief. The table below says the same.",
        lines=tuple(axis.lines),
        labels=tuple(axis.labels),
        zones=tuple(zones),
        known=known,
        between=Line("today", dots[0].x, dots[-1].x, dots[0].y, dots[-1].y),
        dots=dots,
        sides=_sides(starts, tops, bottom, zone),
        now_y=bottom,
    )


def _told(spans: Sequence[BeliefSpan]) -> Sequence[BeliefSpan]:
    """The stretches that are worth telling: nothing before the first and after the last needs no words."""
    first = next((number for number, span in enumerate(spans) if span.letters), 0)
    last = next((number for number in range(len(spans) - 1, -1, -1) if spans[number].letters), len(spans) - 1)
    return spans[first : last + 1]


def _heights(spans: Sequence[timedelta]) -> list[int]:
    """The bands by how long they lasted, none too thin for its letter."""
    total = sum(spans, timedelta()) or timedelta(microseconds=1)
    return [max(LEAST, round(SPREAD * (span / total))) for span in spans]


def _zone(span: BeliefSpan, axis: Axis, belief: BeliefMap, top: int, height: int) -> Zone:
    left = 0.0 if span.starts_at is None else axis.share(span.starts_at)
    right = 1.0 if span.ends_at is None else axis.share(span.ends_at)
    letters = [value.letter for value in belief.values]
    kind = ZONES[letters.index(span.letters[0]) % len(ZONES)] if span.letters else "z0"
    width = max(right - left, 0.0)
    words = ", ".join(span.letters) or ("nothing" if width > 0.06 else "")
    return Zone(kind, f"{left * 100:.2f}%", f"{width * 100:.2f}%", top, height, words)


def _ticks_above(axis: Axis) -> None:
    axis.ticks(TOP)
    axis.labels[:] = [Label(label.text, label.x, TOP - 12, label.kind, label.dx, label.anchor) for label in axis.labels]
    axis.lines[:] = [
        line if line.y1 == line.y2 else Line(line.kind, line.x1, line.x2, TOP - 6, TOP) for line in axis.lines
    ]


def _sides(starts: Sequence[datetime], tops: Sequence[int], bottom: int, zone: tzinfo) -> tuple[tuple[str, int], ...]:
    """The day of each band at its upper edge; one too near the one above is left out."""
    sides: list[tuple[str, int]] = []
    for start, top in zip(starts, tops, strict=True):
        if top < bottom - FLOOR and (not sides or top - sides[-1][1] >= LEAST):
            sides.append((in_zone(start, zone).strftime("%d %b %y").lstrip("0"), top))
    return tuple(sides)
