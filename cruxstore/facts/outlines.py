"""The state of a journal without its texts: where each fact stands in the file, and what rules look at.

    {"op":"store","fact":{"fact_id":"f_1",…,"horizon_class":"none","actor":"lark-bot"}}
                                                                  |
                                                                  here goes `superseded_by` once it is retired

- A line in the very form of a writer, with nothing unusual in it, is taken in by one pattern. Such a fact is kept as an
  outline; writing it again gives the bytes that stand there.
- Every other line is decoded and judged as in any replay, and its facts are kept whole. So is an outline that anything
  but a delete or a supersede touches. Control facts and legal holds are always whole.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import BinaryIO, Final, NamedTuple

from cruxstore.errors import BadTimestampError
from cruxstore.facts.blanks import is_blank_text
from cruxstore.facts.codec import decode_fact
from cruxstore.facts.floats import f32_text, round_to_f32
from cruxstore.facts.folding import folded_lines
from cruxstore.facts.holds import HOLD_PREFIX
from cruxstore.facts.journal import Findings, JournalLine, judge_line, read_lines
from cruxstore.facts.ownership import parts_of
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Consolidate, ConsolidateUndo, ConsolidationProvenance, Fact, Operation
from cruxstore.facts.replay import (
    LATEST_ONLY_PREFIXES,
    ConsolidationSet,
    Deleted,
    Inserted,
    Outcome,
    Removed,
    SupersededBy,
    ValiditySet,
)
from cruxstore.facts.state import FactState, cleaned_links
from cruxstore.facts.times import parse_timestamp

ReadSlice = Callable[[int, int], bytes]
"""Answers so many bytes of the journal from an offset on: `read(offset, length)`."""

_CHUNK_BYTES: Final = 64 * 1024
_FACT_START: Final = len(b'{"op":"store","fact":')
_MERGES: Final = (Consolidate, ConsolidationProvenance, ConsolidateUndo)
_ALWAYS_WHOLE: Final = (*LATEST_ONLY_PREFIXES, HOLD_PREFIX)


def _line_pattern(*, name: str, text: str) -> re.Pattern[str]:
    """One line, whatever it is; its groups are empty unless it is one of three in the very form of a writer."""
    time = r'"(\d{4}-\d\d-\d\dT\d\d:[0-5]\d:[0-5]\d(?:\.(?:\d{3}){1,3}(?<!000))?)Z"'
    return re.compile(
        rf'(?:\{{"op":"store","fact":\{{"fact_id":"({name})","tenant_hash":"({name})","entity":"({name})"'
        rf',"key":"({name})","value":"{text}","source_receipt":(?:null|"{text}"),"confidence":([0-9.e-]++)'
        rf',"stored_at":{time},"tokens":(?:0|[1-9]\d{{0,17}}+),"deleted":false,"version":(0|[1-9]\d{{0,8}}+)'
        rf'(?:,"supersedes":"({name})")?,"private":(?:true|f(a)lse),"horizon_class":"(?:none|volatile|medium|stable)"'
        rf'(?:,"superseded_by":"({name})")?(?:,"actor":"{text}")?\}}\}}'
        rf'|\{{"op":"supersede","fact_id":"({name})","by_fact_id":"({name})","superseded_at":"{text}"\}}'
        rf'|\{{"op":"delete","fact_id":"({name})","deleted_at":"{text}"\}}'
        r"|[^\n]*+)\n",
        re.ASCII,
    )


_LINE: Final = _line_pattern(name=r'[^"\\\x00-\x1f]++', text=r'(?:[^"\\\x00-\x1f]++|\\["\\bfnrt])*+')
_PLAIN_LINE: Final = _line_pattern(name='[^"]++', text='[^"]*+')
"""The same where no line holds a backslash or a control character: twice as fast."""
_REMEMBERED: Final = 4096
_CONTROLS: Final = bytes({*range(0x20)} - {0x0A})
_HORIZON_START: Final = b',"horizon_class":"'
_NOTHING_FOUND: Final = ("",) * _LINE.groups
_PLAIN_NAME: Final = re.compile(r'[^"\\\x00-\x1f]+')

# a plain tuple, because the collector stops looking at those, and there are millions: line number, offset, length,
# tenant, entity, key, version, stored_at without its Z, supersedes, and superseded_by as written
_Row = tuple[int, int, int, str, str, str, str, str, str, str]


class Outline(NamedTuple):
    """What rules look at of a fact."""

    fact_id: str
    tenant_hash: str
    entity: str
    key: str
    version: int
    deleted: bool
    supersedes: str | None
    superseded_by: str | None


_EntityRule = tuple[str, bool, bool]
"""The one copy of an entity's name; whether its facts are kept whole; whether they are born private."""


