"""Verification finds what does not agree, says where, and changes nothing."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from cruxstore.door import Store
from cruxstore.ledger.checkpoint import Slots
from cruxstore.ledger.events import Action
from cruxstore.lines import read_lines
from cruxstore.verifying import Fault, Verdict, Verification, verify_folder
from tests.cruxstore.operations import (
    bring_back,
    ids_of,
    merge,
    record,
    retire,
    reverify,
    set_horizon,
    set_validity,
    store_one,
    store_two,
    take_back,
)
from tests.cruxstore.stores import (
    ANA,
    adopted_store,
    events_of,
    forget_vouching,
    lead,
    lose_end,
    mergeable_store,
    open_store,
    put,
    view_of,
)

IN_TURN = (
    set_validity,
    set_horizon,
    reverify,
    record,
    take_back,
    retire,
    bring_back,
    merge,
    store_one,
    store_two,
)
FOREIGN = b'{"op":"delete","fact_id":"f_nobody","deleted_at":"2026-01-01T00:00:00+00:00"}\n'


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store on which everything was done once."""
    store = mergeable_store(tmp_path / "data")
    with store.writing() as door:
        for operation in IN_TURN:
            operation(door, store, "word", operation.__name__)
        door.delete_facts(ANA, "default", ids_of(store)[-1:], view=view_of(store), reason="gone")
    return store


def verified(store: Store) -> Verification:
    """What a check finds, which changes no byte."""
    files = {path: path.read_bytes() for path in store.data_dir.rglob("*") if path.is_file()}

    found = verify_folder(store.data_dir)

    assert {path: path.read_bytes() for path in store.data_dir.rglob("*") if path.is_file()} == files
    return found


def settle(store: Store) -> Store:
    """The folder after the next writer has mended it."""
    again = open_store(store.data_dir)
    with again.writing():
        pass
    return again


def lines_of(path: Path) -> list[tuple[int, bytes]]:
    return list(read_lines(path))


def change(path: Path, place: int, old: bytes, new: bytes) -> tuple[int, int]:
    """Changes something within a line; answers the line's number and byte."""
    lines = lines_of(path)
    offset, line = lines[place]
    assert old in line
    rest = [other for _, other in lines]
    rest[place] = line.replace(old, new, 1)
    path.write_bytes(b"\n".join(rest) + b"\n")
    return range(len(lines))[place] + 1, offset


def test_a_store_on_which_everything_was_done_is_intact(store: Store) -> None:
    found = verified(store)

    assert (found.verdict, found.fault, found.unchecked, found.notes) == (Verdict.INTACT, None, "", [])
    assert found.events == len(lines_of(store.ledger_path))
    assert found.lines == len(lines_of(store.journal_path))
    assert (found.texts, found.withheld_texts) == (len(lines_of(store.texts_path)), 0)


def test_what_was_there_before_the_takeover_and_what_others_wrote_is_counted(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "facts.jsonl").write_bytes(FOREIGN)
    store = adopted_store(tmp_path / "data")
    put(store, lead("Ana"))
    with store.journal_path.open("ab") as journal:
        journal.write(FOREIGN * 2)
    put(store, lead("Ben"))

    found = verified(store)

    assert (found.verdict, found.lines, found.foreign_lines, found.notes) == (Verdict.INTACT, 3, 2, [])


def test_an_act_that_was_voided_or_completed_is_intact(store: Store) -> None:
    before = store.journal_path.stat().st_size
    put(store, lead("Cem"))
    lose_end(store, store.journal_path, before)
    store = settle(store)
    put(store, lead("Dora"))
    lose_end(store, store.journal_path, lines_of(store.journal_path)[-1][0])
    store = settle(store)
    put(store, lead("Emil"))

    found = verified(store)

    assert (found.verdict, found.notes) == (Verdict.INTACT, [])


def test_a_replaced_journal_broke_the_continuity_until_somebody_acknowledges_it(store: Store) -> None:
    other = store.data_dir / "other"
    other.write_bytes(FOREIGN)
    other.replace(store.journal_path)
    put(store, lead("Ana"))

    fault = verified(store).fault
    assert fault is not None
    broken = events_of(store)[-2]
    assert (fault.file, fault.line, fault.code) == ("ledger.jsonl", broken.seq, "continuity_broken")
    with store.writing() as door:
        door.record(ANA, "", Action.CONTINUITY_ACKNOWLEDGED, subjects=[broken.event_id], text="The disk was changed")

    found = verified(store)

    assert (found.verdict, found.lines) == (Verdict.INTACT, 1)
    assert found.ended_events > 10
    assert found.notes == [f"The continuity broke at event {broken.seq}; event {broken.seq + 2} acknowledges it."]


