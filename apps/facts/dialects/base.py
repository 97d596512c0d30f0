"""What a database must be able to do for the index beyond the SQL that both understand."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import connection

SqlValue = str | int | float | bytes | None
Grams = Iterable[str]
"""Short pieces of a text, each of one to three characters."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of SQL with its parameters."""

    sql: str
    params: tuple[SqlValue, ...] = ()


def fetch(sql: str, params: Sequence[SqlValue]) -> list[tuple[Any, ...]]:
    """Every row of an answer, by Django's cursor."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def execute(sql: str, params: Sequence[SqlValue]) -> int:
    """Runs a statement by Django's cursor; answers how many rows it changed."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return int(cursor.rowcount)


class Dialect(Protocol):
    """One kind of database.

    A gram table holds, for each row id, which grams its text has; whoever asks it for rows compares them with the text.
    """

    id_column: str
    """What a gram table calls the row id."""

    def position(self, text: str, part: str) -> str:
        """The expression for where a part begins in a text, 0 where it does not."""
        ...

    def create_gram_table(self, table: str, *, is_of_names: bool) -> tuple[str, ...]:
        """What makes an empty gram table: of texts by threes, or of names by ones and twos."""
        ...

    def add_to_texts(self, table: str, rows: Sequence[tuple[int, str]]) -> None:
        """Adds texts by their threes."""
        ...

    def remove_from_texts(self, table: str, rows: Sequence[tuple[int, str]]) -> None:
        """Takes back exactly what was added."""
        ...

    def add_to_names(self, table: str, rows: Iterable[tuple[int, str]]) -> None:
        """Adds names by their ones and twos."""
        ...

    def has_threes(self, table: str, alias: str, ways: Sequence[Grams]) -> Fragment:
        """The condition that a row of texts has all grams of one of these ways."""
        ...

    def has_ones_and_twos(self, table: str, grams: Grams) -> Fragment:
        """The ids of a table of names that have all these grams, as a query."""
        ...

    def fetch(self, sql: str, params: Sequence[SqlValue]) -> list[tuple[Any, ...]]:
        """Every row of an answer."""
        ...

    def execute(self, sql: str, params: Sequence[SqlValue]) -> int:
        """Runs a statement; answers how many rows it changed."""
        ...

    def execute_many(self, sql: str, rows: Sequence[Sequence[SqlValue]]) -> None:
        """Runs a statement once for each row."""
        ...

    def bulk_cache(self) -> AbstractContextManager[None]:
        """Room for the indexes of a long build, given back at the end."""
        ...

    def gather_statistics(self, tables: Iterable[str]) -> None:
        """Has the planner know tables that have just been filled."""
        ...
