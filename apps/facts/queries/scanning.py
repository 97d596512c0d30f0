"""What a scan reads: the public facts of a tenant by entity and key, all of them or only those around new ones.

A scan goes from name to name in the order in which entities were first seen, so that it can stop and go on by a number.
Texts are the folded ones that the index searches; of a value they hold the first 64 KiB.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeVar

from django.db import connection

from apps.accounts.rules import Scope
from apps.facts.answers import Scanned
from apps.facts.models import Name
from apps.facts.projector.builds import current_build
from apps.facts.queries.scoping import current_home, may_read
from apps.facts.rules import ORDINAL_BITS, FreshnessCode, State, first_row, pack_stream, prefix_end, prefix_start
from apps.facts.sql import Fragment, SqlValue, fetch, places

ROWS_AT_ONCE = 2_000
CHAINS_AT_ONCE = 200
MOST_KEYS = 2_000
"""Of how many keys of one entity, the last in their order, the current values are compared with each other."""

CHAIN_TAIL = 50

T = TypeVar("T")

_BUILD_SHIFT = ORDINAL_BITS + 16
_AFTER_ALL = (1 << 63) - 1
_COLUMNS = "f.id, f.fact_id, f.entity, f.key, f.actor, (f.cell >> 7) & 3, f.search_text, f.valid_from_us, f.valid_to_us"
_NOT_DELETED = f"(f.cell >> 7) & 3 <> {State.DELETED:d}"


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a scope's facts are, found out once for all the questions of a scan."""

    tenant: str
    home: int
    readable: Fragment

    @classmethod
    def of(cls, scope: Scope) -> Self:
        """As the index stands now; a home that holds nothing where the tenant is not in it."""
        return cls(scope.tenant, current_home(scope) or 0, may_read(scope))


class Position(NamedTuple):
    """How far a scan has come: a generation of the journal, and its lines."""

    generation: int
    lines: int


class Touched(NamedTuple):
    """The facts that are new or were changed since a scan, and the chains they are in."""

    fact_ids: frozenset[str]
    chains: tuple[tuple[str, str], ...]


class Ageing(NamedTuple):
    """A fact that may have had its day, and where it stands in the journal."""

    row_id: int
    fact_id: str
    entity: str
    confidence: float
    is_stale: bool
    offset: int
    length: int


class Slice(NamedTuple):
    """Where a fact stands in the journal, and under which name."""

    row_id: int
    entity: str
    key: str
    state: int
    offset: int
    length: int


def scan_position() -> Position | None:
    """What has been indexed by now; none where nothing has."""
    build = current_build()
    return None if build is None else Position(build.generation, build.line)


def count_entities(ground: Ground) -> int:
    """How many entities the tenant has."""
    return Name.objects.filter(home=ground.home, role="e").count()


def next_entities(ground: Ground, *, after: int, limit: int) -> list[tuple[int, str]]:
    """The entities after a number, with their numbers."""
    names = Name.objects.filter(home=ground.home, role="e", id__gt=after).order_by("id")
    return list(names.values_list("id", "text")[:limit])


def rows_of_entities(ground: Ground, entities: Sequence[str]) -> Iterator[Scanned]:
    """Every public fact of these entities that is not deleted, by entity, key and the order of recording."""
    readable = ground.readable
    yield from _read(
        f"SELECT {_COLUMNS} FROM facts_indexedfact f WHERE f.home = %s AND f.entity IN ({places(entities)})"
        f" AND {_NOT_DELETED} AND {readable.sql} ORDER BY f.entity, f.key, f.id",
        (ground.home, *entities, *readable.params),
    )


