"""The one way to write: under the lock, an event first, then its lines, each on the disk before the next.

with store.writing() as door:
    receipt = door.store_facts(actor, "default", [NewFact("team:a", "lead", "Ana")], view=view)
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from cruxstore.act import Act
from cruxstore.errors import (
    JournalNotOursError,
    LockInTransactionError,
    NotAdoptedError,
    StoreStoppedError,
    UnknownSyncError,
)
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import ClearSupersede, Delete, Supersede
from cruxstore.facts.state import StateView, is_consolidation_source
from cruxstore.facts.times import format_timestamp
from cruxstore.files import HeldLock, LockState, StoreLock, read_lock_state, refuse_network_disk
from cruxstore.folder import Folder
from cruxstore.hiding import restored_without, to_delete
from cruxstore.ledger.chain import place_after
from cruxstore.ledger.events import (
    Action,
    Actor,
    Event,
    JournalPlace,
    act_digest,
    decode_event,
    read_events,
)
from cruxstore.ledger.texts import find_text
from cruxstore.lines import find_line, newest_line, read_lines
from cruxstore.newfacts import NewFact, build_facts
from cruxstore.recovery import settled_length

__all__ = ["Clock", "Door", "NewFact", "Receipt", "Store"]

Clock = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an act left behind: its event and, where it has any, the facts it made or deleted, in order."""

    event: Event
    fact_ids: tuple[str, ...] = ()


