"""One way to rewrite a journal: every fact is kept, folded or dropped, and nothing else about any of them changes.

    keep   its lines stay as they are, byte for byte; of a batch, its own slice does
    fold   its current state takes the place of its lines
    drop   its lines go; a deleted fact leaves a tombstone

- `plan_rewrite` reads the journal and changes nothing; `write_plan` writes the new one beside it, for the caller to put
  in place. Lines appended meanwhile are not in it: the caller adds them if they name nothing that went (`named_ids`).
- A kept fact of which a line names something that goes is folded instead, and so is every fact of a merge that is not
  kept as a whole: those lines would no longer mean the same.
- Control facts that were replaced are gone from the state already, and every rewrite takes their text away.
- Lines that cannot be read are left in place on request, else they refuse the rewrite, except those approved by number
  and digest, which go. Lines that break a rule go and are listed. Blank lines go. Lines that are no fact's stay or go
  with the unreadable ones.
- Where nothing stays in place, the facts are sorted as the daemon's compaction sorts them, and the bytes are the same.
  Otherwise every folded fact stands where it was first stored, so that chains keep their order.
"""

import math
import os
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import blake3

from cruxstore.errors import RewriteRefusedError, UnreadableJournalError
from cruxstore.facts.codec import decode_line, decode_line_and_slices
from cruxstore.facts.drafts import write_draft
from cruxstore.facts.folding import provenance_line, tombstone_line
from cruxstore.facts.holds import Hold, resolve_holds
from cruxstore.facts.journal import Findings, JournalLine, SkippedLine, is_blank, read_lines
from cruxstore.facts.outlines import Outlines, ReadSlice, read_outlines, slice_reader
from cruxstore.facts.ownership import facts_of, parts_of
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import (
    Consolidate,
    ConsolidateUndo,
    ConsolidationProvenance,
    Fact,
    Horizon,
    Operation,
    Timestamp,
)
from cruxstore.facts.times import stamp_text

_CHUNK_BYTES: Final = 1024 * 1024
_STORE_START: Final = b'{"op":"store","fact":'
_OF_NO_LINE: Final = 0
_MERGES: Final = (Consolidate, ConsolidationProvenance, ConsolidateUndo)


class Disposition(StrEnum):
    """What a rewrite does with a fact."""

    KEEP = "keep"
    FOLD = "fold"
    DROP = "drop"


Chooser = Callable[[Fact], Disposition]
"""Says what becomes of a fact, given its current state; asked once for each."""


class Upkeep(NamedTuple):
    """What events have said about a fact's ageing, which no line of the journal says; None changes nothing."""

    horizon_class: Horizon | None = None
    reverified_at: Timestamp | None = None


class RefusedLine(NamedTuple):
    """A line that nobody can read, by what an approval names: its number and its digest."""

    number: int
    offset: int
    length: int
    digest: str
    reason: str


LineApproval = tuple[int, str]
"""The number and the digest of an unreadable line that may go."""


@dataclass(frozen=True, slots=True)
class RewritePlan:
    """What a rewrite will do, found without writing; it holds the state in memory, but not the texts.

    `until` is where in the journal the plan ends. Each of these refuses the rewrite: `refused_lines`, `unwritable_ids`
    (facts that can be neither kept nor folded), `missed_approvals` (of lines that are not there, or not as approved).
    """

    journal: Path
    inode: int
    until: int
    lines: int
    kept: frozenset[str]
    folded: frozenset[str]
    dropped: frozenset[str]
    removed: frozenset[str]
    rule_breaking: tuple[SkippedLine, ...]
    refused_lines: tuple[RefusedLine, ...]
    approved_lines: tuple[RefusedLine, ...]
    left_lines: tuple[RefusedLine, ...]
    missed_approvals: tuple[LineApproval, ...]
    unwritable_ids: tuple[str, ...]
    leaves_rest: bool
    state: Outlines

    @property
    def is_refused(self) -> bool:
        """Whether something must be decided first."""
        return bool(self.refused_lines or self.unwritable_ids or self.missed_approvals)


