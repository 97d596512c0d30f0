"""How long work goes, decided from values alone.

1. queued → running → finished, failed or cancelled; a queued job can be cancelled at once, a running one when it asks.
2. A job whose worker has been silent for SILENT_AFTER, or that met a fault which may pass, is queued again, from its
   checkpoint and after a while; after MAX_ATTEMPTS it is dead and waits for a person. One that was asked to end and
   whose worker is silent is cancelled.
3. What the store refuses in plain words has failed at once: another attempt would meet the same.
4. A failed, cancelled or dead job can be tried again; a failed or dead one can be set aside, which cancels it.
5. What is due daily is due at a moment in UTC, so that no change of the clocks skips or repeats it; what was missed
   while nothing ran is made up for once.
6. A notice says that something waits for a person, never what it is about: our number, a kind, a link.
7. Who wants mail once a day gets it at MORNING of their own zone, with all that had come until then.
"""

from datetime import UTC, datetime, time, timedelta, tzinfo
from enum import StrEnum

SCHEDULE = "schedule"
"""Who starts what nobody started."""

MAX_ATTEMPTS = 3
HEARTBEAT_EVERY = timedelta(seconds=5)
SILENT_AFTER = timedelta(seconds=30)
RETRY_AFTER = (timedelta(seconds=10), timedelta(minutes=1))
"""How long a job waits after its first fault that may pass, and after its second."""


class JobState(StrEnum):
    """Where a job is on its way."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DEAD = "dead"


class Lane(StrEnum):
    """Which worker does it: the long one, or the one for short work, which never waits behind the long."""

    LONG = "long"
    SHORT = "short"


UNDER_WAY = frozenset({JobState.QUEUED, JobState.RUNNING})
ENDED = frozenset({JobState.FINISHED, JobState.FAILED, JobState.CANCELLED, JobState.DEAD})
RETRYABLE = frozenset({JobState.FAILED, JobState.CANCELLED, JobState.DEAD})
NEEDS_SOMEBODY = frozenset({JobState.FAILED, JobState.DEAD})
"""Stopped by a fault: nothing more happens until a person runs it again or sets it aside."""


class NoticeKind(StrEnum):
    """Why something waits for somebody."""

    SECOND_PERSON = "second_person"
    DEAD_LETTER = "dead_letter"
    VERIFICATION_FAILED = "verification_failed"
    STORE_READ_ONLY = "store_read_only"
    DISK_LOW = "disk_low"


NOTICE_SENTENCES = {
    NoticeKind.SECOND_PERSON: "It takes two people, and you can be the second.",
    NoticeKind.DEAD_LETTER: "A fault stopped it. Somebody runs it again or sets it aside.",
    NoticeKind.VERIFICATION_FAILED: "The check of all files found something broken.",
    NoticeKind.STORE_READ_ONLY: "Nothing can be written until its files have been looked at.",
    NoticeKind.DISK_LOW: "Less than a tenth of its disk is free.",
}
"""What a page and a mail say of each; the words hold for everything of the kind, and never name anybody."""

MORNING = time(8)
"""When the daily mail is due, by the clock on the person's wall."""


def rate_per_second(done: int, started_at: datetime | None, now: datetime) -> float | None:
    """How fast a run has gone so far; None before anything can be said."""
    if started_at is None or done <= 0:
        return None
    seconds = (now - started_at).total_seconds()
    return done / seconds if seconds > 0 else None


def seconds_left(done: int, total: int, rate: float | None) -> int | None:
    """How long the rest takes at this rate; None where total or rate are unknown."""
    if rate is None or total <= 0:
        return None
    return round(max(0, total - done) / rate)


def after_fault(attempts: int) -> JobState:
    """What becomes of a job whose worker died, or that met a fault which may pass, in this attempt."""
    return JobState.QUEUED if attempts < MAX_ATTEMPTS else JobState.DEAD


def after_silence(attempts: int, *, is_cancel_asked: bool) -> JobState:
    """What becomes of a job whose worker died."""
    return JobState.CANCELLED if is_cancel_asked else after_fault(attempts)


def wait_after(attempts: int) -> timedelta:
    """How long a job waits before the attempt after this one."""
    return RETRY_AFTER[min(attempts, len(RETRY_AFTER)) - 1]


def latest_due(at: time, now: datetime) -> datetime:
    """The last moment up to now at which what is due daily at this time of the day in UTC was due."""
    today = datetime.combine(now.astimezone(UTC).date(), at, tzinfo=UTC)
    return today if today <= now else today - timedelta(days=1)


def next_due(at: time, now: datetime) -> datetime:
    """The first moment after now at which it is due."""
    return latest_due(at, now) + timedelta(days=1)


def latest_morning(zone: tzinfo, now: datetime) -> datetime:
    """The last moment up to now at which the clocks of a zone showed MORNING, on days that they are set on too."""
    today = now.astimezone(zone).date()
    morning = datetime.combine(today, MORNING, tzinfo=zone).astimezone(UTC)
    if morning <= now:
        return morning
    return datetime.combine(today - timedelta(days=1), MORNING, tzinfo=zone).astimezone(UTC)
