"""The ledger's events as rows, so that a fact, an import or a person can be asked for its events.

What an event says of a fact that no line says is folded into the fact's row.
"""

from django.db import transaction

from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.models import Build, EventSubject, FactSetting, IndexPointer, LedgerEvent
from apps.facts.projector.builds import pointer
from apps.facts.projector.observed import is_unread, place_of_event
from apps.facts.projector.settings import fold_again
from cruxstore.facts.decay import DecayPolicy
from cruxstore.ledger.events import Action, Event, read_events
from cruxstore.ledger.settings import SETTING_ACTIONS

_EVENTS = 500


def has_new_events(store: StoreFiles) -> bool:
    """Whether the ledger is another one, or longer, than when it was last followed."""
    index = pointer()
    size = store.ledger_path.stat().st_size if store.ledger_path.exists() else 0
    return index.ledger_instance_id != store.instance_id or index.ledger_offset != size


def follow_ledger(store: StoreFiles, limit: int | None, *, decay: DecayPolicy, now_ms: int) -> int:
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
            _project(events, store)
            _fold([event for event, _ in events], store, decay, now_ms)
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
    if FactSetting.objects.all().delete()[0]:
        Build.objects.update(settings_digest="")  # rows hold what events said that are no longer there
    index.ledger_instance_id = store.instance_id
    index.ledger_offset = index.ledger_events = 0


def _next_events(index: IndexPointer, store: StoreFiles, limit: int) -> list[tuple[Event, int]]:
    events = []
    for event, end in read_events(store.ledger_path, index.ledger_offset):
        if is_unread(event, store):
            break
        events.append((event, index.ledger_offset))
        index.ledger_offset = end
        index.ledger_events += 1
        if len(events) == limit:
            break
    return events


def _project(events: list[tuple[Event, int]], store: StoreFiles) -> None:
    places = {event.seq: place_of_event(event, store) for event, _ in events}
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
            generation=places[event.seq][0],
            lines=places[event.seq][1],
            own_lines=len(event.lines),
        )
        for event, offset in events
    )
    EventSubject.objects.bulk_create(
        (
            EventSubject(subject=subject, seq=event.seq)
            for event, _ in events
            for subject in dict.fromkeys((*event.subjects, *event.fact_ids, *store.foreign_ids(event).values()))
        ),
        batch_size=1000,
    )


def _fold(events: list[Event], store: StoreFiles, decay: DecayPolicy, now_ms: int) -> None:
    settings = [
        FactSetting(seq=event.seq, fact_id=_fact_of(event, store), horizon=_horizon_of(event))
        for event in events
        if event.action in SETTING_ACTIONS
    ]
    if settings:
        FactSetting.objects.bulk_create(settings)
        with JournalFile(store.journal_path) as journal:
            fold_again([*dict.fromkeys(setting.fact_id for setting in settings)], decay, journal, now_ms)


def _fact_of(event: Event, store: StoreFiles) -> str:
    name = event.subjects[-1]
    return store.foreign_ids(event).get(name, name)


def _horizon_of(event: Event) -> str:
    return event.code if event.action is Action.FACT_HORIZON_SET else ""