class Outlines:
    """A `StateView` over a journal file; of chains it knows those of control facts, the only ones replay asks for.

    `facts` are those kept whole. `removed` are the ids of control facts that were replaced, and `merges` the facts of
    every line about a merge.
    """

    def __init__(self, read: ReadSlice) -> None:
        self.facts: dict[str, Fact] = {}
        self.consolidations: dict[str, tuple[str, ...]] = {}
        self.removed: set[str] = set()
        self.merges: list[tuple[str, ...]] = []
        self._read = read
        self._rows: dict[str, _Row] = {}
        self._deleted: set[str] = set()
        self._superseded_by: dict[str, str] = {}
        self._births: dict[str, int] = {}
        self._control_ids: defaultdict[str, list[str]] = defaultdict(list)
        self._doubtful: set[str] = set()
        self._names: dict[str, str] = {}
        self._rules: dict[str, _EntityRule] = {}
        self._spelled: set[str] = set()

    def __contains__(self, fact_id: str) -> bool:
        return fact_id in self._rows or fact_id in self.facts

    def ids(self) -> set[str]:
        """Every fact, deleted ones too."""
        return self._rows.keys() | self.facts.keys()

    def deleted_ids(self) -> set[str]:
        """The deleted ones."""
        return self._deleted | {fact_id for fact_id, fact in self.facts.items() if fact.deleted}

    def places(self) -> Iterator[tuple[str, str, str]]:
        """Of every fact that is not kept whole: its id, its tenant and its entity."""
        return ((fact_id, row[3], row[4]) for fact_id, row in self._rows.items())

    def fact(self, fact_id: str) -> FactState | None:
        """The fact with this id, deleted or not."""
        row = self._rows.get(fact_id)
        if row is None:
            return self.facts.get(fact_id)
        return Outline(
            fact_id,
            row[3],
            row[4],
            row[5],
            int(row[6]),
            fact_id in self._deleted,
            row[8] or None,
            self._superseded_by.get(fact_id),
        )

    def chain(self, tenant_hash: str, entity: str, key: str) -> Sequence[str]:
        """The ids of control facts stored under a tenant, entity and key, oldest first."""
        candidates = (self.facts[fact_id] for fact_id in self._control_ids.get(entity, ()))
        return [fact.fact_id for fact in candidates if fact.tenant_hash == tenant_hash and fact.key == key]

    def consolidation(self, canonical_fact_id: str) -> tuple[str, ...] | None:
        """The sources remembered for a canonical fact."""
        return self.consolidations.get(canonical_fact_id)

    def birth(self, fact_id: str) -> int:
        """The number of the line that first stored a fact."""
        row = self._rows.get(fact_id)
        return self._births[fact_id] if row is None else row[0]

    def whole(self, fact_id: str, read: ReadSlice | None = None) -> Fact:
        """A fact with everything it says now; once the reading is over, `read` says how to look it up."""
        row = self._rows.get(fact_id)
        if row is None:
            return self.facts[fact_id]
        fact = decode_fact((read or self._read)(row[1] + _FACT_START, row[2] - _FACT_START - 1))
        return fact._replace(deleted=fact_id in self._deleted, superseded_by=self._superseded_by.get(fact_id))

    def change(self, fact: Fact) -> None:
        """Puts what a fact says now in place of what it said."""
        row = self._rows.pop(fact.fact_id, None)
        if row is not None:
            self._births[fact.fact_id] = row[0]
            self._deleted.discard(fact.fact_id)
            self._superseded_by.pop(fact.fact_id, None)
        self.facts[fact.fact_id] = fact

    def compacted(self, fact_ids: frozenset[str], stamp: str, read: ReadSlice) -> Iterator[tuple[int, bytes]]:
        """The lines that these facts' current states become, as a compaction sorts them, each with its fact's birth."""
        rows, facts = self._rows, self.facts
        # in the order of the file first, which is mostly the order wanted
        found = [fact_id for known in (rows, facts) for fact_id in known if fact_id in fact_ids]
        # NUL comes before any digit or point, so that the time decides and then the id, as in `recorded_order`
        keys = [
            f"{rows[fact_id][7] if fact_id in rows else facts[fact_id].stored_at.text[:-1]}\0{fact_id}"
            for fact_id in found
        ]
        keys.sort()
        for key in keys:
            fact_id = key.partition("\0")[2]
            birth = rows[fact_id][0] if fact_id in rows else self._births[fact_id]
            for line in self.folded(fact_id, stamp, read):
                yield birth, line

    def folded(self, fact_id: str, stamp: str, read: ReadSlice) -> Iterable[bytes]:
        """The lines that a fact's current state becomes."""
        row = self._rows.get(fact_id)
        by = self._superseded_by.get(fact_id, "")
        if row is None or fact_id in self._deleted or (row[9] and row[9] != by):
            return folded_lines(self.whole(fact_id, read), stamp, with_extra=True)
        line = read(row[1], row[2])
        if not by:
            return (line,)
        retired = f'{{"op":"supersede","fact_id":"{fact_id}","by_fact_id":"{by}","superseded_at":"{stamp}"}}'.encode()
        if row[9]:
            return line, retired
        # no text can hold this: its quotes would be escaped
        place = line.index(b'"', line.rindex(_HORIZON_START) + len(_HORIZON_START)) + 1
        return line[:place] + f',"superseded_by":"{by}"'.encode() + line[place:], retired

    def absorb(self, line: JournalLine, operation: Operation, outcome: Outcome) -> None:
        """Carries out what a line does."""
        if outcome.skipped is None and isinstance(operation, _MERGES):
            self.merges.extend(part.owner_ids for part in parts_of(operation))
        for effect in outcome.effects:
            match effect:
                case Inserted(fact):
                    self.facts[fact.fact_id] = fact
                    self._births[fact.fact_id] = line.number
                    self._doubtful.add(fact.fact_id)
                    if fact.entity.startswith(LATEST_ONLY_PREFIXES):
                        self._control_ids[fact.entity].append(fact.fact_id)
                case SupersededBy(fact_id, by_fact_id):
                    self._supersede(fact_id, by_fact_id)
                case Deleted(fact_id):
                    self._delete(fact_id)
                case ValiditySet(fact_id, valid_from, valid_to):
                    self.change(self.whole(fact_id)._replace(valid_from=valid_from, valid_to=valid_to))
                case Removed(fact_id):
                    fact = self.facts.pop(fact_id)
                    self._control_ids[fact.entity].remove(fact_id)
                    self.removed.add(fact_id)
                case ConsolidationSet(canonical_fact_id, source_fact_ids):
                    self.consolidations[canonical_fact_id] = source_fact_ids

    def clean_links(self) -> None:
        """Drops the links that do not count; to be called once, after the last line."""
        # where an id can stand for two facts, what was seen of it along the way says nothing
        for fact_id in self.ids() if self.removed else self._doubtful:
            fact = self.fact(fact_id)
            if fact is not None and (fact.supersedes is not None or fact.superseded_by is not None):
                supersedes, superseded_by = cleaned_links(fact, self)
                if (supersedes, superseded_by) != (fact.supersedes, fact.superseded_by):
                    self.change(self.whole(fact_id)._replace(supersedes=supersedes, superseded_by=superseded_by))

    def take_in(self, text: bytes, offset: int, findings: Findings, privacy: PrivacyPolicy) -> None:
        """Reads whole lines, given where they begin."""
        rows, facts, superseded_by, names, rules = self._rows, self.facts, self._superseded_by, self._names, self._rules
        lines = text.split(b"\n")
        lines.pop()
        number, end, hour, spelled = findings.lines, offset, "?", self._spelled
        for line, found in zip(lines, _found(text, len(lines)), strict=True):
            number, offset, end = number + 1, end, end + len(line) + 1
            (
                fact_id,
                tenant,
                entity,
                key,
                confidence,
                stored_at,
                version,
                supersedes,
                is_public,
                own_by,
                retired_id,
                by,
                deleted_id,
            ) = found
            if fact_id:
                entity, is_whole, is_born_private = rules.get(entity) or self._rule(entity, privacy)
                if not stored_at.startswith(hour):
                    hour = stored_at[:13] if _is_hour(stored_at[:13]) else "?"
                if not (
                    is_whole
                    or (is_public and is_born_private)
                    or hour == "?"
                    or fact_id in rows
                    or fact_id in facts
                    or not (confidence in spelled or self._is_spelled(confidence))
                    or not (tenant in names or self._is_tenant(tenant))
                ):
                    tenant, key = names[tenant], names.setdefault(key, key)
                    if supersedes:
                        before = rows.get(supersedes)
                        if before is None or before[4] is not entity or before[5] is not key or before[3] is not tenant:
                            self._doubtful.add(fact_id)
                    if own_by:
                        self._doubtful.add(fact_id)
                        superseded_by[fact_id] = own_by
                    rows[fact_id] = (
                        number,
                        offset,
                        end - offset - 1,
                        tenant,
                        entity,
                        key,
                        version,
                        stored_at,
                        supersedes,
                        own_by,
                    )
                    continue
            elif retired_id:
                retired, successor, before_by = rows.get(retired_id), rows.get(by), superseded_by.get(retired_id)
                if retired is not None and (
                    (before_by is None or before_by == by) and retired[3] is successor[3]
                    if successor is not None
                    else before_by == by and by not in facts
                ):
                    superseded_by[retired_id] = by
                    continue
            elif deleted_id in rows and not self.consolidations:
                self._deleted.add(deleted_id)
                continue
            findings.lines = number - 1
            self.take_line(JournalLine(number, offset, len(line), line, is_whole=True), findings, privacy)
        findings.lines = number

    def take_line(self, line: JournalLine, findings: Findings, privacy: PrivacyPolicy) -> None:
        """Reads one line as any replay does."""
        findings.lines += 1
        judged = judge_line(line, findings, self, privacy)
        if judged is not None:
            self.absorb(line, *judged)

    def _supersede(self, fact_id: str, by_fact_id: str | None) -> None:
        self._doubtful.add(fact_id)
        if fact_id in self.facts:
            self.facts[fact_id] = self.facts[fact_id]._replace(superseded_by=by_fact_id)
        elif by_fact_id is None:
            self._superseded_by.pop(fact_id, None)
        elif _PLAIN_NAME.fullmatch(by_fact_id):
            self._superseded_by[fact_id] = by_fact_id
        else:
            self.change(self.whole(fact_id)._replace(superseded_by=by_fact_id))

    def _delete(self, fact_id: str) -> None:
        if fact_id in self.facts:
            self.facts[fact_id] = self.facts[fact_id]._replace(deleted=True)
        else:
            self._deleted.add(fact_id)

    def _rule(self, entity: str, privacy: PrivacyPolicy) -> _EntityRule:
        rule = entity, entity.startswith(_ALWAYS_WHOLE), privacy.is_born_private(entity)
        self._rules[entity] = rule
        return rule

    def _is_spelled(self, confidence: str) -> bool:
        """Whether a confidence is spelled as we would spell it again."""
        try:
            is_spelled = f32_text(round_to_f32(float(confidence))) == confidence
        except ValueError:
            return False
        if is_spelled and len(self._spelled) < _REMEMBERED:
            self._spelled.add(confidence)
        return is_spelled

    def _is_tenant(self, tenant: str) -> bool:
        if is_blank_text(tenant):
            return False
        self._names[tenant] = tenant
        return True


