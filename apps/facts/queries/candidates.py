"""Filters that the kept counters cannot answer: text, names, an import, a confidence, a rare label, another moment.

The newest matching facts are gathered, up to a cap; count and facets are exact below it and "at least" above it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from apps.accounts.rules import Scope
from apps.facts.answers import COUNT_CAP, OTHER, Count, FactFilter
from apps.facts.queries.cube import KEPT_STATES, Selection, TenantLabels, count_selected
from apps.facts.queries.lens import Lens
from apps.facts.queries.paging import Order, Reading, SortValues
from apps.facts.queries.scoping import may_read, places_within, within
from apps.facts.rules import OTHER_LABEL, first_row, indexed, kind_of, search_terms
from apps.facts.search import Found, contains, find_rows
from apps.facts.sql import ALWAYS, Fragment, SqlValue, all_of, fetch, fetch_number, places

MANY_CONFIDENT = 20_000
COUNTED_ROWS = 20_000
LENS_NOTE = "At another moment than now, the newest {cap:,} facts are looked through."
SORTED_NOTE = "More than {cap:,} facts match; the newest {cap:,} of them are sorted."


@dataclass(frozen=True)
class Candidates:
    """The newest matching facts, whatever their facets: where they are, how many a cell, whether there are more.

    What a lens had to work out for each, its cell and then its sort values, is kept in `scanned`: it is done once.
    """

    found: Found
    cells: Mapping[int, int]
    is_capped: bool
    lens: Lens
    scanned: Sequence[SortValues] | None = None

    def count(self, selection: Selection) -> Count:
        """How many of them have the chosen facets."""
        matching = sum(facts for cell, facts in self.cells.items() if selection.takes(cell))
        return Count(min(matching, COUNT_CAP), self.is_capped)


def needs_rows(chosen: FactFilter, selection: Selection) -> bool:
    """Whether cells alone cannot answer this filter."""
    by_text = search_terms(chosen.q) or chosen.entity or chosen.key or chosen.import_id
    return bool(by_text) or chosen.min_confidence is not None or not selection.is_exact


def gather(
    scope: Scope,
    home: int,
    chosen: FactFilter,
    selection: Selection,
    labels: TenantLabels,
    newest: int,
    lens: Lens | None = None,
    order: Order | None = None,
) -> Candidates:
    """The newest facts that match in all but the facets, read through a lens; without one, as they are.

    A page through a lens in this order is taken from what was scanned.
    """
    lens = lens or Lens.now()
    found = _found(scope, home, chosen, selection, labels, newest, lens)
    if order is not None and not lens.is_now:
        scan = _newest(found, lens.named("cell", *order.columns), COUNT_CAP + 1)
        rows = fetch(scan.sql, scan.params)
        counts = Counter(map(itemgetter(0), rows))
        is_capped = len(rows) > COUNT_CAP or found.count_from > 0
        return Candidates(found, counts, is_capped, lens, rows[:COUNT_CAP])
    newest_ones = _newest(found, lens.named("cell"), COUNT_CAP + 1)
    counted = fetch(f"SELECT cell, count(*) FROM ({newest_ones.sql}) few GROUP BY cell", newest_ones.params)
    cells = {cell: int(facts) for cell, facts in counted}
    return Candidates(found, cells, is_capped=sum(cells.values()) > COUNT_CAP or found.count_from > 0, lens=lens)


def read_page(
    candidates: Candidates, selection: Selection, reading: Reading, *, is_whole: bool = False
) -> list[SortValues]:
    """One page of the candidates that have the chosen facets; in recorded order it goes on beyond the cap.

    Through a lens it does so only where most rows are taken, since no index leads to the few, or where all are wanted.
    """
    order, found, lens = reading.order, candidates.found, candidates.lens
    if order.columns == ("id",) and (is_whole or lens.is_now or _takes_most(selection)):
        return _read_on(found, selection, reading, lens)
    if candidates.scanned is not None:
        taken = {cell for cell in candidates.cells if selection.takes(cell)}
        return _from_scan(candidates.scanned, taken, reading)
    columns = ", ".join(order.columns)
    newest_ones = _newest(found, lens.named("cell", *order.columns), COUNT_CAP)
    wanted = all_of(selection.condition("cell"), order.beyond(reading.place))
    return fetch(
        f"SELECT {columns} FROM ({newest_ones.sql}) few WHERE {wanted.sql} ORDER BY {order.by()} LIMIT {reading.limit}",
        (*newest_ones.params, *wanted.params),
    )


def count_facts(scope: Scope, home: int, chosen: FactFilter, labels: TenantLabels) -> Count:
    """How many facts a filter lets through: the kept counters say it, for a bound scope the rows."""
    selection = Selection.of(chosen, labels)
    if not scope.is_bound:
        return Count(count_selected(home, selection))
    return gather(scope, home, chosen, selection, labels, first_row(home + 1) - 1).count(selection)


def count_unreadable(
    scope: Scope,
    home: int,
    chosen: FactFilter,
    selection: Selection,
    labels: TenantLabels,
    newest: int,
    lens: Lens,
) -> int:
    """How many facts that match, facets and all, are private and not the scope's to read; all of them are counted."""
    found = _found(scope, home, chosen, selection, labels, newest, lens)
    readable, wanted = may_read(scope), selection.condition(lens.column("cell"))
    where = all_of(found.where, _walk(found), wanted, Fragment(f"NOT ({readable.sql})", readable.params))
    return fetch_number(f"SELECT count(*) FROM {found.source} WHERE {where.sql}", where.params)


