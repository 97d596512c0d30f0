"""Signs of life of the workers: a file a lane in the data folder, touched every few seconds while a worker runs.

All processes of a site run on one host, so that a file's time tells every one of them.
"""

import threading
from pathlib import Path
from typing import Any

from celery import bootsteps
from django.conf import settings

from apps.jobs.rules import HEARTBEAT_EVERY, SILENT_AFTER, Lane


def seconds_since_beat(lane: Lane, *, now: float) -> float | None:
    """How long a lane's worker has been silent; None where none ever ran."""
    try:
        return max(0.0, now - _file_of(lane).stat().st_mtime)
    except FileNotFoundError:
        return None


def silent_lanes(*, now: float) -> list[Lane]:
    """The lanes in which nobody works now."""
    found = []
    for lane in Lane:
        seconds = seconds_since_beat(lane, now=now)
        if seconds is None or seconds > SILENT_AFTER.total_seconds():
            found.append(lane)
    return found


def beat(lane: Lane) -> None:
    """Leaves a sign of life."""
    path = _file_of(lane)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


class Heart(bootsteps.StartStopStep):  # type: ignore[misc]  # celery ships no types
    """Beats in a worker process, also while it works; a thread, for it must end with the process."""

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        queues = worker.app.amqp.queues.consume_from
        self._lanes = [lane for lane in Lane if lane.value in queues]
        self._ended = threading.Event()

    def start(self, worker: Any) -> None:
        threading.Thread(target=self._beat, daemon=True).start()

    def stop(self, worker: Any) -> None:
        self._ended.set()
        for lane in self._lanes:
            _file_of(lane).unlink(missing_ok=True)

    def _beat(self) -> None:
        while True:
            for lane in self._lanes:
                beat(lane)
            if self._ended.wait(HEARTBEAT_EVERY.total_seconds()):
                return


def _file_of(lane: Lane) -> Path:
    folder: Path = settings.DATA_DIR
    return folder / "broker" / f"{lane.value}.alive"
