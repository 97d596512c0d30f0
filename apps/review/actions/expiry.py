"""Facts that may have had their day: a list for people, by the daemon's own rule; nothing is deleted.

A fact is proposed where it is stale, or stated with less than 0.3, unless it is private, linked to a receipt, stated
with 0.99 or more, or pinned. Here a pin that was taken off protects no longer.
"""

from datetime import datetime

from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile, JournalMovedError
from apps.facts.projector.builds import open_journal
from apps.facts.queries.scanning import Ageing, Ground, ageing_rows, rows_under
from apps.facts.rules import State
from apps.review.actions.findings import ScanReport, write_findings
from apps.review.models import Finding
from apps.review.rules import LOW_CONFIDENCE, Found, Kind, expiry_reason, is_protected

FACTS_AT_ONCE = 500
PIN_PREFIX = "__memory_pin::"
PINNED = "1"


def scan_expiry(ground: Ground, *, store: StoreFiles, now: datetime) -> ScanReport:
    """Looks at every fact that has grown stale or was never sure; what is no longer so goes from the list."""
    report = ScanReport()
    proposed: set[str] = set()
    with open_journal(store) as journal:
        pinned = _pinned(ground, journal)
        after = 0
        while rows := ageing_rows(ground, below=LOW_CONFIDENCE, after=after, limit=FACTS_AT_ONCE):
            report.compared += len(rows)
            found = [
                Found(Kind.EXPIRY, expiry_reason(is_stale=row.is_stale, confidence=row.confidence), row.fact_id, "")
                for row in rows
                if not is_protected(
                    has_receipt=_has_receipt(row, journal), confidence=row.confidence, is_pinned=row.fact_id in pinned
                )
            ]
            proposed.update(each.first_id for each in found)
            write_findings(ground, found, report, now=now)
            after = rows[-1].row_id
    report.gone = _drop_others(ground, proposed)
    return report


def _drop_others(ground: Ground, proposed: set[str]) -> int:
    kept = Finding.objects.filter(tenant=ground.tenant, kind=Kind.EXPIRY).values_list("number", "first_id")
    gone = [number for number, fact_id in kept.iterator() if fact_id not in proposed]
    for at in range(0, len(gone), FACTS_AT_ONCE):
        Finding.objects.filter(number__in=gone[at : at + FACTS_AT_ONCE]).delete()
    return len(gone)


def _has_receipt(row: Ageing, journal: JournalFile) -> bool:
    """Whether a receipt is linked; where the journal cannot be read now, the fact is left alone."""
    try:
        return journal.fact(row.offset, row.length, row.fact_id).source_receipt is not None
    except JournalMovedError:
        return True


def _pinned(ground: Ground, journal: JournalFile) -> set[str]:
    pinned = set()
    for row in rows_under(ground, PIN_PREFIX):
        if row.state == State.CURRENT and journal.fact(row.offset, row.length).value == PINNED:
            pinned.add(row.entity.rpartition("::")[2])
    return pinned
