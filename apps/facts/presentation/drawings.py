"""Drawings as shapes with positions, for one inline SVG: across in percent, down in pixels, text never scaled.

Time runs to the right. Now is an accent line, the moment of going stale an amber one, a projection dashed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

_TOP, _FLOOR, _HEIGHT = 20, 150, 176
_STEP = 24
SHORT_WORDS = 14
"""A longer label stands before its bar where the bar begins in the right half, so that it fits on a phone."""


@dataclass(frozen=True)
class Line:
    """A straight line; its kind is its class."""

    kind: str
    x1: str
    x2: str
    y1: int
    y2: int


@dataclass(frozen=True)
class Label:
    """A word at a place, shifted by a few pixels, growing from its start, middle or end."""

    text: str
    x: str
    y: int
    kind: str = ""
    dx: int = 0
    anchor: str = "start"


@dataclass(frozen=True)
class Span:
    """A bar of a validity axis."""

    x: str
    width: str
    y: int
    is_old: bool


@dataclass(frozen=True)
class Drawing:
    """Everything of one drawing, and the same in words."""

    title: str
    description: str
    height: int
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    dots: tuple[tuple[str, int], ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class ConfidenceCourse:
    """What the confidence drawing shows; an absent moment is None."""

    recorded_at: datetime
    reverified_at: datetime | None
    stale_at: datetime | None
    now: datetime
    confidence: float
    stale_confidence: float
    effective: float


@dataclass(frozen=True)
class Validity:
    """One row of a validity axis; None is open."""

    name: str
    starts_at: datetime | None
    ends_at: datetime | None
    is_old: bool


@dataclass
class Axis:
    """Time from left to right, and the shapes that are placed along it."""

    start: datetime
    end: datetime
    zone: tzinfo
    lines: list[Line] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def share(self, moment: datetime) -> float:
        """How far along a moment is; what lies outside is at the nearer end."""
        return min(max((moment - self.start) / (self.end - self.start), 0.0), 1.0)

    def at(self, moment: datetime) -> str:
        """The same as a place in the drawing."""
        return _percent(self.share(moment))

    def line(self, kind: str, start: datetime, end: datetime, y1: int, y2: int) -> None:
        """A line from a moment at one height to a moment at another."""
        self.lines.append(Line(kind, self.at(start), self.at(end), y1, y2))

    def mark(self, text: str, moment: datetime, y: int, kind: str = "", turn: float = 0.75) -> None:
        """A label beside a moment, on its left where the right border is near."""
        is_left = self.share(moment) > turn
        self.labels.append(Label(text, self.at(moment), y, kind, -6 if is_left else 6, "end" if is_left else "start"))

    def ticks(self, y: int) -> None:
        """The axis itself, with its round moments below."""
        self.lines.append(Line("axis", "0%", "100%", y, y))
        for moment, word in _ticks(self.start, self.end, self.zone):
            self.lines.append(Line("axis", self.at(moment), self.at(moment), y, y + 5))
            is_last = self.share(moment) > 0.9
            self.labels.append(Label(word, self.at(moment), y + 18, "", 0, "end" if is_last else "start"))


def confidence_drawing(course: ConfidenceCourse, zone: tzinfo) -> Drawing:
    """Effective confidence from the recording to a little after now, or after the moment it goes stale."""
    anchor = course.reverified_at or course.recorded_at
    last = max(moment for moment in (course.now, course.stale_at, anchor) if moment)
    first = min(course.recorded_at, anchor, course.now)
    width = max(last - first, timedelta(minutes=1))
    axis = Axis(_earlier(first, width * 0.06), _later(last, width * 0.12), zone)
    whole, half = _height(course.confidence), _height(course.stale_confidence)
    for value, word in ((1.0, "1.0"), (0.5, "0.5")):
        axis.lines.append(Line("grid", "0%", "100%", _height(value), _height(value)))
        axis.labels.append(Label(word, "100%", _height(value) - 4, anchor="end"))
    axis.ticks(_FLOOR)
    dots = [(axis.at(course.recorded_at), whole)]
    axis.mark("recorded", course.recorded_at, whole + 18 if whole < 40 else whole - 10)
    if course.reverified_at is not None and course.reverified_at != course.recorded_at:
        dots.append((axis.at(course.reverified_at), whole))
        axis.mark("verified again", course.reverified_at, whole - 10, "wide-only")
    stale_at = course.stale_at
    if course.now < anchor:
        axis.line("plot dash", anchor, axis.end, whole, whole)
    elif stale_at is None:
        axis.line("plot", course.recorded_at, course.now, whole, whole)
        axis.line("plot dash", course.now, axis.end, whole, whole)
    elif course.now <= stale_at:
        axis.line("plot", course.recorded_at, course.now, whole, whole)
        axis.line("plot dash", course.now, stale_at, whole, whole)
        axis.line("plot dash", stale_at, stale_at, whole, half)
        axis.line("plot dash", stale_at, axis.end, half, half)
        axis.mark(f"stale after {_day_time(stale_at, zone)}", stale_at, _FLOOR - 8, "on-warn", turn=0.3)
    else:
        axis.line("plot", course.recorded_at, stale_at, whole, whole)
        axis.line("fall", stale_at, stale_at, whole - 14, _FLOOR)
        axis.line("plot", stale_at, course.now, half, half)
        axis.line("plot dash", course.now, axis.end, half, half)
        axis.mark(f"stale {_day_time(stale_at, zone)}", stale_at, _FLOOR - 8, "on-warn", turn=0.3)
    axis.line("today", course.now, course.now, 4, _FLOOR)
    axis.mark("now", course.now, 12, "on-accent", turn=0.8)
    return Drawing(
        title=f"Effective confidence from {_day(first, zone)} to {_day(axis.end, zone)}",
        description=_course_in_words(course, zone),
        height=_HEIGHT,
        lines=tuple(axis.lines),
        labels=tuple(axis.labels),
        dots=tuple(dots),
    )


def validity_drawing(rows: Sequence[Validity], now: datetime, zone: tzinfo) -> Drawing | None:
    """One bar a row on a common axis, now as a line; None where no row has a bound."""
    bounds = [bound for row in rows for bound in (row.starts_at, row.ends_at) if bound is not None]
    if not bounds:
        return None
    first, last = min([*bounds, now]), max([*bounds, now])
    axis = axis_around(first, last, zone)
    spans = []
    for number, row in enumerate(rows):
        y = 20 + number * _STEP
        left = axis.share(row.starts_at) if row.starts_at else 0.0
        right = axis.share(row.ends_at) if row.ends_at else 1.0
        spans.append(Span(_percent(left), _percent(max(right - left, 0.004)), y, row.is_old))
        near = left > 0.7 or (left > 0.4 and len(_bar_words(row)) > SHORT_WORDS)
        axis.labels.append(
            Label(_bar_words(row), _percent(left), y + 13, "ink", -6 if near else 6, "end" if near else "start")
        )
    floor = 24 + len(rows) * _STEP
    axis.ticks(floor)
    axis.line("today", now, now, 0, floor)
    axis.mark("now", now, 12, "on-accent", turn=0.9)
    return Drawing(
        title="Validity on a time axis",
        description="; ".join(validity_in_words(row, zone) for row in rows),
        height=floor + 24,
        lines=tuple(axis.lines),
        labels=tuple(axis.labels),
        spans=tuple(spans),
    )


def validity_in_words(row: Validity, zone: tzinfo) -> str:
    """One row of the axis as a sentence."""
    start = f"from {_day(row.starts_at, zone)}" if row.starts_at else "no start"
    end = f"to {_day(row.ends_at, zone)}" if row.ends_at else "no end"
    return f"{row.name}: {start}, {end}"


def _bar_words(row: Validity) -> str:
    opened = [word for word, bound in (("open start", row.starts_at), ("open end", row.ends_at)) if bound is None]
    return ", ".join([row.name, *(["always"] if len(opened) == 2 else opened)])


def _course_in_words(course: ConfidenceCourse, zone: tzinfo) -> str:
    words = [f"{course.confidence:.2f} from {_day_time(course.recorded_at, zone)}"]
    if course.reverified_at is not None:
        words.append(f"verified again {_day_time(course.reverified_at, zone)}")
    if course.stale_at is None:
        words.append("it never goes stale")
    elif course.now <= course.stale_at:
        words.append(f"fresh until {_day_time(course.stale_at, zone)}, then {course.stale_confidence:.2f}")
    else:
        words.append(f"stale since {_day_time(course.stale_at, zone)}")
    return f"{', '.join(words)}; {course.effective:.2f} now."


def _height(value: float) -> int:
    """The pixel of a confidence; one beyond the scale is drawn at its border."""
    held = min(max(value, 0.0), 1.0) if value == value else 0.0
    return round(_FLOOR - (_FLOOR - _TOP) * held)


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """The moment in that zone; at the very ends of the calendar, where no zone fits, in its own."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def axis_around(first: datetime, last: datetime, zone: tzinfo) -> Axis:
    """An axis that holds both moments with some room at either end."""
    width = max(last - first, timedelta(hours=1))
    return Axis(_earlier(first, width * 0.05), _later(last, width * 0.12), zone)


