"""Builds: which journal one was read from, whether it still fits, how one takes another's place and how it goes.

A journal is known by its inode, the digest of its first 4 KiB, and the digest of the 256 bytes before the cursor;
whatever is shorter than the cursor, or differs in one of these, is another journal.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import orjson
from django.db import transaction

from apps.facts import search
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.models import (
    Build,
    Cell,
    Consolidation,
    FactLine,
    ForwardLink,
    Hold,
    HoldSweep,
    Home,
    IndexedFact,
    IndexPointer,
    Label,
    LineBlock,
    LineNote,
    Name,
    Revision,
    SettingRevision,
)
from apps.facts.rules import MAX_BUILD, MAX_TENANT, Rollup, block_of, cell_range, first_row, home_of
from apps.facts.sql import execute, fetch, gather_statistics
from cruxstore.errors import CruxError
from cruxstore.files import tail_start
from cruxstore.ledger.events import JournalPlace

READING_LOCK_NAME = ".reading.lock"
HEAD_BYTES = 4096
TAIL_BYTES = 256

_READ = tuple(
    field.attname for field in Build._meta.concrete_fields if field.attname not in ("started_at", "finished_at")
)
_COLUMNS = ", ".join(f'b."{name}"' for name in _READ)
_STANDING = (
    "SELECT b.number = COALESCE(p.current_id, 0), b.finished_at, p.ledger_offset, p.ledger_events,"
    f" p.ledger_instance_id, EXISTS (SELECT 1 FROM facts_holdsweep), {_COLUMNS}"
    " FROM (SELECT 1 AS one) single LEFT JOIN facts_indexpointer p ON p.id = 1"
    f" LEFT JOIN facts_build b ON b.number = p.current_id OR b.state = '{Build.State.BUILDING.value}'"
    " ORDER BY b.started_at DESC"
)
_KEEP_CURSOR = (
    "UPDATE facts_build SET inode = %s, head_length = %s, head_digest = %s, tail_digest = %s, line = %s,"
    ' "offset" = %s, facts = %s, skipped = %s, ignored = %s, redundant = %s, operations = %s WHERE number = %s'
)


class TooManyBuildsError(CruxError):
    """Every build number is taken: old builds must be removed first."""

    code = "too_many_builds"


@dataclass(slots=True)
class LedgerCursor:
    """How far which ledger has been followed, once for all builds."""

    offset: int
    events: int
    instance_id: str


class Standing(NamedTuple):
    """Where the index stands: the build that answers, the one being made beside it, and how far the ledger was read."""

    current: Build | None
    making: Build | None
    ledger: LedgerCursor
    has_sweeps: bool


class Fit(Enum):
    """How a build stands to the journal that has the name now."""

    SAME = "same"
    REPLACED = "replaced"
    SETTINGS_CHANGED = "settings_changed"


@dataclass(frozen=True, slots=True)
class JournalSight:
    """What can be seen of a journal without reading it; `whole` is where its last whole line ends."""

    inode: str
    size: int
    whole: int


def sight(path: Path) -> JournalSight:
    """The journal as it is named now; an absent one is empty."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return JournalSight("", 0, 0)
    try:
        stat = os.fstat(descriptor)
        return JournalSight(str(stat.st_ino), stat.st_size, tail_start(descriptor, stat.st_size))
    finally:
        os.close(descriptor)


def fit_of(build: Build, store: StoreFiles, settings_digest: str, seen: JournalSight | None = None) -> Fit:
    """Whether a build can go on reading where it stopped; `seen` is the journal where it was looked at just now."""
    now = seen or sight(store.journal_path)
    if build.instance_id != store.instance_id or now.size < build.offset:
        return Fit.REPLACED
    if build.offset and (build.inode != now.inode or not _has_marks(build, store.journal_path)):
        return Fit.REPLACED
    return Fit.SAME if build.settings_digest == settings_digest else Fit.SETTINGS_CHANGED


def remember_marks(build: Build, descriptor: int) -> None:
    """Keeps what the opened journal is known by, up to the build's cursor."""
    build.inode = str(os.fstat(descriptor).st_ino)
    build.head_length = min(build.offset, HEAD_BYTES)
    build.head_digest, build.tail_digest = _marks(descriptor, build)


