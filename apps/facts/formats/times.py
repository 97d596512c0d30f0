"""Times as memory files write them, made into instants only where they bound a fact's validity.

Read: dates and times of ISO 8601, with an offset or without one (then taken as UTC), and epoch
numbers in seconds, milliseconds, microseconds or nanoseconds, told apart by their size. A date
alone is the whole day: validity begins at its start, and ends when it is over.
"""

import re
from datetime import UTC, datetime

import orjson

from cruxstore.errors import BadTimestampError
from cruxstore.facts.records import Timestamp
from cruxstore.facts.times import DAY_NS, SECOND_NS, ns_from_datetime, parse_timestamp, timestamp_from_ns

_EPOCH_UNITS = ((10**11, SECOND_NS), (10**14, 10**6), (10**17, 10**3), (10**20, 1))
_EPOCH_TEXT = re.compile(r"\d{9,19}(\.\d+)?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))? ?([Zz]|UTC|[+-]\d\d(?::?\d\d)?)?", re.ASCII
)


class UnreadableTimeError(ValueError):
    """A value stands where a time belongs and names none."""


def time_text(value: object) -> str | None:
    """A time as the file spells it; None where it gives none."""
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return orjson.dumps(value).decode() if abs(value) < 2**63 else None


def validity_start(value: object) -> Timestamp | None:
    """The instant at which validity begins; None where the file gives none."""
    return _instant(value, is_end=False)


def validity_end(value: object) -> Timestamp | None:
    """The instant from which a fact no longer holds; None where the file gives none."""
    return _instant(value, is_end=True)


def _instant(value: object, *, is_end: bool) -> Timestamp | None:
    if value is None or value == "":
        return None
    try:
        return timestamp_from_ns(_ns(value, is_end=is_end))
    except (BadTimestampError, ValueError, OverflowError) as error:
        raise UnreadableTimeError(str(error)) from error


def _ns(value: object, *, is_end: bool) -> int:
    if isinstance(value, bool):
        raise UnreadableTimeError("a boolean")
    if isinstance(value, int | float):
        return _epoch_ns(value)
    if not isinstance(value, str):
        raise UnreadableTimeError("no text")
    text = value.strip()
    if _DATE.fullmatch(text):
        midnight = datetime.fromisoformat(text).replace(tzinfo=UTC)
        return ns_from_datetime(midnight) + (DAY_NS if is_end else 0)
    if _EPOCH_TEXT.fullmatch(text):
        return _epoch_ns(float(text) if "." in text else int(text))
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise UnreadableTimeError("no time")
    day, minute, second, fraction, offset = match.groups()
    return parse_timestamp(f"{day}T{minute}{second or ':00'}{_fraction(fraction)}{_offset(offset)}").ns


def _epoch_ns(number: int | float) -> int:
    for limit, unit in _EPOCH_UNITS:
        if abs(number) < limit:
            return int(number) * unit + round((number - int(number)) * unit)
    raise UnreadableTimeError("too large")


def _fraction(digits: str | None) -> str:
    return f".{digits}" if digits else ""


def _offset(text: str | None) -> str:
    if text is None or text in {"Z", "z", "UTC"}:
        return "Z"
    return f"{text}:00" if len(text) == 3 else text