def _earlier(moment: datetime, width: timedelta) -> datetime:
    try:
        return moment - width
    except OverflowError:
        return moment


def _later(moment: datetime, width: timedelta) -> datetime:
    try:
        return moment + width
    except OverflowError:
        return moment


def _percent(share: float) -> str:
    return f"{share * 100:.2f}%"


def _day(moment: datetime, zone: tzinfo) -> str:
    return in_zone(moment, zone).strftime("%Y-%m-%d")


def _day_time(moment: datetime, zone: tzinfo) -> str:
    return in_zone(moment, zone).strftime("%Y-%m-%d %H:%M:%S")


_HOURS = (1, 2, 3, 6, 12)
_DAYS = (1, 2, 3, 7)
_MONTHS = (1, 2, 3, 6)
_YEARS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000)


def _ticks(start: datetime, end: datetime, zone: tzinfo, most: int = 6) -> Iterator[tuple[datetime, str]]:
    """At most so many round moments between the two, each with its word; a year is named where it begins."""
    span = (end - start).total_seconds()
    local = in_zone(start, zone)
    for hours in _HOURS:
        if span / (hours * 3600) <= most:
            base = local.replace(hour=0, minute=0, second=0, microsecond=0)
            yield from _stepped(base, timedelta(hours=hours), start, end, "%d %b %H:%M")
            return
    for days in _DAYS:
        if span / (days * 86400) <= most + 2:
            base = local.replace(hour=0, minute=0, second=0, microsecond=0)
            yield from _stepped(base, timedelta(days=days), start, end, "%d %b")
            return
    for months in [*_MONTHS, *(12 * years for years in _YEARS)]:
        if span / (months * 30.44 * 86400) <= most:
            yield from _calendar(local, months, start, end)
            return


def _stepped(
    base: datetime, step: timedelta, start: datetime, end: datetime, form: str
) -> Iterator[tuple[datetime, str]]:
    first = max(0, (start - base) // step)
    for count in range(first, first + 12):
        moment = _later(base, step * count)
        if start <= moment <= end:
            yield moment, moment.strftime(form).lstrip("0")


def _calendar(local: datetime, months: int, start: datetime, end: datetime) -> Iterator[tuple[datetime, str]]:
    index = local.year * 12 + local.month - 1
    index -= index % months
    is_first = True
    while True:
        year, month = divmod(index, 12)
        if year > 9999:
            return
        index += months
        if year < 1:
            continue
        moment = datetime(year, month + 1, 1, tzinfo=local.tzinfo)
        if moment > end:
            return
        if moment < start:
            continue
        is_named = is_first or moment.month == 1
        yield moment, moment.strftime("%Y" if months % 12 == 0 else "%b %Y" if is_named else "%b")
        is_first = False


def utc_datetime(nanoseconds: int) -> datetime | None:
    """The moment as a datetime, or None where the calendar does not reach it."""
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=nanoseconds // 1000)
    except OverflowError:
        return None
