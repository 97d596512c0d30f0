"""Every lock hold ends with a signed checkpoint, and nobody goes on without the keys or what was signed."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cruxstore.door import Store
from cruxstore.errors import KeyMissingError, RolledBackError, StoreBrokenError
from cruxstore.ledger.chain import Chain
from cruxstore.ledger.checkpoint import Dailies, Slots, newest_of
from cruxstore.ledger.events import Action, decode_event
from cruxstore.ledger.notes import Checkpoint, PublicKey, decode_base64, rotation_text
from cruxstore.ledger.signing import named_key
from cruxstore.ledger.tree import Frontier, Tree, leaf_hash
from cruxstore.lines import read_lines
from cruxstore.vouching import Vouching
from tests.cruxstore.stores import ANA, TickingClock, adopted_store, events_of, lead, open_store, put

DAY_NS = 24 * 3600 * 10**9


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return adopted_store(tmp_path / "data")


def newest_checkpoint(store: Store) -> Checkpoint:
    found = Slots(store.data_dir / "checkpoint").newest()
    assert found is not None
    return found


def key_of(store: Store) -> PublicKey:
    """The newest key that the ledger names."""
    return named_key([event for event in events_of(store) if event.key is not None][-1])


def tree_of(store: Store) -> Tree:
    return Tree(leaf_hash(line) for _, line in read_lines(store.ledger_path))


def check_signed(store: Store) -> None:
    """The newest checkpoint is of all events, with the root that their lines make, signed by the ledger's key."""
    checkpoint = newest_checkpoint(store)
    assert checkpoint.note is not None
    checkpoint.note.check(key_of(store))
    assert checkpoint.origin == f"cruxweb/{store.instance_id}"
    assert (checkpoint.events, checkpoint.root) == (len(events_of(store)), tree_of(store).root())
    assert checkpoint.ledger_bytes == store.ledger_path.stat().st_size
    assert checkpoint.journal_bytes == store.journal_path.stat().st_size


def rotate(store: Store) -> None:
    with store.writing() as door:
        door.rotate_key(ANA, reason="The old one was copied")


def test_the_first_event_names_the_key_and_no_other_does(store: Store) -> None:
    put(store, lead("Ana"))
    put(open_store(store.data_dir), lead("Ben"))

    assert [event.key is not None for event in events_of(store)] == [True, False, False]
    assert key_of(store).name == f"cruxweb/{store.instance_id}"


def test_every_lock_hold_ends_with_one_signed_checkpoint(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Checkpoint] = []
    write = Slots.write

    def note_write(slots: Slots, checkpoint: Checkpoint, tree: Frontier) -> None:
        written.append(checkpoint)
        write(slots, checkpoint, tree)

    monkeypatch.setattr(Slots, "write", note_write)
    check_signed(store)

    with store.writing() as door:
        for name in ("acme", "other", "third"):
            door.record(ANA, name, Action.TENANT_CREATED)
    put(store, lead("Ana"))
    with store.writing():
        pass

    assert [checkpoint.events for checkpoint in written] == [4, 5]
    check_signed(store)


def test_writers_who_take_turns_sign_one_tree(store: Store) -> None:
    other, third = open_store(store.data_dir), open_store(store.data_dir)
    for writer in (store, other, other, store, third, other, store, store, third):
        put(writer, lead("Ana"))
        check_signed(store)


def test_the_ledger_is_not_read_again_when_it_is_opened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("Ana", "Ben", "Cem"):
        put(store, lead(value))
    read: list[int] = []

    def note_reading(path: Path, start: int) -> Iterator[tuple[int, bytes]]:
        read.append(start)
        return read_lines(path, start)

    monkeypatch.setattr("cruxstore.vouching.read_lines", note_reading)

    again = open_store(store.data_dir)
    put(again, lead("Dora"))
    put(again, lead("Emil"))

    assert read == []
    check_signed(store)


def test_a_lost_slot_is_made_anew_from_the_ledger(store: Store) -> None:
    put(store, lead("Ana"))
    (store.data_dir / "checkpoint").unlink()

    put(open_store(store.data_dir), lead("Ben"))

    check_signed(store)


def test_an_older_programs_ledger_gets_its_key_with_the_next_event(store: Store) -> None:
    put(store, lead("Ana"))
    # as it would be without a key: the chain is made anew over events that name none
    lines = [line for _, line in read_lines(store.ledger_path)]
    shutil.rmtree(store.data_dir / "checkpoints", ignore_errors=True)
    store.ledger_path.unlink()
    chain = Chain(store.ledger_path)
    for line in lines:
        event = decode_event(line)
        chain.append(replace(event, key=None))
    for path in ((store.data_dir / "checkpoint"), *(store.data_dir / "keys").glob("ledger-*")):
        path.unlink()
    with open_store(store.data_dir).writing():
        pass
    assert Slots(store.data_dir / "checkpoint").newest() is None

    put(open_store(store.data_dir), lead("Ben"))

    assert [event.key is not None for event in events_of(store)] == [False, False, True]
    check_signed(store)


