"""Rows of the index turned into what a page shows; values are read from the journal, byte for byte."""

from collections.abc import Iterable, Sequence

from apps.accounts.rules import Scope
from apps.facts.answers import EXCERPT_CHARS, Clocks, FactRow
from apps.facts.journal import JournalFile, JournalMovedError
from apps.facts.models import IndexedFact
from apps.facts.queries.lens import look_back
from apps.facts.rules import HORIZONS, MARK_BITS, PRIVATE, Age, State, age_at, kind_of, moment_of, unpack_cell, was_cut
from cruxstore.facts.records import Fact

STUB_MARKS = ("held", "private")


def read_rows(
    row_ids: Sequence[int], scope: Scope, journal: JournalFile, now_ns: int, *, clocks: Clocks | None = None
) -> tuple[FactRow, ...]:
    """The rows with these ids in this order, as the clocks ask; what has gone meanwhile or is absent is left out."""
    found = IndexedFact.objects.defer("search_text").in_bulk(row_ids)
    rows = [row for row_id in row_ids if (row := found.get(row_id)) is not None and scope.is_within(row.entity)]
    if clocks is not None:
        look_back(rows, clocks)
    elsewhere = _links_elsewhere(rows) | links_outside(scope, [row.superseded_by for row in rows])
    return tuple(show_row(row, scope, journal, now_ns, elsewhere=elsewhere) for row in rows)


def show_row(
    row: IndexedFact,
    scope: Scope,
    journal: JournalFile,
    now_ns: int,
    *,
    fact: Fact | None = None,
    elsewhere: frozenset[str] = frozenset(),
) -> FactRow:
    """What a list shows of one row; `elsewhere` are linked facts that do not belong to it."""
    if not scope.may_read(private=is_private(row), owner=row.owner):
        return _stub(row, now_ns)
    if fact is None and not _is_enough(row):
        fact = read_fact(row, journal)
    value = fact.value if fact is not None else row.excerpt or ""
    entity, key = (fact.entity, fact.key) if fact is not None else (row.entity, row.key)
    parts = unpack_cell(row.cell)
    return _shown(
        row,
        now_ns,
        entity=entity,
        key=key,
        value_excerpt=value[:EXCERPT_CHARS],
        is_cut=len(value) > EXCERPT_CHARS or (fact is None and row.excerpt is not None),
        is_stub=False,
        is_unreadable=fact is None and row.excerpt is None,
        kind=kind_of(entity),
        actor=(fact.actor or "") if fact is not None else row.actor,
        marks=tuple(name for name, bit in MARK_BITS.items() if parts.marks & bit),
        supersedes=_link(row.supersedes, elsewhere),
        superseded_by=_link(row.superseded_by if parts.state != State.CURRENT else None, elsewhere),
    )


def read_fact(row: IndexedFact, journal: JournalFile) -> Fact | None:
    """The fact as its line says it; None where the journal does not hold it there any more."""
    try:
        return journal.fact(row.offset, row.length, row.fact_id)
    except JournalMovedError:
        return None


def is_private(row: IndexedFact) -> bool:
    """Whether only its owner may read the row."""
    return bool(row.cell & PRIVATE)


def age_of(row: IndexedFact, now_ns: int) -> Age:
    """What time makes of a row at this very moment, whatever it was counted as."""
    return age_at(
        now_ns // 1_000_000,
        horizon=unpack_cell(row.cell).horizon,
        anchor_ms=row.anchor_ms,
        stale_at_ms=row.stale_at_ms,
        confidence=row.confidence,
    )


def _is_enough(row: IndexedFact) -> bool:
    """Whether the index itself holds all that a list shows: so for long values, whose slices are dear to read."""
    return row.excerpt is not None and not (was_cut(row.entity) or was_cut(row.key) or was_cut(row.actor))


def _stub(row: IndexedFact, now_ns: int) -> FactRow:
    marks = tuple(name for name in STUB_MARKS if unpack_cell(row.cell).marks & MARK_BITS[name])
    kind = kind_of(row.entity)
    return _shown(row, now_ns, is_stub=True, kind=kind, marks=marks)


def _shown(
    row: IndexedFact,
    now_ns: int,
    *,
    is_stub: bool,
    kind: str,
    marks: tuple[str, ...],
    entity: str = "",
    key: str = "",
    value_excerpt: str = "",
    is_cut: bool = False,
    is_unreadable: bool = False,
    actor: str = "",
    supersedes: str = "",
    superseded_by: str = "",
) -> FactRow:
    parts, age = unpack_cell(row.cell), age_of(row, now_ns)
    return FactRow(
        fact_id=row.fact_id,
        entity=entity,
        key=key,
        value_excerpt=value_excerpt,
        value_bytes=0 if is_stub else row.value_bytes,
        is_cut=is_cut,
        is_stub=is_stub,
        is_unreadable=is_unreadable,
        owner=row.owner if parts.marks & PRIVATE else "",
        kind=kind,
        state=parts.state.name.lower(),
        freshness=age.freshness.name.lower(),
        confidence=row.confidence,
        effective=age.effective,
        stale_at=None if row.stale_at_ms is None else moment_of((row.stale_at_ms + 1) * 1000),
        horizon=HORIZONS[parts.horizon].value,
        version=row.version,
        actor=actor,
        recorded_at=moment_of(row.stored_at_us),
        line_no=row.line_no,
        marks=marks,
        supersedes=supersedes,
        superseded_by=superseded_by,
        valid_from=None if row.valid_from_us is None else moment_of(row.valid_from_us),
        valid_to=None if row.valid_to_us is None else moment_of(row.valid_to_us),
    )


def _link(fact_id: str | None, elsewhere: frozenset[str]) -> str:
    return "" if fact_id is None or fact_id in elsewhere else fact_id


def links_outside(scope: Scope, links: Iterable[str | None]) -> frozenset[str]:
    """Those of the facts named as successors whose entity is absent for the scope."""
    named = {link for link in links if link is not None} if scope.is_bound else set()
    targets = IndexedFact.objects.filter(fact_id__in=named).values_list("fact_id", "entity") if named else ()
    return frozenset(fact_id for fact_id, entity in targets if not scope.is_within(entity))


def _links_elsewhere(rows: Iterable[IndexedFact]) -> frozenset[str]:
    """The predecessors these rows name that are facts of another chain: such a link does not count."""
    chains = {row.supersedes: row for row in rows if row.supersedes is not None}
    if not chains:
        return frozenset()
    build = next(iter(chains.values())).home >> 16
    targets = IndexedFact.objects.filter(fact_id__in=chains).only("fact_id", "home", "entity", "key")
    return frozenset(
        target.fact_id
        for target in targets
        if target.home >> 16 == build and not _is_same_chain(target, chains[target.fact_id])
    )


def _is_same_chain(one: IndexedFact, other: IndexedFact) -> bool:
    return (one.home, one.entity, one.key) == (other.home, other.entity, other.key)
