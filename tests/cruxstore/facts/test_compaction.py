"""A compaction writes exactly what the daemon would, or refuses and says why."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import CompactionRefusedError, HeldError
from cruxstore.facts import codec, journal
from cruxstore.facts.codec import fact_slices
from cruxstore.facts.compaction import CompactionReport, compacted_lines, compaction_report, refuse_compaction
from cruxstore.facts.folding import folded_lines
from cruxstore.facts.journal import Replay, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.times import parse_timestamp
from tests.cruxstore.facts.made import (
    consolidate_line,
    delete_line,
    event_line,
    fact,
    fact_members,
    hold_line,
    provenance_line,
    replayed,
    store_line,
    supersede_line,
    undo_line,
)

VECTOR = Path(__file__).parents[2] / "data" / "journal-v1.jsonl"
AT = parse_timestamp("2026-04-01T00:00:00.5Z")
STAMP = "2026-04-01T00:00:00.500+00:00"
RELEASE: dict[str, Any] = {
    "released_at": "2026-04-01T00:00:00Z",
    "released_by": "operator",
    "release_receipt_id": "r_2",
}


def compacted(replay: Replay) -> list[bytes]:
    return list(compacted_lines(replay.state, AT))


def as_store(line: bytes, place: int) -> bytes:
    offset, length = fact_slices(line)[place]
    return b'{"op":"store","fact":' + line[offset : offset + length] + b"}"


def stamped_supersede(fact_id: str, by_fact_id: str) -> bytes:
    return event_line("supersede", fact_id=fact_id, by_fact_id=by_fact_id, superseded_at=STAMP)


def stamped_delete(fact_id: str) -> bytes:
    return event_line("delete", fact_id=fact_id, deleted_at=STAMP)


def test_the_sample_journal_is_compacted_to_the_expected_lines() -> None:
    replay = replay_journal(VECTOR, PrivacyPolicy())
    lines = VECTOR.read_bytes().splitlines()
    stored_in_batch, stored_in_replacement = (as_store(lines[6], 1), as_store(lines[10], 0))
    unlinked = lines[12].replace(b',"supersedes":"f_1f2e3d4c5b6a49788796a5b4c3d2e1f0"', b"")

    written = compacted(replay)

    assert written == [
        lines[0],
        lines[1],
        stored_in_batch,
        stored_in_replacement,
        unlinked,
        stamped_supersede("f_33333333333343338333333333333333", "f_44444444444444448444444444444444"),
        stamped_delete("f_22222222222242228222222222222222"),
        stamped_delete("f_66666666666646668666666666666666"),
    ]
    assert compaction_report(replay.state) == CompactionReport(facts_dropped=2, facts_retained=5, tombstones_kept=2)


def test_facts_are_ordered_by_time_then_id(tmp_path: Path) -> None:
    late = store_line("f_a", stored_at="2026-01-01T00:00:00.100Z")
    leap = store_line("f_0", stored_at="2025-12-31T23:59:60.900Z")
    first, second = (store_line(name, stored_at="2026-01-01T00:00:00Z") for name in ("f_b", "f_c"))

    written = compacted(replayed(tmp_path, late, second, leap, first))

    assert written == [leap, first, second, late]


def test_changes_are_folded_into_the_stored_fact(tmp_path: Path) -> None:
    bounds = {"valid_from": "2026-01-01T00:00:00Z", "valid_to": "2026-06-01T00:00:00Z"}
    replay = replayed(
        tmp_path,
        store_line("f_1"),
        store_line("f_2"),
        event_line("set_validity", fact_id="f_1", **bounds, set_at="x"),
        supersede_line("f_1", "f_2"),
    )

    written = compacted(replay)

    assert written == [
        store_line("f_1", superseded_by="f_2", **bounds),
        stamped_supersede("f_1", "f_2"),
        store_line("f_2"),
    ]


def test_a_live_consolidation_keeps_its_provenance_with_a_new_stamp(tmp_path: Path) -> None:
    stores = (store_line("f_1"), store_line("f_2"), store_line("f_3"))
    later = {"stored_at": "2026-03-09T00:00:00Z"}
    replay = replayed(
        tmp_path,
        *stores,
        consolidate_line("f_z", ["f_2", "f_1"], **later),
        consolidate_line("f_y", ["f_3"], **later),
    )

    written = compacted(replay)

    assert written[-2:] == [
        provenance_line("f_y", ["f_3"]).replace(b"2026-03-02T09:00:00+00:00", STAMP.encode()),
        provenance_line("f_z", ["f_2", "f_1"]).replace(b"2026-03-02T09:00:00+00:00", STAMP.encode()),
    ]


def test_an_undone_consolidation_leaves_only_a_tombstone(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line("f_1"), consolidate_line("f_z", ["f_1"]), undo_line("f_z", ["f_1"]))

    assert compacted(replay) == [store_line("f_1"), stamped_delete("f_z")]


def test_unknown_keys_are_dropped_as_the_daemon_does_and_kept_on_request(tmp_path: Path) -> None:
    line = store_line()[:-2] + b',"salience":0.7}}'

    replay = replayed(tmp_path, line)

    assert compacted(replay) == [store_line()]
    assert list(folded_lines(replay.state.facts["f_1"], STAMP, with_extra=True)) == [line]


def test_a_deleted_fact_under_hold_refuses_and_names_the_holds(tmp_path: Path) -> None:
    replay = replayed(
        tmp_path,
        hold_line("f_h2", "lh_2"),
        hold_line("f_h1", "lh_1", entity_prefixes=["customer::4"]),
        hold_line("f_h3", "lh_3", entity_prefixes=["supplier::"]),
        store_line("f_1", entity="customer::42"),
        delete_line("f_1"),
    )

    with pytest.raises(HeldError, match="lh_1,lh_2") as refused:
        refuse_compaction(replay)

    assert refused.value.hold_ids == ("lh_1", "lh_2")


@pytest.mark.parametrize(
    "lines",
    [
        (hold_line("f_h", "lh_1"), store_line("f_1", entity="customer::42")),
        (hold_line("f_h", "lh_1"), store_line("f_1", entity="customer::42", tenant_hash="acme", deleted=True)),
        (hold_line("f_h", "lh_1", **RELEASE), store_line("f_1", entity="customer::42", deleted=True)),
    ],
)
def test_what_no_hold_covers_may_be_dropped(tmp_path: Path, lines: tuple[bytes, ...]) -> None:
    refuse_compaction(replayed(tmp_path, *lines))


def test_a_deleted_statement_of_an_active_hold_refuses(tmp_path: Path) -> None:
    with pytest.raises(HeldError):
        refuse_compaction(replayed(tmp_path, hold_line("f_h", "lh_1"), delete_line("f_h")))


def test_a_replaced_control_fact_under_hold_refuses(tmp_path: Path) -> None:
    control = {"entity": "__repo_scan__::acme::r1", "key": "content", "private": True}
    hold = hold_line("f_h", "lh_1", entity_prefixes=["__repo_scan__::"])

    with pytest.raises(HeldError):
        refuse_compaction(replayed(tmp_path, hold, store_line("f_1", **control), store_line("f_2", **control)))


def test_an_unreadable_line_refuses_only_under_an_active_hold(tmp_path: Path) -> None:
    refuse_compaction(replayed(tmp_path, b"?", hold_line("f_h", "lh_1", **RELEASE)))

    with pytest.raises(CompactionRefusedError, match="Line 2, byte"):
        refuse_compaction(replayed(tmp_path, hold_line("f_h", "lh_1"), b"?"))


def test_a_line_that_only_breaks_a_rule_does_not_refuse(tmp_path: Path) -> None:
    refuse_compaction(replayed(tmp_path, hold_line("f_h", "lh_1"), supersede_line("f_?", "f_h")))


def test_the_hold_is_named_before_the_unreadable_line(tmp_path: Path) -> None:
    replay = replayed(tmp_path, b"?", hold_line("f_h", "lh_1"), store_line("f_1", entity="customer::1", deleted=True))

    with pytest.raises(HeldError):
        refuse_compaction(replay)


def test_an_oversized_scan_is_named_before_the_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_LINE_BYTES", 1000)
    oversized = store_line("f_0", entity="__repo_scan__::r", value="x" * 1000)
    held = (hold_line("f_h", "lh_1"), store_line("f_1", entity="customer::1", deleted=True))

    refuse_compaction(replayed(tmp_path, oversized))
    with pytest.raises(CompactionRefusedError, match="64 MiB") as refused:
        refuse_compaction(replayed(tmp_path, oversized, *held))

    assert not isinstance(refused.value, HeldError)


def test_a_fact_that_no_longer_fits_into_a_line_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_LINE_BYTES", 300)

    with pytest.raises(CompactionRefusedError, match="f_1 no longer fits"):
        list(folded_lines(fact(value="x" * 300), STAMP, with_extra=False))


ids = st.sampled_from([f"f_{number}" for number in range(6)])
tenants = st.sampled_from(["default", "acme"])
moments = st.sampled_from(["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.100Z", "2026-03-02T00:00:00Z"])
any_lines = st.one_of(
    st.builds(store_line, ids, tenant_hash=tenants, stored_at=moments, superseded_by=st.none() | ids),
    st.builds(
        lambda members: event_line("store_batch", facts=members), st.lists(st.builds(fact_members, ids), max_size=3)
    ),
    st.builds(supersede_line, ids, ids),
    st.builds(delete_line, ids),
    st.builds(consolidate_line, ids, st.lists(ids, min_size=1, max_size=3, unique=True), stored_at=moments),
    st.builds(undo_line, ids, st.lists(ids, max_size=3)),
    st.builds(provenance_line, ids, st.lists(ids, max_size=3)),
)


@given(st.lists(any_lines, max_size=30))
def test_a_compacted_journal_holds_the_same_live_facts_and_compacts_to_itself(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("compaction")
    before = replayed(folder, *lines)
    live = {fact_id: fact for fact_id, fact in before.state.facts.items() if not fact.deleted}
    once = compacted(before)

    after = replayed(folder, *once)
    twice = compacted(after)

    assert after.state.facts == live
    assert after.unreadable == []
    assert twice == [line for line in once if not line.startswith(b'{"op":"delete"')]
