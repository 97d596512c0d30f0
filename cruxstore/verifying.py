"""Whether journal, ledger, texts and checkpoints agree, read from the files alone; nothing is changed or locked.

1. Every event follows the one before it: its number, its hash, its place in the journal. Every line is hashed anew.
2. The tree of the lines has the root that each known checkpoint was signed over: those in the two slots, the last of
   every day, and any that was kept elsewhere. So each of them is shown to be the beginning of the ledger.
3. The checkpoints are signed by the key that the ledger named then; each later key by the one before it; and where a
   key was noted elsewhere, it is one of them.
4. Every text keeps its commitment; one that is gone is withheld, which is no fault.
5. From one event's place to the next stand exactly the event's lines, unless it was voided, and lines of somebody else
   that the next event has counted. The lines of ended generations are gone and passed over.
6. A journal that somebody else replaced broke the continuity until an event acknowledges that.

A torn tail, an act that is being written, lines that nobody has counted yet and events that nobody has signed yet are
notes, not faults. What nobody signed, or not the right key, could not be checked.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson
from blake3 import blake3

from cruxstore.errors import CruxError, DamagedLedgerError, KeyMissingError, NoteError, RolledBackError, SignatureError
from cruxstore.folder import Folder
from cruxstore.ledger.checkpoint import Slot, SlotState, newest_of
from cruxstore.ledger.events import Action, Event, Observed, TextLine, TextMark, decode_event
from cruxstore.ledger.notes import Checkpoint, PublicKey, check_rotation, decode_checkpoint
from cruxstore.ledger.signing import named_key
from cruxstore.ledger.texts import decode_text
from cruxstore.ledger.tree import Frontier, leaf_hash
from cruxstore.lines import newest_line, read_lines, torn_bytes
from cruxstore.recovery import compare, missing_under, take_stock
from cruxstore.verification import Fault, Verdict, Verification

__all__ = ["CONTINUITY_BROKEN", "Fault", "Verdict", "Verification", "verify_folder"]

CONTINUITY_BROKEN: Final = "continuity_broken"

Watch = Callable[[int, int], bool]
"""Told how many bytes were read, of about how many; answers whether to go on."""

_KEPT: Final = "the checkpoint that was kept"
_TOLD_LINES: Final = 0x3FF
_LOOKS: Final = 3
_PAUSE_SECONDS: Final = 0.01
_ACTIONS: Final = frozenset(action.value for action in Action)
_COUNTING: Final = frozenset({Action.ACT_VOIDED.value, Action.LINE_OBSERVED.value})
_TURNING: Final = frozenset({Action.LINE_OBSERVED.value, Action.CONTINUITY_ACKNOWLEDGED.value})
_REPLACED: Final = ("journal_replaced", "journal_cut")
_HASH: Final = re.compile("[0-9a-f]{64}|None")
_NEEDED: Final = frozenset(
    {"action", "actor", "code", "id", "journal", "lines", "outcome", "policy", "prev", "revision", "seq"}
    | {"subjects", "tenant", "time"}
)


def verify_folder(
    data_dir: Path,
    *,
    journal: Path | None = None,
    key: PublicKey | None = None,
    since: Checkpoint | None = None,
    watch: Watch | None = None,
) -> Verification:
    """Checks a data folder; a `journal` of somebody else is left alone, for the ledger says nothing about its lines.

    `key` is the ledger's as it was noted elsewhere, and `since` a checkpoint that was kept elsewhere. A check that
    whoever watches ends could not be made.
    """
    folder = Folder(data_dir, journal=journal)
    for _ in range(_LOOKS):
        before = folder.vouching.slots.newest()
        found = _verify(folder, key, since, _Reading(folder, watch))
        # what was replaced while it was read is read again
        if found.fault is None or folder.vouching.slots.newest() == before:
            break
    return found


def _verify(folder: Folder, key: PublicKey | None, since: Checkpoint | None, reading: "_Reading") -> Verification:
    found = Verification()
    try:
        if folder.read_instance() is None:
            found.unchecked = f"{folder.data_dir} is not a data folder."
        else:
            with ExitStack() as opened:
                _Check(folder, found, key, since, reading, opened).run()
    except _EndedError:
        found.unchecked = "The check was ended before it had read everything."
    except _FaultError as error:
        found.fault = error.fault
        found.code = error.fault.code
    except CruxError as error:
        found.unchecked = found.unchecked or str(error)
        found.code = found.code or (error.code if isinstance(error, KeyMissingError) else "")
    except OSError as error:
        found.unchecked = f"{error.filename} cannot be read: {error.strerror}."
    return found


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the texts have under an id."""

    commitment: str
    fact_id: str | None


