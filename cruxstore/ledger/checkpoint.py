"""How far everything is known to be on the disk, signed, in two slots written in place: a crash spoils at most one.

    cruxweb/s_0123…                          the checkpoint, as `notes` has it
    …
    — cruxweb/s_0123… 4aBc…=

    tree 9hOe…= Kd1f…=                       the tree's frontier, so that it grows without reading the ledger again
    sum 5ae1…                                of all above; blanks up to 4,096 bytes

- Written after the lines of an act are synced, itself without a sync: an older one is still true, and what came after
  it is whole but not yet vouched for.
- The newest slot whose sum is right counts. Without any, nothing is vouched for.
- The last one of every day is kept in `checkpoints/`, as a note alone.
- An older program wrote two slots of 512 bytes that nobody signed: they count, but prove nothing.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import orjson

from cruxstore.errors import NoteError
from cruxstore.files import replace_file
from cruxstore.ledger.notes import Checkpoint, decode_base64, decode_checkpoint, encode_base64
from cruxstore.ledger.tree import Frontier

SLOT_BYTES = 4096

_SLOTS = 2
_OLD_SLOT_BYTES = 512
_EMPTY = b" " * SLOT_BYTES


class SlotState(StrEnum):
    """What a slot holds: nothing yet, a checkpoint, or what is neither."""

    EMPTY = "empty"
    WHOLE = "whole"
    SPOILED = "spoiled"


@dataclass(frozen=True, slots=True)
class Slot:
    """One of the two; `tree` is missing where whoever wrote it did not have the tree."""

    byte: int
    state: SlotState
    checkpoint: Checkpoint | None = None
    tree: Frontier | None = None


class Slots:
    """The file with the two slots; writing is for the holder of the store's lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._turn: int | None = None

    def read(self) -> tuple[Slot, ...]:
        """Both slots as they stand; none where there is no file."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return ()
        if len(content) == _OLD_SLOT_BYTES * _SLOTS:
            return tuple(_old_slot(content, number * _OLD_SLOT_BYTES) for number in range(_SLOTS))
        if len(content) > SLOT_BYTES * _SLOTS:
            return (Slot(SLOT_BYTES * _SLOTS, SlotState.SPOILED),)
        return tuple(_slot(content, number * SLOT_BYTES) for number in range(_SLOTS))

    def newest(self) -> Checkpoint | None:
        """The newest checkpoint that can be read; None where there is none."""
        slot = newest_of(self.read())
        return slot.checkpoint if slot is not None else None

    def forget(self) -> None:
        """Makes the next `write` look where the newest checkpoint stands: somebody else may have written one."""
        self._turn = None

    def write(self, checkpoint: Checkpoint, tree: Frontier) -> None:
        """Puts a checkpoint in the place of the older one; where the disk refuses, only the vouching is lost."""
        with suppress(OSError):
            turn, descriptor = self._next_turn(), self._open()
            if descriptor is None:
                return self.start_from(checkpoint, tree)
            try:
                os.pwrite(descriptor, _encode(checkpoint, tree), turn * SLOT_BYTES)
            finally:
                os.close(descriptor)
            self._turn = 1 - turn

    def start_from(self, checkpoint: Checkpoint, tree: Frontier | None = None) -> None:
        """Makes this the only checkpoint, whatever stood there, durably and at once."""
        if checkpoint.note is None:
            content = _encode_old(checkpoint) + b" " * _OLD_SLOT_BYTES
        else:
            content = _encode(checkpoint, tree) + _EMPTY
        replace_file(self.path, content)
        self.forget()

    def _next_turn(self) -> int:
        if self._turn is None:
            newest = newest_of(self.read())
            return 1 if newest is not None and newest.byte == 0 else 0
        return self._turn

    def _open(self) -> int | None:
        """None where there is no file, or an older program's."""
        with suppress(FileNotFoundError):
            descriptor = os.open(self.path, os.O_WRONLY)
            if os.fstat(descriptor).st_size == SLOT_BYTES * _SLOTS:
                return descriptor
            os.close(descriptor)
        return None


