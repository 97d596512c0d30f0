"""A row of the index while a batch is projected, and the statements that read and write such rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from apps.facts.journal import JournalFile
from apps.facts.rules import (
    HORIZON_CODES,
    PRIVATE,
    Age,
    State,
    age_at,
    cut,
    pack_cell,
    pack_stream,
    search_text,
    unpack_cell,
    was_cut,
)
from apps.facts.sql import SqlValue, execute_many, fetch, places
from cruxstore.facts.decay import DecayPolicy, milliseconds, stale_at_ms
from cruxstore.facts.privacy import owner_of
from cruxstore.facts.records import Fact, Timestamp

LONG_SLICE_BYTES = 32 * 1024
"""Above this size a list shows the excerpt kept in the index instead of reading the fact."""

EXCERPT_CHARS = 300
NEW = -1
_CURRENT: Final = State.CURRENT

Place = tuple[int, int, int]
"""Line, offset and length of a slice of the journal."""

Ages = dict[int, Age]
TenantNames = dict[int, str]

_INSERTED = (
    'id, home, stream, cell, effective, fact_id, line_no, "offset", length, entity, key, owner, actor, import_id,'
    " op, version, confidence, stored_at_us, anchor_ms, stale_at_ms, due_at_ms, valid_from_us, valid_to_us, supersedes,"
    " superseded_by, value_bytes, excerpt, search_text"
)
_LOADED = (
    'id, home, cell, fact_id, line_no, "offset", length, entity, key, version, confidence, stored_at_us, anchor_ms,'
    " stale_at_ms, valid_from_us, valid_to_us, supersedes, superseded_by"
)
_INSERT = f"INSERT INTO facts_indexedfact ({_INSERTED}) VALUES ({', '.join(['%s'] * 28)})"
_MOVE = (
    "UPDATE facts_indexedfact SET stream = %s, cell = %s, effective = %s, due_at_ms = %s, superseded_by = %s"
    " WHERE id = %s"
)
_UPDATE = (
    "UPDATE facts_indexedfact SET stream = %s, cell = %s, effective = %s, due_at_ms = %s, anchor_ms = %s,"
    " stale_at_ms = %s, valid_from_us = %s, valid_to_us = %s, superseded_by = %s WHERE id = %s"
)
_CHUNK = 500


@dataclass(slots=True)
class Row:
    """One fact as the index holds it; `cell` is the one it is counted in, NEW before it is counted at all."""

    id: int
    home: int
    tenant_hash: str
    cell: int
    fact_id: str
    line_no: int
    offset: int
    length: int
    entity: str
    key: str
    version: int
    confidence: float
    stored_at_us: int
    anchor_ms: int
    stale_at_ms: int | None
    valid_from_us: int | None
    valid_to_us: int | None
    supersedes: str | None
    superseded_by: str | None
    deleted: bool
    private: bool
    horizon: int
    kind: int
    actor: int
    state: int
    marks: int
    new: "NewColumns | None" = None

    @property
    def is_counted_current(self) -> bool:
        """Whether the row counts where a chain is asked for more than one current fact; private ones never do."""
        return self.state == _CURRENT and not self.private


@dataclass(slots=True)
class NewColumns:
    """What only an insert writes."""

    actor: str
    import_id: str
    op: str
    value_bytes: int
    excerpt: str | None
    search_text: str


def new_row(
    row_id: int, home: int, fact: Fact, place: Place, *, op: str, kind: int, actor: int, policy: DecayPolicy
) -> Row:
    """The row of a fact that stands at a place in the journal."""
    line_no, offset, length = place
    value = fact.value
    anchor_ms = milliseconds(fact.reverified_at or fact.stored_at)
    value_bytes = len(value) if value.isascii() else len(value.encode())
    return Row(
        id=row_id,
        home=home,
        tenant_hash=fact.tenant_hash,
        cell=NEW,
        fact_id=fact.fact_id,
        line_no=line_no,
        offset=offset,
        length=length,
        entity=fact.entity,
        key=fact.key,
        version=fact.version,
        confidence=fact.confidence,
        stored_at_us=fact.stored_at.ns // 1000,
        anchor_ms=anchor_ms,
        stale_at_ms=stale_at_ms(fact.horizon_class, anchor_ms, policy, access_count=fact.access_count),
        valid_from_us=microseconds(fact.valid_from),
        valid_to_us=microseconds(fact.valid_to),
        supersedes=fact.supersedes,
        superseded_by=fact.superseded_by,
        deleted=fact.deleted,
        private=fact.private,
        horizon=HORIZON_CODES[fact.horizon_class],
        kind=kind,
        actor=actor,
        state=State.CURRENT,
        marks=PRIVATE if fact.private else 0,
        new=NewColumns(
            actor=cut(fact.actor or ""),
            import_id=_import_id(fact.extra),
            op=op,
            value_bytes=value_bytes,
            excerpt=value[:EXCERPT_CHARS].replace("\0", "\u2400") if length > LONG_SLICE_BYTES else None,
            search_text=search_text(fact.entity, fact.key, value),
        ),
    )


def load_rows(where: str, params: Sequence[SqlValue], tenants: TenantNames, journal: JournalFile) -> list[Row]:
    """The rows that a condition picks; names that the index holds cut are read from the journal."""
    rows = fetch(f"SELECT {_LOADED} FROM facts_indexedfact WHERE {where}", params)
    return [_loaded(values, tenants, journal) for values in rows]


def load_by_fact_ids(
    fact_ids: Iterable[str], rows: tuple[int, int], tenants: TenantNames, journal: JournalFile
) -> list[Row]:
    """The rows of these facts between two row ids."""
    wanted, found = list(fact_ids), []
    for start in range(0, len(wanted), _CHUNK):
        chunk = wanted[start : start + _CHUNK]
        found += load_rows(f"fact_id IN ({places(chunk)}) AND id BETWEEN %s AND %s", [*chunk, *rows], tenants, journal)
    return found


def load_by_row_ids(row_ids: Sequence[int], tenants: TenantNames, journal: JournalFile) -> list[Row]:
    """The rows with these ids."""
    found = []
    for start in range(0, len(row_ids), _CHUNK):
        chunk = row_ids[start : start + _CHUNK]
        found += load_rows(f"id IN ({places(chunk)})", chunk, tenants, journal)
    return found


def load_by_chains(chains: Iterable[tuple[int, str, str]], tenants: TenantNames, journal: JournalFile) -> Iterator[Row]:
    """The current rows of these chains, each a home, entity and key."""
    wanted = [(home, cut(entity), cut(key)) for home, entity, key in chains]
    columns = ", ".join(f"f.{name}" for name in _LOADED.split(", "))
    for start in range(0, len(wanted), _CHUNK):
        chunk = wanted[start : start + _CHUNK]
        rows = fetch(
            f"WITH chain(home, entity, key) AS (VALUES {', '.join(['(%s, %s, %s)'] * len(chunk))})"
            f" SELECT {columns} FROM chain CROSS JOIN facts_indexedfact f"
            " WHERE f.home = chain.home AND f.entity = chain.entity AND f.key = chain.key"
            f" AND (f.cell >> 7) & 3 = {State.CURRENT:d}",
            [part for chain in chunk for part in chain],
        )
        for values in rows:
            yield _loaded(values, tenants, journal)


def load_heads(
    home: int, names: Sequence[tuple[str, str]], tenants: TenantNames, journal: JournalFile
) -> Iterator[Row]:
    """The newest row that is not deleted of each chain of a home, given by entity and key."""
    columns = ", ".join(f"f.{name}" for name in _LOADED.split(", "))
    for start in range(0, len(names), _CHUNK):
        chunk = [(cut(entity), cut(key)) for entity, key in names[start : start + _CHUNK]]
        rows = fetch(
            f"WITH chain(entity, key) AS (VALUES {', '.join(['(%s, %s)'] * len(chunk))})"
            f" SELECT {columns} FROM chain CROSS JOIN facts_indexedfact f WHERE f.id = (SELECT g.id"
            " FROM facts_indexedfact g WHERE g.home = %s AND g.entity = chain.entity AND g.key = chain.key"
            f" AND (g.cell >> 7) & 3 <> {State.DELETED:d} ORDER BY g.id DESC LIMIT 1)",
            [*(part for name in chunk for part in name), home],
        )
        for values in rows:
            yield _loaded(values, tenants, journal)


def tenant_names() -> TenantNames:
    """The tenants by the numbers that stand for them."""
    return dict(fetch("SELECT number, name FROM facts_tenantnumber"))


def load_search_texts(row_ids: Sequence[int]) -> list[tuple[int, str]]:
    """The folded texts of rows, to take them out of the search tables."""
    rows = fetch(f"SELECT id, search_text FROM facts_indexedfact WHERE id IN ({places(row_ids)})", row_ids)
    return [(row_id, text) for row_id, text in rows]


def insert_rows(rows: Iterable[Row], ages: Ages) -> None:
    """Writes new rows, already in their cells."""
    execute_many(_INSERT, [_insert_values(row, row.new, ages[row.id]) for row in rows if row.new is not None])


def update_rows(rows: Iterable[Row], ages: Ages) -> None:
    """Writes what can change of rows that exist."""
    execute_many(_UPDATE, [_update_values(row, ages[row.id]) for row in rows])


def move_rows(rows: Iterable[Row], ages: Ages) -> None:
    """Writes what changes of rows whose validity and ageing stay: the indexes over these are not touched."""
    execute_many(_MOVE, [_move_values(row, ages[row.id]) for row in rows])


def delete_rows(row_ids: Iterable[int]) -> None:
    """Drops rows for good."""
    execute_many("DELETE FROM facts_indexedfact WHERE id = %s", [(row_id,) for row_id in row_ids])


def age_of(row: Row, now_ms: int) -> Age:
    """What time makes of a row at a moment."""
    return age_at(
        now_ms,
        horizon=row.horizon,
        anchor_ms=row.anchor_ms,
        stale_at_ms=row.stale_at_ms,
        confidence=row.confidence,
    )


def cell_of(row: Row, freshness: int) -> int:
    """The cell a row belongs in."""
    return pack_cell(row.home, row.kind, row.actor, row.state, freshness, row.horizon, row.marks)


def microseconds(moment: Timestamp | None) -> int | None:
    """What fits a column of 64 bits in every year that the format can spell."""
    return None if moment is None else moment.ns // 1000


def _loaded(values: tuple[Any, ...], tenants: TenantNames, journal: JournalFile) -> Row:
    (
        row_id, home, cell, fact_id, line_no, offset, length, entity, key, version, confidence, stored_at_us, anchor_ms,
        stale_at_ms, valid_from_us, valid_to_us, supersedes, superseded_by,
    ) = values  # fmt: skip
    parts = unpack_cell(cell)
    if was_cut(entity) or was_cut(key):
        exact = journal.fact(offset, length)
        entity, key = exact.entity, exact.key
    return Row(
        id=row_id,
        home=home,
        tenant_hash=tenants[home & 0xFFFF],
        cell=cell,
        fact_id=fact_id,
        line_no=line_no,
        offset=offset,
        length=length,
        entity=entity,
        key=key,
        version=version,
        confidence=confidence,
        stored_at_us=stored_at_us,
        anchor_ms=anchor_ms,
        stale_at_ms=stale_at_ms,
        valid_from_us=valid_from_us,
        valid_to_us=valid_to_us,
        supersedes=supersedes,
        superseded_by=superseded_by,
        deleted=parts.state == State.DELETED,
        private=bool(parts.marks & PRIVATE),
        horizon=parts.horizon,
        kind=parts.kind,
        actor=parts.actor,
        state=parts.state,
        marks=parts.marks,
    )


def _insert_values(row: Row, new: NewColumns, age: Age) -> tuple[SqlValue, ...]:
    return (
        row.id,
        row.home,
        pack_stream(row.home, row.state, age.freshness),
        row.cell,
        age.effective,
        row.fact_id,
        row.line_no,
        row.offset,
        row.length,
        cut(row.entity),
        cut(row.key),
        owner_of(row.entity) or "",
        new.actor,
        new.import_id,
        new.op,
        row.version,
        row.confidence,
        row.stored_at_us,
        row.anchor_ms,
        row.stale_at_ms,
        age.due_at_ms,
        row.valid_from_us,
        row.valid_to_us,
        row.supersedes,
        row.superseded_by,
        new.value_bytes,
        new.excerpt,
        new.search_text,
    )


def _move_values(row: Row, age: Age) -> tuple[SqlValue, ...]:
    return (
        pack_stream(row.home, row.state, age.freshness),
        row.cell,
        age.effective,
        age.due_at_ms,
        row.superseded_by,
        row.id,
    )


def _update_values(row: Row, age: Age) -> tuple[SqlValue, ...]:
    return (
        pack_stream(row.home, row.state, age.freshness),
        row.cell,
        age.effective,
        age.due_at_ms,
        row.anchor_ms,
        row.stale_at_ms,
        row.valid_from_us,
        row.valid_to_us,
        row.superseded_by,
        row.id,
    )


def _import_id(extra: bytes | None) -> str:
    """The import that brought a fact, from the member that our imports add; nothing where it is of another shape."""
    if extra is None or b'"_import"' not in extra:
        return ""
    try:
        origin = orjson.loads(b"{%b}" % extra).get("_import")
    except orjson.JSONDecodeError:
        return ""
    import_id = origin.get("id") if isinstance(origin, dict) else None
    return cut(import_id) if isinstance(import_id, str) else ""
