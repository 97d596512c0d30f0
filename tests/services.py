"""Services of their own for tests: a PostgreSQL and a Redis on free ports, in temporary folders, gone at the end."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
import redis

ROOT = 0
UNPRIVILEGED = "postgres"
"""Who runs PostgreSQL where root runs the tests; it refuses to start as root. Debian's package makes this user."""

START_SECONDS = 60
QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=200", "shared_buffers=64MB")


class MissingServiceError(Exception):
    """A program that tests need is not installed."""


class PrivatePostgres:
    """A PostgreSQL on a free port of 127.0.0.1, as a block; it keeps nothing and syncs nothing."""

    def __init__(self) -> None:
        self.port = free_port()
        self._programs = postgres_programs()
        self._user = UNPRIVILEGED if os.geteuid() == ROOT else None
        self._folder = Path(tempfile.mkdtemp(prefix="cruxweb-postgres-"))

    def __enter__(self) -> Self:
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        data = self._folder / "data"
        self._run("initdb", "--pgdata", str(data), "--username", "cruxweb", "--auth", "trust", "--no-sync")
        settings = (*QUICK, "listen_addresses=127.0.0.1", f"port={self.port}", f"unix_socket_directories={data}")
        arguments = [part for setting in settings for part in ("-c", setting)]
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", data, *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                user=self._user,
                group=self._user,
            )
        _wait(self._process, self._answers, (self._folder / "log").read_text)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends it at once and removes its folder; harmless when repeated."""
        if self._process.poll() is None:
            # the immediate way: what it holds is thrown away
            self._process.send_signal(3)
            self._process.wait(30)
        shutil.rmtree(self._folder, ignore_errors=True)

    def address(self, database: str) -> str:
        """The address of a database of it, as the setting has it."""
        return f"postgres://cruxweb@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of a new and empty database."""
        name = f"d_{secrets.token_hex(6)}"
        self._execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def _execute(self, sql: str) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(sql.encode())

    def _answers(self) -> bool:
        try:
            self._execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "--locale", "C", "--encoding", "UTF8", *arguments]
        done = subprocess.run(
            command,
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=False,
            user=self._user,
            group=self._user,
        )
        assert done.returncode == 0, done.stderr


class PrivateRedis:
    """A Redis on a free port of 127.0.0.1, as a block; it keeps nothing on disk."""

    def __init__(self) -> None:
        self.port = free_port()
        program = shutil.which("redis-server")
        if program is None:
            raise MissingServiceError("redis-server is not installed.")
        self._program = program
        self._folder = Path(tempfile.mkdtemp(prefix="cruxweb-redis-"))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def address(self) -> str:
        """Its address, as the setting has it."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Starts it, empty, on the port that it has; also again, after it was stopped."""
        place = ("--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self._folder))
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [self._program, *place, "--save", "", "--appendonly", "no"], stdout=log, stderr=subprocess.STDOUT
            )
        _wait(self._process, self._answers, (self._folder / "log").read_text)

    def stop(self) -> None:
        """Kills it; what it held is lost."""
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        with redis.Redis(port=self.port) as client:
            try:
                return bool(client.ping())
            except redis.ConnectionError:
                return False


def postgres_programs() -> Path:
    """The folder with PostgreSQL's own programs; Debian keeps them out of the path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not folders or not (folders[-1] / "initdb").exists():
        raise MissingServiceError("PostgreSQL is not installed.")
    return folders[-1]


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(process: "subprocess.Popen[bytes]", answers: Callable[[], bool], log: Callable[[], str]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers():
        assert process.poll() is None, log()
        assert time.monotonic() < deadline, log()
        time.sleep(0.05)
