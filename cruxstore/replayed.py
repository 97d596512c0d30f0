"""The state of a whole store in memory: the journal replayed, and what the ledger says beside it."""

from collections.abc import Sequence

from cruxstore.door import Store
from cruxstore.facts.journal import JournalLine, Replay, read_lines, replay_lines
from cruxstore.facts.records import Fact, Operation
from cruxstore.facts.replay import Deleted, Effect, Inserted, Outcome, SupersededBy, ValiditySet
from cruxstore.facts.state import FactState, chain_head, event_change, line_change
from cruxstore.ledger.chain import place_after
from cruxstore.ledger.events import newest_event
from cruxstore.ledger.settings import FactSetting, retired_tenants


class StoreState:
    """A `RevisedView` for tools and small stores; horizon and re-verification are folded into its facts."""

    def __init__(
        self,
        replay: Replay,
        places: dict[str, tuple[int, int]],
        settings: dict[str, FactSetting],
        *,
        generation: int,
        retired: frozenset[str],
    ) -> None:
        self.replay = replay
        self.facts = replay.state.facts | _with_settings(replay.state.facts, settings)
        self._places = places
        self._settings = settings
        self._generation = generation
        self._retired = retired

    def fact(self, fact_id: str) -> Fact | None:
        """The fact with this id, deleted or not."""
        return self.facts.get(fact_id)

    def chain(self, tenant_hash: str, entity: str, key: str) -> Sequence[str]:
        """The ids stored under a tenant, entity and key, oldest first."""
        return self.replay.state.chain(tenant_hash, entity, key)

    def consolidation(self, canonical_fact_id: str) -> tuple[str, ...] | None:
        """The sources remembered for a canonical fact."""
        return self.replay.state.consolidation(canonical_fact_id)

    def last_change(self, fact_id: str) -> str:
        """The line or the event that changed a fact last."""
        if fact_id not in self.facts:
            return ""
        line, offset = self._places[fact_id]
        setting = self._settings.get(fact_id)
        if setting is not None and setting.journal.generation == self._generation and setting.journal.bytes > offset:
            return event_change(setting.seq)
        return line_change(line, self._generation)

    def heads(self, tenant_hash: str, names: Sequence[tuple[str, str]]) -> list[FactState | None]:
        """The newest fact of each chain that is not deleted."""
        is_known = self.replay.state.is_about
        return [chain_head(self, tenant_hash, *name) if is_known(name[0]) else None for name in names]

    def is_retired(self, tenant_hash: str) -> bool:
        """Whether nothing may be written to a tenant."""
        return tenant_hash in self._retired


def read_state(store: Store) -> StoreState:
    """The state that a store's files leave now; for whoever holds its lock, or is the only one to use it."""
    places: dict[str, tuple[int, int]] = {}

    def watch(line: JournalLine, operation: Operation, outcome: Outcome) -> None:
        for effect in outcome.effects:
            if (fact_id := _changed_by(effect)) is not None:
                places[fact_id] = (line.number, line.offset)

    generation = place_after(newest_event(store.ledger_path)).generation
    replay = Replay()
    if store.journal_path.exists():
        with store.journal_path.open("rb") as journal:
            replay = replay_lines(read_lines(journal), store.privacy, watch)
    retired = retired_tenants(event for event, _ in store.events_from(0))
    return StoreState(replay, places, store.fact_settings(), generation=generation, retired=retired)


def _changed_by(effect: Effect) -> str | None:
    match effect:
        case Inserted(fact):
            return fact.fact_id
        case Deleted(fact_id) | SupersededBy(fact_id) | ValiditySet(fact_id):
            return fact_id
        case _:
            return None


def _with_settings(facts: dict[str, Fact], settings: dict[str, FactSetting]) -> dict[str, Fact]:
    changed = {}
    for fact_id, setting in settings.items():
        fact = facts.get(fact_id)
        if fact is not None:
            changed[fact_id] = fact._replace(
                horizon_class=setting.horizon or fact.horizon_class,
                reverified_at=setting.reverified_at or fact.reverified_at,
            )
    return changed
