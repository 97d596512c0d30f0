"""Any byte of the journal, the ledger or a checkpoint that was changed, put in or taken out is found, and where."""

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cruxstore.door import Store
from cruxstore.ledger.checkpoint import Dailies, Slots
from cruxstore.ledger.events import Action
from cruxstore.ledger.notes import Checkpoint
from cruxstore.lines import read_lines
from cruxstore.verifying import Verdict, Verification, verify_folder
from tests.cruxstore.faults import EVERY_FAULT
from tests.cruxstore.operations import store_two
from tests.cruxstore.stores import ANA, adopted_store, lead, put, view_of

FOREIGN = b'{"op":"delete","fact_id":"f_nobody","deleted_at":"2026-01-01T00:00:00+00:00"}\n'
STEP = 1 if EVERY_FAULT else 29


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A small store with lines of every kind: with text, without, of somebody else, and one under a hold of others."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "facts.jsonl").write_bytes(FOREIGN)
    store = adopted_store(tmp_path / "data")
    receipt = put(store, lead("Ana"))
    with store.writing() as door:
        store_two(door, store, "word", "a key")
    Dailies(store.data_dir / "checkpoints").keep(_newest(store))
    with store.journal_path.open("ab") as journal:
        journal.write(FOREIGN * 2)
    with store.writing() as door:
        door.set_validity(ANA, "default", receipt.fact_ids[0], None, None, view=view_of(store))
        door.record(ANA, "acme", Action.TENANT_CREATED)
    put(store, lead("Ben"))
    store.close()
    return store


def changes(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The content with a byte changed, taken out, put in or doubled, or cut, at one place after the other."""
    for place in range(random.randrange(STEP), len(content), STEP):
        before, byte, after = content[:place], content[place : place + 1], content[place + 1 :]
        yield place, before + bytes([byte[0] ^ 1 << random.randrange(8)]) + after
        yield place, before + after
        yield place, before + bytes([random.randrange(256)]) + byte + after
        yield place, before + byte + byte + after
        if place + 1 < len(content):
            yield place, before + content[place + 1 : place + 2] + byte + content[place + 2 :]
        yield place, before


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cruxstore.verifying._PAUSE_SECONDS", 0)


def check_every_change(store: Store, name: str, found_in: Callable[[Verification, int], bool]) -> None:
    path = store.data_dir / name
    content = path.read_bytes()
    assert verify_folder(store.data_dir).verdict == Verdict.INTACT
    for place, changed in changes(content):
        if changed == content:
            continue
        path.write_bytes(changed)
        found = verify_folder(store.data_dir)
        assert found.verdict != Verdict.INTACT or found.notes, (place, changed)
        assert found_in(found, place), (place, found)
    path.write_bytes(content)
    assert verify_folder(store.data_dir).verdict == Verdict.INTACT


@pytest.mark.timeout(3600)
def test_any_byte_of_the_ledger(store: Store) -> None:
    starts = [offset for offset, _ in read_lines(store.ledger_path)]
    assert len(starts) == 7

    def is_there(found: Verification, place: int) -> bool:
        fault = found.fault
        if fault is None or fault.file != "ledger.jsonl":
            return False
        number = sum(start <= place for start in starts)
        # a newline belongs to both of the lines that it parts
        return fault.line in (number, number + 1)

    check_every_change(store, "ledger.jsonl", is_there)


@pytest.mark.timeout(3600)
def test_any_byte_of_the_journal(store: Store) -> None:
    starts = [offset for offset, _ in read_lines(store.journal_path)]

    def is_there(found: Verification, place: int) -> bool:
        if found.fault is None:
            # what is put in behind the last line is nobody's yet
            return any("facts.jsonl" in note or "not recorded" in note for note in found.notes)
        number = sum(start <= place for start in starts)
        # lines of somebody else are known by one digest over all of them
        return found.fault.file == "facts.jsonl" and abs(found.fault.line - number) <= 2

    check_every_change(store, "facts.jsonl", is_there)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["checkpoint", "checkpoints/2025-11-30"])
def test_any_byte_of_a_checkpoint(name: str, store: Store) -> None:
    check_every_change(store, name, lambda found, place: name in found.trouble)


def test_a_checkpoint_that_is_gone_leaves_nothing_signed(store: Store) -> None:
    (store.data_dir / "checkpoint").unlink()
    shutil.rmtree(store.data_dir / "checkpoints")

    found = verify_folder(store.data_dir)

    assert (found.verdict, found.unchecked) == (Verdict.UNCHECKED, "No checkpoint of this ledger is signed.")


@pytest.mark.parametrize("name", ["ledger.jsonl", "facts.jsonl"])
def test_the_last_acknowledged_line_cut_off_is_missed(name: str, store: Store) -> None:
    path = store.data_dir / name
    start = [offset for offset, _ in read_lines(path)][-1]
    path.write_bytes(path.read_bytes()[:start])

    found = verify_folder(store.data_dir)

    assert found.verdict == Verdict.BROKEN
    assert found.fault is not None
    assert (found.fault.file, found.fault.byte) == (name, start)


def test_the_event_of_a_new_key_cut_off_is_missed(store: Store) -> None:
    with store.writing() as door:
        door.rotate_key(ANA)
    start = [offset for offset, _ in read_lines(store.ledger_path)][-1]
    store.ledger_path.write_bytes(store.ledger_path.read_bytes()[:start])

    fault = verify_folder(store.data_dir).fault

    assert fault is not None
    assert (fault.file, fault.byte, fault.code) == ("ledger.jsonl", start, "rolled_back")


@pytest.mark.parametrize("name", ["ledger.jsonl", "facts.jsonl"])
def test_any_line_taken_out_doubled_or_put_elsewhere(name: str, store: Store) -> None:
    path = store.data_dir / name
    lines = [line for _, line in read_lines(path)]
    assert len(lines) > 6
    for at in range(len(lines)):
        for to in range(len(lines)):
            others = [*lines[:at], *lines[at + 1 :]]
            for changed in (others, [*lines[:to], lines[at], *lines[to:]], [*others[:to], lines[at], *others[to:]]):
                if changed == lines:
                    continue
                path.write_bytes(b"\n".join(changed) + b"\n")
                found = verify_folder(store.data_dir)
                assert found.verdict != Verdict.INTACT or found.notes
                assert found.fault is None or found.fault.file == name


def _newest(store: Store) -> Checkpoint:
    found = Slots(store.data_dir / "checkpoint").newest()
    assert found is not None
    return found
