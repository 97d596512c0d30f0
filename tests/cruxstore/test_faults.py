"""A writer that is killed anywhere loses nothing it acknowledged, doubles nothing, and leaves nothing half done."""

import multiprocessing
import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from cruxstore.door import NewFact, Store
from cruxstore.ledger.events import Action, leaf_hash
from cruxstore.lines import read_lines
from tests.cruxstore.faults import Death, killed_at
from tests.cruxstore.stores import (
    ANA,
    adopted_store,
    events_of,
    lead,
    open_store,
    put,
    replay_of,
    values_in_use,
    view_of,
)

Acknowledge = Callable[[object], None]
Act = Callable[[Store], None]


def adopt(store: Store) -> None:
    with store.writing() as door:
        door.adopt(ANA)


def store_one(store: Store) -> None:
    put(store, NewFact("new", "one", "stored"))


def store_a_version_with_a_reason(store: Store) -> None:
    with store.writing() as door:
        door.store_facts(ANA, "default", [lead("second")], view=view_of(store), reason="promoted")


def store_a_batch_over_old_ones(store: Store) -> None:
    put(store, lead("second"), NewFact("team:b", "lead", "second"), NewFact("new", "three", "stored"))


def delete_two(store: Store) -> None:
    with store.writing() as door:
        view = view_of(store)
        door.delete_facts(ANA, "default", list(view.facts), view=view, reason="gone")


def record_with_a_name(store: Store) -> None:
    with store.writing() as door:
        door.record(ANA, "", Action.PERSON_CREATED, subjects=["p_ben"], text="Ben")


BEFORE = ["first", "first"]
ACTS: dict[Act, list[str]] = {
    store_one: [*BEFORE, "stored"],
    store_a_version_with_a_reason: ["first", "second"],
    store_a_batch_over_old_ones: ["second", "second", "stored"],
    delete_two: [],
    record_with_a_name: BEFORE,
}


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncs do not wait: a killed process loses nothing of the cache, and a lost one is cut by the child itself."""
    for sync in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, sync, lambda descriptor: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with two facts."""
    store = adopted_store(tmp_path / "first")
    put(store, lead("first"))
    put(store, NewFact("team:b", "lead", "first"))
    return store.data_dir


@pytest.mark.parametrize("death", list(Death))
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_an_act_killed_at_every_step_is_done_or_not_done(act: Act, death: Death, folder: Path, tmp_path: Path) -> None:
    kills = 0

    for step in range(1, 100):
        copy = _copy(folder, tmp_path / "copy")
        # open before the other dies: what it knows of the files is out of date then
        store = open_store(copy)
        _settle(store)
        ended = killed_at(step, death, partial(_acknowledged, act, copy))
        _settle(store)
        _check(store)
        is_done = values_in_use(store) == sorted(ACTS[act])
        assert is_done or (values_in_use(store) == BEFORE and not ended.acknowledged)
        put(store, lead("after"))
        assert "after" in values_in_use(store)
        _check(store)
        if ended.is_finished:
            break
        kills += 1

    assert kills >= 6


def test_taking_over_killed_at_every_step_can_be_done_again(tmp_path: Path) -> None:
    kills = 0

    for step in range(1, 100):
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        ended = killed_at(step, Death.BEFORE, partial(_acknowledged, adopt, tmp_path / "copy"))
        store = adopted_store(tmp_path / "copy")
        put(store, lead("after"))
        _check(store)
        assert [event.action for event in events_of(store)] == [Action.STORE_ADOPTED, Action.FACT_STORED]
        if ended.is_finished:
            break
        kills += 1

    assert kills >= 10


# the one who mends is killed as well, at every step of the mending
@pytest.mark.parametrize("first_step", [6, 8, 9])
def test_mending_killed_at_every_step_is_mended_by_the_next(first_step: int, folder: Path, tmp_path: Path) -> None:
    torn = _copy(folder, tmp_path / "torn")
    killed_at(
        first_step,
        Death.HALF_WRITTEN,
        partial(_acknowledged, store_a_batch_over_old_ones, torn),
    )

    for step in range(1, 100):
        copy = _copy(torn, tmp_path / "copy")
        ended = killed_at(step, Death.HALF_WRITTEN, partial(_acknowledged, _settle, copy))
        store = open_store(copy)
        _settle(store)
        _check(store)
        assert values_in_use(store) in (BEFORE, sorted(ACTS[store_a_batch_over_old_ones]))
        if ended.is_finished:
            break


def test_four_processes_of_three_threads_make_one_chain(tmp_path: Path) -> None:
    data_dir = adopted_store(tmp_path / "data").data_dir
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_write_in_threads, args=(data_dir, number)) for number in range(4)]

    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    store = open_store(data_dir)
    _check(store)
    facts = view_of(store).facts.values()
    assert sorted(fact.version for fact in facts if fact.key == "lead") == list(range(1, 61))
    assert len(events_of(store)) == 61


def test_writers_killed_among_other_writers_lose_nothing_acknowledged(tmp_path: Path) -> None:
    data_dir = adopted_store(tmp_path / "data").data_dir
    context, dice = multiprocessing.get_context("fork"), random.Random(7)
    promises = [tmp_path / f"promises of {number}" for number in range(4)]
    writers = [context.Process(target=_write_until_killed, args=(data_dir, path)) for path in promises]

    for writer in writers:
        writer.start()
    for writer in writers:
        time.sleep(0.1 + dice.random() / 5)
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()

    store = open_store(data_dir)
    with store.writing():
        pass
    _check(store)
    stored = [fact.value for fact in view_of(store).facts.values()]
    assert len(stored) == len(set(stored))
    promised = {value for path in promises if path.exists() for value in path.read_text().splitlines()}
    assert promised
    assert promised <= set(stored)


def _settle(store: Store) -> None:
    with store.writing():
        pass


def _acknowledged(act: Act, data_dir: Path, acknowledge: Acknowledge) -> None:
    act(open_store(data_dir))
    acknowledge("done")


def _write_in_threads(data_dir: Path, process: int) -> None:
    store = open_store(data_dir)

    def write(thread: int) -> None:
        for number in range(5):
            put(store, lead(f"{process}.{thread}.{number}"), NewFact(f"{process}.{thread}", str(number), "v"))

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _write_until_killed(data_dir: Path, promises: Path) -> None:
    store = open_store(data_dir)
    with promises.open("ab", buffering=0) as kept:
        for number in range(10_000):
            value = f"{promises.name}.{number}"
            put(store, lead(value))
            kept.write(f"{value}\n".encode())


def _copy(folder: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to)
    # a copy has an inode of its own, which is recorded once: here, so that it is no part of the act
    _settle(open_store(to))
    return to


def _check(store: Store) -> None:
    """The ledger is one chain without gaps, and the journal holds whole lines that break no rule."""
    lines = [line for _, line in read_lines(store.ledger_path)]
    events = events_of(store)
    assert [event.seq for event in events] == list(range(1, len(lines) + 1))
    assert [event.prev for event in events] == [None, *map(leaf_hash, lines[:-1])]
    replay = replay_of(store)
    assert replay.skipped == []
    assert replay.ignored == []
    assert replay.torn_tail_bytes == 0
    assert store.settled_length() == store.journal_path.stat().st_size
