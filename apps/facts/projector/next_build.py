"""An index made beside the one that answers, which goes on being brought up to date, so that nobody waits for it.

1. It is read a batch at a time; between two batches the lock on the index is free.
2. When all is read, the pointer is set. Where the journal is a draft that takes the place of the one before, that
   happens under the store's lock, right after.

A process that dies before leaves it to whoever brings the index up to date next, if the draft got its name.
"""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from apps.facts.answers import Lag
from apps.facts.files import StoreFiles
from apps.facts.models import Build, LedgerEvent
from apps.facts.policies import Policies
from apps.facts.projector.builds import prepare_build, switch_to
from apps.facts.projector.catching_up import (
    BATCH_LINES,
    Progress,
    fold_settings_after,
    index_lag,
    index_lock,
    name_generation,
    only_one,
    read_on,
    remove_old,
    sweep,
)
from apps.facts.projector.ledger import follow_ledger
from apps.facts.sql import bulk_cache
from cruxstore.errors import CruxError, IndexBehindError
from cruxstore.recovery import settled_length

BUILDING_LOCK_NAME = ".building.lock"
LINES_AT_ONCE = 1_000
PAUSE_SECONDS = 0.03
"""Longer than whoever waits for the lock looks away, so that it is their turn after each batch."""
WAIT_SECONDS = 60.0


class IndexBusyError(CruxError):
    """The index is being built anew by another process."""

    code = "index_busy"


class NextBuild:
    """An index in the making, as a block; what did not come to answer in it is removed later."""

    def __init__(self, store: StoreFiles, build: Build, policies: Policies, now_ns: int) -> None:
        self._store = store
        self._build = build
        self._policies = policies
        self._now_ns = now_ns
        self._events = LedgerEvent.objects.count()

    @classmethod
    @contextmanager
    def of(
        cls, store: StoreFiles, *, now_ns: int, policies: Policies | None = None, begins_generation: bool
    ) -> Iterator[Self]:
        """One at a time, else IndexBusyError; `begins_generation` where it is of a draft of the journal."""
        policies = policies or Policies.from_process()
        with only_one(store.data_dir / BUILDING_LOCK_NAME, 0.0) as is_ours:
            if not is_ours:
                raise IndexBusyError("Another process builds the index anew. Wait until it has ended.")
            build = prepare_build(store, policies.digest(), now_ns, begins_generation=begins_generation)
            try:
                yield cls(store, build, policies, now_ns)
            finally:
                Build.objects.filter(pk=build.pk, state=Build.State.PREPARED).update(state=Build.State.RETIRED)

    def read(self, path: Path, progress: Progress | None = None, *, at_once: int = LINES_AT_ONCE) -> None:
        """Projects the whole lines of a journal, or of a draft of it, that are new."""
        settled = path.stat().st_size if path.exists() else 0
        if path == self._store.journal_path:
            settled = settled_length(path, self._store.ledger_path)
        with bulk_cache():
            while not self._read(path, settled, progress, at_once):
                time.sleep(PAUSE_SECONDS)

    def switch(self) -> None:
        """Makes this the index that answers, with what was written to the journal since."""
        with index_lock(self._store.data_dir, WAIT_SECONDS) as is_ours:
            if not is_ours:
                raise IndexBehindError("Another process holds the index. It switches by itself when that has ended.")
            path = self._store.journal_path
            settled = settled_length(path, self._store.ledger_path)
            read_on(self._build, path, settled, self._policies, self._now_ns, None)
            follow_ledger(self._store, None, decay=self._policies.decay, now_ms=self._now_ns // 1_000_000)
            switch_to(self._build, self._now_ns)
            name_generation(self._build, self._store, self._policies, self._now_ns)
            # events written while a draft was read found no journal to fold into
            fold_settings_after(self._events, self._store, self._policies, self._now_ns)

    def sweep(self) -> None:
        """Does what changes while no line is written, and removes the index before."""
        with index_lock(self._store.data_dir, WAIT_SECONDS) as is_ours:
            if is_ours:
                sweep(self._build.number, self._store, self._now_ns, None)
        remove_old(self._store)

    def _read(self, path: Path, settled: int, progress: Progress | None, at_once: int) -> bool:
        with index_lock(self._store.data_dir, WAIT_SECONDS) as is_ours:
            if not is_ours:
                raise IndexBehindError("Another process holds the index. Try again in a minute.")
            with _uncollected():
                return read_on(self._build, path, settled, self._policies, self._now_ns, at_once, progress)


@contextmanager
def _uncollected() -> Iterator[None]:
    """A batch without looks for cycles: they would go through all that it holds again and again, and find nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def rebuild(
    store: StoreFiles, *, now_ns: int, policies: Policies | None = None, progress: Progress | None = None
) -> Lag:
    """Builds the index anew from the first line on, switches to it, and removes the one before."""
    with NextBuild.of(store, now_ns=now_ns, policies=policies, begins_generation=False) as index:
        index.read(store.journal_path, progress, at_once=BATCH_LINES)
        index.switch()
        index.sweep()
    return index_lag(store, policies=policies, now_ns=now_ns)
