"""Worker processes over PostgreSQL and Redis: what is killed, restarted or unreachable loses and repeats nothing."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.jobs.test_workers import BASE_DIR, ENQUEUE, PATROL_LATER, wait_until
from tests.services import PrivatePostgres, PrivateRedis

pytestmark = pytest.mark.services

STEPS = list(range(1, 31))
StartWorker = Callable[..., "subprocess.Popen[bytes]"]


class Site:
    """A data folder with both services, and commands run in it as processes."""

    def __init__(self, data_dir: Path, database: str, redis: str) -> None:
        self.data_dir = data_dir
        self.database = database
        self.environment = os.environ | {
            "CRUXWEB_DATA_DIR": str(data_dir),
            "CRUXWEB_DATABASE_URL": database,
            "CRUXWEB_REDIS_URL": redis,
            "CRUXWEB_SECRET_KEY": "only for tests",
            "DJANGO_SETTINGS_MODULE": "cruxweb.settings",
        }

    def run(self, script: str, **environment: str) -> str:
        """What a script prints that runs with the site set up."""
        command = [sys.executable, "-c", f"import django\ndjango.setup()\n{script}"]
        done = subprocess.run(
            command,
            env=self.environment | environment,
            cwd=BASE_DIR,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def said(self) -> list[int]:
        """The numbers that were counted so far."""
        path = self.data_dir / "said"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    def jobs(self) -> list[tuple[str, int]]:
        """State and attempts of the jobs, in the order in which they were queued."""
        with psycopg.connect(self.database) as connection:
            return connection.execute("SELECT state, attempts FROM jobs_job ORDER BY number").fetchall()


@pytest.fixture
def site(tmp_path: Path, postgres: PrivatePostgres, redis_server: PrivateRedis) -> Site:
    site = Site(tmp_path, postgres.new_database(), redis_server.address)
    site.run("from django.core.management import call_command\ncall_command('migrate', 'jobs', verbosity=0)")
    return site


@pytest.fixture
def start_worker(site: Site) -> Iterator[StartWorker]:
    started = []

    def start(lane: str, app: str = "counting_worker", **environment: str) -> "subprocess.Popen[bytes]":
        worker = ["celery", "--app", f"tests.jobs.{app}", "worker", "--pool", "solo", "--loglevel", "WARNING"]
        worker += ["--without-gossip", "--without-mingle", "--without-heartbeat", "--queues", lane]
        command = [sys.executable, "-m", *worker]
        started.append(subprocess.Popen(command, env=site.environment | environment, cwd=BASE_DIR))
        return started[-1]

    yield start
    for worker in started:
        if worker.poll() is None:
            worker.kill()
        worker.wait()


def test_a_killed_workers_job_is_gone_on_with_from_its_checkpoint(site: Site, start_worker: StartWorker) -> None:
    first = start_worker("long")
    site.run(ENQUEUE.format(to=30))
    wait_until(lambda: len(site.said()) >= 3)

    first.kill()

    first.wait()
    assert site.jobs() == [("running", 1)]
    start_worker("long")
    site.run(PATROL_LATER)
    wait_until(lambda: site.jobs() == [("finished", 2)])
    # killed between a step and its checkpoint it says one number again
    assert sorted(set(site.said())) == STEPS
    assert len(site.said()) <= 31


def test_a_redis_that_is_restarted_empty_amid_a_job_ends_neither_it_nor_the_next(
    site: Site, start_worker: StartWorker, redis_server: PrivateRedis
) -> None:
    start_worker("long")
    site.run(ENQUEUE.format(to=30))
    wait_until(lambda: len(site.said()) >= 3)

    redis_server.stop()
    redis_server.start()

    wait_until(lambda: site.jobs() == [("finished", 1)])
    start_worker("short")
    site.run(ENQUEUE.format(to=5))
    wait_until(lambda: site.jobs() == [("finished", 1)] * 2)
    assert site.said() == [*STEPS, 1, 2, 3, 4, 5]


def test_a_job_that_was_queued_while_redis_was_down_follows_when_it_is_back(
    site: Site, start_worker: StartWorker, redis_server: PrivateRedis
) -> None:
    start_worker("long")
    start_worker("short")
    wait_until((site.data_dir / "ticked").exists)
    redis_server.stop()

    started = time.monotonic()
    site.run(ENQUEUE.format(to=5))

    assert time.monotonic() - started < 20
    assert site.jobs() == [("queued", 0)]
    redis_server.start()
    wait_until(lambda: site.jobs() == [("finished", 1)], seconds=60)
    assert site.said() == [1, 2, 3, 4, 5]


def test_a_job_that_takes_longer_than_redis_waits_is_done_once(site: Site, start_worker: StartWorker) -> None:
    """Two workers of a lane, one job at a time; what was delivered again finds nothing to do."""
    for _ in range(2):
        start_worker("long", app="impatient_worker")
    site.run(ENQUEUE.format(to=80))
    wait_until(lambda: bool(site.said()))
    site.run(ENQUEUE.format(to=3))

    wait_until(lambda: site.jobs() == [("finished", 1)] * 2, seconds=60)

    assert site.said() == [*range(1, 81), 1, 2, 3]


def test_web_and_worker_in_different_time_zones_mean_the_same_moments(site: Site, start_worker: StartWorker) -> None:
    start_worker("long", TZ="Pacific/Kiritimati")
    site.run(ENQUEUE.format(to=3), TZ="America/Los_Angeles")

    wait_until(lambda: site.jobs() == [("finished", 1)])

    with psycopg.connect(site.database) as connection:
        (ages,) = connection.execute(
            "SELECT extract(epoch FROM now() - queued_at), extract(epoch FROM ended_at - queued_at) FROM jobs_job"
        ).fetchall()
    assert all(0 <= age < 60 for age in ages)