def test_what_a_crash_has_left_is_a_note_and_no_fault(store: Store) -> None:
    put(store, lead("Ben"))
    lose_end(store, store.journal_path, lines_of(store.journal_path)[-1][0])
    for path in (store.journal_path, store.ledger_path, store.texts_path):
        with path.open("ab") as file:
            file.write(b'{"torn')

    found = verified(store)

    assert found.verdict == Verdict.INTACT
    assert len(found.notes) == 5
    assert verified(settle(store)).notes == []


def test_lines_that_nobody_has_counted_yet_are_a_note(store: Store) -> None:
    with store.journal_path.open("ab") as journal:
        journal.write(FOREIGN)

    found = verified(store)

    assert (found.verdict, found.notes) == (
        Verdict.INTACT,
        ["1 lines after the newest event are not recorded yet."],
    )


@pytest.mark.parametrize("place", [0, 4, -3, -2, -1])
def test_a_changed_event_is_found_where_it_stands(place: int, store: Store) -> None:
    number, byte = change(store.ledger_path, place, b'"outcome":"done"', b'"outcome":"dome"')

    fault = verified(store).fault

    assert fault is not None
    assert (fault.file, fault.line, fault.byte) == ("ledger.jsonl", number, byte)
    assert len(fault.expected) == len(fault.found) == 64
    assert fault.expected != fault.found


def test_an_event_that_is_taken_out_is_found(store: Store) -> None:
    lines = [line for _, line in lines_of(store.ledger_path)]
    store.ledger_path.write_bytes(b"\n".join(lines[:4] + lines[5:]) + b"\n")

    fault = verified(store).fault

    assert fault is not None
    assert (fault.file, fault.line) == ("ledger.jsonl", 5)


def test_a_line_of_the_ledger_that_is_no_event_is_found(store: Store) -> None:
    change(store.ledger_path, -1, b'{"', b'("')

    fault = verified(store).fault

    assert fault is not None
    assert (fault.file, fault.line) == ("ledger.jsonl", len(lines_of(store.ledger_path)))


@pytest.mark.parametrize("place", [*range(12), -1])
def test_any_line_of_the_journal_changed_or_taken_out_is_found(place: int, store: Store) -> None:
    whole = store.journal_path.read_bytes()
    number, _ = change(store.journal_path, place, b"-", b"+")

    fault = verified(store).fault

    assert fault is not None
    assert (fault.file, fault.line) == ("facts.jsonl", number)
    store.journal_path.write_bytes(whole)
    lines = [line for _, line in lines_of(store.journal_path)]
    del lines[place]
    store.journal_path.write_bytes(b"\n".join(lines) + b"\n")
    assert verified(store).verdict == Verdict.BROKEN


def test_a_line_that_nobody_counts_is_found(store: Store) -> None:
    put(store, lead("Cem"))
    lines = [line for _, line in lines_of(store.journal_path)]
    store.journal_path.write_bytes(b"\n".join([*lines[:-1], FOREIGN[:-1], lines[-1]]) + b"\n")
    put(store, lead("Dora"))
    content = store.journal_path.read_bytes()
    store.journal_path.write_bytes(content.replace(b"f_nobody", b"f_nobodY"))

    assert verified(store).verdict == Verdict.BROKEN


def test_a_text_that_is_not_the_one_committed_to_is_found(store: Store) -> None:
    change(store.texts_path, 0, b'"text":"', b'"text":"x')

    fault = verified(store).fault

    assert fault is not None
    assert fault.file == "texts.jsonl"


def test_a_text_that_was_erased_is_withheld(store: Store) -> None:
    lines = [line for _, line in lines_of(store.texts_path)]
    store.texts_path.write_bytes(b"\n".join(lines[1:]) + b"\n")

    found = verified(store)

    assert (found.verdict, found.withheld_texts) == (Verdict.INTACT, 1)


def test_what_is_missing_under_a_checkpoint_is_found(store: Store) -> None:
    os.truncate(store.ledger_path, lines_of(store.ledger_path)[-1][0])

    fault = verified(store).fault

    assert fault is not None
    lines = lines_of(store.ledger_path)
    end = store.ledger_path.stat().st_size
    assert (fault.file, fault.line, fault.byte) == ("ledger.jsonl", len(lines) + 1, end)
    assert fault.code == "rolled_back"


def test_without_the_generations_key_it_cannot_be_checked(store: Store) -> None:
    (store.data_dir / "keys" / "journal-1.key").unlink()

    found = verified(store)

    assert found.verdict == Verdict.UNCHECKED
    assert "journal-1.key" in found.unchecked