def touched_since(ground: Ground, lines: int) -> Touched:
    """What lines after these many stored or changed, by lines of the generation that is indexed now."""
    home = ground.home
    start, end = first_row(home), first_row(home + 1)
    row_ids = sorted({*_rows_after(start, end, lines), *_changed_after(start, end, lines)})
    fact_ids: set[str] = set()
    chains: dict[tuple[str, str], None] = {}
    for part in _parts(row_ids):
        for fact_id, entity, key in fetch(
            f"SELECT fact_id, entity, key FROM facts_indexedfact WHERE id IN ({places(part)})", part
        ):
            fact_ids.add(fact_id)
            chains[entity, key] = None
    return Touched(frozenset(fact_ids), tuple(chains))


def standing_ids(ground: Ground, fact_ids: Sequence[str]) -> set[str]:
    """Those of these facts that are public and current."""
    found: set[str] = set()
    readable = ground.readable
    for part in _parts(fact_ids):
        rows = fetch(
            f"SELECT f.fact_id FROM facts_indexedfact f WHERE f.fact_id IN ({places(part)}) AND f.home = %s"
            f" AND (f.cell >> 7) & 3 = {State.CURRENT:d} AND {readable.sql}",
            (*part, ground.home, *readable.params),
        )
        found.update(fact_id for (fact_id,) in rows)
    return found


def ageing_rows(ground: Ground, *, below: float, after: int, limit: int) -> list[Ageing]:
    """Public current facts that are stale or stated with less confidence than this, in the order of recording."""
    home, readable = ground.home, ground.readable
    stale = pack_stream(home, State.CURRENT, FreshnessCode.STALE)
    others = [pack_stream(home, State.CURRENT, code) for code in FreshnessCode if code != FreshnessCode.STALE]
    chosen = "SELECT id FROM facts_indexedfact WHERE stream = %s" + (
        " UNION ALL SELECT id FROM facts_indexedfact WHERE stream = %s AND effective < %s" * len(others)
    )
    rows = fetch(
        "SELECT f.id, f.fact_id, f.entity, f.confidence, f.stream = %s, f.offset, f.length FROM facts_indexedfact f"
        f" WHERE f.id IN ({chosen}) AND f.id > %s AND {readable.sql} ORDER BY f.id LIMIT %s",
        (stale, stale, *(value for stream in others for value in (stream, below)), after, *readable.params, limit),
    )
    return [Ageing(*values) for values in rows]


def rows_under(ground: Ground, prefix: str) -> list[Slice]:
    """Where every fact that is not deleted of entities with this prefix stands, private ones too, oldest first.

    For the daemon's own records, which hold ids of facts; whoever shows those asks for the facts again.
    """
    rows = fetch(
        "SELECT f.id, f.entity, f.key, (f.cell >> 7) & 3, f.offset, f.length FROM facts_indexedfact f"
        f" WHERE f.home = %s AND f.entity >= %s AND f.entity < %s AND {_NOT_DELETED} ORDER BY f.id",
        (ground.home, prefix_start(prefix), prefix_end(prefix)),
    )
    return [Slice(*values) for values in rows]


def current_rows(ground: Ground, entities: Sequence[str]) -> Iterator[Scanned]:
    """Every public current fact of these entities, in the order of recording."""
    readable = ground.readable
    yield from _read(
        f"SELECT {_COLUMNS} FROM facts_indexedfact f WHERE f.home = %s AND f.entity IN ({places(entities)})"
        f" AND (f.cell >> 7) & 3 = {State.CURRENT:d} AND {readable.sql} ORDER BY f.id",
        (ground.home, *entities, *readable.params),
    )


def rows_of_facts(ground: Ground, fact_ids: Sequence[str]) -> list[Scanned]:
    """Those of these facts that are public and not deleted."""
    readable = ground.readable
    found: list[Scanned] = []
    for part in _parts(fact_ids):
        found += _read(
            f"SELECT {_COLUMNS} FROM facts_indexedfact f WHERE f.fact_id IN ({places(part)}) AND f.home = %s"
            f" AND {_NOT_DELETED} AND {readable.sql} ORDER BY f.id",
            (*part, ground.home, *readable.params),
        )
    return found