def keep_cursor(build: Build) -> None:
    """Writes how far a build has read, what it has counted, and what it knows its journal by."""
    execute(
        _KEEP_CURSOR,
        (
            build.inode,
            build.head_length,
            build.head_digest,
            build.tail_digest,
            build.line,
            build.offset,
            build.facts,
            build.skipped,
            build.ignored,
            build.redundant,
            orjson.dumps(build.operations).decode(),
            build.number,
        ),
    )


def pointer() -> IndexPointer:
    """The one row that says which build answers."""
    return IndexPointer.objects.select_related("current").get_or_create(pk=1)[0]


def current_build() -> Build | None:
    """The build that answers, None before the first one."""
    return standing_builds().current


def standing_builds() -> Standing:
    """What is to be known of builds and the ledger before anything is read, in one look."""
    current = making = None
    ledger, has_sweeps = LedgerCursor(0, 0, ""), False
    for is_current, finished_at, offset, events, instance_id, is_swept, *values in fetch(_STANDING):
        ledger, has_sweeps = LedgerCursor(offset or 0, events or 0, instance_id or ""), bool(is_swept)
        if values[0] is None:
            continue
        build = Build.from_db("default", _READ, values)
        build.finished_at = _read_moment(finished_at)
        build.operations = orjson.loads(build.operations)
        if is_current:
            current = build
        if build.state == Build.State.BUILDING:
            making = making or build
    return Standing(current, making, ledger, has_sweeps)


def answering_build() -> int:
    """The number of the build that answers; 0 before the first one."""
    found = fetch("SELECT current_id FROM facts_indexpointer WHERE id = 1")
    return (found[0][0] or 0) if found else 0


def open_journal(store: StoreFiles) -> JournalFile:
    """The journal for answers of the build that answers: a file that does not begin as the one that it read is refused.

    So no answer holds a part of what the index says and a part of what another file says.
    """
    build = current_build()
    if build is None:
        return JournalFile(store.journal_path)
    return JournalFile(store.journal_path, accepts=lambda descriptor: is_read_from(build, descriptor))


def is_read_from(build: Build, descriptor: int) -> bool:
    """Whether an opened journal holds what a build remembers of the one that it was read from."""
    return not build.offset or _marks(descriptor, build) == (build.head_digest, build.tail_digest)


def start_build(store: StoreFiles, settings_digest: str, now_ns: int) -> Build:
    """An empty build; the first one answers at once, any other when it has caught up. One in the making is given up.

    A journal other than that of the build before is the next generation.
    """
    with transaction.atomic():
        Build.objects.filter(state=Build.State.BUILDING).update(state=Build.State.RETIRED)
        index = pointer()
        before = index.current
        build = Build.objects.create(
            number=_free_number(),
            state=Build.State.BUILDING if before is not None else Build.State.CURRENT,
            generation=_generation(before, store, settings_digest),
            instance_id=store.instance_id,
            settings_digest=settings_digest,
            started_at=_moment(now_ns),
        )
        search.create_tables(build.number)
        if before is None:
            index.current = build
            index.save()
    return build


def prepare_build(store: StoreFiles, settings_digest: str, now_ns: int, *, begins_generation: bool) -> Build:
    """An empty build beside the one that answers; one prepared before is given up.

    Its journal is the one that answers, or one that is about to begin the next generation.
    """
    with transaction.atomic():
        Build.objects.filter(state=Build.State.PREPARED).update(state=Build.State.RETIRED)
        before = pointer().current
        build = Build.objects.create(
            number=_free_number(),
            state=Build.State.PREPARED,
            generation=_generation(before, store, settings_digest) + begins_generation,
            instance_id=store.instance_id,
            settings_digest=settings_digest,
            started_at=_moment(now_ns),
        )
        search.create_tables(build.number)
    return build


def prepared_build(store: StoreFiles, settings_digest: str) -> Build | None:
    """The build that was prepared for the journal that has the name now."""
    prepared = Build.objects.filter(state=Build.State.PREPARED, line__gt=0)
    return next((build for build in prepared if fit_of(build, store, settings_digest) is Fit.SAME), None)


def switch_to(build: Build, now_ns: int) -> None:
    """Makes a build answer from the next query on; the one before is only still to be removed."""
    with transaction.atomic():
        index = pointer()
        before = index.current
        if before is not None and before.pk != build.pk:
            before.state = Build.State.RETIRED
            before.save()
        build.state = Build.State.CURRENT
        build.finished_at = _moment(now_ns)
        build.save()
        index.current = build
        index.save()
        filled = (IndexedFact, Cell, Name, FactLine, Revision)
        gather_statistics((*(model._meta.db_table for model in filled), *search.table_names(build.number)))


