"""`serve` as a real process: what it prints, what it logs, and how it ends."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.services

BASE_DIR = Path(__file__).resolve().parents[2]
SERVE = [sys.executable, "manage.py", "serve"]


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free: int = probe.getsockname()[1]
        return free


@pytest.fixture
def environment(tmp_path: Path, port: int) -> dict[str, str]:
    return os.environ | {
        "CRUXWEB_DATA_DIR": str(tmp_path),
        "CRUXWEB_SECRET_KEY": "only for tests",
        "CRUXWEB_PORT": str(port),
        "DJANGO_SETTINGS_MODULE": "cruxweb.settings",
    }


@pytest.fixture
def site(environment: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """The site in a process that has just said where it is."""
    process = subprocess.Popen(
        SERVE,
        env=environment,
        cwd=BASE_DIR,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    family = psutil.Process(process.pid)
    yield process
    for member in [*family.children(recursive=True), family] if process.poll() is None else []:
        member.kill()
    process.communicate()


def test_it_says_where_it_is_logs_no_question_and_ends_when_told(
    site: "subprocess.Popen[str]", environment: dict[str, str], port: int
) -> None:
    _wait_for_address(site, port)
    family = psutil.Process(site.pid).children(recursive=True)

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz?q=a-secret-question") as answer:
        assert answer.status == 200
    second = subprocess.run(SERVE, env=environment, cwd=BASE_DIR, capture_output=True, text=True, check=False)
    site.send_signal(signal.SIGTERM)
    output, _ = site.communicate(timeout=60)

    assert site.returncode == 0
    assert '"GET /healthz" 200' in output
    assert "a-secret-question" not in output
    assert [member for member in family if member.is_running()] == []
    assert second.returncode == 1
    assert second.stderr.startswith(f"CommandError: Port {port} of 127.0.0.1 is taken")


def test_it_ends_with_an_error_when_a_worker_dies(site: "subprocess.Popen[str]", port: int) -> None:
    _wait_for_address(site, port)
    family = psutil.Process(site.pid).children(recursive=True)

    next(member for member in family if "long@%h" in member.cmdline()).kill()
    output, _ = site.communicate(timeout=60)

    assert site.returncode == 1
    assert "The long worker ended by itself (-9)." in output
    assert [member for member in family if member.is_running()] == []


def _wait_for_address(site: "subprocess.Popen[str]", port: int) -> None:
    assert site.stdout is not None
    for line in site.stdout:
        if line.startswith("cruxweb is at "):
            assert line == f"cruxweb is at http://127.0.0.1:{port}\n"
            return
    raise AssertionError("it ended before it said where it is")
