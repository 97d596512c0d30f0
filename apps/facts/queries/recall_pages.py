"""The daemon's lists over the index: facts newest first, an export oldest first, and the entities.

Each page is what the rules of `cruxstore.facts.recall.pages` say of all facts that the scope may read; the index leads
to its place, so that a late page costs what the first one does.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from apps.accounts.rules import Scope
from apps.facts.files import StoreFiles
from apps.facts.queries.exact import read_facts
from apps.facts.queries.recall_rows import (
    FACTS,
    PUBLIC,
    holding,
    is_exact_prefix,
    is_storable,
    of_home,
    prefixed,
    readable,
    standing,
)
from apps.facts.queries.scoping import current_home, may_read, places_within, within
from apps.facts.rules import PRIVATE, Rollup, State, cell_range, unpack_cell, was_cut
from apps.facts.sql import Fragment, all_of, fetch, fetch_number, numbers
from cruxstore.facts.recall import pages
from cruxstore.facts.recall.pages import ExportPage, ListPage, ListQuery
from cruxstore.facts.records import Fact

_MS = "((f.stored_at_us - ((f.stored_at_us %% 1000) + 1000) %% 1000) / 1000)"
_LAST_US = (1 << 63) - 1
_MORE = 4


def list_facts(scope: Scope, query: ListQuery, *, store: StoreFiles) -> ListPage:
    """A page of the facts that are not private, newest first; raises BadCursorError and BlankQueryError."""
    nothing = pages.list_page(query, ())
    home = current_home(scope)
    if home is None:
        return nothing
    where = _listed(scope, home, query)
    if query.query is not None or not (is_exact_prefix(query.entity_prefix) and is_storable(query.cursor or "")):
        source = FACTS
        if query.query is not None:
            source, found = holding(home, ((query.query,),))
            where = all_of(found, where)
        page = pages.list_page(query, _read(scope, source, where, store))
    else:
        rows = _rows_behind(home, where, query)
        page = pages.list_page(query, _read(scope, FACTS, Fragment(f"f.id IN ({numbers(rows)})"), store))
        visible = fetch_number(f"SELECT count(*) FROM {FACTS} WHERE {where.sql}", where.params)
        page = replace(page, total_visible=visible)
    return replace(page, total_nondeleted=_count_not_deleted(scope, home))


def export_page(
    scope: Scope, *, limit: int, cursor: str | None = None, since_ns: int | None = None, store: StoreFiles
) -> ExportPage:
    """A page of the facts that are not private, oldest first; raises UnknownCursorError."""
    home = current_home(scope)
    if home is None:
        return pages.export_page((), limit=limit, cursor=cursor, since_ns=since_ns)
    where = all_of(Fragment("f.home = %s", (home,)), standing(has_superseded=True), PUBLIC, within(scope))
    if cursor is not None:
        last = all_of(where, Fragment("f.fact_id = %s", (cursor,)))
        places = (
            fetch(f"SELECT f.stored_at_us FROM {FACTS} WHERE {last.sql}", last.params) if is_storable(cursor) else []
        )
        if not places:
            return pages.export_page((), limit=limit, cursor=cursor)
        where = all_of(where, Fragment("f.stored_at_us >= %s", places[0]))
    if since_ns is not None:
        where = all_of(where, Fragment("f.stored_at_us >= %s", (since_ns // 1000,)))
    rows = limit + 1
    while True:
        end = _place_of(where, rows, "ASC")
        until = where if end is None else all_of(where, Fragment("f.stored_at_us <= %s", (end,)))
        facts = list(_read(scope, FACTS, until, store))
        page = pages.export_page(facts, limit=limit, cursor=cursor, since_ns=since_ns)
        if page.has_more or end is None or limit < 1:
            return page
        rows *= _MORE


def live_entities(scope: Scope, *, store: StoreFiles) -> list[str]:
    """The entities that have a fact that is not deleted, in order."""
    home = current_home(scope)
    if home is None:
        return []
    live = readable(scope, has_superseded=True)
    found = fetch(
        "SELECT text, one FROM ("
        f"SELECT n.text, (SELECT f.id FROM {FACTS} WHERE f.home = n.home AND f.entity = n.text AND {live.sql} LIMIT 1)"
        " AS one FROM facts_name n WHERE n.home = %s AND n.role = 'e' AND n.facts > 0) names WHERE one IS NOT NULL",
        (*live.params, home),
    )
    rows = Fragment(f"f.id IN ({numbers(row for text, row in found if was_cut(text))})")
    cut = [fact.entity for fact in _read(scope, FACTS, rows, store)]
    return sorted([*(text for text, _ in found if not was_cut(text)), *cut])


def _read(scope: Scope, source: str, where: Fragment, store: StoreFiles) -> Iterator[Fact]:
    return read_facts(source, where, scope=scope, store=store)


def _listed(scope: Scope, home: int, query: ListQuery) -> Fragment:
    """What is listed, but for its text."""
    parts = [of_home(home), standing(has_superseded=query.include_superseded), PUBLIC, within(scope)]
    if query.entity_prefix is not None:
        parts.append(prefixed(home, (query.entity_prefix,)))
    if query.stored_until_ms is not None:
        parts.append(_stored_before(query.stored_until_ms + 1))
    return all_of(*parts)


def _rows_behind(home: int, where: Fragment, query: ListQuery) -> list[int]:
    """The rows of a page and the one after it; milliseconds and ids are the same in index and journal."""
    where = all_of(Fragment("f.home = %s", (home,)), where)
    if query.cursor is not None:
        ms, fact_id = pages.parse_list_cursor(query.cursor)
        earlier = _stored_before(ms)
        same = Fragment(f"({earlier.sql} OR f.fact_id < %s)", (*earlier.params, fact_id))
        where = all_of(where, _stored_before(ms + 1), same)
    last = _place_of(where, query.limit + 1, "DESC")
    if last is not None:
        where = all_of(where, Fragment("f.stored_at_us >= %s", (last // 1000 * 1000,)))
    rows = fetch(
        f"SELECT f.id FROM {FACTS} WHERE {where.sql} ORDER BY {_MS} DESC, f.fact_id DESC LIMIT %s",
        (*where.params, query.limit + 1),
    )
    return [row_id for (row_id,) in rows]


def _place_of(where: Fragment, number: int, direction: Literal["ASC", "DESC"]) -> int | None:
    """When the row with this number was stored, counted from one end; None where there are fewer."""
    rows = fetch(
        f"SELECT f.stored_at_us FROM {FACTS} WHERE {where.sql} ORDER BY f.stored_at_us {direction} LIMIT 1 OFFSET %s",
        (*where.params, number - 1),
    )
    return None if not rows else int(rows[0][0])


def _stored_before(ms: int) -> Fragment:
    return Fragment("f.stored_at_us < %s", (max(-_LAST_US, min(ms * 1000, _LAST_US)),))


def _count_not_deleted(scope: Scope, home: int) -> int:
    """How many facts the scope may read that are not deleted: public ones are counted in cells, unless it is bound."""
    if scope.is_bound:
        live = all_of(places_within(scope, home), readable(scope, has_superseded=True))
        return fetch_number(f"SELECT count(*) FROM {FACTS} WHERE {live.sql}", live.params)
    cells = fetch("SELECT id, facts FROM facts_cell WHERE id BETWEEN %s AND %s", cell_range(home, Rollup.BOTH))
    kept = [(cell, facts) for cell, facts in cells if unpack_cell(cell).state != State.DELETED]
    private = numbers(cell for cell, facts in kept if facts and cell & PRIVATE)
    mine = may_read(scope)
    own = fetch_number(f"SELECT count(*) FROM {FACTS} WHERE f.cell IN ({private}) AND {mine.sql}", mine.params)
    return own + sum(int(facts) for cell, facts in kept if not cell & PRIVATE)
