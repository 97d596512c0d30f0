"""Compaction through the door: others go on writing, nothing they acknowledged is lost, and what it says is so."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from cruxstore.door import NewFact, Receipt, Store
from cruxstore.errors import RewriteOutdatedError, RewriteRunningError, StoreBrokenError
from cruxstore.facts.compaction import compacted_lines
from cruxstore.facts.holds import HOLD_KEY
from cruxstore.facts.journal import replay_journal
from cruxstore.facts.records import Horizon
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Action
from cruxstore.verifying import Verdict, verify_folder
from tests.cruxstore.faults import settle
from tests.cruxstore.operations import OPERATIONS, Named, ids_of
from tests.cruxstore.stores import ANA, adopted_store, delete, events_of, lead, mergeable_store, open_store, put, told
from tests.cruxstore.stores import view_of as replayed

Meanwhile = Callable[[Store], object]


def compact(store: Store, meanwhile: Meanwhile = lambda store: None, *, act: str = "") -> Receipt:
    """Compacts a store while something else happens."""
    with store.rewriting() as rewriting:
        rewriting.prepare()
        meanwhile(store)
        rewriting.follow(store.settled_length())
        with store.writing() as door:
            return door.compact(ANA, rewriting, act=act, reason="It is time")


def living(store: Store) -> list[object]:
    """What the store tells of facts that are not deleted."""
    return [fact for fact in told(store) if not fact[4]]  # type: ignore[index]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return mergeable_store(tmp_path / "data")


def test_it_is_the_daemons_compaction_to_the_byte(store: Store) -> None:
    delete(store, ids_of(store)[-1:])
    before = replay_journal(store.journal_path, store.privacy)

    receipt = compact(store)

    stamps = {line[line.index(b'"deleted_at":"') + 14 :][:30] for line in lines_of(store) if b"deleted_at" in line}
    at = parse_timestamp(stamps.pop().split(b'"')[0].decode())
    assert lines_of(store) == list(compacted_lines(before.state, at))
    assert receipt.event.action == Action.STORE_COMPACTED
    assert receipt.event.rewrite is not None
    assert receipt.event.rewrite.dropped == 1
    check_whole_but_redundant(store)


def test_what_is_written_meanwhile_comes_along(store: Store) -> None:
    compact(store, lambda store: put(store, lead("Dora"), NewFact("team:d", "lead", "Emil")))

    values = {fact.value for fact in replayed(store).facts.values()}
    assert {"Dora", "Emil"} <= values
    check_whole_but_redundant(store)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_no_operation_meanwhile_is_lost(operation: Named, store: Store, tmp_path: Path) -> None:
    def act(store: Store) -> None:
        with store.writing() as door:
            operation(door, store, "meanwhile", "")

    compact(store, act)

    other = mergeable_store(tmp_path / "other")
    act(other)
    assert living(store) == living(other)
    check_whole_but_redundant(store)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_every_operation_goes_on_in_the_new_generation(operation: Named, store: Store, tmp_path: Path) -> None:
    other = mergeable_store(tmp_path / "other")
    compact(store)

    for each in (store, other):
        with each.writing() as door:
            operation(door, each, "later", "")

    assert told(store) == told(other)
    check_whole_but_redundant(store)


def test_horizon_and_verification_are_folded_into_the_lines(store: Store) -> None:
    fact_id = ids_of(store)[0]
    with store.writing() as door:
        door.set_horizon(ANA, "default", fact_id, Horizon.STABLE, view=replayed(store))
        door.reverify(ANA, "default", fact_id, view=replayed(store))
    before = replayed(store).facts[fact_id]

    compact(store)

    in_the_line = replay_journal(store.journal_path, store.privacy).state.facts[fact_id]
    assert (in_the_line.horizon_class, in_the_line.reverified_at) == (before.horizon_class, before.reverified_at)
    assert replayed(store).facts[fact_id] == in_the_line


def test_a_fact_that_is_gone_cannot_be_named_meanwhile(store: Store) -> None:
    gone = ids_of(store)[-1]
    naming = {"op": "clear_supersede", "fact_id": gone, "cleared_at": "2026-01-01T00:00:00Z"}
    delete(store, [gone])
    before = store.journal_path.read_bytes()

    with pytest.raises(RewriteOutdatedError):
        compact(store, lambda store: append(store, orjson.dumps(naming)))

    assert store.journal_path.read_bytes().startswith(before)
    assert Action.STORE_COMPACTED not in [event.action for event in events_of(store)]


def test_a_hold_stated_meanwhile_begins_it_anew(store: Store) -> None:
    record = {"schema": "crux.legal_hold.v1", "hold_id": "lh_1"}
    fact = {
        "fact_id": "f_hold",
        "entity": "__legal_hold__::lh_1",
        "key": HOLD_KEY,
        "value": orjson.dumps(record).decode(),
        "source_receipt": None,
        "confidence": 1.0,
        "stored_at": "2026-01-01T00:00:00Z",
        "tokens": 1,
        "deleted": False,
    }

    with pytest.raises(RewriteOutdatedError):
        compact(store, lambda store: append(store, orjson.dumps({"op": "store", "fact": fact})))


def test_another_rewrite_meanwhile_is_refused(store: Store) -> None:
    def compact_too(store: Store) -> None:
        with pytest.raises(RewriteRunningError):
            compact(open_store(store.data_dir))

    compact(store, compact_too)


def test_a_journal_replaced_meanwhile_begins_it_anew(store: Store) -> None:
    def replace(store: Store) -> None:
        copy = store.data_dir / "copy"
        copy.write_bytes(store.journal_path.read_bytes())
        copy.replace(store.journal_path)
        settle(store)

    with pytest.raises(RewriteOutdatedError):
        compact(store, replace)


def test_the_same_act_twice_compacts_once(store: Store) -> None:
    first = compact(store, act="a key")

    assert compact(store, act="a key").event == first.event
    assert [event.action for event in events_of(store)].count(Action.STORE_COMPACTED) == 1


def test_nothing_is_left_of_a_rewrite_that_came_to_nothing(store: Store) -> None:
    left = store.data_dir / "facts.jsonl.rewrite-of-a-process-that-died"
    left.write_bytes(b"{}")

    with store.rewriting() as rewriting:
        assert not left.exists()
        rewriting.prepare()
        assert rewriting.draft.exists()

    assert not list(store.data_dir.glob("*.rewrite-*"))
    assert store.journal_path.exists()


def test_the_key_of_a_generation_goes_with_it(store: Store) -> None:
    compact(store)

    assert [path.name for path in (store.data_dir / "keys").glob("journal-*")] == ["journal-2.key"]
    assert verify_folder(store.data_dir).verdict == Verdict.INTACT


def test_a_crash_behind_the_event_is_mended_by_whoever_comes_next(store: Store, tmp_path: Path) -> None:
    _, compacted = compact_without_rename(store)
    append(store, b'{"op":"delete","fact_id":"f_foreign","deleted_at":"2026-01-01T00:00:00Z"}')

    settle(open_store(store.data_dir))

    assert lines_of(store)[: len(compacted)] == compacted
    assert b"f_foreign" in lines_of(store)[-1]
    assert events_of(store)[-1].code == "foreign_lines"


def test_a_new_journal_that_is_missing_is_not_passed_over(store: Store) -> None:
    receipt, _ = compact_without_rename(store)
    assert receipt.event.rewrite is not None
    (store.data_dir / receipt.event.rewrite.draft).unlink()

    with pytest.raises(StoreBrokenError):
        settle(open_store(store.data_dir))


def test_a_store_compacted_twice_verifies(store: Store) -> None:
    compact(store)
    put(store, lead("Dora"))
    compact(store)

    assert events_of(store)[-1].journal.generation == 3
    assert store.settled_length() == store.journal_path.stat().st_size
    assert verify_folder(store.data_dir).verdict == Verdict.INTACT


def test_an_empty_store_can_be_compacted(tmp_path: Path) -> None:
    store = adopted_store(tmp_path / "data")

    compact(store)

    assert store.journal_path.read_bytes() == b""
    put(store, lead("Ana"))
    assert verify_folder(store.data_dir).verdict == Verdict.INTACT


def lines_of(store: Store) -> list[bytes]:
    return store.journal_path.read_bytes().split(b"\n")[:-1]


def append(store: Store, line: bytes) -> None:
    with store.journal_path.open("ab") as journal:
        journal.write(line + b"\n")
    if not list(store.data_dir.glob("*.rewrite-*")):
        return
    settle(store)


def check_whole_but_redundant(store: Store) -> None:
    """As `check_whole`, but for lines that repeat what folded facts say themselves, and for tombstones."""
    replay = replay_journal(store.journal_path, store.privacy)
    assert {line.reason.code for line in replay.ignored} <= {"unknown_fact"}
    assert replay.torn_tail_bytes == 0
    assert verify_folder(store.data_dir).fault is None
    assert not list(store.data_dir.glob("*.rewrite-*"))


def compact_without_rename(store: Store) -> tuple[Receipt, list[bytes]]:
    """A compaction that ended right behind its event: the old journal still has its name, and the new one lies beside.

    Answers the lines of the new one too.
    """
    old = store.data_dir / "old"
    # the very file: a copy would be another journal
    old.hardlink_to(store.journal_path)
    receipt = compact(store)
    assert receipt.event.rewrite is not None
    lines = lines_of(store)
    store.close()
    store.journal_path.rename(store.data_dir / receipt.event.rewrite.draft)
    old.rename(store.journal_path)
    (store.data_dir / "checkpoint").unlink()
    (store.data_dir / ".lock").unlink()
    return receipt, lines
