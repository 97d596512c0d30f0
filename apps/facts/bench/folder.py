"""A data folder to measure in: its own process, journal, index and sign-in; made by a child that has it as its own."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command

from apps.accounts.actions import SYSTEM, create_person, create_tenant
from apps.accounts.rules import Role
from apps.facts.bench.journal import TENANTS, write_journal
from apps.facts.bench.yardsticks import insert_same_rows
from apps.facts.projector import rebuild
from apps.store import open_store


@dataclass(frozen=True)
class Folder:
    """A prepared data folder: a session to ask pages with, and how long the index took beside its yardstick."""

    path: Path
    facts: int
    session: str
    build_seconds: float
    yardstick_seconds: float

    def environment(self) -> dict[str, str]:
        """What a process needs to have this folder as its own."""
        return _environment(self.path)


def prepare_folder(path: Path, facts: int, *, with_yardstick: bool = False) -> Folder:
    """Makes a folder with a journal of this many facts and its index, in a child process."""
    path.mkdir(parents=True)
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "bench", "--prepare", "--facts", str(facts)]
    if with_yardstick:
        command.append("--with-yardstick")
    done = subprocess.run(command, env=_environment(path), capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"The folder for {facts:,} facts could not be made: {done.stderr.decode()[-2000:]}")
    made = json.loads(done.stdout)
    return Folder(path, facts, made["session"], made["build_seconds"], made["yardstick_seconds"])


def measure_acts(folder: Folder) -> tuple[float, float]:
    """Seconds for acts in this folder and for their yardstick, measured by a child that has it as its own."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "bench", "--act"]
    done = subprocess.run(command, env=folder.environment(), capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"The acts could not be measured: {done.stderr.decode()[-2000:]}")
    ours, yardstick = json.loads(done.stdout)
    return ours, yardstick


def prepare_here(facts: int, *, with_yardstick: bool) -> dict[str, object]:
    """What the child does, in the data folder that it was started with; answers what `Folder` tells."""
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", interactive=False, verbosity=0)
    write_journal(settings.DATA_DIR / "facts.jsonl", facts)
    store = open_store()
    with store.writing() as door:
        door.adopt(SYSTEM)
    for tenant in TENANTS:
        create_tenant(store, actor=SYSTEM, name=tenant)
    user = create_person(
        store,
        actor=SYSTEM,
        username="bench",
        name="Bench",
        password=os.urandom(16).hex(),
        roles=[("default", Role.CURATOR)],
    )
    started = time.perf_counter()
    rebuild(store, now_ns=time.time_ns())
    build_seconds = time.perf_counter() - started
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return {
        "session": session.session_key,
        "build_seconds": build_seconds,
        "yardstick_seconds": insert_same_rows(settings.DATA_DIR) if with_yardstick else 0.0,
    }


def _environment(path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CRUXWEB_")}
    return {**kept, "CRUXWEB_DATA_DIR": str(path), "CRUXWEB_SECRET_KEY": "for measuring only", "CRUXWEB_DEMO": "0"}
