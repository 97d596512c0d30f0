"""Real worker processes on a database and a broker of their own."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytestmark = pytest.mark.services

BASE_DIR = Path(__file__).resolve().parents[2]
ENQUEUE = """
from apps.jobs.actions import enqueue
print(enqueue("count", tenant="default", started_by="p_ana", arguments={{"to": {to}}}).number)
"""
PATROL_LATER = """
from django.utils import timezone
from apps.jobs.rules import SILENT_AFTER
from apps.jobs.runs import patrol
patrol(now=timezone.now() + 2 * SILENT_AFTER)
"""


class Site:
    """A data folder with a database, and commands run in it as processes."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.environment = os.environ | {
            "CRUXWEB_DATA_DIR": str(data_dir),
            "CRUXWEB_SECRET_KEY": "only for tests",
            "DJANGO_SETTINGS_MODULE": "cruxweb.settings",
        }

    def run(self, script: str) -> str:
        """What a script prints that runs with the site set up."""
        prepared = f"import django\ndjango.setup()\n{script}"
        command = [sys.executable, "-c", prepared]
        done = subprocess.run(command, env=self.environment, cwd=BASE_DIR, capture_output=True, text=True, check=True)
        return done.stdout

    def start_worker(self, lane: str) -> "subprocess.Popen[bytes]":
        """A worker for a lane, as `serve` starts it."""
        worker = ["celery", "--app", "tests.jobs.counting_worker", "worker", "--pool", "solo", "--loglevel", "WARNING"]
        worker += ["--without-gossip", "--without-mingle", "--without-heartbeat", "--queues", lane]
        return subprocess.Popen([sys.executable, "-m", *worker], env=self.environment, cwd=BASE_DIR)

    def said(self) -> list[int]:
        """The numbers that were counted so far."""
        path = self.data_dir / "said"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    def job(self) -> tuple[str, int]:
        """State and attempts of the one job."""
        with closing(sqlite3.connect(self.data_dir / "index.sqlite3")) as database:
            state, attempts = database.execute("SELECT state, attempts FROM jobs_job").fetchone()
        return state, attempts


@pytest.fixture
def site(tmp_path: Path) -> Site:
    site = Site(tmp_path)
    site.run("from django.core.management import call_command\ncall_command('migrate', 'jobs', verbosity=0)")
    return site


@pytest.fixture
def start_worker(site: Site) -> Iterator[Callable[[str], "subprocess.Popen[bytes]"]]:
    started = []

    def start(lane: str) -> "subprocess.Popen[bytes]":
        started.append(site.start_worker(lane))
        return started[-1]

    yield start
    for worker in started:
        if worker.poll() is None:
            worker.kill()
        worker.wait()


def wait_until(is_so: Callable[[], bool], *, seconds: float = 30) -> None:
    """Returns as soon as it is so."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)


def test_a_worker_that_is_told_to_end_puts_its_job_back_and_another_goes_on(
    site: Site, start_worker: Callable[[str], "subprocess.Popen[bytes]"]
) -> None:
    first = start_worker("long")
    site.run(ENQUEUE.format(to=30))
    wait_until(lambda: len(site.said()) >= 3)

    first.send_signal(signal.SIGTERM)

    assert first.wait(20) == 0
    assert site.job() == ("queued", 0)
    start_worker("long")
    wait_until(lambda: site.job() == ("finished", 1))
    assert site.said() == list(range(1, 31))


def test_a_killed_workers_job_is_gone_on_with_from_its_checkpoint(
    site: Site, start_worker: Callable[[str], "subprocess.Popen[bytes]"]
) -> None:
    first = start_worker("long")
    site.run(ENQUEUE.format(to=30))
    wait_until(lambda: len(site.said()) >= 3)

    first.kill()

    first.wait()
    assert site.job() == ("running", 1)
    start_worker("long")
    site.run(PATROL_LATER)
    wait_until(lambda: site.job() == ("finished", 2))
    # killed between a step and its checkpoint it says one number again; a handler that must not, asks the store
    assert sorted(set(site.said())) == list(range(1, 31))
    assert len(site.said()) <= 31


def test_the_short_worker_does_what_is_due_every_few_seconds(
    site: Site, start_worker: Callable[[str], "subprocess.Popen[bytes]"]
) -> None:
    start_worker("short")

    wait_until((site.data_dir / "ticked").exists)
