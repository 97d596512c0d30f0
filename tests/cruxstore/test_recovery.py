"""What the next holder of the lock does about half-done acts, torn tails, failed syncs and somebody else's lines."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cruxstore.door import NewFact, Store
from cruxstore.errors import (
    ActUnfinishedError,
    DamagedLedgerError,
    DiskRefusedError,
    KeyMissingError,
    StoreStoppedError,
)
from cruxstore.ledger.events import Action
from cruxstore.lines import read_lines
from tests.cruxstore.stores import (
    ANA,
    actions_of,
    adopted_store,
    delete,
    events_of,
    forget_vouching,
    lead,
    lose_end,
    open_store,
    put,
    replay_of,
    values_in_use,
    view_of,
)

FOREIGN = b'{"op":"delete","fact_id":"f_nobody","deleted_at":"2026-01-01T00:00:00+00:00"}\n'


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return adopted_store(tmp_path / "data")


def reopened(store: Store) -> Store:
    """The same folder as another process sees it after a restart."""
    store.close()
    return open_store(store.data_dir)


def settle(store: Store) -> None:
    """Takes the lock and lets it go."""
    with store.writing():
        pass


def test_a_stored_fact_whose_line_is_missing_is_void(store: Store) -> None:
    put(store, lead("Ana"))
    before = store.journal_path.stat().st_size
    lost = put(store, lead("Ben"), act="the lost one")
    lose_end(store, store.journal_path, before)

    again = reopened(store)
    settle(again)

    assert actions_of(again)[-1] == Action.ACT_VOIDED
    voided = events_of(again)[-1]
    assert (voided.subjects, voided.code) == ((lost.event.event_id,), "text_line_missing")
    assert values_in_use(again) == ["Ana"]
    with again.writing() as door:
        assert door.find_act("the lost one") is None


def test_a_supersede_that_is_missing_after_its_store_is_appended(store: Store) -> None:
    put(store, lead("Ana"))
    put(store, lead("Ben"))
    whole = store.journal_path.read_bytes()
    last_line = [offset for offset, _ in read_lines(store.journal_path)][-1]
    lose_end(store, store.journal_path, last_line)

    settle(reopened(store))

    assert store.journal_path.read_bytes() == whole
    assert actions_of(store)[-1] == Action.FACT_STORED


def test_a_delete_whose_line_is_missing_is_appended(store: Store) -> None:
    receipt = put(store, lead("Ana"))
    delete(store, receipt.fact_ids)
    whole = store.journal_path.read_bytes()
    lose_end(store, store.journal_path, receipt.event.journal.adds)

    settle(reopened(store))

    assert store.journal_path.read_bytes() == whole


def test_a_missing_line_about_a_foreign_id_is_appended_with_the_id_from_the_texts(tmp_path: Path) -> None:
    store = _store_with_foreign_id(tmp_path / "data", "f_legacy_1")
    before = store.journal_path.stat().st_size
    delete(store, ["f_legacy_1"])
    whole = store.journal_path.read_bytes()
    lose_end(store, store.journal_path, before)

    settle(reopened(store))

    assert store.journal_path.read_bytes() == whole


def test_a_foreign_id_that_is_gone_from_the_texts_stops_the_completion(tmp_path: Path) -> None:
    store = _store_with_foreign_id(tmp_path / "data", "f_legacy_1")
    before = store.journal_path.stat().st_size
    delete(store, ["f_legacy_1"])
    lose_end(store, store.journal_path, before)
    lose_end(store, store.texts_path, 0)

    with pytest.raises(DamagedLedgerError), reopened(store).writing():
        pass


def test_foreign_lines_are_counted_recorded_and_kept(store: Store) -> None:
    put(store, lead("Ana"))
    with store.journal_path.open("ab") as journal:
        journal.write(FOREIGN * 3)

    put(store, lead("Ben"))

    observed = events_of(store)[-2]
    assert (observed.action, observed.code) == (Action.LINE_OBSERVED, "foreign_lines")
    assert observed.observed is not None
    assert (observed.observed.lines, observed.observed.bytes) == (3, 3 * len(FOREIGN))
    assert store.journal_path.read_bytes().count(FOREIGN) == 3
    assert values_in_use(store) == ["Ben"]
    assert events_of(store)[-1].journal.lines == 4


def test_a_foreign_torn_tail_is_set_aside(store: Store) -> None:
    put(store, lead("Ana"))
    with store.journal_path.open("ab") as journal:
        journal.write(b'{"op":"store","fact":{"fact_id"')

    put(store, lead("Ben"))

    assert values_in_use(store) == ["Ben"]
    assert [path.read_bytes() for path in store.quarantines()] == [b'{"op":"store","fact":{"fact_id"']
    assert replay_of(store).skipped == []


def test_foreign_lines_before_the_missing_ones_do_not_hide_that_they_are_missing(store: Store) -> None:
    put(store, lead("Ana"))
    put(store, lead("Ben"))
    last_line = [offset for offset, _ in read_lines(store.journal_path)][-1]
    lose_end(store, store.journal_path, last_line)
    with store.journal_path.open("ab") as journal:
        journal.write(FOREIGN)

    again = reopened(store)
    settle(again)

    assert values_in_use(again) == ["Ben"]
    assert actions_of(again)[-1] == Action.LINE_OBSERVED
    settle(reopened(again))
    assert actions_of(again).count(Action.LINE_OBSERVED) == 1


def test_a_foreign_line_that_slips_in_before_ours_is_told_apart(store: Store) -> None:
    put(store, lead("Ana"))
    before = store.journal_path.stat().st_size
    put(store, lead("Ben"))
    content = store.journal_path.read_bytes()
    store.journal_path.write_bytes(content[:before] + FOREIGN + content[before:])

    again = reopened(store)
    settle(again)

    assert actions_of(again)[-1] == Action.LINE_OBSERVED
    assert Action.ACT_VOIDED not in actions_of(again)
    assert values_in_use(again) == ["Ben"]


def test_a_folder_that_was_copied_goes_on_in_its_generation(store: Store, tmp_path: Path) -> None:
    put(store, lead("Ana"))
    shutil.copytree(store.data_dir, tmp_path / "copy")

    copy = open_store(tmp_path / "copy")
    put(copy, lead("Ben"))

    moved = events_of(copy)[-2]
    assert (moved.action, moved.code, moved.journal.generation) == (Action.LINE_OBSERVED, "journal_moved", 1)
    assert values_in_use(copy) == ["Ben"]


def test_a_folder_that_was_copied_right_after_it_was_taken_over_goes_on_too(store: Store, tmp_path: Path) -> None:
    shutil.copytree(store.data_dir, tmp_path / "copy")

    copy = open_store(tmp_path / "copy")
    put(copy, lead("Ana"))

    assert [event.code for event in events_of(copy)] == ["", "journal_moved", ""]
    assert events_of(copy)[-1].journal.generation == 1


def test_a_replaced_journal_begins_a_generation_with_a_key_of_its_own(store: Store) -> None:
    put(store, lead("Ana"))
    put(store, NewFact("a", "b", "c"))
    other = store.data_dir / "other"
    other.write_bytes(FOREIGN * 20)
    other.replace(store.journal_path)

    put(store, lead("Ben"))

    replaced = events_of(store)[-2]
    assert (replaced.action, replaced.code) == (Action.LINE_OBSERVED, "journal_replaced")
    assert (replaced.journal.generation, replaced.journal.lines) == (2, 20)
    assert events_of(store)[-1].journal.generation == 2
    assert (store.data_dir / "keys" / "journal-2.key").exists()
    assert values_in_use(store) == ["Ben"]


def test_a_journal_cut_short_is_recorded(store: Store) -> None:
    put(store, lead("Ana"))
    put(store, lead("Ben"))
    put(store, lead("Cem"))
    lines = [offset for offset, _ in read_lines(store.journal_path)]
    lose_end(store, store.journal_path, lines[1])

    put(store, NewFact("a", "b", "c"))

    cut = events_of(store)[-2]
    assert (cut.action, cut.code, cut.journal.generation) == (Action.LINE_OBSERVED, "journal_cut", 2)


def test_a_missing_key_is_said_not_replaced(store: Store) -> None:
    put(store, lead("Ana"))
    (store.data_dir / "keys" / "journal-1.key").unlink()

    with pytest.raises(KeyMissingError):
        settle(reopened(store))


@pytest.mark.parametrize("name", ["texts.jsonl", "ledger.jsonl"])
def test_a_full_disk_before_the_event_changes_nothing(name: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, lead("Ana"))
    with store.writing() as door:
        door.record(ANA, "", Action.PERSON_CREATED, text="Ana")
    before = len(events_of(store)), store.journal_path.read_bytes()

    with monkeypatch.context() as patched:
        _fail_on(patched, "write", name, store, OSError(28, "No space left on device"))
        with store.writing() as door, pytest.raises(DiskRefusedError):
            door.store_facts(ANA, "default", [lead("Ben")], view=view_of(store), reason="promoted")

    assert (len(events_of(store)), store.journal_path.read_bytes()) == before
    assert values_in_use(store) == ["Ana"]
    put(store, lead("Cem"))
    assert values_in_use(store) == ["Cem"]


def test_a_full_disk_after_the_event_leaves_an_act_that_the_next_one_voids(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, lead("Ana"))

    with monkeypatch.context() as patched:
        _fail_on(patched, "write", "facts.jsonl", store, OSError(28, "No space left on device"))
        with pytest.raises(ActUnfinishedError, match="Event 3 "):
            put(store, lead("Ben"))

    assert values_in_use(store) == ["Ana"]
    put(store, lead("Cem"))
    assert values_in_use(store) == ["Cem"]
    assert actions_of(store)[-3:] == [Action.FACT_STORED, Action.ACT_VOIDED, Action.FACT_STORED]


def test_an_unfinished_act_is_mended_before_the_next_act_under_the_same_lock(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = put(store, lead("Ana"))

    with store.writing() as door:
        with monkeypatch.context() as patched:
            _fail_on(patched, "write", "facts.jsonl", store, OSError(28, "No space left on device"))
            with pytest.raises(ActUnfinishedError):
                door.delete_facts(ANA, "default", receipt.fact_ids, view=view_of(store))
        door.record(ANA, "", Action.PERSON_CREATED)

    assert values_in_use(store) == []
    assert actions_of(store)[-2:] == [Action.FACT_DELETED, Action.PERSON_CREATED]


@pytest.mark.parametrize("name", ["texts.jsonl", "ledger.jsonl", "facts.jsonl"])
def test_a_failed_sync_stops_every_writer_until_the_store_is_reopened(
    name: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, lead("Ana"))
    with store.writing() as door:
        door.record(ANA, "", Action.PERSON_CREATED, text="Ana")
    other = open_store(store.data_dir)
    settle(other)

    with monkeypatch.context() as patched:
        _fail_on(patched, "fdatasync", name, store, OSError(5, "Input/output error"))
        with store.writing() as door:
            with pytest.raises(StoreStoppedError):
                door.store_facts(ANA, "default", [lead("Ben")], view=view_of(store), reason="promoted")
            with pytest.raises(StoreStoppedError):
                door.record(ANA, "", Action.PERSON_CREATED)

    for writer in (store, other):
        assert name in writer.stopped()
        with pytest.raises(StoreStoppedError):
            settle(writer)

    other.reopen()

    assert other.stopped() == ""
    assert values_in_use(other) in (["Ana"], ["Ben"])
    put(other, lead("Cem"))
    assert values_in_use(other) == ["Cem"]
    store.reopen()
    put(store, lead("Dora"))
    assert values_in_use(store) == ["Dora"]
    assert [event.seq for event in events_of(store)] == list(range(1, len(events_of(store)) + 1))


def test_a_store_whose_ledger_does_not_hold_together_is_not_reopened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, lead("Ana"))
    with monkeypatch.context() as patched:
        _fail_on(patched, "fdatasync", "facts.jsonl", store, OSError(5, "Input/output error"))
        with pytest.raises(StoreStoppedError):
            put(store, lead("Ben"))
    content = store.ledger_path.read_bytes()
    store.ledger_path.write_bytes(content.replace(b'"tenant":"default"', b'"tenant":"defaulT"', 1))
    forget_vouching(store)

    with pytest.raises(DamagedLedgerError):
        store.reopen()

    assert store.stopped()


def _fail_on(monkeypatch: pytest.MonkeyPatch, call: str, name: str, store: Store, error: OSError) -> None:
    real: Callable[..., object] = getattr(os, call)
    inode = (store.data_dir / name).stat().st_ino

    def fail(descriptor: int, *rest: object) -> object:
        if os.fstat(descriptor).st_ino == inode:
            raise error
        return real(descriptor, *rest)

    monkeypatch.setattr(os, call, fail)


def _store_with_foreign_id(data_dir: Path, fact_id: str) -> Store:
    data_dir.mkdir()
    line = (
        '{"op":"store","fact":{"fact_id":"%s","tenant_hash":"default","entity":"team:a","key":"lead","value":"Ana",'
        '"source_receipt":null,"confidence":1.0,"stored_at":"2026-01-01T00:00:00Z","tokens":1,"deleted":false,'
        '"version":1,"private":false,"horizon_class":"none"}}\n'
    )
    (data_dir / "facts.jsonl").write_text(line % fact_id)
    return adopted_store(data_dir)
