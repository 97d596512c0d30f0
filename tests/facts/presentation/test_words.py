"""Numbers, sizes, ages and confidences are written one way everywhere."""

import pytest

from apps.facts.presentation import words

SECOND = 1_000_000_000
DAY = 86_400 * SECOND


@pytest.mark.parametrize(
    "value, written",
    [
        (0.9, "0.90"),
        (0.475, "0.475"),
        (0.35, "0.35"),
        (1.0, "1.00"),
        (0.0, "0.00"),
        (-2.5, "-2.50"),
        (1e30, "1e+30"),
        (float("inf"), "infinite"),
        (float("-inf"), "minus infinite"),
        (float("nan"), "not a number"),
    ],
)
def test_a_confidence_has_two_or_three_decimals(value: float, written: str) -> None:
    assert words.confidence(value) == written


@pytest.mark.parametrize(
    "value, width",
    [(0.35, "35"), (1.0, "100"), (7.0, "100"), (-1.0, "0"), (float("inf"), "100"), (float("nan"), "0")],
)
def test_a_bar_never_leaves_its_track(value: float, width: str) -> None:
    assert words.percent(value) == width


@pytest.mark.parametrize(
    "span, written",
    [
        (0, "0 s"),
        (59 * SECOND, "59 s"),
        (60 * SECOND, "1 min"),
        (23 * 3600 * SECOND + 29 * 60 * SECOND, "23 h 29 min"),
        (DAY, "1 d"),
        (52 * DAY + 19 * 3600 * SECOND, "52 d 19 h"),
        (35 * DAY + 59 * 60 * SECOND, "35 d"),
        (-DAY, "1 d"),
    ],
)
def test_an_age_names_its_two_largest_units(span: int, written: str) -> None:
    assert words.age(span) == written


@pytest.mark.parametrize(
    "count, written", [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (10_485_760, "10.5 MB")]
)
def test_a_size_has_a_unit(count: int, written: str) -> None:
    assert words.size(count) == written


def test_numbers_are_grouped() -> None:
    assert words.grouped(1204877) == "1,204,877"
    assert words.plural(1, "fact") == "1 fact"
    assert words.plural(1200, "entity", "entities") == "1,200 entities"
