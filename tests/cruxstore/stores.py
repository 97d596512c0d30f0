"""Stores for tests: a clock that ticks, somebody who acts, and the state that the journal leaves."""

from collections.abc import Sequence
from pathlib import Path

from cruxstore.door import NewFact, Receipt, Store
from cruxstore.facts.journal import Replay, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.ledger.events import Action, Actor, Event
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


def lead(value: str) -> NewFact:
    """A fact that follows the one before it in its chain."""
    return NewFact(entity="team:a", key="lead", value=value)


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
