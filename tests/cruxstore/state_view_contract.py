"""What every view that the door takes must answer; run against memory and against the index."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cruxstore.door import Door, NewFact, Store
from cruxstore.errors import TenantRetiredError
from cruxstore.facts.records import Horizon
from cruxstore.facts.state import RevisedView, chain_revision, fact_revision
from cruxstore.ledger.events import Action
from tests.cruxstore.stores import ANA, adopted_store, delete, lead, merge, put, two_to_merge, view_of, weak

ViewOf = Callable[[Store], RevisedView]
NOBODY = "f_" + "00" * 16


class StateViewContract:
    """Subclasses give the fixture `look`, which answers a caught-up view of a store."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Store:
        return adopted_store(tmp_path / "data")

    def test_a_fact_is_answered_with_its_state(self, store: Store, look: ViewOf) -> None:
        first, second = put(store, lead("Ana")).fact_ids[0], put(store, lead("Ben")).fact_ids[0]
        delete(store, [second])

        old, new = look(store).fact(first), look(store).fact(second)

        assert old is not None
        assert new is not None
        assert (old.tenant_hash, old.entity, old.key, old.version) == ("default", "team:a", "lead", 1)
        assert (old.deleted, old.supersedes, old.superseded_by) == (False, None, second)
        assert (new.deleted, new.supersedes, new.superseded_by, new.version) == (True, first, None, 2)

    def test_what_is_unknown_is_none_and_empty(self, store: Store, look: ViewOf) -> None:
        put(store, lead("Ana"))

        view = look(store)

        assert view.fact(NOBODY) is None
        assert view.consolidation(NOBODY) is None
        assert view.last_change(NOBODY) == ""
        assert list(view.chain("default", "team:b", "lead")) == []
        assert chain_revision(view, "acme", "team:a", "lead") == ""

    def test_a_chain_is_oldest_first_with_what_is_deleted_and_of_one_tenant(self, store: Store, look: ViewOf) -> None:
        first = put(store, lead("Ana"), NewFact("team:a", "seats", "4")).fact_ids[0]
        second = put(store, lead("Ben")).fact_ids[0]
        put(store, lead("Cem"), tenant="acme")
        delete(store, [first])

        assert list(look(store).chain("default", "team:a", "lead")) == [first, second]

    def test_the_heads_of_many_chains_are_their_newest_that_are_not_deleted(self, store: Store, look: ViewOf) -> None:
        long_name = "team:" + "a" * 300
        first = put(store, lead("Ana"), NewFact(long_name, "lead", "Ida")).fact_ids
        second, gone = put(store, lead("Ben"), NewFact("team:b", "lead", "Cem")).fact_ids
        put(store, lead("Dora"), tenant="acme")
        delete(store, [gone])
        names = [("team:c", "lead"), ("team:a", "lead"), (long_name, "lead"), ("team:b", "lead"), ("team:a", "seats")]

        heads = look(store).heads("default", names)

        assert [head and (head.fact_id, head.version) for head in heads] == [
            None,
            (second, 2),
            (first[1], 1),
            None,
            None,
        ]
        assert list(look(store).heads("nordwind", names)) == [None] * 5
        delete(store, [second])
        assert look(store).heads("default", names)[1] == look(store).fact(first[0])

    def test_a_merge_is_remembered_after_it_was_taken_back(self, store: Store, look: ViewOf) -> None:
        first, second = two_to_merge(store)
        canonical = merge(store, first, second).fact_ids[0]

        assert look(store).consolidation(canonical) == (first, second)
        assert look(store).consolidation(first) is None
        _do(store, lambda door, view: door.consolidate_undo(ANA, "default", canonical, [first, second], view=view))
        assert look(store).consolidation(canonical) == (first, second)

    def test_the_line_that_changed_a_fact_last_is_known(self, store: Store, look: ViewOf) -> None:
        first, beside = put(store, weak("Ana"), NewFact("team:b", "lead", "Ben")).fact_ids
        second = put(store, weak("Anna")).fact_ids[0]

        assert _changes(look(store), first, beside, second) == ["l3", "l1", "l2"]
        _do(store, lambda door, view: door.clear_supersede(ANA, "default", first, view=view))
        _do(store, lambda door, view: door.set_validity(ANA, "default", beside, None, None, view=view))
        assert _changes(look(store), first, beside, second) == ["l4", "l5", "l2"]
        canonical = merge(store, first, second).fact_ids[0]
        assert _changes(look(store), first, beside, second, canonical) == ["l6", "l5", "l6", "l6"]
        _do(store, lambda door, view: door.consolidate_undo(ANA, "default", canonical, [first, second], view=view))
        assert _changes(look(store), first, second, canonical) == ["l7", "l7", "l7"]
        _do(store, lambda door, view: door.supersede(ANA, "default", first, second, view=view))
        delete(store, [beside])
        assert _changes(look(store), first, beside, second, canonical) == ["l8", "l9", "l7", "l7"]

    def test_an_event_without_lines_that_changed_a_fact_last_is_known(self, store: Store, look: ViewOf) -> None:
        first, second = put(store, lead("Ana"), NewFact("team:b", "lead", "Ben")).fact_ids

        _do(store, lambda door, view: door.set_horizon(ANA, "default", first, Horizon.STABLE, view=view))
        assert _changes(look(store), first, second) == ["e3", "l1"]
        _do(store, lambda door, view: door.reverify(ANA, "default", first, view=view))
        assert _changes(look(store), first, second) == ["e4", "l1"]
        put(store, lead("Cem"))
        assert _changes(look(store), first, second) == ["l3", "l1"]

    def test_somebody_elses_line_changes_a_fact_too(self, store: Store, look: ViewOf) -> None:
        fact_id = put(store, lead("Ana")).fact_ids[0]
        with store.journal_path.open("ab") as journal:
            journal.write(b'{"op":"delete","fact_id":"%b","deleted_at":""}\n' % fact_id.encode())

        _do(store, lambda door, view: None)

        assert _changes(look(store), fact_id) == ["l2"]

    def test_the_version_of_a_chain_is_that_of_its_living_head(self, store: Store, look: ViewOf) -> None:
        first, second = put(store, lead("Ana")).fact_ids[0], put(store, lead("Ben")).fact_ids[0]
        chain = ("default", "team:a", "lead")

        assert chain_revision(look(store), *chain) == f"{second}-l2" == fact_revision(look(store), second)
        delete(store, [second])
        assert chain_revision(look(store), *chain) == f"{first}-l3"
        delete(store, [first])
        assert chain_revision(look(store), *chain) == ""

    def test_a_tenant_is_retired_until_it_is_reinstated(self, store: Store, look: ViewOf) -> None:
        put(store, lead("Ana"))
        assert not look(store).is_retired("default")

        _do(store, lambda door, view: door.record(ANA, "default", Action.TENANT_RETIRED))
        assert look(store).is_retired("default")
        assert not look(store).is_retired("acme")
        with pytest.raises(TenantRetiredError):
            put(store, lead("Ben"))

        _do(store, lambda door, view: door.record(ANA, "default", Action.TENANT_REINSTATED))
        assert not look(store).is_retired("default")
        put(store, lead("Ben"))


def _changes(view: RevisedView, *fact_ids: str) -> list[str]:
    return [view.last_change(fact_id) for fact_id in fact_ids]


def _do(store: Store, operation: Callable[[Door, RevisedView], object]) -> None:
    with store.writing() as door:
        operation(door, view_of(store))
