"""A fact read once: its clauses, numbers, dates and marks, so that comparing it with many others costs little.

A clause keeps what it says, by stems; which side of which opposites it takes; and whether it is denied.

    "The kit ships without a power adapter."   ->  {ship} and, denied, {power, adapter}
    "Seit Mai nicht mehr geöffnet"             ->  denied, open +1

Words of the entity's own name say nothing about it and are left out.
"""

# ruff: noqa: SIM905 - lists of words read better as text

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from cruxstore.trust.contradiction.dates import SUFFIXES, Day, moments_at, part_at
from cruxstore.trust.contradiction.lexicon import NO, SILENT, UNKNOWN, YES, Word, count_votes, language_of, words_of
from cruxstore.trust.contradiction.numbers import Bound, Quantity, frequency_of, one_at, period_at, quantity_at, turned
from cruxstore.trust.contradiction.slots import KNOWN_KEYS, Key, entity_words, read_key, votes_of
from cruxstore.trust.contradiction.text import LONGEST_READ, fold, plain, tokens_of
from cruxstore.trust.contradiction.units import TIME_UNITS
from cruxstore.trust.contradiction.words.language import Cue

MOST_CLAUSES = 8

_NEGATION, _NE, _QUE = 1 << Cue.NEGATION, 1 << Cue.NE, 1 << Cue.ONLY_AFTER_NE
_BREAK, _EXCLUSIVE, _PAST, _HEDGE = 1 << Cue.BREAK, 1 << Cue.EXCLUSIVE, 1 << Cue.PAST, 1 << Cue.HEDGE
_THAN, _ANY = 1 << Cue.THAN, 1 << Cue.ANY
_START, _END, _LABEL, _EVERY = 1 << Cue.START, 1 << Cue.END, 1 << Cue.LABEL, 1 << Cue.EVERY
_PARTS = 1 << Cue.END_OF | 1 << Cue.START_OF | 1 << Cue.MIDDLE_OF
_NOTHING = frozenset[str]()
_OF_ENTITY = frozenset(("=entity",))
_SINCE = frozenset("since seit depuis desde".split())
_WITHOUT = frozenset("without ohne sans sin без senza sem zonder bez".split())
_NONE = frozenset(
    """
        no none without kein keine keinen keinem keiner ohne keinerlei aucun aucune sans sin ningun ninguna
        ninguno нет никаких никакой без nessun nessuna senza nenhum nenhuma sem geen zonder zaden brak
    """.split()
)
_VERBAL = 1 << Cue.STOP | 1 << Cue.LIGHT
_COMPARING = 1 << Cue.MORE_THAN | 1 << Cue.LESS_THAN
_PER = 1 << Cue.PER
_BEING = frozenset("is was has ist war hat est a es tiene esta".split())
_NOT_AFTER_NAMES = 1 << Cue.TO | 1 << Cue.AND | 1 << Cue.PER | 1 << Cue.OR_MORE | 1 << Cue.OR_LESS
_POSITIVE_VALUES = {**dict.fromkeys(map(plain, YES), 1), **dict.fromkeys(map(plain, NO), -1)}


class Clause(NamedTuple):
    """What one part of a sentence says."""

    content: frozenset[str]
    axes: dict[str, int]
    is_denied: bool
    is_none: bool
    """Whether there is none of it at all: "no allergies", "keine Hunde"."""


class Statement(NamedTuple):
    """A fact as it is compared."""

    entity: str
    names: frozenset[str]
    key: str
    key_texts: frozenset[str]
    """The longer words of the key, as a sentence would say them."""
    about: Key
    asked: frozenset[str]
    """What the key is about, without the entity's own name."""
    text: str
    language: int
    words: tuple[Word, ...]
    clauses: tuple[Clause, ...]
    content: frozenset[str]
    hints: frozenset[str]
    quantities: tuple[Quantity, ...]
    days: tuple[Day, ...]
    weekdays: int
    times: tuple[int, ...]
    identifiers: frozenset[str]
    role: str
    polar: int
    is_exclusive: bool
    is_past: bool
    is_hedged: bool
    has_relations: bool
    axes: frozenset[str]
    counted: frozenset[str]
    """What its numbers count."""
    fields: dict[str, str] | None


class _Reading:
    """What has been read of a value so far."""

    __slots__ = (
        "axes",
        "clauses",
        "content",
        "days",
        "denied",
        "exclusive",
        "hedged",
        "hints",
        "identifiers",
        "names",
        "none",
        "past",
        "quantities",
        "relations",
        "role",
        "times",
        "weekdays",
    )

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.clauses: list[Clause] = []
        self.content: list[str] = []
        self.axes: dict[str, int] = {}
        self.denied = self.none = False
        self.hints: set[str] = set()
        self.quantities: list[Quantity] = []
        self.days: list[Day] = []
        self.weekdays = 0
        self.times: list[int] = []
        self.identifiers: set[str] = set()
        self.role = ""
        self.exclusive = self.past = self.hedged = self.relations = False

    def close(self) -> None:
        """Ends a clause."""
        if self.content or self.axes or self.denied:
            if len(self.clauses) < MOST_CLAUSES:
                self.clauses.append(Clause(frozenset(self.content) - self.names, self.axes, self.denied, self.none))
            self.content, self.axes, self.denied, self.none = [], {}, False, False

    def oppose(self, axis: str, pole: int) -> None:
        """Notes a side; a clause that takes both sides takes none."""
        self.axes[axis] = pole if self.axes.get(axis, pole) == pole else 0