class Store:
    """A data folder, open for reading by anyone and for writing by one holder of its lock at a time.

    - What an act returned from is on the disk. An act that raised changed nothing, unless the error says otherwise:
      ActUnfinishedError (decided; the next writer finishes or voids it) or StoreStoppedError (nobody knows yet).
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
            _refuse_if_stopped(self._stopped or state.stopped)
            if state.busy or state.epoch != self._epoch:
                self._folder.forget()
            self._epoch = state.epoch
            held.write(replace(state, busy=True))
            door = Door(self._folder, held, clock=self._clock, privacy=self.privacy)
            try:
                door.settle()
                yield door
            finally:
                door.close()
                self._stopped = held.read().stopped
                # a holder that died, or left an act unfinished, stays marked busy: the next one looks at the bytes
                if self._folder.is_settled():
                    held.write(replace(state, busy=False))

    def reopen(self) -> None:
        """Reads the ends of all files again, from the disk itself, and lets writers go on if they can be relied on."""
        with self._lock.hold() as held:
            with _stopping(held):
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

    @property
    def is_adopted(self) -> bool:
        """Whether the journal has been taken over, so that facts can be stored."""
        newest = newest_line(self.ledger_path)
        return newest is not None and decode_event(newest).journal.generation > 0

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

    def quarantines(self) -> list[Path]:
        """The torn tails set aside so far, by name."""
        return sorted(self.data_dir.glob("*.torn.*"))

    def close(self) -> None:
        """Lets go of the files; using the store opens them again."""
        for file in self._folder.files():
            file.close()


class Door:
    """What can be done to a store while its lock is held; every act is one event."""

    def __init__(self, folder: Folder, held: HeldLock, *, clock: Clock, privacy: PrivacyPolicy) -> None:
        self._folder = folder
        self._held = held
        self._clock = clock
        self._privacy = privacy
        self._is_open = True
        self._place: JournalPlace | None = None

    def settle(self) -> JournalPlace:
        """Mends what a crash, an unfinished act or somebody else left; answers where the journal ends."""
        if not self._is_open:
            raise RuntimeError("this door was closed with its lock")
        if self._place is None:
            _refuse_if_stopped(self._held.read().stopped)
            with _stopping(self._held):
                self._place = self._folder.settle(self._clock())
        return self._place

    def close(self) -> None:
        """Ends the use of this door; its lock is about to be let go."""
        self._is_open = False

    def adopt(self, actor: Actor) -> Event | None:
        """Takes the journal over as it stands, with its length and digest; None where that was done before."""
        self._require_owner()
        if self.settle().generation > 0:
            return None
        with self._writing():
            event = self._folder.adopt(actor, self._clock())
        self._place = place_after(event)
        return event

    def store_facts(
        self,
        actor: Actor,
        tenant: str,
        new: Sequence[NewFact],
        *,
        view: StateView,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Stores facts, each at the head of its chain and retiring the one before; `view` must be caught up.

        All or nothing: one event, one line with the facts, then a `supersede` line for each one retired.
        """
        place, now_ns = self._place_for_lines(), self._clock()
        built = build_facts(new, tenant=tenant, now_ns=now_ns, view=view, privacy=self._privacy)
        facts = tuple(fact for fact, _ in built)
        stamp = format_timestamp(now_ns, zulu=False)
        writing = Act(actor, tenant, Action.FACT_STORED, now_ns=now_ns, place=place, name=act)
        writing.say("reason", reason)
        if facts:
            writing.add_facts(facts, key=self._folder.digest_key(place.generation))
        for fact, before in built:
            if before is not None and not is_consolidation_source(before, view):
                writing.add(Supersede(fact_id=before.fact_id, by_fact_id=fact.fact_id, superseded_at=stamp))
        fact_ids = tuple(fact.fact_id for fact in facts)
        return Receipt(self._commit(writing, (*subjects, *fact_ids)), fact_ids)

    def delete_facts(
        self,
        actor: Actor,
        tenant: str,
        fact_ids: Sequence[str],
        *,
        view: StateView,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        restores_replaced: bool = False,
        act: str = "",
    ) -> Receipt:
        """Hides facts of this tenant; all or nothing, and one that is hidden already gets no second line.

        With `restores_replaced`, what each of them had retired counts again, unless it is hidden too.
        """
        place, now_ns = self._place_for_lines(), self._clock()
        living = to_delete(fact_ids, tenant=tenant, view=view, privacy=self._privacy)
        stamp = format_timestamp(now_ns, zulu=False)
        writing = Act(actor, tenant, Action.FACT_DELETED, now_ns=now_ns, place=place, name=act)
        writing.say("reason", reason)
        named = tuple(writing.add(Delete(fact_id=fact_id, deleted_at=stamp)) for fact_id in living)
        for fact_id in restored_without(living, view) if restores_replaced else ():
            writing.add(ClearSupersede(fact_id=fact_id, cleared_at=stamp))
        return Receipt(self._commit(writing, (*subjects, *named)), tuple(living))

    def record(
        self,
        actor: Actor,
        tenant: str,
        action: Action,
        *,
        subjects: Sequence[str] = (),
        outcome: str = "done",
        code: str = "",
        text: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Records an act that needs no line in the journal; `tenant` is empty for the store itself."""
        place = self.settle()
        writing = Act(actor, tenant, action, now_ns=self._clock(), place=place, name=act)
        writing.say("text", text)
        return Receipt(self._commit(writing, tuple(subjects), outcome=outcome, code=code))

    def find_act(self, act: str) -> Event | None:
        """The event of an act by the name its caller gave it; None where it never happened or came to nothing."""
        self.settle()
        path = self._folder.chain.file.path
        found = find_line(path, b'"act":"%b"' % act_digest(act).encode())
        if found is None:
            return None
        offset, line = found
        event = decode_event(line)
        # a void follows its act at once: whoever finds the act unfinished writes it before anything else
        after = next(read_lines(path, offset + len(line) + 1), None)
        is_void = after is not None and _voids(decode_event(after[1]), event)
        return None if is_void else event

    def _commit(self, writing: Act, subjects: tuple[str, ...], *, outcome: str = "done", code: str = "") -> Event:
        event = writing.event(subjects, outcome=outcome, code=code)
        with self._writing():
            written = self._folder.commit(event, texts=writing.texts, lines=writing.lines)
        self._place = place_after(written)
        return written

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """While files are written nothing is known about them; what raises in between is mended before the next act."""
        self._place = None
        with _stopping(self._held):
            yield

    def _place_for_lines(self) -> JournalPlace:
        self._require_owner()
        place = self.settle()
        if place.generation == 0:
            raise NotAdoptedError("The journal has not been taken over yet.")
        return place

    def _require_owner(self) -> None:
        if not self._folder.is_owner:
            raise JournalNotOursError("The journal belongs to a daemon and is only read here.")


def _voids(event: Event, act: Event) -> bool:
    return event.action == Action.ACT_VOIDED and event.subjects == (act.event_id,)


@contextmanager
def _stopping(held: HeldLock) -> Iterator[None]:
    """Sets the stop flag for every process where nobody knows any more what the disk holds."""
    try:
        yield
    except UnknownSyncError as error:
        held.write(LockState(epoch=held.read().epoch, busy=True, stopped=str(error)))
        raise StoreStoppedError(f"{error} Nobody may write until the store has been reopened.") from error


def _refuse_if_stopped(reason: str) -> None:
    if reason:
        raise StoreStoppedError(f"{reason} Nobody may write until the store has been reopened.")
