"""Which rows of the index may answer an agent's question: never too few, and few where an index leads to them.

A condition looks at what the index holds, which is folded, cut and in microseconds; the rules then look at the facts.
"""

from collections.abc import Iterable, Sequence

from apps.accounts.rules import Scope
from apps.facts.queries.scoping import may_read
from apps.facts.rules import CUT_CHARS, CUT_MARK, PRIVATE, State, cut, first_row, folded_alone, prefix_end, prefix_start
from apps.facts.search import find_any
from apps.facts.sql import ALWAYS, Fragment, SqlValue, all_of, places

MOST_ALTERNATIVES = 64
"""How many words of a search the index is asked for; a longer one looks at every fact."""

FACTS = "facts_indexedfact f"
NEVER = Fragment("1 = 0")
PUBLIC = Fragment(f"(f.cell & {PRIVATE}) = 0")

_NUL_SHOWN = "\u2400"


def readable(scope: Scope, *, has_superseded: bool) -> Fragment:
    """Facts that are not deleted, of those whose text the scope may read."""
    return all_of(standing(has_superseded=has_superseded), may_read(scope))


def standing(*, has_superseded: bool) -> Fragment:
    """Facts that are not deleted, nor superseded unless asked for."""
    if has_superseded:
        return Fragment(f"(f.cell >> 7) & 3 <> {State.DELETED:d}")
    return Fragment(f"(f.cell >> 7) & 3 = {State.CURRENT:d}")


def of_home(home: int) -> Fragment:
    """All rows of a home, where a table is walked."""
    return Fragment("f.id BETWEEN %s AND %s", (first_row(home), first_row(home + 1) - 1))


def named(home: int, column: str, names: Iterable[str]) -> Fragment:
    """The rows of a home that carry one of these names, exactly."""
    found = [cut(name) for name in names if is_storable(name)]
    return Fragment(f"f.home = %s AND f.{column} IN ({places(found)})", (home, *found)) if found else NEVER


def prefixed(home: int, prefixes: Iterable[str]) -> Fragment:
    """The rows of a home whose entity may start with one of these."""
    parts: list[Fragment] = []
    for prefix in filter(is_storable, prefixes):
        end = prefix_end(prefix)
        below = ALWAYS if end is None else Fragment("f.entity < %s", (end,))
        parts.append(all_of(Fragment("f.entity >= %s", (prefix_start(prefix),)), below))
    return all_of(Fragment("f.home = %s", (home,)), any_of(parts))


def is_exact_prefix(prefix: str | None) -> bool:
    """Whether `prefixed` picks exactly what starts with this."""
    if prefix is None:
        return True
    return len(prefix) <= CUT_CHARS and is_storable(prefix) and not {"\0", _NUL_SHOWN, CUT_MARK}.intersection(prefix)


def holding(home: int, alternatives: Sequence[Sequence[str]]) -> tuple[str, Fragment]:
    """A source and a condition: the rows of a home that may hold every part of any alternative, in either case."""
    found = {tuple(map(folded_alone, way)) for way in alternatives if all(map(is_storable, way))}
    if not found:
        return FACTS, NEVER
    if len(found) > MOST_ALTERNATIVES:
        return FACTS, of_home(home)
    rows = find_any(home, sorted(found))
    span: tuple[SqlValue, ...] = rows.span or ()
    return rows.source, all_of(rows.where, Fragment(f"{rows.order} BETWEEN %s AND %s", span))


def any_of(parts: Sequence[Fragment]) -> Fragment:
    """The condition that one of these holds."""
    if not parts:
        return NEVER
    return Fragment(f"({' OR '.join(one.sql for one in parts)})", tuple(p for one in parts for p in one.params))


def is_storable(text: str) -> bool:
    """Whether a fact can hold this text: none holds half of a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
