"""A journal rewritten to its current state, in exactly the bytes of the daemon's compaction.

    {"op":"store","fact":…}        every fact that is not deleted, by time and id
    {"op":"supersede",…}           right behind it, if it is retired
    {"op":"consolidation_provenance",…}
    {"op":"delete",…}              every deleted fact: its id and the time of the compaction, nothing else

Refused, in this order: a scan record over 64 MiB was passed over while a hold is active; a hold covers what would be
dropped; a line cannot be read while a hold is active. Without a hold, what cannot be read is lost, as with the daemon.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cruxstore.errors import CompactionRefusedError, HeldError
from cruxstore.facts.folding import folded_lines, provenance_line, recorded_order, tombstone_line
from cruxstore.facts.holds import Hold, resolve_holds
from cruxstore.facts.journal import MemoryState, Replay
from cruxstore.facts.records import Timestamp
from cruxstore.facts.times import stamp_text


@dataclass(frozen=True, slots=True)
class CompactionReport:
    """What a compaction keeps and drops; each dropped fact leaves a tombstone."""

    facts_dropped: int
    facts_retained: int
    tombstones_kept: int


def refuse_compaction(replay: Replay) -> None:
    """Raises HeldError or CompactionRefusedError when the journal must stay as it is."""
    active = [hold for hold in resolve_holds(replay.state.facts.values()) if hold.active]
    if active and replay.has_oversized_scan:
        raise CompactionRefusedError("A line longer than 64 MiB was passed over while a legal hold is active.")
    hold_ids = blocking_hold_ids(replay.state, active)
    if hold_ids:
        raise HeldError(f"Deleted facts are under legal hold: {','.join(hold_ids)}.", hold_ids)
    if active and replay.unreadable:
        first = replay.unreadable[0]
        place = f"Line {first.number}, byte {first.offset}"
        raise CompactionRefusedError(f"{place} cannot be read while a legal hold is active: {first.reason.sentence}")


def blocking_hold_ids(state: MemoryState, holds: Iterable[Hold]) -> tuple[str, ...]:
    """The holds that cover what a compaction would drop: deleted facts, and control facts replaced since the last."""
    deleted = [fact for fact in state.facts.values() if fact.deleted]
    blocking = {
        hold.hold_id
        for hold in holds
        if any(map(hold.covers_fact, deleted))
        or any(hold.covers(removed.tenant_hash, removed.entity) for removed in state.removed)
    }
    return tuple(sorted(blocking))


def compaction_report(state: MemoryState) -> CompactionReport:
    """What a compaction of this state keeps and drops."""
    dropped = sum(fact.deleted for fact in state.facts.values())
    return CompactionReport(dropped, len(state.facts) - dropped, dropped)


def compacted_lines(state: MemoryState, at: Timestamp) -> Iterator[bytes]:
    """The lines of the compacted journal, without newlines; every stamp is made anew with the given time."""
    stamp = stamp_text(at)
    live = sorted((fact for fact in state.facts.values() if not fact.deleted), key=recorded_order)
    for fact in live:
        yield from folded_lines(fact, stamp, with_extra=False)
    for canonical_id in sorted(state.consolidations):
        canonical = state.facts.get(canonical_id)
        if canonical is not None and not canonical.deleted:
            yield provenance_line(canonical, state.consolidations[canonical_id], stamp)
    for fact_id in sorted(fact.fact_id for fact in state.facts.values() if fact.deleted):
        yield tombstone_line(fact_id, stamp)
