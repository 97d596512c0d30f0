"""Acts through the door, each followed by its yardstick: the bytes and rows that it has just written, written again."""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings

from apps.accounts.actions import SYSTEM
from apps.facts import search
from apps.facts.acting import acting
from apps.facts.bench.journal import TENANTS, facts_to_store
from apps.facts.dialects.sqlite import gram_words
from apps.store import open_store
from cruxstore.door import Store
from cruxstore.newfacts import NewFact
from cruxstore.replayed import read_state

SINGLE_ACTS, BATCH_ACTS, BATCH_FACTS = 2_000, 100, 1_000
INDEXED_ACTS = 300

_TENANT = next(iter(TENANTS))


class _Files:
    """The ledger and the journal, and the files that what was added to them is written to again."""

    def __init__(self, store: Store, folder: Path) -> None:
        folder.mkdir()
        paths = (store.ledger_path, store.journal_path)
        self._added = [path.open("rb") for path in paths]
        for stream in self._added:
            stream.seek(0, os.SEEK_END)
        self._again = [os.open(folder / path.name, os.O_WRONLY | os.O_CREAT | os.O_APPEND) for path in paths]

    def added(self) -> list[bytes]:
        """What was written since this was asked last."""
        return [stream.read() for stream in self._added]

    def write(self, texts: Sequence[bytes]) -> None:
        """Writes and syncs one file after the other."""
        for descriptor, text in zip(self._again, texts, strict=True):
            os.write(descriptor, text)
            os.fdatasync(descriptor)

    def close(self) -> None:
        """Lets go of the files."""
        for stream in self._added:
            stream.close()
        for descriptor in self._again:
            os.close(descriptor)


def append_singles(root: Path) -> tuple[float, float]:
    """Seconds for acts of one fact without an index, and for the same bytes."""
    return _append(root, SINGLE_ACTS, 1)


def append_batches(root: Path) -> tuple[float, float]:
    """Seconds for acts of a thousand facts without an index, and for the same bytes, spelled out by `orjson` first."""
    return _append(root, BATCH_ACTS, BATCH_FACTS)


def act_with_rows() -> tuple[float, float]:
    """Seconds for acts of one fact and their rows in this data folder's index, and for the same bytes and rows."""
    store, ours, yardstick = open_store(), 0.0, 0.0
    with (
        closing(_Files(store, settings.DATA_DIR / "again")) as files,
        closing(_Rows(settings.DATA_DIR / "again.sqlite3")) as rows,
    ):
        for new in _facts(INDEXED_ACTS, 1):
            started = time.perf_counter()
            with acting(store) as (door, view):
                door.store_facts(SYSTEM, _TENANT, new, view=view)
            ours += time.perf_counter() - started
            texts, inserts = files.added(), rows.added()
            started = time.perf_counter()
            files.write(texts)
            rows.insert(inserts)
            yardstick += time.perf_counter() - started
    return ours, yardstick


def _append(root: Path, acts: int, facts: int) -> tuple[float, float]:
    store, ours, yardstick = Store.open(root / "store"), 0.0, 0.0
    with store.writing() as door:
        door.adopt(SYSTEM)
    view = read_state(store)
    with closing(_Files(store, root / "again")) as files:
        for new in _facts(acts, facts):
            started = time.perf_counter()
            with store.writing() as door:
                door.store_facts(SYSTEM, _TENANT, new, view=view)
            ours += time.perf_counter() - started
            texts = files.added()
            lines = [[orjson.loads(line) for line in text.splitlines()] for text in texts]
            started = time.perf_counter()
            if facts > 1:
                texts = [b"".join(orjson.dumps(line) + b"\n" for line in group) for group in lines]
            files.write(texts)
            yardstick += time.perf_counter() - started
    store.close()
    return ours, yardstick


def _facts(acts: int, facts: int) -> Iterator[list[NewFact]]:
    """What acts store: every fact begins a chain, so that a view from before the first act stays true."""
    # some are private, and those nobody may store
    made = facts_to_store(2 * acts * facts)
    return ([next(made) for _ in range(facts)] for _ in range(acts))


class _Rows:
    """The index, and a copy of it that takes the rows which were added to the index."""

    def __init__(self, copy: Path) -> None:
        self._index = sqlite3.connect(str(settings.DATABASES["default"]["NAME"]), isolation_level=None)
        self._copy = sqlite3.connect(copy, isolation_level=None)
        self._index.backup(self._copy)
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL"):
            self._copy.execute(f"PRAGMA {pragma}")
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'facts_*' AND sql GLOB '*\"id\"*'"
        self._newest = {table: self._newest_id(table) for (table,) in self._index.execute(names).fetchall()}
        build = self._index.execute("SELECT current_id FROM facts_indexpointer").fetchone()[0]
        self._texts, self._grams = search.table_names(build)

    def added(self) -> list[tuple[str, list[tuple[Any, ...]]]]:
        """Statements with the rows that were added since this was asked last; texts for the search tables too."""
        inserts = []
        for table, newest in self._newest.items():
            cursor = self._index.execute(f"SELECT * FROM {table} WHERE id > ?", (newest,))
            columns = [column for column, *_ in cursor.description]
            rows = cursor.fetchall()
            if not rows:
                continue
            inserts.append((f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({_places(columns)})", rows))
            place, text = columns.index("id"), columns.index("search_text") if "search_text" in columns else None
            self._newest[table] = max(row[place] for row in rows)
            if text is not None:
                searched = self._texts if table == "facts_indexedfact" else self._grams
                words = [(row[place], _searched(table, row[text])) for row in rows]
                inserts.append((f"INSERT INTO {searched} (rowid, content) VALUES (?, ?)", words))
        return inserts

    def insert(self, inserts: Sequence[tuple[str, list[tuple[Any, ...]]]]) -> None:
        """Puts rows into the copy in one commit."""
        self._copy.execute("BEGIN IMMEDIATE")
        for statement, rows in inserts:
            self._copy.executemany(statement, rows)
        self._copy.execute("COMMIT")

    def close(self) -> None:
        """Lets go of both."""
        self._index.close()
        self._copy.close()

    def _newest_id(self, table: str) -> int:
        return int(self._index.execute(f"SELECT max(id) FROM {table}").fetchone()[0] or 0)


def _searched(table: str, text: str) -> str:
    return text if table == "facts_indexedfact" else gram_words(text)


def _places(columns: Sequence[str]) -> str:
    return ", ".join("?" * len(columns))
