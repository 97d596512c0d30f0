"""What of a file is new, decided from values alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.facts.formats.vocabulary import Proposed
from apps.facts.import_rules import ACT_BYTES, ACT_FACTS, Held, Plan, acts, overlap
from cruxstore.facts.privacy import PrivacyPolicy

PRIVACY = PrivacyPolicy.from_environment({})


def fact(key: str, value: str, *, entity: str = "team:a", line: int = 1, confidence: float = 1.0) -> Proposed:
    return Proposed(entity=entity, key=key, value=value, line=line, confidence=confidence)


@pytest.mark.parametrize(
    ("stated", "held", "known"),
    [
        ("ab", "ab", 2),
        ("abc", "ab", 2),
        ("abc", "xab", 2),
        ("ab", "abx", 0),
        ("a", "", 0),
        ("aa", "a", 1),
        ("ba", "ab", 1),
    ],
)
def test_a_file_goes_on_where_the_chain_ends(stated: str, held: str, known: int) -> None:
    assert overlap([(v, None, None) for v in stated], [(v, None, None) for v in held]) == known


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_what_was_stored_is_never_new_again(stated: str, before: str) -> None:
    chain = [(value, None, None) for value in before]
    statements = [(value, None, None) for value in stated]

    chain += statements[overlap(statements, chain) :]

    assert overlap(statements, chain) == len(statements)


def test_a_plan_sorts_facts_into_new_known_and_refused() -> None:
    stated = [
        fact("lead", "Ana"),
        fact("lead", "Bea"),
        fact("state", "x", entity="__legal_hold__::lh_1"),
        fact("n", "1"),
    ]

    plan = Plan.of(stated, {("team:a", "lead"): Held((("Ana", None, None),), is_private=False)}, PRIVACY)

    assert [(f.key, f.value) for f in plan.new] == [("lead", "Bea"), ("n", "1")]
    assert [(f.key, f.value) for f in plan.known] == [("lead", "Ana")]
    assert [(refused.key, refused.code) for refused in plan.refused] == [("state", "reserved_entity_prefix")]


def test_a_confidence_out_of_range_is_refused_with_its_line() -> None:
    plan = Plan.of([fact("lead", "Ana", confidence=1.5, line=7)], {}, PRIVACY)

    assert [(refused.line, refused.code) for refused in plan.refused] == [(7, "confidence_out_of_range")]


@pytest.mark.parametrize("value", ["the secret", "another value"])
def test_an_open_fact_neither_follows_a_private_one_nor_tells_whether_it_says_the_same(value: str) -> None:
    held = {("team:a", "salary"): Held((("the secret", None, None),), is_private=True)}

    plan = Plan.of([fact("salary", value)], held, PRIVACY)

    assert (plan.new, plan.known) == ((), ())
    assert [(refused.key, refused.code) for refused in plan.refused] == [("salary", "open_after_private")]


def test_what_is_born_private_may_follow_what_is_private() -> None:
    held = {("decisions::x", "why"): Held((("a", None, None),), is_private=True)}

    plan = Plan.of([fact("why", "b", entity="decisions::x")], held, PRIVACY)

    assert len(plan.new) == 1


def test_an_act_never_states_a_chain_twice() -> None:
    parts = list(acts([fact("a", "1"), fact("b", "1"), fact("a", "2")]))

    assert [[f.value for f in part] for part in parts] == [["1", "1"], ["2"]]


def test_an_act_is_bounded_in_facts_and_bytes() -> None:
    many = [fact(f"k{n}", "x") for n in range(ACT_FACTS + 1)]
    large = [fact(f"k{n}", "x" * (ACT_BYTES // 2)) for n in range(3)]

    assert [len(part) for part in acts(many)] == [ACT_FACTS, 1]
    assert [len(part) for part in acts(large)] == [2, 1]
