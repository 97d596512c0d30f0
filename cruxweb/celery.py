"""The workers: which handler does which kind of job, and what runs when. Started by `serve`, one process a lane."""

import os
from collections.abc import Mapping

import django
from celery.worker import state as worker_state
from django.utils import timezone

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cruxweb.settings")
django.setup()

from apps.facts.tasks import follow, run_import_job, run_rebuild_job  # noqa: E402  needs the apps set up
from apps.jobs.actions import WAKE_SECONDS, WORK_TASK  # noqa: E402
from apps.jobs.broker import app, make_message_folders  # noqa: E402
from apps.jobs.rules import Lane  # noqa: E402
from apps.jobs.runs import Handler, patrol, run_queued  # noqa: E402

PATROL_TASK = "jobs.patrol"
FOLLOW_TASK = "facts.follow"
FOLLOW_SECONDS = 5

HANDLERS: Mapping[str, Handler] = {
    "import": run_import_job,
    "rebuild_index": run_rebuild_job,
}


def work(lane: str) -> None:
    """Does what is queued in a lane until nothing is left or the worker is to end."""
    run_queued(Lane(lane), HANDLERS, stopping=_is_stopping)


def patrol_queue() -> None:
    """Takes jobs from dead workers and wakes the lanes in which something waits."""
    patrol(now=timezone.now())


def _is_stopping() -> bool:
    """Whether this worker was told to end; celery keeps the exit code here, 0 included, and None or False else."""
    return any(
        told is not None and told is not False for told in (worker_state.should_stop, worker_state.should_terminate)
    )


def _every(seconds: int, task: str) -> dict[str, object]:
    return {"task": task, "schedule": float(seconds), "options": {"queue": Lane.SHORT.value, "expires": seconds}}


make_message_folders()
app.set_current()
app.task(name=WORK_TASK)(work)
app.task(name=PATROL_TASK)(patrol_queue)
app.task(name=FOLLOW_TASK)(follow)
app.conf.update(
    beat_scheduler="celery.beat:Scheduler",
    beat_schedule={
        "patrol": _every(WAKE_SECONDS, PATROL_TASK),
        "follow": _every(FOLLOW_SECONDS, FOLLOW_TASK),
    },
)