def note_of(candidates: Candidates, selection: Selection, order: Order) -> str:
    """What a page must say about how far this answer goes."""
    notes = [candidates.found.note]
    if candidates.is_capped and not candidates.lens.is_now and not _takes_most(selection):
        notes.append(LENS_NOTE.format(cap=COUNT_CAP))
    elif candidates.is_capped and order.columns != ("id",):
        notes.append(SORTED_NOTE.format(cap=COUNT_CAP))
    return " ".join(note for note in notes if note)


def _newest(found: Found, columns: str, cap: int) -> Fragment:
    """The newest of the rows found, from where on they are counted."""
    where = all_of(found.where, _walk(found, first=found.count_from))
    return Fragment(
        f"SELECT {columns} FROM {found.source} WHERE {where.sql} ORDER BY {found.order} DESC LIMIT {cap}", where.params
    )


def _from_scan(scanned: Sequence[SortValues], taken: set[int], reading: Reading) -> list[SortValues]:
    is_descending, place = reading.order.is_descending, reading.place
    rows = [row[1:] for row in scanned if row[0] in taken]
    if place is not None:
        rows = [row for row in rows if (row < place if is_descending else row > place)]
    return sorted(rows, reverse=is_descending)[: reading.limit]


def _takes_most(selection: Selection) -> bool:
    return selection.is_streams and selection.freshness is None and selection.states >= frozenset(KEPT_STATES)


def _read_on(found: Found, selection: Selection, reading: Reading, lens: Lens) -> list[SortValues]:
    direction = " DESC" if reading.order.is_descending else ""
    wanted = selection.condition(lens.column("cell"))
    where = all_of(found.where, _beyond(found, reading), wanted)
    return fetch(
        f"SELECT f.id FROM {found.source} WHERE {where.sql} ORDER BY {found.order}{direction} LIMIT {reading.limit}",
        where.params,
    )


def _beyond(found: Found, reading: Reading) -> Fragment:
    """The condition that rows come after the place that a page goes on from."""
    if reading.place is None:
        return _walk(found)
    row_id = int(reading.place[-1])
    return _walk(found, last=row_id - 1) if reading.order.is_descending else _walk(found, first=row_id + 1)


def _walk(found: Found, *, first: int = 0, last: int | None = None) -> Fragment:
    """The rows to walk, with one bound a side; only these bounds where an index leads to the rows."""
    if found.span is None:
        parts = [Fragment(f"{found.order} >= %s", (first,))] if first else []
        parts += [Fragment(f"{found.order} <= %s", (last,))] if last is not None else []
        return all_of(*parts) if parts else ALWAYS
    bounds = max(found.span[0], first), found.span[1] if last is None else min(found.span[1], last)
    return Fragment(f"{found.order} BETWEEN %s AND %s", bounds)


