"""Times of memory files become instants only where they bound validity, with their traps."""

import pytest

from apps.facts.formats.times import UnreadableTimeError, time_text, validity_end, validity_start


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2026-03-01", "2026-03-01T00:00:00Z"),
        ("2026-03-01T08:15:30Z", "2026-03-01T08:15:30Z"),
        ("2026-03-01 08:15", "2026-03-01T08:15:00Z"),
        ("2026-03-01T08:15:30.123456789+02:00", "2026-03-01T06:15:30.123456789Z"),
        ("2025-09-29T10:37:29.9005092-06:00", "2025-09-29T16:37:29.900509200Z"),
        ("2026-03-01 08:15:30+00", "2026-03-01T08:15:30Z"),
        (1767225600, "2026-01-01T00:00:00Z"),
        (1767225600000, "2026-01-01T00:00:00Z"),
        ("1767225600", "2026-01-01T00:00:00Z"),
        (1767225600.5, "2026-01-01T00:00:00.500Z"),
    ],
)
def test_a_time_is_read_in_the_spellings_that_files_have(written: object, instant: str) -> None:
    moment = validity_start(written)

    assert moment is not None
    assert moment.text == instant


def test_a_date_alone_is_the_whole_day() -> None:
    start, end = validity_start("2026-12-31"), validity_end("2026-12-31")

    assert start is not None
    assert end is not None
    assert (start.text, end.text) == ("2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z")


@pytest.mark.parametrize("written", ["soon", "2026-13-01", "31/1/26", "9999-12-31T23:59:59-01:00", True, [], 1e30])
def test_what_is_no_time_is_an_error_and_no_open_bound(written: object) -> None:
    with pytest.raises(UnreadableTimeError):
        validity_end(written)


def test_an_absent_time_stays_absent_and_a_kept_one_stays_as_written() -> None:
    assert validity_start(None) is None
    assert validity_end("") is None
    assert time_text("Miércoles 27 Mayo 2026") == "Miércoles 27 Mayo 2026"
    assert time_text(1751370278.2779932) == "1751370278.2779932"
    assert time_text(" ") is None
