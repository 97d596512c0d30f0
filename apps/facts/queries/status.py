"""How the store and its index are."""

import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from apps.accounts.rules import Scope
from apps.facts.answers import Count, FactFilter, ForeignWrite, LineNote, Quarantine, StoreCounts, StoreStatus
from apps.facts.files import StoreFiles, is_observed
from apps.facts.journal import JournalFile, JournalMovedError
from apps.facts.models import LedgerEvent, TenantNumber
from apps.facts.models import LineNote as NotedLine
from apps.facts.policies import INDEX_VERSION, Policies
from apps.facts.projector import index_lag
from apps.facts.projector.builds import current_build, open_journal, pointer
from apps.facts.queries.candidates import count_facts
from apps.facts.queries.cube import TenantLabels
from apps.facts.queries.scoping import current_home, within
from apps.facts.rules import Rollup, State, cell_range, home_of, unpack_cell
from apps.facts.sql import fetch, fetch_number
from cruxstore.files import tail_start
from cruxstore.ledger.events import Action, read_events
from cruxstore.recovery import is_as_recorded

SHOWN_NOTES = 100
SHOWN_WRITES = 20
FOREIGN_WRITES = LedgerEvent.objects.filter(action=Action.LINE_OBSERVED.value)
EXCERPT_BYTES = 200
WRITING_NS = 2_000_000_000
"""How long a last line may stand without its end before it counts as torn."""


def store_status(*, store: StoreFiles, now_ns: int) -> StoreStatus:
    """The whole store, every tenant in it; the caller has checked that an operator asks."""
    build = current_build()
    journal_path = store.journal_path
    by_state, by_tenant = count_everything(0 if build is None else build.number)
    notes = {
        sort: _notes(0 if build is None else build.number, sort, store) for sort in ("skipped", "ignored", "redundant")
    }
    size, torn = _size_and_tail(journal_path, now_ns)
    index = pointer()
    return StoreStatus(
        journal_path=str(journal_path),
        is_observed=is_observed(store),
        size_bytes=size,
        generation=0 if build is None else build.generation,
        build=0 if build is None else build.number,
        lines=0 if build is None else build.line,
        facts=0 if build is None else build.facts,
        facts_by_state=by_state,
        tenants=by_tenant,
        operations={} if build is None else dict(sorted(build.operations.items())),
        skipped=notes["skipped"],
        skipped_count=0 if build is None else build.skipped,
        ignored=notes["ignored"],
        ignored_count=0 if build is None else build.ignored,
        redundant=notes["redundant"],
        redundant_count=0 if build is None else build.redundant,
        torn_tail_bytes=torn,
        foreign_writes=_foreign_writes(store),
        foreign_write_count=FOREIGN_WRITES.count(),
        has_unrecorded=not is_observed(store) and not is_as_recorded(journal_path, store.ledger_path),
        quarantines=find_quarantines(journal_path),
        ledger_bytes=store.ledger_path.stat().st_size if store.ledger_path.exists() else 0,
        ledger_events=index.ledger_events,
        settings=_settings(),
        lag=index_lag(store, now_ns=now_ns),
    )


def store_counts(scope: Scope, *, store: StoreFiles, now_ns: int) -> StoreCounts:
    """One tenant's numbers and the index position."""
    lag = index_lag(store, now_ns=now_ns)
    home = current_home(scope)
    if home is None:
        return StoreCounts(Count(0), {}, Count(0), Count(0), lag)
    labels = TenantLabels.of(home)

    def counted(chosen: FactFilter) -> Count:
        return count_facts(scope, home, chosen, labels)

    by_state = {state.name.lower(): counted(FactFilter(state=(state.name.lower(),))) for state in State}
    cap, inside = 10_000, within(scope, "n.text")
    entities = fetch_number(
        "SELECT count(*) FROM (SELECT 1 FROM facts_name n WHERE n.home = %s AND n.role = 'e' AND n.facts > 0"
        f" AND {inside.sql} LIMIT {cap + 1}) few",
        (home, *inside.params),
    )
    return StoreCounts(
        facts=Count(
            sum(count.value for count in by_state.values()), any(count.is_capped for count in by_state.values())
        ),
        by_state={state: count.value for state, count in by_state.items()},
        private=counted(FactFilter(marks=("private",))),
        entities=Count(min(entities, cap), is_capped=entities > cap),
        lag=lag,
    )