def test_the_last_checkpoint_of_every_day_is_kept(tmp_path: Path) -> None:
    clock = TickingClock()
    store = adopted_store(tmp_path / "data")
    store = Store.open(store.data_dir, clock=clock, privacy=store.privacy)
    put(store, lead("Ana"))
    last = newest_checkpoint(store)
    clock.now_ns += DAY_NS
    put(store, lead("Ben"))
    clock.now_ns -= DAY_NS
    put(store, lead("Cem"))
    clock.now_ns += 3 * DAY_NS
    put(store, lead("Dora"))

    kept = list(Dailies(store.data_dir / "checkpoints").read())

    assert [(checkpoint.time[:10], checkpoint.events) for checkpoint in kept] == [("2025-11-30", 4)]
    assert kept[0] != last
    assert kept[0].note is not None
    kept[0].note.check(key_of(store))


def test_a_ledger_that_is_not_what_was_signed_on_a_day_is_not_signed_again(store: Store) -> None:
    put(store, lead("Ana"))
    Dailies(store.data_dir / "checkpoints").keep(newest_checkpoint(store))
    put(store, lead("Ben"))
    content = store.ledger_path.read_bytes()
    store.ledger_path.write_bytes(content.replace(b'"tenant":"default"', b'"tenant":"defaulT"', 1))
    (store.data_dir / "checkpoint").unlink()

    with pytest.raises(StoreBrokenError, match="is not what was signed on 2025-11-30"):
        put(open_store(store.data_dir), lead("Cem"))


@pytest.mark.parametrize("name", ["ledger-*.key", "journal-1.key"])
@pytest.mark.parametrize("has_slot", [True, False])
def test_without_a_key_that_the_ledger_names_it_is_only_read(name: str, has_slot: bool, store: Store) -> None:
    put(store, lead("Ana"))
    next((store.data_dir / "keys").glob(name)).unlink()
    if not has_slot:
        (store.data_dir / "checkpoint").unlink()
    before = contents(store.data_dir)

    lost = open_store(store.data_dir)
    with pytest.raises(KeyMissingError) as refusal, lost.writing():
        pass

    assert refusal.value.code == "key_missing"
    assert "missing" in lost.broken()
    assert contents(store.data_dir) == before


def test_a_ledger_older_than_its_checkpoint_is_only_read(store: Store, tmp_path: Path) -> None:
    put(store, lead("Ana"))
    older = shutil.copytree(store.data_dir, tmp_path / "older")
    put(store, lead("Ben"))
    for name in ("ledger.jsonl", "facts.jsonl"):
        shutil.copy(older / name, store.data_dir / name)

    with pytest.raises(RolledBackError) as refusal, open_store(store.data_dir).writing():
        pass

    assert refusal.value.code == "rolled_back"


def test_a_slot_signed_by_another_key_is_not_gone_on_from(store: Store, tmp_path: Path) -> None:
    other = adopted_store(tmp_path / "other")
    put(store, lead("Ana"))
    slots = Slots(store.data_dir / "checkpoint")
    slot = newest_of(slots.read())
    assert slot is not None
    assert slot.checkpoint is not None
    forger = next(Vouching(other.data_dir, Chain(other.ledger_path)).keys.all(slot.checkpoint.origin))
    slots.start_from(replace(slot.checkpoint, note=forger.sign(slot.checkpoint.text)), slot.tree)

    with pytest.raises(KeyMissingError), open_store(store.data_dir).writing():
        pass


def test_a_new_key_is_signed_by_the_one_before_and_signs_from_then_on(store: Store) -> None:
    first = key_of(store)
    put(store, lead("Ana"))

    rotate(store)

    event = events_of(store)[-1]
    assert (event.action, store.text_of(event)) == (Action.KEY_ROTATED, "The old one was copied")
    assert event.key is not None
    second = key_of(store)
    assert second != first
    first.check(decode_base64(event.key.signature), rotation_text(first, second))
    check_signed(store)
    put(open_store(store.data_dir), lead("Ben"))
    check_signed(store)


def test_another_writer_signs_with_the_new_key_too(store: Store) -> None:
    other = open_store(store.data_dir)
    put(other, lead("Ana"))
    rotate(store)

    put(other, lead("Ben"))

    check_signed(store)


def test_a_new_key_that_is_gone_before_its_first_checkpoint_is_missed(store: Store) -> None:
    before = (store.data_dir / "checkpoint").read_bytes()
    rotate(store)
    (store.data_dir / "checkpoint").write_bytes(before)
    Vouching(store.data_dir, Chain(store.ledger_path)).keys.path_of(key_of(store)).unlink()

    with pytest.raises(KeyMissingError), open_store(store.data_dir).writing():
        pass


def contents(data_dir: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in data_dir.rglob("*") if path.is_file() and path.name != ".lock"}
