"""How far everything is known to be on the disk, in two slots written in place: a crash spoils at most one of them.

    {"events":6,"generation":1,"head":"…","journal_bytes":4711,"ledger_bytes":3120,"sum":"…"}     512 bytes, even events
    {"events":7,…}                                                                                512 bytes, odd events

- Written after the lines of an act are synced, itself without a sync: an older one is still true, and what came after
  it is whole but not yet vouched for.
- The newest slot whose sum is right counts. Without any, nothing is vouched for.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from cruxstore.files import replace_file

_SLOT_BYTES = 512
_SLOTS = 2


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The newest event, the end of the ledger after it, and the end of the journal after its lines."""

    events: int
    head: str
    ledger_bytes: int
    generation: int
    journal_bytes: int


class Slots:
    """The file with the two slots; `write` is for the holder of the store's lock."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def newest(self) -> Checkpoint | None:
        """The newest checkpoint that can be read; None where there is none."""
        return max(filter(None, self._read()), key=lambda checkpoint: checkpoint.events, default=None)

    def write(self, checkpoint: Checkpoint) -> None:
        """Puts a checkpoint into the slot of its event; where the disk refuses, nothing is lost but the vouching."""
        with suppress(OSError):
            descriptor = self._open()
            try:
                os.pwrite(descriptor, _encode(checkpoint), checkpoint.events % _SLOTS * _SLOT_BYTES)
            finally:
                os.close(descriptor)

    def start_from(self, checkpoint: Checkpoint) -> None:
        """Makes this the only checkpoint, whatever stood there, durably and at once."""
        slots = [b" " * _SLOT_BYTES] * _SLOTS
        slots[checkpoint.events % _SLOTS] = _encode(checkpoint)
        replace_file(self.path, b"".join(slots))

    def _open(self) -> int:
        try:
            return os.open(self.path, os.O_WRONLY)
        except FileNotFoundError:
            replace_file(self.path, b" " * _SLOT_BYTES * _SLOTS)
            return os.open(self.path, os.O_WRONLY)

    def _read(self) -> list[Checkpoint | None]:
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            content = b""
        return [_decode(content[slot * _SLOT_BYTES :][:_SLOT_BYTES]) for slot in range(_SLOTS)]


def _encode(checkpoint: Checkpoint) -> bytes:
    members = {
        "events": checkpoint.events,
        "generation": checkpoint.generation,
        "head": checkpoint.head,
        "journal_bytes": checkpoint.journal_bytes,
        "ledger_bytes": checkpoint.ledger_bytes,
    }
    content = orjson.dumps(members)
    line = b'%b,"sum":"%b"}' % (content[:-1], _sum(content).encode())
    return line.ljust(_SLOT_BYTES - 1) + b"\n"


def _decode(content: bytes) -> Checkpoint | None:
    try:
        members = orjson.loads(content)
        right = members.pop("sum") == _sum(orjson.dumps(members))
        return Checkpoint(**members) if right else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
