"""Denial and opposites: whether a part of one statement takes the other side of a part of the other.

1. Two clauses that take sides on one axis (open and closed) are against each other where the sides differ, counting
   denial as the other side, and with each other where they are the same.
2. Otherwise a clause that is denied is against one that is not, where all that it denies is said by the other:
   "no gate is open" against "the north gate is open", not "does not run on Windows" against "runs on Linux".
3. Clauses that each name something the other does not are of different things.
4. Where clauses are with each other on an axis, no others are against each other on it, and denial alone says nothing.
"""

# ruff: noqa: SIM905 - lists of words read better as text

from typing import NamedTuple

from cruxstore.trust.contradiction.statement import Clause, Statement

PLACES = frozenset("front left north east up day morning indoor internal hot new big".split())
"""Axes that tell one thing from another beside it: the front door, the back door."""

ASSENTS = frozenset("allow accept include possible available needed".split())
"""Axes whose first side only says that it is so: allowed, accepted, included."""

_BARS = ASSENTS - {"accept"}
"""Those whose second side denies it; who declines may be said to in many words."""


_TURNING = ("un", "in", "im", "ir", "non", "dis", "des", "de", "не", "без")


class Opposition(NamedTuple):
    """Which axis two statements take different sides of; none where one denies what the other says."""

    axis: str
    denied: frozenset[str]


def opposition(
    first: Statement, second: Statement, spare: frozenset[str], asked: frozenset[str], *, is_same_key: bool
) -> Opposition | None:
    """How two statements are against each other.

    `spare` are words of their keys, which tell no difference; `asked` are the axes that the keys name.
    """
    against: Opposition | None = None
    turned = _turned(first.content - second.content, second.content - first.content)
    agreed: set[str] = set()
    opposed: list[str] = []
    for one in first.clauses:
        for other in second.clauses:
            shared = [axis for axis, pole in one.axes.items() if pole and other.axes.get(axis)]
            if shared:
                if sum(_side(one, axis) != _side(other, axis) for axis in shared) > 1 and not PLACES.isdisjoint(shared):
                    continue
                if not PLACES.isdisjoint(shared) and _say_more_each(one, other, first, second, spare):
                    continue
                is_asked = is_same_key or any(axis in asked for axis in shared)
                if not _is_of_one_thing(one, other, spare, is_same_key=is_asked):
                    continue
                for axis in shared:
                    if _side(one, axis) == _side(other, axis):
                        agreed.add(axis)
                    else:
                        opposed.append(axis)
            elif _is_barred(one) != _is_barred(other):
                denied, said, all_said = (one, other, second) if _is_barred(one) else (other, one, first)
                if against is None and _denies(denied, said, all_said.content, spare, is_same_key=is_same_key):
                    against = Opposition("", denied.content & said.content or denied.content or spare)
    for axis in opposed:
        if axis not in agreed:
            return Opposition(axis, frozenset())
    if opposed or agreed:
        return None
    if turned and (is_same_key or not first.content.isdisjoint(second.content)):
        denials = {
            any(turned <= clause.content | _bare(clause.content) and clause.is_denied for clause in each.clauses)
            for each in (first, second)
        }
        return Opposition("", turned) if denials == {False} else None
    if against is not None and _is_agreed(first, second, against.denied):
        return None
    return against


def _turned(mine: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """The words of one that are the other's with a syllable before them that turns them round: paved and unpaved."""
    return frozenset(
        word
        for word in mine | theirs
        if not {prefix + word for prefix in _TURNING}.isdisjoint(theirs if word in mine else mine) and len(word) > 2
    )


def _bare(content: frozenset[str]) -> frozenset[str]:
    return frozenset(word.removeprefix(prefix) for word in content for prefix in _TURNING if word.startswith(prefix))


def _is_barred(clause: Clause) -> bool:
    """Whether a clause says that it is not so, or must not be."""
    return clause.is_denied != any(pole == -1 and axis in _BARS for axis, pole in clause.axes.items())


def _side(clause: Clause, axis: str) -> int:
    return -clause.axes[axis] if clause.is_denied else clause.axes[axis]


def _is_of_one_thing(one: Clause, other: Clause, spare: frozenset[str], *, is_same_key: bool) -> bool:
    mine, theirs = one.content - other.content - spare, other.content - one.content - spare
    if (mine and theirs) or (one.is_denied != other.is_denied and (mine if one.is_denied else theirs)):
        return False
    return is_same_key or not one.content.isdisjoint(other.content) or not (one.content or other.content)


def _say_more_each(one: Clause, other: Clause, first: Statement, second: Statement, spare: frozenset[str]) -> bool:
    """Whether each says something of its own side: the front tyre is new, the back tyre is worn."""
    if first.quantities and second.quantities:
        return True
    mine, theirs = one.content | one.axes.keys(), other.content | other.axes.keys()
    return bool(mine - theirs - spare and theirs - mine - spare)


def _denies(
    denied: Clause, said: Clause, all_said: frozenset[str], spare: frozenset[str], *, is_same_key: bool
) -> bool:
    if any(axis not in said.axes for axis in denied.axes if axis not in ASSENTS):
        return False
    rest = denied.content - all_said - spare
    if rest and not (
        denied.is_none
        and is_same_key
        and len(rest) == 1
        and denied.content & spare & said.content
        and not said.content - denied.content - spare
    ):
        return False
    if not denied.content and (said.axes or denied.axes):
        return False
    shared = denied.content & said.content
    if is_same_key:
        if denied.content and (denied.content <= spare if not denied.is_none else shared or denied.content <= spare):
            return bool(shared) or denied.is_none
        return bool(shared - spare) or not said.content - spare
    return bool(shared - spare) or len(shared) > 1


def _is_agreed(first: Statement, second: Statement, denied: frozenset[str]) -> bool:
    """Whether both statements deny it somewhere."""
    return all(
        any(clause.is_denied and denied <= clause.content for clause in statement.clauses)
        for statement in (first, second)
    )
