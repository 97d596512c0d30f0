"""Numbers in a sentence: how they are spelled, what they count or measure, and whether two can be of the same thing.

    at most 2 t      ->  mass, up to 2,000 kg
    anderthalb km    ->  length, 1,500 m
    eight planets    ->  a count of planets, 8
    600 a minute     ->  a count in a second, 10

A number is an interval: exact, open at one side ("more than one"), or with some room ("about 300").
"""

# ruff: noqa: SIM905 - lists of words read better as text

import math
import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from cruxstore.trust.contradiction.lexicon import LANGUAGES, SILENT, UNKNOWN, Word
from cruxstore.trust.contradiction.units import UNITS, measured
from cruxstore.trust.contradiction.words.language import Cue

COUNT = "count"
ORDINAL = "ordinal"
EVERY = "every"
RATIO = "ratio"

ABOUT = 0.15
"""The room that "about" leaves."""

NOUNS = 3
"""How many words after a number may say what is counted."""

_GROUPED = re.compile(r"\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?")
_BY_DOTS = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_BY_COMMAS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SINGLE = re.compile(r"\d+(?:[.,]\d+)?")
_MINUS = frozenset("- − – minus минус menos moins".split())
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_ARTICLES = frozenset("a an one ein eine einen einer eines un une una".split())
_TIMES = frozenset(("une fois", "una vez")) | frozenset(
    "once twice thrice times einmal zweimal dreimal viermal fuenfmal mal fois vez veces раз раза дважды трижды".split()
)
_DASHES = frozenset("- − – —".split())
_TINY = 1e-9
_ROUNDED = 0.006
_ROUNDED_DIMENSIONS = frozenset(
    ("temperature", "length", "mass", "volume", "speed", "energy", "pressure", "area", "power")
)
"""What is often rounded when it is told in another unit."""
_BINARY = tuple(1.024**power for power in range(5))
"""1 TB is 1,000 GB to some, 1,024 GB to others."""

_AT_LEAST, _AT_MOST, _MORE, _LESS = 1 << Cue.AT_LEAST, 1 << Cue.AT_MOST, 1 << Cue.MORE_THAN, 1 << Cue.LESS_THAN
_ABOUT, _OR_MORE, _OR_LESS = 1 << Cue.ABOUT, 1 << Cue.OR_MORE, 1 << Cue.OR_LESS
_PER, _EVERY, _TO, _AND, _STOP, _LABEL = (
    1 << Cue.PER,
    1 << Cue.EVERY,
    1 << Cue.TO,
    1 << Cue.AND,
    1 << Cue.STOP,
    1 << Cue.LABEL,
)
_BOUNDS = _AT_LEAST | _AT_MOST | _MORE | _LESS | _ABOUT
_SIGNS = {">": _MORE, "<": _LESS, "≥": _AT_LEAST, "≤": _AT_MOST, "~": _ABOUT, "≈": _ABOUT}


class Bound(IntEnum):
    """How much a number says."""

    EXACT = 0
    LOWER = 1
    UPPER = 2
    RANGE = 3


class Quantity(NamedTuple):
    """What is counted or measured, and between which values it lies; `other` reads it with another decimal mark."""

    dimension: str
    low: float
    high: float
    bound: Bound
    nouns: frozenset[str]
    shown: str
    factor: float
    other: float | None

    @property
    def is_bare(self) -> bool:
        """Whether nothing says what is counted."""
        return self.dimension == COUNT and not self.nouns


class Agreement(IntEnum):
    """What two numbers of one thing are to each other; the first is `NARROWER` where it says more."""

    APART = 0
    EQUAL = 1
    NARROWER = 2
    WIDER = 3
    OVERLAP = 4


def parse_number(digits: str, language: int) -> tuple[float, float | None] | None:
    """The number that digits spell, and what else they may spell; none where they are a version or a list."""
    digits = digits.rstrip(".")
    if _GROUPED.fullmatch(digits):
        whole = digits.replace(" ", "").replace("'", "").replace("’", "")
        return float(whole.replace(",", ".")), None
    if _SINGLE.fullmatch(digits):
        mark = "." if "." in digits else "," if "," in digits else ""
        if not mark:
            return float(digits), None
        head, _, tail = digits.partition(mark)
        decimal = float(f"{head}.{tail}")
        if len(tail) != 3 or len(head) > 3 or head[0] == "0":
            return decimal, None
        grouped = float(head + tail)
        if language == UNKNOWN:
            return grouped, decimal
        if LANGUAGES[language].decimal_mark != mark:
            return grouped, None
        return (decimal, None) if mark == "." else (decimal, grouped)
    if _BY_DOTS.fullmatch(digits):
        return float(digits.replace(".", "").replace(",", ".")), None
    if _BY_COMMAS.fullmatch(digits):
        return float(digits.replace(",", "")), None
    return None