@dataclass(frozen=True, slots=True)
class RewriteReport:
    """What a rewrite did: the facts by what became of them, and the way from new lines to old ones.

    `origins[n - 1]` is the old line that the new line n comes from: the one it is, or the one that first stored the
    fact folded into it; 0 for a line made for the rewrite. `dropped_lines` are the old lines, as first and last of a
    run, from which no new line comes. Control facts that had been replaced before are `removed`.
    """

    kept: frozenset[str]
    folded: frozenset[str]
    dropped: frozenset[str]
    removed: frozenset[str]
    rule_breaking: tuple[SkippedLine, ...]
    approved_lines: tuple[RefusedLine, ...]
    dropped_lines: tuple[tuple[int, int], ...]
    origins: "array[int]"
    old_lines: int
    old_bytes: int
    new_bytes: int

    @property
    def kept_ids(self) -> tuple[str, ...]:
        """What was kept, sorted."""
        return tuple(sorted(self.kept))

    @property
    def folded_ids(self) -> tuple[str, ...]:
        """What was folded, sorted."""
        return tuple(sorted(self.folded))

    @property
    def dropped_ids(self) -> tuple[str, ...]:
        """What was dropped, sorted."""
        return tuple(sorted(self.dropped))

    @property
    def removed_ids(self) -> tuple[str, ...]:
        """The control facts that had been replaced before, sorted."""
        return tuple(sorted(self.removed))

    def line_map(self) -> Iterator[tuple[int, int]]:
        """Every old line with each new line that comes from it, in the order of the new ones."""
        return ((old, new) for new, old in enumerate(self.origins, 1) if old != _OF_NO_LINE)


@dataclass(frozen=True, slots=True)
class _Compaction:
    active: tuple[Hold, ...]

    def __call__(self, fact: Fact) -> Disposition:
        if any(hold.covers_fact(fact) for hold in self.active):
            return Disposition.KEEP
        return Disposition.DROP if fact.deleted else Disposition.FOLD

    def split(self, state: Outlines) -> tuple[set[str], set[str]]:
        """The facts to keep and those to drop, without their texts."""
        kept = {fact_id for fact_id, fact in state.facts.items() if self(fact) is Disposition.KEEP}
        if self.active:
            covers = lru_cache(maxsize=4096)(lambda *place: any(hold.covers(*place) for hold in self.active))
            kept.update(fact_id for fact_id, tenant, entity in state.places() if covers(tenant, entity))
        return kept, state.deleted_ids() - kept


@dataclass(frozen=True, slots=True)
class _Erasure:
    fact_ids: frozenset[str]

    def __call__(self, fact: Fact) -> Disposition:
        return Disposition.DROP if fact.fact_id in self.fact_ids else Disposition.KEEP

    def split(self, state: Outlines) -> tuple[set[str], set[str]]:
        """The facts to keep and those to drop, without their texts."""
        return state.ids() - self.fact_ids, {fact_id for fact_id in self.fact_ids if fact_id in state}


def compaction_of(holds: Sequence[Hold]) -> Chooser:
    """Keeps what an active hold covers, drops what is deleted, folds the rest."""
    return _Compaction(tuple(hold for hold in holds if hold.active))


def erasure_of(fact_ids: frozenset[str]) -> Chooser:
    """Drops these facts and keeps the rest."""
    return _Erasure(fact_ids)


def plan_rewrite(
    journal: Path,
    choose: Chooser | None = None,
    *,
    privacy: PrivacyPolicy,
    upkeep: Mapping[str, Upkeep] | None = None,
    leaves_rest: bool = False,
    approved: frozenset[LineApproval] = frozenset(),
    until: int | None = None,
) -> RewritePlan:
    """What a rewrite of the journal, or of its lines up to a place, will do; raises UnreadableJournalError.

    Without `choose` it is a compaction that keeps what the journal's own holds cover. With `leaves_rest`, lines that
    nobody can read and lines that are no fact's stay where they are.
    """
    with _opened(journal) as stream:
        inode = os.fstat(stream.fileno()).st_ino
        state, findings, end = read_outlines(stream, privacy, until=until)
        _apply_upkeep(state, upkeep or {})
        kept, dropped = _split(state, choose or compaction_of(resolve_holds(state.facts.values())))
        # an id that was removed and stored again stands for two facts; only the newer one is in the state
        kept -= state.removed
        if kept and (dropped or state.removed):
            kept -= _owners_naming(dropped | state.removed, _lines_again(stream, end), findings)
        kept -= _torn_merges(state.merges, kept)
        unreadable = _refused_lines(stream, findings)
        folded = state.ids().difference(kept, dropped)
        unwritable = [
            fact_id for fact_id in folded & state.facts.keys() if not math.isfinite(state.facts[fact_id].confidence)
        ]
    goes = [line for line in unreadable if (line.number, line.digest) in approved]
    stays = [line for line in unreadable if (line.number, line.digest) not in approved]
    return RewritePlan(
        journal=journal,
        inode=inode,
        until=end,
        lines=findings.lines,
        kept=frozenset(kept),
        folded=frozenset(folded),
        dropped=frozenset(dropped),
        removed=frozenset(state.removed - state.facts.keys()),
        rule_breaking=tuple(findings.rule_breaking),
        refused_lines=() if leaves_rest else tuple(stays),
        approved_lines=tuple(goes),
        left_lines=tuple(stays) if leaves_rest else (),
        missed_approvals=tuple(sorted(approved - {(line.number, line.digest) for line in goes})),
        unwritable_ids=tuple(unwritable),
        leaves_rest=leaves_rest,
        state=state,
    )


