"""Many writers at once make one chain, and those who die among them take nothing along."""

import multiprocessing
import os
import random
import threading
import time
from pathlib import Path

import pytest

from cruxstore.door import NewFact, Store
from cruxstore.errors import StoreBusyError
from cruxstore.facts.privacy import PrivacyPolicy
from tests.cruxstore.faults import EVERY_FAULT, check_whole, settle
from tests.cruxstore.stores import START_NS, adopted_store, events_of, lead, open_store, put, view_of

THREADS = (8, 8, 7, 7)
ACTS = 10 if EVERY_FAULT else 2
ROUNDS = 25 if EVERY_FAULT else 1
YEAR_NS = 365 * 24 * 3600 * 1_000_000_000


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncs do not wait: a killed process loses nothing of the cache."""
    for sync in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, sync, lambda descriptor: None)


def test_thirty_writers_in_four_processes_make_one_chain_whatever_their_clocks_say(tmp_path: Path) -> None:
    data_dir = adopted_store(tmp_path / "data").data_dir
    context = multiprocessing.get_context("fork")
    processes = [
        context.Process(target=_write_in_threads, args=(data_dir, number, threads))
        for number, threads in enumerate(THREADS)
    ]

    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    store = open_store(data_dir)
    check_whole(store)
    acts = sum(THREADS) * ACTS
    versions = sorted(fact.version for fact in view_of(store).facts.values() if fact.key == "lead")
    assert versions == list(range(1, acts + 1))
    events = events_of(store)
    assert len(events) == 1 + acts
    times = [event.time for event in events]
    assert times != sorted(times)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_writers_killed_among_other_writers_lose_nothing_acknowledged(seed: int, tmp_path: Path) -> None:
    data_dir = adopted_store(tmp_path / "data").data_dir
    context, dice = multiprocessing.get_context("fork"), random.Random(seed)
    promises = [tmp_path / f"promises of {number}" for number in range(4)]
    writers = [context.Process(target=_write_until_killed, args=(data_dir, path)) for path in promises]

    for writer in writers:
        writer.start()
    try:
        for writer, path in zip(writers, promises, strict=True):
            _wait_for_a_promise(path)
            time.sleep(dice.random() / 5)
            writer.kill()
            writer.join()
    finally:
        for writer in writers:
            writer.kill()

    store = open_store(data_dir)
    settle(store)
    check_whole(store)
    stored = [fact.value for fact in view_of(store).facts.values()]
    assert len(stored) == len(set(stored))
    promised = {value for path in promises for value in path.read_text().splitlines()}
    assert len(promised) >= len(writers)
    assert promised <= set(stored)


def _wait_for_a_promise(path: Path) -> None:
    for _ in range(1000):
        if path.exists() and path.stat().st_size > 0:
            return
        time.sleep(0.02)
    raise AssertionError("The writer wrote nothing in 20 s.")


class _SetClock:
    """A clock that somebody sets back or forth, by up to a year, each time before it is read."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def __call__(self) -> int:
        return START_NS + self._dice.randrange(-YEAR_NS, YEAR_NS)


def _write_in_threads(data_dir: Path, process: int, count: int) -> None:
    store = Store.open(data_dir, clock=_SetClock(process), privacy=PrivacyPolicy())

    def write(thread: int) -> None:
        for number in range(ACTS):
            _put(store, lead(f"{process}.{thread}.{number}"), NewFact(f"{process}.{thread}", str(number), "v"))

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _write_until_killed(data_dir: Path, promises: Path) -> None:
    store = open_store(data_dir)
    with promises.open("ab", buffering=0) as kept:
        for number in range(10_000):
            value = f"{promises.name}.{number}"
            _put(store, lead(value))
            kept.write(f"{value}\n".encode())


def _put(store: Store, *facts: NewFact) -> None:
    """Stores facts as soon as the others let it: on a slow machine thirty of them keep one waiting over 10 s."""
    while True:
        try:
            put(store, *facts)
        except StoreBusyError:
            continue
        return