def chain_rows(ground: Ground, chains: Sequence[tuple[str, str]]) -> Iterator[Scanned]:
    """The newest public facts of these chains that are not deleted, by entity, key and the order of recording."""
    readable = ground.readable
    for part in _parts(chains, CHAINS_AT_ONCE):
        yield from _read(
            f"WITH chain(entity, key) AS (VALUES {', '.join(['(%s, %s)'] * len(part))})"
            f" SELECT {_COLUMNS} FROM chain CROSS JOIN facts_indexedfact f WHERE f.id IN ("
            "SELECT g.id FROM facts_indexedfact g WHERE g.home = %s AND g.entity = chain.entity AND g.key = chain.key"
            f" ORDER BY g.id DESC LIMIT {CHAIN_TAIL}) AND {_NOT_DELETED} AND {readable.sql}"
            " ORDER BY f.entity, f.key, f.id",
            (*(name for chain in part for name in chain), ground.home, *readable.params),
        )


def newest_of_keys(ground: Ground, entities: Sequence[str]) -> Iterator[Scanned]:
    """The newest fact of each key of these entities, where it is public and current; the last keys of very many."""
    home, readable = ground.home, ground.readable
    for part in _parts(entities, CHAINS_AT_ONCE):
        yield from _read(
            f"WITH RECURSIVE one(entity) AS (VALUES {', '.join(['(%s)'] * len(part))}),"
            " names(entity, key, depth) AS ("
            " SELECT one.entity, (SELECT max(key) FROM facts_indexedfact WHERE home = %s AND entity = one.entity), 1"
            " FROM one UNION ALL SELECT names.entity, (SELECT max(key) FROM facts_indexedfact"
            " WHERE home = %s AND entity = names.entity AND key < names.key), depth + 1"
            f" FROM names WHERE names.key IS NOT NULL AND depth < {MOST_KEYS}),"
            " newest(id) AS (SELECT (SELECT max(g.id) FROM facts_indexedfact g"
            " WHERE g.home = %s AND g.entity = names.entity AND g.key = names.key)"
            " FROM names WHERE names.key IS NOT NULL)"
            f" SELECT {_COLUMNS} FROM newest CROSS JOIN facts_indexedfact f WHERE f.id = newest.id"
            f" AND (f.cell >> 7) & 3 = {State.CURRENT:d} AND {readable.sql} ORDER BY f.entity, f.key",
            (*part, home, home, home, *readable.params),
        )


def _read(sql: str, params: Sequence[SqlValue]) -> Iterator[Scanned]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from map(Scanned._make, rows)


def _rows_after(start: int, end: int, lines: int) -> Iterator[int]:
    """The rows that came after a line: they are the newest of their home."""
    newest = "SELECT id, line_no FROM facts_indexedfact WHERE id >= %s AND id < %s ORDER BY id DESC LIMIT %s"
    while rows := fetch(newest, (start, end, ROWS_AT_ONCE)):
        for row_id, line_no in rows:
            if line_no <= lines:
                return
            end = row_id
            yield row_id


def _changed_after(start: int, end: int, lines: int) -> Iterator[int]:
    """The rows that a later line changed: such lines are the newest of their build, among those of one being made."""
    newest = "SELECT id, fact, line_no FROM facts_factline WHERE id < %s ORDER BY id DESC LIMIT %s"
    before, build = _AFTER_ALL, start >> _BUILD_SHIFT
    while rows := fetch(newest, (before, ROWS_AT_ONCE)):
        before = rows[-1][0]
        for _, fact, line_no in rows:
            if fact >> _BUILD_SHIFT != build:
                continue
            if line_no <= lines:
                return
            if start <= fact < end:
                yield fact


def _parts(values: Sequence[T], size: int = ROWS_AT_ONCE) -> Iterator[Sequence[T]]:
    for at in range(0, len(values), size):
        yield values[at : at + size]
