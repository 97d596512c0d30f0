"""Who decided what, and when: the ledger's events, newest first. None of them holds a word of content."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from apps.facts.models import EventSubject, LedgerEvent

PAGE = 50
_SUBJECTS = 4


@dataclass(frozen=True)
class LedgerFilter:
    """Which events are asked for; what is empty asks for all."""

    actors: tuple[str, ...] = ()
    action: str = ""
    subject: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class LedgerRow:
    """One event, with the first of what it is about."""

    seq: int
    at: datetime
    tenant: str
    actor_kind: str
    actor_id: str
    action: str
    outcome: str
    code: str
    subjects: tuple[str, ...]
    more_subjects: int


@dataclass(frozen=True)
class LedgerPage:
    """Events in a row, and the number before which the next page begins; None on the last."""

    rows: tuple[LedgerRow, ...]
    before: int | None


def find_events(tenants: list[str], wanted: LedgerFilter, *, before: int | None = None) -> LedgerPage:
    """The events of these tenants (the store's own under an empty name); the caller has checked who may see them."""
    found = _matching(LedgerEvent.objects.filter(tenant__in=tenants), wanted)
    if before is not None:
        found = found.filter(seq__lt=before)
    events = list(found.order_by("-seq")[: PAGE + 1])
    subjects: dict[int, list[str]] = {event.seq: [] for event in events[:PAGE]}
    for seq, subject in EventSubject.objects.filter(seq__in=subjects).order_by("id").values_list("seq", "subject"):
        subjects[seq].append(subject)
    rows = tuple(
        LedgerRow(
            seq=event.seq,
            at=event.at,
            tenant=event.tenant,
            actor_kind=event.actor_kind,
            actor_id=event.actor_id,
            action=event.action,
            outcome=event.outcome,
            code=event.code,
            subjects=tuple(subjects[event.seq][:_SUBJECTS]),
            more_subjects=max(0, len(subjects[event.seq]) - _SUBJECTS),
        )
        for event in events[:PAGE]
    )
    return LedgerPage(rows, rows[-1].seq if len(events) > PAGE else None)


def _matching(found: QuerySet[LedgerEvent], wanted: LedgerFilter) -> QuerySet[LedgerEvent]:
    if wanted.actors:
        found = found.filter(actor_id__in=wanted.actors)
    if wanted.action:
        found = found.filter(action=wanted.action)
    if wanted.subject:
        found = found.filter(seq__in=EventSubject.objects.filter(subject=wanted.subject).values("seq"))
    if wanted.since is not None:
        found = found.filter(at__gte=wanted.since)
    if wanted.until is not None:
        found = found.filter(at__lt=wanted.until)
    return found
