"""Nobody overwrites what they have not seen, and the ledger tells what they had seen."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cruxstore.door import Door, NewFact, Receipt, Store
from cruxstore.errors import VersionConflictError
from cruxstore.facts.records import Horizon
from cruxstore.facts.state import RevisedView, chain_revision, fact_revision
from cruxstore.ledger.events import Actor
from tests.cruxstore.stores import (
    ANA,
    adopted_store,
    delete,
    events_of,
    lead,
    merge_of,
    put,
    two_to_merge,
    view_of,
    weak,
)

BEN = Actor(kind="agent", id="a_ben")
CHAIN = ("team:a", "lead")

Operation = Callable[[Door, RevisedView, str, str], Receipt]
"""An operation on a fact, given what its writer expects of it."""


def store_another(door: Door, view: RevisedView, fact_id: str, expected: str) -> Receipt:
    return door.store_facts(ANA, "default", [lead("Dora")], view=view, expected={CHAIN: expected})


def delete_it(door: Door, view: RevisedView, fact_id: str, expected: str) -> Receipt:
    return door.delete_facts(ANA, "default", [fact_id], view=view, expected={fact_id: expected})


def retire_it(door: Door, view: RevisedView, fact_id: str, expected: str) -> Receipt:
    other = view.chain("default", "team:b", "lead")[0]
    return door.supersede(ANA, "default", fact_id, other, view=view, expected=expected)


def bring_it_back(door: Door, view: RevisedView, fact_id: str, expected: str) -> Receipt:
    return door.clear_supersede(ANA, "default", fact_id, view=view, expected=expected)


def set_its_validity(door: Door, view: RevisedView, fact_id: str, expected: str) -> Receipt:
    return door.set_validity(ANA, "default", fact_id, None, None, view=view, expected=expected)


def set_its_horizon(door: Door, view: RevisedView, fact_id: str, expected: str) -> Receipt:
    return door.set_horizon(ANA, "default", fact_id, Horizon.MEDIUM, view=view, expected=expected)


def verify_it(door: Door, view: RevisedView, fact_id: str, expected: str) -> Receipt:
    return door.reverify(ANA, "default", fact_id, view=view, expected=expected)


OPERATIONS: tuple[Operation, ...] = (
    store_another,
    delete_it,
    retire_it,
    bring_it_back,
    set_its_validity,
    set_its_horizon,
    verify_it,
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return adopted_store(tmp_path / "data")


@pytest.fixture
def fact_id(store: Store) -> str:
    put(store, NewFact("team:b", "lead", "Cem"))
    return put(store, lead("Ana")).fact_ids[0]


def change_line(door: Door, view: RevisedView, fact_id: str) -> Receipt:
    return door.set_validity(BEN, "default", fact_id, None, None, view=view)


def change_event(door: Door, view: RevisedView, fact_id: str) -> Receipt:
    return door.reverify(BEN, "default", fact_id, view=view)


@pytest.mark.parametrize("change", [change_line, change_event])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_act_on_what_has_changed_is_refused_with_who_did_it(
    operation: Operation, change: Callable[[Door, RevisedView, str], Receipt], store: Store, fact_id: str
) -> None:
    seen = fact_revision(view_of(store), fact_id)
    with store.writing() as door:
        changed = change(door, view_of(store), fact_id).event
    before = store.journal_path.read_bytes(), store.ledger_path.read_bytes()

    with store.writing() as door, pytest.raises(VersionConflictError) as conflict:
        operation(door, view_of(store), fact_id, seen)

    assert (store.journal_path.read_bytes(), store.ledger_path.read_bytes()) == before
    error = conflict.value
    assert error.current == fact_revision(view_of(store), fact_id) != seen
    assert (error.actor_kind, error.actor_id, error.action, error.at) == (
        "agent",
        "a_ben",
        changed.action,
        changed.time,
    )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_act_on_what_has_not_changed_says_what_was_seen(operation: Operation, store: Store, fact_id: str) -> None:
    seen = fact_revision(view_of(store), fact_id)
    put(store, NewFact("team:c", "lead", "Emil"))

    with store.writing() as door:
        receipt = operation(door, view_of(store), fact_id, seen)

    assert receipt.event.revision == seen
    assert events_of(store)[-1].revision == seen


def test_an_act_that_looked_at_nothing_says_so(store: Store, fact_id: str) -> None:
    assert events_of(store)[-1].revision is None
    assert delete(store, [fact_id]).event.revision is None


def test_a_merge_of_a_chain_that_has_grown_is_refused(store: Store) -> None:
    first, second = two_to_merge(store)
    seen = chain_revision(view_of(store), "default", *CHAIN)
    put(store, weak("Annie"))

    with store.writing() as door, pytest.raises(VersionConflictError):
        view = view_of(store)
        door.consolidate(ANA, "default", merge_of(first, second), view=view, read_fact=view.fact, expected=seen)


def test_an_undo_of_a_merge_that_has_changed_is_refused(store: Store) -> None:
    first, second = two_to_merge(store)
    with store.writing() as door:
        view = view_of(store)
        merged = door.consolidate(
            ANA,
            "default",
            merge_of(first, second),
            view=view,
            read_fact=view.fact,
            expected=chain_revision(view, "default", *CHAIN),
        )
        seen = fact_revision(view_of(store), merged.fact_ids[0])
        change_line(door, view_of(store), merged.fact_ids[0])

    with store.writing() as door, pytest.raises(VersionConflictError):
        door.consolidate_undo(ANA, "default", merged.fact_ids[0], [first, second], view=view_of(store), expected=seen)


def test_that_there_is_none_yet_can_be_expected(store: Store) -> None:
    with store.writing() as door:
        receipt = store_another(door, view_of(store), "", "")
        with pytest.raises(VersionConflictError):
            store_another(door, view_of(store), "", "")

    assert receipt.event.revision == ""


def test_what_was_there_and_is_gone_is_a_conflict(store: Store, fact_id: str) -> None:
    seen = fact_revision(view_of(store), fact_id)
    delete(store, [fact_id])

    with store.writing() as door, pytest.raises(VersionConflictError) as conflict:
        store_another(door, view_of(store), fact_id, seen)

    assert conflict.value.current == ""


def test_one_stale_fact_of_a_batch_refuses_all_of_it(store: Store, fact_id: str) -> None:
    view = view_of(store)
    seen = {chain: chain_revision(view, "default", *chain) for chain in (CHAIN, ("team:b", "lead"))}
    put(store, NewFact("team:b", "lead", "Dora"))

    with store.writing() as door, pytest.raises(VersionConflictError):
        door.store_facts(
            ANA, "default", [lead("Emil"), NewFact("team:b", "lead", "Emil")], view=view_of(store), expected=seen
        )


def test_all_that_was_seen_of_a_batch_stands_in_the_event_in_its_order(store: Store, fact_id: str) -> None:
    view = view_of(store)
    seen = {("team:z", "lead"): "", CHAIN: chain_revision(view, "default", *CHAIN)}

    with store.writing() as door:
        receipt = door.store_facts(
            ANA, "default", [lead("Emil"), NewFact("team:z", "lead", "Emil")], view=view, expected=seen
        )

    assert receipt.event.revision is not None
    assert receipt.event.revision.split(" ") == [f"{fact_id}-l2", ""]


def test_somebody_elses_line_is_laid_to_whoever_found_it(store: Store, fact_id: str) -> None:
    seen = fact_revision(view_of(store), fact_id)
    with store.journal_path.open("ab") as journal:
        journal.write(b'{"op":"set_validity","fact_id":"%b","set_at":""}\n' % fact_id.encode())

    with store.writing() as door, pytest.raises(VersionConflictError) as conflict:
        verify_it(door, view_of(store), fact_id, seen)

    assert (conflict.value.actor_kind, conflict.value.action) == ("system", "line.observed")
