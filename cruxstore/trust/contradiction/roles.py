"""Who does it to whom: statements that exchange the two sides of a relation that goes one way.

A reports to B / B reports to A         exchanged: against each other
A is older than B / B is younger than A exchanged, and the word turned: the same
A is older than B / A is younger than B the word turned: against each other
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from cruxstore.trust.contradiction.lexicon import SILENT, Word
from cruxstore.trust.contradiction.statement import Statement
from cruxstore.trust.contradiction.words.language import Cue

_LABEL = 1 << Cue.LABEL
_THAN, _TO, _STOP = 1 << Cue.THAN, 1 << Cue.TO, 1 << Cue.STOP
_PREFER = "prefer"
_OVER = frozenset(("to", "over", "a", "al", "to the", "чем", "als", "que", "than", "before"))
FARTHEST = 4
"""How many words after a comparative its "than" may stand."""


class Order(IntEnum):
    """How two statements order the sides of a relation."""

    NONE = 0
    SAME = 1
    OPPOSITE = 2


class _Side(NamedTuple):
    relation: str
    direction: int
    left: frozenset[str]
    right: frozenset[str]
    shown: str


def order_of(first: Statement, second: Statement) -> tuple[Order, str]:
    """How two statements order the sides of a relation that both name, and the words for it."""
    theirs = [_told_apart(side) for side in _sides(second)]
    if theirs:
        for mine in map(_told_apart, _sides(first)):
            for other in theirs:
                if mine.relation != other.relation:
                    continue
                is_exchanged = _meet(mine.left, other.right) and _meet(mine.right, other.left)
                is_straight = _meet(mine.left, other.left) and _meet(mine.right, other.right)
                if is_exchanged == is_straight:
                    continue
                if is_straight and mine.direction == other.direction:
                    continue
                is_same = is_exchanged and mine.direction != other.direction
                return (Order.SAME if is_same else Order.OPPOSITE), mine.shown
    return Order.NONE, ""


def _told_apart(side: _Side) -> _Side:
    """Without what is on both sides: green tea and black tea."""
    return side._replace(left=side.left - side.right, right=side.right - side.left)


def _meet(one: frozenset[str], other: frozenset[str]) -> bool:
    return not one.isdisjoint(other)


def _sides(statement: Statement) -> Iterator[_Side]:
    words = statement.words
    for at, word in enumerate(words):
        for relation, direction in word.relations:
            if relation == _PREFER:
                yield from _preferred(statement, words, at)
                continue
            left = _before(words, at) or statement.names
            right = _after(words, at + 1)
            if left and right:
                yield _Side(relation, direction, left, right, word.text)
        if word.axes:
            than = _than_after(words, at)
            if than:
                left, right = _before(words, at) or statement.names, _after(words, than + 1)
                for axis, pole in word.axes:
                    yield _Side("better" if axis in ("better", "more") else axis, pole, left, right, word.text)


def _preferred(statement: Statement, words: Sequence[Word], at: int) -> Iterator[_Side]:
    """`prefers x to y`, `mag x lieber als y`: x is the better one."""
    for middle in range(at + 1, len(words)):
        if words[middle].breaks:
            return
        if words[middle].text in _OVER:
            left, right = (
                _after(words[:middle], at + 1) or _before(words, at) - statement.names,
                _after(words, middle + 1),
            )
            if left and right:
                yield _Side("better", 1, left, right, words[at].text)
            return


def _than_after(words: Sequence[Word], at: int) -> int:
    for middle in range(at + 1, min(at + 1 + FARTHEST, len(words))):
        if words[middle].breaks:
            return 0
        if words[middle].cues & _THAN:
            return middle
    return 0


def _before(words: Sequence[Word], at: int) -> frozenset[str]:
    start = at
    while start and not words[start - 1].breaks:
        start -= 1
    return _named(words[start:at])


def _after(words: Sequence[Word], at: int) -> frozenset[str]:
    end = at
    while end < len(words) and not words[end].breaks:
        end += 1
    return _named(words[at:end])


def _named(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(
        word.stem
        for word in words
        if word.is_plain
        or not ((word.cues & SILENT and not word.cues & _LABEL) or word.breaks or word.relations or word.is_time)
    )
