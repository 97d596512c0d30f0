"""What a question answers, in which order, and what the cuts leave."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import BlankQueryError
from cruxstore.facts.decay import DecayPolicy, Freshness, milliseconds
from cruxstore.facts.recall.ranking import Answer, FactQuery, query_facts
from cruxstore.facts.recall.terms import MatchFloor, MatchTier
from cruxstore.facts.records import Fact
from cruxstore.facts.times import parse_timestamp
from tests.cruxstore.facts.made import fact

NOW = parse_timestamp("2026-03-02T12:00:00Z")


def ask(facts: Sequence[Fact], floor: float | None = 0.45, **asked: Any) -> Answer:
    return query_facts(
        FactQuery(**asked), facts, now_ms=milliseconds(NOW), decay=DecayPolicy(), floor=MatchFloor(floor)
    )


def ids(answer: Answer) -> list[str]:
    return [row.fact.fact_id for row in answer.rows]


def test_deleted_and_superseded_facts_are_no_answer_unless_asked_for() -> None:
    facts = [fact("f_1"), fact("f_2", deleted=True), fact("f_3", superseded_by="f_1")]

    assert ids(ask(facts)) == ["f_1"]
    assert ids(ask(facts, include_superseded=True)) == ["f_1", "f_3"]


def test_entity_prefix_and_key_are_exact_to_the_letter() -> None:
    facts = [fact("f_1", entity="team:a"), fact("f_2", entity="Team:a"), fact("f_3", entity="team:ab", key="lead")]

    assert ids(ask(facts, entity="team:a")) == ["f_1"]
    assert ids(ask(facts, entity_prefix="team:a")) == ["f_1", "f_3"]
    assert ids(ask(facts, key="lead")) == ["f_3"]


def test_a_fact_answers_only_while_it_holds() -> None:
    facts = [fact("f_1", valid_from="2026-01-01T00:00:00Z", valid_to="2026-06-01T00:00:00Z"), fact("f_2")]

    def at(text: str) -> list[str]:
        return ids(ask(facts, as_of_ns=parse_timestamp(text).ns))

    assert at("2025-12-31T23:59:59Z") == ["f_2"]
    assert at("2026-01-01T00:00:00Z") == ["f_1", "f_2"]
    assert at("2026-06-01T00:00:00Z") == ["f_2"]


def test_a_fact_is_known_by_the_name_that_the_asker_sees() -> None:
    private = fact("f_1", entity="__agent::alice::notes", private=True)
    query = FactQuery(query="notes agent", entity="notes")

    answer = query_facts(
        query,
        [private],
        now_ms=milliseconds(NOW),
        decay=DecayPolicy(),
        floor=MatchFloor(),
        shown_entity=lambda fact: fact.entity.rpartition("::")[2],
    )

    assert ids(answer) == ["f_1"]


def test_the_order_is_effective_confidence_then_the_newer_then_the_id() -> None:
    day = "2026-03-02T00:00:00Z"
    facts = [
        fact("f_stale", confidence=0.9, horizon_class="volatile"),
        fact("f_sure", confidence=0.6, stored_at=day),
        fact("f_b", confidence=0.5, stored_at=day),
        fact("f_a", confidence=0.5, stored_at=day),
        fact("f_older", confidence=0.5, stored_at="2026-03-01T23:59:59Z"),
    ]

    for shuffled in permutations(facts):
        assert ids(ask(shuffled)) == ["f_sure", "f_a", "f_b", "f_older", "f_stale"]
    assert ids(ask(facts, by_stated_confidence=True))[0] == "f_stale"


def test_a_row_tells_freshness_and_confidence_as_the_daemon_does() -> None:
    (row,) = ask([fact(confidence=0.95, horizon_class="volatile", stored_at="2026-03-02T12:00:00Z")]).rows

    assert row.effective_confidence == 0.949999988079071
    assert row.freshness is Freshness.FRESH
    assert row.tier is MatchTier.UNSCORED


def test_what_is_below_the_confidence_asked_for_is_counted_before_the_cut() -> None:
    facts = [fact(f"f_{number}", confidence=number / 10) for number in range(10)]

    answer = ask(facts, min_effective_confidence=0.5, top_k=2)

    assert ids(answer) == ["f_9", "f_8"]
    assert answer.filtered_below_threshold == 5


@pytest.mark.parametrize(
    ("tokens", "budget", "taken"),
    [
        ([9, 1], 5, 1),
        ([2, 3, 1], 5, 2),
        ([2, 2, 2, 1], 5, 2),
        ([2, 2, 1, 0], 5, 3),
        ([0, 0, 5, 0], 5, 3),
        ([1, 1], 0, 1),
    ],
)
def test_a_budget_of_tokens_cuts_before_what_no_longer_fits(tokens: list[int], budget: int, taken: int) -> None:
    facts = [fact(f"f_{place}", tokens=count) for place, count in enumerate(tokens)]

    answer = ask(facts, token_budget=budget, top_k=1)

    assert ids(answer) == [f"f_{place}" for place in range(taken)]
    assert answer.total_tokens == sum(tokens[:taken])


def test_ten_facts_answer_where_nobody_says_how_many() -> None:
    assert len(ask([fact(f"f_{number:02d}") for number in range(11)]).rows) == 10


HIT = fact("f_hit", value="erasure reclaim wedge", confidence=0.1)
PARTLY = fact("f_partly", value="erasure and reclaim", confidence=0.5)
FILLER = fact("f_filler", value="erasure", confidence=1.0)


def test_a_search_puts_the_best_answers_first_and_leaves_filler_out() -> None:
    answer = ask([FILLER, PARTLY, HIT], query="erasure reclaim wedge")

    assert ids(answer) == ["f_hit", "f_partly"]
    assert [row.tier for row in answer.rows] == [MatchTier.STRONG, MatchTier.PARTIAL]
    assert (answer.match, answer.below_floor) == (MatchTier.STRONG, 1)


def test_filler_is_shown_as_such_on_request_and_is_still_no_answer() -> None:
    answer = ask([FILLER], query="erasure reclaim wedge", include_fallback=True)

    assert [row.tier for row in answer.rows] == [MatchTier.FALLBACK]
    assert (answer.match, answer.below_floor) == (MatchTier.NONE, 1)


def test_the_floor_counts_before_the_cut() -> None:
    assert ids(ask([FILLER, PARTLY], query="erasure reclaim wedge", top_k=1)) == ["f_partly"]


@pytest.mark.parametrize("exempt", [{"entity": "project:lark"}, {"entity_prefix": "project:"}, {"floor": None}])
def test_nothing_is_scored_without_a_floor_or_under_an_entity(exempt: dict[str, Any]) -> None:
    answer = ask([PARTLY, FILLER, HIT], query="erasure reclaim wedge", **exempt)

    assert ids(answer) == ["f_filler", "f_partly", "f_hit"]
    assert answer.match is MatchTier.UNSCORED


def test_no_search_matches_all_and_a_blank_one_is_refused() -> None:
    assert ids(ask([HIT])) == ["f_hit"]
    with pytest.raises(BlankQueryError):
        ask([HIT], query=" ")


words = st.sampled_from(["erasure", "reclaim", "wedge", "erasures", "gate:m2", "the"])
values = st.lists(words, max_size=4).map(" ".join)
made_facts = st.lists(
    st.builds(
        lambda number, value, confidence, tokens: (f"f_{number}", value, confidence, tokens),
        st.integers(0, 99),
        values,
        st.sampled_from([0.0, 0.25, 0.5, 1.0]),
        st.integers(0, 3),
    ),
    max_size=12,
    unique_by=lambda made: made[0],
)


@given(made_facts, st.lists(words, min_size=1, max_size=3).map(" ".join), st.integers(0, 12), st.booleans())
def test_the_cut_by_number_is_the_start_of_the_whole_answer(
    made: list[tuple[str, str, float, int]], query: str, top_k: int, include_fallback: bool
) -> None:
    facts = [fact(name, value=value, confidence=confidence, tokens=tokens) for name, value, confidence, tokens in made]
    asked: dict[str, Any] = {"query": query, "include_fallback": include_fallback}

    whole = ask(facts, top_k=len(facts), **asked)
    backwards = ask(facts[::-1], top_k=top_k, **asked)

    assert backwards.rows == whole.rows[:top_k]
    assert all(row.score is not None and (include_fallback or row.score >= 0.45) for row in whole.rows)
    assert len(whole.rows) + (0 if include_fallback else whole.below_floor) == sum(
        any(word in value for word in query.split()) for _, value, _, _ in made
    )
