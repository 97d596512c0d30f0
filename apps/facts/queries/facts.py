"""The list of facts: filter, facets, search, keyset pages."""

from apps.accounts.rules import Scope
from apps.facts.answers import Count, FactFilter, FactsPage, Steps
from apps.facts.files import StoreFiles
from apps.facts.projector import index_lag
from apps.facts.projector.builds import open_journal
from apps.facts.queries.candidates import Candidates, count_facts, gather, needs_rows, note_of, read_page
from apps.facts.queries.cube import (
    Selection,
    TenantLabels,
    count_selected,
    facets_of,
    facets_of_cells,
    has_private,
)
from apps.facts.queries.lens import Lens, clocks_of
from apps.facts.queries.paging import Order, Reading, Span, read_selected
from apps.facts.queries.reading import read_rows
from apps.facts.queries.scoping import current_home
from apps.facts.queries.steps import tenant_steps
from apps.facts.rules import first_row
from apps.facts.sql import fetch_number

UNPLACED_NOTE = "Private facts of others have no place by entity and key; sort by Recorded to see them among the rest."


def find_facts(scope: Scope, fact_filter: FactFilter, *, store: StoreFiles, now_ns: int) -> FactsPage:
    """One page of the facts that the filter lets through, with exact counts where they are not capped."""
    lag = index_lag(store, now_ns=now_ns)
    home = current_home(scope)
    clocks = clocks_of(fact_filter, store=store, now_ns=now_ns)
    if home is None:
        return FactsPage((), Count(0), Count(0), (), None, None, "", clocks, Steps("", ""), lag)
    lens = Lens.of(clocks, home)
    labels = TenantLabels.of(home)
    selection = Selection.of(fact_filter, labels)
    everything = Selection.of(FactFilter(), labels)
    newest = newest_row(home, lens)
    by_rows = needs_rows(fact_filter, selection) or scope.is_bound
    candidates = None
    if by_rows or not lens.is_now:
        order = Order.of(fact_filter.sort)
        candidates = gather(scope, home, fact_filter, selection, labels, newest, lens, order)
    span, note = select_span(scope, home, fact_filter, selection, labels, candidates)
    if candidates is None:
        count = Count(count_selected(home, selection))
        facets = facets_of(home, fact_filter, labels)
    else:
        count = candidates.count(selection)
        facets = facets_of_cells(candidates.cells, fact_filter, labels, is_capped=candidates.is_capped)
    newer, older = span.places()
    with open_journal(store) as journal:
        rows = read_rows(span.row_ids, scope, journal, clocks.now_ns, clocks=clocks)
    if candidates is None or lens.is_now:
        total = count_facts(scope, home, FactFilter(), labels)
    else:
        all_facts = gather(scope, home, FactFilter(), everything, labels, newest, lens) if by_rows else candidates
        total = all_facts.count(everything)
    steps = tenant_steps(scope, home, clocks, newest)
    return FactsPage(rows, count, total, facets, newer, older, note, clocks, steps, lag)


def select_span(
    scope: Scope,
    home: int,
    fact_filter: FactFilter,
    selection: Selection,
    labels: TenantLabels,
    candidates: Candidates | None,
) -> tuple[Span, str]:
    """The rows of the page that a filter asks for, and what must be said about them."""
    reading = Reading.of(fact_filter, home, scope)
    if candidates is None:
        note = UNPLACED_NOTE if reading.order.is_by_name and has_private(home, selection) else ""
        return reading.span(read_selected(home, selection, labels, reading)), note
    is_narrow = scope.is_bound or not is_only_confidence(fact_filter, selection)
    if candidates.is_capped and candidates.lens.is_now and not is_narrow:
        rows = read_selected(home, selection, labels, reading, at_least=fact_filter.min_confidence)
        return reading.span(rows), ""
    return reading.span(read_page(candidates, selection, reading)), note_of(candidates, selection, reading.order)


def is_only_confidence(fact_filter: FactFilter, selection: Selection) -> bool:
    """Whether a lowest confidence is all that cells cannot answer: streams are sorted by it."""
    by_text = fact_filter.q.strip() or fact_filter.entity or fact_filter.key or fact_filter.import_id
    return selection.is_exact and not by_text


def newest_row(home: int, lens: Lens) -> int:
    """The highest row id of a home that a lens shows; the one below its first where it has no facts."""
    if lens.newest is not None:
        return lens.newest
    rows = first_row(home), first_row(home + 1) - 1
    return fetch_number("SELECT max(id) FROM facts_indexedfact WHERE id BETWEEN %s AND %s", rows) or rows[0]