def read_statement(entity: str, key: str, value: str) -> Statement:
    """A fact ready to be compared; folded and raw texts give the same."""
    entity, key, head, names, votes, size = _frame(entity, key)
    text = fold(value)
    fields = None
    spoken = text if len(text) <= LONGEST_READ else text[:LONGEST_READ]
    if text[:1] in "{[" and text:
        fields = _fields_of(text)
        if fields is not None:
            spoken = " ; ".join(_spelled(path, scalar) for path, scalar in fields.items())[:LONGEST_READ]
    tokens = tokens_of(spoken)
    spelled = sum(map(str.isalpha, tokens))
    votes += count_votes(tokens)
    size += spelled
    if not votes and not spelled:
        votes = votes_of(entity)[0]
    language = language_of(votes, size)
    about = read_key(key, language)
    asked = about.words if about.words.isdisjoint(names) else about.words - names or about.words
    words = words_of(tokens, language)
    reading = _Reading(names)
    _read(words, language, reading)
    reading.close()
    clauses = tuple(reading.clauses)
    content = clauses[0].content if len(clauses) == 1 else frozenset().union(*(clause.content for clause in clauses))
    polar = _POSITIVE_VALUES.get(words[0].text, 0) if words and len(words) <= 2 else 0
    return Statement(
        entity,
        names,
        key,
        head,
        about,
        asked,
        text,
        language,
        tuple(words),
        clauses,
        content,
        frozenset(reading.hints),
        tuple(reading.quantities),
        tuple(reading.days),
        reading.weekdays,
        tuple(reading.times),
        frozenset(reading.identifiers - names),
        reading.role,
        polar,
        reading.exclusive,
        reading.past,
        reading.hedged,
        reading.relations,
        frozenset(clauses[0].axes) if len(clauses) == 1 else frozenset().union(*(clause.axes for clause in clauses)),
        frozenset().union(*(quantity.nouns for quantity in reading.quantities)) if reading.quantities else _NOTHING,
        fields,
    )


@lru_cache(maxsize=KNOWN_KEYS)
def _frame(entity: str, key: str) -> tuple[str, str, frozenset[str], frozenset[str], int, int]:
    folded, asked = fold(entity), fold(key)
    texts = frozenset(plain(token) for token in tokens_of(asked) if len(token) > 2)
    return folded, asked, texts, entity_words(folded), *votes_of(asked)


def _read(words: list[Word], language: int, reading: _Reading) -> None:
    at, end = 0, len(words)
    content = reading.content
    since = False
    while at < end:
        word = words[at]
        if word.is_short and _is_letter_of(words, at):
            reading.identifiers.add(word.text)
            at += 1
            continue
        if word.is_plain:
            stem = word.stem
            if since:
                since = False
            elif word.unit not in TIME_UNITS:
                content.append(stem)
            if word.concept:
                reading.hints.add(stem)
            elif not stem.isalpha() and any(map(str.isdigit, stem)):
                reading.identifiers.add(stem)
            at += 1
            continue
        if word.is_silent:
            at += 1
            continue
        if word.is_time or word.cues & (_EVERY | _PARTS | _PER):
            after = _read_number(words, at, language, reading)
            if after > at:
                at = after
                content = reading.content
                continue
        if word.concept:
            reading.hints.add(word.concept)
        if word.breaks or word.cues & _BREAK:
            reading.close()
            content = reading.content
            since = False
        if word.cues:
            since = since or word.text in _SINCE
            _mark(words, at, reading)
            content = reading.content
        if word.relations:
            reading.relations = True
        if word.axes and word.stem not in reading.names:
            for axis, pole in word.axes:
                reading.oppose(axis, pole)
        elif (
            not (word.cues & SILENT or word.breaks or word.digits or word.relations or word.unit in TIME_UNITS)
            and word.text[0].isalpha()
        ):
            content.append(word.stem)
        at += 1