@dataclass(frozen=True, slots=True)
class _Known:
    """A checkpoint and where it was found."""

    checkpoint: Checkpoint
    file: str


class _FaultError(Exception):
    def __init__(
        self, file: str, line: int, byte: int, sentence: str, *, code: str = "", expected: str = "", found: str = ""
    ) -> None:
        super().__init__(sentence)
        self.fault = Fault(file, line, byte, sentence, code, expected, found)


class _EndedError(Exception):
    """Whoever watches wants no more."""


class _Reading:
    """How far the files were read, told to whoever watches."""

    def __init__(self, folder: Folder, watch: Watch | None) -> None:
        self._watch, self._reached = watch, dict.fromkeys(file.path for file in folder.files())
        self._total = sum(path.stat().st_size for path in self._reached if watch is not None and path.exists())

    def reached(self, path: Path, offset: int) -> None:
        """Says that a file was read up to there; _EndedError where that is enough."""
        if self._watch is not None:
            self._reached[path] = offset
            if not self._watch(sum(filter(None, self._reached.values())), self._total):
                raise _EndedError


class _Check:
    """One look at a folder."""

    def __init__(
        self,
        folder: Folder,
        found: Verification,
        key: PublicKey | None,
        since: Checkpoint | None,
        reading: _Reading,
        opened: ExitStack,
    ) -> None:
        self._folder, self._found, self._pinned, self._opened = folder, found, key, opened
        self._reading = reading
        self._ledger = folder.chain.file.path
        # before the ledger is read: by then it has at least the events that these cover
        self._slots = _settled_slots(folder)
        self._known = [_Known(slot.checkpoint, "checkpoint") for slot in self._slots if slot.checkpoint is not None]
        self._known += [_Known(since, _KEPT)] if since is not None else []
        self._spoiled: list[str] = [
            f"checkpoint, byte {slot.byte:,}: what stands in the slot is no checkpoint. A crash can leave that; "
            "the next writer puts it right."
            for slot in self._slots
            if slot.state == SlotState.SPOILED
        ]
        for path in folder.vouching.dailies.paths():
            try:
                self._known.append(_Known(decode_checkpoint(path.read_bytes()), f"checkpoints/{path.name}"))
            except NoteError as error:
                self._spoiled.append(f"checkpoints/{path.name}: {error}")
        self._keys: list[tuple[int, PublicKey]] = []
        self._texts: dict[str, _Kept] = {}
        self._generation = self._newest_generation() if folder.is_owner else 0
        self._before, self._is_past = 0, False
        self._walk: _Walk | None = None
        self._signed: list[Checkpoint] = []
        self._breaks: dict[str, _FaultError] = {}

    def run(self) -> None:
        """Looks at everything; _FaultError at the first thing that is wrong."""
        self._reading.reached(self._ledger, 0)
        for file in self._folder.files():
            if torn := torn_bytes(file.path):
                self._found.notes.append(
                    f"{file.path.name} ends with {torn:,} bytes of a torn line; the next writer sets it aside."
                )
        self._texts = _read_texts(self._folder, self._found, self._reading)
        self._read_ledger()
        if self._walk is not None:
            self._walk.check_end()
        self._check_journal()
        self._found.breaks = list(self._breaks)
        for broken in self._breaks.values():
            raise broken
        self._check_signatures()

    def _read_ledger(self) -> None:
        """Goes through the ledger, and looks at what an event says once the next one, or a checkpoint, confirms it."""
        path, tree, known = self._ledger, Frontier(), self._known_by_size()
        follows: str | None = None
        place, before, end, number, offset = (0, 0), 0, 0, 0, 0
        unconfirmed: tuple[dict[str, Any], bytes, int, int] | None = None
        try:
            for number, (offset, line) in enumerate(read_lines(path), 1):
                members = self._members(line, number, offset)
                if members["prev"] != follows or members["seq"] != number:
                    raise self._misplaced(number, offset, before, line, members, follows)
                if unconfirmed is not None:
                    self._take(*unconfirmed)
                unconfirmed = members, line, number, offset
                leaf = leaf_hash(line)
                tree.append(leaf)
                follows, before, end = leaf.hex(), offset, offset + len(line) + 1
                journal = members["journal"]
                passed = (journal["generation"], journal["bytes"])
                if passed < place:
                    sentence = f"Event {number} names a place that was passed before."
                    raise _FaultError(path.name, number, offset, sentence)
                place = passed
                if "key" in members:
                    self._take_key(decode_event(line), number, offset)
                if number in known:
                    self._check_root(known[number], tree, follows, end, number, offset)
                if not number & _TOLD_LINES:
                    self._reading.reached(path, end)
                    if self._walk is not None:
                        self._walk.tell()
            for size in sorted(known):
                if size > number:
                    self._refuse_rolled_back(known[size], number, end)
            if unconfirmed is not None:
                self._take(*unconfirmed)
        except (DamagedLedgerError, KeyError, TypeError, ValueError, AttributeError) as error:
            # a line can hold anything
            raise _FaultError(path.name, number, offset, "A ledger line is not an event.") from error
        finally:
            self._found.events = number
        self._found.root = tree.root().hex()

    def _take(self, members: dict[str, Any], line: bytes, number: int, offset: int) -> None:
        generation = members["journal"]["generation"]
        if "texts" in members:
            self._check_texts(number, members["texts"])
        if members["action"] in _TURNING:
            self._note_break(members, number, offset)
        self._before = generation
        if self._walk is not None:
            self._walk.go_to(members, line)
        elif generation == self._generation > 0 and not self._is_past:
            self._walk, self._is_past = self._begin_walk(line, members), True
        elif members["lines"]:
            self._found.ended_events += 1

    def _members(self, line: bytes, number: int, offset: int) -> dict[str, Any]:
        try:
            members: dict[str, Any] = orjson.loads(line)
            if not (members.keys() >= _NEEDED and members["action"] in _ACTIONS):
                raise DamagedLedgerError("A ledger line is not an event that this program knows.")
            members["journal"]["generation"], members["journal"]["bytes"]
        except (ValueError, TypeError, KeyError, AttributeError, DamagedLedgerError) as error:
            sentence = str(error) if isinstance(error, DamagedLedgerError) else "A ledger line is not an event."
            raise _FaultError(self._ledger.name, number, offset, sentence) from error
        return members

    def _misplaced(
        self, number: int, offset: int, before: int, line: bytes, members: dict[str, Any], follows: str | None
    ) -> _FaultError:
        """Which of two lines that do not fit is not as it was written: one that what follows vouches for is."""
        name, seq = self._ledger.name, members["seq"]
        if seq != number:
            said = f"Event {seq}" if isinstance(seq, int) else "An event without a number"
            return _FaultError(name, number, offset, f"{said} stands where event {number} should.")
        own, after = leaf_hash(line).hex(), next(read_lines(self._ledger, offset + len(line) + 1), None)
        is_vouched = any(
            known.checkpoint.events == number and known.checkpoint.head == own for known in self._known
        ) or (after is not None and b'"prev":"%b"' % own.encode() in after[1])
        if is_vouched and number > 1:
            sentence = f"Event {number - 1} is not as event {number} found it."
            return _FaultError(name, number - 1, before, sentence, expected=_hash_in(members), found=str(follows))
        sentence = f"Event {number} does not follow the event before it."
        return _FaultError(name, number, offset, sentence, expected=str(follows), found=_hash_in(members))

    def _check_texts(self, number: int, marks: list[dict[str, str]]) -> None:
        for mark in marks:
            kept = self._texts.get(mark["id"])
            if kept is None:
                self._found.withheld_texts += 1
            elif kept.commitment != mark["commitment"]:
                sentence = f"Event {number} commits to another text than the one under its id."
                raise _FaultError(self._folder.texts.path.name, 0, 0, sentence)

    def _take_key(self, event: Event, number: int, offset: int) -> None:
        try:
            key = named_key(event)
            if self._keys and event.key is not None:
                check_rotation(self._keys[-1][1], key, event.key.signature)
        except (NoteError, SignatureError) as error:
            raise _FaultError(self._ledger.name, number, offset, f"Event {number}: {error}") from error
        self._keys.append((number, key))

    def _note_break(self, members: dict[str, Any], number: int, offset: int) -> None:
        if members["action"] == Action.CONTINUITY_ACKNOWLEDGED:
            for event_id in members["subjects"]:
                if (broken := self._breaks.pop(event_id, None)) is not None:
                    at = broken.fault.line
                    self._found.notes.append(f"The continuity broke at event {at:,}; event {number:,} acknowledges it.")
        elif members["code"] in _REPLACED and members["journal"]["generation"] > self._before > 0:
            sentence = f"Somebody else replaced or cut the journal before event {number}, and nobody acknowledged it."
            self._breaks[members["id"]] = _FaultError(
                self._ledger.name, number, offset, sentence, code=CONTINUITY_BROKEN
            )

    def _known_by_size(self) -> dict[int, list[_Known]]:
        sizes: dict[int, list[_Known]] = {}
        for known in self._known:
            sizes.setdefault(known.checkpoint.events, []).append(known)
        return sizes

    def _check_root(self, known: list[_Known], tree: Frontier, head: str, end: int, number: int, offset: int) -> None:
        root = tree.root()
        for one in filter(self._is_signed, known):
            checkpoint = one.checkpoint
            is_same = checkpoint.root == root if checkpoint.note is not None else checkpoint.head == head
            if not is_same or (checkpoint.head, checkpoint.ledger_bytes) != (head, end):
                agreed = max((size for size in self._known_by_size() if size < number), default=0)
                sentence = f"Event {number} is not the one that a checkpoint covers; the events to {agreed} are."
                raise _FaultError(
                    self._ledger.name,
                    number,
                    offset,
                    sentence,
                    expected=checkpoint.root.hex() or checkpoint.head,
                    found=root.hex() if checkpoint.root else head,
                )
            if one.file == _KEPT:
                self._found.since = checkpoint.events

    def _refuse_rolled_back(self, known: list[_Known], number: int, end: int) -> None:
        for one in known:
            checkpoint = one.checkpoint
            # a key may have been named by an event that is missing
            if not self._keys or self._is_ours(checkpoint) or self._is_signed(one):
                sentence = f"The ledger ends here, and {one.file} covers {checkpoint.events:,} events."
                raise _FaultError(
                    self._ledger.name,
                    number + 1,
                    end,
                    sentence,
                    code=RolledBackError.code,
                    expected=f"{checkpoint.ledger_bytes} bytes",
                    found=f"{end} bytes",
                )

    def _begin_walk(self, line: bytes, members: dict[str, Any]) -> "_Walk | None":
        try:
            return _Walk(
                self._folder, line, members, self._texts, self._found, self._slots, self._reading, self._opened
            )
        except KeyMissingError as error:
            # the ledger can be checked without the journal
            self._found.unchecked, self._found.code = str(error), error.code
            return None

    def _newest_generation(self) -> int:
        newest = newest_line(self._ledger)
        try:
            return decode_event(newest).journal.generation if newest is not None else 0
        except DamagedLedgerError:
            # reading all events will come to that line, and say where it stands
            return 0

    def _check_journal(self) -> None:
        newest = newest_of(self._slots)
        if newest is None or newest.checkpoint is None or not self._folder.is_owner:
            return
        journal = self._folder.journal.path
        if missing := missing_under(newest.checkpoint, ledger=self._ledger, journal=journal):
            path = self._ledger if isinstance(missing, RolledBackError) else journal
            size = path.stat().st_size if path.exists() else 0
            raise _FaultError(path.name, 0, size, str(missing), code=missing.code)

    def _check_signatures(self) -> None:
        found = self._found
        found.checkpoints = len(self._signed)
        newest = max(self._signed, key=lambda checkpoint: checkpoint.events, default=None)
        if newest is not None:
            found.signed_events = newest.events
            self._say_key(newest)
        for spoiled in self._spoiled:
            self._leave_unchecked(spoiled)
        if found.events and newest is None:
            self._leave_unchecked("No checkpoint of this ledger is signed.")
        elif newest is not None and found.events > newest.events:
            found.notes.append(f"Events that no checkpoint covers yet: {found.events - newest.events:,}.")
        if any(known.checkpoint.note is None for known in self._known):
            self._leave_unchecked("A checkpoint is unsigned, as an older program wrote it; the next act signs one.")

    def _is_signed(self, known: _Known) -> bool:
        """Whether a checkpoint may be held against the ledger: its key signed it, or an older program wrote it."""
        checkpoint, key = known.checkpoint, self._key_at(known.checkpoint.events)
        if checkpoint.note is None:
            return True
        try:
            if key is None:
                raise SignatureError("The ledger names no key that could have signed it.")
            checkpoint.note.check(key)
        except SignatureError as error:
            self._spoiled.append(f"{known.file}, event {checkpoint.events:,}: {error}")
            return False
        self._signed.append(checkpoint)
        return True

    def _is_ours(self, checkpoint: Checkpoint) -> bool:
        """Whether one of the folder's own keys signed it, whatever the ledger names."""
        for key in self._folder.vouching.keys.all(checkpoint.origin):
            with suppress(SignatureError):
                if checkpoint.note is not None:
                    checkpoint.note.check(key.public)
                    return True
        return False

    def _say_key(self, newest: Checkpoint) -> None:
        found, key = self._found, self._key_at(newest.events)
        if key is None:
            return
        found.key, found.fingerprint = key.text, key.fingerprint
        if self._pinned is not None:
            named = [at for at, one in self._keys if one == self._pinned]
            if not named or named[0] > newest.events:
                self._leave_unchecked(f"The ledger is signed by another key, {key.fingerprint}.")
        if self._folder.keys_dir.exists() and self._folder.vouching.keys.find(key) is None:
            found.code = found.code or KeyMissingError.code
            found.notes.append("The key that signs the ledger is missing; until it is back the store is only read.")

    def _key_at(self, events: int) -> PublicKey | None:
        """The key that signs a ledger of so many events."""
        return next((key for at, key in reversed(self._keys) if at <= events), None)

    def _leave_unchecked(self, sentence: str) -> None:
        self._found.unchecked = self._found.unchecked or sentence


