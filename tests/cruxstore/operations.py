"""Every operation of the door under a name that its caller gives it, with a word that tells what is asked."""

from collections.abc import Callable

from cruxstore.door import Door, NewFact, Receipt, Store
from cruxstore.facts.records import Horizon
from cruxstore.ledger.events import Action
from tests.cruxstore.stores import ANA, lead, merge_of, view_of

Named = Callable[[Door, Store, str, str], Receipt]
"""An operation on a store that `mergeable_store` has made."""


def store_one(door: Door, store: Store, word: str, act: str) -> Receipt:
    return door.store_facts(ANA, "default", [lead(word)], view=view_of(store), act=act)


def store_two(door: Door, store: Store, word: str, act: str) -> Receipt:
    new = [lead("Dora"), NewFact("a", "b", "c", extra={"_import": {"id": word}})]
    return door.store_facts(ANA, "default", new, view=view_of(store), act=act, subjects=["i_1"])


def delete_two(door: Door, store: Store, word: str, act: str) -> Receipt:
    return door.delete_facts(ANA, "default", ids_of(store)[:2], view=view_of(store), reason=word, act=act)


def retire(door: Door, store: Store, word: str, act: str) -> Receipt:
    retired, by = (ids_of(store)[place] for place in (6, 0))
    return door.supersede(ANA, "default", retired, by, view=view_of(store), reason=word, act=act)


def bring_back(door: Door, store: Store, word: str, act: str) -> Receipt:
    return door.clear_supersede(ANA, "default", ids_of(store)[5], view=view_of(store), reason=word, act=act)


def set_validity(door: Door, store: Store, word: str, act: str) -> Receipt:
    return door.set_validity(ANA, "default", ids_of(store)[0], None, None, view=view_of(store), reason=word, act=act)


def merge(door: Door, store: Store, word: str, act: str) -> Receipt:
    view = view_of(store)
    request = merge_of(*ids_of(store)[:2], value=word)
    return door.consolidate(ANA, "default", request, view=view, read_fact=view.fact, act=act)


def take_back(door: Door, store: Store, word: str, act: str) -> Receipt:
    canonical, *sources = (ids_of(store)[place] for place in (4, 2, 3))
    return door.consolidate_undo(ANA, "default", canonical, sources, view=view_of(store), reason=word, act=act)


def set_horizon(door: Door, store: Store, word: str, act: str) -> Receipt:
    return door.set_horizon(ANA, "default", ids_of(store)[0], Horizon.STABLE, view=view_of(store), reason=word, act=act)


def reverify(door: Door, store: Store, word: str, act: str) -> Receipt:
    return door.reverify(ANA, "default", ids_of(store)[0], view=view_of(store), reason=word, act=act)


def compact(door: Door, store: Store, word: str, act: str) -> Receipt:
    rewriting = door.begin_rewrite(store.fact_settings())
    try:
        rewriting.prepare()
        return door.compact(ANA, rewriting, reason=word, act=act)
    finally:
        rewriting.discard()


def record(door: Door, store: Store, word: str, act: str) -> Receipt:
    return door.record(ANA, "", Action.PERSON_CREATED, subjects=["p_ben"], text=word, act=act)


OPERATIONS: tuple[Named, ...] = (
    store_one,
    store_two,
    delete_two,
    retire,
    bring_back,
    set_validity,
    merge,
    take_back,
    set_horizon,
    reverify,
    record,
)


def ids_of(store: Store) -> list[str]:
    """The facts in order: two to merge, two merged and what they were merged into, one retired and its successor."""
    return list(view_of(store).facts)
