"""The address is the filter: what is written into it can be read out of it."""

from dataclasses import replace

from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from apps.facts.answers import FRESHNESSES, HORIZONS, MARKS, SORTS, STATES, FactFilter
from apps.facts.forms import read_filter
from apps.facts.presentation.address import chips_of, page_words, query_of, sort_links

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
FILTERS = st.builds(
    FactFilter,
    q=TEXTS.map(str.strip),
    state=st.sets(st.sampled_from(STATES)).map(lambda chosen: tuple(s for s in STATES if s in chosen)),
    freshness=st.sets(st.sampled_from(FRESHNESSES)).map(lambda chosen: tuple(f for f in FRESHNESSES if f in chosen)),
    horizon=st.sets(st.sampled_from(HORIZONS)).map(lambda chosen: tuple(h for h in HORIZONS if h in chosen)),
    marks=st.sets(st.sampled_from(MARKS)).map(lambda chosen: tuple(m for m in MARKS if m in chosen)),
    kind=st.lists(TEXTS, unique=True, max_size=3).map(tuple),
    actor=st.lists(TEXTS, unique=True, max_size=3).map(tuple),
    entity=TEXTS,
    key=TEXTS,
    min_confidence=st.none() | st.floats(0, 1),
    sort=st.sampled_from(SORTS),
)


@given(FILTERS)
def test_a_filter_survives_its_address(chosen: FactFilter) -> None:
    assert read_filter(QueryDict(query_of(chosen))) == chosen


@given(FILTERS)
def test_removing_chip_after_chip_ends_with_all_facts(chosen: FactFilter) -> None:
    while chips_of(chosen):
        chosen = read_filter(QueryDict(chips_of(chosen)[0].without))

    assert chips_of(chosen) == ()
    assert replace(chosen, sort="-recorded") == FactFilter(state=STATES)


def test_without_a_state_deleted_facts_are_left_out_and_the_page_says_so() -> None:
    assert [chip.words for chip in chips_of(FactFilter())] == ["Not deleted"]


def test_choices_of_one_facet_are_said_in_one_chip() -> None:
    words = [chip.words for chip in chips_of(FactFilter(state=("current",), freshness=("stale", "unknown")))]

    assert words == ["Freshness is Stale or Unknown", "State is Current"]


def test_a_head_sorts_the_useful_way_first_and_turns_round_then() -> None:
    first = sort_links(FactFilter())["effective"]
    second = sort_links(FactFilter(sort="-effective"))["effective"]

    assert (first.query, first.aria) == ("sort=-effective", "")
    assert (second.query, second.aria) == ("sort=effective", "descending")


def test_the_pager_is_called_after_the_order() -> None:
    assert page_words(FactFilter()) == ("Newer", "Older")
    assert page_words(FactFilter(sort="entity")) == ("Previous", "Next")