def _read_number(words: list[Word], at: int, language: int, reading: _Reading) -> int:
    """Reads a number, date or identifier from here on; answers where it ends, `at` where there is none."""
    word = words[at]
    if (at and (word.digits or word.number is not None) and words[at - 1].cues & _LABEL) or (
        at > 1 and word.digits and words[at - 1].text in "#№."
    ):
        label = words[at - 1] if words[at - 1].cues & _LABEL else words[at - 2]
        following = words[at + 1] if at + 1 < len(words) else None
        is_counted = following is not None and (
            following.unit or following.is_plain or following.month or following.scale
        )
        if (
            label.cues & _LABEL
            and not (is_counted and not word.digits)
            and not (following is not None and (following.unit or following.month))
        ):
            reading.identifiers.add(word.text)
            return at + 1
    if _is_name(words, at):
        reading.identifiers.add(word.text)
        return at + 1
    found = part_at(words, at) if word.cues & _PARTS else None
    found = found or moments_at(words, at, language)
    if found is not None:
        moments, end = found
        if at and words[at - 1].cues & (_START | _END) and not reading.days:
            reading.role = "start" if words[at - 1].cues & _START else "end"
        reading.days += moments.days
        reading.weekdays |= moments.weekdays
        reading.times += moments.times
        return end
    if word.unit:
        often = frequency_of(word)
        if often is not None:
            reading.quantities.append(often)
            return at + 1
    if word.cues & _PER or word.number == 1:
        one = one_at(words, at)
        if one is not None:
            reading.quantities.append(one[0])
            return one[1]
        if not word.is_time and not word.cues & _EVERY:
            return at
    if word.cues & _EVERY:
        period = period_at(words, at)
        if period is not None:
            reading.quantities.append(period[0])
            return period[1]
        if not word.digits and word.number is None:
            return at
    if word.weekday >= 0 or word.season >= 0 or (word.month and not word.digits):
        return at
    counted = quantity_at(words, at, language)
    if counted is not None:
        quantity, end = counted
        if quantity.nouns & reading.names:
            quantity = quantity._replace(nouns=quantity.nouns - reading.names or _OF_ENTITY)
        if reading.denied and quantity.bound in (Bound.LOWER, Bound.UPPER) and _is_compared(words, at):
            quantity, reading.denied = turned(quantity), False
        reading.quantities.append(quantity)
        return end
    if word.digits:
        reading.identifiers.add(word.text)
        reading.content.append(word.text)
        return at + 1
    return at


def _is_compared(words: list[Word], at: int) -> bool:
    return any(word.cues & _COMPARING for word in words[max(at - 2, 0) : at])


def _is_letter_of(words: list[Word], at: int) -> bool:
    """Whether a letter belongs to the noun before it, as in `disk A is full`."""
    if not 0 < at < len(words) - 1 or len(words[at].text) != 1 or not words[at].text.isalpha():
        return False
    return (words[at - 1].is_plain or bool(words[at - 1].concept)) and words[at + 1].text in _BEING


def _is_name(words: list[Word], at: int) -> bool:
    """Whether a number belongs to the noun before it, as in `Hall 1 is cold`."""
    if not 0 < at < len(words) - 1 or not words[at].digits.isdigit() or len(words[at].digits) > 3:
        return False
    before, after = words[at - 1], words[at + 1]
    if (
        not (before.is_plain or before.concept)
        or before.text[0].isdigit()
        or after.unit
        or after.scale
        or after.text in SUFFIXES
    ):
        return False
    return after.text == ":" or (bool(after.cues & _VERBAL) and not after.cues & _NOT_AFTER_NAMES)


def _mark(words: list[Word], at: int, reading: _Reading) -> None:
    word = words[at]
    cues = word.cues
    if cues & (_NEGATION | _NE):
        if word.text in _WITHOUT:
            reading.close()
        reading.denied = True
        reading.none = reading.none or word.text in _NONE
    elif cues & _QUE and reading.denied and _is_ne_que(words, at):
        reading.denied, reading.exclusive = False, True
    if cues & _THAN and reading.axes:
        reading.relations = True
    if reading.denied and cues & _ANY:
        reading.none = True
    if cues & _EXCLUSIVE:
        reading.exclusive = True
    if cues & _PAST:
        reading.past = True
    if cues & _HEDGE:
        reading.hedged = True


def _is_ne_que(words: list[Word], at: int) -> bool:
    """Whether it reads `ne ... que`, which only narrows down."""
    cues = 0
    for word in words[max(at - 4, 0) : at]:
        cues |= word.cues
    return bool(cues & _NE) and not cues & _NEGATION


def _fields_of(text: str) -> dict[str, str] | None:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    return dict(_flattened("", read, 4))


def _flattened(path: str, value: object, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        if depth:
            for name, part in value.items():
                yield from _flattened(f"{path} {name}".strip(), part, depth - 1)
    elif isinstance(value, list):
        if all(not isinstance(part, dict | list) for part in value):
            yield path, ", ".join(_scalar(part) for part in value)
    else:
        yield path, _scalar(value)


def _scalar(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _spelled(path: str, scalar: str) -> str:
    name = path.replace("_", " ")
    if scalar == "true":
        return name
    return f"not {name}" if scalar == "false" else f"{name} {scalar}"


def is_handled(statement: Statement) -> bool:
    """Whether enough of the statement's words are known to say what it says."""
    return statement.language != UNKNOWN
