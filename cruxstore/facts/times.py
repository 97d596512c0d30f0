"""The format's timestamps, read and written to the nanosecond.

Written: UTC with 0, 3, 6 or 9 fraction digits, ended by `Z` in facts and by `+00:00` in stamps of
operations. Read: any offset, `T` or a blank between date and time, any number of fraction digits,
and second 60, which stays spelled so.
"""

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from cruxstore.errors import BadTimestampError
from cruxstore.facts.records import Timestamp

SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS
HOUR_NS = 60 * MINUTE_NS
DAY_NS = 24 * HOUR_NS

_EPOCH_DAY = date(1970, 1, 1).toordinal()
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_NS = (date(1, 1, 1).toordinal() - 366 - _EPOCH_DAY) * DAY_NS
_END_NS = (date(9999, 12, 31).toordinal() + 1 - _EPOCH_DAY) * DAY_NS
_DAYS_IN_400_YEARS = 146_097

_UNIT_NS = {5: 1_000_000, 8: 1000, 11: 1}
"""What the last digit of a written fraction counts, by the length of `.123Z`."""
_CLOCK = {
    f":{minute:02d}:{second:02d}": minute * MINUTE_NS + second * SECOND_NS
    for minute in range(60)
    for second in range(60)
}
_HOUR = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d)", re.ASCII)
_ANY = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))", re.ASCII)


def parse_timestamp(text: str) -> Timestamp:
    """The instant that a text names; raises BadTimestampError when it names none."""
    hour_ns = _hour_ns(text[:13])
    clock_ns = _CLOCK.get(text[13:19])
    if hour_ns is None or clock_ns is None:
        return _parse_any(text)
    fraction = text[19:]
    if fraction == "Z":
        return Timestamp(text, hour_ns + clock_ns)
    digits = fraction[1:-1]
    unit_ns = _UNIT_NS.get(len(fraction))
    if unit_ns is None or fraction[0] != "." or fraction[-1] != "Z" or not (digits.isdigit() and digits.isascii()):
        return _parse_any(text)
    number = int(digits)
    if number % 1000 == 0:
        return _parse_any(text)
    return Timestamp(text, hour_ns + clock_ns + number * unit_ns)


def format_timestamp(ns: int, *, zulu: bool) -> str:
    """An instant as the format spells it: with `Z` inside facts, with `+00:00` in operations."""
    if not _FIRST_NS <= ns < _END_NS:
        raise BadTimestampError("The time lies outside the years 0000 to 9999.")
    seconds, fraction = divmod(ns, SECOND_NS)
    days, second_of_day = divmod(seconds, 86_400)
    minutes, second = divmod(second_of_day, 60)
    hour, minute = divmod(minutes, 60)
    end = "Z" if zulu else "+00:00"
    return f"{_day_text(days)}T{hour:02d}:{minute:02d}:{second:02d}{_fraction_text(fraction)}{end}"


def stamp_text(moment: Timestamp) -> str:
    """An instant as operations spell it, from the spelling that facts use."""
    return f"{moment.text[:-1]}+00:00"


def timestamp_from_ns(ns: int) -> Timestamp:
    """An instant given in nanoseconds since 1970, with the spelling that facts use."""
    return Timestamp(format_timestamp(ns, zulu=True), ns)


def ns_from_datetime(moment: datetime) -> int:
    """Nanoseconds since 1970 of an aware datetime, exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000


@lru_cache(maxsize=4096)
def _hour_ns(text: str) -> int | None:
    """Nanoseconds at the start of `2026-03-01T08`; remembered, as the lines of one hour are neighbours."""
    match = _HOUR.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour = map(int, match.groups())
    days = _days(year, month, day)
    if days is None or hour > 23:
        return None
    return days * DAY_NS + hour * HOUR_NS


def _days(year: int, month: int, day: int) -> int | None:
    try:
        if year == 0:
            return date(400, month, day).toordinal() - _DAYS_IN_400_YEARS - _EPOCH_DAY
        return date(year, month, day).toordinal() - _EPOCH_DAY
    except ValueError:
        return None


def _parse_any(text: str) -> Timestamp:
    match = _ANY.fullmatch(text)
    if match is None:
        raise BadTimestampError("The time is not spelled like 2026-01-31T08:15:00Z, with seconds and an offset.")
    day, hour, minute, second, digits, sign, offset_hour, offset_minute = match.groups()
    is_leap = second == "60"
    hour_ns = _hour_ns(f"{day}T{hour}")
    clock_ns = _CLOCK.get(f":{minute}:{'59' if is_leap else second}")
    if hour_ns is None or clock_ns is None:
        raise BadTimestampError("The time names a date, an hour, a minute or a second that does not exist.")
    ns = hour_ns + clock_ns
    if sign is not None:
        ns -= _offset_ns(sign, int(offset_hour), int(offset_minute))
    ns += int((digits or "")[:9].ljust(9, "0"))
    spelled = format_timestamp(ns, zulu=True)
    if is_leap:
        return Timestamp(f"{spelled[:17]}60{spelled[19:]}", ns + SECOND_NS)
    return Timestamp(spelled, ns)


def _offset_ns(sign: str, hours: int, minutes: int) -> int:
    if hours > 23 or minutes > 59:
        raise BadTimestampError("The time's offset from UTC is a day or more.")
    size = hours * HOUR_NS + minutes * MINUTE_NS
    return -size if sign == "-" else size


@lru_cache(maxsize=1024)
def _day_text(days: int) -> str:
    if days < date.min.toordinal() - _EPOCH_DAY:
        shifted = date.fromordinal(days + _EPOCH_DAY + _DAYS_IN_400_YEARS)
        return f"0000{shifted.isoformat()[4:]}"
    return date.fromordinal(days + _EPOCH_DAY).isoformat()


def _fraction_text(fraction: int) -> str:
    if fraction == 0:
        return ""
    if fraction % 1_000_000 == 0:
        return f".{fraction // 1_000_000:03d}"
    if fraction % 1000 == 0:
        return f".{fraction // 1000:06d}"
    return f".{fraction:09d}"
