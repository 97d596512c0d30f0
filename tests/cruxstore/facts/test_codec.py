"""Lines read and written: the accept and reject table of the format, and exact bytes both ways."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import LineError, LineTooLongError, TextNotStorableError
from cruxstore.facts.codec import (
    decode_fact,
    decode_line,
    decode_line_and_slices,
    encode_fact,
    encode_operation,
    fact_slices,
)
from cruxstore.facts.exact import decode_exactly
from cruxstore.facts.floats import round_to_f32
from cruxstore.facts.records import (
    Delete,
    Fact,
    Horizon,
    Operation,
    SetValidity,
    Store,
    StoreBatch,
    Timestamp,
    token_count,
)
from cruxstore.facts.times import timestamp_from_ns
from tests.cruxstore.facts.made import (
    ABSENT,
    STAMP,
    consolidate_line,
    delete_line,
    dump,
    event_line,
    fact,
    fact_members,
    provenance_line,
    store_line,
    supersede_line,
    undo_line,
)

VECTOR = Path(__file__).parents[2] / "data" / "journal-v1.jsonl"
VECTOR_LINES = VECTOR.read_bytes().splitlines()


def stored(line: bytes) -> Fact:
    operation = decode_line(line)
    assert isinstance(operation, Store)
    return operation.fact


@pytest.mark.parametrize("line", VECTOR_LINES, ids=range(1, len(VECTOR_LINES) + 1))
def test_a_line_of_the_sample_journal_is_written_as_it_was_read(line: bytes) -> None:
    operation = decode_line(line)

    assert encode_operation(operation) == line


@pytest.mark.parametrize("line", VECTOR_LINES, ids=range(1, len(VECTOR_LINES) + 1))
def test_both_ways_of_reading_agree_on_the_sample_journal(line: bytes) -> None:
    assert decode_line_and_slices(line) == decode_exactly(line)


def test_the_oldest_legal_fact_gets_its_defaults() -> None:
    line = dump(
        {
            "op": "store",
            "fact": {
                "fact_id": "f_legacy_0001",
                "entity": "e",
                "key": "k",
                "value": "v",
                "source_receipt": None,
                "confidence": 1.0,
                "stored_at": "2025-01-01T00:00:00Z",
                "tokens": 1,
                "deleted": False,
            },
        }
    )

    read = stored(line)

    assert (read.tenant_hash, read.version, read.private, read.horizon_class) == ("default", 1, False, Horizon.NONE)
    assert read.valid_from is None
    assert read.valid_to is None


FACT_ACCEPTED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("unknown key", {"salience": {"a": [1, None]}}, {"extra": b'"salience":{"a":[1,null]}'}),
    ("supersedes null", {"supersedes": None}, {"supersedes": None}),
    ("superseded_by null", {"superseded_by": None}, {"superseded_by": None}),
    ("actor null", {"actor": None}, {"actor": None}),
    ("source_receipt absent", {"source_receipt": ABSENT}, {"source_receipt": None}),
    ("reverified_at null", {"reverified_at": None}, {"reverified_at": None}),
    ("valid_from null", {"valid_from": None}, {"valid_from": None}),
    ("last_accessed_at null", {"last_accessed_at": None}, {"last_accessed_at": None}),
    ("whole confidence", {"confidence": 1}, {"confidence": 1.0}),
    ("confidence beyond 32 bits", {"confidence": 1e39}, {"confidence": math.inf}),
    ("version 0", {"version": 0}, {"version": 0}),
    ("greatest version", {"version": 2**32 - 1}, {"version": 2**32 - 1}),
    ("greatest tokens", {"tokens": 2**64 - 1}, {"tokens": 2**64 - 1}),
    ("any shape of id", {"fact_id": ""}, {"fact_id": ""}),
    ("escapes and pairs", {"value": "\U0001f680 /\u2028"}, {"value": "\U0001f680 /\u2028"}),
]


@pytest.mark.parametrize(("changes", "expected"), [row[1:] for row in FACT_ACCEPTED], ids=[r[0] for r in FACT_ACCEPTED])
def test_a_fact_is_accepted_with(changes: dict[str, Any], expected: dict[str, Any]) -> None:
    read = stored(store_line(**changes))

    assert {name: getattr(read, name) for name in expected} == expected


FACT_REFUSED: list[tuple[str, dict[str, Any], str]] = [
    *(
        (f"{key} missing", {key: ABSENT}, "missing_key")
        for key in ("fact_id", "entity", "key", "value", "confidence", "stored_at", "tokens", "deleted")
    ),
    *((f"{key} null", {key: None}, "wrong_type") for key in ("version", "private", "tenant_hash", "horizon_class")),
    *((f"{key} null", {key: None}, "wrong_type") for key in ("fact_id", "entity", "key", "value", "tokens", "deleted")),
    ("access_count null", {"access_count": None}, "wrong_type"),
    ("capital horizon", {"horizon_class": "Stable"}, "wrong_type"),
    ("unknown horizon", {"horizon_class": "weekly"}, "wrong_type"),
    ("horizon a list", {"horizon_class": []}, "wrong_type"),
    ("confidence null", {"confidence": None}, "wrong_type"),
    ("confidence a text", {"confidence": "0.5"}, "wrong_type"),
    ("confidence true", {"confidence": True}, "wrong_type"),
    ("tokens 1.0", {"tokens": 1.0}, "wrong_type"),
    ("tokens negative", {"tokens": -1}, "wrong_type"),
    ("tokens beyond 64 bits", {"tokens": 2**64}, "wrong_type"),
    ("tokens true", {"tokens": True}, "wrong_type"),
    ("version beyond 32 bits", {"version": 2**32}, "wrong_type"),
    ("access_count negative", {"access_count": -1}, "wrong_type"),
    ("deleted 0", {"deleted": 0}, "wrong_type"),
    ("private a text", {"private": "true"}, "wrong_type"),
    ("supersedes a number", {"supersedes": 1}, "wrong_type"),
    ("stored_at a number", {"stored_at": 1772352930}, "wrong_type"),
    ("stored_at without offset", {"stored_at": "2026-03-01T08:15:30"}, "bad_timestamp"),
    ("stored_at without seconds", {"stored_at": "2026-03-01T08:15Z"}, "bad_timestamp"),
    ("valid_to empty", {"valid_to": ""}, "bad_timestamp"),
]


@pytest.mark.parametrize(("changes", "code"), [row[1:] for row in FACT_REFUSED], ids=[row[0] for row in FACT_REFUSED])
def test_a_fact_is_refused_with(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(LineError) as refused:
        decode_line(store_line(**changes))

    assert refused.value.code == code


EVENTS = {
    "store": store_line(),
    "replace_latest": event_line("replace_latest", fact=fact_members(), replaced_fact_ids=["f_0"]),
    "store_batch": event_line("store_batch", facts=[fact_members("f_1"), fact_members("f_2")]),
    "delete": delete_line("f_1"),
    "supersede": supersede_line("f_1", "f_2"),
    "clear_supersede": event_line("clear_supersede", fact_id="f_1", cleared_at=STAMP),
    "set_validity": event_line("set_validity", fact_id="f_1", valid_from="2026-01-01T00:00:00Z", set_at=STAMP),
    "consolidate": consolidate_line("f_3", ["f_1", "f_2"]),
    "consolidation_provenance": provenance_line("f_3", ["f_1", "f_2"]),
    "consolidate_undo": undo_line("f_3", ["f_1", "f_2"]),
}
REQUIRED_EVENT_KEYS = [
    (op, key) for op, line in EVENTS.items() for key in json.loads(line) if key not in ("op", "valid_from", "valid_to")
]


@pytest.mark.parametrize("op", EVENTS)
def test_an_event_is_read_with_its_keys_in_any_order_and_unknown_ones_between(op: str) -> None:
    members = json.loads(EVENTS[op])
    shuffled = dump({"checksum": "crc32:0", **dict(reversed(members.items())), "later": [{}]})

    operation = decode_line(shuffled)

    assert operation == decode_line(EVENTS[op])


@pytest.mark.parametrize(("op", "key"), REQUIRED_EVENT_KEYS)
def test_an_event_is_refused_without_a_key(op: str, key: str) -> None:
    members = json.loads(EVENTS[op])
    del members[key]

    with pytest.raises(LineError) as refused:
        decode_line(dump(members))

    assert refused.value.code == "missing_key"


@pytest.mark.parametrize(("op", "key"), REQUIRED_EVENT_KEYS)
def test_an_event_is_refused_with_null_for_a_key(op: str, key: str) -> None:
    members = json.loads(EVENTS[op]) | {key: None}

    with pytest.raises(LineError) as refused:
        decode_line(dump(members))

    assert refused.value.code == "wrong_type"


@pytest.mark.parametrize(("op", "key"), REQUIRED_EVENT_KEYS)
def test_an_event_is_refused_with_a_known_key_twice(op: str, key: str) -> None:
    members = json.loads(EVENTS[op])
    line = EVENTS[op][:-1] + b"," + dump({key: members[key]})[1:]

    with pytest.raises(LineError) as refused:
        decode_line(line)

    assert refused.value.code == "duplicate_key"


def test_the_stamp_of_an_event_may_be_any_text() -> None:
    operation = decode_line(event_line("delete", fact_id="f_1", deleted_at="yesterday"))

    assert operation == Delete("f_1", "yesterday")


def test_bounds_of_validity_may_be_null_or_absent() -> None:
    operation = decode_line(event_line("set_validity", fact_id="f_1", valid_from=None, set_at=STAMP))

    assert operation == SetValidity("f_1", None, None, STAMP)


def test_ids_of_an_event_must_be_texts() -> None:
    with pytest.raises(LineError) as refused:
        decode_line(undo_line("f_3", ["f_1", 2]))  # type: ignore[list-item]

    assert refused.value.code == "wrong_type"


LINES_REFUSED: list[tuple[str, bytes, str]] = [
    ("op missing", b'{"fact_id":"f_1","deleted_at":"x"}', "missing_key"),
    ("op unknown", b'{"op":"annotate","fact_id":"f_1"}', "unknown_operation"),
    ("op capital", b'{"op":"Delete","fact_id":"f_1","deleted_at":"x"}', "unknown_operation"),
    ("op a list", b'{"op":[],"fact_id":"f_1"}', "wrong_type"),
    ("op twice", b'{"op":"delete","op":"delete","fact_id":"f_1","deleted_at":"x"}', "duplicate_key"),
    ("known key of a fact twice", store_line().replace(b'"tokens":1', b'"tokens":1,"tokens":1'), "duplicate_key"),
    ("confidence 1e400", store_line().replace(b'"confidence":0.5', b'"confidence":1e400'), "number_out_of_range"),
    ("half a pair", rb'{"op":"delete","fact_id":"\ud800","deleted_at":"x"}', "lone_surrogate"),
    ("half a pair, low", rb'{"op":"delete","fact_id":"\udc00\ud800","deleted_at":"x"}', "lone_surrogate"),
    ("raw control character", b'{"op":"delete","fact_id":"f\x01","deleted_at":"x"}', "bad_string"),
    ("raw newline sign", b'{"op":"delete","fact_id":"f\t","deleted_at":"x"}', "bad_string"),
    ("bad escape", rb'{"op":"delete","fact_id":"f\x","deleted_at":"x"}', "bad_string"),
    ("unended string", b'{"op":"delete","fact_id":"f', "bad_string"),
    ("trailing text", delete_line("f_1") + b" trailing", "trailing_text"),
    ("two objects", delete_line("f_1") * 2, "trailing_text"),
    ("byte order mark", b"\xef\xbb\xbf" + delete_line("f_1"), "not_an_object"),
    ("bad UTF-8", store_line().replace(b"yes", b"y\xff\xfe"), "not_utf8"),
    ("surrogate in UTF-8", store_line().replace(b"yes", b"\xed\xa0\x80"), "not_utf8"),
    ("a list", b"[1,2,3]", "not_an_object"),
    ("a word", b"%%% not a record %%%", "not_an_object"),
    ("cut", store_line()[:-1], "not_json"),
    ("NaN", store_line().replace(b'"confidence":0.5', b'"confidence":NaN'), "not_json"),
    ("leading zero", store_line().replace(b'"version":1', b'"version":01'), "not_json"),
    ("trailing comma", delete_line("f_1")[:-1] + b",}", "not_json"),
    ("fact a list", b'{"op":"store","fact":["f_1"]}', "wrong_type"),
    ("batch holds no facts", b'{"op":"store_batch","facts":[1]}', "wrong_type"),
    ("129 deep", b'{"op":"delete","fact_id":"f","deleted_at":"x","y":' + b"[" * 128 + b"]" * 128 + b"}", "too_deep"),
]


@pytest.mark.parametrize(("line", "code"), [row[1:] for row in LINES_REFUSED], ids=[row[0] for row in LINES_REFUSED])
def test_a_line_is_refused_for(line: bytes, code: str) -> None:
    with pytest.raises(LineError) as refused:
        decode_line(line)

    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")


LINES_ACCEPTED: list[tuple[str, bytes]] = [
    ("leading blanks", b" \t" + delete_line("f_1")),
    ("blanks between", b'{ "op" : "delete" , "fact_id" : "f_1" , "deleted_at" : "x" }'.replace(b'"x"', dump(STAMP))),
    ("a carriage return behind", delete_line("f_1") + b"\r"),
    (
        "escaped slash and letters",
        rb'{"op":"del\u0065te","fact_id":"f_1","deleted_at":"2026-03-02T09:00:00\u002b00:00"}',
    ),
    ("unknown key twice", delete_line("f_1")[:-1] + b',"x":1,"x":2}'),
    ("128 deep", delete_line("f_1")[:-1] + b',"x":' + b"[" * 127 + b"]" * 127 + b"}"),
]


@pytest.mark.parametrize("line", [row[1] for row in LINES_ACCEPTED], ids=[row[0] for row in LINES_ACCEPTED])
def test_a_line_is_accepted_with(line: bytes) -> None:
    operation = decode_line(line)

    assert operation == Delete("f_1", STAMP)


def test_a_refusal_names_the_byte() -> None:
    line = store_line(version=-1)

    with pytest.raises(LineError) as refused:
        decode_line(line)

    assert line[refused.value.byte :].startswith(b"-1,")


def test_escapes_of_a_value_are_undone() -> None:
    line = store_line(value="PLACE").replace(b"PLACE", rb"\/\ud83d\ude80\u0000\b")

    assert stored(line).value == "/\U0001f680\x00\b"


def test_unknown_members_follow_the_known_ones_in_their_own_bytes() -> None:
    line = store_line().replace(b'"entity"', b'"labels": {"a" : [1e0]},"entity"')[:-2] + b',"labels":"\\u0041"}}'

    read = stored(line)

    assert read.extra == b'"labels": {"a" : [1e0]},"labels":"\\u0041"'
    assert encode_operation(Store(read)) == store_line()[:-2] + b',"labels": {"a" : [1e0]},"labels":"\\u0041"}}'
    assert encode_operation(Store(read), with_extra=False) == store_line()


def test_an_infinite_confidence_is_written_as_null() -> None:
    read = fact(confidence=1e39)

    assert b'"confidence":null' in encode_fact(read)


def test_half_a_pair_is_not_written() -> None:
    with pytest.raises(TextNotStorableError):
        encode_fact(fact()._replace(value="\ud800"))


def test_a_line_over_64_mib_is_not_written() -> None:
    longest = 67_108_864 - len(encode_operation(Store(fact(value=""))))

    line = encode_operation(Store(fact()._replace(value="x" * longest)))

    assert len(line) == 67_108_864
    with pytest.raises(LineTooLongError):
        encode_operation(Store(fact()._replace(value="x" * (longest + 1))))


@pytest.mark.parametrize("op", EVENTS)
def test_slices_of_a_line_are_its_facts(op: str) -> None:
    members = json.loads(EVENTS[op])
    facts = members.get("facts") or [members[key] for key in ("fact", "canonical") if key in members]

    slices = fact_slices(EVENTS[op])

    assert [EVENTS[op][offset : offset + length] for offset, length in slices] == [dump(each) for each in facts]


def test_slices_are_found_in_an_oddly_spelled_line() -> None:
    line = b' {"fact": ' + dump(fact_members(value="} ,{")) + b' , "x": {} , "op":"store"}\r'

    [(offset, length)] = fact_slices(line)

    assert line[offset : offset + length] == dump(fact_members(value="} ,{"))


def test_the_slice_of_a_line_ended_by_a_carriage_return_leaves_it_out() -> None:
    [(offset, length)] = fact_slices(store_line() + b"\r")

    assert decode_fact(store_line()[offset : offset + length]) == fact()


@pytest.mark.parametrize(("value", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("a" * 100, 25), ("é", 1)])
def test_tokens_are_a_quarter_of_the_bytes_rounded_up(value: str, tokens: int) -> None:
    assert token_count(value) == tokens


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
moments = st.integers(-62_000_000_000_000_000_000, 250_000_000_000_000_000_000).map(timestamp_from_ns)
optional_texts = st.none() | texts
optional_moments = st.none() | moments
confidences = st.floats(0, 1, width=32) | st.floats(width=32, allow_nan=False, allow_infinity=False)
facts: st.SearchStrategy[Fact] = st.builds(
    Fact,
    fact_id=texts,
    tenant_hash=texts,
    entity=texts,
    key=texts,
    value=texts,
    source_receipt=optional_texts,
    confidence=confidences,
    stored_at=moments,
    tokens=st.integers(0, 2**64 - 1),
    deleted=st.booleans(),
    version=st.integers(0, 2**32 - 1),
    supersedes=optional_texts,
    private=st.booleans(),
    horizon_class=st.sampled_from(Horizon),
    reverified_at=optional_moments,
    superseded_by=optional_texts,
    actor=optional_texts,
    valid_from=optional_moments,
    valid_to=optional_moments,
    access_count=st.integers(0, 2**32 - 1),
    last_accessed_at=optional_moments,
    extra=st.none() | st.just(b'"salience":0.7') | st.just(b'"a":{"b":[1,{}]},"c":null'),
)
bounds = st.builds(SetValidity, texts, optional_moments, optional_moments, texts)
operations: st.SearchStrategy[Operation] = st.one_of(
    st.builds(Store, facts), st.builds(StoreBatch, st.lists(facts, max_size=3).map(tuple)), bounds
)


@given(operations)
def test_what_is_written_is_read_back_the_same(operation: Operation) -> None:
    line = encode_operation(operation)

    assert decode_line(line) == operation
    assert encode_operation(decode_line(line)) == line


@given(operations)
def test_both_ways_of_reading_agree_on_what_is_written(operation: Operation) -> None:
    line = encode_operation(operation)

    assert decode_line_and_slices(line) == decode_exactly(line)


def verdict(decode: Any, line: bytes) -> object:
    try:
        return decode(line)
    except LineError as error:
        return error.code, error.byte


@given(st.sampled_from(VECTOR_LINES), st.data())
def test_both_ways_of_reading_agree_on_a_damaged_line(line: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, min(len(line), start + 12)))
    piece = data.draw(
        st.sampled_from(
            [b"", b"0", b"null", b'"', b",", b"{}", b"1e5", b"-0", b"\\u0041", b"\xff", b" ", b'"op":"store",']
        )
        | st.binary(max_size=3)
    )
    damaged = line[:start] + piece + line[end:]

    assert verdict(decode_line_and_slices, damaged) == verdict(decode_exactly, damaged)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(Fact._fields[:21])), json_values)
def test_both_ways_of_reading_agree_on_any_value_of_any_member(key: str, value: Any) -> None:
    line = dump({"op": "store", "fact": fact_members() | {key: value}})

    assert verdict(decode_line_and_slices, line) == verdict(decode_exactly, line)


@given(facts, st.floats(allow_nan=False, allow_infinity=False))
def test_a_confidence_is_rounded_to_32_bits_once(some_fact: Fact, number: float) -> None:
    line = encode_operation(Store(some_fact._replace(confidence=round_to_f32(number), extra=None)))

    if math.isfinite(round_to_f32(number)):
        assert stored(line).confidence == round_to_f32(number)


def test_a_timestamp_keeps_the_spelling_that_facts_use() -> None:
    read = fact(stored_at="2026-03-01 10:15:30.1000+02:00")

    assert read.stored_at == Timestamp("2026-03-01T08:15:30.100Z", 1_772_352_930_100_000_000)


@pytest.mark.parametrize("extra", [None, b'"more":1'])
def test_a_batch_spells_its_facts_as_their_own_lines_do(extra: bytes | None) -> None:
    spelled = ["0.0", "-0.0", "0.0", "0.33333334", "1e-7", "1e13"]
    facts = tuple(fact(f"f_{number}", confidence=float(text), value="ü\n") for number, text in enumerate(spelled))
    facts = (*facts[:-1], facts[-1]._replace(extra=extra))

    line = encode_operation(StoreBatch(facts))

    assert line == b'{"op":"store_batch","facts":[%b]}' % b",".join(map(encode_fact, facts))
    assert re.findall(rb'"confidence":([^,]+)', line) == [text.encode() for text in spelled]
