"""Timestamps to the nanosecond, in both spellings and every form that the format reads."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import BadTimestampError
from cruxstore.facts.records import Timestamp
from cruxstore.facts.times import (
    format_timestamp,
    ns_from_datetime,
    parse_timestamp,
    stamp_text,
    timestamp_from_ns,
)

NEW_YEAR_NS = 1_767_225_600_000_000_000


@pytest.mark.parametrize(
    ("fraction_ns", "fraction"),
    [(0, ""), (100_000_000, ".100"), (1000, ".000001"), (123_456_789, ".123456789"), (1, ".000000001")],
)
def test_an_instant_is_spelled_with_as_many_digits_as_it_needs(fraction_ns: int, fraction: str) -> None:
    ns = NEW_YEAR_NS + fraction_ns

    assert format_timestamp(ns, zulu=True) == f"2026-01-01T00:00:00{fraction}Z"
    assert format_timestamp(ns, zulu=False) == f"2026-01-01T00:00:00{fraction}+00:00"
    assert parse_timestamp(f"2026-01-01T00:00:00{fraction}Z") == Timestamp(f"2026-01-01T00:00:00{fraction}Z", ns)


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00Z"),
        ("2025-12-31T20:30:00-03:30", "2026-01-01T00:00:00Z"),
        ("2026-01-01 00:00:00Z", "2026-01-01T00:00:00Z"),
        ("2026-01-01T00:00:00+0000", "2026-01-01T00:00:00Z"),
        ("2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00Z"),
        ("2026-01-01t00:00:00z", "2026-01-01T00:00:00Z"),
        ("2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.100Z"),
        ("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00Z"),
        ("2026-01-01T00:00:00.100000Z", "2026-01-01T00:00:00.100Z"),
        ("2026-01-01T00:00:00.1234567899999Z", "2026-01-01T00:00:00.123456789Z"),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ("0000-02-29T12:00:00Z", "0000-02-29T12:00:00Z"),
        ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
    ],
)
def test_other_spellings_are_read_and_written_in_the_usual_one(text: str, spelled: str) -> None:
    moment = parse_timestamp(text)

    assert moment.text == spelled
    assert moment.ns == parse_timestamp(spelled).ns


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z"),
        ("2016-12-31T23:59:60.5Z", "2016-12-31T23:59:60.500Z"),
        ("2017-01-01T00:59:60+01:00", "2016-12-31T23:59:60Z"),
    ],
)
def test_a_leap_second_stays_one(text: str, spelled: str) -> None:
    moment = parse_timestamp(text)

    assert moment.text == spelled
    assert moment.ns >= parse_timestamp("2017-01-01T00:00:00Z").ns


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-01-01",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00,5Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+01:60",
        "2026-01-01T00:00:00+2",
        "2026-01-01T00:00:00.١٢٣Z",
        "٢٠٢٦-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z ",
        "2026-01-01_00:00:00Z",
        "12026-01-01T00:00:00Z",
        "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "2026-01-01T00:00:00.1_3Z",
        "2026-01-01T00:00:00.+12Z",
    ],
)
def test_what_names_no_instant_is_refused(text: str) -> None:
    with pytest.raises(BadTimestampError):
        parse_timestamp(text)


@given(st.integers(-62_167_219_200_000_000_000, 253_402_300_799_999_999_999))
def test_every_instant_of_the_years_0_to_9999_comes_back(ns: int) -> None:
    moment = timestamp_from_ns(ns)

    assert parse_timestamp(moment.text) == moment
    assert stamp_text(moment) == format_timestamp(ns, zulu=False)


@pytest.mark.parametrize("ns", [-62_167_219_200_000_000_001, 253_402_300_800_000_000_000])
def test_an_instant_outside_these_years_is_not_spelled(ns: int) -> None:
    with pytest.raises(BadTimestampError):
        format_timestamp(ns, zulu=True)


@given(st.datetimes(timezones=st.just(UTC)))
def test_an_instant_is_spelled_as_python_would(moment: datetime) -> None:
    ns = ns_from_datetime(moment)

    assert datetime.fromisoformat(format_timestamp(ns, zulu=False)) == moment
