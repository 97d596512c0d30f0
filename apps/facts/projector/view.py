"""The state of a journal as the index holds it: what the rules of replay and the door may ask, answered by SQL."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import orjson

from apps.facts.journal import JournalFile
from apps.facts.models import Build, EventSubject, FactLine, LedgerEvent, TenantNumber
from apps.facts.projector.rows import Row, TenantNames, load_by_fact_ids, load_heads, tenant_names
from apps.facts.rules import cut, first_row, home_of
from apps.facts.sql import fetch, places
from cruxstore.facts.records import (
    ClearSupersede,
    Consolidate,
    ConsolidateUndo,
    ConsolidationProvenance,
    Delete,
    Fact,
    Operation,
    ReplaceLatest,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
)
from cruxstore.facts.replay import Removed
from cruxstore.facts.state import event_change, line_change
from cruxstore.ledger.events import Action, Event, newest_event, read_events
from cruxstore.ledger.settings import RETIRING_ACTIONS, SETTING_ACTIONS

_CHUNK = 500
_RETIRING = (
    f"SELECT action FROM facts_ledgerevent WHERE tenant = %s AND action IN ({places(list(RETIRING_ACTIONS))})"
    " ORDER BY seq DESC LIMIT 1"
)


class IndexView:
    """A `StateView` over one build; it remembers what it was asked, and what a batch has changed but not yet written.

    It is meant for one batch or one act, and must be caught up for the latter.
    """

    def __init__(
        self,
        build: int,
        journal: JournalFile,
        *,
        ledger: Path | None = None,
        is_empty: bool = False,
        has_consolidations: bool = True,
    ) -> None:
        self.build = build
        self.tenants: TenantNames = tenant_names()
        self.rows: dict[str, Row | None] = {}
        self.consolidations: dict[str, tuple[str, ...] | None] = {}
        self._journal = journal
        self._ledger = ledger
        self._is_empty = is_empty
        self._has_consolidations = has_consolidations and not is_empty
        self._numbers = {name: number for number, name in self.tenants.items()}
        self._inserted: dict[tuple[str, str, str], list[str]] = {}

    def fact(self, fact_id: str) -> Row | None:
        """The row of a fact, None where there is none."""
        if fact_id not in self.rows:
            self.look_up((fact_id,))
        return self.rows[fact_id]

    def chain(self, tenant_hash: str, entity: str, key: str) -> Sequence[str]:
        """The ids under a tenant, entity and key, oldest first."""
        number = self._numbers.get(tenant_hash)
        written = [] if number is None or self._is_empty else _written_chain(home_of(self.build, number), entity, key)
        self.look_up(written)
        inserted = self._inserted.get((tenant_hash, entity, key), ())
        known = [fact_id for fact_id in written if self.fact(fact_id) is not None]
        return [*known, *(fact_id for fact_id in inserted if self.rows[fact_id] is not None)]

    def consolidation(self, canonical_fact_id: str) -> tuple[str, ...] | None:
        """The sources of a canonical fact, None where it is not one."""
        if canonical_fact_id not in self.consolidations:
            self._look_up_consolidations((canonical_fact_id,))
        return self.consolidations[canonical_fact_id]

    def last_change(self, fact_id: str) -> str:
        """The line or event that changed a fact last, as of what is written; no event where no ledger was given."""
        row = self.fact(fact_id)
        if row is None:
            return ""
        lines = FactLine.objects.filter(fact=row.id).order_by("-line_no").values_list("line_no", "offset")
        line, offset = lines.first() or (row.line_no, row.offset)
        event = self._newest_setting(fact_id)
        if event is not None and event.journal.bytes > offset:
            return event_change(event.seq)
        return line_change(line, Build.objects.values_list("generation", flat=True).get(number=self.build))

    def heads(self, tenant_hash: str, names: Sequence[tuple[str, str]]) -> list[Row | None]:
        """The newest fact of each chain that is not deleted, as of what is written."""
        number = self._numbers.get(tenant_hash)
        if number is None or self._is_empty:
            return [None] * len(names)
        home = home_of(self.build, number)
        found = {(row.entity, row.key): row for row in load_heads(home, names, self.tenants, self._journal)}
        for row in found.values():
            self.rows.setdefault(row.fact_id, row)
        return [found.get(name) for name in names]

    def is_retired(self, tenant_hash: str) -> bool:
        """Whether the newest event that closes or opens a tenant closes it."""
        newest = fetch(_RETIRING, (tenant_hash, *map(str, RETIRING_ACTIONS)))
        return bool(newest) and newest[0][0] == Action.TENANT_RETIRED

    def look_up(self, fact_ids: Iterable[str]) -> None:
        """Fetches many facts at once, and the consolidations that protect them."""
        wanted = [fact_id for fact_id in dict.fromkeys(fact_ids) if fact_id not in self.rows]
        found = {} if self._is_empty or not wanted else {row.fact_id: row for row in self._load(wanted)}
        for fact_id in wanted:
            self.rows[fact_id] = found.get(fact_id)
        canonical = {row.superseded_by for row in found.values() if row.superseded_by is not None}
        self._look_up_consolidations(canonical.union(found).difference(self.consolidations))

    def insert(self, row: Row) -> None:
        """Puts a row in that is not written yet."""
        self.rows[row.fact_id] = row
        self._inserted.setdefault((row.tenant_hash, row.entity, row.key), []).append(row.fact_id)

    def remove(self, removed: Removed) -> Row | None:
        """Takes a fact out of its chain."""
        row = self.fact(removed.fact_id)
        self.rows[removed.fact_id] = None
        return row

    def tenant_number(self, tenant_hash: str) -> int:
        """The number of a tenant, given at first sight."""
        number = self._numbers.get(tenant_hash)
        if number is None:
            number = max(self.tenants, default=0) + 1
            TenantNumber.objects.create(number=number, name=tenant_hash)
            self._numbers[tenant_hash] = number
            self.tenants[number] = tenant_hash
        return number

    def _newest_setting(self, fact_id: str) -> Event | None:
        """The newest event that said something of a fact which no line says, if it is of this generation."""
        newest = newest_event(self._ledger) if self._ledger is not None else None
        if newest is None or self._ledger is None:
            return None
        about = EventSubject.objects.filter(subject=fact_id).values("seq")
        offset = (
            LedgerEvent.objects.filter(seq__in=about, action__in=SETTING_ACTIONS)
            .order_by("-seq")
            .values_list("offset", flat=True)
            .first()
        )
        if offset is None:
            return None
        event, _ = next(read_events(self._ledger, offset))
        return event if event.journal.generation == newest.journal.generation else None

    def _load(self, fact_ids: Iterable[str]) -> list[Row]:
        start = first_row(home_of(self.build, 0))
        end = first_row(home_of(self.build + 1, 0)) - 1
        return load_by_fact_ids(fact_ids, (start, end), self.tenants, self._journal)

    def _look_up_consolidations(self, canonical_ids: Iterable[str]) -> None:
        wanted = list(canonical_ids)
        for canonical_id in wanted:
            self.consolidations[canonical_id] = None
        if not self._has_consolidations:
            return
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            rows = fetch(
                "SELECT canonical_id, source_ids FROM facts_consolidation"
                f" WHERE build = %s AND canonical_id IN ({places(chunk)})",
                (self.build, *chunk),
            )
            for canonical_id, source_ids in rows:
                self.consolidations[canonical_id] = tuple(orjson.loads(source_ids))


def named_facts(operation: Operation) -> tuple[str, ...]:
    """The facts whose state an operation's rules will ask for first."""
    match operation:
        case Store(fact):
            return _links(fact)
        case StoreBatch(facts):
            return tuple(fact_id for fact in facts for fact_id in _links(fact))
        case Supersede(fact_id, by_fact_id):
            return (fact_id, by_fact_id)
        case Delete(fact_id) | ClearSupersede(fact_id) | SetValidity(fact_id):
            return (fact_id,)
        case ReplaceLatest(fact, replaced):
            return (*_links(fact), *replaced)
        case Consolidate(canonical, sources):
            return (*_links(canonical), *sources)
        case ConsolidationProvenance(canonical_id, sources) | ConsolidateUndo(canonical_id, sources):
            return (canonical_id, *sources)


def _links(fact: Fact) -> tuple[str, ...]:
    return (fact.fact_id,) if fact.superseded_by is None else (fact.fact_id, fact.superseded_by)


def _written_chain(home: int, entity: str, key: str) -> list[str]:
    rows = fetch(
        "SELECT fact_id FROM facts_indexedfact WHERE home = %s AND entity = %s AND key = %s ORDER BY id",
        (home, cut(entity), cut(key)),
    )
    return [fact_id for (fact_id,) in rows]
