"""How the index numbers, cuts and folds what it holds; values in, values out.

1. A row id is build, tenant and ordinal, so that rows of a tenant lie in the order in which they were recorded.
2. A cell is every facet value of a fact in one number; a stream is the part of it that sorting needs.
3. A string in an index is at most 200 characters long; what was cut carries a digest, so that two never meet.
4. A search text is entity, key and the first 64 KiB of the value, each NFKC and case-folded, U+0000 made visible; it
   ends with a mark where it may hide what the exact text holds.
"""

import hashlib
import re
import unicodedata
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import NamedTuple

from cruxstore.facts.decay import STALE_FACTOR
from cruxstore.facts.records import Horizon

MAX_BUILD = (1 << 12) - 1
MAX_TENANT = (1 << 16) - 1
ORDINAL_BITS = 35
ORDINAL_MASK = (1 << ORDINAL_BITS) - 1
EVENT_BITS = 31
BLOCK_LINES = 256
LABELS = 200
OTHER_LABEL = 0
CUT_CHARS = 200
SEARCHED_BYTES = 64 * 1024
SEPARATOR = "\n"
CUT_MARK = "\x1f"
HIDING_MARK = "\x1e\x1e\x1e"
"""Ends a search text that was cut, or whose characters became one with their neighbours when it was folded."""

_KIND = re.compile(r"[^\s:\x00-\x1f]{1,40}::?")
_CUT_TEXT = re.compile(rf".{{0,{CUT_CHARS}}}{CUT_MARK}[0-9a-f]{{32}}", re.DOTALL)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MOMENT = datetime.max.replace(tzinfo=UTC)
_FIRST_MOMENT = datetime.min.replace(tzinfo=UTC)
_LAST_CHARACTER = 0x10FFFF
_FIRST_SURROGATE, _AFTER_SURROGATES = 0xD800, 0xE000
_NUL_SHOWN = str.maketrans({0: "\u2400"})


class _FoldedCharacters(dict[int, str]):
    """Every character folded, as far as somebody has asked."""

    def __missing__(self, code: int) -> str:
        self[code] = fold(chr(code))
        return self[code]


_FOLDED = _FoldedCharacters()


class State(IntEnum):
    """What became of a fact."""

    CURRENT = 0
    SUPERSEDED = 1
    DELETED = 2


class FreshnessCode(IntEnum):
    """How its age is judged."""

    FRESH = 0
    STALE = 1
    UNKNOWN = 2


HORIZON_CODES = {Horizon.VOLATILE: 0, Horizon.MEDIUM: 1, Horizon.STABLE: 2, Horizon.NONE: 3}
HORIZONS = tuple(HORIZON_CODES)
FRESH, STALE, UNKNOWN = FreshnessCode
_NO_HORIZON = HORIZON_CODES[Horizon.NONE]
CONFLICT, HELD, PRIVATE = 1, 2, 4
MARK_BITS = {"conflict": CONFLICT, "held": HELD, "private": PRIVATE}


class Rollup(IntEnum):
    """Which labels a counting cell tells apart; the others are 0 in it."""

    BOTH = 0
    KIND = 1
    ACTOR = 2
    NEITHER = 3


_ROLLUPS, _STATES, _FRESHNESSES = tuple(Rollup), tuple(State), tuple(FreshnessCode)


class CellParts(NamedTuple):
    """A cell taken apart."""

    home: int
    rollup: Rollup
    kind: int
    actor: int
    state: State
    freshness: FreshnessCode
    horizon: int
    marks: int


def home_of(build: int, tenant_number: int) -> int:
    """A tenant's place in a build."""
    return build << 16 | tenant_number


def build_of(home: int) -> int:
    """The build that a home is in."""
    return home >> 16


def first_row(home: int) -> int:
    """The row id that every fact of a home is at or above; the next home's is above them all."""
    return home << ORDINAL_BITS


def line_place(line: int) -> int:
    """The place of a line among lines and events in the order in which they were recorded."""
    return line << EVENT_BITS


def event_place(lines: int, seq: int) -> int:
    """The place of an event that came after so many lines."""
    return lines << EVENT_BITS | seq


def block_of(build: int, line: int) -> int:
    """The block that a line is in."""
    return build << 32 | (line - 1) // BLOCK_LINES


def pack_stream(home: int, state: int, freshness: int) -> int:
    """Facts of one state and one freshness."""
    return home << 4 | state << 2 | freshness


def pack_cell(
    home: int, kind: int, actor: int, state: int, freshness: int, horizon: int, marks: int, rollup: int = Rollup.BOTH
) -> int:
    """Facts that agree in every facet, or in all but the labels that the rollup leaves out."""
    return (home << 2 | rollup) << 25 | kind << 17 | actor << 9 | state << 7 | freshness << 5 | horizon << 3 | marks


def unpack_cell(cell: int) -> CellParts:
    """The inverse of `pack_cell`."""
    return CellParts(
        home=cell >> 27,
        rollup=_ROLLUPS[cell >> 25 & 3],
        kind=cell >> 17 & 255,
        actor=cell >> 9 & 255,
        state=_STATES[cell >> 7 & 3],
        freshness=_FRESHNESSES[cell >> 5 & 3],
        horizon=cell >> 3 & 3,
        marks=cell & 7,
    )


def state_of(cell: int) -> int:
    """The state of the facts in a cell."""
    return cell >> 7 & 3


