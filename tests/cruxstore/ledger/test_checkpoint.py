"""Two slots written in place: the newest that can be read counts, and a spoiled one costs nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from cruxstore.ledger.checkpoint import Checkpoint, Slots

SEVENTH = Checkpoint(events=7, head="ab" * 32, ledger_bytes=3120, generation=1, journal_bytes=4711)
EIGHTH = replace(SEVENTH, events=8, head="cd" * 32, ledger_bytes=3500)
NINTH = replace(EIGHTH, events=9)


@pytest.fixture
def slots(tmp_path: Path) -> Slots:
    return Slots(tmp_path / "checkpoint")


def test_without_a_file_nothing_is_vouched_for(slots: Slots) -> None:
    assert slots.newest() is None


def test_the_newest_counts_and_the_one_before_it_stays(slots: Slots) -> None:
    for checkpoint in (SEVENTH, EIGHTH, NINTH):
        slots.write(checkpoint)
        assert Slots(slots.path).newest() == checkpoint
    assert slots.path.stat().st_size == 1024

    slots.path.write_bytes(slots.path.read_bytes()[:512])

    assert slots.newest() == EIGHTH


def test_a_slot_cut_short_at_any_byte_leaves_the_other(slots: Slots) -> None:
    slots.write(SEVENTH)
    before = slots.path.read_bytes()
    slots.write(EIGHTH)
    after = slots.path.read_bytes()

    for length in range(512):
        slots.path.write_bytes(after[:length] + before[length:])
        assert slots.newest() in (SEVENTH, EIGHTH)


@pytest.mark.parametrize("content", [b"", b"\0" * 1024, b"[]" + b" " * 510, b"{}", b"\xff" * 1024, b'{"sum":1}'])
def test_a_file_with_something_else_in_it_vouches_for_nothing(content: bytes, slots: Slots) -> None:
    slots.path.write_bytes(content)

    assert slots.newest() is None
    slots.write(SEVENTH)
    assert slots.newest() == SEVENTH


def test_a_changed_slot_does_not_count(slots: Slots) -> None:
    slots.write(SEVENTH)
    slots.write(EIGHTH)

    slots.path.write_bytes(slots.path.read_bytes().replace(b'"events":8', b'"events":9'))

    assert slots.newest() == SEVENTH