def _hash_in(members: dict[str, Any]) -> str:
    """The hash that an event says goes before it; a line that was tampered with can say anything there."""
    said = str(members["prev"])
    return said if _HASH.fullmatch(said) else "no hash"


def _settled_slots(folder: Folder) -> tuple[Slot, ...]:
    """The slots, looked at again where one is spoiled: it may just be being written."""
    for _ in range(_LOOKS):
        slots = folder.vouching.slots.read()
        if all(slot.state != SlotState.SPOILED for slot in slots):
            break
        time.sleep(_PAUSE_SECONDS)
    return slots


def _read_texts(folder: Folder, found: Verification, reading: _Reading) -> dict[str, _Kept]:
    path, texts = folder.texts.path, {}
    for number, (offset, line) in enumerate(read_lines(path), 1):
        try:
            text = decode_text(line)
        except DamagedLedgerError as error:
            raise _FaultError(path.name, number, offset, str(error)) from error
        texts[text.text_id] = _Kept(text.mark.commitment, text.text if text.kind == "fact_id" else None)
        found.texts += 1
        if not number & _TOLD_LINES:
            reading.reached(path, offset)
    return texts


class _Walk:
    """Goes through the journal's current generation beside its events."""

    def __init__(
        self,
        folder: Folder,
        line: bytes,
        members: dict[str, Any],
        texts: dict[str, _Kept],
        found: Verification,
        slots: tuple[Slot, ...],
        reading: _Reading,
        opened: ExitStack,
    ) -> None:
        journal, first = folder.journal.path, decode_event(line)
        if not journal.exists():
            raise _FaultError(journal.name, 0, 0, f"{journal.name} is missing.")
        newest = newest_of(slots)
        self._vouched = newest.checkpoint.events if newest is not None and newest.checkpoint is not None else 0
        self._texts, self._found, self._reading = texts, found, reading
        self._file, self._path = journal.name, journal
        self._key = folder.digest_key(first.journal.generation)
        self._digest = partial(blake3, key=self._key)
        self._line, self._members = line, members
        self._stream = opened.enter_context(journal.open("rb"))
        self._at = self._stream.seek(first.journal.bytes)
        if first.observed is not None:
            end = first.journal.bytes
            start = end - first.observed.bytes
            reached = partial(reading.reached, journal)
            stock = take_stock(folder.journal, key=self._key, start=start, end=end, reached=reached)
            if stock != first.observed:
                sentence = f"The lines that event {first.seq} found are not as it found them."
                raise _FaultError(
                    self._file,
                    first.journal.lines - first.observed.lines + 1,
                    start,
                    sentence,
                    expected=first.observed.digest,
                    found=stock.digest,
                )

    def tell(self) -> None:
        """Says how far the journal was read."""
        self._reading.reached(self._path, self._at)

    def go_to(self, members: dict[str, Any], line: bytes) -> None:
        """The lines between the event at hand and the one that follows it are those that both say."""
        end = members["journal"]["bytes"]
        if members["action"] in _COUNTING or not self._has_its_lines(end):
            self._look_closely(decode_event(line), end)
        self._line, self._members = line, members

    def check_end(self) -> None:
        """What stands after the newest event is its own lines, as far as they are written."""
        event = decode_event(self._line)
        count, foreign = self._compare(event, None)
        if count < len(event.lines):
            if self._vouched >= event.seq:
                raise self._missing(event, count)
            self._found.notes.append(
                f"The act of event {event.seq} is not finished; the next writer completes or voids it."
            )
        if foreign is not None:
            self._found.notes.append(f"{foreign.lines:,} lines after the newest event are not recorded yet.")

    def _has_its_lines(self, end: int) -> bool:
        """Whether nothing but the lines of the event at hand stands up to a place; by far the most usual case."""
        at, readline, digest = self._at, self._stream.readline, self._digest
        lines = self._members["lines"]
        for copied in lines:
            line = readline()
            if type(copied) is str:
                is_right = line == b"%b\n" % copied.encode()
            else:
                is_right = len(line) == copied["bytes"] + 1 and digest(line[:-1]).hexdigest() == copied["digest"]
            if not is_right:
                return False
            at += len(line)
        if at != end:
            return False
        self._at = at
        self._found.lines += len(lines)
        return True

    def _look_closely(self, following: Event, end: int) -> None:
        event = decode_event(self._line)
        count, foreign = self._compare(event, end)
        is_void = following.action == Action.ACT_VOIDED and following.subjects == (event.event_id,)
        if count < len(event.lines) and not is_void:
            raise self._missing(event, count)
        if foreign != (following.observed if following.action in _COUNTING else None):
            line, at = self._first_foreign(event)
            sentence = f"Among the lines of event {event.seq} stand others than event {following.seq} counts."
            raise _FaultError(self._file, line, at, sentence)

    def _compare(self, event: Event, end: int | None) -> tuple[int, Observed | None]:
        self._stream.seek(self._at)
        count, foreign = compare(event, self._until(end), key=self._key, text_of=self._text_of)
        self._found.lines += count
        self._found.foreign_lines += foreign.lines if foreign is not None else 0
        return count, foreign

    def _until(self, end: int | None) -> Iterator[bytes]:
        lines = 0
        while end is None or self._at < end:
            lines += 1
            if not lines & _TOLD_LINES:
                self.tell()
            line = self._stream.readline()
            if not line.endswith(b"\n"):
                return
            self._at += len(line)
            yield line[:-1]

    def _text_of(self, mark: TextMark) -> str | None:
        kept = self._texts.get(mark.text_id)
        return kept.fact_id if kept is not None else None

    def _first_foreign(self, event: Event) -> tuple[int, int]:
        """Number and offset of the first line from an event's place on that is not its own; else of the one after."""
        at, own = event.journal.bytes, 0
        while own < len(event.lines) and self._line_at(at):
            count, foreign = compare(
                event,
                (self._line_at(self._line_after(event, place)) for place in range(own + 1)),
                key=self._key,
                text_of=self._text_of,
            )
            if foreign is not None or count == own:
                break
            at, own = at + len(self._line_at(at)) + 1, own + 1
        return event.journal.lines + own + 1, at

    def _missing(self, event: Event, count: int) -> _FaultError:
        place, at = event.journal, self._line_after(event, count)
        sentence = f"A line of event {event.seq} is missing or is not as it was written."
        copied, found = event.lines[count], self._line_at(at)
        return _FaultError(
            self._file,
            place.lines + count + 1,
            at,
            sentence,
            expected=copied.digest if isinstance(copied, TextLine) else self._digest(copied.encode()).hexdigest(),
            found=self._digest(found).hexdigest() if found else "",
        )

    def _line_after(self, event: Event, count: int) -> int:
        """Where the line after the first ones of an event begins."""
        at = event.journal.bytes
        for _ in range(count):
            at += len(self._line_at(at)) + 1
        return at

    def _line_at(self, at: int) -> bytes:
        self._stream.seek(at)
        return self._stream.readline().removesuffix(b"\n")
