"""Dates, days of the week and times of day, as exactly as a sentence gives them.

    14 March 1990   ->  1990, March, the 14th
    autumn 2026     ->  2026, September to November
    27.07.          ->  July, the 27th
    Thu 14:00-18:00 ->  Thursdays; 14:00 and 18:00

What is left open stands for anything: `March 1990` holds `14 March 1990`.
"""

# ruff: noqa: SIM905 - lists of words read better as text

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from cruxstore.trust.contradiction.lexicon import Word
from cruxstore.trust.contradiction.units import UNITS
from cruxstore.trust.contradiction.words.language import Cue

EVERY_MONTH = 0
_SEASONS = (
    0b000000011100,
    0b000011100000,
    0b011100000000,
    0b100000000011,
    0b000000000111,
    0b000000111000,
    0b000111000000,
    0b111000000000,
)
"""Months as bits, January first: spring, summer, autumn, winter, and the four quarters."""

_WEEKDAYS = (*(1 << day for day in range(7)), 0b0011111, 0b1100000)
"""Days of the week as bits, Monday first; then those of work, and the weekend."""

_ISO = re.compile(r"(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:t.*)?")
_DAY_FIRST = re.compile(r"(\d{1,2})([./])(\d{1,2})\2(\d{2,4})?")
_HAN = re.compile(r"(?:(\d{1,4})年)?(?:(\d{1,2})月)?(?:(\d{1,2})[日号])?")
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2})?")
_BEFORE_HALVES = frozenset("in the at de la du l am".split())
_AFTERNOONS = frozenset("afternoon evening abends nachmittags abend nachmittag soir tarde noche вечера дня".split())
SUFFIXES = frozenset(("st", "nd", "rd", "th", "er", "ere", "e", "º", "ª", "го", "е", "º"))
_BETWEEN = frozenset(("of", "de", "del", "the", "d", "."))
_DASHES = frozenset("- – — −".split())
_OCLOCK = frozenset(("uhr", "o clock"))
_ABBREVIATED = frozenset(
    (
        "mon",
        "wed",
        "sat",
        "sun",
        "tue",
        "thu",
        "fri",
        "mar",
        "may",
        "march",
        "mars",
        "среду",
        "среда",
        "segunda",
        "terca",
        "quarta",
        "quinta",
        "sexta",
    )
)
"""Words that are something else as well: a day or month only where more of a date stands beside them."""

_END_OF, _START_OF, _MIDDLE_OF = 1 << Cue.END_OF, 1 << Cue.START_OF, 1 << Cue.MIDDLE_OF
_TO, _STOP = 1 << Cue.TO, 1 << Cue.STOP
_PLACED = (
    _STOP
    | 1 << Cue.START
    | 1 << Cue.END
    | _TO
    | _END_OF
    | _START_OF
    | _MIDDLE_OF
    | 1 << Cue.BETWEEN
    | 1 << Cue.AT_MOST
    | 1 << Cue.AT_LEAST
)


class Day(NamedTuple):
    """A day as far as it is given: year, months as bits, day, 0 where open; `turned` has day and month exchanged."""

    year: int
    months: int
    day: int
    shown: str
    turned: tuple[int, int] | None = None


class Moments(NamedTuple):
    """What a stretch of text says of time."""

    days: tuple[Day, ...] = ()
    weekdays: int = 0
    times: tuple[int, ...] = ()


class Fit(IntEnum):
    """What two moments are to each other; the first is `NARROWER` where it says more."""

    NONE = 0
    EQUAL = 1
    NARROWER = 2
    WIDER = 3
    CONFLICT = 4
    UNCLEAR = 5


def moments_at(words: Sequence[Word], at: int, language: int) -> tuple[Moments, int] | None:
    """What is said of time from here on, and where it ends; none where this is no date."""
    word = words[at]
    if word.digits:
        return _dated_digits(words, at, language)
    if word.month and _is_meant(words, at):
        return _month_first(words, at)
    if word.season >= 0:
        year, end = _year_after(words, at + 1)
        return Moments((Day(year, _SEASONS[word.season], 0, _shown(words, at, end)),)), end
    if word.weekday >= 0 and _is_meant(words, at):
        return Moments(weekdays=_WEEKDAYS[word.weekday]), at + 1
    if word.day_part:
        return Moments(times=(_minutes(word.day_part),)), at + 1
    if word.ordinal and at + 1 < len(words):
        end = at + 1
        while end < len(words) and words[end].text in _BETWEEN:
            end += 1
        if end < len(words) and words[end].month and words[at].text not in ("second",):
            year, after = _year_after(words, end + 1)
            return Moments((Day(year, 1 << (words[end].month - 1), word.ordinal, _shown(words, at, after)),)), after
    return None


