"""Pages in order, from where the one before ended: keyset paging over streams and cells of the index.

- A filter that asks for whole streams takes the first rows of each stream; one that asks for more takes, stream by
  stream, the first rows of its cells where they are few, all rows of its cells where those are few, and else walks the
  stream, which is then full of what is wanted.
- A place is the sort values of a row and its ordinal, so that it holds while facts come and go around it.
- A private fact that one may not read has no place by entity and key: its neighbours would tell its name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from apps.accounts.rules import Scope
from apps.facts.answers import PAGE_ROWS, FactFilter
from apps.facts.queries.cube import Selection, TenantLabels, selected_cells
from apps.facts.queries.scoping import may_read
from apps.facts.rules import (
    ORDINAL_MASK,
    FreshnessCode,
    first_row,
    pack_stream,
    prefix_end,
    prefix_start,
    unpack_cell,
)
from apps.facts.sql import ALWAYS, Fragment, SqlValue, all_of, fetch, numbers
from cruxstore.errors import CruxError

FEW_CELLS = 50
FEW_FACTS = 5_000

SortValues = tuple[float | str | int, ...]
"""What a row is sorted by, its id last."""


class BadPlaceError(CruxError):
    """The place to go on from is not one that a page gave out."""

    code = "bad_place"


@dataclass(frozen=True)
class Order:
    """The columns of a sort, the row id last, and the direction in which a page is read."""

    columns: tuple[str, ...]
    is_descending: bool

    @classmethod
    def of(cls, sort: str) -> Self:
        """The order that a filter's `sort` names."""
        columns = {"recorded": ("id",), "effective": ("effective", "id"), "entity": ("entity", "key", "id")}
        name = sort.removeprefix("-")
        if name not in columns:
            raise BadPlaceError(f"There is no order {sort!r}. There are recorded, effective and entity.")
        return cls(columns[name], sort.startswith("-"))

    @property
    def is_by_name(self) -> bool:
        """Whether entity and key decide, so that a fact's place in it tells of its text."""
        return self.columns[0] == "entity"

    def backwards(self) -> "Order":
        """The same order read from its end."""
        return Order(self.columns, not self.is_descending)

    def by(self, alias: str = "") -> str:
        """The ORDER BY of it."""
        direction = " DESC" if self.is_descending else ""
        return ", ".join(f"{alias}{column}{direction}" for column in self.columns)

    def beyond(self, place: SortValues | None, alias: str = "") -> Fragment:
        """The condition that a row comes after a place."""
        if place is None:
            return ALWAYS
        sign = "<" if self.is_descending else ">"
        names = ", ".join(f"{alias}{column}" for column in self.columns)
        if len(place) == 1:
            return Fragment(f"{names} {sign} %s", place)
        return Fragment(f"({names}) {sign} ({', '.join(['%s'] * len(place))})", place)


@dataclass(frozen=True)
class Span:
    """The rows of one page in order, and whether there are rows before and after them."""

    rows: tuple[SortValues, ...]
    has_before: bool
    has_after: bool

    @property
    def row_ids(self) -> list[int]:
        """The ids of the rows."""
        return [int(row[-1]) for row in self.rows]

    def places(self) -> tuple[str | None, str | None]:
        """What `before` and `after` of the neighbouring pages are, None at an end."""
        if not self.rows:
            return None, None
        newer = write_place(self.rows[0]) if self.has_before else None
        return newer, write_place(self.rows[-1]) if self.has_after else None


def write_place(row: SortValues) -> str:
    """A place as it stands in an address: the row's ordinal, with the number it is sorted by."""
    ordinal = int(row[-1]) & ORDINAL_MASK
    return f"{row[0]!r}_{ordinal}" if len(row) == 2 else str(ordinal)


def read_place(text: str, home: int, order: Order, readable: Fragment = ALWAYS) -> SortValues | None:
    """The sort values of a place; BadPlaceError where it is not one, None where its row has gone or is not readable."""
    number, separator, ordinal = text.rpartition("_")
    try:
        row_id = first_row(home) | (int(ordinal) & ORDINAL_MASK)
        if len(order.columns) == 2:
            return float(number), row_id
    except ValueError as error:
        raise BadPlaceError("This page's place in the list cannot be read. Start from the first page.") from error
    if separator:
        raise BadPlaceError("This page's place in the list belongs to another order. Start from the first page.")
    if len(order.columns) == 1:
        return (row_id,)
    found = fetch(
        f"SELECT entity, key, id FROM facts_indexedfact f WHERE id = %s AND {readable.sql}", (row_id, *readable.params)
    )
    return found[0] if found else None


