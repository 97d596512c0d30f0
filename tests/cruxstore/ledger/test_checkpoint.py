"""Two slots written in place: the newest that can be read counts, and a spoiled one costs nothing."""

import hashlib
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from cruxstore.errors import NoteError
from cruxstore.ledger.checkpoint import SLOT_BYTES, Dailies, Slots, SlotState, read_checkpoint
from cruxstore.ledger.notes import Checkpoint
from cruxstore.ledger.signing import SigningKey
from cruxstore.ledger.tree import Frontier, leaf_hash

NAME = "cruxweb/s_01"
KEY = SigningKey.of_seed(NAME, bytes(range(32)))


def tree_of(events: int) -> Frontier:
    tree = Frontier()
    for number in range(events):
        tree.append(leaf_hash(b"%d" % number))
    return tree


def checkpoint_of(events: int, *, day: str = "2026-11-30") -> Checkpoint:
    draft = Checkpoint(
        events=events,
        head="ab" * 32,
        ledger_bytes=3120 + events,
        generation=1,
        journal_bytes=4711,
        origin=NAME,
        root=tree_of(events).root(),
        time=f"{day}T09:12:00.000000Z",
    )
    return replace(draft, note=KEY.sign(draft.text))


def write(slots: Slots, events: int) -> Checkpoint:
    checkpoint = checkpoint_of(events)
    slots.write(checkpoint, tree_of(events))
    return checkpoint


def old_slot(**members: object) -> bytes:
    """As the program before signatures wrote it."""
    content = orjson.dumps(members, option=orjson.OPT_SORT_KEYS)
    line = b'%b,"sum":"%b"}' % (content[:-1], hashlib.sha256(content).hexdigest().encode())
    return line.ljust(511) + b"\n"


OLD = {"events": 7, "generation": 1, "head": "ab" * 32, "journal_bytes": 4711, "ledger_bytes": 3120}


@pytest.fixture
def slots(tmp_path: Path) -> Slots:
    return Slots(tmp_path / "checkpoint")


def test_without_a_file_nothing_is_vouched_for(slots: Slots) -> None:
    assert slots.newest() is None
    assert slots.read() == ()


def test_the_newest_counts_and_the_one_before_it_stays_whatever_their_numbers(slots: Slots) -> None:
    for events in (7, 8, 10, 12):
        checkpoint = write(slots, events)
        assert Slots(slots.path).newest() == checkpoint
    assert slots.path.stat().st_size == 2 * SLOT_BYTES
    assert [slot.checkpoint for slot in slots.read()] == [checkpoint_of(10), checkpoint_of(12)]


def test_a_writer_that_forgets_takes_the_place_of_the_older_one(slots: Slots) -> None:
    write(slots, 7)
    write(slots, 8)
    other = Slots(slots.path)
    write(other, 9)
    slots.forget()

    write(slots, 10)

    assert [slot.checkpoint for slot in slots.read()] == [checkpoint_of(9), checkpoint_of(10)]


def test_the_tree_comes_back_with_its_checkpoint(slots: Slots) -> None:
    for events in (1, 7, 300):
        write(slots, events)
        slot = next(slot for slot in slots.read() if slot.checkpoint == checkpoint_of(events))
        assert slot.tree is not None
        assert (slot.tree.size, slot.tree.hashes) == (events, tree_of(events).hashes)


def test_a_slot_cut_short_at_any_byte_leaves_the_other(slots: Slots) -> None:
    write(slots, 7)
    before = slots.path.read_bytes()
    write(slots, 8)
    after = slots.path.read_bytes()

    for length in range(SLOT_BYTES, len(after), 7):
        slots.path.write_bytes(after[:length] + before[length:])
        assert slots.newest() in (checkpoint_of(7), checkpoint_of(8))


@pytest.mark.parametrize("content", [b"", b"\0" * 1024, b"[]" + b" " * 510, b"{}", b"\xff" * 8192, b'{"sum":1}'])
def test_a_file_with_something_else_in_it_vouches_for_nothing(content: bytes, slots: Slots) -> None:
    slots.path.write_bytes(content)

    assert slots.newest() is None
    assert all(slot.state == SlotState.SPOILED for slot in slots.read())
    write(slots, 7)
    assert slots.newest() == checkpoint_of(7)


def test_a_slot_with_any_byte_changed_does_not_count(slots: Slots) -> None:
    write(slots, 7)
    write(slots, 8)
    content = slots.path.read_bytes()

    for place in range(SLOT_BYTES, 2 * SLOT_BYTES):
        changed = bytearray(content)
        changed[place] ^= 1
        slots.path.write_bytes(changed)
        assert slots.newest() == checkpoint_of(7)
        assert slots.read()[1].state == SlotState.SPOILED


def test_the_slots_of_an_older_program_count_but_nobody_signed_them(slots: Slots) -> None:
    slots.path.write_bytes(old_slot(**OLD | {"events": 6}) + old_slot(**OLD))

    found = slots.newest()

    assert found is not None
    assert (found.events, found.ledger_bytes, found.note, found.root) == (7, 3120, None, b"")
    slots.start_from(found)
    assert slots.newest() == found
    write(slots, 8)
    assert slots.newest() == checkpoint_of(8)
    assert slots.path.stat().st_size == 2 * SLOT_BYTES


def test_one_checkpoint_can_be_made_the_only_one(slots: Slots) -> None:
    write(slots, 8)
    write(slots, 9)

    slots.start_from(checkpoint_of(7))

    assert [slot.state for slot in slots.read()] == [SlotState.WHOLE, SlotState.EMPTY]
    assert slots.newest() == checkpoint_of(7)
    assert slots.read()[0].tree is None


def test_the_last_of_every_day_is_kept(tmp_path: Path) -> None:
    dailies = Dailies(tmp_path / "checkpoints")
    kept = [checkpoint_of(3), checkpoint_of(5, day="2026-12-01")]
    for checkpoint in (checkpoint_of(2), *kept):
        dailies.keep(checkpoint)
    (dailies.folder / "2026-12-02").write_text("not a checkpoint")

    assert [path.name for path in dailies.paths()] == ["2026-11-30", "2026-12-01", "2026-12-02"]
    assert list(dailies.read()) == kept
    assert read_checkpoint(dailies.folder / "2026-11-30") == kept[0]
    dailies.set_aside(4)
    assert list(dailies.read()) == kept[:1]


def test_a_file_that_somebody_kept_is_read_whichever_it_is(slots: Slots, tmp_path: Path) -> None:
    write(slots, 7)
    assert read_checkpoint(slots.path) == checkpoint_of(7)
    (tmp_path / "other").write_text("something else")
    with pytest.raises(NoteError, match="is not a checkpoint"):
        read_checkpoint(tmp_path / "other")
