"""An act that its caller has named happens once, whatever became of the answer."""

from pathlib import Path

import pytest

from cruxstore.door import Store
from cruxstore.errors import IdempotencyConflictError
from cruxstore.ledger.events import Action, Actor
from tests.cruxstore.operations import OPERATIONS, Named, delete_two, record, store_one
from tests.cruxstore.stores import (
    ANA,
    adopted_store,
    events_of,
    lead,
    lose_end,
    mergeable_store,
    open_store,
    put,
    view_of,
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return mergeable_store(tmp_path / "data")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_same_again_answers_the_first_receipt_and_writes_nothing(operation: Named, store: Store) -> None:
    with store.writing() as door:
        first = operation(door, store, "word", "a key")
    before = store.journal_path.read_bytes(), store.ledger_path.read_bytes(), store.texts_path.read_bytes()

    again = open_store(store.data_dir)
    with again.writing() as door:
        second = operation(door, again, "word", "a key")

    assert second == first
    assert (store.journal_path.read_bytes(), store.ledger_path.read_bytes(), store.texts_path.read_bytes()) == before


@pytest.mark.parametrize("operation", OPERATIONS)
def test_something_else_under_the_same_name_is_refused(operation: Named, store: Store) -> None:
    with store.writing() as door:
        operation(door, store, "word", "a key")
    before = store.ledger_path.read_bytes()

    with store.writing() as door, pytest.raises(IdempotencyConflictError):
        operation(door, store, "another word", "a key")

    assert store.ledger_path.read_bytes() == before
    with store.writing() as door:
        record(door, store, "another word", "another key")


def test_another_operation_actor_or_tenant_under_the_same_name_is_refused(store: Store) -> None:
    with store.writing() as door:
        store_one(door, store, "word", "a key")

        with pytest.raises(IdempotencyConflictError):
            record(door, store, "word", "a key")
        for actor, tenant in ((Actor("person", "p_ben"), "default"), (ANA, "acme")):
            with pytest.raises(IdempotencyConflictError):
                door.store_facts(actor, tenant, [lead("word")], view=view_of(store), act="a key")


def test_a_repeat_is_recognised_although_the_fact_has_moved_on(store: Store) -> None:
    with store.writing() as door:
        first = store_one(door, store, "word", "a key")
    put(store, lead("later"))

    with store.writing() as door:
        assert store_one(door, store, "word", "a key") == first


def test_an_act_that_came_to_nothing_is_done_when_it_is_repeated(store: Store) -> None:
    before = store.journal_path.stat().st_size
    with store.writing() as door:
        lost = store_one(door, store, "word", "a key")
    lose_end(store, store.journal_path, before)

    again = open_store(store.data_dir)
    with again.writing() as door:
        done = store_one(door, again, "word", "a key")

    assert done.event.seq == lost.event.seq + 2
    assert view_of(again).facts[done.fact_ids[0]].value == "word"


def test_foreign_ids_come_back_with_the_first_receipt(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    (data_dir / "facts.jsonl").write_bytes(
        b'{"op":"store","fact":{"fact_id":"f_legacy","entity":"e","key":"k","value":"v","source_receipt":null,'
        b'"confidence":1.0,"stored_at":"2026-01-01T00:00:00Z","tokens":1,"deleted":false}}\n'
    )
    store = adopted_store(data_dir)

    with store.writing() as door:
        receipts = [delete_two(door, store, "word", "a key") for _ in range(2)]

    assert receipts[1].fact_ids == ("f_legacy",)
    assert receipts[0] == receipts[1]


def test_names_and_what_was_asked_stand_in_the_ledger_as_digests_only(store: Store) -> None:
    with store.writing() as door:
        receipt = store_one(door, store, "s3cret-word", "s3cret-key")
        record(door, store, "s3cret-text", "s3cret-other")

    assert b"s3cret" not in store.ledger_path.read_bytes()
    assert receipt.event.asked is not None
    assert receipt.event.asked.answers == 1


def test_a_repeat_is_believed_once_its_generations_key_is_gone(store: Store) -> None:
    with store.writing() as door:
        first = store_one(door, store, "word", "a key")
    other = store.data_dir / "other"
    other.write_bytes(b"\n" * 20)
    other.replace(store.journal_path)
    with store.writing() as door:
        door.record(ANA, "", Action.TENANT_CREATED)
    (store.data_dir / "keys" / "journal-1.key").unlink()

    again = open_store(store.data_dir)
    with again.writing() as door:
        assert store_one(door, again, "another word", "a key") == first


def test_acts_can_be_named_before_the_takeover(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")

    with store.writing() as door:
        receipts = [record(door, store, "word", "a key") for _ in range(2)]
        with pytest.raises(IdempotencyConflictError):
            record(door, store, "another word", "a key")

    assert receipts[0] == receipts[1]
    assert len(events_of(store)) == 1