def read_outlines(
    stream: BinaryIO, privacy: PrivacyPolicy, *, until: int | None = None
) -> tuple[Outlines, Findings, int]:
    """The state that a journal, or its lines up to a place, leaves, what reading them found, and where they end.

    Raises UnreadableJournalError at a line over 64 MiB that is not a scan record.
    """
    state, findings = Outlines(slice_reader(stream)), Findings()
    offset, carried = 0, b""
    stream.seek(0)
    while chunk := stream.read(_bytes_wanted(offset + len(carried), until)):
        text = carried + chunk
        cut = text.rfind(b"\n") + 1
        if cut == 0 and len(text) >= _CHUNK_BYTES:
            stream.seek(offset)
            line = next(read_lines(stream, offset=offset, number=findings.lines + 1))
            end = line.offset + line.length + 1
            if not line.is_whole or (until is not None and end > until):
                break
            state.take_line(line, findings, privacy)
            offset, carried = end, b""
            continue
        state.take_in(text[:cut], offset, findings, privacy)
        offset, carried = offset + cut, text[cut:]
    state.clean_links()
    return state, findings, offset


def slice_reader(stream: BinaryIO) -> ReadSlice:
    """Reads from a file without moving where its stream stands; quickly where one slice follows the other."""
    start, window = 0, b""

    def read(offset: int, length: int) -> bytes:
        nonlocal start, window
        begin = offset - start
        end = begin + length
        if begin < 0 or end > len(window):
            if not 0 <= begin <= len(window) + _CHUNK_BYTES:
                return os.pread(stream.fileno(), length, offset)
            start, window = offset, os.pread(stream.fileno(), max(length, _CHUNK_BYTES), offset)
            begin, end = 0, length
        return window[begin:end]

    return read


def _bytes_wanted(at: int, until: int | None) -> int:
    return _CHUNK_BYTES if until is None else min(_CHUNK_BYTES, until - at)


def _found(text: bytes, lines: int) -> list[tuple[str, ...]]:
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        return [_NOTHING_FOUND] * lines
    if b"\\" not in text and len(text.translate(None, _CONTROLS)) == len(text):
        found = _PLAIN_LINE.findall(decoded)
        # every match ends a line: with as many matches as lines, none goes over two of them
        if len(found) == lines:
            return found
    return _LINE.findall(decoded)


@lru_cache(maxsize=4096)
def _is_hour(text: str) -> bool:
    """Whether a time may begin with this: `2026-03-01T08`."""
    try:
        parse_timestamp(f"{text}:00:00Z")
    except BadTimestampError:
        return False
    return True
