"""What no order, facet or filter tells of a private fact to those who may not read it."""

import orjson
import pytest

from apps.accounts.rules import Scope
from apps.facts.answers import Count, FactFilter, FactsPage
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import find_entities, find_facts, get_entity, get_fact
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored


def page_of(files: Files, chosen: FactFilter, scope: Scope) -> FactsPage:
    return find_facts(scope, chosen, store=files, now_ns=NOON_NS)


def ids(page: FactsPage) -> list[str]:
    return [row.fact_id for row in page.rows]


@pytest.mark.django_db
@pytest.mark.parametrize("min_confidence", [None, 0.1], ids=["all", "gathered"])
def test_by_entity_and_key_a_private_fact_stands_nowhere_but_for_its_owner(
    files: Files, reader: Scope, reading_officer: Scope, min_confidence: float | None
) -> None:
    files.write(
        stored(
            make_fact(1, entity="customer:a"),
            make_fact(2, entity="customer:secret", private=True),
            make_fact(3, entity="customer:z"),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)
    chosen = FactFilter(sort="entity", min_confidence=min_confidence)

    assert ids(page_of(files, chosen, reader)) == [fact_id(1), fact_id(3)]
    assert ids(page_of(files, chosen, reading_officer)) == [fact_id(1), fact_id(2), fact_id(3)]


@pytest.mark.django_db
def test_a_page_by_entity_says_that_private_facts_are_left_out(files: Files, reader: Scope) -> None:
    files.write(stored(make_fact(1), make_fact(2, entity="plan:x", private=True)))
    bring_up_to_date(files, now_ns=NOON_NS)

    by_entity = page_of(files, FactFilter(sort="entity"), reader)
    of_a_kind = page_of(files, FactFilter(sort="entity", kind=("service:",)), reader)

    assert by_entity.search_note.startswith("Private facts of others have no place by entity and key")
    assert of_a_kind.search_note == ""


@pytest.mark.django_db
@pytest.mark.parametrize("sort", ["entity", "-entity"])
def test_the_place_of_a_private_fact_leads_nowhere(files: Files, reader: Scope, sort: str) -> None:
    files.write(
        stored(
            make_fact(1, entity="customer:a"),
            make_fact(2, entity="customer:secret", private=True),
            make_fact(3, entity="customer:z"),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    after = page_of(files, FactFilter(sort=sort, after="2"), reader)
    before = page_of(files, FactFilter(sort=sort, before="2"), reader)

    assert sorted(ids(after)) == sorted(ids(before)) == [fact_id(1), fact_id(3)]


@pytest.mark.django_db
@pytest.mark.parametrize("labels", [200, 1], ids=["numbered", "rare"])
def test_who_wrote_a_private_fact_is_in_no_facet_and_no_filter(
    files: Files, reader: Scope, monkeypatch: pytest.MonkeyPatch, labels: int
) -> None:
    monkeypatch.setattr("apps.facts.projector.labels.LABELS", labels)
    files.write(
        stored(
            make_fact(1, actor="deploy-bot"),
            make_fact(2, entity="plan:x", private=True, actor="night-bot"),
            make_fact(3, entity="plan:y", private=True, actor="deploy-bot"),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    page = page_of(files, FactFilter(), reader)
    actors = next(facet for facet in page.facets if facet.name == "actor")

    assert page.count == Count(3)
    assert [(value.value, value.count) for value in actors.values] == [("deploy-bot", Count(1))]
    assert ids(page_of(files, FactFilter(actor=("night-bot",)), reader)) == []
    assert ids(page_of(files, FactFilter(actor=("deploy-bot",)), reader)) == [fact_id(1)]
    assert ids(page_of(files, FactFilter(actor=("deploy-bot", "night-bot", "*")), reader)) == [fact_id(1)]


@pytest.mark.django_db
def test_a_kind_without_a_number_is_found_whole_and_never_by_a_longer_beginning(
    files: Files, reader: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.facts.projector.labels.LABELS", 1)
    files.write(
        stored(
            make_fact(1, entity="service:a"),
            make_fact(2, entity="plan:secret", private=True),
            make_fact(3, entity="plan::b"),
            make_fact(4, entity="no kind"),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    def found(*kinds: str) -> list[str]:
        return ids(page_of(files, FactFilter(kind=kinds), reader))

    assert found("plan:") == [fact_id(2)]
    assert found("plan::") == [fact_id(3)]
    assert found("plan:s") == found("plan:secret") == found("pla") == []
    assert found("plan:", "service:") == [fact_id(2), fact_id(1)]


@pytest.mark.django_db
def test_why_a_fact_is_held_is_told_to_officers_alone(files: Files, reader: Scope, reading_officer: Scope) -> None:
    hold = {
        "schema": "crux.legal_hold.v1",
        "hold_id": "lh_1",
        "tenant_id": "default",
        "entity_prefixes": ["service:", "customer:halden"],
        "reason": "Claim of Halden",
        "placed_at": "2026-11-01T00:00:00Z",
        "placed_by": "owen",
        "place_receipt_id": "r_1",
    }
    statement = make_fact(2, orjson.dumps(hold).decode(), entity="__legal_hold__::lh_1", key="state", private=True)
    files.write(stored(make_fact(1), statement))
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)

    def told(scope: Scope) -> list[tuple[str, tuple[str, ...], str, str]]:
        of_fact = get_fact(scope, fact_id(1), store=files, now_ns=NOON_NS).holds
        of_entity = get_entity(scope, "service:checkout", store=files, now_ns=NOON_NS).holds
        assert of_fact == of_entity
        return [(hold.hold_id, hold.entity_prefixes, hold.reason, hold.placed_by) for hold in of_fact]

    assert told(reader) == [("lh_1", ("service:",), "", "")]
    assert told(reading_officer) == [("lh_1", ("customer:halden", "service:"), "Claim of Halden", "owen")]


@pytest.mark.django_db
def test_under_a_name_private_facts_leave_no_trace(files: Files, reader: Scope, reading_officer: Scope) -> None:
    files.write(
        stored(
            make_fact(1, "open"),
            make_fact(2, "closed", version=2, private=True, stored_at=parse_timestamp("2026-11-30T09:00:00Z")),
            make_fact(3, "closed", key="salary", private=True),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    def told(scope: Scope) -> tuple[object, ...]:
        (row,) = find_entities(scope, store=files, now_ns=NOON_NS).rows
        entity = get_entity(scope, "service:checkout", store=files, now_ns=NOON_NS)
        versions = [one.row.fact_id for one in get_fact(scope, fact_id(1), store=files, now_ns=NOON_NS).versions]
        assert entity.facts == row.facts
        return row.keys, row.facts, f"{row.newest_at:%H:%M}", [one.key for one in entity.keys], versions

    assert told(reader) == (Count(1), Count(1), "08:00", ["deploy_gate"], [fact_id(1)])
    assert told(reading_officer) == (
        Count(2),
        Count(3),
        "08:00",
        ["deploy_gate", "salary"],
        [fact_id(2), fact_id(1)],
    )


@pytest.mark.django_db
def test_an_agents_entity_that_names_nobody_is_listed_for_officers(
    files: Files, reader: Scope, reading_officer: Scope
) -> None:
    entities = ("__agent::nobody", "__agent::::x", "__agent::lark::x")
    files.write(stored(*(make_fact(at, entity=entity, private=True) for at, entity in enumerate(entities))))
    bring_up_to_date(files, now_ns=NOON_NS)

    def listed(scope: Scope) -> set[str]:
        return {row.entity for row in find_entities(scope, store=files, now_ns=NOON_NS).rows}

    assert listed(reader) == set()
    assert listed(reading_officer) == {"__agent::nobody", "__agent::::x"}
