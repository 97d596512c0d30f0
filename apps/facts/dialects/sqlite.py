"""SQLite: gram tables are FTS5 tables without content; a statement for many rows is prepared once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from apps.facts.dialects import base
from apps.facts.dialects.base import Fragment, Grams, SqlValue

BULK_CACHE_KIB = 128 * 1024
"""How much of the file a long build keeps in memory; pages do with its own little."""

_PLACE = re.compile("(?<!%)%s")
_SHAPE = "content, content='', columnsize=0, detail=none"


class SqliteDialect:
    """The database in the data folder."""

    id_column = "rowid"

    def position(self, text: str, part: str) -> str:
        """Counted from 1."""
        return f"instr({text}, {part})"

    def create_gram_table(self, table: str, *, is_of_names: bool) -> tuple[str, ...]:
        """A tokenizer of its own for threes; ones and twos come as words."""
        tokenizer = "ascii" if is_of_names else "trigram case_sensitive 1"
        return (f"CREATE VIRTUAL TABLE {table} USING fts5({_SHAPE}, tokenize='{tokenizer}')",)

    def add_to_texts(self, table: str, rows: Sequence[tuple[int, str]]) -> None:
        """The tokenizer finds the threes."""
        self.execute_many(f"INSERT INTO {table}(rowid, content) VALUES (%s, %s)", rows)

    def remove_from_texts(self, table: str, rows: Sequence[tuple[int, str]]) -> None:
        """A table without content must be told what it was given."""
        self.execute_many(f"INSERT INTO {table}({table}, rowid, content) VALUES ('delete', %s, %s)", rows)

    def add_to_names(self, table: str, rows: Iterable[tuple[int, str]]) -> None:
        """A word for each gram."""
        words = [(number, gram_words(text)) for number, text in rows]
        self.execute_many(f"INSERT INTO {table}(rowid, content) VALUES (%s, %s)", words)

    def has_threes(self, table: str, alias: str, ways: Sequence[Grams]) -> Fragment:
        """A table is asked by its own name, whatever its alias."""
        asked = [" AND ".join(f'"{gram}"' for gram in sorted(gram.replace('"', '""') for gram in way)) for way in ways]
        query = asked[0] if len(asked) == 1 else " OR ".join(f"({one})" for one in asked)
        return Fragment(f"{table} MATCH %s", (query,))

    def has_ones_and_twos(self, table: str, grams: Grams) -> Fragment:
        """Every gram's word."""
        query = " AND ".join(sorted(map(_token, grams)))
        return Fragment(f"SELECT rowid FROM {table} WHERE {table} MATCH %s", (query,))

    def fetch(self, sql: str, params: Sequence[SqlValue]) -> list[tuple[Any, ...]]:
        """By the driver itself."""
        if (database := _unheard()) is None:
            return base.fetch(sql, params)
        with database.wrap_database_errors:
            rows: list[tuple[Any, ...]] = database.connection.execute(_with_marks(sql), params).fetchall()
            return rows

    def execute(self, sql: str, params: Sequence[SqlValue]) -> int:
        """By the driver itself."""
        if (database := _unheard()) is None:
            return base.execute(sql, params)
        with database.wrap_database_errors:
            return int(database.connection.execute(_with_marks(sql), params).rowcount)

    def execute_many(self, sql: str, rows: Sequence[Sequence[SqlValue]]) -> None:
        """The driver repeats it."""
        if (database := _unheard()) is None:
            with connection.cursor() as cursor:
                cursor.executemany(sql, rows)
            return
        with database.wrap_database_errors:
            database.connection.executemany(_with_marks(sql), rows)

    @contextmanager
    def bulk_cache(self) -> Iterator[None]:
        """More of the file in memory."""
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size")
            before = int(cursor.fetchone()[0])
            cursor.execute(f"PRAGMA cache_size = -{BULK_CACHE_KIB}")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA cache_size = {before}")

    def gather_statistics(self, tables: Iterable[str]) -> None:
        """Its queries are written for the plans that it takes without any."""


def _unheard() -> BaseDatabaseWrapper | None:
    """The connection, ready for the driver's own methods: Django's cursor costs more than most statements of an act.

    None where somebody listens to what is asked, which only that cursor tells.
    """
    database = connections[DEFAULT_DB_ALIAS]
    if database.queries_logged or database.execute_wrappers:
        return None
    database.ensure_connection()
    database.validate_no_broken_transaction()
    return database


@lru_cache(maxsize=256)
def _with_marks(sql: str) -> str:
    return _PLACE.sub("?", sql).replace("%%", "%")


def gram_words(text: str) -> str:
    """A name as its table holds it: a word for each of its ones and twos."""
    grams = {*text, *(text[at : at + 2] for at in range(len(text) - 1))}
    return " ".join(sorted(map(_token, grams)))


@lru_cache(maxsize=16_384)
def _token(gram: str) -> str:
    """A word of letters and digits for any one or two characters, whatever they are."""
    return "x".join(f"{ord(character):x}" for character in gram) + "g"