@dataclass(frozen=True)
class Reading:
    """Which way to read a page, from where, and how many rows at most; one more tells whether there are more."""

    order: Order
    place: SortValues | None
    is_backwards: bool
    limit: int = PAGE_ROWS + 1
    readable: Fragment = ALWAYS

    @classmethod
    def of(cls, chosen: FactFilter, home: int, scope: Scope) -> Self:
        """The reading that a filter asks for."""
        order = Order.of(chosen.sort)
        readable = may_read(scope) if order.is_by_name else ALWAYS
        if chosen.before:
            place = read_place(chosen.before, home, order, readable)
            return cls(order.backwards(), place, is_backwards=True, readable=readable)
        place = read_place(chosen.after, home, order, readable) if chosen.after else None
        return cls(order, place, is_backwards=False, readable=readable)

    def span(self, rows: Sequence[SortValues]) -> Span:
        """The page that these rows, read this way, make."""
        page, is_more = tuple(rows[:PAGE_ROWS]), len(rows) > PAGE_ROWS
        if self.is_backwards:
            return Span(page[::-1], has_before=is_more, has_after=True)
        return Span(page, has_before=self.place is not None, has_after=is_more)


def read_selected(
    home: int, selection: Selection, labels: TenantLabels, reading: Reading, *, at_least: float | None = None
) -> list[SortValues]:
    """The rows of a selection, none of them read to be refused where that can be avoided."""
    if reading.order.is_by_name:
        return _read_by_entity(home, selection, labels, reading, at_least)
    extra = ALWAYS if at_least is None else Fragment("effective >= %s", (at_least,))
    if selection.is_streams:
        return _first_of_each("stream", _streams(home, selection), reading, extra)
    found: list[SortValues] = []
    for stream, cells in _by_stream(home, selected_cells(home, selection)).items():
        if len(cells) <= FEW_CELLS:
            found += _first_of_each("cell", cells, reading, extra)
        elif sum(cells.values()) <= FEW_FACTS:
            found += _read_where(Fragment(f"cell IN ({numbers(cells)}) AND {extra.sql}", extra.params), reading)
        else:
            wanted = selection.condition("cell")
            found += _read_where(
                Fragment(f"stream = %s AND {wanted.sql} AND {extra.sql}", (stream, *extra.params)), reading
            )
    return sorted(found, reverse=reading.order.is_descending)[: reading.limit]


def _read_by_entity(
    home: int, selection: Selection, labels: TenantLabels, reading: Reading, at_least: float | None
) -> list[SortValues]:
    wanted = selection.condition("cell")
    extra = "" if at_least is None else " AND effective >= %s"
    params: tuple[SqlValue, ...] = () if at_least is None else (at_least,)
    if not selection.is_streams:
        cells = selected_cells(home, selection)
        if sum(cells.values()) <= FEW_FACTS:
            return _read_where(Fragment(f"cell IN ({numbers(cells)}){extra}", params), reading) if cells else []
    found: list[SortValues] = []
    for bounds in _entity_ranges(selection, labels):
        where = f"home = %s{bounds.sql} AND {wanted.sql}{extra}"
        found += _read_where(Fragment(where, (home, *bounds.params, *params)), reading)
    return sorted(found, reverse=reading.order.is_descending)[: reading.limit]


def _entity_ranges(selection: Selection, labels: TenantLabels) -> Iterable[Fragment]:
    """Where entities of the chosen kinds can be, so that a kind far down the order is not walked to."""
    kinds = None if selection.kinds is None else [labels.kinds.get(number, "") for number in selection.kinds]
    if kinds is None or not all(kinds):
        yield Fragment("")
        return
    for kind in kinds:
        end = prefix_end(kind)
        yield Fragment(" AND entity >= %s AND entity < %s", (prefix_start(kind), end))


def _first_of_each(column: str, groups: Iterable[int], reading: Reading, extra: Fragment) -> list[SortValues]:
    """The first rows over all of these groups: the first of each, then the first of those."""
    order = reading.order
    beyond = order.beyond(reading.place)
    names = ", ".join(order.columns)
    one = (
        f"SELECT * FROM (SELECT {names} FROM facts_indexedfact WHERE {column} = %s AND {beyond.sql} AND {extra.sql}"
        f" ORDER BY {order.by()} LIMIT {reading.limit}) one"
    )
    groups = list(groups)
    params = [param for group in groups for param in (group, *beyond.params, *extra.params)]
    if not groups:
        return []
    return fetch(f"{' UNION ALL '.join([one] * len(groups))} ORDER BY {order.by()} LIMIT {reading.limit}", params)


def _read_where(where: Fragment, reading: Reading) -> list[SortValues]:
    order = reading.order
    wanted = all_of(where, order.beyond(reading.place), reading.readable)
    return fetch(
        f"SELECT {', '.join(order.columns)} FROM facts_indexedfact f WHERE {wanted.sql}"
        f" ORDER BY {order.by()} LIMIT {reading.limit}",
        wanted.params,
    )


def _streams(home: int, selection: Selection) -> list[int]:
    freshness = selection.freshness if selection.freshness is not None else frozenset(FreshnessCode)
    return [pack_stream(home, state, code) for state in sorted(selection.states) for code in sorted(freshness)]


def _by_stream(home: int, cells: Mapping[int, int]) -> dict[int, dict[int, int]]:
    streams: dict[int, dict[int, int]] = {}
    for cell, facts in cells.items():
        parts = unpack_cell(cell)
        streams.setdefault(pack_stream(home, parts.state, parts.freshness), {})[cell] = facts
    return streams
