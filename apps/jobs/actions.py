"""What people do about long work: start it, cancel it, try it again."""

import logging
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.jobs.broker import app, make_message_folders
from apps.jobs.models import Job
from apps.jobs.rules import NEEDS_SOMEBODY, RETRYABLE, UNDER_WAY, JobState, Lane
from cruxstore.errors import CruxError

WORK_TASK = "jobs.work"
WAKE_SECONDS = 10

_log = logging.getLogger(__name__)


class JobMovedOnError(CruxError):
    """The job is no longer in a state in which this can be done."""

    code = "job_moved_on"


def enqueue(
    kind: str,
    *,
    tenant: str | None,
    started_by: str,
    arguments: Mapping[str, str | int],
    title: str = "",
    unit: str = "",
    lane: Lane = Lane.LONG,
    now: datetime | None = None,
) -> Job:
    """Queues a job; a worker is woken when the transaction around this commits. No tenant means the whole store."""
    job = Job.objects.create(
        kind=kind,
        title=title or kind.replace("_", " ").capitalize(),
        lane=lane,
        tenant=tenant or "",
        started_by=started_by,
        arguments=dict(arguments),
        unit=unit,
        queued_at=now or timezone.now(),
    )
    transaction.on_commit(lambda: wake(lane))
    return job


def enqueue_once(
    kind: str,
    *,
    tenant: str | None,
    started_by: str,
    arguments: Mapping[str, str | int],
    title: str = "",
    unit: str = "",
) -> Job | None:
    """Queues a job unless one of its kind is queued or under way there; answers none then."""
    if Job.objects.filter(kind=kind, tenant=tenant or "", state__in=UNDER_WAY).exists():
        return None
    return enqueue(kind, tenant=tenant, started_by=started_by, arguments=arguments, title=title, unit=unit)


def cancel_job(number: int) -> None:
    """Ends a queued job at once; a running one ends between two batches."""
    if Job.objects.filter(number=number, state=JobState.QUEUED).update(
        state=JobState.CANCELLED, ended_at=timezone.now()
    ):
        return
    if not Job.objects.filter(number=number, state=JobState.RUNNING).update(is_cancel_asked=True):
        raise JobMovedOnError(f"Job J-{number} has already ended.")


def retry_job(number: int) -> None:
    """Queues a failed, cancelled or dead job again, from its checkpoint and with all its attempts."""
    job = Job.objects.filter(number=number, state__in=RETRYABLE)
    if not job.update(
        state=JobState.QUEUED,
        attempts=0,
        error="",
        first_error="",
        wait_until=None,
        ended_at=None,
        is_cancel_asked=False,
        queued_at=timezone.now(),
    ):
        raise JobMovedOnError(f"Job J-{number} is not one that can be tried again.")
    lane = Job.objects.values_list("lane", flat=True).get(number=number)
    transaction.on_commit(lambda: wake(Lane(lane)))


def set_aside_job(number: int) -> None:
    """Gives up a job that a fault stopped: what it has done stays, and it asks for nobody any more."""
    if not Job.objects.filter(number=number, state__in=NEEDS_SOMEBODY).update(state=JobState.CANCELLED):
        raise JobMovedOnError(f"Job J-{number} is not one that waits for somebody.")


def wake(lane: Lane) -> None:
    """Tells a lane's worker to look at the queue; where that fails, the patrol does it again within seconds."""
    try:
        make_message_folders()
        app.send_task(WORK_TASK, args=[lane.value], queue=lane.value, expires=WAKE_SECONDS)
    except (OperationalError, OSError) as error:
        _log.warning("the %s worker could not be woken: %s", lane.value, type(error).__name__)
