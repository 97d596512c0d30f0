"""What scans found, as a page shows it: both sides as they stand now, and why they were put side by side."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count as Counted

from apps.accounts.rules import Scope
from apps.facts.answers import FactRow, Lag
from apps.facts.files import StoreFiles
from apps.facts.projector import index_lag
from apps.facts.projector.builds import open_journal
from apps.facts.queries.reading import read_rows
from apps.facts.queries.scanning import Ground, rows_of_facts
from apps.review.models import Finding, ScanState
from apps.review.rules import Kind

PAGE_FINDINGS = 20
LOOKED_AT = 200
"""How many findings are looked at for one page, for of some the facts no longer stand."""


@dataclass(frozen=True)
class FindingRow:
    """One finding; `second` is missing where it is about a single fact."""

    number: int
    kind: Kind
    detector: str
    found_at: datetime
    first: FactRow
    second: FactRow | None


@dataclass(frozen=True)
class FindingsPage:
    """Findings of one kind or all pairs, the newest first; `before` is where the next page begins."""

    rows: tuple[FindingRow, ...]
    kind: Kind | None
    counts: tuple[tuple[Kind, int], ...]
    before: int | None
    scanned_at: datetime | None
    lag: Lag


def find_findings(
    scope: Scope, *, store: StoreFiles, now_ns: int, kind: Kind | None = None, before: int | None = None
) -> FindingsPage:
    """A page of findings whose facts stand and may be read; without a kind, all that put two facts side by side.

    Counts are of what the scans found last. A bound scope has none: pairs reach over entities.
    """
    if scope.is_bound:
        nothing = tuple((each, 0) for each in Kind)
        return FindingsPage((), kind, nothing, None, None, index_lag(store, now_ns=now_ns))
    found = Finding.objects.filter(tenant=scope.tenant).order_by("-number")
    found = found.exclude(kind=Kind.EXPIRY) if kind is None else found.filter(kind=kind)
    if before is not None:
        found = found.filter(number__lt=before)
    looked_at = list(found[:LOOKED_AT])
    rows = _shown(scope, looked_at, store=store, now_ns=now_ns)
    has_more = len(rows) > PAGE_FINDINGS or len(looked_at) == LOOKED_AT
    page = rows[:PAGE_FINDINGS]
    last = page[-1].number if len(rows) > PAGE_FINDINGS else looked_at[-1].number if looked_at else None
    return FindingsPage(
        rows=tuple(page),
        kind=kind,
        counts=_counts(scope),
        before=last if has_more else None,
        scanned_at=_scanned_at(scope),
        lag=index_lag(store, now_ns=now_ns),
    )


def _shown(scope: Scope, findings: list[Finding], *, store: StoreFiles, now_ns: int) -> list[FindingRow]:
    ids = sorted({fact_id for each in findings for fact_id in (each.first_id, each.second_id) if fact_id})
    row_ids = [fact.row_id for fact in rows_of_facts(Ground.of(scope), ids)]
    with open_journal(store) as journal:
        facts = {row.fact_id: row for row in read_rows(row_ids, scope, journal, now_ns)}
    shown = []
    for each in findings:
        first, second = facts.get(each.first_id), facts.get(each.second_id)
        if first is not None and not _is_settled(each, first, second):
            shown.append(FindingRow(each.number, Kind(each.kind), each.detector, each.found_at, first, second))
    return shown


def _is_settled(finding: Finding, first: FactRow, second: FactRow | None) -> bool:
    """Whether a side of it is gone, so that nobody has to look at it any more."""
    if finding.kind == Kind.EXPIRY:
        return first.state != "current"
    if second is None or second.state != "current":
        return True
    return finding.detector != "flip" and first.state != "current"


def _counts(scope: Scope) -> tuple[tuple[Kind, int], ...]:
    counted = dict(
        Finding.objects.filter(tenant=scope.tenant).values_list("kind").annotate(number=Counted("number")).order_by()
    )
    return tuple((kind, counted.get(kind, 0)) for kind in Kind)


def _scanned_at(scope: Scope) -> datetime | None:
    newest = ScanState.objects.filter(tenant=scope.tenant).order_by("-ended_at").first()
    return None if newest is None else newest.ended_at