def remove_retired(limit: int) -> int:
    """Removes up to this many rows of builds that no longer answer; answers how many went."""
    removed = 0
    for build in Build.objects.filter(state=Build.State.RETIRED):
        with transaction.atomic():
            search.drop_tables(build.number)
            removed += _remove_rows(build.number, limit - removed)
            if removed < limit:
                build.delete()
        if removed >= limit:
            break
    return removed


@contextmanager
def kept_builds(folder: Path) -> Iterator[None]:
    """While the block runs, no build is removed: what began to read one can read it to its end."""
    descriptor = os.open(folder / READING_LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def is_one_kept(folder: Path) -> bool:
    """Whether somebody reads a build that must not be removed."""
    descriptor = os.open(folder / READING_LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)


def build_rows(build: int) -> tuple[int, int]:
    """The first and the last row id that a build can have."""
    return first_row(home_of(build, 0)), first_row(home_of(build + 1, 0)) - 1


def take_generation(build: Build, newest: JournalPlace) -> bool:
    """Takes over what the ledger calls the generation of a build's journal; answers whether it differed."""
    # nothing has been read of an empty journal that it could be known by
    is_of_another = build.offset > 0 and newest.inode != build.inode
    if newest.generation in (0, build.generation) or is_of_another:
        return False
    build.generation = newest.generation
    build.save(update_fields=["generation"])
    return True


def _generation(before: Build | None, store: StoreFiles, settings_digest: str) -> int:
    if before is None:
        return 1
    is_other_journal = fit_of(before, store, settings_digest) is Fit.REPLACED
    return before.generation + is_other_journal


def _remove_rows(build: int, limit: int) -> int:
    homes = home_of(build, 0), home_of(build, MAX_TENANT)
    rows = build_rows(build)
    cells = cell_range(homes[0], Rollup.BOTH)[0], cell_range(homes[1], Rollup.NEITHER)[1]
    blocks = block_of(build, 1), block_of(build + 1, 1) - 1
    tables = (
        (FactLine, "fact", rows),
        (Revision, "fact", rows),
        (SettingRevision, "fact", rows),
        (LineBlock, "id", blocks),
        (IndexedFact, "id", rows),
        (Cell, "id", cells),
        (Name, "home", homes),
        (Label, "home", homes),
        (Home, "number", homes),
        (Hold, "home", homes),
        (HoldSweep, "home", homes),
        (LineNote, "build", (build, build)),
        (Consolidation, "build", (build, build)),
        (ForwardLink, "build", (build, build)),
    )
    removed = 0
    for model, column, (first, last) in tables:
        if removed >= limit:
            break
        table, key = model._meta.db_table, str(model._meta.pk.column)
        removed += execute(
            f"DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM {table} WHERE {column} BETWEEN %s AND %s LIMIT %s)",
            (first, last, limit - removed),
        )
    return removed


def _free_number() -> int:
    taken: set[int] = set(Build.objects.values_list("number", flat=True))
    newest = max(taken, default=0)
    free: int | None = next((n for n in (*range(newest + 1, MAX_BUILD), *range(1, newest)) if n not in taken), None)
    if free is not None:
        return free
    raise TooManyBuildsError("Too many old builds of the index are waiting to be removed. Run rebuild_index.")


def _has_marks(build: Build, path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        return is_read_from(build, descriptor)
    finally:
        os.close(descriptor)


def _marks(descriptor: int, build: Build) -> tuple[str, str]:
    tail_bytes = min(build.offset, TAIL_BYTES)
    head = os.pread(descriptor, build.head_length, 0)
    tail = os.pread(descriptor, tail_bytes, build.offset - tail_bytes)
    return hashlib.sha256(head).hexdigest(), hashlib.sha256(tail).hexdigest()


def _read_moment(stored: datetime | str | None) -> datetime | None:
    """A moment as Django keeps it: SQLite holds the text of one in UTC."""
    return datetime.fromisoformat(stored).replace(tzinfo=UTC) if isinstance(stored, str) else stored


def _moment(now_ns: int) -> datetime:
    return datetime.fromtimestamp(now_ns / 1e9, UTC)
