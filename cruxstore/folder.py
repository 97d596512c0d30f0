"""The files of a data folder: where they are, in which order they are written, and what is done after a crash."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from cruxstore.errors import (
    ActUnfinishedError,
    CruxError,
    DiskRefusedError,
    FolderTooNewError,
    KeyMissingError,
    StoreBrokenError,
)
from cruxstore.files import SECRET_MODE, replace_file
from cruxstore.ledger.chain import Chain, place_after
from cruxstore.ledger.events import (
    Action,
    Actor,
    Event,
    JournalPlace,
    Observed,
    TextMark,
    draft_event,
    newest_event,
)
from cruxstore.ledger.texts import Text, encode_text, find_text
from cruxstore.lines import LineFile
from cruxstore.recovery import Finding, examine, is_untouched, missing_under, take_stock
from cruxstore.rewriting import put_in_place
from cruxstore.vouching import Vouching

FOLDER_FORMAT = 2
"""Raised whenever a program of before would misread what is written now; 2 signs checkpoints."""

STORE_ITSELF = Actor(kind="system", id="store")

_TO_DO = "Put it back from a backup; until then the store is only read."


@dataclass(frozen=True, slots=True)
class Instance:
    """Which data folder this is, and whether it may hold demo sign-ins."""

    instance_id: str
    is_demo: bool
    format: int = FOLDER_FORMAT


class Folder:
    """Journal, ledger, texts and keys; every method is for the holder of the lock.

    One order for every act: texts synced, then the event synced, then all its lines in one write, synced. So whoever
    comes after a crash finds at most the newest event without (all of) its lines, and `settle` mends that.
    """

    def __init__(self, data_dir: Path, *, journal: Path | None) -> None:
        self.data_dir = data_dir
        self.is_owner = journal is None
        self.journal = LineFile(journal or data_dir / "facts.jsonl")
        self.texts = LineFile(data_dir / "texts.jsonl", mode=SECRET_MODE)
        self.chain = Chain(data_dir / "ledger.jsonl")
        self.vouching = Vouching(data_dir, self.chain)
        self.keys_dir = data_dir / "keys"
        self._keys: dict[int, bytes] = {}
        self._settled = ""
        self._name = ""

    def read_instance(self) -> Instance | None:
        """Which folder this is; None before its first day."""
        path = self.data_dir / "instance.json"
        if not path.exists():
            return None
        members = orjson.loads(path.read_bytes())
        if members["format"] > FOLDER_FORMAT:
            raise FolderTooNewError(f"The folder {self.data_dir} was written by a newer program. Upgrade this one.")
        return Instance(
            instance_id=str(members["instance_id"]),
            is_demo=bool(members.get("demo", False)),
            format=int(members["format"]),
        )

    def make_instance(self, *, is_demo: bool) -> Instance:
        """Gives the folder its id, once; whether it is a demo folder is said then and never again."""
        made = Instance(instance_id=f"s_{secrets.token_hex(16)}", is_demo=is_demo)
        self._write_instance(made)
        return made

    def forget(self) -> None:
        """Makes the next `settle` look at the bytes of every file, as after a crash."""
        self.chain.forget()
        self.vouching.forget()
        self._settled = ""

    def is_settled(self) -> bool:
        """Whether the last thing that this process did to the files was done to its end."""
        return self._settled != ""

    def settle(self, now_ns: int) -> JournalPlace:
        """Completes or voids a half-done act and records foreign lines; answers where the journal ends now."""
        if not self.is_settled():
            self.refuse_if_broken()
            self._raise_format()
            for file in (self.texts, self.chain.file):
                file.repair()
                file.sync()
            self.vouching.catch_up()
        newest = self.chain.newest()
        if newest is None:
            self.refuse_if_broken()
        if newest is None or newest.journal.generation == 0 or not self.is_owner:
            self._settled = newest.event_id if newest is not None else "new"
            return self._place_before_adoption()
        if self.is_settled() and is_untouched(self.journal, newest):
            self._settled = newest.event_id
            return place_after(newest)
        self._settled = ""
        self.refuse_if_broken()
        self._finish_rewrite(newest)
        self.journal.repair()
        self.journal.sync()
        finding = examine(self.journal, self.chain, newest, key_of=self.digest_key, text_of=self._foreign_id)
        if (finding.missing or finding.is_void) and self.is_vouched_for(newest):
            raise StoreBrokenError(f"A line of event {newest.seq} is missing or is not as it was written. {_TO_DO}")
        place = self._mend(newest, finding, now_ns)
        self._settled = self._newest_id()
        return place

    def commit(self, event: Event, *, texts: Sequence[Text], lines: Sequence[bytes]) -> Event:
        """Writes an act in its order and answers its event as it stands in the ledger."""
        self._settled = ""
        if texts:
            self.vouching.catch_up()
            self.texts.append([encode_text(text) for text in texts])
        written = self._append(event)
        if lines:
            try:
                self.journal.append(lines)
            except DiskRefusedError as error:
                raise ActUnfinishedError(f"Event {written.seq} is recorded, but its lines are not: {error}") from error
        self._settled = written.event_id
        return written

    def commit_rewrite(self, event: Event, *, texts: Sequence[Text]) -> Event:
        """Writes the event of a rewrite and puts its draft in place; answers the event as it stands in the ledger."""
        self._settled = ""
        self.vouching.catch_up()
        self.texts.append([encode_text(text) for text in texts])
        written = self._append(event)
        self._finish_rewrite(written)
        self._settled = written.event_id
        return written

    def rotate_key(self, event: Event, *, texts: Sequence[Text]) -> Event:
        """Writes the event by which a new key signs from now on; answers it as it stands in the ledger."""
        self._settled = ""
        self.vouching.catch_up()
        if texts:
            self.texts.append([encode_text(text) for text in texts])
        written = self.vouching.rotate(event)
        self._settled = written.event_id
        return written

    def vouch(self) -> None:
        """Signs that everything up to the newest event and its lines is on the disk; once it is settled."""
        self.vouching.vouch()

    def is_vouched_for(self, event: Event) -> bool:
        """Whether an event and its lines are known to have been on the disk."""
        checkpoint = self.vouching.slots.newest()
        return checkpoint is not None and checkpoint.events >= event.seq

    def trouble(self) -> CruxError | None:
        """Why the store is only read: something is missing that was vouched for, or a key is. Takes no lock."""
        checkpoint = self.vouching.slots.newest()
        if checkpoint is not None:
            journal = self.journal.path if self.is_owner else None
            if missing := missing_under(checkpoint, ledger=self.chain.file.path, journal=journal):
                return missing
        return self.vouching.trouble() or self._missing_digest_key()

    def broken(self) -> str:
        """Why the store is only read, in a sentence; empty where it is not. Takes no lock."""
        return str(self.trouble() or "")

    def refuse_if_broken(self) -> None:
        """Raises what `trouble` answers, before anything is changed."""
        if trouble := self.trouble():
            raise type(trouble)(f"{trouble} {_TO_DO}")

    def adopt(self, actor: Actor, now_ns: int) -> Event:
        """Takes the journal over as it is, an absent one as empty; its torn tail is set aside first."""
        self.journal.repair()
        self.journal.sync()
        stock = take_stock(self.journal, key=self.digest_key(1))
        place = JournalPlace(generation=1, lines=stock.lines, bytes=stock.bytes, inode=self._inode())
        return self._note(Action.STORE_ADOPTED, place, now_ns, actor=actor, observed=stock)

    def digest_key(self, generation: int) -> bytes:
        """The key of a generation's digests; made with the generation, and only then."""
        if generation not in self._keys:
            path = self._key_path(generation)
            if not path.exists():
                newest = self.chain.newest()
                # before the takeover nothing names a key, so that the first one may be made at any time
                if generation > 0 and newest is not None and newest.journal.generation >= generation:
                    raise KeyMissingError(f"The key {path.name} is missing from {self.keys_dir}.")
                self.keys_dir.mkdir(mode=0o700, exist_ok=True)
                replace_file(path, secrets.token_hex(32).encode() + b"\n")
            self._keys[generation] = bytes.fromhex(path.read_text())
        return self._keys[generation]

    def has_digest_key(self, generation: int) -> bool:
        """Whether a generation's key is still there; it goes with its generation."""
        return self._key_path(generation).exists()

    def fact_id_of(self, name: str, event: Event) -> str:
        """The fact that an event names, by its id or by a commitment; the commitment itself once its text is erased."""
        mark = next((mark for mark in event.texts if mark.commitment == name), None)
        return (self._foreign_id(mark) if mark is not None else None) or name

    def files(self) -> tuple[LineFile, ...]:
        """The files that are ours to write."""
        ours = (self.texts, self.chain.file)
        return (*ours, self.journal) if self.is_owner else ours

    def _raise_format(self) -> None:
        """Says, before anything else is written, that a program of before is too old for this folder from now on."""
        instance = self.read_instance()
        if instance is not None and instance.format < FOLDER_FORMAT:
            self._write_instance(replace(instance, format=FOLDER_FORMAT))

    def _write_instance(self, instance: Instance) -> None:
        members = {"format": instance.format, "instance_id": instance.instance_id, "demo": instance.is_demo}
        replace_file(self.data_dir / "instance.json", orjson.dumps(members) + b"\n")

    def _append(self, event: Event) -> Event:
        if not self._name:
            instance = self.read_instance()
            self._name = f"cruxweb/{instance.instance_id}" if instance is not None else "cruxweb"
        return self.vouching.append(event, name=self._name)

    def _missing_digest_key(self) -> CruxError | None:
        newest = newest_event(self.chain.file.path)
        generation = newest.journal.generation if newest is not None and self.is_owner else 0
        if generation == 0 or self.has_digest_key(generation):
            return None
        return KeyMissingError(f"The key {self._key_path(generation).name} is missing from {self.keys_dir}.")

    def _mend(self, newest: Event, finding: Finding, now_ns: int) -> JournalPlace:
        place = finding.place
        if finding.is_void:
            subjects, code = (newest.event_id,), "text_line_missing"
            self._note(Action.ACT_VOIDED, place, now_ns, subjects=subjects, code=code, observed=finding.foreign)
            return place
        if finding.missing:
            before = self.journal.append(finding.missing)
            added = sum(len(line) + 1 for line in finding.missing)
            place = replace(place, lines=place.lines + len(finding.missing), bytes=before + added)
        if finding.cause:
            self._note(Action.LINE_OBSERVED, place, now_ns, code=finding.cause, observed=finding.foreign)
        return place

    def _note(
        self,
        action: Action,
        place: JournalPlace,
        now_ns: int,
        *,
        actor: Actor = STORE_ITSELF,
        subjects: tuple[str, ...] = (),
        code: str = "",
        observed: Observed | None = None,
    ) -> Event:
        event = draft_event(
            now_ns=now_ns,
            actor=actor,
            tenant="",
            action=action,
            journal=place,
            subjects=subjects,
            code=code,
            observed=observed,
        )
        return self.commit(event, texts=(), lines=())

    def _finish_rewrite(self, newest: Event) -> None:
        """Where the newest event is a rewrite, its journal gets the name, and the key of the one before goes."""
        rewrite = newest.rewrite
        if rewrite is None:
            return
        draft = self.data_dir / rewrite.draft
        if not draft.exists() and self._inode() == rewrite.inode:
            raise StoreBrokenError(f"The new journal of event {newest.seq}, {rewrite.draft}, is missing. {_TO_DO}")
        try:
            put_in_place(draft, self.journal.path, length=newest.journal.bytes, replaced=rewrite.replaced)
            self._key_path(rewrite.generation).unlink(missing_ok=True)
        except OSError as error:
            raise ActUnfinishedError(
                f"Event {newest.seq} is recorded, but the new journal is not in place yet: {error.strerror}."
            ) from error
        self._keys.pop(rewrite.generation, None)
        self.journal.close()

    def _place_before_adoption(self) -> JournalPlace:
        if self.is_owner or not self.journal.path.exists():
            return JournalPlace()
        stat = self.journal.path.stat()
        return JournalPlace(bytes=stat.st_size, inode=str(stat.st_ino))

    def _foreign_id(self, mark: TextMark) -> str | None:
        text = find_text(self.texts.path, mark)
        return text.text if text is not None else None

    def _key_path(self, generation: int) -> Path:
        return self.keys_dir / f"journal-{generation}.key"

    def _newest_id(self) -> str:
        newest = self.chain.newest()
        return newest.event_id if newest is not None else ""

    def _inode(self) -> str:
        return str(self.journal.stat().st_ino)
