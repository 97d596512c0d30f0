"""The form that word lists of a language have.

Words are plain (no accents, umlauts written out) and separated by blanks; the words of a phrase are joined by `_`.
What several languages share is named by one English name: an axis (`open`), a concept (`owner`), a unit (`h`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum


class Cue(IntEnum):
    """What a word does in a sentence instead of saying something of its own."""

    STOP = 1
    LIGHT = 2
    NEGATION = 3
    BREAK = 4
    EXCLUSIVE = 5
    PAST = 6
    HEDGE = 7
    AT_LEAST = 8
    AT_MOST = 9
    MORE_THAN = 10
    LESS_THAN = 11
    ABOUT = 12
    OR_MORE = 13
    OR_LESS = 14
    BETWEEN = 15
    TO = 16
    EVERY = 17
    PER = 18
    START = 19
    END = 20
    NE = 21
    ONLY_AFTER_NE = 22
    AND = 23
    THAN = 24
    END_OF = 25
    START_OF = 26
    MIDDLE_OF = 27
    LABEL = 28
    ANY = 29


@dataclass(frozen=True, kw_only=True)
class Language:
    """The words of one language."""

    name: str
    decimal_mark: str
    cues: Mapping[Cue, str]
    numbers: Mapping[str, int]
    fractions: Mapping[str, float]
    scales: Mapping[str, int]
    ordinals: tuple[str, ...]
    last: str = ""
    months: tuple[str, ...]
    seasons: tuple[str, ...]
    weekdays: tuple[str, ...]
    day_parts: Mapping[str, str]
    units: Mapping[str, str]
    axes: Mapping[str, tuple[str, str]]
    concepts: Mapping[str, str]
    relations: Mapping[str, tuple[str, str]] = field(default_factory=dict)
