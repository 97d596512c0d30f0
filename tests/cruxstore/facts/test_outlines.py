"""Facts kept as outlines give the same bytes as facts kept whole, whatever the lines look like."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.facts import outlines
from cruxstore.facts.compaction import compacted_lines
from cruxstore.facts.folding import folded_lines, recorded_order
from cruxstore.facts.journal import Replay, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.rewrite import compaction_of, plan_rewrite, write_plan
from cruxstore.facts.times import parse_timestamp, stamp_text
from tests.cruxstore.facts.made import (
    delete_line,
    event_line,
    fact_members,
    provenance_line,
    store_line,
    supersede_line,
    write_journal,
)

AT = parse_timestamp("2026-04-01T00:00:00.5Z")
POLICY = PrivacyPolicy(added_prefixes=("secret:",))

ids = st.sampled_from(['"f_1"', '"f_2"', '"f_3"', '"f_4"', '"f_é"', r'"f_\u0031"', r'"f\"5"', r'"f\u00006"'])
texts = st.sampled_from(
    [
        '"yes"',
        '""',
        r'"\"so\" \\"',
        r'"\u0041"',
        '"王芳 🦜"',
        r'"\n\t"',
        r'"\u0007"',
        r'"a\/b"',
        '"\x7f\u2028"',
        '"a\tb"',
    ]
)
FACT = (
    ('"fact_id":', ids),
    ('"tenant_hash":', st.sampled_from(['"default"', '"acme"', '""', '" "', '"a\xa0b"', "7"])),
    ('"entity":', st.sampled_from(['"a"', '"b"', '"__ops::x"', '"secret:y"', '"__repo_scan__::r"', r'"\u0061"'])),
    ('"key":', st.sampled_from(['"k"', '"content"', '"ключ"'])),
    ('"value":', texts),
    ('"source_receipt":', texts | st.just("null")),
    (
        '"confidence":',
        st.sampled_from(
            [
                "0.5",
                "1.0",
                "1",
                "0.95",
                "0.950",
                "1e-7",
                "1E-7",
                "0.33333334",
                "0.333333343",
                "-0.0",
                "-0",
                "00.5",
                ".5",
                "1e13",
                "1e+13",
            ]
        ),
    ),
    (
        '"stored_at":',
        st.sampled_from(
            [
                '"2026-03-01T00:00:00Z"',
                '"2026-03-01T00:00:00.100Z"',
                '"2026-03-01T00:00:00.100001Z"',
                '"2026-03-01T00:00:00.000Z"',
                '"2026-03-01T00:00:00.100000Z"',
                '"2026-03-01T00:00:00.10Z"',
                '"2026-02-30T00:00:00Z"',
                '"2026-03-01T24:00:00Z"',
                '"2026-03-01T23:59:60Z"',
                '"2026-03-01T01:00:00+01:00"',
                '"٢٠٢٦-03-01T00:00:00Z"',
            ]
        ),
    ),
    ('"tokens":', st.sampled_from(["1", "01", "18446744073709551615", "18446744073709551616", "-1", "1.0"])),
    ('"deleted":', st.sampled_from(["false", "true", "0"])),
    ('"version":', st.sampled_from(["1", "4294967295", "4294967296", "01"])),
    ('"supersedes":', ids),
    ('"private":', st.sampled_from(["true", "false"])),
    ('"horizon_class":', st.sampled_from(['"none"', '"medium"', '"never"'])),
    ('"superseded_by":', ids | st.just('""')),
    ('"actor":', texts | st.just("null")),
)
OPTIONAL = ('"supersedes":', '"superseded_by":', '"actor":')


@st.composite
def facts(draw: st.DrawFn) -> str:
    """A fact, plain but for at most two members."""
    odd = draw(st.lists(st.sampled_from([name for name, _ in FACT]), max_size=2))
    members = []
    for name, values in FACT:
        plain = PLAIN.get(name)
        if name in odd or name == '"fact_id":':
            members.append(name + draw(values))
        elif plain is not None:
            members.append(name + draw(plain))
        elif draw(st.booleans()):
            members.append(name + draw(values))
    return "{" + ",".join(members) + draw(st.sampled_from(["}"] * 8 + [" }", ',"more":1}', ',"entity":"a"}']))


PLAIN = {
    '"tenant_hash":': st.sampled_from(['"default"'] * 4 + ['"acme"']),
    '"entity":': st.sampled_from(['"a"', '"a"', '"b"']),
    '"key":': st.just('"k"'),
    '"value":': st.just('"yes"'),
    '"source_receipt":': st.just("null"),
    '"confidence":': st.just("0.5"),
    '"stored_at":': st.sampled_from(['"2026-03-01T00:00:00Z"', '"2026-03-01T00:00:00.100Z"', '"2026-03-02T09:00:00Z"']),
    '"tokens":': st.just("1"),
    '"deleted":': st.just("false"),
    '"version":': st.just("1"),
    '"private":': st.just("false"),
    '"horizon_class":': st.just('"none"'),
}
lines = st.one_of(
    st.builds('{{"op":"store","fact":{}}}'.format, facts()),
    st.builds('{{"op":"store","fact":{}}}'.format, facts()),
    st.builds('{{"op":"supersede","fact_id":{},"by_fact_id":{},"superseded_at":{}}}'.format, ids, ids, texts),
    st.builds('{{"op":"supersede","fact_id":{},"by_fact_id":{},"superseded_at":{}}}'.format, ids, ids, texts),
    st.builds('{{"op":"delete","fact_id":{},"deleted_at":{}}}'.format, ids, texts),
    st.builds('{{"op":"clear_supersede","fact_id":{},"cleared_at":{}}}'.format, ids, texts),
    st.builds('{{"op":"set_validity","fact_id":{},"valid_to":"2026-06-01T00:00:00Z","set_at":""}}'.format, ids),
    st.builds('{{"op":"store_batch","facts":[{},{}]}}'.format, facts(), facts()),
    st.builds(
        '{{"op":"consolidate","canonical":{},"superseded_fact_ids":[{}],"consolidated_at":""}}'.format, facts(), ids
    ),
    st.sampled_from(["", "?", "{}", '{"op":"delete","fact_id":"f_1"', ',"deleted_at":""}', '"', "\udcff"]),
).map(lambda line: line.encode("utf-8", "surrogateescape"))
ends = st.sampled_from([b""] * 9 + [b"\r"])
journals = st.lists(st.builds(lambda line, end: line + end, lines, ends), max_size=12)


def compacted(journal: Path) -> list[bytes]:
    """The lines of a compaction; what nobody can read goes."""
    first = plan_rewrite(journal, compaction_of([]), privacy=POLICY)
    approved = frozenset((line.number, line.digest) for line in first.refused_lines)
    plan = plan_rewrite(journal, compaction_of([]), privacy=POLICY, approved=approved)
    draft = journal.with_name("draft")
    write_plan(plan, draft, at=AT)
    content = draft.read_bytes()
    draft.unlink()
    return content.split(b"\n")[:-1]


def compacted_from_whole_facts(replay: Replay) -> list[bytes]:
    """The same from the facts in memory, unknown keys kept."""
    live = sorted((fact for fact in replay.state.facts.values() if not fact.deleted), key=recorded_order)
    stores = [line for fact in live for line in folded_lines(fact, stamp_text(AT), with_extra=True)]
    bare = [line for fact in live for line in folded_lines(fact, stamp_text(AT), with_extra=False)]
    return stores + list(compacted_lines(replay.state, AT))[len(bare) :]


@given(journals)
def test_outlines_and_whole_facts_give_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, journal: list[bytes]
) -> None:
    path = write_journal(tmp_path_factory.mktemp("outlines") / "facts.jsonl", *journal)

    assert compacted(path) == compacted_from_whole_facts(replay_journal(path, POLICY))


@given(journals)
def test_a_compacted_journal_compacts_to_the_same_facts(
    tmp_path_factory: pytest.TempPathFactory, journal: list[bytes]
) -> None:
    path = write_journal(tmp_path_factory.mktemp("again") / "facts.jsonl", *journal)
    once = write_journal(path.with_name("once"), *compacted(path))

    assert compacted(once) == compacted_from_whole_facts(replay_journal(once, POLICY))


@pytest.mark.parametrize("chunk", [1, 7, 300, 1000])
def test_lines_are_read_alike_wherever_a_chunk_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    written = (
        store_line("f_1", actor="Łukasz"),
        event_line("store_batch", facts=[fact_members("f_2", value="x" * 2000), fact_members("f_3")]),
        b"",
        store_line("f_4", supersedes="f_1", value="two\nlines"),
        supersede_line("f_1", "f_4"),
        delete_line("f_2"),
        provenance_line("f_3", ["f_1"]),
        store_line("f_5"),
    )
    path = write_journal(tmp_path / "facts.jsonl", *written)
    with path.open("ab") as stream:
        stream.write(store_line("f_torn"))
    whole = compacted(path)

    monkeypatch.setattr(outlines, "_CHUNK_BYTES", chunk)

    assert compacted(path) == whole == compacted_from_whole_facts(replay_journal(path, POLICY))
    until = sum(len(line) + 1 for line in written[:-1])
    plan = plan_rewrite(path, compaction_of([]), privacy=POLICY, until=until + 5)
    assert (plan.until, plan.lines, "f_5" in plan.folded) == (until, 7, False)


def test_plain_lines_are_kept_as_outlines(tmp_path: Path) -> None:
    path = write_journal(
        tmp_path / "facts.jsonl", store_line("f_1"), store_line("f_2", value="a\nb"), supersede_line("f_1", "f_2")
    )

    plan = plan_rewrite(path, compaction_of([]), privacy=POLICY)

    assert plan.state.ids() == {"f_1", "f_2"}
    assert plan.state.facts == {}
