"""The drawings hold for any moments a journal may contain."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from apps.facts.presentation.drawings import (
    ConfidenceCourse,
    Drawing,
    Validity,
    confidence_drawing,
    utc_datetime,
    validity_drawing,
)

OSLO = ZoneInfo("Europe/Oslo")
NOW = datetime(2026, 11, 30, 8, 12, tzinfo=UTC)
MOMENTS = st.datetimes(timezones=st.just(UTC))


def course(*, stale_after: timedelta | None, recorded: datetime = NOW - timedelta(days=71)) -> ConfidenceCourse:
    """A fact of 0.70 recorded some time ago."""
    stale_at = recorded + stale_after if stale_after else None
    is_stale = stale_at is not None and stale_at < NOW
    return ConfidenceCourse(recorded, None, stale_at, NOW, 0.7, 0.35, 0.35 if is_stale else 0.7)


def kinds(drawing: Drawing) -> list[str]:
    """The kinds of its lines but the ones that every drawing has."""
    return [line.kind for line in drawing.lines if line.kind not in {"grid", "axis"}]


def test_a_stale_fact_falls_once_and_its_words_name_the_second() -> None:
    drawing = confidence_drawing(course(stale_after=timedelta(days=35)), OSLO)

    assert kinds(drawing) == ["plot", "fall", "plot", "plot dash", "today"]
    assert "stale 2026-10-25 09:12:00" not in drawing.description
    assert "stale since 2026-10-25 09:12:00" in drawing.description
    assert any(label.text == "stale 2026-10-25 09:12:00" for label in drawing.labels)


def test_a_fresh_fact_falls_in_the_future_only() -> None:
    drawing = confidence_drawing(course(stale_after=timedelta(days=365)), OSLO)

    assert kinds(drawing) == ["plot", "plot dash", "plot dash", "plot dash", "today"]


def test_a_fact_without_a_horizon_never_falls() -> None:
    drawing = confidence_drawing(course(stale_after=None), OSLO)

    assert kinds(drawing) == ["plot", "plot dash", "today"]
    assert "never goes stale" in drawing.description


def test_validity_without_any_bound_is_not_drawn() -> None:
    assert validity_drawing([Validity("v1", None, None, is_old=False)], NOW, OSLO) is None


def test_open_ends_reach_the_borders_of_the_axis() -> None:
    rows = [Validity("v1", None, NOW - timedelta(days=9), is_old=True), Validity("v2", NOW, None, is_old=False)]

    drawing = validity_drawing(rows, NOW, OSLO)

    assert drawing is not None
    assert drawing.spans[0].x == "0.00%"
    assert float(drawing.spans[1].x[:-1]) + float(drawing.spans[1].width[:-1]) == 100


@given(MOMENTS, st.none() | MOMENTS, st.none() | MOMENTS, MOMENTS, st.floats(allow_nan=True))
def test_any_course_can_be_drawn(
    recorded: datetime, reverified: datetime | None, stale: datetime | None, now: datetime, confidence: float
) -> None:
    drawing = confidence_drawing(
        ConfidenceCourse(recorded, reverified, stale, now, confidence, confidence / 2, confidence), OSLO
    )

    assert_within(drawing)


@given(st.lists(st.tuples(st.none() | MOMENTS, st.none() | MOMENTS), max_size=5), MOMENTS)
def test_any_validity_can_be_drawn(bounds: list[tuple[datetime | None, datetime | None]], now: datetime) -> None:
    drawing = validity_drawing([Validity("v", start, end, is_old=False) for start, end in bounds], now, OSLO)

    if drawing is not None:
        assert_within(drawing)


def test_a_moment_beyond_the_calendar_is_unknown() -> None:
    assert utc_datetime(10**21) is None
    assert utc_datetime(0) == datetime(1970, 1, 1, tzinfo=UTC)


def assert_within(drawing: Drawing) -> None:
    """Every position lies within the drawing, and it has only as many words as fit."""
    places = [place for line in drawing.lines for place in (line.x1, line.x2)]
    places += [label.x for label in drawing.labels] + [span.x for span in drawing.spans]
    assert all(0 <= float(place[:-1]) <= 100 for place in places)
    assert all(0 <= y <= drawing.height for line in drawing.lines for y in (line.y1, line.y2))
    assert len(drawing.labels) < 20 + len(drawing.spans)
