"""The ledger's events as rows, so that a fact, an import or a person can be asked for its events."""

from django.db import transaction

from apps.facts.files import StoreFiles
from apps.facts.models import EventSubject, IndexPointer, LedgerEvent
from apps.facts.projector.builds import pointer
from cruxstore.ledger.events import Event, read_events

_EVENTS = 500


def has_new_events(store: StoreFiles) -> bool:
    """Whether the ledger is another one, or longer, than when it was last followed."""
    index = pointer()
    size = store.ledger_path.stat().st_size if store.ledger_path.exists() else 0
    return index.ledger_instance_id != store.instance_id or index.ledger_offset != size


def follow_ledger(store: StoreFiles, limit: int | None) -> int:
    """Projects up to this many events after the cursor; another store's ledger, or a shorter one, is read anew."""
    followed = 0
    if not has_new_events(store):
        return 0
    while limit is None or followed < limit:
        wanted = _EVENTS if limit is None else min(_EVENTS, limit - followed)
        with transaction.atomic():
            index = pointer()
            if not _fits(index, store):
                _start_over(index, store)
            events = _next_events(index, store, wanted)
            _project(events)
            index.save()
        followed += len(events)
        if len(events) < wanted:
            break
    return followed


def _fits(index: IndexPointer, store: StoreFiles) -> bool:
    if index.ledger_instance_id != store.instance_id:
        return False
    return index.ledger_offset == 0 or store.ledger_path.stat().st_size >= index.ledger_offset


def _start_over(index: IndexPointer, store: StoreFiles) -> None:
    LedgerEvent.objects.all().delete()
    EventSubject.objects.all().delete()
    index.ledger_instance_id = store.instance_id
    index.ledger_offset = index.ledger_events = 0


def _next_events(index: IndexPointer, store: StoreFiles, limit: int) -> list[tuple[Event, int]]:
    events = []
    for event, end in read_events(store.ledger_path, index.ledger_offset):
        events.append((event, index.ledger_offset))
        index.ledger_offset = end
        index.ledger_events += 1
        if len(events) == limit:
            break
    return events


def _project(events: list[tuple[Event, int]]) -> None:
    LedgerEvent.objects.bulk_create(
        LedgerEvent(
            seq=event.seq,
            event_id=event.event_id,
            at=event.at,
            tenant=event.tenant,
            actor_kind=event.actor.kind,
            actor_id=event.actor.id,
            action=event.action.value,
            outcome=event.outcome,
            code=event.code,
            offset=offset,
        )
        for event, offset in events
    )
    EventSubject.objects.bulk_create(
        (
            EventSubject(subject=subject, seq=event.seq)
            for event, _ in events
            for subject in dict.fromkeys((*event.subjects, *event.fact_ids))
        ),
        batch_size=1000,
    )
