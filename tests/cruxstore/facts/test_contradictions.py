"""The daemon's rule for contradictions, word by word."""

from typing import NamedTuple

import pytest

from cruxstore.facts.contradictions import NEGATIVE, POSITIVE, REASON, Polarity, contradictions, polarity_of


class Standing(NamedTuple):
    fact_id: str
    entity: str
    key: str
    value: str


def test_there_are_fourteen_words_for_yes_and_thirteen_for_no() -> None:
    assert (len(POSITIVE), len(NEGATIVE)) == (14, 13)
    assert not POSITIVE & NEGATIVE


@pytest.mark.parametrize("word", sorted(POSITIVE | NEGATIVE))
def test_every_word_goes_its_way_in_capitals_and_within_signs(word: str) -> None:
    way = Polarity.POSITIVE if word in POSITIVE else Polarity.NEGATIVE

    assert polarity_of(word) == polarity_of(f"  ({word.upper()})! ") == way


@pytest.mark.parametrize("value", ["", " ", "yes please", "_yes", "not", "нет", "YEŞ", "１", "on/off", "true_"])
def test_anything_else_goes_neither_way(value: str) -> None:
    assert polarity_of(value) is None


def test_a_group_that_goes_both_ways_names_the_facts_that_say_no_first() -> None:
    facts = [
        Standing("f_3", "service:b", "gate", "Yes."),
        Standing("f_1", "service:a", "gate", "on"),
        Standing("f_2", "service:a", "gate", "OFF"),
        Standing("f_4", "service:b", "gate", "perhaps"),
        Standing("f_5", "service:a", "state", "no"),
        Standing("f_6", "service:a", "gate", "enabled"),
    ]

    (found,) = contradictions(facts)

    assert (found.entity, found.key, found.reason) == ("service:a", "gate", REASON)
    assert (found.polarity_a, found.polarity_b) == ("negative", "positive")
    assert (found.fact_ids, found.values) == (("f_2", "f_1", "f_6"), ("OFF", "on", "enabled"))


def test_groups_come_sorted_and_at_most_as_many_as_asked_for() -> None:
    facts = [Standing(f"f_{name}{value}", name, "gate", value) for name in "cab" for value in ("yes", "no")]

    assert [found.entity for found in contradictions(facts)] == ["a", "b", "c"]
    assert [found.entity for found in contradictions(facts, limit=2)] == ["a", "b"]
    assert len(contradictions(facts, limit=0)) == 3
