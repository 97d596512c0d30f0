"""Reads what is new in journal and ledger, a batch at a time, by one process at a time.

1. A journal that was replaced, shrunk or belongs to another store starts a new build; so do other settings, but only
   where nothing bounds the work. The build before keeps answering until the new one has caught up.
2. Each batch is one transaction with its cursor, or all of them together where the work is bounded: a process that
   dies loses nothing and repeats nothing.
3. Then facts that have gone stale, marks of holds, and rows of retired builds, within the same bounds.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import islice, takewhile
from pathlib import Path

from django.db import DataError, IntegrityError, transaction

from apps.facts.answers import Lag
from apps.facts.files import StoreFiles, is_observed
from apps.facts.journal import JournalFile
from apps.facts.models import Build, FactSetting
from apps.facts.policies import Policies
from apps.facts.projector.batch import pass_over, project_lines
from apps.facts.projector.builds import (
    Fit,
    Standing,
    fit_of,
    is_one_kept,
    is_read_from,
    keep_cursor,
    prepared_build,
    remember_marks,
    remove_retired,
    sight,
    standing_builds,
    start_build,
    switch_to,
    take_generation,
)
from apps.facts.projector.ledger import follow_ledger, has_new_events
from apps.facts.projector.settings import fold_again
from apps.facts.projector.sweep import count_due, is_sweep_due, sweep_freshness, sweep_holds
from apps.facts.sql import bulk_cache
from cruxstore.facts.journal import JournalLine, read_lines
from cruxstore.ledger.events import newest_event
from cruxstore.recovery import settled_length

LINES_ON_A_PAGE = 500
"""How many lines a page reads before it is shown."""

UNFIT = (OverflowError, ValueError, DataError, IntegrityError)
"""What a line raises that the tables cannot hold, whatever the format says of it."""

BATCH_LINES = 10_000
BATCH_BYTES = 32 * 1024 * 1024
SWEEP_ROWS = 500
LOCK_NAME = ".index.lock"
REMOVING_LOCK_NAME = ".removing.lock"
REMOVED_ROWS = 2_000
REMOVING_PAUSE = 0.03

_READ_BYTES = 1024 * 1024
_POLL_SECONDS = 0.005

Progress = Callable[[int, int], None]
"""Told how many bytes of the journal have been read, and how many there are."""


def bring_up_to_date(
    store: StoreFiles,
    *,
    now_ns: int,
    policies: Policies | None = None,
    limit: int | None = LINES_ON_A_PAGE,
    wait_seconds: float = 0.0,
    progress: Progress | None = None,
) -> Lag:
    """Projects up to `limit` new lines, all of them for None; does nothing while another process is at it.

    Without policies, those of the process's environment count.
    """
    policies = policies or Policies.from_process()
    standing = standing_builds()
    lag = _lag(standing, store, policies, now_ns)
    if limit is not None and not _is_work_left(store, lag, standing):
        return lag
    read_what_is_new(store, now_ns=now_ns, policies=policies, limit=limit, wait_seconds=wait_seconds, progress=progress)
    if limit is None:
        remove_old(store)
    return index_lag(store, policies=policies, now_ns=now_ns)


def caught_up_build(store: StoreFiles, *, policies: Policies) -> int:
    """The build that answers, if it is the only one and has all of journal and ledger; 0 where there is more to do."""
    standing = standing_builds()
    build = standing.current
    if build is None or standing.making is not None or has_new_events(store, standing.ledger):
        return 0
    seen = sight(store.journal_path)
    is_whole = seen.size == build.offset and fit_of(build, store, policies.digest(), seen) is Fit.SAME
    return build.number if is_whole else 0


def read_what_is_new(
    store: StoreFiles,
    *,
    now_ns: int,
    policies: Policies | None = None,
    limit: int | None,
    wait_seconds: float,
    progress: Progress | None = None,
) -> None:
    """What `bring_up_to_date` does, for whoever knows that there is something new and asks for no lag."""
    policies = policies or Policies.from_process()
    with index_lock(store.data_dir, wait_seconds) as is_ours:
        if is_ours:
            read = partial(_read_new, store, now_ns, policies, limit, progress)
            sweep(read() if limit is None else _at_once(read), store, now_ns, limit)


def _at_once(read: Callable[..., int]) -> int:
    """What is little is committed once, and so seen at once; where a line does not fit, it is read again with care."""
    try:
        with transaction.atomic():
            return read(is_careful=False)
    except UNFIT:
        with transaction.atomic():
            return read()


def _read_new(
    store: StoreFiles,
    now_ns: int,
    policies: Policies,
    limit: int | None,
    progress: Progress | None,
    *,
    is_careful: bool = True,
) -> int:
    """Reads journal and ledger on; answers the number of the build that was read into."""
    standing = standing_builds()
    build = _build_to_read(standing, store, policies, now_ns, is_bounded=limit is not None)
    path, settled = store.journal_path, _settled(store)
    has_caught_up = read_on(build, path, settled, policies, now_ns, limit, progress, is_careful=is_careful)
    if has_caught_up and build.state == Build.State.BUILDING:
        switch_to(build, now_ns)
    follow_ledger(store, limit, decay=policies.decay, now_ms=now_ns // 1_000_000, cursor=standing.ledger)
    name_generation(build, store, policies, now_ns)
    return build.number


def index_lag(store: StoreFiles, *, now_ns: int, policies: Policies | None = None) -> Lag:
    """How far the answering build is behind, without reading the journal."""
    return _lag(standing_builds(), store, policies or Policies.from_process(), now_ns)


def _lag(standing: Standing, store: StoreFiles, policies: Policies, now_ns: int) -> Lag:
    build, making = standing.current, standing.making
    seen = sight(store.journal_path)
    if build is None:
        state = "empty" if seen.size == 0 else "indexing"
        return Lag(state=state, lines=0, bytes_behind=seen.whole, bytes_total=seen.size, to_sweep=0)
    fit = fit_of(build, store, policies.digest(), seen)
    behind = max(0, seen.whole - build.offset)
    if making is not None:
        state = "building"
    elif behind > 0:
        state = "indexing" if build.finished_at is None else "behind"
    else:
        state = "current"
    return Lag(
        state=state,
        lines=build.line,
        bytes_behind=behind if making is None else max(0, seen.whole - making.offset),
        bytes_total=seen.size,
        to_sweep=count_due(build.number, now_ns // 1_000_000, SWEEP_ROWS + 1),
        settings_changed=fit is Fit.SETTINGS_CHANGED,
        journal_replaced=fit is Fit.REPLACED,
        build=build.number,
    )


def _build_to_read(
    standing: Standing, store: StoreFiles, policies: Policies, now_ns: int, *, is_bounded: bool
) -> Build:
    digest = policies.digest()
    current, making = standing.current, standing.making
    if making is not None and fit_of(making, store, digest) is Fit.SAME:
        return making
    if current is not None:
        fit = fit_of(current, store, digest)
        if fit is Fit.SAME or (fit is Fit.SETTINGS_CHANGED and is_bounded):
            return current
    prepared = prepared_build(store, digest)
    if prepared is not None:
        prepared.state = Build.State.BUILDING
        prepared.save()
        return prepared
    return start_build(store, digest, now_ns)


def _settled(store: StoreFiles) -> int:
    """Where whole acts end: one that a crash left half done is not read before it is completed or voided.

    An observed journal holds no acts of ours: every whole line of it counts.
    """
    if is_observed(store):
        return sight(store.journal_path).size
    return settled_length(store.journal_path, store.ledger_path)


def name_generation(build: Build, store: StoreFiles, policies: Policies, now_ns: int) -> None:
    """Calls a build's generation what the ledger calls it, and places what events say of facts anew if it differed."""
    newest = newest_event(store.ledger_path)
    if newest is not None and take_generation(build, newest.journal):
        fold_settings_after(0, store, policies, now_ns)


