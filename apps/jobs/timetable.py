"""What runs by itself: every few seconds within the short worker, or daily as jobs; and how it went last.

The timetable is static and the same in every process. Several may look at it at once: what is due is started by whoever
moves the row of its turn on, in the transaction in which its jobs are queued.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.db import transaction
from django.utils import timezone

from apps.jobs.actions import enqueue_once
from apps.jobs.models import Job, Turn
from apps.jobs.queries import JobScope, JobView, NamesOf, find_newest_job
from apps.jobs.rules import SCHEDULE, latest_due, next_due
from cruxstore.errors import CruxError, NotFoundError

WRITE_EVERY = timedelta(minutes=1)
"""How often a turn that went well as the one before is written down."""


@dataclass(frozen=True, slots=True)
class Periodic:
    """Short work that is done every so many seconds; a turn that nobody took in time is left out."""

    name: str
    title: str
    seconds: int
    run: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Daily:
    """A kind of job that is queued at a time of the day in UTC, for the store or for each of its tenants."""

    kind: str
    title: str
    at: time
    unit: str
    is_store_wide: bool = False


@dataclass(frozen=True, slots=True)
class Timetable:
    """All of it; `tenants` answers the tenants of today."""

    periodic: tuple[Periodic, ...]
    daily: tuple[Daily, ...]
    tenants: Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class TurnView:
    """What is due every few seconds, as a page shows it; `error` is why its last turn did not end well."""

    title: str
    seconds: int
    ended_at: datetime | None
    error: str


@dataclass(frozen=True, slots=True)
class DailyView:
    """What is due daily, as a page shows it, with its newest job there."""

    kind: str
    title: str
    at: time
    is_store_wide: bool
    next_at: datetime
    last: JobView | None


def periodic_turns(periodic: Iterable[Periodic]) -> list[TurnView]:
    """How each went last."""
    turns = {turn.name: turn for turn in Turn.objects.all()}
    return [_turn_view(each, turns.get(each.name)) for each in periodic]


def daily_turns(timetable: Timetable, scope: JobScope, *, now: datetime, names_of: NamesOf) -> list[DailyView]:
    """When each runs next, and how it went last in this scope; store-wide ones only where the scope sees the store."""
    seen = [daily for daily in timetable.daily if scope.sees_store or not daily.is_store_wide]
    return [
        DailyView(
            kind=daily.kind,
            title=daily.title,
            at=daily.at,
            is_store_wide=daily.is_store_wide,
            next_at=next_due(daily.at, now),
            last=find_newest_job(scope, daily.kind, now=now, names_of=names_of),
        )
        for daily in seen
    ]


def get_daily(timetable: Timetable, kind: str) -> Daily:
    """What is due daily under this kind."""
    for daily in timetable.daily:
        if daily.kind == kind:
            return daily
    raise NotFoundError("Nothing on the timetable has this name.")


def start_due(timetable: Timetable, *, now: datetime) -> list[Job]:
    """Queues what has become due since it was started last; nothing at first sight, and nothing twice."""
    started: list[Job] = []
    for daily in timetable.daily:
        due_at = latest_due(daily.at, now)
        _, is_new = Turn.objects.get_or_create(name=daily.kind, defaults={"due_at": due_at})
        if is_new:
            continue
        with transaction.atomic():
            if Turn.objects.filter(name=daily.kind, due_at__lt=due_at).update(due_at=due_at):
                places: Sequence[str | None] = [None] if daily.is_store_wide else list(timetable.tenants())
                started += [job for place in places if (job := start_now(daily, place, started_by=SCHEDULE))]
    return started


def start_now(daily: Daily, tenant: str | None, *, started_by: str) -> Job | None:
    """Queues one of its jobs, unless one waits or runs there already."""
    return enqueue_once(
        daily.kind, tenant=tenant, started_by=started_by, arguments={}, title=daily.title, unit=daily.unit
    )


def take_turn(periodic: Periodic) -> None:
    """Does short work and writes down how it went; a fault is written down and raised again."""
    try:
        periodic.run()
    except CruxError as error:
        _note(periodic.name, str(error))
        raise
    except Exception as error:
        _note(periodic.name, f"It met an unexpected fault ({type(error).__name__}); the program log has the details.")
        raise
    _note(periodic.name, "")


def _turn_view(periodic: Periodic, turn: Turn | None) -> TurnView:
    ended_at, error = (turn.ended_at, turn.error) if turn else (None, "")
    return TurnView(title=periodic.title, seconds=periodic.seconds, ended_at=ended_at, error=error)


def _note(name: str, error: str) -> None:
    now = timezone.now()
    last = Turn.objects.filter(name=name).first()
    if last is None or last.ended_at is None or last.error != error or now - last.ended_at >= WRITE_EVERY:
        Turn.objects.update_or_create(name=name, defaults={"ended_at": now, "error": error})
