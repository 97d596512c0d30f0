"""A journal compacted, and the same file read, parsed, dumped and written by `orjson`."""

import os
import statistics
import time
from pathlib import Path

import orjson

from apps.facts.bench.journal import write_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.rewrite import plan_rewrite, write_plan
from cruxstore.facts.times import timestamp_from_ns

DEAD = 0.2
ROUNDS = 3

_BUFFER_BYTES = 1024 * 1024


def compact(root: Path, facts: int) -> tuple[float, float]:
    """Seconds for compacting a journal with a fifth dead, and for the yardstick; the middle of some rounds."""
    journal, draft = root / "facts.jsonl", root / "draft"
    write_journal(journal, facts, deleted=DEAD)
    ours: list[float] = []
    yardstick: list[float] = []
    for _ in range(ROUNDS):
        for seconds, work in ((yardstick, _write_again), (ours, _compact)):
            started = time.perf_counter()
            work(journal, draft)
            seconds.append(time.perf_counter() - started)
            draft.unlink()
    return statistics.median(ours), statistics.median(yardstick)


def _compact(journal: Path, draft: Path) -> None:
    plan = plan_rewrite(journal, privacy=PrivacyPolicy())
    write_plan(plan, draft, at=timestamp_from_ns(time.time_ns()))


def _write_again(journal: Path, draft: Path) -> None:
    with journal.open("rb", buffering=_BUFFER_BYTES) as old, draft.open("wb", buffering=_BUFFER_BYTES) as new:
        for line in old:
            new.write(orjson.dumps(orjson.loads(line)) + b"\n")
        new.flush()
        os.fdatasync(new.fileno())
