"""Figures over facts: the numbers in values, sums, differences, and what counts."""

from typing import Any

import pytest

from cruxstore.errors import AggregateError, BlankQueryError
from cruxstore.facts.recall.aggregate import Aggregate, AggregateOp, AggregateQuery, aggregate, leading_number
from cruxstore.facts.records import Fact
from cruxstore.facts.times import parse_timestamp
from tests.cruxstore.facts.made import fact

GOLDEN = [fact(f"f_{place}", value=value) for place, value in enumerate(["100", "150.5", "$1,200", "100"])]


def figure(op: str, facts: list[Fact], **asked: Any) -> Aggregate:
    return aggregate(AggregateQuery(AggregateOp(op), **asked), facts)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("$450,000 approved", 450000.0),
        ("3 cats", 3.0),
        ("1,250.50", 1250.5),
        ("-12.5C", -12.5),
        ("north", None),
        ("", None),
        ("a-b-7", -7.0),
        ("1e5", 1.0),
        (".5", 5.0),
        ("2026-01-02", 2026.0),
        ("+4", 4.0),
        ("--5", -5.0),
        ("$-5", -5.0),
        ("- 5", 5.0),
        ("1.2.3", 1.2),
        ("7.", 7.0),
        ("1,2,,3", 123.0),
        ("1.2,5", 1.25),
        ("٣ cats", None),
    ],
)
def test_a_value_counts_as_its_first_number(value: str, number: float | None) -> None:
    assert leading_number(value) == number


@pytest.mark.parametrize(("op", "value"), [("count", 4), ("sum_numeric", 1550.5), ("distinct", 3)])
def test_the_golden_set(op: str, value: float) -> None:
    assert figure(op, GOLDEN) == Aggregate(AggregateOp(op), 4, value, 4, budget_truncated=False)
    assert type(figure(op, GOLDEN).value) is type(value)


def test_a_sum_is_a_float_and_over_nothing_minus_zero() -> None:
    assert repr(figure("sum_numeric", [fact(value="40")]).value) == "40.0"
    assert repr(figure("sum_numeric", []).value) == "-0.0"
    assert repr(figure("sum_numeric", [fact(value="north")]).value) == "-0.0"


def test_only_public_facts_that_stand_are_counted() -> None:
    facts = [fact("f_1"), fact("f_2", deleted=True), fact("f_3", private=True), fact("f_4", superseded_by="f_1")]

    assert figure("count", facts).value == 1


def test_entity_and_key_are_exact_and_the_search_is_one_text_of_the_value() -> None:
    facts = [
        fact("f_1", value="Rolled Back"),
        fact("f_2", value="back, rolled"),
        fact("f_3", key="rolled back"),
        fact("f_4", entity="other", value="rolled back"),
    ]

    assert figure("count", facts, query="ROLLED back").value == 2
    assert figure("count", facts, entity="project:lark", key="deploy_ok", query="back").value == 2
    with pytest.raises(BlankQueryError):
        figure("count", facts, query=" ")


@pytest.mark.parametrize(
    ("tokens", "budget", "matched", "is_cut"),
    [
        ([9, 1], 5, 1, True),
        ([2, 3, 0, 1], 5, 3, True),
        ([2, 3, 0], 5, 3, False),
        ([9], 5, 1, False),
        ([], 0, 0, False),
    ],
)
def test_a_budget_of_tokens_cuts_in_the_order_of_ids(
    tokens: list[int], budget: int, matched: int, is_cut: bool
) -> None:
    facts = [fact(f"f_{place}", tokens=count) for place, count in enumerate(tokens)]

    answer = figure("count", facts[::-1], token_budget=budget)

    assert (answer.matched, answer.value, answer.budget_truncated) == (matched, matched, is_cut)
    assert answer.tokens_scanned == sum(tokens[:matched])


def version(number: int, value: str, **changes: Any) -> Fact:
    linked = {"superseded_by": f"f_{number + 1}"} | ({"supersedes": f"f_{number - 1}"} if number > 1 else {})
    day = f"2026-03-0{number}T00:00:00Z"
    return fact(f"f_{number}", **{"value": value, "version": number, "stored_at": day, **linked, **changes})


CHAIN = [version(1, "10"), version(2, "25 ms"), version(3, "40", superseded_by=None)]


def difference(facts: list[Fact], as_of: str | None = None) -> Aggregate:
    moment = None if as_of is None else parse_timestamp(as_of).ns
    return figure("temporal_diff", facts, entity="project:lark", key="deploy_ok", as_of_ns=moment)


@pytest.mark.parametrize(
    ("as_of", "value"),
    [
        (None, 30.0),
        ("2026-02-01T00:00:00Z", 30.0),
        ("2026-03-01T12:00:00Z", 30.0),
        ("2026-03-02T00:00:00Z", 15.0),
        ("2026-03-09T00:00:00Z", 0.0),
    ],
)
def test_a_difference_is_the_newest_version_less_that_of_the_moment(as_of: str | None, value: float) -> None:
    assert difference(CHAIN, as_of) == Aggregate(AggregateOp.TEMPORAL_DIFF, 3, value, 3, budget_truncated=False)


@pytest.mark.parametrize(
    "broken",
    [
        version(2, "25", deleted=True),
        version(2, "25", private=True),
        version(2, "25", superseded_by=None, version=1),
        version(2, "25", superseded_by="f_9"),
        version(2, "25", tenant_hash="acme"),
        version(2, "25", key="other"),
    ],
)
def test_the_chain_ends_where_a_version_does_not_belong_to_it(broken: Fact) -> None:
    answer = difference([CHAIN[0], broken, CHAIN[2]])

    assert (answer.matched, answer.value) == (1, 0.0)


def test_there_is_no_difference_without_two_numbers() -> None:
    assert difference([]).value is None
    assert difference([version(1, "none"), version(2, "2", superseded_by=None)]).value is None
    assert difference([version(1, "1"), version(2, "none", superseded_by=None)]).matched == 2


def test_facts_that_supersede_each_other_in_a_ring_end_the_chain() -> None:
    ring = [version(1, "1", supersedes="f_2"), version(2, "2", superseded_by=None)]

    assert difference(ring).matched == 2


@pytest.mark.parametrize("missing", [{"entity": "e"}, {"key": "k"}])
def test_a_difference_needs_an_entity_and_a_key(missing: dict[str, str]) -> None:
    with pytest.raises(AggregateError):
        figure("temporal_diff", CHAIN, **missing)
