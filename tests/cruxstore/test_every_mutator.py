"""Nothing that the door can do goes unrecorded: a public method is named here as a reader, or it is one event."""

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from cruxstore.door import Door, Store
from cruxstore.facts.records import Horizon
from cruxstore.ledger.events import Action
from cruxstore.replayed import StoreState
from cruxstore.rewriting import Rewriting
from tests.cruxstore.stores import ANA, adopted_store, events_of, lead, merge, merge_of, open_store, put, two_to_merge
from tests.cruxstore.stores import view_of as replayed

READERS = {"settle", "close", "find_act", "begin_rewrite"}

Mutation = Callable[[Door, StoreState, str, str], object]
"""What a method does to a store, given two facts that can be merged."""

MUTATORS: dict[str, tuple[Action, Mutation]] = {
    "adopt": (Action.STORE_ADOPTED, lambda door, view, first, second: door.adopt(ANA)),
    "store_facts": (
        Action.FACT_STORED,
        lambda door, view, first, second: door.store_facts(ANA, "default", [lead("Cem")], view=view),
    ),
    "delete_facts": (
        Action.FACT_DELETED,
        lambda door, view, first, second: door.delete_facts(ANA, "default", [first, second], view=view),
    ),
    "supersede": (
        Action.FACT_SUPERSEDED,
        lambda door, view, first, second: door.supersede(ANA, "default", first, second, view=view),
    ),
    "clear_supersede": (
        Action.FACT_SUPERSEDE_CLEARED,
        lambda door, view, first, second: door.clear_supersede(ANA, "default", first, view=view),
    ),
    "set_validity": (
        Action.FACT_VALIDITY_SET,
        lambda door, view, first, second: door.set_validity(ANA, "default", first, None, None, view=view),
    ),
    "consolidate": (
        Action.FACT_CONSOLIDATED,
        lambda door, view, first, second: door.consolidate(
            ANA, "default", merge_of(first, second), view=view, read_fact=view.fact
        ),
    ),
    "consolidate_undo": (
        Action.FACT_CONSOLIDATION_UNDONE,
        lambda door, view, first, second: door.consolidate_undo(
            ANA, "default", list(view.facts)[-1], [first, second], view=view
        ),
    ),
    "set_horizon": (
        Action.FACT_HORIZON_SET,
        lambda door, view, first, second: door.set_horizon(ANA, "default", first, Horizon.STABLE, view=view),
    ),
    "reverify": (
        Action.FACT_REVERIFIED,
        lambda door, view, first, second: door.reverify(ANA, "default", first, view=view),
    ),
    "compact": (Action.STORE_COMPACTED, lambda door, view, first, second: door.compact(ANA, prepared(door))),
    "rotate_key": (Action.KEY_ROTATED, lambda door, view, first, second: door.rotate_key(ANA)),
    "record": (
        Action.TENANT_CREATED,
        lambda door, view, first, second: door.record(ANA, "acme", Action.TENANT_CREATED),
    ),
}


def prepared(door: Door) -> Rewriting:
    """A compaction, ready to be put in place."""
    rewriting = door.begin_rewrite({})
    rewriting.prepare()
    return rewriting


def public_methods() -> set[str]:
    """What anybody can call on an open door."""
    return {name for name, _ in inspect.getmembers(Door, inspect.isfunction) if not name.startswith("_")}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return adopted_store(tmp_path / "data")


@pytest.mark.parametrize("name", sorted(public_methods() - READERS))
def test_every_mutator_records_one_event(name: str, store: Store) -> None:
    first, second = two_to_merge(store)
    if name == "consolidate_undo":
        merge(store, first, second)
    if name == "adopt":
        store = open_store(store.data_dir.parent / "another")
    before = len(events_of(store))

    with store.writing() as door:
        action, mutate = MUTATORS[name]
        mutate(door, replayed(store), first, second)

    recorded = events_of(store)[before:]
    assert [event.action for event in recorded] == [action]
    assert recorded[0].actor == ANA


@pytest.mark.parametrize("name", sorted(READERS - {"close", "begin_rewrite"}))
def test_a_reader_records_and_writes_nothing(name: str, store: Store) -> None:
    put(store, lead("Ana"), act="a key")
    files = (store.journal_path, store.ledger_path, store.texts_path)
    before = [path.read_bytes() for path in files]

    with store.writing() as door:
        getattr(door, name)(*(["a key"] if name == "find_act" else []))

    assert [path.read_bytes() for path in files] == before


@pytest.mark.parametrize("name", sorted(public_methods() - READERS - {"adopt", "record", "compact", "rotate_key"}))
def test_whatever_touches_facts_can_expect_a_version_give_a_reason_and_be_named(name: str) -> None:
    parameters = inspect.signature(getattr(Door, name)).parameters

    assert {"view", "expected", "reason", "subjects", "act"} <= parameters.keys()
    keywords = [parameters[word].kind for word in ("view", "expected", "reason", "subjects", "act")]
    assert set(keywords) == {inspect.Parameter.KEYWORD_ONLY}
