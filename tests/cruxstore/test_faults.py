"""A writer that is killed anywhere loses nothing it acknowledged, doubles nothing, and leaves nothing half done."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from cruxstore.door import NewFact, Store
from cruxstore.ledger.events import Action, act_digest
from tests.cruxstore.faults import EVERY_FAULT, Death, check_whole, copied, killed_at, settle
from tests.cruxstore.operations import OPERATIONS, Named, compact, set_validity, store_two
from tests.cruxstore.stores import (
    ANA,
    adopted_store,
    events_of,
    lead,
    lose_end,
    mergeable_store,
    open_store,
    put,
    told,
)

Acknowledge = Callable[[object], None]
Condition = Callable[[Store], None]
"""What had happened to the folder before the writer came."""

KEY = "a key"
LEAST_KILLS = 2_000


def all_is_well(store: Store) -> None:
    pass


def the_last_act_is_half_done(store: Store) -> None:
    before = store.journal_path.stat().st_size
    with store.writing() as door:
        set_validity(door, store, "half done", "")
    lose_end(store, store.journal_path, before)


def the_last_act_is_to_be_voided(store: Store) -> None:
    before = store.journal_path.stat().st_size
    put(store, NewFact("team:lost", "lead", "lost"))
    lose_end(store, store.journal_path, before)


def every_file_has_a_torn_tail(store: Store) -> None:
    for path in (store.journal_path, store.ledger_path, store.texts_path):
        with path.open("ab") as file:
            file.write(b'{"torn')


def somebody_else_has_written(store: Store) -> None:
    with store.journal_path.open("ab") as journal:
        journal.write(
            b'{"op":"store","fact":{"fact_id":"f_foreign","entity":"e","key":"k","value":"v","source_receipt":null,'
            b'"confidence":1.0,"stored_at":"2026-01-01T00:00:00Z","tokens":1,"deleted":false}}\n'
        )


def the_journal_was_copied(store: Store) -> None:
    shutil.copyfile(store.journal_path, store.data_dir / "copied")
    (store.data_dir / "copied").replace(store.journal_path)


def there_is_no_checkpoint(store: Store) -> None:
    (store.data_dir / "checkpoint").unlink()


CONDITIONS: tuple[Condition, ...] = (
    all_is_well,
    the_last_act_is_half_done,
    the_last_act_is_to_be_voided,
    every_file_has_a_torn_tail,
    somebody_else_has_written,
    the_journal_was_copied,
    there_is_no_checkpoint,
)
Case = tuple[Named, Condition, Death]

EVERY_CASE: list[Case] = [*product((*OPERATIONS, compact), CONDITIONS, Death)]
SAMPLE: list[Case] = [
    *((act, all_is_well, list(Death)[place % len(Death)]) for place, act in enumerate(OPERATIONS)),
    *((compact, all_is_well, death) for death in Death),
    *((store_two, condition, Death.HALF_WRITTEN) for condition in CONDITIONS[1:]),
]


@pytest.fixture(scope="module")
def kills() -> Iterator[list[int]]:
    """Counts the writers that were killed; the long run is held to its number."""
    counted: list[int] = []
    yield counted
    if EVERY_FAULT:
        print(f"\n{len(counted):,} writers were killed")
        assert len(counted) >= LEAST_KILLS


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syncs do not wait: a killed process loses nothing of the cache, and a lost one is cut by the child itself."""
    for sync in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, sync, lambda descriptor: None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on which every operation can be done."""
    return mergeable_store(tmp_path_factory.mktemp("folder") / "data").data_dir


@pytest.mark.parametrize(
    ("act", "condition", "death"),
    EVERY_CASE if EVERY_FAULT else SAMPLE,
    ids=lambda part: part.value if isinstance(part, Death) else part.__name__,
)
def test_an_act_killed_at_every_step_is_done_once_or_not_at_all(
    act: Named, condition: Condition, death: Death, folder: Path, tmp_path: Path, kills: list[int]
) -> None:
    before, after = _before_and_after(act, condition, copied(folder, tmp_path / "copy"))

    for step in range(1, 100, 1 if EVERY_FAULT else 3):
        copy = copied(folder, tmp_path / "copy")
        condition(open_store(copy))
        # open before the other dies: what it knows of the files is out of date then
        store = open_store(copy)
        ended = killed_at(step, death, partial(_acknowledged, act, copy))
        settle(store)
        check_whole(store)
        assert told(store) == after if ended.acknowledged else told(store) in (before, after)
        _do(act, store)
        check_whole(store)
        assert told(store) == after
        assert _times_done(store) == 1
        if ended.is_finished:
            break
        kills.append(step)

    assert ended.is_finished


def test_taking_over_killed_at_every_step_can_be_done_again(tmp_path: Path, kills: list[int]) -> None:
    for step in range(1, 100):
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        ended = killed_at(step, Death.BEFORE, lambda acknowledge: _adopt(tmp_path / "copy"))
        store = adopted_store(tmp_path / "copy")
        put(store, lead("after"))
        check_whole(store)
        assert [event.action for event in events_of(store)] == [Action.STORE_ADOPTED, Action.FACT_STORED]
        if ended.is_finished:
            break
        kills.append(step)

    assert step >= 10


# the one who mends is killed as well, at every step of the mending
@pytest.mark.parametrize("condition", CONDITIONS[1:6] if EVERY_FAULT else CONDITIONS[1:3], ids=lambda it: it.__name__)
def test_mending_killed_at_every_step_is_mended_by_the_next(
    condition: Condition, folder: Path, tmp_path: Path, kills: list[int]
) -> None:
    reference = open_store(copied(folder, tmp_path / "copy"))
    condition(reference)
    settle(open_store(reference.data_dir))
    mended = told(reference)

    for step in range(1, 100):
        copy = copied(folder, tmp_path / "copy")
        condition(open_store(copy))
        ended = killed_at(step, Death.HALF_WRITTEN, lambda acknowledge: settle(open_store(tmp_path / "copy")))
        store = open_store(copy)
        settle(store)
        check_whole(store)
        assert told(store) == mended
        if ended.is_finished:
            break
        kills.append(step)

    assert step >= 3


def _before_and_after(act: Named, condition: Condition, copy: Path) -> tuple[Sequence[object], Sequence[object]]:
    condition(open_store(copy))
    store = open_store(copy)
    settle(store)
    before = told(store)
    _do(act, store)
    return before, told(store)


def _do(act: Named, store: Store) -> None:
    with store.writing() as door:
        act(door, store, "word", KEY)


def _acknowledged(act: Named, data_dir: Path, acknowledge: Acknowledge) -> None:
    _do(act, open_store(data_dir))
    acknowledge("done")


def _adopt(data_dir: Path) -> None:
    with open_store(data_dir).writing() as door:
        door.adopt(ANA)


def _times_done(store: Store) -> int:
    events = events_of(store)
    voided = {event.subjects[0] for event in events if event.action == Action.ACT_VOIDED}
    return sum(event.act == act_digest(KEY) and event.event_id not in voided for event in events)
