"""The one way to write: under the lock, an event first, then its lines, each on the disk before the next.

with store.writing() as door:
    receipt = door.store_facts(actor, "default", [NewFact("team:a", "lead", "Ana")], view=view)
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from cruxstore.errors import CruxError, LockInTransactionError, RewriteRunningError, StoreBusyError
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.files import LockState, StoreLock, read_lock_state, refuse_network_disk
from cruxstore.folder import Folder
from cruxstore.ledger.events import Event, newest_event, read_events
from cruxstore.ledger.settings import FactSetting, fact_settings
from cruxstore.ledger.texts import find_text
from cruxstore.newfacts import NewFact
from cruxstore.operations import Clock, Door, Receipt
from cruxstore.recovery import settled_length
from cruxstore.rewriting import Rewriting, drafts
from cruxstore.stopping import refuse_if_stopped, stopping

__all__ = ["Clock", "Door", "NewFact", "Receipt", "Store"]


class Store:
    """A data folder, open for reading by anyone and for writing by one holder of its lock at a time.

    - What an act returned from is on the disk. An act that raised changed nothing, unless the error says otherwise:
      ActUnfinishedError (decided; the next writer finishes or voids it) or StoreStoppedError (nobody knows yet).
    - Where something is missing that was once whole on the disk, writers get StoreBrokenError and nothing is changed.
    - No act is ever half visible to whoever reads the journal up to `settled_length`.
    - Whoever takes the lock first completes what a crash left, and records what somebody else wrote.
    - Without `journal` the store owns `facts.jsonl` in its folder; given another's journal, it only observes that one.
    """

    def __init__(
        self, folder: Folder, *, clock: Clock, forbidden_now: Callable[[], bool], privacy: PrivacyPolicy
    ) -> None:
        self.data_dir = folder.data_dir
        self.is_owner = folder.is_owner
        self.journal_path = folder.journal.path
        self.ledger_path = folder.chain.file.path
        self.texts_path = folder.texts.path
        self.instance_id = ""
        self.is_demo = False
        self.privacy = privacy
        self._folder = folder
        self._clock = clock
        self._forbidden_now = forbidden_now
        self._lock = StoreLock(folder.data_dir / ".lock")
        self._rewrite_lock = StoreLock(folder.data_dir / ".rewrite.lock")
        self._epoch = 0
        self._stopped = ""

    @classmethod
    def open(
        cls,
        data_dir: Path,
        *,
        journal: Path | None = None,
        clock: Clock = time.time_ns,
        forbidden_now: Callable[[], bool] = lambda: False,
        privacy: PrivacyPolicy | None = None,
        is_demo: bool = False,
    ) -> "Store":
        """The store in a folder; a network disk and a newer program's folder are refused.

        Where there is none it is made, as a demo folder if asked. Only that takes the lock.
        """
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        refuse_network_disk(data_dir)
        store = cls(
            Folder(data_dir, journal=journal),
            clock=clock,
            forbidden_now=forbidden_now,
            privacy=privacy or PrivacyPolicy.from_environment(os.environ),
        )
        instance = store._folder.read_instance()
        if instance is None:
            with store._lock.hold():
                instance = store._folder.read_instance() or store._folder.make_instance(is_demo=is_demo)
        store.instance_id, store.is_demo = instance.instance_id, instance.is_demo
        return store

    @contextmanager
    def writing(self) -> Iterator["Door"]:
        """Takes the lock for a `with` block and answers the door; refuses while every writer is stopped."""
        if self._forbidden_now():
            raise LockInTransactionError("The store's lock comes before any database transaction.")
        with self._lock.hold() as held:
            state = held.read()
            refuse_if_stopped(self._stopped or state.stopped)
            if state.busy or state.epoch != self._epoch:
                self._folder.forget()
            self._epoch = state.epoch
            held.write(LockState(state.epoch, True, state.stopped))
            door = Door(self._folder, held, clock=self._clock, privacy=self.privacy)
            try:
                door.settle()
                yield door
            finally:
                door.close()
                self._stopped = held.read().stopped
                # a holder that died, or left an act unfinished, stays marked busy: the next one looks at the bytes
                if self._folder.is_settled():
                    self._folder.vouch()
                    held.write(LockState(state.epoch, False, state.stopped))

    @contextmanager
    def rewriting(self) -> Iterator[Rewriting]:
        """A rewrite of the journal, for one process at a time (else RewriteRunningError); a draft left by one goes.

        Preparing and following hold no lock, so that others go on writing; a door's `compact` ends it.
        """
        with ExitStack() as alone:
            try:
                alone.enter_context(self._rewrite_lock.hold(0))
            except StoreBusyError as error:
                raise RewriteRunningError(
                    "Another process is rewriting the journal. Wait until it has ended."
                ) from error
            with self.writing() as door:
                rewriting = door.begin_rewrite(self.fact_settings())
            for left in drafts(self.data_dir):
                left.unlink()
            try:
                yield rewriting
            finally:
                rewriting.discard()

    def reopen(self) -> None:
        """Reads the ends of all files again, from the disk itself, and lets writers go on if they can be relied on."""
        with self._lock.hold() as held:
            with stopping(held):
                self._folder.refuse_if_broken()
                for file in self._folder.files():
                    file.forget_cached()
                    file.sync()
                    file.repair()
                self._folder.chain.check_end()
                self._folder.forget()
                self._folder.settle(self._clock())
            held.write(LockState(epoch=held.read().epoch + 1))
            self._stopped = ""

    def stopped(self) -> str:
        """Why every writer is stopped; empty while none is."""
        return self._stopped or read_lock_state(self._lock.path).stopped

    def broken(self) -> str:
        """What is missing of what was once on the disk, for which nothing may be written; empty while all is there."""
        return self._folder.broken()

    def trouble(self) -> CruxError | None:
        """The same as the error that a writer would be refused with."""
        return self._folder.trouble()

    @property
    def is_adopted(self) -> bool:
        """Whether the journal has been taken over, so that facts can be stored."""
        newest = newest_event(self.ledger_path)
        return newest is not None and newest.journal.generation > 0

    def settled_length(self) -> int:
        """How many bytes of the journal hold whole acts; takes no lock."""
        return settled_length(self.journal_path, self.ledger_path)

    def ledger_size(self) -> int:
        """How long the ledger is in bytes, a torn tail included."""
        return self.ledger_path.stat().st_size if self.ledger_path.exists() else 0

    def events_from(self, offset: int) -> Iterator[tuple[Event, int]]:
        """Each event from a byte offset on, with the offset of the one after it."""
        return read_events(self.ledger_path, offset)

    def text_of(self, event: Event) -> str | None:
        """The event's own words (a reason, a name); None where it has none, or they were erased."""
        found = (find_text(self.texts_path, mark) for mark in event.texts)
        return next((text.text for text in found if text is not None and text.kind != "fact_id"), None)

    def foreign_ids(self, event: Event) -> dict[str, str]:
        """For the commitments that stand in an event in place of fact ids not of our form: the ids."""
        found = (find_text(self.texts_path, mark) for mark in event.texts)
        return {text.mark.commitment: text.text for text in found if text is not None and text.kind == "fact_id"}

    def fact_settings(self) -> dict[str, FactSetting]:
        """What the ledger says of facts that no line of the journal can say, by fact id."""
        return fact_settings((event for event, _ in self.events_from(0)), foreign_ids=self.foreign_ids)

    def quarantines(self) -> list[Path]:
        """The torn tails set aside so far, by name."""
        return sorted(self.data_dir.glob("*.torn.*"))

    def close(self) -> None:
        """Lets go of the files; using the store opens them again."""
        for file in self._folder.files():
            file.close()