def write_plan(plan: RewritePlan, draft: Path, *, at: Timestamp) -> RewriteReport:
    """Writes the new journal to a file that is not there yet, synced; every stamp made for it says the given time.

    Raises RewriteRefusedError for a plan that is refused, and UnreadableJournalError when the journal was replaced or
    cut since. When anything fails, there is no draft.
    """
    _refuse(plan)
    with _opened(plan.journal) as stream:
        status = os.fstat(stream.fileno())
        if status.st_ino != plan.inode or status.st_size < plan.until:
            raise UnreadableJournalError(f"{plan.journal} is another file than the one that was planned for.")
        origins = array("Q")
        new_bytes = write_draft(draft, _new_lines(plan, stream, stamp_text(at), origins))
    return RewriteReport(
        kept=plan.kept,
        folded=plan.folded,
        dropped=plan.dropped,
        removed=plan.removed,
        rule_breaking=plan.rule_breaking,
        approved_lines=plan.approved_lines,
        dropped_lines=tuple(_dropped_runs(plan.lines, origins)),
        origins=origins,
        old_lines=plan.lines,
        old_bytes=plan.until,
        new_bytes=new_bytes,
    )


def _opened(journal: Path) -> BinaryIO:
    try:
        return journal.open("rb", buffering=_CHUNK_BYTES)
    except OSError as error:
        raise UnreadableJournalError(f"{journal} cannot be read: {error.strerror or error}.") from error


def _lines_again(stream: BinaryIO, until: int) -> Iterator[JournalLine]:
    stream.seek(0)
    return takewhile(lambda line: line.offset < until, read_lines(stream))


def _apply_upkeep(state: Outlines, upkeep: Mapping[str, Upkeep]) -> None:
    for fact_id, kept_up in upkeep.items():
        if fact_id in state:
            fact = state.whole(fact_id)
            state.change(
                fact._replace(
                    horizon_class=fact.horizon_class if kept_up.horizon_class is None else kept_up.horizon_class,
                    reverified_at=fact.reverified_at if kept_up.reverified_at is None else kept_up.reverified_at,
                )
            )


def _split(state: Outlines, choose: Chooser) -> tuple[set[str], set[str]]:
    """The facts to keep and those to drop."""
    if isinstance(choose, _Compaction | _Erasure):
        return choose.split(state)
    chosen = {fact_id: choose(state.whole(fact_id)) for fact_id in state.ids()}
    kept = {fact_id for fact_id, choice in chosen.items() if choice is Disposition.KEEP}
    return kept, {fact_id for fact_id, choice in chosen.items() if choice is Disposition.DROP}


def _owners_naming(lost: set[str], lines: Iterable[JournalLine], findings: Findings) -> set[str]:
    """The facts of which a line names one of those lost."""
    passed_over = {line.number for line in (*findings.rule_breaking, *findings.unreadable)}
    owners: set[str] = set()
    for line in lines:
        if line.number in passed_over or is_blank(line.text):
            continue
        for part in parts_of(decode_line(line.text)):
            if not lost.isdisjoint(part.named_ids):
                owners.update(part.owner_ids)
    return owners


def _torn_merges(merges: Sequence[tuple[str, ...]], kept: set[str]) -> set[str]:
    """The kept facts that must be folded because a fact merged with them, or with one of those, is not kept."""
    merges_of: defaultdict[str, list[int]] = defaultdict(list)
    for place, members in enumerate(merges):
        for member in members:
            merges_of[member].append(place)
    torn: set[str] = set()
    pending = [member for member in merges_of if member not in kept]
    while pending:
        for place in merges_of[pending.pop()]:
            newly_torn = {member for member in merges[place] if member in kept} - torn
            torn |= newly_torn
            pending.extend(newly_torn)
    return torn


def _refused_lines(stream: BinaryIO, findings: Findings) -> list[RefusedLine]:
    refused = []
    for line in findings.unreadable:
        digest, length = blake3.blake3(), 0
        for chunk in _chunks_of_line(stream, line.offset):
            digest.update(chunk)
            length += len(chunk)
        refused.append(RefusedLine(line.number, line.offset, length, digest.hexdigest(), line.reason.sentence))
    return refused