def count_everything(build: int) -> tuple[dict[str, int], dict[str, int]]:
    """Facts by state, and those not deleted by tenant, over all tenants of a build."""
    names = dict(TenantNumber.objects.values_list("number", "name"))
    by_state: Counter[str] = Counter({state.name.lower(): 0 for state in State})
    by_tenant: Counter[str] = Counter()
    for number, name in names.items():
        home = home_of(build, number)
        cells = cell_range(home, Rollup.NEITHER)
        for cell, facts in fetch("SELECT id, facts FROM facts_cell WHERE id BETWEEN %s AND %s", cells):
            state = unpack_cell(cell).state
            by_state[state.name.lower()] += facts
            if state != State.DELETED:
                by_tenant[name] += facts
    return dict(by_state), dict(sorted(by_tenant.items()))


def _notes(build: int, sort: str, store: StoreFiles) -> tuple[LineNote, ...]:
    """The newest of the kept lines of a sort, with their first characters."""
    rows = NotedLine.objects.filter(build=build, sort=sort).order_by("-line_no")[:SHOWN_NOTES]
    with open_journal(store) as journal:
        return tuple(
            LineNote(
                line_no=row.line_no,
                offset=row.offset,
                length=row.length,
                reason=row.reason,
                excerpt=_excerpt(journal, row),
            )
            for row in rows
        )


def _excerpt(journal: JournalFile, row: NotedLine) -> str:
    try:
        return journal.read(row.offset, min(row.length, EXCERPT_BYTES)).decode(errors="replace")
    except JournalMovedError:
        return ""


def _foreign_writes(store: StoreFiles) -> tuple[ForeignWrite, ...]:
    """What others did to the journal, newest first; how many lines came is only in the ledger."""
    found = []
    for row in FOREIGN_WRITES.order_by("-seq")[:SHOWN_WRITES]:
        event, _ = next(read_events(store.ledger_path, row.offset))
        found.append(ForeignWrite(row.seq, row.at, row.code, event.observed.lines if event.observed else 0))
    return tuple(found)


def _size_and_tail(path: Path, now_ns: int) -> tuple[int, int]:
    """How long the journal is, and how much of it is a torn tail: one that nobody is writing any more."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return 0, 0
    try:
        stat = os.fstat(descriptor)
        size = stat.st_size
        is_being_written = 0 <= now_ns - stat.st_mtime_ns < WRITING_NS
        return size, 0 if is_being_written else size - tail_start(descriptor, size)
    finally:
        os.close(descriptor)


def find_quarantines(path: Path) -> tuple[Quarantine, ...]:
    """The tails of a journal that were set aside, newest first."""
    found = []
    for torn in path.parent.glob(f"{path.name}.torn.*"):
        if not torn.name.endswith(".metadata.json"):
            stat = torn.stat()
            found.append(Quarantine(torn.name, stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC)))
    return tuple(sorted(found, key=lambda one: one.set_aside_at, reverse=True))


def _settings() -> dict[str, str]:
    policies = Policies.from_process()
    hour_ms, day_ms = 3_600_000, 86_400_000
    return {
        "Volatile facts go stale after": f"{policies.decay.volatile_ms / hour_ms:g} hours",
        "Medium facts go stale after": f"{policies.decay.medium_ms / day_ms:g} days",
        "Stable facts go stale after": f"{policies.decay.stable_ms / day_ms:g} days",
        "Facts asked for often stay fresh longer": "yes" if policies.decay.has_salience else "no",
        "Prefixes private beyond the usual ones": ", ".join(policies.privacy.added_prefixes) or "none",
        "Prefixes shared after all": ", ".join(policies.privacy.shared_prefixes) or "none",
        "Index version": str(INDEX_VERSION),
    }
