"""Events are written in one canonical way and read back as they were."""

import hashlib
from dataclasses import replace

import orjson
import pytest
import rfc8785

from cruxstore.errors import DamagedLedgerError
from cruxstore.ledger.events import (
    Action,
    Actor,
    Asked,
    Event,
    JournalPlace,
    NamedKey,
    Observed,
    Rewrite,
    TextLine,
    TextMark,
    act_digest,
    decode_event,
    encode_event,
    event_time,
    is_own_fact_id,
    leaf_hash,
)

OWN_ID = "f_" + "0a" * 16
OTHER_ID = "f_" + "1b" * 16


@pytest.fixture
def event() -> Event:
    return Event(
        seq=7,
        event_id="e_" + "ab" * 16,
        time="2026-11-30T09:12:00.000123Z",
        tenant="müller",
        actor=Actor(kind="person", id="p_1"),
        action=Action.FACT_STORED,
        subjects=("i_1", OWN_ID),
        outcome="done",
        code="",
        revision=None,
        policy=None,
        lines=(
            TextLine(op="store", facts=1, length=300, digest="cd" * 32),
            f'{{"op":"supersede","fact_id":"{OTHER_ID}","by_fact_id":"{OWN_ID}","superseded_at":"…"}}',
        ),
        journal=JournalPlace(generation=1, lines=12, bytes=4711, inode="262155", adds=420),
        prev="ef" * 32,
        texts=(TextMark(text_id="t_1", commitment="c_" + "00" * 32),),
        act=act_digest("import:1:0"),
        observed=Observed(lines=2, bytes=10, digest="aa" * 32),
    )


def test_an_event_comes_back_as_it_was_written(event: Event) -> None:
    assert decode_event(encode_event(event)) == event


def test_what_an_event_does_not_have_is_not_written(event: Event) -> None:
    bare = replace(event, texts=(), act="", observed=None)

    members = orjson.loads(encode_event(bare))

    assert members.keys().isdisjoint({"texts", "act", "observed"})
    assert decode_event(encode_event(bare)) == bare


def test_the_bytes_are_canonical(event: Event) -> None:
    line = encode_event(event)

    assert line == orjson.dumps(orjson.loads(line), option=orjson.OPT_SORT_KEYS)
    assert line.startswith(b'{"act":"')
    assert all(key.isascii() for key in orjson.loads(line))
    assert b"\n" not in line


@pytest.mark.parametrize(
    "text", ["", "müller", "\U0001f600 \ufb33", "\u20ac\u2028\u2029", '"\\/\b\f\n\r\t', "\0\x1f\x7f\x80"]
)
def test_the_bytes_are_those_of_rfc_8785(event: Event, text: str) -> None:
    event = replace(
        event,
        tenant=text,
        actor=Actor(kind="agent", id=text),
        subjects=(text, OWN_ID),
        code=text,
        revision=text,
        lines=(*event.lines, text),
        asked=Asked(digest="bb" * 32, answers=1),
        rewrite=Rewrite("draft", 1, 12, 2**53 - 1, "262155", 3, 2, 1, 0),
        key=NamedKey(public=text, signature="AXy="),
    )

    line = encode_event(event)

    assert line == rfc8785.dumps(orjson.loads(line))


def test_an_event_knows_the_facts_it_is_about(event: Event) -> None:
    assert event.fact_ids == (OWN_ID, OTHER_ID)


@pytest.mark.parametrize("line", [b"", b"{}", b"[1]", b'{"seq":', b'{"action":"fact.vanished"}', b"\xff"])
def test_a_line_that_is_no_event_is_damage(line: bytes) -> None:
    with pytest.raises(DamagedLedgerError):
        decode_event(line)


def test_an_unknown_action_is_damage(event: Event) -> None:
    line = encode_event(event).replace(b"fact.stored", b"fact.blessed")

    with pytest.raises(DamagedLedgerError):
        decode_event(line)


def test_the_leaf_hash_is_that_of_rfc_9162() -> None:
    assert leaf_hash(b"") == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert leaf_hash(b"line") == hashlib.sha256(b"\x00line").hexdigest()


@pytest.mark.parametrize(
    ("now_ns", "text"),
    [
        (0, "1970-01-01T00:00:00.000000Z"),
        (1_764_493_920_000_123_999, "2025-11-30T09:12:00.000123Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
    ],
)
def test_times_have_six_digits_whatever_the_clock_gives(now_ns: int, text: str) -> None:
    assert event_time(now_ns) == text


def test_only_ids_of_our_own_form_say_nothing_by_themselves() -> None:
    assert is_own_fact_id(OWN_ID)
    assert not is_own_fact_id("f_legacy_0001")
    assert not is_own_fact_id(OWN_ID + "0")
    assert not is_own_fact_id(OWN_ID.upper())


def test_an_act_without_a_name_has_no_digest() -> None:
    assert act_digest("") == ""
    assert act_digest("import:1:0") != act_digest("import:1:1")
