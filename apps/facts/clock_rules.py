"""How a person names a moment, and how an address holds it; values in, values out.

    now, or nothing        the moment at which the page is asked for; not in the address
    2026-05-20             as known on: the end of that day in the person's zone; about: its beginning
    2026-05-20 12:00       that time in the person's zone
    2026-05-20T10:00:00Z   an exact instant
    line 1204, event 18    a place of the journal; only for as known on

An address holds a day and a time as the instant that they stand for, so that it means the same to everybody.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from apps.facts.rules import epoch_us
from cruxstore.errors import BadTimestampError, CruxError
from cruxstore.facts.times import parse_timestamp

_PLACE = re.compile(r"(line|event)[ +]?([0-9][0-9,]{0,15})", re.ASCII | re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_LOCAL = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?", re.ASCII)


class BadMomentError(CruxError):
    """What was typed names no moment, or none that the journal has."""

    code = "bad_moment"


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of the journal by number: a line, or an event."""

    kind: Literal["line", "event"]
    number: int


def read_known(text: str, zone: tzinfo) -> str:
    """As known on, as an address holds it; empty for now."""
    text = text.strip()
    place = _PLACE.fullmatch(text)
    if place is not None:
        return f"{place[1].lower()} {int(place[2].replace(',', ''))}"
    return _instant(text, zone, is_end_of_day=True, others=", line 1204 or event 18")


def read_about(text: str, zone: tzinfo) -> str:
    """About, as an address holds it; empty for now."""
    return _instant(text.strip(), zone, is_end_of_day=False, others="")


READERS = {"known": read_known, "about": read_about}
"""The two clocks, and what an address holds of each."""


def known_of(text: str) -> Mark | int | None:
    """What `read_known` has written: a place, microseconds since 1970, or None for now."""
    place = _PLACE.fullmatch(text)
    if place is not None:
        return Mark("line" if place[1].lower() == "line" else "event", int(place[2]))
    return about_of(text)


def about_of(text: str) -> int | None:
    """What `read_about` has written, in microseconds since 1970; None for now."""
    return parse_timestamp(text).ns // 1000 if text else None


def instant_text(microseconds: int) -> str:
    """An instant as an address holds it."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
    return moment.isoformat().replace("+00:00", "Z")


def _instant(text: str, zone: tzinfo, *, is_end_of_day: bool, others: str) -> str:
    if not text or text.lower() == "now":
        return ""
    try:
        if _DAY.fullmatch(text):
            day = datetime.fromisoformat(text)
            if is_end_of_day:
                next_day = (day + timedelta(days=1)).replace(tzinfo=zone)
                return instant_text(epoch_us(next_day.astimezone(UTC)) - 1)
            return instant_text(epoch_us(day.replace(tzinfo=zone).astimezone(UTC)))
        if _LOCAL.fullmatch(text):
            return instant_text(epoch_us(datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)))
        return instant_text(parse_timestamp(text).ns // 1000)
    except (BadTimestampError, ValueError, OverflowError) as error:
        raise BadMomentError(f"{text} is no moment. Type now, a date, a date and a time{others}.") from error
