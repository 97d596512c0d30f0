"""A worker's tasks: the queue of its lane, the patrol, and what runs every few seconds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from celery import Celery
from celery.worker import state as worker_state
from django.utils import timezone

from apps.jobs.actions import WAKE_SECONDS, WORK_TASK
from apps.jobs.broker import app, make_message_folders
from apps.jobs.rules import Lane
from apps.jobs.runs import Handler, patrol, run_queued

PATROL_TASK = "jobs.patrol"


@dataclass(frozen=True, slots=True)
class Periodic:
    """Short work that is done every so many seconds; a turn that nobody took in time is left out."""

    name: str
    seconds: int
    run: Callable[[], None]


def set_up_worker(handlers: Mapping[str, Handler], periodic: tuple[Periodic, ...] = ()) -> Celery:
    """The celery application of a worker process that handles these kinds of jobs; called once, by the site."""

    def work(lane: str) -> None:
        run_queued(Lane(lane), handlers, stopping=_is_stopping)

    make_message_folders()
    app.set_current()
    app.task(name=WORK_TASK)(work)
    turns = (Periodic(PATROL_TASK, WAKE_SECONDS, _patrol), *periodic)
    for turn in turns:
        app.task(name=turn.name)(turn.run)
    app.conf.update(
        # in memory: a turn missed while nothing ran needs no catching up
        beat_scheduler="celery.beat:Scheduler",
        beat_schedule={turn.name: _schedule(turn) for turn in turns},
    )
    return app


def _patrol() -> None:
    patrol(now=timezone.now())


def _schedule(turn: Periodic) -> dict[str, object]:
    options = {"queue": Lane.SHORT.value, "expires": turn.seconds}
    return {"task": turn.name, "schedule": float(turn.seconds), "options": options}


def _is_stopping() -> bool:
    """Whether this worker was told to end; celery keeps the exit code here, 0 included, and None or False else."""
    told = (worker_state.should_stop, worker_state.should_terminate)
    return any(code is not None and code is not False for code in told)