def _chunks_of_line(stream: BinaryIO, offset: int) -> Iterator[bytes]:
    """The line that starts at an offset, however long, without its newline."""
    stream.seek(offset)
    while chunk := stream.readline(_CHUNK_BYTES):
        if chunk.endswith(b"\n"):
            yield chunk[:-1]
            return
        yield chunk


def _refuse(plan: RewritePlan) -> None:
    if plan.refused_lines:
        first = plan.refused_lines[0]
        count = f"{len(plan.refused_lines):,} lines" if len(plan.refused_lines) > 1 else "One line"
        raise RewriteRefusedError(
            f"{count} cannot be read; the first is line {first.number:,}, byte {first.offset:,}: {first.reason}"
        )
    if plan.missed_approvals:
        raise RewriteRefusedError(f"Line {plan.missed_approvals[0][0]:,} is not what was approved. Look at it again.")
    if plan.unwritable_ids:
        raise RewriteRefusedError(f"No line can hold the confidence of {plan.unwritable_ids[0]}. Delete that fact.")


NewLine = tuple[bytes, int]
"""A line of the new journal and the number of the old line it comes from."""


def _new_lines(plan: RewritePlan, stream: BinaryIO, stamp: str, origins: "array[int]") -> Iterator[bytes]:
    """The lines of the new journal; for each, `origins` gets the number of the old line it comes from."""
    read = slice_reader(stream)
    if plan.kept or plan.leaves_rest:
        yield from _noting_origins(_lines_in_place(plan, stream, stamp), origins)
    else:
        for birth, text in plan.state.compacted(plan.folded, stamp, read):
            origins.append(birth)
            yield text
    for text in _provenance(plan, read, stamp):
        origins.append(_OF_NO_LINE)
        yield text
    for fact_id in sorted(plan.dropped & plan.state.deleted_ids()):
        origins.append(_OF_NO_LINE)
        yield tombstone_line(fact_id, stamp)


def _lines_in_place(plan: RewritePlan, stream: BinaryIO, stamp: str) -> Iterator[NewLine]:
    gone = {line.number for line in plan.rule_breaking} | {line.number for line in plan.approved_lines}
    left = {line.number for line in plan.left_lines}
    unborn, read = set(plan.folded), slice_reader(stream)
    for line in _lines_again(stream, plan.until):
        if line.number in left:
            yield _whole_text(plan, line), line.number
            continue
        if line.number in gone or is_blank(line.text):
            continue
        operation, slices = decode_line_and_slices(line.text)
        if _stays_whole(plan, operation):
            yield line.text, line.number
            continue
        for fact, (start, length) in zip(facts_of(operation), slices, strict=True):
            if fact.fact_id in plan.kept:
                yield _STORE_START + line.text[start : start + length] + b"}", line.number
            elif fact.fact_id in unborn and plan.state.birth(fact.fact_id) == line.number:
                unborn.remove(fact.fact_id)
                for text in plan.state.folded(fact.fact_id, stamp, read):
                    yield text, line.number


def _stays_whole(plan: RewritePlan, operation: Operation) -> bool:
    owners = [fact_id for part in parts_of(operation) for fact_id in part.owner_ids]
    if owners and plan.kept.issuperset(owners):
        return True
    is_nobodys = plan.removed.isdisjoint(owners) and not any(owner in plan.state for owner in owners)
    return plan.leaves_rest and is_nobodys


def _whole_text(plan: RewritePlan, line: JournalLine) -> bytes:
    if len(line.text) == line.length:
        return line.text
    with _opened(plan.journal) as stream:
        return b"".join(_chunks_of_line(stream, line.offset))


def _provenance(plan: RewritePlan, read: ReadSlice, stamp: str) -> Iterator[bytes]:
    """The merges that no line says any more; of one that lost sources, what is left of it."""
    for canonical_id in sorted(plan.state.consolidations.keys() & plan.folded):
        canonical = plan.state.whole(canonical_id, read)
        sources = [source for source in plan.state.consolidations[canonical_id] if source not in plan.dropped]
        if sources and not canonical.deleted:
            yield provenance_line(canonical, sources, stamp)


def _noting_origins(lines: Iterable[NewLine], origins: "array[int]") -> Iterator[bytes]:
    for text, origin in lines:
        origins.append(origin)
        yield text


def _dropped_runs(old_lines: int, origins: "array[int]") -> Iterator[tuple[int, int]]:
    lives = bytearray(old_lines + 2)
    for origin in origins:
        lives[origin] = 1
    # the places before the first line and behind the last one end every run
    lives[0] = lives[-1] = 1
    start = lives.find(0)
    while start >= 0:
        end = lives.index(1, start)
        yield start, end - 1
        start = lives.find(0, end)