def cell_range(home: int, rollup: Rollup) -> tuple[int, int]:
    """The first and the last possible cell of a home at a rollup."""
    first = (home << 2 | rollup) << 25
    return first, first | (1 << 25) - 1


def rollups_of(cell: int) -> tuple[int, int, int, int]:
    """The counting cells that a fact in this cell counts in, itself first."""
    rest = cell & 0x1FF
    place = cell >> 27 << 2
    kind, actor = cell >> 17 & 255, cell >> 9 & 255
    return (
        cell,
        (place | Rollup.KIND) << 25 | kind << 17 | rest,
        (place | Rollup.ACTOR) << 25 | actor << 9 | rest,
        (place | Rollup.NEITHER) << 25 | rest,
    )


def epoch_us(moment: datetime) -> int:
    """A moment in microseconds since 1970, exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def moment_of(microseconds: int) -> datetime:
    """The inverse of `epoch_us`; what no datetime can name is the nearest one."""
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return _LAST_MOMENT if microseconds > 0 else _FIRST_MOMENT


class Age(NamedTuple):
    """What time makes of a fact: its freshness, what is left of its confidence, and when the former changes next."""

    freshness: FreshnessCode
    effective: float
    due_at_ms: int | None


def age_at(now_ms: int, *, horizon: int, anchor_ms: int, stale_at_ms: int | None, confidence: float) -> Age:
    """What `cruxstore.facts.decay` says of a fact whose last fresh millisecond is known."""
    if horizon == _NO_HORIZON:
        return Age(FRESH, confidence, None)
    if stale_at_ms is None or now_ms <= 0:
        return Age(UNKNOWN, confidence, None)
    if anchor_ms > now_ms:
        return Age(UNKNOWN, confidence, anchor_ms)
    if now_ms > stale_at_ms:
        return Age(STALE, confidence * STALE_FACTOR, None)
    return Age(FRESH, confidence, stale_at_ms + 1)


def cut(text: str) -> str:
    """The text as indexes hold it: equal texts give equal ones, different texts different ones."""
    if len(text) <= CUT_CHARS and "\0" not in text and CUT_MARK not in text:
        return text
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return f"{text[:CUT_CHARS].translate(_NUL_SHOWN)}{CUT_MARK}{digest}"


def indexed(text: str) -> str:
    """The text as indexes hold it, whether it comes whole or, as in the address of a long name, already cut."""
    return text if _CUT_TEXT.fullmatch(text) else cut(text)


def prefix_start(prefix: str) -> str:
    """Indexed texts whose whole text starts with the prefix are at or above this; others may be too."""
    return prefix[:CUT_CHARS].translate(_NUL_SHOWN)


def prefix_end(prefix: str) -> str | None:
    """Indexed texts whose whole text starts with the prefix are below this; None where there is no such bound."""
    start = prefix_start(prefix).rstrip(chr(_LAST_CHARACTER))
    if not start:
        return None
    successor = ord(start[-1]) + 1
    return start[:-1] + chr(_AFTER_SURROGATES if successor == _FIRST_SURROGATE else successor)


def was_cut(text: str) -> bool:
    """Whether an indexed text stands for a longer one, which must be read from the journal."""
    return CUT_MARK in text


def kind_of(entity: str) -> str:
    """The short prefix up to the first colons, or nothing; it never holds more than a word."""
    match = _KIND.match(entity)
    return match.group() if match else ""


def fold(text: str) -> str:
    """The text as searches compare it: composed and decomposed, case and width variants are one."""
    if text.isascii():
        return text.lower().translate(_NUL_SHOWN) if "\0" in text else text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return folded.translate(_NUL_SHOWN)


def search_text(entity: str, key: str, value: str) -> str:
    """What a search looks at of a fact."""
    if entity.isascii() and key.isascii() and value.isascii() and len(value) <= SEARCHED_BYTES:
        return fold(f"{entity}\n{key}\n{value}")
    parts = entity, key, searched_part(value)
    text = SEPARATOR.join(map(fold, parts))
    is_hiding = len(parts[-1]) < len(value) or text != SEPARATOR.join(map(folded_alone, parts))
    return f"{text}{SEPARATOR}{HIDING_MARK}" if is_hiding else text


def value_part(search_text: str, entity: str, key: str) -> str:
    """The folded value within a search text; the names are as the index holds them, very long ones cut."""
    if SEPARATOR in entity or SEPARATOR in key:
        folded_key = f"{SEPARATOR}{fold(key)}{SEPARATOR}"
        start = search_text.find(folded_key, 0 if was_cut(entity) else len(fold(entity))) + len(folded_key)
    else:
        start = search_text.find(SEPARATOR, search_text.find(SEPARATOR) + 1) + 1
    value = search_text[start:]
    return value.removesuffix(f"{SEPARATOR}{HIDING_MARK}") if value.endswith(HIDING_MARK) else value


def folded_alone(text: str) -> str:
    """The text in lower case with each character folded by itself.

    Where a search text is not marked as hiding anything, it holds this of every part of its text in lower case.
    """
    return text.lower().translate(_FOLDED)


def searched_part(value: str) -> str:
    """The first 64 KiB of a value, never half a character."""
    if len(value) * 4 <= SEARCHED_BYTES:
        return value
    return value[:SEARCHED_BYTES].encode()[:SEARCHED_BYTES].decode(errors="ignore")


def search_terms(q: str) -> tuple[str, ...]:
    """The different words of a search, folded, the longest first."""
    words = {word for word in fold(q).split() if word}
    return tuple(sorted(words, key=lambda word: (-len(word), word)))
