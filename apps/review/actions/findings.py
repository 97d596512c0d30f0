"""How a scan writes what it found, and how far it came."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction

from apps.facts.queries.scanning import Ground, Position
from apps.review.models import Finding
from apps.review.rules import Found, once


@dataclass(slots=True)
class ScanReport:
    """What a scan did: what was found is what was written and what was known."""

    compared: int = 0
    found: int = 0
    written: int = 0
    known: int = 0
    gone: int = 0

    def counts(self) -> dict[str, int]:
        """What a page says of it: how many pairs were compared, and found = new + known before."""
        return {
            "compared": self.compared,
            "found": self.found,
            "new": self.written,
            "known before": self.known,
            "settled": self.gone,
        }

    def as_numbers(self) -> dict[str, int]:
        """All of it, to go on with later."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ScanStep:
    """Where a scan of a home stands between two batches: it goes on after this entity, up to this position."""

    home: int
    position: Position
    after: int
    done: int
    total: int


Step = Callable[[ScanStep, ScanReport], bool]
"""Told where a scan stands between two batches, with what it did so far, in the transaction in which what was found is
written, so that a job's checkpoint and its findings never differ; says whether to go on."""


def go_on(step: ScanStep, report: ScanReport) -> bool:
    """Never ends a scan early."""
    return True


def write_findings(ground: Ground, found: Iterable[Found], report: ScanReport, *, now: datetime) -> None:
    """Writes what was found; a pair that is known keeps its number."""
    new = list(once(found))
    if not new:
        return
    with transaction.atomic():
        ids = [each.first_id for each in new]
        known = set(Finding.objects.filter(tenant=ground.tenant, first_id__in=ids).values_list("first_id", "second_id"))
        unknown = [each for each in new if (each.first_id, each.second_id) not in known]
        Finding.objects.bulk_create(
            [
                Finding(
                    tenant=ground.tenant,
                    kind=each.kind,
                    detector=each.detector,
                    first_id=each.first_id,
                    second_id=each.second_id,
                    found_at=now,
                )
                for each in unknown
            ],
            ignore_conflicts=True,
        )
    report.found += len(new)
    report.written += len(unknown)
    report.known += len(new) - len(unknown)
