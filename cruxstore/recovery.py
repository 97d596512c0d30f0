"""What the journal holds of the newest event, decided by whoever takes the lock after a crash or after somebody else.

1. A journal shorter than the place where the newest event's lines begin was cut; one under another inode that does not
   hold what the ledger says was replaced. Either begins a new generation, and everything in it is recorded.
2. The event's lines are looked for from that place on, in their order. All there: the act is complete.
3. The line with text is missing: the act is void, for nobody else has its words.
4. Content-free lines are missing: they are to be appended, from the event itself.
5. Whatever else stands there was written by somebody else: it is counted and recorded, never touched.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import orjson
from blake3 import blake3

from cruxstore.errors import DamagedLedgerError, RolledBackError, StoreBrokenError
from cruxstore.ledger.chain import Chain, place_after
from cruxstore.ledger.events import (
    COMMITTED_ID,
    Event,
    JournalPlace,
    Observed,
    TextLine,
    TextMark,
    leaf_hash,
    newest_event,
)
from cruxstore.ledger.notes import Checkpoint
from cruxstore.lines import LineFile, line_ending_at, read_lines

DigestKeyOf = Callable[[int], bytes]
TextOf = Callable[[TextMark], str | None]

_VOUCHING_EVENTS = 1000
_CHUNK_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """How journal and newest event stand to each other; `place` is the journal's end as found."""

    place: JournalPlace
    missing: tuple[bytes, ...] = ()
    is_void: bool = False
    foreign: Observed | None = None
    cause: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing to do and nothing to record."""
        return not (self.missing or self.is_void or self.cause)


def is_untouched(journal: LineFile, newest: Event) -> bool:
    """Whether the journal ends where the newest event says, without looking at its bytes."""
    stat, after = journal.stat(), place_after(newest)
    return (str(stat.st_ino), stat.st_size) == (after.inode, after.bytes)


def examine(journal: LineFile, chain: Chain, newest: Event, *, key_of: DigestKeyOf, text_of: TextOf) -> Finding:
    """Compares the journal, whose torn tail has been set aside, with the newest event."""
    stat, place = journal.stat(), newest.journal
    inode, size = str(stat.st_ino), stat.st_size
    is_moved = inode != place.inode
    if size < place.bytes or (is_moved and not _vouches(journal, chain, newest, key_of)):
        cause = "journal_replaced" if is_moved else "journal_cut"
        return _new_generation(journal, place.generation + 1, inode, key_of, cause)
    lines = (line for _, line in read_lines(journal.path, place.bytes))
    found, foreign = compare(newest, lines, key=key_of(place.generation), text_of=text_of)
    missing = newest.lines[found:]
    is_void = any(isinstance(line, TextLine) for line in missing)
    return Finding(
        place=JournalPlace(
            generation=place.generation,
            lines=place.lines + found + (foreign.lines if foreign is not None else 0),
            bytes=size,
            inode=inode,
        ),
        missing=() if is_void else tuple(spelled(line, newest, text_of) for line in missing if isinstance(line, str)),
        is_void=is_void,
        foreign=foreign,
        cause="journal_moved" if is_moved else "foreign_lines" if foreign is not None else "",
    )


def compare(event: Event, lines: Iterable[bytes], *, key: bytes, text_of: TextOf) -> tuple[int, Observed | None]:
    """How many of an event's lines stand among these in their order, and what else stands there, if anything."""
    found, foreign = 0, _Counting(key)
    for line in lines:
        if found < len(event.lines) and _is_line(event.lines[found], line, key, event, text_of):
            found += 1
        else:
            foreign.add(line, ahead_of=len(event.lines) - found)
    return found, foreign.observed()


def missing_under(checkpoint: Checkpoint, *, ledger: Path, journal: Path | None) -> StoreBrokenError | None:
    """What is no longer there of what a checkpoint vouches for; None where all is. Takes no lock.

    A ledger that lacks the event is RolledBackError. A journal that was put in the place of the one vouched for is not
    missing: it begins a new generation.
    """
    size = ledger.stat().st_size if ledger.exists() else 0
    if size < checkpoint.ledger_bytes:
        return RolledBackError(
            f"{ledger.name} ends at byte {size:,}, and it was written to byte {checkpoint.ledger_bytes:,}."
        )
    if leaf_hash(line_ending_at(ledger, checkpoint.ledger_bytes)) != checkpoint.head:
        return RolledBackError(f"Event {checkpoint.events:,} of {ledger.name} is not the one that was written.")
    newest = newest_event(ledger)
    if journal is None or newest is None or checkpoint.generation == 0:
        return None
    if not journal.exists():
        return StoreBrokenError(f"{journal.name} is missing.")
    stat, place = journal.stat(), newest.journal
    if place.generation != checkpoint.generation or str(stat.st_ino) != place.inode:
        return None
    if stat.st_size < checkpoint.journal_bytes:
        return StoreBrokenError(
            f"{journal.name} ends at byte {stat.st_size:,}, and it was written to byte {checkpoint.journal_bytes:,}."
        )
    return None


