"""The ledger as a chain of lines: each new event names the one before it by hash."""

import secrets
from collections.abc import Iterator
from pathlib import Path

from cruxstore.errors import DamagedLedgerError
from cruxstore.files import SECRET_MODE
from cruxstore.ledger.events import Event, JournalPlace, decode_event, encode_event, leaf_hash, numbered_event
from cruxstore.lines import LineFile


class Chain:
    """The ledger file; only the holder of the store's lock may use it.

    `append` returns when the event is on the disk. The newest event is read again whenever another process may have
    written: ask `newest` first, after taking the lock.
    """

    def __init__(self, path: Path) -> None:
        self.file = LineFile(path, mode=SECRET_MODE)
        self._newest: Event | None = None
        self._hash: str | None = None
        self._seen = (0, -1)

    def is_current(self) -> bool:
        """Whether nobody else has written since this object last looked."""
        return self._state() == self._seen

    def forget(self) -> None:
        """Makes the next look read the file."""
        self._seen = (0, -1)

    def newest(self) -> Event | None:
        """The last event; None in a new ledger."""
        if not self.is_current():
            self._read_newest()
        return self._newest

    def latest(self) -> Event | None:
        """The newest event as just looked at, or as just appended."""
        return self._newest

    def head(self) -> tuple[str, int]:
        """The hash that the next event will name, and where the ledger ends; of the newest event, as just looked at."""
        return self._hash or "", self._seen[1]

    def append(self, event: Event) -> Event:
        """Adds an event after the newest: its number, its id and `prev` are given here."""
        self.newest()
        return self.append_at_head(event)

    def append_at_head(self, event: Event) -> Event:
        """The same for whoever has asked `newest` just now."""
        before, inode = self._newest, self._seen[0]
        numbered = numbered_event(
            event,
            seq=1 if before is None else before.seq + 1,
            event_id=event.event_id or new_event_id(),
            prev=self._hash,
        )
        line = encode_event(numbered)
        self.forget()
        end = self.file.append([line], is_looked_at=True) + len(line) + 1
        self._newest, self._hash, self._seen = numbered, leaf_hash(line), (inode, end)
        return numbered

    def backwards(self) -> Iterator[Event]:
        """Every event, the newest first."""
        place = self.file.newest()
        while place is not None:
            yield decode_event(place[1])
            place = self.file.line_before(place[0])

    def check_end(self) -> None:
        """Raises DamagedLedgerError where the newest event does not follow the one before it."""
        newest = self.file.newest()
        if newest is None:
            return
        offset, line = newest
        event, before = decode_event(line), self.file.line_before(offset)
        expected = leaf_hash(before[1]) if before is not None else None
        if event.prev != expected:
            raise DamagedLedgerError(f"Event {event.seq} does not follow the event before it.")

    def _read_newest(self) -> None:
        seen, newest = self._state(), self.file.newest()
        self._newest = decode_event(newest[1]) if newest is not None else None
        self._hash = leaf_hash(newest[1]) if newest is not None else None
        self._seen = seen

    def _state(self) -> tuple[int, int]:
        stat = self.file.stat()
        return stat.st_ino, stat.st_size


def new_event_id() -> str:
    """An id that no other event has."""
    return f"e_{secrets.token_hex(16)}"


def place_after(event: Event | None) -> JournalPlace:
    """Where the journal ends when an event's lines are all there and nobody else has written."""
    if event is None:
        return JournalPlace()
    place = event.journal
    return JournalPlace(place.generation, place.lines + len(event.lines), place.bytes + place.adds, place.inode)
