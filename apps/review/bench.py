"""How fast the scans are, each next to its yardstick in the same run; a child has the measured folder as its own."""

import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import orjson
from django.conf import settings
from django.utils import timezone

from apps.accounts.actions import SYSTEM
from apps.accounts.rules import Scope
from apps.facts.acting import acting
from apps.facts.bench.folder import Folder
from apps.facts.bench.journal import TENANTS, facts_after
from apps.facts.bench.measures import SMALL, Figure, Folders
from apps.facts.models import Build
from apps.facts.queries.scanning import Ground, current_rows, next_entities
from apps.review.actions.duplicates import FACTS_AT_ONCE, scan_duplicates
from apps.review.actions.scan import scan_tenant
from apps.review.actions.walking import ENTITIES_AT_ONCE
from apps.review.shingles import shingles, signatures
from apps.store import open_store
from cruxstore.door import Store

NEW_FACTS = 1_000
_TELLING = re.compile(rb"\b(?:no|not|never|[0-9]+)\b")


@dataclass(frozen=True)
class Scans:
    """Seconds of the scans of one folder and of their yardsticks, and the most memory that the full scan took."""

    full: float
    full_yardstick: float
    peak_bytes: int
    incremental: float
    duplicates: float
    duplicates_yardstick: float


class Measured:
    """The scans of a run, measured when a figure first needs them."""

    def __init__(self) -> None:
        self._scans: dict[Path, Scans] = {}

    def of(self, folder: Folder) -> Scans:
        """The scans of a folder; they leave a thousand facts more in it."""
        if folder.path not in self._scans:
            command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "bench", "--scan"]
            done = subprocess.run(command, env=folder.environment(), capture_output=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(f"The scans could not be measured: {done.stderr.decode()[-2000:]}")
            self._scans[folder.path] = Scans(**json.loads(done.stdout))
        return self._scans[folder.path]


def scan_measures() -> dict[str, Callable[[Folders], Figure]]:
    """The figures of the scans."""
    measured = Measured()

    def scan_full(folders: Folders) -> Figure:
        scans = measured.of(folders.with_facts(folders.facts))
        return Figure(scans.full, scans.full_yardstick, "s", folders.facts)

    def scan_memory(folders: Folders) -> Figure:
        scans = measured.of(folders.with_facts(folders.facts))
        small = measured.of(folders.with_facts(SMALL))
        return Figure(scans.peak_bytes, small.peak_bytes, "bytes", folders.facts)

    def scan_incremental(folders: Folders) -> Figure:
        scans = measured.of(folders.with_facts(folders.facts))
        return Figure(scans.incremental, scans.full, "s", folders.facts)

    def scan_duplicates(folders: Folders) -> Figure:
        scans = measured.of(folders.with_facts(folders.facts))
        return Figure(scans.duplicates, scans.duplicates_yardstick, "s", folders.facts)

    return {
        "scan_full": scan_full,
        "scan_memory": scan_memory,
        "scan_incremental": scan_incremental,
        "scan_duplicates": scan_duplicates,
    }


def scan_here() -> dict[str, float]:
    """What the child does in its folder: the full scan between two runs of its yardstick, then the others."""
    store = open_store()
    grounds = [Ground.of(Scope(tenant=tenant, principal_id="bench")) for tenant in TENANTS]
    first = _seconds(lambda: _parse_and_match(store.journal_path))
    full = _seconds(lambda: [scan_tenant(ground, now=timezone.now()) for ground in grounds])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    second = _seconds(lambda: _parse_and_match(store.journal_path))
    duplicates = _seconds(lambda: [scan_duplicates(ground, now=timezone.now()) for ground in grounds])
    alone = _sign_alone(grounds)
    _add_facts(store)
    incremental = _seconds(lambda: [scan_tenant(ground, now=timezone.now()) for ground in grounds])
    return {
        "full": full,
        "full_yardstick": (first + second) / 2,
        "peak_bytes": peak,
        "incremental": incremental,
        "duplicates": duplicates,
        "duplicates_yardstick": alone,
    }


def _parse_and_match(journal: Path) -> None:
    with journal.open("rb") as lines:
        for line in lines:
            operation = orjson.loads(line)
            if operation["op"] == "store":
                _TELLING.search(operation["fact"]["value"].encode())


def _sign_alone(grounds: list[Ground]) -> float:
    """Seconds that the library takes for the same values in the same parts; reading and cutting up is not counted."""
    seconds = 0.0
    for ground in grounds:
        after = 0
        while entities := next_entities(ground, after=after, limit=ENTITIES_AT_ONCE):
            after = entities[-1][0]
            pieces = [
                found for row in current_rows(ground, [text for _, text in entities]) if (found := shingles(row.value))
            ]
            for at in range(0, len(pieces), FACTS_AT_ONCE):
                seconds += _seconds(partial(signatures, pieces[at : at + FACTS_AT_ONCE]))
    return seconds


def _add_facts(store: Store) -> None:
    """Stores what agents would state next, as they would: through the door."""
    facts = sum(build.facts for build in Build.objects.filter(state=Build.State.CURRENT))
    with acting(store) as (door, view):
        door.store_facts(SYSTEM, "default", facts_after(facts, NEW_FACTS), view=view)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
