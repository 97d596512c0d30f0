"""How a scan goes through a tenant: everything at first, in steps that can be gone on from, then only what is new.

What a step finds is worked out before its transaction, which is short: whoever acts on facts never waits for a scan.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Protocol

from django.db import transaction

from apps.facts.queries.scanning import (
    Ground,
    Position,
    Touched,
    count_entities,
    next_entities,
    scan_position,
    touched_since,
)
from apps.review.actions.findings import ScanReport, ScanStep, Step
from apps.review.models import ScanState
from cruxstore.trust.contradiction import DETECTORS_VERSION

ENTITIES_AT_ONCE = 200

Write = Callable[[], None]
"""Writes what was worked out, within a transaction."""


class Scan(Protocol):
    """One kind of scan."""

    name: str

    def among(self, entities: Sequence[str]) -> Iterator[Write]:
        """Works out what all facts of some entities say, in parts."""
        ...

    def around(self, touched: Touched) -> Iterator[Write]:
        """Works out what is new around some facts, in parts."""
        ...

    def clean_up(self) -> None:
        """Takes back what no longer stands, after everything was gone through."""
        ...


def walk(
    scan: Scan, ground: Ground, report: ScanReport, *, now: datetime, begin: ScanStep | None, step: Step
) -> ScanReport:
    """Goes through what is new since this scan's last one; through everything, where there was none by these rules.

    Between parts `step` is told where the scan stands and says whether to go on; given back as `begin`, it goes on
    from there unless another index answers by now.
    """
    if begin is not None and begin.home != ground.home:
        begin = None
    position = begin.position if begin is not None else scan_position()
    if position is None:
        return report
    last = ScanState.objects.filter(tenant=ground.tenant, scan=scan.name, rules=DETECTORS_VERSION).first()
    if last is not None and last.generation == position.generation and begin is None:
        for write in scan.around(touched_since(ground, last.lines)):
            with transaction.atomic():
                write()
    elif _walk_all(scan, ground, position, report, begin, step):
        scan.clean_up()
    else:
        return report
    ScanState.objects.update_or_create(
        tenant=ground.tenant,
        scan=scan.name,
        defaults={
            "rules": DETECTORS_VERSION,
            "generation": position.generation,
            "lines": position.lines,
            "ended_at": now,
        },
    )
    return report


def _walk_all(
    scan: Scan, ground: Ground, position: Position, report: ScanReport, begin: ScanStep | None, step: Step
) -> bool:
    after, done = (begin.after, begin.done) if begin is not None else (0, 0)
    total = count_entities(ground)
    while entities := next_entities(ground, after=after, limit=ENTITIES_AT_ONCE):
        for write, is_last in _and_whether_last(scan.among([text for _, text in entities])):
            if is_last:
                after, done = entities[-1][0], done + len(entities)
            with transaction.atomic():
                write()
                goes_on = step(ScanStep(ground.home, position, after, done, total), report)
            if not goes_on:
                return False
    return True


def _and_whether_last(writes: Iterator[Write]) -> Iterator[tuple[Write, bool]]:
    """Each with whether another one follows; where there is none at all, one that writes nothing."""
    before = next(writes, _nothing)
    for write in writes:
        yield before, False
        before = write
    yield before, True


def _nothing() -> None:
    pass