def part_at(words: Sequence[Word], at: int) -> tuple[Moments, int] | None:
    """A part of a year or month, where its beginning, middle or end is named here."""
    cues = words[at].cues & (_END_OF | _START_OF | _MIDDLE_OF)
    if not cues:
        return None
    end = at + 1
    while end < len(words) and (words[end].cues & _STOP or words[end].text == "-"):
        end += 1
    if end >= len(words):
        return None
    word = words[end]
    if _is_year(word):
        months = 0b111000000000 if cues & _END_OF else 0b000000001111 if cues & _START_OF else 0b000011110000
        return Moments((Day(int(word.digits), months, 0, _shown(words, at, end + 1)),)), end + 1
    if word.month:
        year, after = _year_after(words, end + 1)
        return Moments((Day(year, 1 << (word.month - 1), 0, _shown(words, at, after)),)), after
    return None


def _dated_digits(words: Sequence[Word], at: int, language: int) -> tuple[Moments, int] | None:
    digits = words[at].digits
    text = _shown(words, at, at + 1)
    if digits.isdigit():
        return _plain_digits(words, at, language)
    if found := _ISO.fullmatch(digits):
        year, month, day = int(found[1]), int(found[2]), int(found[3] or 0)
        return (Moments((Day(year, 1 << (month - 1), day, text),)), at + 1) if 1 <= month <= 12 and day <= 31 else None
    if found := _CLOCK.fullmatch(digits):
        if ":" not in digits and not (at + 1 < len(words) and words[at + 1].text in _OCLOCK):
            return None
        return _clock(words, at, int(found[1]), int(found[2]))
    if found := _DAY_FIRST.fullmatch(digits):
        return _by_numbers(found, text, at, language)
    if (found := _HAN.fullmatch(digits)) and any(found.groups()):
        year, month, day = (int(part or 0) for part in found.groups())
        return Moments((Day(year, 1 << (month - 1) if month else 0, day, text),)), at + 1
    return None


def _by_numbers(found: re.Match[str], text: str, at: int, language: int) -> tuple[Moments, int] | None:
    day, month = int(found[1]), int(found[3])
    year = int(found[4] or 0)
    if found[4] and len(found[4]) == 2:
        year += 2000 if year < 70 else 1900
    if found[4] is None and language == 0:
        return None
    if month > 12:
        day, month = month, day
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    is_open = found[2] == "/" and language == 0 and day <= 12
    return Moments((Day(year, 1 << (month - 1), day, text, (1 << (day - 1), month) if is_open else None),)), at + 1


def _plain_digits(words: Sequence[Word], at: int, language: int) -> tuple[Moments, int] | None:
    number, end, size = int(words[at].digits), at + 1, len(words)
    following = words[end] if end < size else None
    if following is not None and 1 <= number <= 31:
        after = end
        while after < size and (words[after].text in SUFFIXES or words[after].text in _BETWEEN) and after - end < 3:
            after += 1
        if after < size and words[after].month:
            month = 1 << (words[after].month - 1)
            year, finish = _year_after(words, after + 1)
            return Moments((Day(year, month, number, _shown(words, at, finish)),)), finish
        if after < size and (words[after].cues & _TO or words[after].text in _DASHES) and after + 1 < size:
            second = _plain_range(words, after + 1, language)
            if second is not None:
                to, finish = second
                first = Day(to.year, to.months, number, _shown(words, at, finish))
                return Moments((first, to)), finish
    if following is not None and number <= 24:
        if (following.cues & _TO or following.text in _DASHES) and end + 1 < size and words[end + 1].digits:
            until = moments_at(words, end + 1, language)
            if until is not None and until[0].times and not until[0].days:
                close, is_pm = until[0].times[0], words[until[1] - 1].text == "pm"
                opening = number * 60 + (720 if is_pm and number < 12 and number * 60 + 720 < close else 0)
                return Moments(times=(opening, close)), until[1]
        if following.text in ("am", "pm") and number <= 12:
            return Moments(times=(number % 12 * 60 + (720 if following.text == "pm" else 0),)), end + 1
        if following.text in ("a", "p") and end + 1 < size and words[end + 1].text in (".", "m"):
            return Moments(times=(number % 12 * 60 + (720 if following.text == "p" else 0),)), end + 1
        if following.text in _OCLOCK:
            return _clock(words, at, number, 0)
        if (
            following.text == "h"
            and end + 1 < size
            and words[end + 1].digits.isdigit()
            and len(words[end + 1].digits) == 2
        ):
            return Moments(times=(number * 60 + int(words[end + 1].digits),)), end + 2
        if following.text in ("h", "heures", "heure") and at and words[at - 1].text == "a":
            return Moments(times=(number * 60,)), end + 1
        if at > 1 and words[at - 1].text in ("las", "la") and words[at - 2].text == "a":
            return _clock(words, at, number, 0)
    if _is_year(words[at]) and _stands_for_year(words, at):
        finish = (
            end + 1
            if following is not None
            and following.unit in ("yr", "g")
            and following.text in ("год", "года", "году", "г")
            else end
        )
        return Moments((Day(number, EVERY_MONTH, 0, words[at].text),)), finish
    return None


