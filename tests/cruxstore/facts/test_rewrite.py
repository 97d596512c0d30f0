"""A rewrite keeps, folds and drops as chosen, and changes nothing about what stays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import RewriteRefusedError, UnreadableJournalError
from cruxstore.facts import journal as journal_module
from cruxstore.facts.codec import decode_line
from cruxstore.facts.compaction import compacted_lines
from cruxstore.facts.holds import resolve_holds
from cruxstore.facts.journal import MemoryState, replay_journal
from cruxstore.facts.ownership import named_ids, parts_of
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Fact, Horizon
from cruxstore.facts.rewrite import (
    Chooser,
    Disposition,
    RewritePlan,
    RewriteReport,
    Upkeep,
    compaction_of,
    erasure_of,
    plan_rewrite,
    write_plan,
)
from cruxstore.facts.times import parse_timestamp
from tests.cruxstore.facts.made import (
    ABSENT,
    consolidate_line,
    delete_line,
    event_line,
    fact_members,
    hold_line,
    provenance_line,
    replayed,
    store_line,
    supersede_line,
    undo_line,
    write_journal,
)

AT = parse_timestamp("2026-04-01T00:00:00.5Z")
STAMP = "2026-04-01T00:00:00.500+00:00"
A, B, C, D = "f_a", "f_b", "f_c", "f_d"
CONTROL: dict[str, Any] = {"entity": "__repo_scan__::r", "key": "content", "private": True}
BOUNDS = {"valid_from": "2026-01-01T00:00:00Z", "valid_to": "2026-06-01T00:00:00Z"}
CLEARED_A = event_line("clear_supersede", fact_id=A, cleared_at="x")
BLANK_ENDED = store_line(D) + b"\r"


def planned(
    folder: Path,
    *lines: bytes,
    choose: Chooser,
    upkeep: Mapping[str, Upkeep] | None = None,
    leaves_rest: bool = False,
    approved: frozenset[tuple[int, str]] = frozenset(),
    until: int | None = None,
) -> RewritePlan:
    return plan_rewrite(
        write_journal(folder / "facts.jsonl", *lines),
        choose,
        privacy=PrivacyPolicy(),
        upkeep=upkeep,
        leaves_rest=leaves_rest,
        approved=approved,
        until=until,
    )


def written(plan: RewritePlan) -> tuple[list[bytes], RewriteReport]:
    draft = plan.journal.with_name("draft")
    report = write_plan(plan, draft, at=AT)
    content = draft.read_bytes()
    draft.unlink()
    return content.split(b"\n")[:-1], report


def rewritten(folder: Path, *lines: bytes, choose: Chooser, leaves_rest: bool = False) -> list[bytes]:
    return written(planned(folder, *lines, choose=choose, leaves_rest=leaves_rest))[0]


def by_id(**choices: Disposition) -> Chooser:
    return lambda fact: choices.get(fact.fact_id.removeprefix("f_"), Disposition.KEEP)


def keep_all(fact: Fact) -> Disposition:
    return Disposition.KEEP


def stamped(line: bytes) -> bytes:
    return line.replace(b"2026-03-02T09:00:00+00:00", STAMP.encode())


def batch_line(*fact_ids: str) -> bytes:
    return event_line("store_batch", facts=[fact_members(fact_id) for fact_id in fact_ids])


def control_line(fact_id: str) -> bytes:
    return store_line(fact_id, **CONTROL)


def test_what_is_all_kept_stays_as_it_is(tmp_path: Path) -> None:
    lines = (
        batch_line(A, B),
        b'{ "op":"delete", "fact_id":"f_a", "deleted_at":"long ago", "why":"" }',
        BLANK_ENDED,
        event_line("set_validity", fact_id=D, **BOUNDS, set_at="x"),
        supersede_line(B, D),
        event_line("clear_supersede", fact_id=B, cleared_at="x"),
    )

    assert rewritten(tmp_path, *lines, choose=keep_all) == list(lines)


def test_a_folded_fact_stands_where_it_was_stored(tmp_path: Path) -> None:
    lines = (store_line(A), store_line(B), store_line(C), supersede_line(B, C))
    moved = event_line("set_validity", fact_id=B, **BOUNDS, set_at="x")

    assert rewritten(tmp_path, *lines, moved, choose=by_id(b=Disposition.FOLD)) == [
        lines[0],
        store_line(B, superseded_by=C, **BOUNDS),
        stamped(supersede_line(B, C)),
        lines[2],
    ]


def test_a_dropped_fact_leaves_nothing_and_a_dropped_deleted_one_a_tombstone(tmp_path: Path) -> None:
    lines = (store_line(A), store_line(B), store_line(C), delete_line(B), supersede_line(A, C))

    written_lines = rewritten(tmp_path, *lines, choose=by_id(a=Disposition.DROP, b=Disposition.DROP))

    assert written_lines == [lines[2], stamped(delete_line(B))]


def test_a_batch_is_split(tmp_path: Path) -> None:
    spaced = batch_line(A, B, C).replace(b'"f_b",', b'"f_b" , ')

    written_lines = rewritten(tmp_path, spaced, choose=by_id(a=Disposition.DROP, c=Disposition.FOLD))

    assert written_lines == [store_line(B).replace(b'"f_b",', b'"f_b" , '), store_line(C)]


@pytest.mark.parametrize(
    ("kept", "folded"),
    [
        (
            [store_line(A), store_line(B), supersede_line(A, B)],
            [store_line(A, superseded_by=B), stamped(supersede_line(A, B))],
        ),
        ([store_line(B), store_line(A, supersedes=B)], [store_line(A, supersedes=B)]),
        (
            [store_line(B, entity="other"), store_line(A, supersedes=B, confidence=1)],
            [store_line(A, confidence=1.0)],
        ),
        (
            [store_line(B), store_line(A, superseded_by=B, confidence=1)],
            [store_line(A, superseded_by=B, confidence=1.0), stamped(supersede_line(A, B))],
        ),
        (
            [store_line(B), store_line(A), supersede_line(A, B), CLEARED_A],
            [store_line(A)],
        ),
    ],
)
def test_a_kept_fact_of_which_a_line_names_a_dropped_one_is_folded(
    tmp_path: Path, kept: list[bytes], folded: list[bytes]
) -> None:
    plan = planned(tmp_path, *kept, choose=by_id(b=Disposition.DROP))

    lines, report = written(plan)

    assert lines == folded
    assert (report.kept_ids, report.folded_ids, report.dropped_ids) == ((), (A,), (B,))


def test_a_merge_that_is_not_kept_whole_is_folded_whole(tmp_path: Path) -> None:
    merge = consolidate_line("f_m", [A, B])
    later = consolidate_line("f_n", ["f_m", C])

    stored = map(store_line, (A, B, C, D))

    plan = planned(tmp_path, *stored, merge, later, choose=by_id(a=Disposition.FOLD))
    lines, _ = written(plan)

    assert plan.kept == {D}
    assert lines[-2:] == [
        stamped(provenance_line("f_m", [A, B])),
        stamped(provenance_line("f_n", ["f_m", C])),
    ]


def test_a_merge_that_is_kept_whole_stays(tmp_path: Path) -> None:
    lines = (store_line(A), store_line(B), consolidate_line("f_m", [B, A]), store_line(C))

    assert rewritten(tmp_path, *lines, choose=by_id(c=Disposition.DROP)) == list(lines[:3])


def test_a_merge_that_lost_a_source_can_still_be_taken_back(tmp_path: Path) -> None:
    lines = (store_line(A), store_line(B), consolidate_line("f_m", [B, A]))

    after = rewritten(tmp_path, *lines, choose=erasure_of(frozenset({A})), leaves_rest=True)
    state = replay_journal(write_journal(tmp_path / "after", *after), PrivacyPolicy()).state

    assert state.consolidation("f_m") == (B,)
    assert A not in {name for line in after for name in named_ids(decode_line(line))}


def test_replaced_control_facts_lose_their_text(tmp_path: Path) -> None:
    plan = planned(tmp_path, control_line(A), store_line(D), control_line(B), choose=keep_all)

    lines, report = written(plan)

    assert lines == [store_line(D), control_line(B)]
    assert report.removed_ids == (A,)


def test_unknown_keys_of_a_folded_fact_are_kept(tmp_path: Path) -> None:
    line = store_line()[:-2] + b',"_import":{"id":"i_1"}}}'

    assert rewritten(tmp_path, line, choose=by_id(**{"1": Disposition.FOLD})) == [line]


def test_upkeep_is_folded_into_the_stored_fact_and_seen_by_whoever_chooses(tmp_path: Path) -> None:
    seen: list[Horizon] = []
    upkeep = {A: Upkeep(Horizon.MEDIUM, parse_timestamp("2026-03-08T00:00:00Z")), "f_nowhere": Upkeep(Horizon.STABLE)}

    def choose(fact: Fact) -> Disposition:
        seen.append(fact.horizon_class)
        return Disposition.FOLD

    lines, _ = written(planned(tmp_path, store_line(A), choose=choose, upkeep=upkeep))

    assert seen == [Horizon.MEDIUM]
    assert lines == [
        store_line(A)[:-2].replace(b'"horizon_class":"none"', b'"horizon_class":"medium"')
        + b',"reverified_at":"2026-03-08T00:00:00Z"}}'
    ]


def test_a_compaction_keeps_what_a_hold_covers(tmp_path: Path) -> None:
    held, free = (store_line(name, entity=entity) for name, entity in ((A, "customer::1"), (B, "team:x")))
    lines = (hold_line("f_h", "lh_1"), held, free, delete_line(A), delete_line(B))
    holds = resolve_holds(replayed(tmp_path, *lines).state.facts.values())

    after = rewritten(tmp_path, *lines, choose=compaction_of(holds))

    assert after == [lines[0], held, delete_line(A), stamped(delete_line(B))]


def test_lines_that_nobody_can_read_refuse_unless_approved(tmp_path: Path) -> None:
    lines = (store_line(A), b'{"op":"invent"}', b"?")
    plan = planned(tmp_path, *lines, choose=keep_all)

    with pytest.raises(RewriteRefusedError, match="2 lines cannot be read; the first is line 2, byte"):
        write_plan(plan, tmp_path / "draft", at=AT)
    approved = frozenset((line.number, line.digest) for line in plan.refused_lines)
    lines_after, report = written(planned(tmp_path, *lines, choose=keep_all, approved=approved))

    assert [(line.number, line.length) for line in plan.refused_lines] == [(2, 15), (3, 1)]
    assert lines_after == [store_line(A)]
    assert report.approved_lines == plan.refused_lines
    assert list(tmp_path.iterdir()) == [plan.journal]


def test_an_approval_of_another_text_refuses(tmp_path: Path) -> None:
    plan = planned(tmp_path, store_line(A), b"?", choose=keep_all, leaves_rest=True, approved=frozenset({(2, "00")}))

    assert plan.missed_approvals == ((2, "00"),)
    with pytest.raises(RewriteRefusedError, match="Line 2 is not what was approved"):
        write_plan(plan, tmp_path / "draft", at=AT)


def test_the_rest_is_left_in_place_on_request(tmp_path: Path) -> None:
    lines = (b"?", delete_line("f_unknown"), store_line(A), b'{"op":"invent"}', batch_line(), b"", store_line(B))

    after = rewritten(tmp_path, *lines, choose=erasure_of(frozenset({A})), leaves_rest=True)
    compacted = rewritten(tmp_path, *(lines[1], *lines[4:]), choose=keep_all)

    assert after == [lines[0], lines[1], lines[3], lines[4], lines[6]]
    assert compacted == [lines[6]]


def test_an_oversized_line_is_left_in_place_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "MAX_LINE_BYTES", 1000)
    oversized = store_line(A, entity="__repo_scan__::r", value="x" * 3_000_000)

    plan = planned(tmp_path, oversized, store_line(B), choose=keep_all, leaves_rest=True)

    assert plan.left_lines[0].length == len(oversized)
    assert written(plan)[0] == [oversized, store_line(B)]


def test_lines_that_break_a_rule_go_and_are_listed(tmp_path: Path) -> None:
    lines, report = written(planned(tmp_path, store_line(A), supersede_line(A, "f_nowhere"), choose=keep_all))

    assert lines == [store_line(A)]
    assert [(line.number, line.reason.code) for line in report.rule_breaking] == [(2, "supersede_by_unknown")]


def test_a_fact_that_no_line_can_hold_refuses_where_it_must_be_folded(tmp_path: Path) -> None:
    line = store_line(A, confidence=1e39)

    plan = planned(tmp_path, line, choose=by_id(a=Disposition.FOLD))

    assert plan.unwritable_ids == (A,)
    with pytest.raises(RewriteRefusedError, match="f_a"):
        write_plan(plan, tmp_path / "draft", at=AT)
    assert rewritten(tmp_path, line, choose=keep_all) == [line]


def test_a_report_tells_where_every_new_line_comes_from(tmp_path: Path) -> None:
    lines = (
        store_line(A),
        store_line(B),
        delete_line(B),
        batch_line(C, D),
        supersede_line(A, C),
        store_line("f_e"),
        event_line("set_validity", fact_id="f_e", **BOUNDS, set_at="x"),
    )
    plan = planned(tmp_path, *lines, choose=by_id(a=Disposition.FOLD, b=Disposition.DROP, e=Disposition.FOLD))

    after, report = written(plan)

    assert list(report.origins) == [1, 1, 4, 6, 0]
    assert list(report.line_map()) == [(1, 1), (1, 2), (4, 3), (6, 4)]
    assert report.dropped_lines == ((2, 3), (5, 5), (7, 7))
    assert (report.kept_ids, report.folded_ids, report.dropped_ids) == ((C, D), (A, "f_e"), (B,))
    assert report.old_lines == len(lines)
    assert report.new_bytes == sum(len(line) + 1 for line in after)


def test_only_lines_up_to_a_place_are_rewritten_and_a_torn_tail_is_no_line(tmp_path: Path) -> None:
    until = len(store_line(A)) + 1
    path = write_journal(tmp_path / "facts.jsonl", store_line(A), store_line(B))
    path.write_bytes(path.read_bytes() + store_line(C))

    whole = plan_rewrite(path, keep_all, privacy=PrivacyPolicy())
    part = plan_rewrite(path, keep_all, privacy=PrivacyPolicy(), until=until + 1)

    assert (sorted(whole.kept), whole.until) == ([A, B], 2 * until)
    assert (sorted(part.kept), part.until) == ([A], until)
    assert written(part)[0] == [store_line(A)]


def test_a_journal_that_was_replaced_since_is_not_rewritten(tmp_path: Path) -> None:
    plan = planned(tmp_path, store_line(A), choose=keep_all)
    write_journal(tmp_path / "other", store_line(B)).replace(plan.journal)

    with pytest.raises(UnreadableJournalError):
        write_plan(plan, tmp_path / "draft", at=AT)


def test_a_journal_that_is_missing_cannot_be_planned_for(tmp_path: Path) -> None:
    with pytest.raises(UnreadableJournalError):
        plan_rewrite(tmp_path / "nowhere", keep_all, privacy=PrivacyPolicy())


IDS = [f"f_{number}" for number in range(6)]
CONTROL_IDS = ["f_c0", "f_c1", "f_c2"]
ids = st.sampled_from(IDS)
control_ids = st.sampled_from(CONTROL_IDS)
any_ids = ids | control_ids
tenants = st.sampled_from(["default", "acme"])
keys = st.sampled_from(["deploy_ok", "owner"])
moments = st.sampled_from(["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.100Z", "2026-03-02T00:00:00Z"])
links = st.just(ABSENT) | ids
members = st.builds(
    fact_members, ids, tenant_hash=tenants, key=keys, stored_at=moments, superseded_by=links, supersedes=links
)
controls = st.builds(lambda fact_id, moment: fact_members(fact_id, stored_at=moment, **CONTROL), control_ids, moments)
readable_lines = st.one_of(
    st.builds(lambda fact: event_line("store", fact=fact), members),
    st.builds(lambda fact: event_line("store", fact=fact), controls),
    st.builds(lambda facts: event_line("store_batch", facts=facts), st.lists(members | controls, max_size=3)),
    st.builds(
        lambda fact, replaced: event_line("replace_latest", fact=fact, replaced_fact_ids=replaced),
        members | controls,
        st.lists(control_ids, max_size=2),
    ),
    st.builds(supersede_line, any_ids, any_ids),
    st.builds(delete_line, any_ids),
    st.builds(lambda fact_id: event_line("clear_supersede", fact_id=fact_id, cleared_at="x"), any_ids),
    st.builds(lambda fact_id: event_line("set_validity", fact_id=fact_id, **BOUNDS, set_at="x"), any_ids),
    st.builds(consolidate_line, ids, st.lists(ids, min_size=1, max_size=3, unique=True), stored_at=moments),
    st.builds(undo_line, ids, st.lists(ids, max_size=3)),
    st.builds(provenance_line, ids, st.lists(ids, max_size=3)),
)
any_lines = readable_lines | st.sampled_from([b"?", b"", b'{"op":"invent"}'])
journals = st.lists(any_lines, max_size=30)
choices = st.fixed_dictionaries({fact_id: st.sampled_from(Disposition) for fact_id in (*IDS, *CONTROL_IDS)})


def chains(state: MemoryState, survivors: frozenset[str]) -> dict[tuple[str, str, str], list[str]]:
    """The chains of a state, without the facts that did not survive."""
    places = {(fact.tenant_hash, fact.entity, fact.key) for fact in state.facts.values()}
    found = {place: [name for name in state.chain(*place) if name in survivors] for place in places}
    return {place: chain for place, chain in found.items() if chain}


def merges(state: MemoryState, survivors: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """The merges that stand, with those of their sources that survived."""
    standing = {}
    for canonical_id, sources in state.consolidations.items():
        canonical = state.facts.get(canonical_id)
        if canonical_id not in survivors or canonical is None or canonical.deleted:
            continue
        found = [state.facts.get(source) for source in sources]
        if all(fact is not None and not fact.deleted and fact.superseded_by == canonical_id for fact in found):
            standing[canonical_id] = tuple(source for source in sources if source in survivors)
    return {canonical_id: sources for canonical_id, sources in standing.items() if sources}


@given(journals, choices, st.booleans())
def test_the_state_of_whatever_is_not_dropped_stays_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    journal: list[bytes],
    chosen: dict[str, Disposition],
    leaves_rest: bool,
) -> None:
    folder = tmp_path_factory.mktemp("rewrite")
    readable = journal if leaves_rest else [line for line in journal if line not in (b"?", b'{"op":"invent"}')]
    plan = planned(folder, *readable, choose=lambda fact: chosen[fact.fact_id], leaves_rest=leaves_rest)
    survivors = plan.kept | plan.folded
    before = replay_journal(plan.journal, PrivacyPolicy())

    lines, report = written(plan)
    after = replay_journal(write_journal(folder / "after", *lines), PrivacyPolicy())

    assert after.state.facts == {name: before.state.facts[name] for name in survivors}
    assert merges(after.state, survivors) == merges(before.state, survivors)
    if plan.kept or leaves_rest:
        assert chains(after.state, survivors) == chains(before.state, survivors)
    assert after.rule_breaking == []
    assert len(report.origins) == len(lines)
    assert not plan.kept & plan.folded and not survivors & plan.dropped


@given(journals, choices)
def test_every_line_of_a_kept_fact_stays(
    tmp_path_factory: pytest.TempPathFactory, journal: list[bytes], chosen: dict[str, Disposition]
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    plan = planned(folder, *journal, choose=lambda fact: chosen[fact.fact_id], leaves_rest=True)
    broken = {line.number for line in plan.rule_breaking} | {line.number for line in plan.left_lines}
    expected = [
        (number, line)
        for number, line in enumerate(journal, 1)
        if line and number not in broken and is_owned_by(plan.kept, line)
    ]

    lines, report = written(plan)

    assert [found for found in zip(report.origins, lines, strict=True) if found in expected] == expected


def is_owned_by(fact_ids: frozenset[str], line: bytes) -> bool:
    owners = {name for part in parts_of(decode_line(line)) for name in part.owner_ids}
    return bool(owners) and owners <= fact_ids


@given(st.lists(readable_lines, max_size=30))
def test_with_nothing_to_keep_the_bytes_are_those_of_the_daemons_compaction(
    tmp_path_factory: pytest.TempPathFactory, journal: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("compaction")

    plan = planned(folder, *journal, choose=compaction_of([]))
    state = replay_journal(plan.journal, PrivacyPolicy()).state

    assert written(plan)[0] == list(compacted_lines(state, AT))
