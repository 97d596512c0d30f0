"""How a worker does the work: claims a row, keeps it alive, runs its handler, and says how it ended.

A claim is one compare-and-set on the row; whoever lost it (the patrol took the worker for dead) can write nothing more
about the job.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.jobs.actions import wake
from apps.jobs.models import Job
from apps.jobs.rules import HEARTBEAT_EVERY, SILENT_AFTER, JobState, Lane, after_fault, after_silence, wait_after
from cruxstore.errors import CruxError, DiskRefusedError, IndexBehindError, StoreBusyError

SHOW_EVERY = timedelta(milliseconds=500)
MAY_PASS = (StoreBusyError, IndexBehindError, DiskRefusedError)
"""Refusals that another attempt may not meet."""

_log = logging.getLogger(__name__)


class LostClaimError(CruxError):
    """The job was given to another worker."""

    code = "claim_lost"


@dataclass(slots=True)
class JobRun:
    """A job as its handler sees it; `checkpoint` is what an earlier attempt left."""

    number: int
    tenant: str
    started_by: str
    arguments: Mapping[str, Any]
    checkpoint: Mapping[str, Any]
    done: int
    total: int
    counts: Mapping[str, int]
    attempts: int
    _first_error: str
    _claim: str
    _stopping: Callable[[], bool]
    _saw_cancel: bool = False
    _saw_stop: bool = False
    _shown_at: datetime = field(default_factory=timezone.now)

    def progress(
        self,
        done: int,
        total: int | None = None,
        *,
        counts: Mapping[str, int] | None = None,
        checkpoint: Mapping[str, Any] | None = None,
    ) -> None:
        """Says how far it is; written at most twice a second, a checkpoint always. LostClaimError ends the handler."""
        self.done = done
        self.total = self.total if total is None else total
        self.counts = self.counts if counts is None else counts
        now = timezone.now()
        if checkpoint is None and now - self._shown_at < SHOW_EVERY:
            return
        self.checkpoint = self.checkpoint if checkpoint is None else checkpoint
        self._shown_at = now
        self.show(heartbeat_at=now)

    def show(self, **changes: object) -> None:
        """Writes what is known now, and these fields, if the job is still ours."""
        written = Job.objects.filter(number=self.number, claim=self._claim, state=JobState.RUNNING).update(
            done=self.done,
            total=self.total,
            counts=dict(self.counts),
            checkpoint=dict(self.checkpoint),
            **changes,
        )
        if not written:
            raise LostClaimError(f"Job J-{self.number} was given to another worker.")

    def is_cancelled(self) -> bool:
        """Whether to stop between two batches: somebody cancelled the job, or the worker is to end."""
        self._saw_stop = self._saw_stop or self._stopping()
        if not self._saw_cancel and not self._saw_stop:
            self._saw_cancel = Job.objects.filter(number=self.number, is_cancel_asked=True).exists()
        return self._saw_cancel or self._saw_stop

    def end(self) -> None:
        """Says that the handler came back: finished, cancelled, or, where the worker is to end, queued again."""
        now = timezone.now()
        if self._saw_cancel:
            self.show(state=JobState.CANCELLED, ended_at=now)
        elif self._saw_stop:
            self.show(state=JobState.QUEUED, attempts=F("attempts") - 1, claim="")
        else:
            self.show(state=JobState.FINISHED, error="", ended_at=now)

    def fail(self, sentence: str) -> None:
        """Says that the store refused."""
        self._stop_at(sentence, JobState.FAILED)

    def fail_for_now(self, sentence: str) -> None:
        """Says that the handler met what may pass: queued again after a while, or dead after the last attempt."""
        if after_fault(self.attempts) == JobState.DEAD:
            self._stop_at(sentence, JobState.DEAD)
            return
        wait_until = timezone.now() + wait_after(self.attempts)
        first = self._first_error or sentence
        self.show(state=JobState.QUEUED, error=sentence, first_error=first, wait_until=wait_until, claim="")

    def _stop_at(self, sentence: str, state: JobState) -> None:
        self.show(state=state, error=sentence, first_error=self._first_error or sentence, ended_at=timezone.now())


Handler = Callable[[JobRun], None]


def run_queued(lane: Lane, handlers: Mapping[str, Handler], *, stopping: Callable[[], bool] = lambda: False) -> int:
    """Does what is queued in a lane, oldest first, until nothing is left; answers how many jobs were run."""
    ran = 0
    while not stopping():
        job = _claim_next(lane, handlers)
        if job is None:
            break
        _run(job, handlers[job.kind], stopping)
        ran += 1
    return ran


def patrol(*, now: datetime, silent_after: timedelta = SILENT_AFTER) -> None:
    """Takes jobs from silent workers, and wakes every lane in which something waits."""
    for job in Job.objects.filter(state=JobState.RUNNING, heartbeat_at__lt=now - silent_after):
        state = after_silence(job.attempts, is_cancel_asked=job.is_cancel_asked)
        taken = Job.objects.filter(number=job.number, claim=job.claim, state=JobState.RUNNING)
        died = f"Its worker died in attempt {job.attempts}."
        taken.filter(heartbeat_at=job.heartbeat_at).update(
            state=state,
            claim="",
            error=died,
            first_error=job.first_error or died,
            ended_at=None if state == JobState.QUEUED else now,
        )
        _log.warning("job J-%s: its worker is silent, now %s", job.number, state.value)
    waiting = Job.objects.filter(_due(now), state=JobState.QUEUED).values_list("lane", flat=True)
    for lane in sorted(set(waiting)):
        wake(Lane(lane))


def _claim_next(lane: Lane, handlers: Mapping[str, Handler]) -> Job | None:
    queued = Job.objects.filter(_due(timezone.now()), state=JobState.QUEUED, lane=lane, kind__in=handlers)
    for number in queued.order_by("number").values_list("number", flat=True):
        claim, now = secrets.token_hex(16), timezone.now()
        try:
            with transaction.atomic():
                claimed = Job.objects.filter(number=number, state=JobState.QUEUED).update(
                    state=JobState.RUNNING,
                    claim=claim,
                    attempts=F("attempts") + 1,
                    started_at=now,
                    heartbeat_at=now,
                    done_before=F("done"),
                    wait_until=None,
                )
        except IntegrityError:
            # another of its kind runs in this tenant: it waits its turn
            continue
        if claimed:
            return Job.objects.get(number=number)
    return None


def _due(now: datetime) -> Q:
    return Q(wait_until=None) | Q(wait_until__lte=now)


def _run(job: Job, handler: Handler, stopping: Callable[[], bool]) -> None:
    run = JobRun(
        number=job.number,
        tenant=job.tenant,
        started_by=job.started_by,
        arguments=job.arguments,
        checkpoint=job.checkpoint,
        done=job.done,
        total=job.total,
        counts=job.counts,
        attempts=job.attempts,
        _first_error=job.first_error,
        _claim=job.claim,
        _stopping=stopping,
    )
    try:
        with _kept_alive(job):
            _handle(run, handler)
    except LostClaimError:
        _log.warning("job J-%s was given to another worker", job.number)


def _handle(run: JobRun, handler: Handler) -> None:
    try:
        handler(run)
    except LostClaimError:
        raise
    except MAY_PASS as error:
        run.fail_for_now(str(error))
    except CruxError as error:
        run.fail(str(error))
    except Exception as error:
        _log.exception("job J-%s failed", run.number)
        run.fail_for_now(
            f"It stopped at an unexpected fault ({type(error).__name__}); the program log has the details."
        )
    else:
        run.end()


@contextmanager
def _kept_alive(job: Job) -> Iterator[None]:
    ended = threading.Event()
    heart = threading.Thread(target=_beat_until, args=(ended, job.number, job.claim), daemon=True)
    heart.start()
    try:
        yield
    finally:
        ended.set()
        heart.join()


def _beat_until(ended: threading.Event, number: int, claim: str) -> None:
    while not ended.wait(HEARTBEAT_EVERY.total_seconds()):
        try:
            Job.objects.filter(number=number, claim=claim).update(heartbeat_at=timezone.now())
        except DatabaseError as error:
            _log.warning("job J-%s: a heartbeat was not written: %s", number, type(error).__name__)
    connection.close()
