"""A run of journal lines turned into rows, in one transaction with the cursor.

1. Every line is decoded, and the rows its rules will ask for are fetched together.
2. The rules of replay say what each line does; rows change in memory only.
3. What follows from all of it is worked out once per changed row: state, conflicts, holds, freshness, cell.
4. Rows, search texts, names, counters and the cursor are written.

Cutting a journal into other batches gives the same rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from apps.facts import search
from apps.facts.journal import JournalFile
from apps.facts.models import Build, Consolidation, ForwardLink, LineNote
from apps.facts.policies import Policies
from apps.facts.projector.cells import CellCounts
from apps.facts.projector.fact_lines import FactLines
from apps.facts.projector.holds import ActiveHolds, resolve_again
from apps.facts.projector.labels import Labels
from apps.facts.projector.line_times import LineTimes
from apps.facts.projector.names import NameCounts
from apps.facts.projector.ordinals import Ordinals
from apps.facts.projector.revisions import Revisions
from apps.facts.projector.rows import (
    NEW,
    Ages,
    Place,
    Row,
    age_of,
    delete_rows,
    insert_rows,
    load_by_chains,
    load_by_row_ids,
    load_search_texts,
    microseconds,
    move_rows,
    new_row,
    update_rows,
)
from apps.facts.projector.settings import Settings, forget_settings, said_of
from apps.facts.projector.view import IndexView, named_facts
from apps.facts.rules import CONFLICT, HELD, State, cut, home_of, kind_of, state_of
from apps.facts.sql import fetch
from cruxstore.errors import LineError
from cruxstore.facts.codec import decode_line_and_slices
from cruxstore.facts.journal import OVERSIZED_SCAN, JournalLine, is_blank
from cruxstore.facts.records import (
    MAX_LINE_BYTES,
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
from cruxstore.facts.replay import (
    ConsolidationSet,
    Deleted,
    Effect,
    Inserted,
    Removed,
    SupersededBy,
    ValiditySet,
    apply,
)

KEPT_NOTES = 10_000
"""How many skipped, ignored and redundant lines are listed each; all of them are counted."""

OPERATION_NAMES: dict[type[Operation], str] = {
    Store: "store",
    StoreBatch: "store_batch",
    ReplaceLatest: "replace_latest",
    Delete: "delete",
    Supersede: "supersede",
    ClearSupersede: "clear_supersede",
    SetValidity: "set_validity",
    Consolidate: "consolidate",
    ConsolidationProvenance: "consolidation_provenance",
    ConsolidateUndo: "consolidate_undo",
}

Slices = tuple[tuple[int, int], ...]
_Decoded = tuple[JournalLine, Operation, Slices]
_Chain = tuple[int, str, str]
_CHUNK = 300
_PRESENT = (
    "SELECT EXISTS (SELECT 1 FROM facts_factsetting), EXISTS (SELECT 1 FROM facts_forwardlink WHERE build = %s),"
    " EXISTS (SELECT 1 FROM facts_hold WHERE home BETWEEN %s AND %s AND is_active),"
    " EXISTS (SELECT 1 FROM facts_consolidation WHERE build = %s)"
)


def project_lines(
    build: Build, lines: Sequence[JournalLine], policies: Policies, journal: JournalFile, now_ms: int
) -> None:
    """Projects whole lines that follow the build's cursor, and moves the cursor; the caller holds the transaction."""
    batch = _Batch(build, policies, journal, now_ms)
    for line, operation, slices in batch.decode(lines):
        batch.carry_out(line, operation, slices)
    batch.write()
    if lines:
        _move_cursor(build, lines[-1])


def pass_over(build: Build, line: JournalLine, reason: str) -> None:
    """Notes a line as skipped and moves the cursor behind it."""
    note = _noted(build, "skipped", line, reason)
    if note is not None:
        note.save()
    times = LineTimes(build.number)
    times.see(line)
    times.write()
    _move_cursor(build, line)


def _move_cursor(build: Build, line: JournalLine) -> None:
    build.line = line.number
    build.offset = line.offset + line.length + 1


