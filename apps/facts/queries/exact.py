"""Facts as replay leaves them, to the byte and the nanosecond: read from the journal where the index says."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from django.db import connection

from apps.accounts.rules import Scope
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile, JournalMovedError
from apps.facts.projector.builds import current_build, open_journal
from apps.facts.projector.settings import Said, said_of
from apps.facts.queries.reading import links_outside
from apps.facts.rules import PRIVATE, State, build_of, first_row, home_of, state_of
from apps.facts.sql import Fragment, fetch, numbers, places
from cruxstore.errors import LineError
from cruxstore.facts.codec import decode_line
from cruxstore.facts.records import Fact, SetValidity, Timestamp
from cruxstore.facts.times import format_timestamp

_COLUMNS = "f.id, f.home, f.cell, f.fact_id, f.offset, f.length, f.entity, f.key, f.supersedes, f.superseded_by"
_CHUNK = 500


class _Row(NamedTuple):
    id: int
    home: int
    cell: int
    fact_id: str
    offset: int
    length: int
    entity: str
    key: str
    supersedes: str | None
    superseded_by: str | None


def read_facts(source: str, where: Fragment, *, scope: Scope, store: StoreFiles) -> Iterator[Fact]:
    """The facts of a tenant, alias `f` in this source, that a condition picks, in no order; a few at a time.

    The condition keeps to the scope; here only what names a fact that is absent for it is taken out.

    Raises JournalMovedError where the journal is not the one that was read.
    """
    sql = f"SELECT {_COLUMNS} FROM {source} WHERE {where.sql}"
    with closing(connection.chunked_cursor()) as cursor, open_journal(store) as journal:
        cursor.execute(sql, where.params)
        while rows := cursor.fetchmany(_CHUNK):
            yield from _exact(list(map(_Row._make, rows)), scope, journal)


def _exact(rows: Sequence[_Row], scope: Scope, journal: JournalFile) -> Iterator[Fact]:
    elsewhere = _links_elsewhere(rows)
    outside = links_outside(scope, [row.superseded_by for row in rows])
    validities = _validities(rows, journal)
    said = said_of([row.fact_id for row in rows])
    for row in rows:
        state = state_of(row.cell)
        fact = journal.fact(row.offset, row.length, row.fact_id)._replace(
            tenant_hash=scope.tenant,
            deleted=state == State.DELETED,
            private=bool(row.cell & PRIVATE),
            supersedes=None if row.id in elsewhere else row.supersedes,
            superseded_by=None if state == State.CURRENT or row.superseded_by in outside else row.superseded_by,
        )
        if row.id in validities:
            valid_from, valid_to = validities[row.id]
            fact = fact._replace(valid_from=valid_from, valid_to=valid_to)
        yield _with_settings(fact, said[row.fact_id]) if row.fact_id in said else fact


def _with_settings(fact: Fact, said: Sequence[Said]) -> Fact:
    for one in said:
        if one.horizon is not None:
            fact = fact._replace(horizon_class=one.horizon)
        else:
            ns = one.at_us * 1000
            fact = fact._replace(reverified_at=Timestamp(format_timestamp(ns, zulu=True), ns))
    return fact


def _links_elsewhere(rows: Sequence[_Row]) -> set[int]:
    """The rows that name a predecessor of another chain: such a link does not count."""
    links = [row.supersedes for row in rows if row.supersedes is not None]
    if not links:
        return set()
    build = build_of(rows[0].home)
    first, end = first_row(home_of(build, 0)), first_row(home_of(build + 1, 0))
    found = fetch(
        f"SELECT fact_id, home, entity, key FROM facts_indexedfact WHERE fact_id IN ({places(links)})"
        " AND id >= %s AND id < %s",
        (*links, first, end),
    )
    chains = {fact_id: tuple(chain) for fact_id, *chain in found}
    return {
        row.id
        for row in rows
        if row.supersedes is not None
        and chains.get(row.supersedes, (row.home, row.entity, row.key)) != (row.home, row.entity, row.key)
    }


def _validities(rows: Sequence[_Row], journal: JournalFile) -> Mapping[int, tuple[Timestamp | None, Timestamp | None]]:
    """What the newest line that set it says of each row whose validity was set."""
    build = current_build()
    if build is None or "set_validity" not in build.operations:
        return {}
    lines: list[tuple[Any, ...]] = fetch(
        'SELECT fact, "offset", length FROM facts_factline'
        f" WHERE fact IN ({numbers(row.id for row in rows)}) AND op = 'set_validity' ORDER BY line_no, id"
    )
    newest = {row_id: (offset, length) for row_id, offset, length in lines}
    return {row_id: _validity(offset, length, journal) for row_id, (offset, length) in newest.items()}


def _validity(offset: int, length: int, journal: JournalFile) -> tuple[Timestamp | None, Timestamp | None]:
    try:
        operation = decode_line(journal.read(offset, length))
    except LineError as error:
        raise JournalMovedError("The journal does not hold a line where the index says.") from error
    if not isinstance(operation, SetValidity):
        raise JournalMovedError("The journal holds another line where the index says.")
    return operation.valid_from, operation.valid_to
