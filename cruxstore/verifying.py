"""Whether journal, ledger and texts agree, read from the files alone; nothing is changed and no lock is taken.

1. Every event follows the one before it: its number, its hash, its place in the journal.
2. Every text keeps its commitment; one that is gone is withheld, which is no fault.
3. From one event's place to the next stand exactly the event's lines, unless it was voided, and lines of somebody else
   that the next event has counted. The lines of ended generations are gone and passed over.
4. What the newest checkpoint vouches for is there.

A torn tail, an act that is being written and lines that nobody has counted yet are notes, not faults.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from cruxstore.errors import DamagedLedgerError, KeyMissingError
from cruxstore.folder import Folder
from cruxstore.ledger.events import Action, Event, Observed, TextMark, decode_event, leaf_hash
from cruxstore.ledger.texts import decode_text
from cruxstore.lines import newest_line, read_lines, torn_bytes
from cruxstore.recovery import compare, take_stock


class Verdict(StrEnum):
    """What a check comes to."""

    INTACT = "intact"
    BROKEN = "broken"
    UNCHECKED = "could not check"


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that is wrong: in which file, at which line and byte, and what."""

    file: str
    line: int
    byte: int
    sentence: str


@dataclass(slots=True)
class Verification:
    """What was looked at and found; `lines` counts ours in the current generation, `unchecked` says what stopped it."""

    events: int = 0
    lines: int = 0
    foreign_lines: int = 0
    ended_events: int = 0
    texts: int = 0
    withheld_texts: int = 0
    notes: list[str] = field(default_factory=list)
    unchecked: str = ""
    fault: Fault | None = None

    @property
    def verdict(self) -> Verdict:
        """Broken where there is a fault; else whether everything could be looked at."""
        if self.fault is not None:
            return Verdict.BROKEN
        return Verdict.UNCHECKED if self.unchecked else Verdict.INTACT

    @property
    def trouble(self) -> str:
        """What is wrong and where, or what stopped the check; empty where all is intact."""
        if self.fault is None:
            return self.unchecked
        return f"{self.fault.file}, line {self.fault.line:,}, byte {self.fault.byte:,}: {self.fault.sentence}"


