"""A whole journal read from its file: its lines, and the state they leave in memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from cruxstore.errors import LineError, UnreadableJournalError
from cruxstore.facts.codec import decode_line
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import MAX_LINE_BYTES, Fact, Operation
from cruxstore.facts.replay import (
    ConsolidationSet,
    Deleted,
    Effect,
    Inserted,
    Outcome,
    Reason,
    Removed,
    SupersededBy,
    ValiditySet,
    apply,
)
from cruxstore.facts.state import StateView, cleaned_links

OVERSIZED_SCAN: Final = Reason(
    "oversized_scan", "The line is longer than 64 MiB; it is a scan record, so it is passed over."
)

_BLANKS = b" \t\n\f\r"
_CHUNK_BYTES = 1024 * 1024
_OVERSIZED_START = b'{"op":"store","fact":{'
_OVERSIZED_ENTITIES = (b'"entity":"__repo_scan__::', b'"entity":"__workspace_scan__::')


class JournalLine(NamedTuple):
    """One line and where it stands; `length` and `text` are without the newline.

    Of a line over 64 MiB the text is only its first 64 MiB. A line that is not `is_whole` has no newline yet: a torn
    tail, which counts for nothing, whatever it says.
    """

    number: int
    offset: int
    length: int
    text: bytes
    is_whole: bool


Watcher = Callable[[JournalLine, Operation, Outcome], None]
"""Is told of a line, what it asks and what that does."""


class SkippedLine(NamedTuple):
    """A line that had no effect, and why."""

    number: int
    offset: int
    reason: Reason


class RemovedFact(NamedTuple):
    """A control fact that is gone from the state while its text is still in the file."""

    fact_id: str
    tenant_hash: str
    entity: str


class MemoryState:
    """The facts of a journal in memory; a `StateView` that keeps up by absorbing effects."""

    def __init__(self) -> None:
        self.facts: dict[str, Fact] = {}
        self.consolidations: dict[str, tuple[str, ...]] = {}
        self.removed: list[RemovedFact] = []
        self._ids_by_entity: dict[str, list[str]] = {}

    def fact(self, fact_id: str) -> Fact | None:
        """The fact with this id, deleted or not."""
        return self.facts.get(fact_id)

    def chain(self, tenant_hash: str, entity: str, key: str) -> Sequence[str]:
        """The ids stored under a tenant, entity and key, oldest first."""
        ids = self._ids_by_entity.get(entity)
        if ids is None:
            return ()
        candidates = map(self.facts.__getitem__, ids)
        return [fact.fact_id for fact in candidates if fact.tenant_hash == tenant_hash and fact.key == key]

    def is_about(self, entity: str) -> bool:
        """Whether a fact about this entity was ever stored."""
        return entity in self._ids_by_entity

    def consolidation(self, canonical_fact_id: str) -> tuple[str, ...] | None:
        """The sources remembered for a canonical fact."""
        return self.consolidations.get(canonical_fact_id)

    def absorb(self, effects: Iterable[Effect]) -> None:
        """Carries effects out, in order."""
        for effect in effects:
            match effect:
                case Inserted(fact):
                    self.facts[fact.fact_id] = fact
                    self._ids_by_entity.setdefault(fact.entity, []).append(fact.fact_id)
                case SupersededBy(fact_id, by_fact_id):
                    self.facts[fact_id] = self.facts[fact_id]._replace(superseded_by=by_fact_id)
                case Deleted(fact_id):
                    self.facts[fact_id] = self.facts[fact_id]._replace(deleted=True)
                case ValiditySet(fact_id, valid_from, valid_to):
                    self.facts[fact_id] = self.facts[fact_id]._replace(valid_from=valid_from, valid_to=valid_to)
                case Removed(fact_id):
                    fact = self.facts.pop(fact_id)
                    self._ids_by_entity[fact.entity].remove(fact_id)
                    self.removed.append(RemovedFact(fact_id, fact.tenant_hash, fact.entity))
                case ConsolidationSet(canonical_fact_id, source_fact_ids):
                    self.consolidations[canonical_fact_id] = source_fact_ids

    def clean_links(self) -> None:
        """Drops the links that do not count; to be called once, after the last line."""
        changed = {}
        for fact in self.facts.values():
            if fact.supersedes is not None or fact.superseded_by is not None:
                links = cleaned_links(fact, self)
                if links != (fact.supersedes, fact.superseded_by):
                    changed[fact.fact_id] = fact._replace(supersedes=links[0], superseded_by=links[1])
        self.facts.update(changed)


@dataclass(slots=True)
class Findings:
    """What reading a journal to its end found besides the state.

    Every line that had no effect is in exactly one list: `unreadable` (not JSON, not a fact, an unknown operation),
    `rule_breaking`, `redundant` (it repeats what its fact says), or `ignored` (void without being wrong).
    """

    lines: int = 0
    unreadable: list[SkippedLine] = field(default_factory=list)
    rule_breaking: list[SkippedLine] = field(default_factory=list)
    redundant: list[SkippedLine] = field(default_factory=list)
    ignored: list[SkippedLine] = field(default_factory=list)
    has_oversized_scan: bool = False
    torn_tail_bytes: int = 0

    @property
    def skipped(self) -> list[SkippedLine]:
        """The lines that the format says to skip, in the order of the file."""
        return sorted(self.unreadable + self.rule_breaking + self.redundant)


@dataclass(slots=True)
class Replay(Findings):
    """A journal read to its end: the state in memory, and what was found on the way."""

    state: MemoryState = field(default_factory=MemoryState)


def read_lines(stream: BinaryIO, *, offset: int = 0, number: int = 1) -> Iterator[JournalLine]:
    """The lines of a stream that stands at this offset, where the line with this number begins; blank ones too.

    Memory stays bounded by one line. The file is never changed: a torn tail is only reported, as the last line.
    """
    while text := stream.readline(MAX_LINE_BYTES + 1):
        length = len(text)
        is_whole = text.endswith(b"\n")
        if is_whole:
            text, length = text[:-1], length - 1
        elif length > MAX_LINE_BYTES:
            text = text[:MAX_LINE_BYTES]
            rest, is_whole = _skip_to_newline(stream)
            length += rest
        yield JournalLine(number, offset, length, text, is_whole)
        offset += length + is_whole
        number += 1


def is_blank(text: bytes) -> bool:
    """Whether a line holds nothing; such lines are passed over and not counted as skipped."""
    return not text.strip(_BLANKS)


def replay_lines(lines: Iterable[JournalLine], privacy: PrivacyPolicy, watch: Watcher | None = None) -> Replay:
    """The state after these lines; raises UnreadableJournalError at a line over 64 MiB that is not a scan record.

    Whoever watches is told every line that stands for an operation, before its effects are carried out.
    """
    replay = Replay()
    for line in lines:
        if not line.is_whole:
            replay.torn_tail_bytes = line.length
            break
        replay.lines += 1
        judged = judge_line(line, replay, replay.state, privacy)
        if judged is None:
            continue
        if watch is not None:
            watch(line, *judged)
        replay.state.absorb(judged[1].effects)
    replay.state.clean_links()
    return replay


def replay_journal(path: Path, privacy: PrivacyPolicy) -> Replay:
    """The state that a journal file leaves; raises UnreadableJournalError when the file cannot be read."""
    try:
        with path.open("rb", buffering=_CHUNK_BYTES) as stream:
            return replay_lines(read_lines(stream), privacy)
    except OSError as error:
        raise UnreadableJournalError(f"{path} cannot be read: {error.strerror or error}.") from error


def judge_line(
    line: JournalLine, findings: Findings, view: StateView, privacy: PrivacyPolicy
) -> tuple[Operation, Outcome] | None:
    """What a line asks and what that does; None where it stands for no operation. What has no effect is noted.

    Raises UnreadableJournalError at a line over 64 MiB that is not a scan record.
    """
    if line.length > MAX_LINE_BYTES:
        _pass_over_oversized(line)
        findings.has_oversized_scan = True
        findings.unreadable.append(SkippedLine(line.number, line.offset, OVERSIZED_SCAN))
        return None
    if is_blank(line.text):
        return None
    try:
        operation = decode_line(line.text)
    except LineError as error:
        findings.unreadable.append(SkippedLine(line.number, line.offset, Reason(error.code, error.sentence)))
        return None
    outcome = apply(operation, view, privacy)
    if outcome.skipped is not None:
        skipped = findings.redundant if outcome.is_redundant else findings.rule_breaking
        skipped.append(SkippedLine(line.number, line.offset, outcome.skipped))
    if outcome.ignored is not None:
        findings.ignored.append(SkippedLine(line.number, line.offset, outcome.ignored))
    return operation, outcome


def _pass_over_oversized(line: JournalLine) -> None:
    is_scan = line.text.startswith(_OVERSIZED_START) and any(mark in line.text for mark in _OVERSIZED_ENTITIES)
    if not is_scan:
        size = f"{line.length:,} bytes long; {MAX_LINE_BYTES:,} is the most"
        raise UnreadableJournalError(f"Line {line.number}, byte {line.offset}: the line is {size}.")


def _skip_to_newline(stream: BinaryIO) -> tuple[int, bool]:
    """Passes over the rest of a line; answers how long it was and whether a newline ended it."""
    length = 0
    while chunk := stream.readline(_CHUNK_BYTES):
        if chunk.endswith(b"\n"):
            return length + len(chunk) - 1, True
        length += len(chunk)
    return length, False
