"""The ledger's events as rows, so that a fact, an import or a person can be asked for its events.

What an event says of a fact that no line says is folded into the fact's row.
"""

from django.db import connection, transaction

from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.models import Build, EventSubject, FactSetting, LedgerEvent
from apps.facts.projector.builds import LedgerCursor, standing_builds
from apps.facts.projector.observed import is_unread, place_of_event
from apps.facts.projector.readable import note_readable
from apps.facts.projector.settings import fold_again
from apps.facts.sql import execute, execute_many
from cruxstore.facts.decay import DecayPolicy
from cruxstore.ledger.events import Action, Event, read_events
from cruxstore.ledger.settings import SETTING_ACTIONS

_EVENTS = 500
_KEEP_CURSOR = (
    "INSERT INTO facts_indexpointer (id, ledger_offset, ledger_events, ledger_instance_id) VALUES (1, %s, %s, %s)"
    " ON CONFLICT (id) DO UPDATE SET ledger_offset = excluded.ledger_offset, ledger_events = excluded.ledger_events,"
    " ledger_instance_id = excluded.ledger_instance_id"
)
_INSERT_EVENT = (
    "INSERT INTO facts_ledgerevent (seq, event_id, at, tenant, actor_kind, actor_id, action, outcome, code,"
    ' "offset", generation, lines, own_lines) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)'
)
_INSERT_SUBJECT = "INSERT INTO facts_eventsubject (subject, seq) VALUES (%s, %s)"


def has_new_events(store: StoreFiles, cursor: LedgerCursor) -> bool:
    """Whether the ledger is another one, or longer, than when it was last followed."""
    size = store.ledger_path.stat().st_size if store.ledger_path.exists() else 0
    return cursor.instance_id != store.instance_id or cursor.offset != size


def follow_ledger(
    store: StoreFiles, limit: int | None, *, decay: DecayPolicy, now_ms: int, cursor: LedgerCursor | None = None
) -> int:
    """Projects up to this many events after the cursor; another store's ledger, or a shorter one, is read anew.

    The caller holds the lock on the index, and may hand in the cursor as it was read under it.
    """
    followed = 0
    cursor = standing_builds().ledger if cursor is None else cursor
    if not has_new_events(store, cursor):
        return 0
    is_anew = not _fits(cursor, store) or cursor.offset == 0
    while limit is None or followed < limit:
        wanted = _EVENTS if limit is None else min(_EVENTS, limit - followed)
        with transaction.atomic(savepoint=False):
            if not _fits(cursor, store):
                _start_over(cursor, store)
            events = _next_events(cursor, store, wanted)
            _project(events, store)
            note_readable([event.at for event, _ in events if not is_anew])
            _fold([event for event, _ in events], store, decay, now_ms)
            _keep(cursor)
        followed += len(events)
        if len(events) < wanted:
            break
    return followed


def _keep(cursor: LedgerCursor) -> None:
    execute(_KEEP_CURSOR, (cursor.offset, cursor.events, cursor.instance_id))


def _fits(cursor: LedgerCursor, store: StoreFiles) -> bool:
    if cursor.instance_id != store.instance_id:
        return False
    return cursor.offset == 0 or store.ledger_path.stat().st_size >= cursor.offset


def _start_over(cursor: LedgerCursor, store: StoreFiles) -> None:
    LedgerEvent.objects.all().delete()
    EventSubject.objects.all().delete()
    if FactSetting.objects.all().delete()[0]:
        Build.objects.update(settings_digest="")  # rows hold what events said that are no longer there
    cursor.instance_id = store.instance_id
    cursor.offset = cursor.events = 0


def _next_events(cursor: LedgerCursor, store: StoreFiles, limit: int) -> list[tuple[Event, int]]:
    events = []
    for event, end in read_events(store.ledger_path, cursor.offset):
        if is_unread(event, store):
            break
        events.append((event, cursor.offset))
        cursor.offset = end
        cursor.events += 1
        if len(events) == limit:
            break
    return events


def _project(events: list[tuple[Event, int]], store: StoreFiles) -> None:
    places = {event.seq: place_of_event(event, store) for event, _ in events}
    execute_many(
        _INSERT_EVENT,
        [
            (
                event.seq,
                event.event_id,
                str(connection.ops.adapt_datetimefield_value(event.at)),
                event.tenant,
                event.actor.kind,
                event.actor.id,
                event.action.value,
                event.outcome,
                event.code,
                offset,
                *places[event.seq],
                len(event.lines),
            )
            for event, offset in events
        ],
    )
    execute_many(
        _INSERT_SUBJECT,
        [
            (subject, event.seq)
            for event, _ in events
            for subject in dict.fromkeys((*event.subjects, *event.fact_ids, *store.foreign_ids(event).values()))
        ],
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