class Dailies:
    """The folder with the last checkpoint of every day; keeping is for the holder of the store's lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, checkpoint: Checkpoint) -> None:
        """Keeps the last checkpoint of its day, durably."""
        if checkpoint.note is not None:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            replace_file(self.folder / checkpoint.time[:10], checkpoint.note.encode())

    def set_aside(self, after: int) -> None:
        """Takes those of later events out of the count, under another name: they were given up with their events."""
        for path in self.paths():
            with suppress(NoteError):
                if decode_checkpoint(path.read_bytes()).events > after:
                    path.rename(path.with_name(f"given-up-{path.name}"))

    def paths(self) -> list[Path]:
        """The files, oldest first."""
        return sorted(self.folder.glob("[0-9]*"))

    def read(self) -> Iterator[Checkpoint]:
        """Those that can be read, oldest first, whoever signed them."""
        for path in self.paths():
            with suppress(NoteError):
                yield decode_checkpoint(path.read_bytes())


def newest_of(slots: tuple[Slot, ...]) -> Slot | None:
    """The slot with the newest checkpoint; None where none has one."""
    whole = [slot for slot in slots if slot.checkpoint is not None]
    return max(whole, key=lambda slot: slot.checkpoint.events if slot.checkpoint is not None else 0, default=None)


def read_checkpoint(path: Path) -> Checkpoint:
    """The checkpoint in a file that somebody kept, a note or a copy of the two slots; NoteError where there is none."""
    content = path.read_bytes()
    with suppress(NoteError):
        return decode_checkpoint(content)
    if (checkpoint := Slots(path).newest()) is None:
        raise NoteError(f"{path} is not a checkpoint.")
    return checkpoint


def _encode(checkpoint: Checkpoint, tree: Frontier | None) -> bytes:
    if checkpoint.note is None:
        raise ValueError("a checkpoint is signed before it is written")
    content = checkpoint.note.encode()
    if tree is not None:
        content += f"\ntree {' '.join(map(encode_base64, tree.hashes))}".encode()
    return (content + b"\nsum %b\n" % _sum(content).encode()).ljust(SLOT_BYTES - 1) + b"\n"


def _slot(content: bytes, byte: int) -> Slot:
    slot = content[byte:][:SLOT_BYTES]
    if slot == _EMPTY:
        return Slot(byte, SlotState.EMPTY)
    signed = slot.rpartition(b"\nsum ")[0]
    note, is_there, hashes = signed.rpartition(b"\ntree ")
    try:
        checkpoint = decode_checkpoint(note if is_there else signed)
        tree = None
        if is_there:
            tree = Frontier(checkpoint.events, map(decode_base64, hashes.decode().split(" ")))
        if _encode(checkpoint, tree) == slot and (tree is None or tree.root() == checkpoint.root):
            return Slot(byte, SlotState.WHOLE, checkpoint, tree)
    except (NoteError, ValueError):
        pass
    return Slot(byte, SlotState.SPOILED)


def _encode_old(checkpoint: Checkpoint) -> bytes:
    members = {
        "events": checkpoint.events,
        "generation": checkpoint.generation,
        "head": checkpoint.head,
        "journal_bytes": checkpoint.journal_bytes,
        "ledger_bytes": checkpoint.ledger_bytes,
    }
    content = orjson.dumps(members)
    return (b'%b,"sum":"%b"}' % (content[:-1], _sum(content).encode())).ljust(_OLD_SLOT_BYTES - 1) + b"\n"


def _old_slot(content: bytes, byte: int) -> Slot:
    slot = content[byte:][:_OLD_SLOT_BYTES]
    if not slot.strip():
        return Slot(byte, SlotState.EMPTY)
    try:
        members = orjson.loads(slot)
        members.pop("sum")
        checkpoint = Checkpoint(**members)
        if _encode_old(checkpoint) == slot:
            return Slot(byte, SlotState.WHOLE, checkpoint)
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    return Slot(byte, SlotState.SPOILED)


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
