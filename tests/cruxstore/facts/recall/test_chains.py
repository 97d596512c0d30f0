"""Which version counts, and a chain's history."""

from cruxstore.facts.recall.chains import dedup_latest, fact_history, latest_by_entity_prefix, live_entities
from cruxstore.facts.records import Fact
from tests.cruxstore.facts.made import fact

FACTS = [
    fact("f_b2", entity="b", version=2),
    fact("f_b1", entity="b", version=1, deleted=True),
    fact("f_b3", entity="b", version=2),
    fact("f_a", entity="a", version=7, superseded_by="f_x"),
    fact("f_other", entity="a", tenant_hash="acme"),
    fact("f_gone", entity="c", deleted=True),
    fact("f_z", entity="b", key="a"),
]


def ids(facts: list[Fact]) -> list[str]:
    return [fact.fact_id for fact in facts]


def test_a_history_is_by_version_and_holds_deleted_facts() -> None:
    assert ids(fact_history(FACTS, "b", "deploy_ok")) == ["f_b1", "f_b2", "f_b3"]
    assert fact_history(FACTS, "nowhere", "k") == []


def test_the_latest_version_of_every_place_is_found_in_the_order_of_places() -> None:
    assert ids(dedup_latest(FACTS)) == ["f_other", "f_a", "f_z", "f_b2", "f_gone"]


def test_each_chain_under_a_prefix_has_one_head() -> None:
    assert ids(latest_by_entity_prefix(FACTS, "")) == ["f_other", "f_a", "f_z", "f_b2"]
    assert ids(latest_by_entity_prefix(FACTS, "b")) == ["f_z", "f_b2"]


def test_an_entity_counts_while_it_has_a_fact_that_is_not_deleted() -> None:
    assert live_entities(FACTS) == ["a", "b"]
