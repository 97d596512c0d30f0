"""Objects scanned exactly: values, places, and every reason to refuse."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import LineError
from cruxstore.facts.scan import JsonObject, JsonValue, scan_object


def plain(value: JsonValue) -> Any:
    if isinstance(value, JsonObject):
        return {member.key: plain(member.value) for member in value.members}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value


def test_a_member_knows_its_place() -> None:
    text = b' {"a" :\t[1, 2] , "b":{"c":"\\u00e9"}} '

    scanned = scan_object(text)

    assert [text[member.start : member.end] for member in scanned.members] == [b'"a" :\t[1, 2]', b'"b":{"c":"\\u00e9"}']
    assert [text[member.value_start : member.end] for member in scanned.members] == [b"[1, 2]", b'{"c":"\\u00e9"}']
    assert text[scanned.start : scanned.end] == text.strip()


def test_a_key_given_twice_is_scanned_twice() -> None:
    scanned = scan_object(b'{"a":1,"a":2}')

    assert [(member.key, member.value) for member in scanned.members] == [("a", 1), ("a", 2)]


@pytest.mark.parametrize(
    ("text", "byte"),
    [
        (b"", 0),
        (b"  ", 2),
        (b'{"a"', 4),
        (b'{"a":', 5),
        (b'{"a":1', 6),
        (b'{"a":1,', 7),
        (b'{"a":1,}', 7),
        (b"{a:1}", 1),
        (b'{"a":+1}', 5),
        (b'{"a":.5}', 5),
        (b'{"a":1.}', 6),
        (b'{"a":tru}', 5),
        (b'{"a":[1,]}', 8),
        (b'{"a":[1 2]}', 8),
        (b'{"a":Infinity}', 5),
        (b'{"a":"\xc3"}', 6),
        (b'{"a":"\n"}', 5),
        (b'{"a":1}x', 7),
        (b'{"a":1}\x0c', 7),
    ],
)
def test_a_refusal_names_the_byte(text: bytes, byte: int) -> None:
    with pytest.raises(LineError) as refused:
        scan_object(text)

    assert refused.value.byte == byte


def test_a_huge_whole_number_is_out_of_range() -> None:
    with pytest.raises(LineError) as refused:
        scan_object(b'{"a":1' + b"0" * 5000 + b"}")

    assert refused.value.code == "number_out_of_range"


def test_a_long_text_full_of_escapes_is_scanned() -> None:
    text = b'{"a":"' + rb"\n\u0041x" * 300_000 + b'"}'

    [member] = scan_object(text).members

    assert member.value == "\nAx" * 300_000


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**80), 2**80) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(texts, values, max_size=4), st.booleans(), st.sampled_from([None, 1]))
def test_what_python_writes_is_scanned_as_python_reads_it(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)

    assert plain(scan_object(text.encode())) == json.loads(text)
