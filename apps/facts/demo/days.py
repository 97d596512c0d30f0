"""Days of the story as dates: the story counts from the day the demo is made, which it takes for a Monday.

The last two weeks are taken as they are counted. Everything before moves back by up to six days, so that
the story's Mondays fall on Mondays and its weekends on weekends, whatever day the demo is made.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from cruxstore.facts.times import DAY_NS, MINUTE_NS

RECENT_DAYS = 13
EPOCH = date(1970, 1, 1)
# Spelled here, not by strftime: the story is English whatever the machine speaks.
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_IN_TEXT = re.compile(r"\[\[([+-]?\d+(?: (?:first|last|next))?)(?: (date|day|month|year|weekday))?\]\]")


@dataclass(frozen=True)
class StoryDays:
    """Tells dates and instants of the story for one day on which the demo is made."""

    today: date

    def date_of(self, spec: str | int) -> date:
        """The date that `-60` names, or with `first`, `last` or `next` the edges of its month: `-60 first`."""
        offset_text, _, edge = str(spec).partition(" ")
        offset = int(offset_text)
        moved = self.today.weekday() if offset < -RECENT_DAYS else 0
        day = self.today + timedelta(days=offset - moved)
        if edge == "first":
            return day.replace(day=1)
        next_month = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
        if edge == "next":
            return next_month
        return next_month - timedelta(days=1) if edge == "last" else day

    def midnight_ns(self, spec: str | int) -> int:
        """The start of that date in UTC, in nanoseconds since 1970."""
        return (self.date_of(spec) - EPOCH).days * DAY_NS

    def moment_ns(self, day: int, at: str) -> int:
        """The minute `at`, as `08:41`, of a day of the story."""
        hours, minutes = at.split(":")
        return self.midnight_ns(day) + (int(hours) * 60 + int(minutes)) * MINUTE_NS

    def spelled(self, text: str) -> str:
        """A text with its dates filled in: `[[-8]]`, `[[-8 day]]`, `[[-8 date]]`, `[[+30 month]]` and so on."""
        return _IN_TEXT.sub(lambda match: self._spell(match[1], match[2]), text)

    def _spell(self, spec: str, form: str | None) -> str:
        day = self.date_of(spec)
        month = MONTHS[day.month - 1]
        match form:
            case "date":
                return f"{day.day} {month} {day.year}"
            case "day":
                return f"{day.day} {month}"
            case "month":
                return f"{month} {day.year}"
            case "year":
                return str(day.year)
            case "weekday":
                return WEEKDAYS[day.weekday()]
            case _:
                return day.isoformat()
