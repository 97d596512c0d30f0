"""What a curator wants at nine in the morning."""

from collections import Counter
from datetime import UTC, datetime

from apps.accounts.rules import Scope
from apps.facts.answers import COUNT_CAP, Count, FactFilter, FactRow, NamedCount, Overview
from apps.facts.files import StoreFiles
from apps.facts.projector import index_lag
from apps.facts.projector.builds import open_journal
from apps.facts.queries.candidates import count_facts, gather, read_page
from apps.facts.queries.cube import Selection, TenantLabels
from apps.facts.queries.paging import Order, Reading, read_selected
from apps.facts.queries.reading import read_rows
from apps.facts.queries.scoping import current_home, within
from apps.facts.rules import PRIVATE, State, first_row
from apps.facts.sql import fetch, fetch_number

DAY_MS = 24 * 3600 * 1000
SHORT_LIST = 6
NEWEST = 10
MOST_ACTORS = 12

_CHUNK = 500


def overview(scope: Scope, *, store: StoreFiles, now_ns: int) -> Overview:
    """New, stale, contradicting and soon stale facts of the tenant, since a day ago."""
    now_ms = now_ns // 1_000_000
    since = datetime.fromtimestamp((now_ms - DAY_MS) / 1000, UTC)
    lag = index_lag(store, now_ns=now_ns)
    home = current_home(scope)
    if home is None:
        zero = Count(0)
        return Overview(
            since=since,
            total=zero,
            new=zero,
            new_by_actor=(),
            newly_stale=zero,
            newly_stale_rows=(),
            stale=zero,
            conflicts=zero,
            conflict_rows=(),
            held=zero,
            private=zero,
            going_stale=zero,
            going_stale_rows=(),
            newest=(),
            lag=lag,
        )
    labels = TenantLabels.of(home)
    new, by_actor = _new_facts(scope, home, (now_ms - DAY_MS) * 1000)
    with open_journal(store) as journal:

        def shown(row_ids: list[int]) -> tuple[FactRow, ...]:
            return read_rows(row_ids, scope, journal, now_ns)

        def counted(chosen: FactFilter) -> Count:
            return count_facts(scope, home, chosen, labels)

        newly_stale, newly_stale_ids = _between(scope, home, now_ms - DAY_MS, now_ms, newest_first=True)
        going_stale, going_stale_ids = _between(scope, home, now_ms, now_ms + DAY_MS, newest_first=False)
        return Overview(
            since=since,
            total=counted(FactFilter()),
            new=new,
            new_by_actor=by_actor,
            newly_stale=newly_stale,
            newly_stale_rows=shown(newly_stale_ids),
            stale=counted(FactFilter(state=("current",), freshness=("stale",))),
            conflicts=counted(FactFilter(state=("current",), marks=("conflict",))),
            conflict_rows=shown(
                _newest(scope, home, FactFilter(state=("current",), marks=("conflict",)), labels, SHORT_LIST)
            ),
            held=counted(FactFilter(marks=("held",))),
            private=counted(FactFilter(marks=("private",))),
            going_stale=going_stale,
            going_stale_rows=shown(going_stale_ids),
            newest=shown(_newest(scope, home, FactFilter(), labels, NEWEST)),
            lag=lag,
        )


def _newest(scope: Scope, home: int, chosen: FactFilter, labels: TenantLabels, rows: int) -> list[int]:
    reading = Reading(Order.of("-recorded"), None, is_backwards=False, limit=rows)
    selection = Selection.of(chosen, labels)
    if scope.is_bound:
        candidates = gather(scope, home, chosen, selection, labels, first_row(home + 1) - 1)
        return [int(row[-1]) for row in read_page(candidates, selection, reading)]
    return [int(row[-1]) for row in read_selected(home, selection, labels, reading)]


def _new_facts(scope: Scope, home: int, since_us: int) -> tuple[Count, tuple[NamedCount, ...]]:
    """The facts recorded since, by actor; read backwards until a whole chunk is older."""
    actors: Counter[str] = Counter()
    before, new, inside = first_row(home + 1), 0, within(scope)
    while new < COUNT_CAP:
        rows = fetch(
            "SELECT f.id, f.cell, f.actor, f.stored_at_us FROM facts_indexedfact f"
            f" WHERE f.id >= %s AND f.id < %s AND {inside.sql} ORDER BY f.id DESC LIMIT {_CHUNK}",
            (first_row(home), before, *inside.params),
        )
        young = [(cell, actor) for _, cell, actor, stored_at_us in rows if stored_at_us >= since_us]
        new += len(young)
        actors.update(actor for cell, actor in young if not cell & PRIVATE)
        if not young or len(rows) < _CHUNK:
            break
        before = rows[-1][0]
    is_capped = new >= COUNT_CAP
    named = actors.most_common(MOST_ACTORS)
    return Count(new, is_capped), tuple(NamedCount(name, Count(facts, is_capped)) for name, facts in named)


def _between(scope: Scope, home: int, after_ms: int, until_ms: int, *, newest_first: bool) -> tuple[Count, list[int]]:
    """Current facts whose last fresh moment lies between two moments: how many, and the nearest to now."""
    inside = within(scope)
    where = (
        "FROM facts_indexedfact f WHERE f.home = %s AND f.stale_at_ms IS NOT NULL"
        f" AND f.stale_at_ms >= %s AND f.stale_at_ms < %s AND (f.cell >> 7) & 3 = {State.CURRENT:d} AND {inside.sql}"
    )
    params = (home, after_ms, until_ms, *inside.params)
    direction = "DESC" if newest_first else "ASC"
    found = fetch_number(f"SELECT count(*) FROM (SELECT 1 {where} LIMIT {COUNT_CAP + 1}) few", params)
    nearest = fetch(f"SELECT f.id {where} ORDER BY f.stale_at_ms {direction} LIMIT {SHORT_LIST}", params)
    row_ids = [row_id for (row_id,) in nearest]
    return Count(min(found, COUNT_CAP), is_capped=found > COUNT_CAP), row_ids