def _found(
    scope: Scope,
    home: int,
    chosen: FactFilter,
    selection: Selection,
    labels: TenantLabels,
    newest: int,
    lens: Lens,
) -> Found:
    """The narrowest source first; everything else becomes a condition on its rows."""
    terms = search_terms(chosen.q)
    source, note, order, count_from, span = "facts_indexedfact f", "", "f.id", 0, None
    conditions = [_labels_condition(chosen, labels)]
    if chosen.entity or chosen.key:
        conditions.insert(0, _named(home, chosen))
        conditions += [contains(term) for term in terms]
    elif terms:
        found = find_rows(home, terms, newest)
        source, note, order, count_from = found.source, found.note, found.order, found.count_from
        span = found.span
        conditions.insert(0, found.where)
    elif chosen.import_id:
        conditions.insert(0, Fragment("f.home = %s", (home,)))
    elif scope.is_bound:
        conditions.insert(0, places_within(scope, home))
    elif chosen.min_confidence is not None and selection.is_exact and lens.is_now:
        few = _confident_rows(home, selection, chosen.min_confidence)
        conditions.insert(0, few or ALWAYS)
        count_from, span = (0, None) if few else (_window(home, newest), _all_rows(home))
    else:
        count_from, span = _window(home, newest), _all_rows(home)
    if chosen.import_id:
        conditions.append(Fragment("f.import_id = %s", (indexed(chosen.import_id),)))
    if chosen.min_confidence is not None:
        conditions.append(Fragment(f"{lens.column('effective')} >= %s", (chosen.min_confidence,)))
    if terms or chosen.entity or chosen.key or chosen.import_id or Order.of(chosen.sort).is_by_name:
        conditions.append(may_read(scope))
    conditions.append(within(scope))
    if lens.newest is not None and span is not None:
        span = span[0], min(span[1], lens.newest)
    elif lens.newest is not None:
        # `+ 0` leaves the planner with the index that leads to the rows
        conditions.append(Fragment("f.id + 0 <= %s", (lens.newest,)))
    where = all_of(*(condition for condition in conditions if condition.sql), lens.condition)
    return Found(source + lens.joins, where, order, note, count_from, span)


def _named(home: int, chosen: FactFilter) -> Fragment:
    parts: list[str] = ["f.home = %s"]
    params: list[SqlValue] = [home]
    for column, text in (("entity", chosen.entity), ("key", chosen.key)):
        if text:
            parts.append(f"f.{column} = %s")
            params.append(indexed(text))
    return Fragment(" AND ".join(parts), tuple(params))


def _labels_condition(chosen: FactFilter, labels: TenantLabels) -> Fragment:
    """Kinds and actors without a number are compared as text: an entity of such a kind starts with it."""
    conditions = []
    rare = [actor for actor in chosen.actor if actor != OTHER and indexed(actor) not in labels.actors.values()]
    if rare and OTHER not in chosen.actor:
        known = [actor for actor in chosen.actor if actor not in rare]
        names = [indexed(actor) for actor in (*rare, *known)]
        conditions.append(Fragment(f"f.actor IN ({places(names)})", tuple(names)))
    odd = [kind for kind in chosen.kind if kind != OTHER and kind not in labels.kinds.values()]
    if odd and OTHER not in chosen.kind:
        conditions.append(_unnumbered_kinds(odd))
    return all_of(*conditions)


def _unnumbered_kinds(kinds: Sequence[str]) -> Fragment:
    """Facts of these kinds among those whose kind has no number; what is no kind is no beginning to look for either."""
    whole = [kind for kind in kinds if kind and kind_of(kind) == kind]
    parts = [f"(f.cell >> 17) & 255 <> {OTHER_LABEL}"]
    for kind in whole:
        start = f"substr(f.entity, 1, {len(kind)}) = %s"
        parts.append(start if kind.endswith("::") else f"({start} AND substr(f.entity, {len(kind) + 1}, 1) <> ':')")
    return Fragment(f"({' OR '.join(parts)})", tuple(whole))


def _confident_rows(home: int, selection: Selection, at_least: float) -> Fragment | None:
    """The rows that are confident enough, where they are few; None where they are many."""
    streams = ", ".join(str(home << 4 | state << 2 | code) for state in sorted(selection.states) for code in range(3))
    rows = f"SELECT id FROM facts_indexedfact WHERE stream IN ({streams}) AND effective >= %s"
    if fetch_number(f"SELECT count(*) FROM ({rows} LIMIT {MANY_CONFIDENT + 1}) few", (at_least,)) > MANY_CONFIDENT:
        return None
    return Fragment(f"f.id IN ({rows})", (at_least,))


def _window(home: int, newest: int) -> int:
    """From which row on a filter is counted that no index answers; 0 where that is every row."""
    return newest - COUNTED_ROWS if newest - COUNTED_ROWS > first_row(home) else 0


def _all_rows(home: int) -> tuple[int, int]:
    return first_row(home), first_row(home + 1) - 1
