"""Plain SQL for what the index needs beyond the ORM: fragments with their parameters, and a way to run them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection

BULK_CACHE_KIB = 128 * 1024
"""How much of SQLite's file a long build keeps in memory; pages do with its own little."""

SqlValue = str | int | float | None


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of SQL with its parameters."""

    sql: str
    params: tuple[SqlValue, ...] = ()


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
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def fetch_number(sql: str, params: Sequence[SqlValue] = ()) -> int:
    """The one number of an answer, 0 for NULL."""
    return int(fetch(sql, params)[0][0] or 0)


def execute(sql: str, params: Sequence[SqlValue] = ()) -> int:
    """Runs a statement; answers how many rows it changed."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return int(cursor.rowcount)


def execute_many(sql: str, rows: Sequence[Sequence[SqlValue]]) -> None:
    """Runs a statement once for each row."""
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(sql, rows)


@contextmanager
def bulk_cache() -> Iterator[None]:
    """Room for the indexes of a long build, given back at the end."""
    if connection.vendor != "sqlite":
        yield
        return
    (before,) = fetch("PRAGMA cache_size")[0]
    execute(f"PRAGMA cache_size = -{BULK_CACHE_KIB}")
    try:
        yield
    finally:
        execute(f"PRAGMA cache_size = {int(before)}")
