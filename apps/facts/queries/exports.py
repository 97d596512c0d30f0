"""The current filter as a file: safe CSV, or exact JSONL."""

import csv
import io
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from apps.accounts.rules import Scope
from apps.facts.answers import Clocks, FactFilter, FactRow
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile, JournalMovedError
from apps.facts.models import Build, IndexedFact
from apps.facts.projector.builds import current_build, kept_builds, open_journal
from apps.facts.queries.candidates import count_unreadable, gather, needs_rows, read_page
from apps.facts.queries.cube import Selection, TenantLabels, selected_cells
from apps.facts.queries.facts import newest_row
from apps.facts.queries.lens import Lens, clocks_of, look_back
from apps.facts.queries.paging import Order, Reading, SortValues, read_selected
from apps.facts.queries.reading import is_private, links_outside, read_fact, show_row
from apps.facts.queries.scoping import current_home, may_read
from apps.facts.rules import PRIVATE, search_terms
from apps.facts.sql import fetch_number, numbers

CHUNK_FACTS = 500
OPENING_TRIES = 20
OPENING_PAUSE = 0.05
COLUMNS = (
    "fact_id",
    "entity",
    "key",
    "value",
    "state",
    "freshness",
    "confidence",
    "effective_confidence",
    "horizon",
    "version",
    "actor",
    "source_receipt",
    "stored_at",
    "valid_from",
    "valid_to",
    "supersedes",
    "superseded_by",
    "line",
)
FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def export_facts(
    scope: Scope,
    fact_filter: FactFilter,
    *,
    form: Literal["csv", "jsonl"],
    store: StoreFiles,
    now_ns: int,
) -> Iterator[bytes]:
    """The matching facts in the filter's order, a chunk at a time; stubs are left out.

    CSV is RFC 4180 in UTF-8, and a cell that a spreadsheet would take for a formula starts with an apostrophe. JSONL
    has the exact bytes of each fact as its line holds them. A search with very many answers comes newest first.
    What cannot be exported is refused before the first chunk.
    """
    clocks = clocks_of(fact_filter, store=store, now_ns=now_ns)
    return _chunks(scope, fact_filter, clocks, form=form, store=store)


def _chunks(
    scope: Scope, fact_filter: FactFilter, clocks: Clocks, *, form: Literal["csv", "jsonl"], store: StoreFiles
) -> Iterator[bytes]:
    if form == "csv":
        yield csv_lines([COLUMNS])
    with _kept_journal(store) as journal:
        for row_ids in find_row_ids(scope, fact_filter, clocks):
            rows = IndexedFact.objects.defer("search_text").in_bulk(row_ids)
            look_back([*rows.values()], clocks)
            readable = [row for row_id in row_ids if (row := rows.get(row_id)) is not None and _may_read(scope, row)]
            if form == "csv":
                yield csv_lines(_cells(row, scope, journal, clocks.now_ns) for row in readable)
            else:
                yield b"".join(journal.read(row.offset, row.length) + b"\n" for row in readable)


@contextmanager
def _kept_journal(store: StoreFiles) -> Iterator[JournalFile]:
    """The journal of the build that answers now, both kept as they are while the file is made."""
    with kept_builds(store.data_dir):
        for _ in range(OPENING_TRIES):
            build = current_build()
            with open_journal(store) as journal:
                if build is None or _is_journal_of(build, journal):
                    yield journal
                    return
            time.sleep(OPENING_PAUSE)
    raise JournalMovedError("The journal was replaced and is being read again. Export it when that is done.")


def _is_journal_of(build: Build, journal: JournalFile) -> bool:
    try:
        return build.inode in ("", journal.inode)
    except JournalMovedError:
        return False


def count_left_out(scope: Scope, fact_filter: FactFilter, *, store: StoreFiles, now_ns: int) -> int:
    """How many private facts of others an export of this filter leaves out; by text and name none of them matches."""
    home = current_home(scope)
    if home is None or search_terms(fact_filter.q) or fact_filter.entity or fact_filter.key or fact_filter.import_id:
        return 0
    chosen = replace(fact_filter, sort="-recorded", after="", before="")
    labels = TenantLabels.of(home)
    selection = Selection.of(chosen, labels)
    lens = Lens.of(clocks_of(chosen, store=store, now_ns=now_ns), home)
    if needs_rows(chosen, selection) or scope.is_bound or not lens.is_now:
        return count_unreadable(scope, home, chosen, selection, labels, newest_row(home, lens), lens)
    private = numbers(cell for cell in selected_cells(home, selection) if cell & PRIVATE)
    readable = may_read(scope)
    return fetch_number(
        f"SELECT count(*) FROM facts_indexedfact f WHERE f.cell IN ({private}) AND NOT ({readable.sql})",
        readable.params,
    )


def find_row_ids(scope: Scope, fact_filter: FactFilter, clocks: Clocks) -> Iterator[list[int]]:
    """The rows of a filter in its order, chunk after chunk, whatever page it asks for."""
    home = current_home(scope)
    if home is None:
        return
    chosen = replace(fact_filter, after="", before="")
    labels = TenantLabels.of(home)
    selection = Selection.of(chosen, labels)
    lens = Lens.of(clocks, home)
    candidates = None
    if needs_rows(chosen, selection) or scope.is_bound or not lens.is_now:
        candidates = gather(scope, home, chosen, selection, labels, newest_row(home, lens), lens)
    order = Order.of(chosen.sort)
    if candidates is not None and candidates.is_capped:
        order = Order.of("-recorded")
    place: SortValues | None = None
    while True:
        reading = Reading(order, place, is_backwards=False, limit=CHUNK_FACTS)
        if candidates is None:
            found: Sequence[SortValues] = read_selected(home, selection, labels, reading)
        else:
            found = read_page(candidates, selection, reading, is_whole=True)
        if found:
            yield [int(row[-1]) for row in found]
        if len(found) < CHUNK_FACTS:
            return
        place = tuple(found[-1])


def _may_read(scope: Scope, row: IndexedFact) -> bool:
    return scope.is_within(row.entity) and scope.may_read(private=is_private(row), owner=row.owner)


def _cells(row: IndexedFact, scope: Scope, journal: JournalFile, now_ns: int) -> list[str]:
    fact = read_fact(row, journal)
    outside = links_outside(scope, [row.superseded_by])
    shown: FactRow = show_row(row, scope, journal, now_ns, fact=fact, elsewhere=outside)
    return [
        shown.fact_id,
        shown.entity,
        shown.key,
        fact.value if fact is not None else "",
        shown.state,
        shown.freshness,
        repr(shown.confidence),
        repr(shown.effective),
        shown.horizon,
        str(shown.version),
        shown.actor,
        (fact.source_receipt or "") if fact is not None else "",
        fact.stored_at.text if fact is not None else shown.recorded_at.isoformat(),
        shown.valid_from.isoformat() if shown.valid_from else "",
        shown.valid_to.isoformat() if shown.valid_to else "",
        shown.supersedes,
        shown.superseded_by,
        str(shown.line_no),
    ]


def csv_lines(rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> bytes:
    """Rows as RFC 4180 in UTF-8; a cell that a spreadsheet would take for a formula starts with an apostrophe."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([_safe(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