class _Present(NamedTuple):
    """What there is at all, so that a batch asks nothing of tables that hold nothing for it."""

    settings: bool
    forward_links: bool
    holds: bool
    consolidations: bool


def _present(build: Build) -> _Present:
    homes = home_of(build.number, 0), home_of(build.number + 1, 0) - 1
    (found,) = fetch(_PRESENT, (build.number, *homes, build.number))
    return _Present(*map(bool, found))


class _Batch:
    def __init__(self, build: Build, policies: Policies, journal: JournalFile, now_ms: int) -> None:
        self._build = build
        self._policies = policies
        self._journal = journal
        self._now_ms = now_ms
        self._had_facts = build.facts > 0
        self._present = _present(build)
        self._view = IndexView(
            build.number,
            journal,
            is_empty=not self._had_facts,
            has_consolidations=self._present.consolidations,
        )
        self._labels = Labels()
        self._ordinals = Ordinals()
        self._holds = ActiveHolds(is_any=self._present.holds)
        self._changed: dict[int, Row] = {}
        self._removed: list[Row] = []
        self._revalued: set[int] = set()
        self._fact_lines = FactLines()
        self._line_times = LineTimes(build.number)
        self._revisions = Revisions()
        self._stored: dict[int, Fact] = {}
        self._sources: dict[str, tuple[str, ...]] = {}
        self._notes: list[LineNote] = []

    def decode(self, lines: Iterable[JournalLine]) -> list[_Decoded]:
        """The operations of these lines, with what they name looked up; what is none is noted."""
        decoded: list[_Decoded] = []
        for line in lines:
            self._line_times.see(line)
            if line.length > MAX_LINE_BYTES:
                self._note("skipped", line, OVERSIZED_SCAN.sentence)
                continue
            try:
                operation, slices = decode_line_and_slices(line.text)
            except LineError as error:
                if not is_blank(line.text):
                    self._note("skipped", line, f"{error.sentence} (byte {error.byte})")
                continue
            decoded.append((line, operation, slices))
        self._view.look_up(fact_id for _, operation, _ in decoded for fact_id in named_facts(operation))
        return decoded

    def carry_out(self, line: JournalLine, operation: Operation, slices: Slices) -> None:
        """What the rules say the line does, done to rows in memory."""
        self._line_times.stamp(line, operation)
        name = OPERATION_NAMES[type(operation)]
        self._build.operations[name] = self._build.operations.get(name, 0) + 1
        outcome = apply(operation, self._view, self._policies.privacy)
        if outcome.skipped is not None:
            self._note("redundant" if outcome.is_redundant else "skipped", line, outcome.skipped.sentence)
        if outcome.ignored is not None:
            self._note("ignored", line, outcome.ignored.sentence)
        if not outcome.effects:
            return
        places = _places(line, operation, slices)
        for effect in outcome.effects:
            self._absorb(effect, line, name, places)

    def write(self) -> None:
        """Everything that follows, into the tables."""
        self._fold_settings()
        self._follow_forward_links()
        for row in self._changed.values():
            row.state = self._state_of(row)
        self._mark_conflicts()
        self._mark_held()
        ages: Ages = {row.id: age_of(row, self._now_ms) for row in self._changed.values()}
        cells = CellCounts()
        for row in self._changed.values():
            cells.move(row, ages[row.id])
        for row in self._removed:
            cells.drop(row)
        cells.write()
        inserted = [row for row in self._changed.values() if row.new is not None]
        insert_rows(inserted, ages)
        known = [row for row in self._changed.values() if row.new is None]
        update_rows((row for row in known if row.id in self._revalued), ages)
        move_rows((row for row in known if row.id not in self._revalued), ages)
        self._drop_removed()
        search.add_texts(self._build.number, [(row.id, row.new.search_text) for row in inserted if row.new is not None])
        names = NameCounts(self._build.number)
        names.count(inserted, 1)
        names.count(self._removed, -1)
        names.write()
        self._fact_lines.write()
        self._line_times.write()
        self._revisions.write()
        LineNote.objects.bulk_create(self._notes, batch_size=1000)
        self._write_consolidations()
        self._ordinals.write()
        self._build.facts += len(inserted) - len(self._removed)
        for row in inserted:
            row.new = None
        resolve_again((*self._changed.values(), *self._removed), self._view, self._journal)

    def _absorb(self, effect: Effect, line: JournalLine, name: str, places: dict[str, Place]) -> None:
        match effect:
            case Inserted(fact):
                self._insert(fact, places[fact.fact_id], name)
            case SupersededBy(fact_id, by_fact_id):
                row = self._touch(fact_id, line, name)
                row.superseded_by = by_fact_id
            case Deleted(fact_id):
                self._touch(fact_id, line, name).deleted = True
            case ValiditySet(fact_id, valid_from, valid_to):
                row = self._touch(fact_id, line, name)
                row.valid_from_us, row.valid_to_us = microseconds(valid_from), microseconds(valid_to)
                self._revalued.add(row.id)
            case Removed():
                removed = self._view.remove(effect)
                if removed is not None:
                    self._forget(removed)
            case ConsolidationSet(canonical_fact_id, source_fact_ids):
                self._view.consolidations[canonical_fact_id] = source_fact_ids
                self._sources[canonical_fact_id] = source_fact_ids
                if name == "consolidation_provenance":
                    self._touch(canonical_fact_id, line, name)

    def _insert(self, fact: Fact, place: Place, name: str) -> None:
        home = home_of(self._build.number, self._view.tenant_number(fact.tenant_hash))
        row = new_row(
            self._ordinals.next_row(home),
            home,
            fact,
            place,
            op=name,
            kind=self._labels.number(home, "kind", kind_of(fact.entity)),
            actor=self._labels.number(home, "actor", cut(fact.actor or "")),
            policy=self._policies.decay,
        )
        self._view.insert(row)
        self._changed[row.id] = row
        self._stored[row.id] = fact

    def _touch(self, fact_id: str, line: JournalLine, name: str) -> Row:
        row = self._view.fact(fact_id)
        assert row is not None, "rules name known facts only"
        self._changed[row.id] = row
        self._fact_lines.add(row.id, line, name)
        if row.line_no != line.number:
            self._revisions.keep(row, self._state_of(row), line.number)
        return row

    def _forget(self, row: Row) -> None:
        self._changed.pop(row.id, None)
        self._fact_lines.forget(row.id)
        self._revisions.forget(row.id)
        self._stored.pop(row.id, None)
        if row.new is None:
            self._removed.append(row)

    def _fold_settings(self) -> None:
        if not self._present.settings:
            return
        said = said_of([fact.fact_id for fact in self._stored.values()], self._build.generation)
        settings = Settings(self._policies.decay)
        for row_id, fact in self._stored.items():
            if fact.fact_id in said:
                settings.fold(self._changed[row_id], fact, said[fact.fact_id])
        settings.write()

    def _state_of(self, row: Row) -> int:
        if row.deleted:
            return State.DELETED
        if row.superseded_by is None:
            return State.CURRENT
        successor = self._view.fact(row.superseded_by)
        if successor is not None and successor.tenant_hash != row.tenant_hash:
            return State.CURRENT
        return State.SUPERSEDED

    def _follow_forward_links(self) -> None:
        """Rows whose successor came or went with this batch count among the changed ones; new loose ends are kept."""
        known = {row.fact_id for row in self._changed.values() if row.new is not None}
        gone = {row.fact_id for row in self._removed}
        if (known or gone) and self._present.forward_links:
            links = ForwardLink.objects.filter(build=self._build.number)
            for start in range(0, len(ids := sorted(known | gone)), _CHUNK):
                linked = list(links.filter(target_id__in=ids[start : start + _CHUNK]).values_list("fact", flat=True))
                self._change_again(linked)
        loose = [
            ForwardLink(build=self._build.number, target_id=row.superseded_by, fact=row.id)
            for row in self._changed.values()
            if row.superseded_by is not None and self._is_loose(row, row.superseded_by)
        ]
        ForwardLink.objects.bulk_create(loose)

    def _is_loose(self, row: Row, successor_id: str) -> bool:
        successor = self._view.fact(successor_id)
        return successor is None or successor.tenant_hash != row.tenant_hash

    def _change_again(self, row_ids: Iterable[int]) -> None:
        missing = [row_id for row_id in row_ids if row_id not in self._changed]
        for row in load_by_row_ids(missing, self._view.tenants, self._journal):
            known = self._view.rows.get(row.fact_id, row)
            if known is not None:
                self._view.rows[row.fact_id] = known
                self._changed[known.id] = known

    def _mark_conflicts(self) -> None:
        """A chain with more than one current public fact is in conflict; only chains that may have changed are read."""
        doubtful = self._doubtful_chains()
        current: defaultdict[_Chain, list[Row]] = defaultdict(list)
        for row in self._rows_of(doubtful):
            if row.is_counted_current:
                current[row.home, row.entity, row.key].append(row)
        for rows in current.values():
            mark = CONFLICT if len(rows) > 1 else 0
            for row in rows:
                if row.marks & CONFLICT != mark:
                    row.marks ^= CONFLICT
                    self._changed[row.id] = row
        for row in self._changed.values():
            if not row.is_counted_current:
                row.marks &= ~CONFLICT

    def _doubtful_chains(self) -> set[_Chain]:
        """Chains that gained a current fact, and chains that were in conflict."""
        gained: dict[_Chain, int] = {}
        doubtful = set()
        for row in (*self._changed.values(), *self._removed):
            chain = row.home, row.entity, row.key
            was_current = row.cell != NEW and not row.private and state_of(row.cell) == State.CURRENT
            if was_current and row.marks & CONFLICT:
                doubtful.add(chain)
            gain = (row.id in self._changed and row.is_counted_current) - was_current
            if gain:
                gained[chain] = gained.get(chain, 0) + gain
        return doubtful.union(chain for chain, gain in gained.items() if gain > 0)

    def _rows_of(self, chains: set[_Chain]) -> Iterable[Row]:
        """The changed rows of these chains, and the written ones that nothing has changed."""
        removed = {row.id for row in self._removed}
        if self._had_facts:
            for row in load_by_chains(chains, self._view.tenants, self._journal):
                if row.id not in self._changed and row.id not in removed:
                    yield self._view.rows.get(row.fact_id) or row
        for row in list(self._changed.values()):
            if (row.home, row.entity, row.key) in chains:
                yield row

    def _mark_held(self) -> None:
        for row in self._changed.values():
            is_held = self._present.holds and self._holds.cover(row)
            row.marks = row.marks | HELD if is_held else row.marks & ~HELD

    def _drop_removed(self) -> None:
        gone = [row.id for row in self._removed]
        if gone:
            search.remove_texts(self._build.number, load_search_texts(gone))
            delete_rows(gone)
            forget_settings(gone)

    def _write_consolidations(self) -> None:
        Consolidation.objects.bulk_create(
            [
                Consolidation(build=self._build.number, canonical_id=canonical_id, source_ids=list(source_ids))
                for canonical_id, source_ids in self._sources.items()
            ],
            update_conflicts=True,
            unique_fields=["build", "canonical_id"],
            update_fields=["source_ids"],
        )

    def _note(self, sort: str, line: JournalLine, reason: str) -> None:
        note = _noted(self._build, sort, line, reason)
        if note is not None:
            self._notes.append(note)


def _noted(build: Build, sort: str, line: JournalLine, reason: str) -> LineNote | None:
    """Counts a line that changes nothing; it is listed too while there is room."""
    counted = getattr(build, sort) + 1
    setattr(build, sort, counted)
    if counted > KEPT_NOTES:
        return None
    return LineNote(
        build=build.number, sort=sort, line_no=line.number, offset=line.offset, length=line.length, reason=reason
    )


def _places(line: JournalLine, operation: Operation, slices: Slices) -> dict[str, Place]:
    """Where each fact of a line stands; of two with one id the first counts."""
    if not slices:
        return {}
    match operation:
        case Store(fact) | ReplaceLatest(fact) | Consolidate(fact):
            facts: Sequence[Fact] = (fact,)
        case StoreBatch(facts):
            pass
        case _:
            return {}
    places: dict[str, Place] = {}
    for fact, (start, length) in zip(facts, slices, strict=True):
        places.setdefault(fact.fact_id, (line.number, line.offset + start, length))
    return places