def test_what_is_no_data_folder_cannot_be_checked(tmp_path: Path) -> None:
    assert verify_folder(tmp_path / "nowhere").verdict == Verdict.UNCHECKED
    assert list(tmp_path.iterdir()) == []


def test_a_missing_journal_is_found_and_not_made(store: Store) -> None:
    store.journal_path.unlink()
    forget_vouching(store)

    found = verified(store)

    assert found.fault == Fault("facts.jsonl", 0, 0, "facts.jsonl is missing.")


def test_an_observers_ledger_is_checked_without_the_journal(store: Store, tmp_path: Path) -> None:
    observer = open_store(tmp_path / "observer", journal=store.journal_path)
    with observer.writing() as door:
        door.record(ANA, "", Action.PERSON_CREATED, text="Ana")

    found = verify_folder(observer.data_dir, journal=store.journal_path)

    assert (found.verdict, found.events, found.lines, found.texts) == (Verdict.INTACT, 1, 0, 1)


def test_a_copied_folder_is_intact_before_and_after_it_goes_on(store: Store, tmp_path: Path) -> None:
    copy = open_store(shutil.copytree(store.data_dir, tmp_path / "copy"))
    assert verified(copy).verdict == Verdict.INTACT

    put(copy, lead("Emil"))

    assert verified(copy).verdict == Verdict.INTACT
    assert len(view_of(copy).facts) == len(view_of(store).facts) + 1


def test_whoever_watches_is_told_how_much_was_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cruxstore.verifying._TOLD_LINES", 0)
    with store.journal_path.open("ab") as journal:
        journal.write(FOREIGN * 3)
    with store.writing():
        pass
    told: list[tuple[int, int]] = []

    def watch(done: int, total: int) -> bool:
        told.append((done, total))
        return True

    found = verify_folder(store.data_dir, watch=watch)

    size = sum(path.stat().st_size for path in (store.journal_path, store.ledger_path, store.texts_path))
    assert found == verified(store)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {total for _, total in told} == {size}
    assert told[0][0] == 0
    assert size * 0.9 < told[-1][0] <= size


def test_a_check_that_whoever_watches_ends_could_not_be_made(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cruxstore.verifying._TOLD_LINES", 0)
    left = iter([True] * 20)

    found = verify_folder(store.data_dir, watch=lambda done, total: next(left, False))

    assert found.verdict == Verdict.UNCHECKED
    assert "was ended" in found.unchecked


def test_lines_of_others_are_read_under_the_eyes_of_whoever_watches(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "facts.jsonl").write_bytes(FOREIGN * 20_000)
    adopted_store(tmp_path / "data").close()
    told: list[int] = []

    def watch(done: int, total: int) -> bool:
        told.append(done)
        return done == 0

    found = verify_folder(tmp_path / "data", watch=watch)

    assert found.verdict == Verdict.UNCHECKED
    assert told == [0, 1024 * 1024]


def test_a_kept_checkpoint_says_how_many_events_are_the_beginning(store: Store) -> None:
    kept = Slots(store.data_dir / "checkpoint").newest()
    assert kept is not None
    put(store, lead("Emil"))

    found = verify_folder(store.data_dir, since=kept)

    assert found.since == kept.events == found.events - 1
    assert f"The {kept.events} events of the kept checkpoint are the beginning of this ledger." in found.words()
    assert verified(store).since == 0


@pytest.mark.parametrize("is_broken", [True, False])
def test_what_was_found_can_be_kept_as_members(store: Store, is_broken: bool) -> None:
    if is_broken:
        store.ledger_path.write_bytes(store.ledger_path.read_bytes().replace(b'"kind"', b'"kinD"', 1))

    found = verified(store)

    assert (found.fault is not None) is is_broken
    assert Verification.of_members(json.loads(json.dumps(found.members()))) == found


def test_what_a_changed_line_says_is_not_repeated(store: Store) -> None:
    for said in (b'"prev":"a word"', b'"prev":{"a word":1}'):
        lines = store.ledger_path.read_bytes().splitlines(keepends=True)
        changed = re.sub(rb'"prev":"[0-9a-f]+"', said, lines[3])
        store.ledger_path.write_bytes(b"".join([*lines[:3], changed, *lines[4:]]))

        found = verified(store)

        assert found.fault is not None
        assert (found.fault.line, found.fault.found) == (4, "no hash")
        store.ledger_path.write_bytes(b"".join(lines))
    changed = re.sub(rb'"seq":[0-9]+', b'"seq":"a word"', lines[3])
    store.ledger_path.write_bytes(b"".join([*lines[:3], changed, *lines[4:]]))
    assert "a word" not in json.dumps(verified(store).members())
