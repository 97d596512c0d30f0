"""Plain SQL for what the index needs beyond the ORM: fragments with their parameters, and a way to run them."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from django.db import connection

from apps.facts.dialects import DIALECTS, Dialect
from apps.facts.dialects.base import Fragment, SqlValue

__all__ = [
    "ALWAYS",
    "Fragment",
    "SqlValue",
    "all_of",
    "bulk_cache",
    "dialect",
    "execute",
    "execute_many",
    "fetch",
    "fetch_number",
    "gather_statistics",
    "numbers",
    "places",
    "position",
]

ALWAYS = Fragment("1 = 1")


def all_of(*fragments: Fragment) -> Fragment:
    """The condition that every one of these holds."""
    return Fragment(
        " AND ".join(fragment.sql for fragment in fragments),
        tuple(param for fragment in fragments for param in fragment.params),
    )


def places(values: Sequence[SqlValue]) -> str:
    """A place for each value, for an IN list."""
    return ", ".join(["%s"] * len(values))


def numbers(values: Iterable[int]) -> str:
    """Numbers as they stand in an IN list; one that nothing equals where there are none."""
    return ", ".join(str(int(value)) for value in values) or "-1"


def fetch(sql: str, params: Sequence[SqlValue] = ()) -> list[tuple[Any, ...]]:
    """Every row of an answer."""
    return dialect().fetch(sql, params)


def fetch_number(sql: str, params: Sequence[SqlValue] = ()) -> int:
    """The one number of an answer, 0 for NULL."""
    return int(fetch(sql, params)[0][0] or 0)


def execute(sql: str, params: Sequence[SqlValue] = ()) -> int:
    """Runs a statement; answers how many rows it changed."""
    return dialect().execute(sql, params)


def execute_many(sql: str, rows: Sequence[Sequence[SqlValue]]) -> None:
    """Runs a statement once for each row; DataError where a value is none that the tables can hold."""
    if rows:
        dialect().execute_many(sql, rows)


def dialect() -> Dialect:
    """What the database in use spells in its own way."""
    return DIALECTS[connection.vendor]


def position(text: str, part: str) -> str:
    """The expression for where a part begins in a text, counted from 1; 0 where it does not."""
    return dialect().position(text, part)


def bulk_cache() -> AbstractContextManager[None]:
    """Room for the indexes of a long build, given back at the end."""
    return dialect().bulk_cache()


def gather_statistics(tables: Iterable[str]) -> None:
    """Has the planner know tables that have just been filled."""
    dialect().gather_statistics(tables)
