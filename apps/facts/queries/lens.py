"""Facts as they were known at a place of the journal, and as they stand about a moment.

- As known at a place: the first change after the place says what a fact was then; without one it is what it is now.
- About a moment: those whose validity holds then. A fact without a start that replaced another holds from when it was
  stored; one that was replaced is retired from where its successor starts, and counts as current before.
- Whether a fact is held or in conflict is always told as it is now. A link into another tenant counts at no moment, and
  control facts that were removed for good are not there before either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from apps.facts.answers import Clocks, FactFilter
from apps.facts.clock_rules import about_of, known_of
from apps.facts.files import StoreFiles
from apps.facts.models import IndexedFact, Revision, SettingRevision
from apps.facts.queries.places import place_of
from apps.facts.rules import FreshnessCode, State, first_row, unpack_cell
from apps.facts.sql import ALWAYS, Fragment, fetch

_KEPT_BITS = ~(3 << 7 | 3 << 5 | 3 << 3)
_NO_HORIZON = 3


def clocks_of(chosen: FactFilter, *, store: StoreFiles, now_ns: int) -> Clocks:
    """The moments that a filter asks for, resolved."""
    return resolve(chosen.known, chosen.about, store=store, now_ns=now_ns)


def resolve(known: str, about: str, *, store: StoreFiles, now_ns: int) -> Clocks:
    """Two moments as an address holds them, resolved; BadMomentError where the journal has no such place."""
    asked = known_of(known)
    place = None if asked is None else place_of(asked, store=store, now_us=now_ns // 1000)
    return Clocks(place, about_of(about), now_ns if place is None else place.at_us * 1000)


@dataclass(frozen=True, slots=True)
class Lens:
    """How the columns of facts, alias `f`, are read: as they are, or as two clocks ask.

    `joins` follow the source; `newest` is the last row that was known, None where all are: `condition` leaves it out.
    """

    joins: str
    columns: dict[str, str]
    condition: Fragment
    newest: int | None = None

    @classmethod
    def now(cls) -> Self:
        """Facts as they are."""
        return cls("", {}, ALWAYS)

    @classmethod
    def of(cls, clocks: Clocks, home: int) -> Self:
        """Facts of a home as the clocks ask."""
        if clocks.are_now:
            return cls.now()
        joins, columns = "", _current_columns()
        newest, condition, is_validity_kept = None, ALWAYS, True
        if clocks.known is not None:
            is_validity_kept = not _sets_validity_after(home, clocks.known.lines)
            joins, columns = _columns_at(clocks.known.key, home, columns, is_validity_kept=is_validity_kept)
            newest = newest_row_at(home, clocks.known.lines)
        if clocks.about_us is not None:
            key = None if clocks.known is None or is_validity_kept else clocks.known.key
            start = _successor_start(key, columns["superseded_by"])
            columns["state"] = (
                f"(CASE WHEN {columns['state']} = {State.SUPERSEDED:d} AND {start} > {clocks.about_us}"
                f" THEN {State.CURRENT:d} ELSE {columns['state']} END)"
            )
            condition = Fragment(_holds_at(clocks.about_us, columns))
        return cls(joins, _derived(columns, clocks.now_ns // 1_000_000), condition, newest)

    @property
    def is_now(self) -> bool:
        """Whether facts are read as they are."""
        return not self.columns

    def column(self, name: str) -> str:
        """The expression that reads a column."""
        return self.columns.get(name, f"f.{name}")

    def named(self, *names: str) -> str:
        """The columns of a SELECT, under their own names."""
        return ", ".join(f"{self.column(name)} AS {name}" for name in names)


def newest_row_at(home: int, lines: int) -> int:
    """The last row of a home that was stored by then: rows lie in the order of their lines."""
    low, high = first_row(home), first_row(home + 1) - 1
    newest = fetch("SELECT max(id) FROM facts_indexedfact WHERE id BETWEEN %s AND %s", (low, high))[0][0]
    high = low if newest is None else newest
    while low < high:
        middle = (low + high + 1) // 2
        found = fetch("SELECT id, line_no FROM facts_indexedfact WHERE id >= %s ORDER BY id LIMIT 1", (middle,))
        if found and found[0][0] <= high and found[0][1] <= lines:
            low = found[0][0]
        else:
            high = middle - 1
    return low


def look_back(rows: Sequence[IndexedFact], clocks: Clocks) -> None:
    """Sets what rows were by then, in place; nothing of it is ever saved."""
    if clocks.known is not None:
        _undo(rows, clocks.known.key)
    if clocks.about_us is not None:
        _look_at(rows, clocks, clocks.about_us)


def starts_at_us(row: IndexedFact) -> int | None:
    """From when a fact holds: its own start, or when it was stored where it replaced another; None for ever."""
    if row.valid_from_us is not None:
        return row.valid_from_us
    return row.stored_at_us if row.supersedes is not None else None


def effective_us(row: IndexedFact) -> int:
    """From when a fact retires the one that it replaces: its own start, or when it was stored."""
    return row.stored_at_us if row.valid_from_us is None else row.valid_from_us


def holds_about(row: IndexedFact, clocks: Clocks) -> bool:
    """Whether a fact holds about the moment that is asked about; about now, every fact is shown."""
    if clocks.about_us is None:
        return True
    start, end = starts_at_us(row), row.valid_to_us
    return (start is None or start <= clocks.about_us) and (end is None or clocks.about_us < end)


def _undo(rows: Sequence[IndexedFact], key: int) -> None:
    by_id = {row.id: row for row in rows}
    for one in Revision.objects.filter(fact__in=by_id, until__gt=key).order_by("-until", "-id"):
        row = by_id[one.fact]
        row.superseded_by, row.valid_from_us, row.valid_to_us = one.superseded_by, one.valid_from_us, one.valid_to_us
        _set_state(row, one.state)
    for change in SettingRevision.objects.filter(fact__in=by_id, until__gt=key).order_by("-until", "-id"):
        row = by_id[change.fact]
        row.anchor_ms, row.stale_at_ms = change.anchor_ms, change.stale_at_ms
        row.cell = row.cell & ~(3 << 3) | change.horizon << 3


def _look_at(rows: Sequence[IndexedFact], clocks: Clocks, about_us: int) -> None:
    retired = [row for row in rows if unpack_cell(row.cell).state == State.SUPERSEDED]
    links = {row.superseded_by for row in retired if row.superseded_by is not None}
    columns = ("home", "cell", "fact_id", "stored_at_us", "superseded_by", "valid_from_us", "valid_to_us")
    found = list(IndexedFact.objects.only(*columns, "anchor_ms", "stale_at_ms").filter(fact_id__in=links))
    if clocks.known is not None:
        _undo(found, clocks.known.key)
    successors = {(row.home, row.fact_id): row for row in found}
    for row in retired:
        successor = successors.get((row.home, row.superseded_by or ""))
        if successor is not None and effective_us(successor) > about_us:
            _set_state(row, State.CURRENT)


def _set_state(row: IndexedFact, state: int) -> None:
    row.cell = row.cell & ~(3 << 7) | state << 7


def _current_columns() -> dict[str, str]:
    return {
        "state": "((f.cell >> 7) & 3)",
        "horizon": "((f.cell >> 3) & 3)",
        "superseded_by": "f.superseded_by",
        "valid_from_us": "f.valid_from_us",
        "valid_to_us": "f.valid_to_us",
        "anchor_ms": "f.anchor_ms",
        "stale_at_ms": "f.stale_at_ms",
    }


def _sets_validity_after(home: int, lines: int) -> bool:
    """Whether the validity of any fact of a home was set since; mostly it was not, and need not be looked for."""
    (found,) = fetch(
        "SELECT EXISTS (SELECT 1 FROM facts_factline WHERE op = 'set_validity' AND fact BETWEEN %s AND %s"
        " AND line_no > %s)",
        (first_row(home), first_row(home + 1) - 1, lines),
    )
    return bool(found[0])


def _columns_at(key: int, home: int, columns: dict[str, str], *, is_validity_kept: bool) -> tuple[str, dict[str, str]]:
    """Joins that find the first change after a place, where any fact of the home has changed since."""
    joins, read = "", dict(columns)
    rows = {"fact__gte": first_row(home), "fact__lt": first_row(home + 1)}
    validity = () if is_validity_kept else ("valid_from_us", "valid_to_us")
    for alias, model, names in (
        ("r", Revision, ("state", "superseded_by", *validity)),
        ("s", SettingRevision, ("horizon", "anchor_ms", "stale_at_ms")),
    ):
        if not model._default_manager.filter(until__gt=key, **rows).exists():
            continue
        table = model._meta.db_table
        joins += (
            f" LEFT JOIN {table} {alias} ON {alias}.id = (SELECT {alias}x.id FROM {table} {alias}x"
            f" WHERE {alias}x.fact = f.id AND {alias}x.until > {key} ORDER BY {alias}x.until LIMIT 1)"
        )
        for name in names:
            read[name] = f"(CASE WHEN {alias}.id IS NULL THEN {columns[name]} ELSE {alias}.{name} END)"
    return joins, read


def _successor_start(key: int | None, superseded_by: str) -> str:
    """From when the one that replaced a fact holds, as known at a place; as it is now without one."""
    start = "COALESCE(n.valid_from_us, n.stored_at_us)"
    if key is not None:
        change = f"FROM facts_revision rn WHERE rn.fact = n.id AND rn.until > {key}"
        start = (
            f"CASE WHEN EXISTS (SELECT 1 {change}) THEN COALESCE((SELECT rn.valid_from_us {change}"
            f" ORDER BY rn.until LIMIT 1), n.stored_at_us) ELSE {start} END"
        )
    # `home + 0` keeps the planner from reading a whole home instead of the one fact
    return (
        f"(SELECT {start} FROM facts_indexedfact n WHERE n.fact_id = ({superseded_by}) AND n.home + 0 = f.home LIMIT 1)"
    )


def _holds_at(about_us: int, columns: dict[str, str]) -> str:
    start = (
        f"COALESCE({columns['valid_from_us']}, CASE WHEN f.supersedes IS NULL THEN {about_us} ELSE f.stored_at_us END)"
    )
    return f"{start} <= {about_us} AND COALESCE({columns['valid_to_us']}, {about_us + 1}) > {about_us}"


def _derived(columns: dict[str, str], now_ms: int) -> dict[str, str]:
    fresh, stale, unknown = FreshnessCode
    freshness = (
        f"CASE WHEN ({columns['horizon']}) = {_NO_HORIZON} THEN {fresh:d}"
        f" WHEN ({columns['stale_at_ms']}) IS NULL OR {now_ms} <= 0 OR ({columns['anchor_ms']}) > {now_ms}"
        f" THEN {unknown:d} WHEN {now_ms} > ({columns['stale_at_ms']}) THEN {stale:d} ELSE {fresh:d} END"
    )
    parts = f"(({columns['state']}) << 7) + (({freshness}) << 5) + (({columns['horizon']}) << 3)"
    cell = f"((f.cell & {_KEPT_BITS}) + {parts})"
    effective = f"(f.confidence * CASE WHEN ({freshness}) = {stale:d} THEN 0.5 ELSE 1.0 END)"
    return columns | {"cell": cell, "effective": effective}
