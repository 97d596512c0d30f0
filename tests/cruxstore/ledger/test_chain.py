"""Each event names the one before it; whoever holds the lock sees what others appended."""

from pathlib import Path

import pytest

from cruxstore.errors import DamagedLedgerError
from cruxstore.ledger.chain import Chain, place_after
from cruxstore.ledger.events import Action, Actor, Event, JournalPlace, leaf_hash, read_events
from cruxstore.lines import read_lines


@pytest.fixture
def chain(tmp_path: Path) -> Chain:
    return Chain(tmp_path / "ledger.jsonl")


def test_events_are_numbered_without_gaps_and_linked_by_hash(chain: Chain) -> None:
    written = [chain.append(_event()) for _ in range(4)]

    lines = [line for _, line in read_lines(chain.file.path)]
    assert [event.seq for event in written] == [1, 2, 3, 4]
    assert [event.prev for event in written] == [None, *map(leaf_hash, lines[:-1])]
    assert [event for event, _ in read_events(chain.file.path)] == written


def test_two_writers_who_take_turns_make_one_chain(chain: Chain) -> None:
    other = Chain(chain.file.path)

    for writer in (chain, other, other, chain):
        writer.append(_event())

    chain.check_end()
    events = [event for event, _ in read_events(chain.file.path)]
    assert [event.seq for event in events] == [1, 2, 3, 4]
    assert len({event.event_id for event in events}) == 4


def test_reading_from_an_offset_answers_the_next_one(chain: Chain) -> None:
    chain.append(_event())
    _, after_first = next(read_events(chain.file.path))
    second = chain.append(_event())

    assert [event for event, _ in read_events(chain.file.path, after_first)] == [second]


def test_an_end_that_does_not_follow_is_damage(chain: Chain) -> None:
    for _ in range(3):
        chain.append(_event())
    first, second, third = [line for _, line in read_lines(chain.file.path)]
    chain.file.path.write_bytes(b"\n".join([first, second.replace(b"default", b"defaulT"), third]) + b"\n")

    with pytest.raises(DamagedLedgerError):
        chain.check_end()


def test_the_journal_ends_after_an_events_own_lines() -> None:
    event = _event(lines=("{}", "{}"), journal=JournalPlace(generation=2, lines=5, bytes=100, inode="9", adds=6))

    assert place_after(event) == JournalPlace(generation=2, lines=7, bytes=106, inode="9", adds=0)
    assert place_after(None) == JournalPlace()


def _event(*, lines: tuple[str, ...] = (), journal: JournalPlace | None = None) -> Event:
    return Event(
        seq=0,
        event_id="",
        time="2026-11-30T09:12:00.000000Z",
        tenant="default",
        actor=Actor(kind="person", id="p_1"),
        action=Action.ROLE_GRANTED,
        subjects=(),
        outcome="done",
        code="",
        revision=None,
        policy=None,
        lines=lines,
        journal=journal or JournalPlace(),
        prev=None,
    )
