"""What people see of long work: the list, and one job; and what waits for them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q, QuerySet

from apps.jobs.models import Job, Notice
from apps.jobs.rules import (
    ENDED,
    NEEDS_SOMEBODY,
    NOTICE_SENTENCES,
    RETRYABLE,
    SCHEDULE,
    UNDER_WAY,
    JobState,
    Lane,
    NoticeKind,
    rate_per_second,
    seconds_left,
)
from cruxstore.errors import NotFoundError

NamesOf = Callable[[set[str]], Mapping[str, str]]

PAGE_ROWS = 100


@dataclass(frozen=True, slots=True)
class JobScope:
    """Whose jobs may be seen: one tenant's, and the store's own where the principal operates it."""

    tenant: str
    sees_store: bool = False


@dataclass(frozen=True, slots=True)
class JobView:
    """A job as a page shows it; rate and time left are of the present run, ages at the time of asking.

    `checkpoint` is what its handler has written down: where to go on, or what it came to.
    """

    number: int
    kind: str
    title: str
    state: JobState
    is_store_wide: bool
    done: int
    total: int
    unit: str
    rate: float | None
    seconds_left: int | None
    started_by: str
    queued_at: datetime
    wait_until: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    heartbeat_age: timedelta | None
    attempts: int
    counts: Mapping[str, int]
    checkpoint: Mapping[str, Any]
    arguments: Mapping[str, str | int]
    error: str
    first_error: str
    is_cancel_asked: bool

    @property
    def name(self) -> str:
        """How people call it."""
        return f"J-{self.number}"

    @property
    def is_ended(self) -> bool:
        """Whether nothing more happens by itself."""
        return self.state in ENDED

    @property
    def can_cancel(self) -> bool:
        """Whether cancelling is still to be asked for."""
        return not self.is_ended and not self.is_cancel_asked

    @property
    def can_retry(self) -> bool:
        """Whether it can be tried again."""
        return self.state in RETRYABLE

    @property
    def needs_somebody(self) -> bool:
        """Whether a fault stopped it, so that a person has to run it again or set it aside."""
        return self.state in NEEDS_SOMEBODY

    @property
    def percent(self) -> int | None:
        """How much is done, 0 to 100; None where the total is unknown."""
        return min(100, self.done * 100 // self.total) if self.total > 0 else None


@dataclass(frozen=True, slots=True)
class StoppedJob:
    """A job that waits for somebody; without a tenant it is the store's."""

    number: int
    tenant: str
    ended_at: datetime | None

    @property
    def name(self) -> str:
        """How people call it."""
        return f"J-{self.number}"


@dataclass(frozen=True, slots=True)
class NoticeView:
    """What waits for somebody, as a page and a mail tell it: a number, a sentence, and the way there."""

    number: int
    subject: str
    sentence: str
    address: str
    is_store_wide: bool
    since_at: datetime


def find_jobs(scope: JobScope, *, now: datetime, names_of: NamesOf, limit: int = PAGE_ROWS) -> list[JobView]:
    """The newest jobs: those that wait for somebody, those under way, then what has ended well."""
    jobs: list[Job] = []
    for states in (NEEDS_SOMEBODY, UNDER_WAY, ENDED - NEEDS_SOMEBODY):
        jobs += _visible(scope).filter(state__in=states).order_by("-number")[: limit - len(jobs)]
    names = names_of({job.started_by for job in jobs})
    return [_view(job, names, now) for job in jobs]


def get_job(scope: JobScope, number: int, *, now: datetime, names_of: NamesOf) -> JobView:
    """One job; a foreign one is as absent as a missing one."""
    job = _visible(scope).filter(number=number).first()
    if job is None:
        raise NotFoundError("There is no such job.")
    return _view(job, names_of({job.started_by}), now)


def find_newest_job(scope: JobScope, kind: str, *, now: datetime, names_of: NamesOf) -> JobView | None:
    """The newest job of a kind; none where there was never one."""
    job = _visible(scope).filter(kind=kind).order_by("-number").first()
    return _view(job, names_of({job.started_by}), now) if job is not None else None


def find_stopped_jobs() -> list[StoppedJob]:
    """Every job of the store that a fault stopped and nobody has looked after yet."""
    rows = Job.objects.filter(state__in=NEEDS_SOMEBODY).order_by("number")
    return [StoppedJob(job.number, job.tenant, job.ended_at) for job in rows]


def find_newest_result(kind: str) -> tuple[StoppedJob, Mapping[str, Any]] | None:
    """The newest job of a kind of the store that came to something, and to what; one that was cancelled did not."""
    job = Job.objects.filter(kind=kind, tenant="", state=JobState.FINISHED).order_by("-number").first()
    return None if job is None else (StoppedJob(job.number, job.tenant, job.ended_at), job.checkpoint)


def find_notices(person_id: str, tenant: str, *, sees_store: bool) -> list[NoticeView]:
    """What waits for a person in a tenant, and in the store where they operate it, the oldest first.

    What they have seen is left out; an empty tenant is none.
    """
    places = Q(tenant=tenant) if tenant else Q(pk__in=[])
    if sees_store:
        places |= Q(tenant="")
    standing = Notice.objects.filter(places, person_id=person_id, ended_at=None, seen_at=None)
    return [notice_view(notice) for notice in standing.order_by("since_at", "number")]


def notice_view(notice: Notice) -> NoticeView:
    """A notice in words."""
    return NoticeView(
        number=notice.number,
        subject=notice.subject,
        sentence=NOTICE_SENTENCES[NoticeKind(notice.kind)],
        address=notice.address,
        is_store_wide=notice.tenant == "",
        since_at=notice.since_at,
    )


def queue_figures(*, now: float) -> dict[Lane, tuple[int, float]]:
    """How many jobs wait in each lane, and how many seconds the oldest of them has."""
    waiting = Job.objects.filter(state=JobState.QUEUED).values("lane")
    found = {
        row["lane"]: (row["jobs"], max(0.0, now - row["oldest"].timestamp()))
        for row in waiting.annotate(jobs=Count("number"), oldest=Min("queued_at"))
    }
    return {lane: found.get(lane.value, (0, 0.0)) for lane in Lane}


def _visible(scope: JobScope) -> QuerySet[Job]:
    seen = Q(tenant=scope.tenant) & ~Q(tenant="")
    return Job.objects.filter(seen | Q(tenant="") if scope.sees_store else seen)


def _view(job: Job, names: Mapping[str, str], now: datetime) -> JobView:
    state = JobState(job.state)
    until = job.ended_at or now
    rate = rate_per_second(job.done - job.done_before, job.started_at, until)
    return JobView(
        number=job.number,
        kind=job.kind,
        title=job.title,
        state=state,
        is_store_wide=job.tenant == "",
        done=job.done,
        total=job.total,
        unit=job.unit,
        rate=rate,
        seconds_left=seconds_left(job.done, job.total, rate) if state == JobState.RUNNING else None,
        started_by="the timetable" if job.started_by == SCHEDULE else names.get(job.started_by, job.started_by),
        queued_at=job.queued_at,
        wait_until=job.wait_until if state == JobState.QUEUED else None,
        started_at=job.started_at,
        ended_at=job.ended_at,
        heartbeat_age=now - job.heartbeat_at if state == JobState.RUNNING and job.heartbeat_at else None,
        attempts=job.attempts,
        counts=job.counts,
        checkpoint=job.checkpoint,
        arguments=job.arguments,
        error=job.error,
        first_error=job.first_error if job.first_error != job.error else "",
        is_cancel_asked=job.is_cancel_asked and state == JobState.RUNNING,
    )
