"""PostgreSQL: a gram table holds numbers of grams, found through a GIN index; needs no extension and no locale.

Two grams may have one number, so that more rows are found than have a gram, never fewer.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any
from zlib import crc32

from django.db import DataError, OperationalError, connection

from apps.facts.dialects import base
from apps.facts.dialects.base import Fragment, Grams, SqlValue

AT_ONCE = 200
"""How many statements go to the server together."""

_PLAIN_INSERT = re.compile(r"INSERT INTO (?P<target>\w+ \([^()]+\)) VALUES \(%s(, %s)*\)")
_TOO_LARGE = "54000"
_HALF = 1 << 31
_KNOWN_GRAMS = 500_000


class PostgresDialect:
    """A server elsewhere or here."""

    id_column = "id"

    def position(self, text: str, part: str) -> str:
        """Counted from 1."""
        return f"strpos({text}, {part})"

    def create_gram_table(self, table: str, *, is_of_names: bool) -> tuple[str, ...]:
        """Both kinds have one shape."""
        return (
            f"CREATE TABLE {table} (id bigint PRIMARY KEY, grams integer[] NOT NULL)",
            f"CREATE INDEX ON {table} USING gin (grams)",
        )

    def add_to_texts(self, table: str, rows: Sequence[tuple[int, str]]) -> None:
        """Texts of less than three characters have no gram and are found by none."""
        _copy(table, ((number, {text[at : at + 3] for at in range(len(text) - 2)}) for number, text in rows))

    def remove_from_texts(self, table: str, rows: Sequence[tuple[int, str]]) -> None:
        """By their ids."""
        self.execute_many(f"DELETE FROM {table} WHERE id = %s", [(number,) for number, _ in rows])

    def add_to_names(self, table: str, rows: Iterable[tuple[int, str]]) -> None:
        """Ones and twos."""
        _copy(table, ((number, {*text, *(text[at : at + 2] for at in range(len(text) - 1))}) for number, text in rows))

    def has_threes(self, table: str, alias: str, ways: Sequence[Grams]) -> Fragment:
        """Each way is looked up by itself."""
        parts = [f"{alias}.grams @> {_array(way)}" for way in ways]
        return Fragment(parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})")

    def has_ones_and_twos(self, table: str, grams: Grams) -> Fragment:
        """All of them."""
        return Fragment(f"SELECT id FROM {table} WHERE grams @> {_array(grams)}")

    def fetch(self, sql: str, params: Sequence[SqlValue]) -> list[tuple[Any, ...]]:
        """By Django's cursor."""
        return base.fetch(sql, params)

    def execute(self, sql: str, params: Sequence[SqlValue]) -> int:
        """By Django's cursor."""
        return base.execute(sql, params)

    def execute_many(self, sql: str, rows: Sequence[Sequence[SqlValue]]) -> None:
        """Rows that are only inserted are streamed, other statements sent many at once.

        What an index cannot hold for its size is a DataError, as other values are.
        """
        plain = _PLAIN_INSERT.fullmatch(sql)
        with connection.cursor() as cursor:
            try:
                if plain is not None:
                    with connection.wrap_database_errors, cursor.copy(f"COPY {plain['target']} FROM STDIN") as copy:
                        for row in rows:
                            copy.write_row(row)
                    return
                for start in range(0, len(rows), AT_ONCE):
                    some = rows[start : start + AT_ONCE]
                    cursor.execute("; ".join(cursor.mogrify(sql, row) for row in some))
            except OperationalError as error:
                if getattr(error.__cause__, "sqlstate", None) != _TOO_LARGE:
                    raise
                raise DataError("A value is too long for an index.") from error

    @contextmanager
    def bulk_cache(self) -> Iterator[None]:
        """The server has memory of its own."""
        yield

    def gather_statistics(self, tables: Iterable[str]) -> None:
        """Its own daemon would do it a minute later."""
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join(tables)}")


class _Numbers(dict[str, str]):
    """The number of every gram that somebody has asked for; forgotten where they become many."""

    def __missing__(self, gram: str) -> str:
        if len(self) >= _KNOWN_GRAMS:
            self.clear()
        self[gram] = number = str(crc32(gram.encode()) - _HALF)
        return number


_NUMBERS = _Numbers()


def _copy(table: str, rows: Iterable[tuple[int, Grams]]) -> None:
    lines = (f"{number}\t{{{','.join([_NUMBERS[gram] for gram in grams])}}}\n" for number, grams in rows)
    into = f"COPY {table} (id, grams) FROM STDIN"
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(into) as copy:
        # each write is a round of its own
        while some := "".join(islice(lines, AT_ONCE)):
            copy.write(some)


def _array(grams: Grams) -> str:
    return f"'{{{','.join(sorted(_NUMBERS[gram] for gram in grams))}}}'::integer[]"
