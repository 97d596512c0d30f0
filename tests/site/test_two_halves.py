"""The web server and the workers as services of their own, over PostgreSQL and Redis."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.services import PrivatePostgres, PrivateRedis, free_port

pytestmark = pytest.mark.services

ROOT = Path(__file__).parents[2]
WELL = {"index": "ok", "workers": "ok", "journal": "ok", "ledger": "ok", "disk": "ok"}


class Site:
    """A demo store with both services, and its two halves."""

    def __init__(self, folder: Path, database: str, redis: str) -> None:
        self.port = free_port()
        self.started: list[subprocess.Popen[bytes]] = []
        self.environment = os.environ | {
            "CRUXWEB_DATA_DIR": str(folder),
            "CRUXWEB_DATABASE_URL": database,
            "CRUXWEB_REDIS_URL": redis,
            "CRUXWEB_PORT": str(self.port),
            "DJANGO_SETTINGS_MODULE": "cruxweb.settings",
        }

    def start(self, *command: str) -> "subprocess.Popen[bytes]":
        """A command of the site, running."""
        self.started.append(subprocess.Popen([sys.executable, "manage.py", *command], cwd=ROOT, env=self.environment))
        return self.started[-1]

    def ask(self, path: str) -> tuple[int, str]:
        """Status and body of a page; 0 while nobody listens."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def checks(self) -> dict[str, str]:
        """What readiness answers; nothing while nobody listens."""
        _, body = self.ask("/readyz")
        found: dict[str, str] = json.loads(body)["checks"] if body else {}
        return found

    def wait_for(self, checks: dict[str, str]) -> None:
        """Returns as soon as readiness answers this."""
        deadline = time.monotonic() + 90
        while (found := self.checks()) != checks:
            assert time.monotonic() < deadline, found
            time.sleep(0.2)


@pytest.fixture
def site(tmp_path: Path, postgres: PrivatePostgres, redis_server: PrivateRedis) -> Iterator[Site]:
    site = Site(tmp_path / "data", postgres.new_database(), redis_server.address)
    assert site.start("prepare").wait(240) == 0
    yield site
    for process in site.started:
        if process.poll() is None:
            family = psutil.Process(process.pid)
            for member in [*family.children(recursive=True), family]:
                member.kill()
            process.wait()


def test_a_site_in_two_halves_is_ready_while_both_run(site: Site) -> None:
    web = site.start("serve", "--web-only")
    site.wait_for(WELL | {"workers": "worker_silent_long_and_short"})

    workers = site.start("serve", "--workers-only")
    site.wait_for(WELL)

    status, figures = site.ask("/metrics")
    assert status == 200
    assert "cruxweb_ready 1.0" in figures
    assert 'cruxweb_worker_lag_seconds{lane="long"}' in figures
    assert site.ask("/sign-in/")[0] == 200

    workers.send_signal(signal.SIGTERM)
    assert workers.wait(60) == 0
    # a worker that ends takes its sign of life with it
    assert site.checks() == WELL | {"workers": "worker_silent_long_and_short"}
    web.send_signal(signal.SIGTERM)
    assert web.wait(60) == 0
