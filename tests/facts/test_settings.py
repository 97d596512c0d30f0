"""Horizon and re-verification are events: they reach the index whenever they come, and last."""

import time
from collections.abc import Callable

from apps.facts.journal import JournalFile
from apps.facts.models import IndexedFact
from apps.facts.projector import IndexView, bring_up_to_date, rebuild
from apps.facts.projector.builds import current_build
from apps.facts.rules import HORIZONS, FreshnessCode, unpack_cell
from cruxstore.door import Door, Store
from cruxstore.facts.decay import DAY_MS
from cruxstore.facts.records import Horizon
from tests.cruxstore.stores import ANA, delete, lead, put
from tests.facts.index_content import content_of_index


def test_a_horizon_and_a_verification_change_how_a_fact_ages(store: Store) -> None:
    fact_id = put(store, lead("Ana")).fact_ids[0]
    look(store)
    before = row_of(fact_id)

    act(store, lambda door, view: door.set_horizon(ANA, "default", fact_id, Horizon.VOLATILE, view=view))
    act(store, lambda door, view: door.reverify(ANA, "default", fact_id, view=view))
    look(store)

    after = row_of(fact_id)
    assert HORIZONS[unpack_cell(before.cell).horizon] == Horizon.NONE
    assert HORIZONS[unpack_cell(after.cell).horizon] == Horizon.VOLATILE
    assert after.anchor_ms > before.anchor_ms
    assert after.stale_at_ms == after.anchor_ms + DAY_MS
    assert after.due_at_ms == after.stale_at_ms + 1


def test_what_was_said_goes_stale_by_its_new_horizon(store: Store) -> None:
    fact_id = put(store, lead("Ana")).fact_ids[0]
    act(store, lambda door, view: door.set_horizon(ANA, "default", fact_id, Horizon.VOLATILE, view=view))

    look(store, days=2)

    assert unpack_cell(row_of(fact_id).cell).freshness == FreshnessCode.STALE


def test_a_rebuild_and_other_batches_fold_events_alike(store: Store) -> None:
    first, second = (put(store, lead(value)).fact_ids[0] for value in ("Ana", "Ben"))
    look(store)
    act(store, lambda door, view: door.set_horizon(ANA, "default", first, Horizon.MEDIUM, view=view))
    look(store)
    delete(store, [second])
    act(store, lambda door, view: door.reverify(ANA, "default", first, view=view))
    act(store, lambda door, view: door.set_horizon(ANA, "default", second, Horizon.STABLE, view=view))
    act(store, lambda door, view: door.set_horizon(ANA, "default", first, Horizon.STABLE, view=view))
    third = put(store, lead("Cem")).fact_ids[0]
    act(store, lambda door, view: door.reverify(ANA, "default", third, view=view))
    now_ns = look(store)
    step_by_step = content_of_index()

    rebuild(store, now_ns=now_ns)

    assert content_of_index() == step_by_step
    assert len(step_by_step["setting revisions"]) == 5


def look(store: Store, *, days: int = 0) -> int:
    now_ns = time.time_ns() + days * DAY_MS * 1_000_000
    bring_up_to_date(store, now_ns=now_ns, limit=None)
    return now_ns


def row_of(fact_id: str) -> IndexedFact:
    return IndexedFact.objects.get(fact_id=fact_id)


def act(store: Store, operation: Callable[[Door, IndexView], object]) -> None:
    look(store)
    build = current_build()
    assert build is not None
    with JournalFile(store.journal_path) as journal, store.writing() as door:
        operation(door, IndexView(build.number, journal, ledger=store.ledger_path))
