"""A whole journal read: the sample's state, and every kind of damage."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import UnreadableJournalError
from cruxstore.facts import journal
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.journal import JournalLine, read_lines, replay_journal, replay_lines
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Store
from tests.cruxstore.facts.made import (
    codes,
    consolidate_line,
    delete_line,
    fact_members,
    replayed,
    store_line,
    supersede_line,
    write_journal,
)

VECTOR = Path(__file__).parents[2] / "data" / "journal-v1.jsonl"


def test_the_sample_journal_leaves_the_expected_state() -> None:
    replay = replay_journal(VECTOR, PrivacyPolicy())

    state = {fact_id[:6]: fact for fact_id, fact in replay.state.facts.items()}
    assert list(state) == ["f_0a1b", "f_1f2e", "f_6666", "f_7777", "f_2222", "f_4444", "f_3333"]
    assert {short for short, fact in state.items() if fact.deleted} == {"f_6666", "f_2222"}
    assert {short for short, fact in state.items() if fact.private} == {"f_7777", "f_4444", "f_3333"}
    assert (state["f_0a1b"].version, state["f_0a1b"].superseded_by) == (1, None)
    assert (state["f_1f2e"].version, state["f_1f2e"].supersedes) == (2, state["f_0a1b"].fact_id)
    assert (state["f_1f2e"].superseded_by, state["f_1f2e"].valid_from, state["f_1f2e"].valid_to) == (None, None, None)
    assert (state["f_3333"].supersedes, state["f_3333"].superseded_by) == (None, state["f_4444"].fact_id)
    assert codes(replay) == [(12, "canonical_deleted")]
    assert (replay.ignored, replay.redundant, replay.torn_tail_bytes, replay.lines) == ([], [], 0, 13)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"%%% not a record %%%", "not_an_object"),
        (b'{"op":"store","fact":{"fact_id":"f_00', "bad_string"),
        (delete_line("f_1") + b" trailing", "trailing_text"),
        (b"\xef\xbb\xbf{}", "not_an_object"),
        (store_line("f_2").replace(b"yes", b"\xc3("), "not_utf8"),
        (b'{"op":"annotate","fact_id":"f_1","noted_at":"x"}', "unknown_operation"),
        (store_line("f_2", confidence=None), "wrong_type"),
    ],
)
def test_an_unreadable_line_is_skipped_and_the_next_one_read(tmp_path: Path, line: bytes, code: str) -> None:
    replay = replayed(tmp_path, store_line("f_1"), line, store_line("f_3"))

    assert codes(replay) == [(2, code)]
    assert replay.unreadable[0].offset == len(store_line("f_1")) + 1
    assert list(replay.state.facts) == ["f_1", "f_3"]


def test_unknown_fields_survive_and_skip_nothing(tmp_path: Path) -> None:
    line = store_line()[:-2] + b',"salience":0.7,"labels":{"a":[1,null]}},"checksum":"crc32:0badf00d"}'

    replay = replayed(tmp_path, line)

    assert replay.skipped == []
    assert replay.state.facts["f_1"].extra == b'"salience":0.7,"labels":{"a":[1,null]}'


def test_blank_lines_are_passed_over_but_numbered(tmp_path: Path) -> None:
    replay = replayed(tmp_path, b"", b"   ", b"\t", b"\r", b" \f ", b"%", b"\v")

    assert [line.number for line in replay.skipped] == [6, 7]
    assert replay.lines == 7


def test_lines_ended_by_carriage_return_and_newline_are_read(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line("f_1") + b"\r", store_line("f_2") + b"\r", delete_line("f_1") + b"\r")

    assert replay.skipped == []
    assert [fact.deleted for fact in replay.state.facts.values()] == [True, False]


def test_facts_stored_with_older_times_keep_the_order_of_the_file(tmp_path: Path) -> None:
    older = store_line("f_2", stored_at="2020-01-01T00:00:00Z")

    replay = replayed(tmp_path, store_line("f_1"), older)

    assert list(replay.state.facts) == ["f_1", "f_2"]
    assert replay.skipped == []


def test_a_missing_supersede_line_leaves_both_versions_live(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line("f_1"), store_line("f_2", version=2, supersedes="f_1"))

    assert [fact.superseded_by for fact in replay.state.facts.values()] == [None, None]


def test_a_value_of_five_megabytes_is_read(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line(value="é" * 2_500_000))

    assert len(replay.state.facts["f_1"].value) == 2_500_000


@pytest.mark.parametrize("tail", [b"{", store_line("f_2")[:50], store_line("f_2"), b"\r", b" "])
def test_a_torn_tail_counts_for_nothing_even_where_it_can_be_read(tmp_path: Path, tail: bytes) -> None:
    path = write_journal(tmp_path / "facts.jsonl", store_line("f_1"))
    path.write_bytes(path.read_bytes() + tail)
    before = path.read_bytes()

    replay = replay_journal(path, PrivacyPolicy())

    assert list(replay.state.facts) == ["f_1"]
    assert replay.torn_tail_bytes == len(tail)
    assert (replay.skipped, replay.lines) == ([], 1)
    assert path.read_bytes() == before


def test_a_journal_cut_at_any_byte_leaves_its_whole_lines() -> None:
    content = b"\n".join([store_line("f_1"), supersede_line("f_1", "f_1"), delete_line("f_1"), b""])

    for size in range(len(content) + 1):
        replay = replay_lines(read_lines(io.BytesIO(content[:size])), PrivacyPolicy())
        assert replay.lines == content[:size].count(b"\n")
        assert replay.torn_tail_bytes == size - (content[:size].rfind(b"\n") + 1)
        assert replay.skipped == []


def test_an_empty_journal_leaves_nothing(tmp_path: Path) -> None:
    replay = replayed(tmp_path)

    assert (replay.state.facts, replay.lines, replay.torn_tail_bytes) == ({}, 0, 0)


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableJournalError, match="cannot be read"):
        replay_journal(tmp_path / name, PrivacyPolicy())


@pytest.fixture
def short_lines(monkeypatch: pytest.MonkeyPatch) -> int:
    """The most bytes of a line, made few so that the tests are quick."""
    monkeypatch.setattr(journal, "MAX_LINE_BYTES", 1000)
    return 1000


def test_a_line_as_long_as_may_be_is_read(tmp_path: Path, short_lines: int) -> None:
    room = short_lines - len(store_line(value=""))

    replay = replayed(tmp_path, store_line(value="x" * room), store_line("f_2"))

    assert list(replay.state.facts) == ["f_1", "f_2"]


def test_a_longer_line_stops_the_reading_with_its_place(tmp_path: Path, short_lines: int) -> None:
    room = short_lines + 1 - len(store_line(value=""))

    with pytest.raises(UnreadableJournalError, match=r"Line 2, byte \d+: the line is 1,001 bytes long"):
        replayed(tmp_path, store_line("f_0"), store_line(value="x" * room))


@pytest.mark.parametrize("entity", ["__repo_scan__::acme::r1", "__workspace_scan__::w"])
def test_a_longer_scan_record_is_passed_over(tmp_path: Path, short_lines: int, entity: str) -> None:
    oversized = store_line(entity=entity, value="x" * short_lines)

    replay = replayed(tmp_path, oversized, store_line("f_2"))

    assert codes(replay) == [(1, "oversized_scan")]
    assert replay.has_oversized_scan
    assert list(replay.state.facts) == ["f_2"]


def test_a_scan_record_that_names_its_entity_too_late_is_not_passed_over(tmp_path: Path, short_lines: int) -> None:
    late = store_line("f" * short_lines, entity="__repo_scan__::acme::r1")

    with pytest.raises(UnreadableJournalError):
        replayed(tmp_path, late)


def test_a_torn_tail_may_have_any_length(tmp_path: Path, short_lines: int) -> None:
    path = write_journal(tmp_path / "facts.jsonl", store_line("f_1"))
    path.write_bytes(path.read_bytes() + b"x" * (3 * short_lines))

    replay = replay_journal(path, PrivacyPolicy())

    assert replay.torn_tail_bytes == 3 * short_lines


def test_lines_longer_than_the_most_are_cut_and_the_next_keep_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_LINE_BYTES", 4)
    monkeypatch.setattr(journal, "_CHUNK_BYTES", 3)
    stream = io.BytesIO(b"abcd\nabcde\nabcdefghij\n\nx\nabcdefg")

    lines = list(read_lines(stream))

    assert lines == [
        JournalLine(1, 0, 4, b"abcd", True),
        JournalLine(2, 5, 5, b"abcd", True),
        JournalLine(3, 11, 10, b"abcd", True),
        JournalLine(4, 22, 0, b"", True),
        JournalLine(5, 23, 1, b"x", True),
        JournalLine(6, 25, 7, b"abcd", False),
    ]


def test_reading_may_begin_anywhere(tmp_path: Path) -> None:
    with io.BytesIO(b"a\nbb\nccc\n") as stream:
        stream.seek(2)

        lines = list(read_lines(stream, offset=2, number=2))

    assert [(line.number, line.offset, line.text) for line in lines] == [(2, 2, b"bb"), (3, 5, b"ccc")]


def test_a_line_is_in_one_list_only(tmp_path: Path) -> None:
    replay = replayed(
        tmp_path,
        store_line("f_1", superseded_by="f_2"),
        supersede_line("f_1", "f_2"),
        supersede_line("f_1", "f_3"),
        delete_line("f_9"),
        consolidate_line("f_4", []),
        b"?",
    )

    assert [line.number for line in replay.redundant] == [2]
    assert [line.number for line in replay.rule_breaking] == [3, 5]
    assert [line.number for line in replay.ignored] == [4]
    assert [line.number for line in replay.unreadable] == [6]
    assert [line.number for line in replay.skipped] == [2, 3, 5, 6]


ids = st.sampled_from([f"f_{number}" for number in range(5)])
plain_lines = st.one_of(
    st.builds(store_line, ids, key=st.sampled_from(["a", "b"]), tenant_hash=st.sampled_from(["default", "acme"])),
    st.builds(supersede_line, ids, ids),
    st.builds(delete_line, ids),
    st.builds(consolidate_line, ids, st.lists(ids, max_size=3)),
    st.builds(lambda fact_id: delete_line(fact_id)[:-3], ids),
)


@given(st.lists(plain_lines, max_size=25))
def test_facts_never_change_but_by_the_operations(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    replay = replayed(tmp_path_factory.mktemp("journal"), *lines)

    assert replay.lines == len(lines)
    for fact in replay.state.facts.values():
        stated = fact._replace(deleted=False, superseded_by=None)
        assert encode_operation(Store(stated)) == store_line(fact.fact_id, **known(stated.key, stated.tenant_hash))
        assert fact.fact_id in replay.state.chain(fact.tenant_hash, fact.entity, fact.key)


def known(key: str, tenant_hash: str) -> dict[str, str]:
    return {
        name: value
        for name, value in fact_members(key=key, tenant_hash=tenant_hash).items()
        if name in ("key", "tenant_hash")
    }