def _plain_range(words: Sequence[Word], at: int, language: int) -> tuple[Day, int] | None:
    while at < len(words) and words[at].cues & _STOP and not words[at].digits:
        at += 1
    if at >= len(words) or not words[at].digits.isdigit():
        return None
    found = _plain_digits(words, at, language)
    if found is None or not found[0].days or not found[0].days[0].day:
        return None
    return found[0].days[0], found[1]


def _clock(words: Sequence[Word], at: int, hour: int, minute: int) -> tuple[Moments, int] | None:
    end = at + 1
    if hour > 24 or minute > 59:
        return None
    if end < len(words):
        if words[end].text in ("am", "pm") and hour <= 12:
            hour = hour % 12 + (12 if words[end].text == "pm" else 0)
            end += 1
        elif words[end].text in _OCLOCK:
            end += 1
        hour, end = _half_of_day(words, end, hour)
    return Moments(times=(hour % 24 * 60 + minute,)), end


def _half_of_day(words: Sequence[Word], end: int, hour: int) -> tuple[int, int]:
    """The hour as the words after it mean it: 7 in the evening, 7 Uhr abends, 7 heures du soir."""
    after = end
    while after < len(words) and after - end < 3 and words[after].text in _BEFORE_HALVES:
        after += 1
    if after >= len(words) or words[after].text not in _AFTERNOONS or hour > 12:
        return hour, end
    return hour % 12 + 12, after + 1


def _month_first(words: Sequence[Word], at: int) -> tuple[Moments, int]:
    month, end, day = 1 << (words[at].month - 1), at + 1, 0
    if end < len(words) and words[end].text == ".":
        end += 1 if end + 1 < len(words) and words[end + 1].digits else 0
    if end < len(words) and words[end].digits.isdigit() and 1 <= int(words[end].digits) <= 31:
        is_measured = end + 1 < len(words) and words[end + 1].unit in UNITS
        day, end = (0, end) if is_measured else (int(words[end].digits), end + 1)
        if day and end < len(words) and words[end].text in SUFFIXES:
            end += 1
    if end + 1 < len(words) and words[end].text == "," and _is_year(words[end + 1]):
        end += 1
    year, end = _year_after(words, end)
    return Moments((Day(year, month, day, _shown(words, at, end)),)), end


def _year_after(words: Sequence[Word], at: int) -> tuple[int, int]:
    end = at
    while end < len(words) and end - at < 2 and words[end].text in ("of", "de", "del", "."):
        end += 1
    if end < len(words) and _is_year(words[end]):
        year, end = int(words[end].digits), end + 1
        if end < len(words) and words[end].text in ("года", "год", "году", "г"):
            end += 1
        return year, end
    return 0, at


def _is_year(word: Word) -> bool:
    return len(word.digits) == 4 and word.digits.isdigit() and 1900 <= int(word.digits) <= 2100


