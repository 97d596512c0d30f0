"""A worker's tasks: the queue of its lane and, in the short one, the patrol and what runs every few seconds."""

import warnings
from collections.abc import Mapping
from typing import Any

from celery import Celery, bootsteps
from celery.beat import EmbeddedService, Scheduler
from celery.platforms import SecurityWarning
from celery.worker import state as worker_state
from django.utils import timezone

from apps.jobs.actions import WAKE_SECONDS, WORK_TASK, wake
from apps.jobs.broker import app, make_message_folders
from apps.jobs.heartbeats import Heart
from apps.jobs.rules import Lane
from apps.jobs.runs import Handler, patrol, run_queued
from apps.jobs.timetable import Periodic, Timetable, start_due, take_turn

PATROL_TASK = "jobs.patrol"


def set_up_worker(handlers: Mapping[str, Handler], timetable: Timetable) -> Celery:
    """The celery application of a worker process that handles these kinds of jobs; called once, by the site."""

    def work(lane: str) -> None:
        run_queued(Lane(lane), handlers, stopping=_is_stopping)

    # it warns every administrator and container of code in messages; ours are JSON and hold a lane's name
    warnings.filterwarnings("ignore", category=SecurityWarning)
    make_message_folders()
    app.set_current()
    app.steps["worker"].update({Heart, _Beat, _FirstLook})
    app.task(name=WORK_TASK)(work)
    turns = (patrolling(timetable), *timetable.periodic)
    for turn in turns:
        _register(turn)
    app.conf.update(beat_schedule={turn.name: _schedule(turn) for turn in turns})
    return app


def _register(turn: Periodic) -> None:
    def run() -> None:
        take_turn(turn)

    app.task(name=turn.name)(run)


def patrolling(timetable: Timetable) -> Periodic:
    """The turn that looks after lost jobs, wakes the workers, and starts what has become due."""

    def look_after_all() -> None:
        now = timezone.now()
        patrol(now=now)
        start_due(timetable, now=now)

    return Periodic(PATROL_TASK, "Look after lost jobs and start what is due", WAKE_SECONDS, look_after_all)


class _Beat(bootsteps.StartStopStep):  # type: ignore[misc]  # celery ships no types
    """The clock of the short worker; a thread, for a process of its own would outlive a worker that is killed."""

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self.enabled = Lane.SHORT.value in worker.app.amqp.queues.consume_from

    def create(self, worker: Any) -> Any:
        # in memory: a turn missed while nothing ran needs no catching up
        return EmbeddedService(worker.app, thread=True, scheduler_cls=Scheduler)


class _FirstLook(bootsteps.StartStopStep):  # type: ignore[misc]  # celery ships no types
    """Lets a worker see at once what was queued while none ran."""

    def start(self, worker: Any) -> None:
        for lane in Lane:
            if lane.value in worker.app.amqp.queues.consume_from:
                wake(lane)


def _schedule(turn: Periodic) -> dict[str, object]:
    options = {"queue": Lane.SHORT.value, "expires": turn.seconds}
    return {"task": turn.name, "schedule": float(turn.seconds), "options": options}


def _is_stopping() -> bool:
    """Whether this worker was told to end; celery keeps the exit code here, 0 included, and None or False else."""
    told = (worker_state.should_stop, worker_state.should_terminate)
    return any(code is not None and code is not False for code in told)
