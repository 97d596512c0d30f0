"""SQLite: gram tables are FTS5 tables without content; a statement for many rows is prepared once."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from django.db import connection

from apps.facts.dialects.base import Fragment, Grams, SqlValue

BULK_CACHE_KIB = 128 * 1024
"""How much of the file a long build keeps in memory; pages do with its own little."""

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

    def execute_many(self, sql: str, rows: Sequence[Sequence[SqlValue]]) -> None:
        """The driver repeats it."""
        with connection.cursor() as cursor:
            cursor.executemany(sql, rows)

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


def gram_words(text: str) -> str:
    """A name as its table holds it: a word for each of its ones and twos."""
    grams = {*text, *(text[at : at + 2] for at in range(len(text) - 1))}
    return " ".join(sorted(map(_token, grams)))


@lru_cache(maxsize=16_384)
def _token(gram: str) -> str:
    """A word of letters and digits for any one or two characters, whatever they are."""
    return "x".join(f"{ord(character):x}" for character in gram) + "g"