def _stands_for_year(words: Sequence[Word], at: int) -> bool:
    following = words[at + 1] if at + 1 < len(words) else None
    if following is not None and following.text == "г":
        return at > 0 and bool(words[at - 1].cues & _PLACED or words[at - 1].month)
    if (
        following is None
        or following.breaks
        or following.text in ("года", "год", "году", "г", "and", "y", "et", "und", "и")
    ):
        return at == 0 or not words[at - 1].is_plain or following is None
    if following.unit or following.is_plain:
        return at > 0 and bool(words[at - 1].cues & _PLACED) and not following.unit
    return True


def _is_meant(words: Sequence[Word], at: int) -> bool:
    if words[at].text not in _ABBREVIATED or len(words) == 1:
        return True
    beside = [words[by] for by in (at - 1, at + 1) if 0 <= by < len(words)]
    if any(word.digits or word.weekday >= 0 or word.text in _DASHES for word in beside):
        return True
    return (
        words[at].month > 0
        and at > 0
        and bool(words[at - 1].cues & _PLACED)
        and words[at - 1].text
        in (
            "in",
            "of",
            "since",
            "until",
            "by",
            "from",
            "end of",
            "early",
            "late",
            "mid",
            "en",
            "de",
            "im",
            "till",
            "through",
            "to",
            "for",
            "before",
            "after",
            "last",
            "next",
        )
    )


def _minutes(clock: str) -> int:
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute)


def _shown(words: Sequence[Word], at: int, end: int) -> str:
    return " ".join(word.text for word in words[at:end] if word.text not in (".", ","))


def fit_days(first: Sequence[Day], second: Sequence[Day]) -> Fit:
    """What two lists of days are to each other: one by one where they are as long, each with each otherwise."""
    if not first or not second:
        return Fit.NONE
    years, others = {day.year for day in first if day.year}, {day.year for day in second if day.year}
    if years and others and years.isdisjoint(others):
        return Fit.CONFLICT
    if len(first) == len(second):
        return _joined([_fit_day(one, other) for one, other in zip(first, second, strict=True)])
    fits = [_fit_day(one, other) for one in first for other in second]
    return Fit.CONFLICT if all(fit == Fit.CONFLICT for fit in fits) else Fit.UNCLEAR


def fit_times(first: Sequence[int], second: Sequence[int]) -> Fit:
    """What two lists of times of day are to each other."""
    if not first or not second:
        return Fit.NONE
    if len(first) == len(second):
        return Fit.EQUAL if tuple(first) == tuple(second) else Fit.CONFLICT
    shorter, longer = sorted((first, second), key=len)
    if set(shorter) <= set(longer):
        return Fit.WIDER if shorter is first else Fit.NARROWER
    return Fit.UNCLEAR


def fit_weekdays(first: int, second: int) -> Fit:
    """What two sets of days of the week are to each other."""
    if not first or not second:
        return Fit.NONE
    if first == second:
        return Fit.EQUAL
    return Fit.UNCLEAR if first & second else Fit.CONFLICT


def _fit_day(first: Day, second: Day) -> Fit:
    fits = [_fit_parts(one, other) for one in _readings(first) for other in _readings(second)]
    return min(fits, key=lambda fit: (fit == Fit.CONFLICT, fit != Fit.EQUAL, fit))


def _readings(day: Day) -> list[Day]:
    return [day] if day.turned is None else [day, Day(day.year, day.turned[0], day.turned[1], day.shown)]


def _fit_parts(first: Day, second: Day) -> Fit:
    if first.year and second.year and first.year != second.year:
        return Fit.CONFLICT
    if first.months and second.months and not first.months & second.months:
        return Fit.CONFLICT
    if first.day and second.day and first.day != second.day:
        return Fit.CONFLICT
    one = (bool(first.year), -first.months.bit_count() if first.months else -12, bool(first.day))
    other = (bool(second.year), -second.months.bit_count() if second.months else -12, bool(second.day))
    if one == other:
        return Fit.EQUAL
    if all(mine >= theirs for mine, theirs in zip(one, other, strict=True)):
        return Fit.NARROWER
    if all(mine <= theirs for mine, theirs in zip(one, other, strict=True)):
        return Fit.WIDER
    return Fit.UNCLEAR


def _joined(fits: Sequence[Fit]) -> Fit:
    if Fit.CONFLICT in fits:
        return Fit.CONFLICT
    kinds = set(fits) - {Fit.EQUAL}
    if not kinds:
        return Fit.EQUAL
    return kinds.pop() if len(kinds) == 1 else Fit.UNCLEAR
