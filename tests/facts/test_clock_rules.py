"""How a person names a moment, and how an address holds it."""

from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from apps.facts.clock_rules import BadMomentError, Mark, known_of, read_about, read_known

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("typed", "held"),
    [
        ("", ""),
        (" Now ", ""),
        ("2026-05-20", "2026-05-20T21:59:59.999999Z"),
        ("2026-03-29", "2026-03-29T21:59:59.999999Z"),
        ("2026-05-20 12:00", "2026-05-20T10:00:00Z"),
        ("2026-05-20T10:00:00.25Z", "2026-05-20T10:00:00.250000Z"),
        ("line 1,204", "line 1204"),
        ("Event 18", "event 18"),
    ],
)
def test_as_known_on_a_day_is_its_end_and_everything_is_held_as_an_instant(typed: str, held: str) -> None:
    assert read_known(typed, BERLIN) == held
    assert read_known(held, UTC) == held


def test_about_a_day_is_its_beginning() -> None:
    assert read_about("2026-05-20", BERLIN) == "2026-05-19T22:00:00Z"


@pytest.mark.parametrize("typed", ["yesterday", "2026-02-30", "line", "line x", "0000-01-01", "2026-05-20 25:00"])
def test_what_is_no_moment_is_refused_with_what_can_be_typed(typed: str) -> None:
    with pytest.raises(BadMomentError, match="Type now, a date, a date and a time, line 1204 or event 18"):
        read_known(typed, BERLIN)


def test_about_a_line_is_refused() -> None:
    with pytest.raises(BadMomentError, match="Type now, a date, a date and a time\\."):
        read_about("line 3", BERLIN)


def test_what_an_address_holds_is_read_back() -> None:
    assert known_of("") is None
    assert known_of("line 7") == Mark("line", 7)
    assert known_of("1970-01-01T00:00:01Z") == 1_000_000
