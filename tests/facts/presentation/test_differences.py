"""What changed between two versions is shown by word, or by path where both are JSON."""

import json

from hypothesis import given
from hypothesis import strategies as st

from apps.facts.presentation.differences import (
    JSON_LIMIT,
    WORD_LIMIT,
    PathChange,
    Word,
    indented_json,
    json_difference,
    word_difference,
)


def test_words_that_came_and_went_stand_where_they_did() -> None:
    changes = word_difference("E-mail preferred, no calls", "Written notice only, no calls")

    assert changes == (
        Word("gone", "E-mail preferred"),
        Word("new", "Written notice only"),
        Word("same", ", no calls"),
    )


def test_values_with_little_in_common_are_shown_whole() -> None:
    assert word_difference("one thing", "quite another matter") == (
        Word("gone", "one thing"),
        Word("new", "quite another matter"),
    )


def test_very_long_values_are_not_compared() -> None:
    assert word_difference("a " * WORD_LIMIT, "b") is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_both_values_can_be_read_out_of_their_difference(old: str, new: str) -> None:
    changes = word_difference(old, new) or ()

    assert "".join(word.text for word in changes if word.kind in {"same", "new"}) == new
    assert "".join(word.text for word in changes if word.kind in {"same", "gone"}).split() == old.split()


def test_json_is_compared_by_path_with_numbers_as_spelled() -> None:
    difference = json_difference('{"a": 1, "b": [2.5, true], "c": null}', '{"a": 1, "b": [2.50, true], "d": "x"}')

    assert difference is not None
    assert difference.changes == (
        PathChange("±", "b[0]", "2.5", "2.50"),
        PathChange("−", "c", "null", None),
        PathChange("+", "d", None, '"x"'),
    )
    assert difference.same == 2


def test_a_key_that_looks_like_a_path_is_quoted() -> None:
    difference = json_difference('{"a.b": 1}', '{"a": {"b": 1}}')

    assert difference is not None
    assert [change.path for change in difference.changes] == ['"a.b"', "a.b"]


def test_text_and_scalars_are_no_documents() -> None:
    for value in ("plain", "12", '"text"', "null", "{broken", "", "[" * 100_000):
        assert indented_json(value) is None
        assert json_difference(value, "{}") is None


def test_a_document_beyond_the_limit_is_left_as_it_is() -> None:
    assert indented_json(json.dumps(["x" * JSON_LIMIT])) is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, min_size=1), max_leaves=6
    )
)
def test_indenting_changes_nothing_but_the_spaces(value: object) -> None:
    document = json.dumps([value])

    indented = indented_json(document)

    assert indented is not None
    assert json.loads(indented) == json.loads(document)
