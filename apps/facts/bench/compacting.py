"""Compacting a store while somebody goes on writing, each in a process of its own."""

import subprocess
import sys
import threading
import time

from django.conf import settings

from apps.accounts.actions import SYSTEM
from apps.facts.acting import acting
from apps.facts.actions.compaction import compact_store
from apps.facts.bench.folder import Folder
from apps.store import open_store
from cruxstore.newfacts import NewFact

EVERY_SECONDS = 0.05
SETTLE_SECONDS = 2.0


def wait_against_compaction(folder: Folder) -> tuple[float, float]:
    """The longest wait of the writer until the index had switched, and how long the whole compaction took; seconds."""
    writer = _child(folder, "--keep-writing")
    time.sleep(SETTLE_SECONDS)
    compaction = _told(_child(folder, "--compact"))
    return _told(writer), compaction


def keep_writing() -> float:
    """What the writer does until its input ends: a fact every 50 ms; answers the longest wait in seconds."""
    store, longest, ended = open_store(), 0.0, threading.Event()
    threading.Thread(target=_wait_for_the_end, args=(ended,), daemon=True).start()
    while not ended.is_set():
        started = time.perf_counter()
        with acting(store) as (door, view):
            new = [NewFact("service:bench", f"written {time.time_ns()}", "a fact stored meanwhile")]
            door.store_facts(SYSTEM, "default", new, view=view)
        waited = time.perf_counter() - started
        longest = max(longest, waited)
        ended.wait(max(0.0, EVERY_SECONDS - waited))
    return longest


def compact_here() -> float:
    """What the other does; answers how long it took in seconds."""
    started = time.perf_counter()
    compact_store(open_store(), actor=SYSTEM)
    return time.perf_counter() - started


def _wait_for_the_end(ended: threading.Event) -> None:
    sys.stdin.read()
    ended.set()


def _told(child: "subprocess.Popen[bytes]") -> float:
    told, _ = child.communicate()
    if child.returncode != 0:
        raise RuntimeError(f"A process of the bench ended with {child.returncode}")
    return float(told)


def _child(folder: Folder, what: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "bench", what]
    return subprocess.Popen(command, env=folder.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
