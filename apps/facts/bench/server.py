"""A real web server on a folder, asked over a socket like by a browser."""

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings

from apps.facts.bench.folder import Folder

START_SECONDS = 300
_POLL_SECONDS = 0.005


@dataclass(frozen=True)
class Server:
    """A running web process with one worker."""

    folder: Folder
    port: int
    process: "subprocess.Popen[bytes]"

    def seconds_for(self, path: str) -> float:
        """How long one page takes, from the request to the last byte."""
        started = time.perf_counter()
        self.read(path)
        return time.perf_counter() - started

    def read(self, path: str) -> bytes:
        """One page; anything but 200 is an error."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            cookie = f"{settings.SESSION_COOKIE_NAME}={self.folder.session}"
            connection.request("GET", path, headers={"Cookie": cookie, "Accept": "text/html"})
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status != http.HTTPStatus.OK:
            raise RuntimeError(f"{path} answered {answer.status}")
        return body

    def resident_bytes(self) -> int:
        """The memory of the worker process, as the system counts it."""
        children = _ps("-o", "pid=,ppid=,rss=", "-ax")
        for line in children.splitlines():
            _, parent, kilobytes = line.split()
            if int(parent) == self.process.pid:
                return int(kilobytes) * 1024
        raise RuntimeError("The web server has no worker")


@contextmanager
def serving(folder: Folder) -> Iterator[Server]:
    """A server that has answered its first page, ended with the block."""
    server = start(folder)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait()


def start(folder: Folder) -> Server:
    """Starts a server and returns when it has answered the facts page."""
    port = _free_port()
    command = [sys.executable, "-m", "gunicorn", "cruxweb.wsgi:application", "--bind", f"127.0.0.1:{port}"]
    command += ["--workers", "1", "--log-level", "critical", "--timeout", "300"]
    environment = {**folder.environment(), "CRUXWEB_PORT": str(port)}
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment)
    server = Server(folder, port, process)
    try:
        _wait_for_first_page(server)
    except BaseException:
        process.kill()
        process.wait()
        raise
    return server


def _wait_for_first_page(server: Server) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            server.read("/t/default/facts/")
        except (ConnectionError, http.client.HTTPException) as error:
            if server.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("The web server did not start") from error
            time.sleep(_POLL_SECONDS)
        else:
            return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _ps(*arguments: str) -> str:
    return subprocess.run(["ps", *arguments], capture_output=True, text=True, check=True).stdout