def settled_length(journal: Path, ledger: Path) -> int:
    """How many bytes of the journal hold whole acts; for readers, who take no lock."""
    size = journal.stat().st_size if journal.exists() else 0
    # the size first: any act with bytes below it then has its event in the ledger already
    newest = newest_event(ledger)
    if newest is None:
        return size
    place = newest.journal
    return size if size >= place.bytes + place.adds else min(size, place.bytes)


def is_as_recorded(journal: Path, ledger: Path) -> bool:
    """Whether the journal is the file, and as long, as the newest event says; takes no lock and reads no line.

    One that has not been taken over is as it is.
    """
    event = newest_event(ledger)
    if event is None or event.journal.generation == 0:
        return True
    after = place_after(event)
    try:
        stat = journal.stat()
    except FileNotFoundError:
        return False
    return (str(stat.st_ino), stat.st_size) == (after.inode, after.bytes)


def take_stock(
    journal: LineFile,
    *,
    key: bytes,
    start: int = 0,
    end: int | None = None,
    reached: Callable[[int], None] | None = None,
) -> Observed:
    """Counts and digests the journal's lines between two offsets, by default all, as they stand."""
    end = journal.stat().st_size if end is None else end
    hasher, lines, offset = blake3(key=key), 0, start
    while offset < end and (chunk := journal.read(offset, min(_CHUNK_BYTES, end - offset))):
        hasher.update(chunk)
        lines += chunk.count(b"\n")
        offset += len(chunk)
        if reached is not None:
            reached(offset)
    return Observed(lines=lines, bytes=offset - start, digest=hasher.hexdigest())


def line_digest(line: bytes, *, key: bytes) -> str:
    """What the ledger keeps of a line with text: worthless without the generation's key."""
    return blake3(line, key=key).hexdigest()


def spelled(line: str, event: Event, text_of: TextOf) -> bytes:
    """A copied line as it stands in the journal, each foreign id in the place of its commitment."""
    for commitment in COMMITTED_ID.findall(line):
        mark = next((mark for mark in event.texts if mark.commitment == commitment), None)
        foreign_id = text_of(mark) if mark is not None else None
        if foreign_id is None:
            raise DamagedLedgerError(f"Event {event.seq} names a fact whose id is missing from the texts.")
        line = line.replace(commitment, orjson.dumps(foreign_id)[1:-1].decode())
    return line.encode()


class _Counting:
    """Counts and digests lines one after the other."""

    def __init__(self, key: bytes) -> None:
        self.lines = 0
        self._bytes = 0
        self._hasher = blake3(key=key)

    def add(self, line: bytes, *, ahead_of: int) -> None:
        if ahead_of:
            # so that a line that stands between an act's own lines cannot change places with them
            self._hasher.update(b"%d\0" % ahead_of)
        self.lines += 1
        self._bytes += len(line) + 1
        self._hasher.update(line)
        self._hasher.update(b"\n")

    def observed(self) -> Observed | None:
        if self.lines == 0:
            return None
        return Observed(lines=self.lines, bytes=self._bytes, digest=self._hasher.hexdigest())


def _is_line(copied: str | TextLine, line: bytes, key: bytes, event: Event, text_of: TextOf) -> bool:
    if isinstance(copied, TextLine):
        return len(line) == copied.length and line_digest(line, key=key) == copied.digest
    return line == spelled(copied, event, text_of)


def _new_generation(journal: LineFile, generation: int, inode: str, key_of: DigestKeyOf, cause: str) -> Finding:
    stock = take_stock(journal, key=key_of(generation))
    place = JournalPlace(generation=generation, lines=stock.lines, bytes=stock.bytes, inode=inode)
    return Finding(place=place, foreign=stock, cause=cause)


def _vouches(journal: LineFile, chain: Chain, newest: Event, key_of: DigestKeyOf) -> bool:
    """Whether the newest thing that the ledger knows about the journal's bytes is true of this file."""
    for event in islice(chain.backwards(), _VOUCHING_EVENTS):
        key = key_of(event.journal.generation)
        if event.observed is not None:
            end = event.journal.bytes
            return take_stock(journal, key=key, start=end - event.observed.bytes, end=end) == event.observed
        if event.lines and event != newest:
            return _stands(journal, event, key)
    return journal.stat().st_size == newest.journal.bytes


def _stands(journal: LineFile, event: Event, key: bytes) -> bool:
    content = journal.read(event.journal.bytes, event.journal.adds)
    lines = content.split(b"\n")
    first = event.lines[0]
    if len(content) < event.journal.adds or len(lines) != len(event.lines) + 1:
        return False
    if isinstance(first, TextLine):
        return line_digest(lines[0], key=key) == first.digest
    return lines[0] == first.encode() or COMMITTED_ID.search(first) is not None