def fold_settings_after(seq: int, store: StoreFiles, policies: Policies, now_ns: int) -> None:
    """Folds what events after one say of facts into their rows again."""
    fact_ids = list(FactSetting.objects.filter(seq__gt=seq).order_by("seq").values_list("fact_id", flat=True))
    with transaction.atomic(), JournalFile(store.journal_path) as journal:
        fold_again([*dict.fromkeys(fact_ids)], policies.decay, journal, now_ns // 1_000_000)


def read_on(
    build: Build,
    path: Path,
    settled: int,
    policies: Policies,
    now_ns: int,
    limit: int | None,
    progress: Progress | None = None,
    *,
    is_careful: bool = True,
) -> bool:
    """Projects lines after the cursor up to a place; answers whether the last whole one there has been reached.

    Another file under the name, or other content in the file, is left to the next look. A line that does not fit is
    noted, or raises one of UNFIT and spoils the transaction around it where nobody is careful.
    """
    try:
        stream = path.open("rb", buffering=_READ_BYTES)
    except FileNotFoundError:
        return True
    room = bulk_cache() if limit is None else nullcontext()
    inode = os.fstat(stream.fileno()).st_ino
    same = JournalFile(path, accepts=lambda descriptor: os.fstat(descriptor).st_ino == inode)
    with stream, same as journal, room:
        if build.inode not in ("", str(inode)):
            return False
        stream.seek(build.offset)
        total = os.fstat(stream.fileno()).st_size
        found = read_lines(stream, offset=build.offset, number=build.line + 1)
        lines: Iterator[JournalLine] = takewhile(lambda line: line.is_whole and line.offset < settled, found)
        if limit is not None:
            lines = islice(lines, limit)
        read = 0
        for batch in _batches(lines):
            if not is_read_from(build, stream.fileno()):
                return False
            _project(build, batch, policies, journal, now_ns // 1_000_000, stream.fileno(), is_careful=is_careful)
            read += len(batch)
            if progress is not None:
                progress(build.offset, total)
    has_caught_up = limit is None or read < limit
    if has_caught_up and build.finished_at is None and build.state == Build.State.CURRENT:
        switch_to(build, now_ns)
    return has_caught_up


def _project(
    build: Build,
    lines: Sequence[JournalLine],
    policies: Policies,
    journal: JournalFile,
    now_ms: int,
    descriptor: int,
    *,
    is_careful: bool = True,
) -> None:
    """One batch in one transaction; where a line cannot be taken, the others are, and that one is noted."""
    try:
        with transaction.atomic(savepoint=is_careful):
            project_lines(build, lines, policies, journal, now_ms)
            remember_marks(build, descriptor)
            keep_cursor(build)
    except UNFIT as error:
        if not is_careful:
            raise
        build.refresh_from_db()
        if len(lines) > 1:
            middle = len(lines) // 2
            _project(build, lines[:middle], policies, journal, now_ms, descriptor)
            _project(build, lines[middle:], policies, journal, now_ms, descriptor)
            return
        with transaction.atomic():
            pass_over(build, lines[0], f"The index cannot hold this line ({type(error).__name__}).")
            remember_marks(build, descriptor)
            keep_cursor(build)


def _is_work_left(store: StoreFiles, lag: Lag, standing: Standing) -> bool:
    """Whether anything has changed since the index was last brought up to date; writes nothing."""
    if lag.state != "current" or lag.to_sweep or lag.journal_replaced:
        return True
    return standing.has_sweeps or has_new_events(store, standing.ledger)


def _batches(lines: Iterator[JournalLine]) -> Iterator[list[JournalLine]]:
    batch: list[JournalLine] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += line.length
        if len(batch) >= BATCH_LINES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def sweep(build: int, store: StoreFiles, now_ns: int, limit: int | None) -> None:
    now_ms = now_ns // 1_000_000
    if not is_sweep_due(build, now_ms):
        return
    rows = SWEEP_ROWS if limit is not None else BATCH_LINES
    with JournalFile(store.journal_path) as journal:
        while sweep_freshness(build, journal, now_ms, rows) == rows and limit is None:
            pass
        while sweep_holds(build, journal, now_ms, rows) == rows and limit is None:
            pass


def remove_old(store: StoreFiles) -> None:
    """Removes builds that no longer answer, a little at a time, so that nobody waits long for the database."""
    with only_one(store.data_dir / REMOVING_LOCK_NAME, 0.0) as is_ours:
        while is_ours and not is_one_kept(store.data_dir) and remove_retired(REMOVED_ROWS) == REMOVED_ROWS:
            time.sleep(REMOVING_PAUSE)


@contextmanager
def index_lock(folder: Path, wait_seconds: float) -> Iterator[bool]:
    """Whether this process is the one that writes the index now."""
    with only_one(folder / LOCK_NAME, wait_seconds) as is_ours:
        yield is_ours


@contextmanager
def only_one(path: Path, wait_seconds: float) -> Iterator[bool]:
    """Whether this process is the one that holds a lock now; the system lets go when it dies."""
    deadline = time.monotonic() + wait_seconds
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    yield False
                    return
                time.sleep(_POLL_SECONDS)
            else:
                yield True
                return
    finally:
        os.close(descriptor)
