"""What a figure is compared with: the least that any program would have to do."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from apps.facts import search
from apps.facts.dialects.sqlite import BULK_CACHE_KIB, gram_words
from apps.facts.projector.catching_up import BATCH_LINES

_TABLES = {
    "facts_indexedfact": "line_no, id",
    "facts_factline": "line_no, id",
    "facts_revision": "id",
    "facts_settingrevision": "id",
    "facts_lineblock": "id",
    "facts_name": "id",
    "facts_cell": "id",
    "facts_label": "id",
    "facts_home": "number",
    "facts_tenantnumber": "number",
    "facts_consolidation": "id",
    "facts_linenote": "id",
}


def insert_same_rows(data_dir: Path) -> float:
    """Seconds that `executemany` needs for the rows of an index: same tables, indexes, search tables and batches.

    Only the inserts and their commits are timed; the rows are read from the index beforehand, batch by batch, in the
    order of the journal.
    """
    index = sqlite3.connect(str(settings.DATABASES["default"]["NAME"]))
    copy = sqlite3.connect(data_dir / "yardstick.sqlite3", isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"cache_size=-{BULK_CACHE_KIB}"):
        copy.execute(f"PRAGMA {pragma}")
    _copy_schema(index, copy)
    seconds = 0.0
    for statement, rows in _batches(index):
        started = time.perf_counter()
        copy.execute("BEGIN IMMEDIATE")
        copy.executemany(statement, rows)
        copy.execute("COMMIT")
        seconds += time.perf_counter() - started
    index.close()
    copy.close()
    (data_dir / "yardstick.sqlite3").unlink()
    return seconds


def _copy_schema(index: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    wanted = f"SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name IN ({', '.join('?' * len(_TABLES))})"
    tables = index.execute(f"{wanted} ORDER BY type DESC", list(_TABLES)).fetchall()
    virtual = index.execute("SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'").fetchall()
    for (sql,) in (*tables, *virtual):
        copy.execute(sql)


def _batches(index: sqlite3.Connection) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    build = index.execute("SELECT current_id FROM facts_indexpointer").fetchone()[0]
    for table, order in _TABLES.items():
        columns = [column for _, column, *_ in index.execute(f"PRAGMA table_info({table})")]
        insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        for rows in _chunks(index, f"SELECT * FROM {table} ORDER BY {order}"):
            yield insert, rows
    texts, grams = search.table_names(build)
    for rows in _chunks(index, "SELECT id, search_text FROM facts_indexedfact ORDER BY line_no, id"):
        yield f"INSERT INTO {texts} (rowid, content) VALUES (?, ?)", rows
    for rows in _chunks(index, "SELECT id, search_text FROM facts_name ORDER BY id"):
        words: list[tuple[object, ...]] = [(number, gram_words(str(text))) for number, text in rows]
        yield f"INSERT INTO {grams} (rowid, content) VALUES (?, ?)", words


def _chunks(index: sqlite3.Connection, query: str) -> Iterator[list[tuple[object, ...]]]:
    cursor = index.execute(query)
    while rows := cursor.fetchmany(BATCH_LINES):
        yield rows
