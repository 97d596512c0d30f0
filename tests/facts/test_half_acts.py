"""The index never shows an act that a crash left half done."""

import time

import pytest

from apps.facts.acting import acting
from apps.facts.journal import JournalFile
from apps.facts.projector import IndexView, bring_up_to_date
from apps.facts.projector.builds import current_build
from cruxstore.door import NewFact, Store
from cruxstore.facts.state import FactState
from cruxstore.ledger.events import Actor
from cruxstore.lines import read_lines
from tests.cruxstore.stores import lose_end

ANA = Actor(kind="person", id="p_ana")


def put(store: Store, value: str) -> str:
    with acting(store) as (door, view):
        return door.store_facts(ANA, "default", [NewFact("team:a", "lead", value)], view=view).fact_ids[0]


def indexed(store: Store, fact_id: str) -> FactState | None:
    build = current_build()
    assert build is not None
    with JournalFile(store.journal_path) as journal:
        return IndexView(build.number, journal).fact(fact_id)


@pytest.mark.django_db(transaction=True)
def test_a_store_line_without_its_supersede_is_not_read_before_it_is_mended(store: Store) -> None:
    first = put(store, "Ana")
    with store.writing() as door, JournalFile(store.journal_path) as journal:
        build = current_build()
        assert build is not None
        view = IndexView(build.number, journal)
        second = door.store_facts(ANA, "default", [NewFact("team:a", "lead", "Ben")], view=view).fact_ids[0]
    lose_end(store, store.journal_path, [offset for offset, _ in read_lines(store.journal_path)][-1])

    bring_up_to_date(store, now_ns=time.time_ns())
    assert indexed(store, second) is None

    put(store, "Cem")

    old, middle = indexed(store, first), indexed(store, second)
    assert old is not None
    assert middle is not None
    assert old.superseded_by == second
    assert middle.superseded_by is not None
