"""How long work goes, decided from values alone.

1. queued → running → finished, failed or cancelled; a queued job can be cancelled at once, a running one when it asks.
2. A job whose worker has been silent for SILENT_AFTER is queued again, from its checkpoint; after MAX_ATTEMPTS it is
   dead and waits for a person.
3. A failed, cancelled or dead job can be tried again.
"""

from datetime import datetime, timedelta
from enum import StrEnum

MAX_ATTEMPTS = 3
HEARTBEAT_EVERY = timedelta(seconds=5)
SILENT_AFTER = timedelta(seconds=30)


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


ENDED = frozenset({JobState.FINISHED, JobState.FAILED, JobState.CANCELLED, JobState.DEAD})
RETRYABLE = frozenset({JobState.FAILED, JobState.CANCELLED, JobState.DEAD})


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


def after_silence(attempts: int) -> JobState:
    """What becomes of a job whose worker died."""
    return JobState.QUEUED if attempts < MAX_ATTEMPTS else JobState.DEAD
