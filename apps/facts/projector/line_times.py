"""When lines say they were written: the newest moment of each block, so that a date finds its line without a scan."""

from apps.facts.rules import BLOCK_LINES, block_of
from apps.facts.sql import execute_many
from cruxstore.errors import BadTimestampError
from cruxstore.facts.journal import JournalLine
from cruxstore.facts.records import (
    ClearSupersede,
    Consolidate,
    ConsolidateUndo,
    ConsolidationProvenance,
    Delete,
    Operation,
    ReplaceLatest,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
)
from cruxstore.facts.times import parse_timestamp

_WRITTEN_END = "+00:00"
_UPSERT = (
    'INSERT INTO facts_lineblock (id, "offset", newest_us) VALUES (%s, %s, %s) ON CONFLICT (id) DO UPDATE SET'
    " newest_us = CASE WHEN facts_lineblock.newest_us >= excluded.newest_us OR excluded.newest_us IS NULL"
    " THEN facts_lineblock.newest_us ELSE excluded.newest_us END"
)


class LineTimes:
    """The blocks that a batch adds lines to, written at once."""

    def __init__(self, build: int) -> None:
        self._build = build
        self._blocks: dict[int, tuple[int, int | None]] = {}

    def see(self, line: JournalLine) -> None:
        """A line is there, whatever it holds."""
        if (line.number - 1) % BLOCK_LINES == 0:
            self._blocks[block_of(self._build, line.number)] = line.offset, None

    def stamp(self, line: JournalLine, operation: Operation) -> None:
        """A line says when it was written."""
        stamp = stamp_of(operation)
        block = block_of(self._build, line.number)
        offset, newest = self._blocks.get(block, (line.offset, None))
        if stamp is not None and (newest is None or stamp > newest):
            self._blocks[block] = offset, stamp

    def write(self) -> None:
        """Adds the blocks; one that was there keeps its start."""
        execute_many(_UPSERT, [(block, offset, newest) for block, (offset, newest) in self._blocks.items()])


def stamp_of(operation: Operation) -> int | None:
    """The moment that a line gives as its own, in microseconds; None where it gives none that can be read."""
    match operation:
        case Store(fact) | ReplaceLatest(fact):
            return fact.stored_at.ns // 1000
        case StoreBatch(facts):
            return max((fact.stored_at.ns for fact in facts), default=0) // 1000 or None
        case Delete(deleted_at=text) | Supersede(superseded_at=text) | ClearSupersede(cleared_at=text):
            return _microseconds(text)
        case SetValidity(set_at=text) | Consolidate(consolidated_at=text) | ConsolidateUndo(undone_at=text):
            return _microseconds(text)
        case ConsolidationProvenance(recorded_at=text):
            return _microseconds(text)


def _microseconds(text: str) -> int | None:
    # the same instant, spelled as facts spell it, is the one that is read quickly
    zulu = f"{text[: -len(_WRITTEN_END)]}Z" if text.endswith(_WRITTEN_END) else text
    try:
        return parse_timestamp(zulu).ns // 1000
    except BadTimestampError:
        return None