def number_at(words: Sequence[Word], at: int, language: int) -> tuple[float, float | None, int] | None:
    """The number that starts here, in digits or words, what else it may be, and where it ends."""
    word = words[at]
    if word.digits:
        parsed = parse_number(word.digits, language)
        if parsed is None:
            return None
        value, other = parsed
        at += 1
        while at < len(words) and words[at].scale:
            value *= words[at].scale
            other = other and other * words[at].scale
            at += 1
            if at < len(words) and words[at].text == "." and at + 1 < len(words) and words[at + 1].unit:
                at += 1
        return value, other, at
    spelled = _spelled(words, at)
    return None if spelled is None else (spelled[0], None, spelled[1])


def _spelled(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    total = current = 0.0
    start, end = at, len(words)
    while at < end:
        word = words[at]
        if word.number is not None:
            if word.number == 12 and current and word.text not in ("twelve", "zwoelf", "douze", "doce", "двенадцать"):
                current *= 12
            elif at > start and not (_joins(current, word.number) or (total and not current)):
                break
            else:
                current += word.number
        elif word.scale:
            if word.scale >= 1000:
                total += (current or 1) * word.scale
                current = 0
            else:
                current = (current or 1) * word.scale
        elif word.fraction is not None:
            current += word.fraction
            at += 1
            break
        elif (
            (word.cues & _AND or (word.text in ("a", "ein", "une", "un") and at > start))
            and at + 1 < end
            and at > start
            and (
                words[at + 1].fraction is not None
                or (words[at + 1].number is not None and _joins(current, words[at + 1].number or 0))
                or (word.cues & _AND and at + 2 < end and words[at + 2].fraction is not None)
            )
        ):
            pass
        else:
            break
        at += 1
    return None if at == start else (total + current, at)


def _joins(current: float, number: float) -> bool:
    """Whether a number word goes on with what was said: twenty five, four hundred ten, quatre vingt douze."""
    if current == 4 and number == 20:
        return False
    return (
        (current >= 20 and current % 10 == 0 and 0 < number < 10)
        or (current >= 60 and current % 20 == 0 and 0 < number < 20)
        or (current >= 100 and current % 100 == 0 and 0 < number < 100)
    )


def quantity_at(words: Sequence[Word], at: int, language: int) -> tuple[Quantity, int] | None:
    """The quantity whose number starts here, and where it ends: after its unit, before what is counted."""
    first = words[at]
    if first.ordinal and first.number is None:
        return _ordinal(words, at)
    read = number_at(words, at, language)
    if read is None:
        return None
    value, other, end = read
    if end < len(words) and first.digits and words[end].text in _ORDINALS:
        return Quantity(
            ORDINAL, value, value, Bound.EXACT, frozenset(), first.digits + words[end].text, 1.0, None
        ), end + 1
    before = at - 1
    sign = 1
    if before >= 0 and words[before].text in _MINUS and not (before and words[before - 1].digits):
        sign, before = -1, before - 1
    high = None
    if end + 1 < len(words) and (words[end].text in _DASHES or words[end].cues & _TO) and _is_number(words[end + 1]):
        upper = number_at(words, end + 1, language)
        if (
            upper is not None
            and (words[end].text in _DASHES or _opens_range(words, before))
            and upper[0] * sign > value * sign
        ):
            high, end = upper[0], upper[2]
    unit = ""
    while (
        end < len(words)
        and words[end].cues & _STOP
        and words[end].text in ("an", "a", "einer", "eine", "d", "de", "of")
        and words[at].fraction
    ):
        end += 1
    if end < len(words) and words[end].unit and words[end].unit in UNITS:
        unit, end = words[end].unit, end + 1
    elif end < len(words) and words[end].text == "-" and end + 1 < len(words) and words[end + 1].unit in UNITS:
        unit, end = words[end + 1].unit, end + 2
    elif before >= 0 and words[before].unit in UNITS and UNITS[words[before].unit].dimension.startswith("money"):
        unit, before = words[before].unit, before - 1
    if unit == "min" and first.cues & _AT_LEAST:
        unit = ""
    value *= sign
    top = value if high is None else high * sign
    low, high = min(value, top), max(value, top)
    bound = Bound.EXACT if low == high else Bound.RANGE
    dimension, factor, nouns = COUNT, 1.0, frozenset[str]()
    if unit:
        kind = UNITS[unit]
        dimension, factor = kind.dimension, kind.factor
        low, high = measured(low, unit), measured(high, unit)
        if kind.spread:
            low, high = low * (1 - kind.spread), high * (1 + kind.spread)
        other = None if other is None else measured(other, unit)
    else:
        nouns = _nouns(words, before, end)
    every = _period(words, end)
    if every and (words[at].text in _TIMES or any(word.text in _TIMES for word in words[end : end + 1])) and low > 0:
        dimension, low, high, factor, nouns = EVERY, every / high, every / low, every, frozenset()
    elif every:
        dimension, low, high, factor = f"{dimension}/time", low / every, high / every, factor / every
        other = other and other / every
    cues = _cue_before(words, before)
    if cues & _EVERY and dimension == "time":
        dimension = EVERY
    low, high, bound = _bounded(low, high, bound, cues, words[end].cues if end < len(words) else 0, words, end)
    shown = " ".join(word.text for word in words[at:end]).replace("° ", "°")
    if sign < 0:
        shown = "−" + shown
    if unit and unit in UNITS and not any(word.unit == unit for word in words[at:end]):
        shown = f"{shown} {unit}"
    return Quantity(dimension, low, high, bound, nouns, shown, factor, other), end


def turned(quantity: Quantity) -> Quantity:
    """What is left where a bound is denied: not above 4 is up to 4."""
    if quantity.bound == Bound.LOWER:
        return quantity._replace(low=-math.inf, high=quantity.low, bound=Bound.UPPER)
    return quantity._replace(low=quantity.high, high=math.inf, bound=Bound.LOWER)


def _ordinal(words: Sequence[Word], at: int) -> tuple[Quantity, int]:
    place = float(words[at].ordinal)
    return Quantity(ORDINAL, place, place, Bound.EXACT, _nouns(words, -1, at + 1), words[at].text, 1.0, None), at + 1


def frequency_of(word: Word) -> Quantity | None:
    """How often, where one word says it: daily, monatlich."""
    _, every, unit = word.unit.partition("every ")
    if not every:
        return None
    kind = UNITS[unit]
    low, high = kind.factor * (1 - kind.spread), kind.factor * (1 + kind.spread)
    return Quantity(EVERY, low, high, Bound.EXACT, frozenset(), word.text, kind.factor, None)


def period_at(words: Sequence[Word], at: int) -> tuple[Quantity, int] | None:
    """How often, where it is said without a number: every day, chaque semaine."""
    if not words[at].cues & _EVERY or at + 1 >= len(words) or words[at + 1].unit not in UNITS:
        return None
    kind = UNITS[words[at + 1].unit]
    if kind.dimension != "time":
        return None
    low, high = kind.factor * (1 - kind.spread), kind.factor * (1 + kind.spread)
    shown = f"{words[at].text} {words[at + 1].text}"
    return Quantity(EVERY, low, high, Bound.EXACT, frozenset(), shown, kind.factor, None), at + 2


def one_at(words: Sequence[Word], at: int) -> tuple[Quantity, int] | None:
    """One of a time, where an article says so: an hour, une heure et demie; none for "ten a minute"."""
    if words[at].text not in _ARTICLES or at + 1 >= len(words) or words[at + 1].unit not in UNITS:
        return None
    kind = UNITS[words[at + 1].unit]
    is_meant = kind.dimension == "time" or bool(_cue_before(words, at - 1) & _BOUNDS)
    if not is_meant or (at and (words[at - 1].is_plain or words[at - 1].is_time or words[at - 1].unit)):
        return None
    end, value = at + 2, 1.0
    if end < len(words) and not words[end].cues & SILENT and not words[end].breaks:
        return None
    for after in range(end + 1, min(end + 4, len(words))):
        if words[end].cues & _AND and words[after].fraction:
            value, end = 1 + (words[after].fraction or 0), after + 1
            break
    low, high = value * kind.factor * (1 - kind.spread), value * kind.factor * (1 + kind.spread)
    after_cues = words[end].cues if end < len(words) else 0
    low, high, bound = _bounded(low, high, Bound.EXACT, _cue_before(words, at - 1), after_cues, words, end)
    shown = " ".join(word.text for word in words[at:end])
    return Quantity(kind.dimension, low, high, bound, frozenset(), shown, kind.factor, None), end


def _is_number(word: Word) -> bool:
    return bool(word.digits) or word.number is not None or bool(word.scale)


def _opens_range(words: Sequence[Word], before: int) -> bool:
    return (before >= 0 and bool(words[before].cues & (1 << Cue.BETWEEN))) or before < 0


def _cue_before(words: Sequence[Word], before: int) -> int:
    for at in range(before, max(before - 3, -1), -1):
        word = words[at]
        sign = _SIGNS.get(word.text)
        if sign:
            return sign
        if word.cues & (_BOUNDS | _EVERY):
            return word.cues
        if not word.cues & _STOP:
            break
    return 0


def _bounded(
    low: float, high: float, bound: Bound, cues: int, after: int, words: Sequence[Word], end: int
) -> tuple[float, float, Bound]:
    for at in range(end, min(end + 3, len(words))):
        after |= words[at].cues & (_OR_MORE | _OR_LESS)
        if words[at].text == "+":
            after |= _OR_MORE
    if cues & _AT_LEAST or after & _OR_MORE:
        return low, math.inf, Bound.LOWER
    if cues & _AT_MOST or after & _OR_LESS:
        return -math.inf, high, Bound.UPPER
    if cues & _MORE:
        return low + max(abs(low), 1) * _TINY, math.inf, Bound.LOWER
    if cues & _LESS:
        return -math.inf, high - max(abs(high), 1) * _TINY, Bound.UPPER
    if cues & _ABOUT:
        return low - abs(low) * ABOUT, high + abs(high) * ABOUT, Bound.RANGE
    return low, high, bound


def _nouns(words: Sequence[Word], before: int, after: int) -> frozenset[str]:
    found = []
    for word in words[after : after + NOUNS]:
        if word.is_plain or word.concept:
            found.append(word.stem)
        elif word.axes:
            continue
        else:
            break
    if not found:
        for at in range(before, max(before - 3, -1), -1):
            word = words[at]
            if word.is_plain or (word.concept and not word.axes):
                found.append(word.stem)
                break
            if word.breaks and word.text not in ":}{":
                break
    return frozenset(found)


def _period(words: Sequence[Word], end: int) -> float:
    """Seconds of the time that something is counted in: "a minute", "/ s", "pro Tag"; 0 where none is said."""
    for at in range(end, min(end + 3, len(words) - 1)):
        word = words[at]
        if word.breaks or word.digits:
            return 0.0
        if word.text == "/" or word.cues & _PER:
            unit = words[at + 1].unit
            if unit in UNITS and UNITS[unit].dimension == "time":
                return UNITS[unit].factor
    return 0.0


def agreement(first: Quantity, second: Quantity) -> Agreement:
    """What two quantities of one dimension are to each other."""
    if first.bound == second.bound == Bound.EXACT or (first.bound == Bound.EXACT and first.low != first.high):
        if _is_equal(first, second):
            return Agreement.EQUAL
    elif first.low == second.low and first.high == second.high:
        return Agreement.EQUAL
    if max(first.low, second.low) > min(first.high, second.high) * (
        1 + math.copysign(_TINY, min(first.high, second.high))
    ):
        for one, two in ((first, second), (second, first)):
            if one.other is not None and two.low * (1 - _TINY) <= one.other <= two.high * (1 + _TINY):
                return Agreement.EQUAL
        return Agreement.APART
    if second.low <= first.low and first.high <= second.high:
        return Agreement.NARROWER
    if first.low <= second.low and second.high <= first.high:
        return Agreement.WIDER
    return Agreement.OVERLAP


def _is_equal(first: Quantity, second: Quantity) -> bool:
    low, high = max(first.low, second.low), min(first.high, second.high)
    if first.factor == second.factor:
        return low <= high + abs(low) * _TINY
    if first.dimension == "data" and high > 0:
        return any(abs(low / high / step - 1) < _TINY for step in _BINARY)
    return low <= high + abs(low) * (_ROUNDED if first.dimension in _ROUNDED_DIMENSIONS else _TINY)
