"""Pages of lists and exports go on where the last one ended, whatever happened between."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import BadCursorError, BlankQueryError, UnknownCursorError
from cruxstore.facts.recall.pages import ListPage, ListQuery, export_page, list_cursor, list_page
from cruxstore.facts.records import Fact
from cruxstore.facts.times import format_timestamp, parse_timestamp
from tests.cruxstore.facts.made import fact

FIRST = fact("f_1", stored_at="2026-03-01T00:00:00.0019Z")
SAME_MS = fact("f_2", stored_at="2026-03-01T00:00:00.0011Z")
LAST = fact("f_0", stored_at="2026-03-02T00:00:00Z")
HIDDEN = [fact("f_8", deleted=True), fact("f_9", private=True)]


def listed(facts: Sequence[Fact], limit: int = 100, **asked: Any) -> ListPage:
    return list_page(ListQuery(limit, **asked), facts)


def ids(rows: Sequence[Fact]) -> list[str]:
    return [row.fact_id for row in rows]


def test_a_list_is_newest_first_by_the_millisecond_and_then_by_id() -> None:
    page = listed([FIRST, SAME_MS, LAST, *HIDDEN])

    assert ids(page.rows) == ["f_0", "f_2", "f_1"]
    assert (page.total_visible, page.total_nondeleted, page.has_more) == (3, 4, False)


def test_a_list_goes_on_behind_its_cursor_even_where_that_row_is_gone() -> None:
    first = listed([FIRST, SAME_MS, LAST], limit=2)

    second = listed([FIRST, LAST], limit=2, cursor=first.next_cursor)

    assert first.next_cursor == list_cursor(SAME_MS) == "1772323200001:f_2"
    assert first.has_more
    assert ids(second.rows) == ["f_1"]
    assert (second.total_visible, second.next_cursor) == (2, None)


def test_a_cursor_is_split_at_its_first_colon() -> None:
    odd = fact("f:x:1", stored_at="2026-03-01T00:00:00Z")

    assert ids(listed([odd, FIRST], cursor=list_cursor(odd)).rows) == []
    assert ids(listed([odd, FIRST], cursor=list_cursor(FIRST)).rows) == ["f:x:1"]


@pytest.mark.parametrize("cursor", ["", "f_1", ":f_1", "x:f_1", "1.5:f_1", "٣:f_1", f"{'9' * 5000}:f_1", " 1:f_1"])
def test_a_malformed_cursor_is_an_error(cursor: str) -> None:
    with pytest.raises(BadCursorError):
        listed([FIRST], cursor=cursor)


def test_a_list_is_filtered_before_it_is_counted() -> None:
    facts = [
        FIRST,
        fact("f_3", superseded_by="f_1", stored_at="2026-03-01T00:00:00.002Z"),
        fact("f_4", entity="team:x", value="Rolled Back", stored_at="2026-03-01T00:00:00Z"),
    ]

    assert ids(listed(facts).rows) == ["f_3", "f_1", "f_4"]
    assert ids(listed(facts, include_superseded=False).rows) == ["f_1", "f_4"]
    assert ids(listed(facts, entity_prefix="team:").rows) == ["f_4"]
    assert ids(listed(facts, query="LED b").rows) == ["f_4"]
    assert ids(listed(facts, query="DEPLOY_ok").rows) == ["f_3", "f_1", "f_4"]
    assert ids(listed(facts, stored_until_ms=1772323200001).rows) == ["f_1", "f_4"]
    assert list_page(ListQuery(9), facts, is_visible=lambda fact: fact.entity == "team:x").total_visible == 1
    with pytest.raises(BlankQueryError):
        listed(facts, query="")


def test_an_export_is_oldest_first_and_its_start_counts() -> None:
    facts = [LAST, FIRST, SAME_MS, *HIDDEN, fact("f_3", superseded_by="f_1", stored_at="2026-03-03T00:00:00Z")]

    assert ids(export_page(facts, limit=9).rows) == ["f_2", "f_1", "f_0", "f_3"]
    since = parse_timestamp("2026-03-02T00:00:00Z").ns
    assert ids(export_page(facts, limit=9, since_ns=since).rows) == ["f_0", "f_3"]


@pytest.mark.parametrize("cursor", ["f_7", "f_8", "f_9", ""])
def test_an_unknown_cursor_is_an_error(cursor: str) -> None:
    with pytest.raises(UnknownCursorError):
        export_page([FIRST, *HIDDEN], limit=9, cursor=cursor)


stored = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 3_000_000)), max_size=15, unique_by=lambda made: made[0]
).map(
    lambda made: [
        fact(f"f_{number}", stored_at=format_timestamp(1772323200_000_000_000 + ns, zulu=True)) for number, ns in made
    ]
)


@given(stored, st.integers(1, 5))
def test_pages_together_hold_every_fact_once(facts: list[Fact], limit: int) -> None:
    rows: list[Fact] = []
    exported: list[Fact] = []

    page = listed(facts, limit)
    rows.extend(page.rows)
    while page.next_cursor is not None:
        page = listed(facts, limit, cursor=page.next_cursor)
        rows.extend(page.rows)
    part = export_page(facts, limit=limit)
    exported.extend(part.rows)
    while part.has_more:
        part = export_page(facts, limit=limit, cursor=part.next_cursor)
        exported.extend(part.rows)

    assert rows == sorted(facts, key=lambda fact: (fact.stored_at.ns // 1_000_000, fact.fact_id), reverse=True)
    assert exported == sorted(facts, key=lambda fact: (fact.stored_at.ns, fact.fact_id))
