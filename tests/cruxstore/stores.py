"""Stores for tests: a clock that ticks, somebody who acts, and the state that the journal leaves."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cruxstore.door import NewFact, Receipt, Store
from cruxstore.facts.consolidation import ConsolidationRequest
from cruxstore.facts.journal import Replay, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.ledger.checkpoint import Slots, newest_of
from cruxstore.ledger.events import Action, Actor, Event
from cruxstore.ledger.notes import Checkpoint
from cruxstore.recovery import missing_under
from cruxstore.replayed import StoreState, read_state

ANA = Actor(kind="person", id="p_ana")
START_NS = 1_764_493_920_000_000_000


class TickingClock:
    """A clock that moves on by one millisecond each time it is read."""

    def __init__(self, now_ns: int = START_NS) -> None:
        self.now_ns = now_ns

    def __call__(self) -> int:
        self.now_ns += 1_000_000
        return self.now_ns


def open_store(data_dir: Path, *, journal: Path | None = None) -> Store:
    """A store of ours, not adopted yet, with a clock that ticks."""
    return Store.open(data_dir, journal=journal, clock=TickingClock(), privacy=PrivacyPolicy())


def adopted_store(data_dir: Path) -> Store:
    """A store of ours that facts can be put into."""
    store = open_store(data_dir)
    with store.writing() as door:
        door.adopt(ANA)
    return store


def replay_of(store: Store) -> Replay:
    """What reading the journal to its end finds."""
    return replay_journal(store.journal_path, PrivacyPolicy())


def view_of(store: Store) -> StoreState:
    """The state that journal and ledger leave, as the door wants it."""
    return read_state(store)


def put(store: Store, *facts: NewFact, tenant: str = "default", act: str = "") -> Receipt:
    """Stores facts in one act."""
    with store.writing() as door:
        return door.store_facts(ANA, tenant, facts, view=view_of(store), act=act)


def delete(store: Store, fact_ids: Sequence[str], *, tenant: str = "default") -> Receipt:
    """Deletes facts in one act."""
    with store.writing() as door:
        return door.delete_facts(ANA, tenant, fact_ids, view=view_of(store))


def lose_end(store: Store, path: Path, length: int) -> None:
    """Cuts a file as a crash does: before anything vouched for what goes."""
    os.truncate(path, length)
    forget_vouching(store)


def forget_vouching(store: Store) -> None:
    """Leaves only what a checkpoint may say of files that end here, as if the newest act had not come to its end."""
    slots, newest = Slots(store.data_dir / "checkpoint"), events_of(store)[-1]

    def is_true(checkpoint: Checkpoint | None) -> bool:
        if checkpoint is None or checkpoint.events >= newest.seq:
            return False
        return missing_under(checkpoint, ledger=store.ledger_path, journal=store.journal_path) is None

    kept = newest_of(tuple(slot for slot in slots.read() if is_true(slot.checkpoint)))
    slots.path.unlink(missing_ok=True)
    if kept is not None and kept.checkpoint is not None:
        slots.start_from(kept.checkpoint, kept.tree)


def lead(value: str) -> NewFact:
    """A fact that follows the one before it in its chain."""
    return NewFact(entity="team:a", key="lead", value=value)


def told(store: Store) -> Sequence[object]:
    """Everything that the store says of its facts, in terms that do not differ from run to run."""
    view = view_of(store)
    values = {fact_id: fact.value for fact_id, fact in view.facts.items()}
    return sorted(
        (
            fact.entity,
            fact.key,
            fact.value,
            fact.version,
            fact.deleted,
            values.get(fact.superseded_by or "", ""),
            values.get(fact.supersedes or "", ""),
            str((fact.valid_from, fact.valid_to)),
            fact.horizon_class,
            fact.reverified_at is not None,
            len(view.consolidation(fact.fact_id) or ()),
        )
        for fact in view.facts.values()
    )


def events_of(store: Store) -> list[Event]:
    """Every event, oldest first."""
    return [event for event, _ in store.events_from(0)]


def actions_of(store: Store) -> list[Action]:
    """What happened, oldest first."""
    return [event.action for event in events_of(store)]


def values_in_use(store: Store) -> list[str]:
    """The values of facts that are neither deleted nor superseded, sorted."""
    facts = view_of(store).facts.values()
    return sorted(fact.value for fact in facts if not fact.deleted and fact.superseded_by is None)


def weak(value: str, *, entity: str = "team:a", key: str = "lead") -> NewFact:
    """A fact that is not too certain to be merged."""
    return NewFact(entity=entity, key=key, value=value, confidence=0.5)


def two_to_merge(store: Store) -> tuple[str, str]:
    """Two facts of one chain, both in use: the newer one has not retired the older."""
    first = put(store, weak("Ana")).fact_ids[0]
    second = put(store, weak("Anna")).fact_ids[0]
    with store.writing() as door:
        door.clear_supersede(ANA, "default", first, view=view_of(store))
    return first, second


def mergeable_store(data_dir: Path) -> Store:
    """A store with two facts to merge, two merged ones and what they were merged into, a retired one and the next."""
    store = adopted_store(data_dir)
    two_to_merge(store)
    second = [put(store, weak(value, entity="team:b")).fact_ids[0] for value in ("Ben", "Benno")]
    with store.writing() as door:
        door.clear_supersede(ANA, "default", second[0], view=view_of(store))
        view = view_of(store)
        request = replace(merge_of(*second, value="Ben or Benno"), entity="team:b")
        door.consolidate(ANA, "default", request, view=view, read_fact=view.fact)
    for value in ("Cem", "Cleo"):
        put(store, NewFact("team:c", "lead", value))
    return store


def merge_of(*fact_ids: str, value: str = "Ana or Anna") -> ConsolidationRequest:
    """What is asked to merge facts of the chain that `weak` makes."""
    return ConsolidationRequest(
        consolidation_id="week-10", entity="team:a", key="lead", canonical_value=value, target_fact_ids=fact_ids
    )


def merge(store: Store, *fact_ids: str, expected: str | None = None, act: str = "") -> Receipt:
    """Merges facts in one act."""
    with store.writing() as door:
        view = view_of(store)
        return door.consolidate(
            ANA, "default", merge_of(*fact_ids), view=view, read_fact=view.fact, expected=expected, act=act
        )
