"""Runs the site: the web server and two workers, in the foreground, until it is told to end or one of them dies."""

import http.client
import signal
import socket
import subprocess
import sys
import time
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.jobs.rules import Lane
from apps.store import open_store
from cruxstore.errors import CruxError

START_SECONDS = 60
END_SECONDS = 15
POLL_SECONDS = 0.2

# %(U)s is the path alone, without what somebody may have typed: what people search for stays out of the log
ACCESS_LOG = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(B)s %(M)sms'

Children = dict[str, "subprocess.Popen[bytes]"]


class Command(BaseCommand):
    help = "Run the web server and both workers until they are told to end; nothing is restarted silently."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        one = parser.add_mutually_exclusive_group()
        one.add_argument("--workers-only", action="store_true", help="leave the web server to somebody else")
        one.add_argument("--web-only", action="store_true", help="leave the workers to somebody else")

    def handle(self, *, host: str, workers_only: bool, web_only: bool, **options: Any) -> None:
        _refuse_folder()
        commands = {} if web_only else _worker_commands()
        if not workers_only:
            _refuse_taken_port(host, settings.PORT)
            commands["The web server"] = _web_command(host, settings.PORT)
        told = _Told()
        children: Children = {}
        try:
            for name, command in commands.items():
                children[name] = subprocess.Popen(command, cwd=settings.BASE_DIR)
            if not workers_only and self._wait_for_first_page(host, children, told):
                self.stdout.write(f"cruxweb is at {settings.SITE_ADDRESS.geturl()}")
                self.stdout.flush()
            died = _wait(children, told)
        finally:
            _end(children)
        if died:
            raise CommandError(f"{died} The others were ended too; start again when the cause is gone.")

    def _wait_for_first_page(self, host: str, children: Children, told: "_Told") -> bool:
        deadline = time.monotonic() + START_SECONDS
        while not told.is_told and not _dead(children):
            if _answers(host, settings.PORT):
                return True
            if time.monotonic() > deadline:
                raise CommandError(f"No page was served within {START_SECONDS} s.")
            time.sleep(POLL_SECONDS)
        return False


class _Told:
    """Whether a signal asked this process to end."""

    def __init__(self) -> None:
        self.is_told = False
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.is_told = True


def _web_command(host: str, port: int) -> list[str]:
    web = ["gunicorn", "cruxweb.wsgi:application", "--bind", f"{host}:{port}", "--workers", "2", "--threads", "4"]
    web += ["--no-control-socket"]
    # the longest line that it can be told to take: an address may hold an entity and a key
    web += ["--limit-request-line", "8190"]
    web += ["--logger-class", "cruxweb.log_paths.AccessLog"]
    web += ["--access-logfile", "-", "--access-logformat", ACCESS_LOG, "--log-level", "warning"]
    return [sys.executable, "-m", *web]


def _worker_commands() -> dict[str, list[str]]:
    worker = ["celery", "--quiet", "--app", "cruxweb.celery", "worker", "--pool", "solo", "--loglevel", "WARNING"]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return {
        f"The {lane} worker": [sys.executable, "-m", *worker, "--queues", lane, "--hostname", f"{lane}@%h"]
        for lane in Lane
    }


def _refuse_folder() -> None:
    try:
        open_store()
    except CruxError as error:
        raise CommandError(f"{error} ({error.code})") from error


def _refuse_taken_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} of {host} is taken: {error.strerror}. End what runs there, or set CRUXWEB_PORT."
            ) from error


def _answers(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()


def _wait(children: Children, told: _Told) -> str:
    """Waits until told to end, answering nothing, or until a child dies, answering which."""
    while not told.is_told:
        if dead := _dead(children):
            return dead
        time.sleep(POLL_SECONDS)
    return ""


def _dead(children: Children) -> str:
    for name, child in children.items():
        if child.poll() is not None:
            return f"{name} ended by itself ({child.returncode})."
    return ""


def _end(children: Children) -> None:
    """Asks every child to end and, after a while, makes it."""
    for child in children.values():
        child.terminate()
    deadline = time.monotonic() + END_SECONDS
    for child in children.values():
        try:
            child.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