def verify_folder(data_dir: Path, *, journal: Path | None = None) -> Verification:
    """Checks a data folder; a `journal` of somebody else is left alone, for the ledger says nothing about its lines."""
    folder = Folder(data_dir, journal=journal)
    found = Verification()
    try:
        if folder.read_instance() is None:
            found.unchecked = f"{data_dir} is not a data folder."
        else:
            _check(folder, found)
    except _FaultError as error:
        found.fault = error.fault
    except (KeyMissingError, DamagedLedgerError) as error:
        found.unchecked = str(error)
    except OSError as error:
        found.unchecked = f"{error.filename} cannot be read: {error.strerror}."
    return found


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the texts have under an id."""

    commitment: str
    fact_id: str | None


class _FaultError(Exception):
    def __init__(self, file: str, line: int, byte: int, sentence: str) -> None:
        super().__init__(sentence)
        self.fault = Fault(file, line, byte, sentence)


def _check(folder: Folder, found: Verification) -> None:
    for file in folder.files():
        if torn := torn_bytes(file.path):
            found.notes.append(
                f"{file.path.name} ends with {torn:,} bytes of a torn line; the next writer sets it aside."
            )
    texts = _read_texts(folder, found)
    generation = _newest_generation(folder)
    walk: _Walk | None = None
    for event in _read_events(folder, texts, found):
        if walk is not None:
            walk.check_until(event)
            walk.event = event
        elif event.journal.generation == generation > 0:
            walk = _Walk(folder, event, texts, found)
        elif event.lines:
            found.ended_events += 1
    if walk is not None:
        walk.check_end()
    if broken := folder.broken():
        raise _FaultError("checkpoint", 1, 0, broken)


def _newest_generation(folder: Folder) -> int:
    newest = newest_line(folder.chain.file.path)
    try:
        return decode_event(newest).journal.generation if newest is not None and folder.is_owner else 0
    except DamagedLedgerError:
        # reading all events will come to that line, and say where it stands
        return 0


def _read_texts(folder: Folder, found: Verification) -> dict[str, _Kept]:
    path, texts = folder.texts.path, {}
    for number, (offset, line) in enumerate(read_lines(path), 1):
        try:
            text = decode_text(line)
        except DamagedLedgerError as error:
            raise _FaultError(path.name, number, offset, str(error)) from error
        texts[text.text_id] = _Kept(text.mark.commitment, text.text if text.kind == "fact_id" else None)
        found.texts += 1
    return texts


def _read_events(folder: Folder, texts: dict[str, _Kept], found: Verification) -> Iterator[Event]:
    path, follows, place = folder.chain.file.path, None, (0, 0)
    for number, (offset, line) in enumerate(read_lines(path), 1):
        try:
            event = decode_event(line)
        except DamagedLedgerError as error:
            raise _FaultError(path.name, number, offset, str(error)) from error
        if (event.seq, event.prev) != (number, follows):
            raise _FaultError(path.name, number, offset, f"Event {event.seq} does not follow the event before it.")
        if (event.journal.generation, event.journal.bytes) < place:
            raise _FaultError(path.name, number, offset, f"Event {event.seq} names a place that was passed before.")
        for mark in event.texts:
            kept = texts.get(mark.text_id)
            if kept is None:
                found.withheld_texts += 1
            elif kept.commitment != mark.commitment:
                sentence = f"Event {event.seq} commits to another text than the one under its id."
                raise _FaultError(folder.texts.path.name, 0, 0, sentence)
        follows, place = leaf_hash(line), (event.journal.generation, event.journal.bytes)
        found.events += 1
        yield event


class _Walk:
    """Goes through the journal's current generation beside its events."""

    def __init__(self, folder: Folder, first: Event, texts: dict[str, _Kept], found: Verification) -> None:
        if not folder.journal.path.exists():
            raise _FaultError(folder.journal.path.name, 0, 0, f"{folder.journal.path.name} is missing.")
        self.event = first
        self._folder, self._texts, self._found = folder, texts, found
        self._file = folder.journal.path.name
        self._key = folder.digest_key(first.journal.generation)
        self._lines = read_lines(folder.journal.path, first.journal.bytes)
        self._ahead: tuple[int, bytes] | None = None
        if first.observed is not None:
            end = first.journal.bytes
            stock = take_stock(folder.journal, key=self._key, start=end - first.observed.bytes, end=end)
            if stock != first.observed:
                sentence = f"The lines that event {first.seq} found are not as it found them."
                raise _FaultError(self._file, 1, end - first.observed.bytes, sentence)

    def check_until(self, following: Event) -> None:
        """The lines between the event at hand and the one that follows it are those that both say."""
        found, foreign = self._compare(following.journal.bytes)
        is_void = following.action == Action.ACT_VOIDED and following.subjects == (self.event.event_id,)
        if found < len(self.event.lines) and not is_void:
            raise self._missing(found)
        is_count = following.action in (Action.ACT_VOIDED, Action.LINE_OBSERVED)
        if foreign != (following.observed if is_count else None):
            sentence = f"After the lines of event {self.event.seq} stand others than event {following.seq} counts."
            line = self.event.journal.lines + found + 1
            raise _FaultError(self._file, line, self.event.journal.bytes, sentence)

    def check_end(self) -> None:
        """What stands after the newest event is its own lines, as far as they are written."""
        found, foreign = self._compare(None)
        if found < len(self.event.lines):
            if self._folder.is_vouched_for(self.event):
                raise self._missing(found)
            self._found.notes.append(
                f"The act of event {self.event.seq} is not finished; the next writer completes or voids it."
            )
        if foreign is not None:
            self._found.notes.append(f"{foreign.lines:,} lines after the newest event are not recorded yet.")

    def _compare(self, end: int | None) -> tuple[int, Observed | None]:
        found, foreign = compare(self.event, self._until(end), key=self._key, text_of=self._text_of)
        self._found.lines += found
        self._found.foreign_lines += foreign.lines if foreign is not None else 0
        return found, foreign

    def _until(self, end: int | None) -> Iterator[bytes]:
        while (ahead := self._ahead or next(self._lines, None)) is not None:
            self._ahead = ahead
            if end is not None and ahead[0] >= end:
                return
            self._ahead = None
            yield ahead[1]

    def _text_of(self, mark: TextMark) -> str | None:
        kept = self._texts.get(mark.text_id)
        return kept.fact_id if kept is not None else None

    def _missing(self, found: int) -> _FaultError:
        place = self.event.journal
        sentence = f"A line of event {self.event.seq} is missing or is not as it was written."
        return _FaultError(self._file, place.lines + found + 1, place.bytes, sentence)
