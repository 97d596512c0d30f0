"""What each operation does to the facts so far, and what each rule refuses."""

from pathlib import Path

import pytest

from cruxstore.facts.codec import decode_line
from cruxstore.facts.journal import MemoryState
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Timestamp
from cruxstore.facts.replay import Inserted, Removed, apply
from cruxstore.facts.state import chain_head
from tests.cruxstore.facts.made import (
    STAMP,
    codes,
    consolidate_line,
    delete_line,
    event_line,
    fact_members,
    provenance_line,
    replayed,
    store_line,
    supersede_line,
    undo_line,
)

A, B, C, NEW = "f_a", "f_b", "f_c", "f_new"
VALIDITY = {"valid_from": "2026-01-01T00:00:00Z", "valid_to": "2026-06-01T00:00:00Z"}


def control_line(fact_id: str, *, op: str = "store", replaced: list[str] | None = None, **changes: object) -> bytes:
    control = {"entity": "__repo_scan__::acme::r1", "key": "content", "private": True}
    fact = fact_members(fact_id, **(control | changes))
    rest = {} if replaced is None else {"replaced_fact_ids": replaced}
    return event_line(op, fact=fact, **rest)


def test_a_stored_fact_keeps_what_its_line_says_of_deletion_and_retirement(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line(A, deleted=True, superseded_by="f_elsewhere"))

    assert replay.state.facts[A].deleted
    assert replay.state.facts[A].superseded_by == "f_elsewhere"


def test_the_first_fact_with_an_id_counts(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line(A, value="first"), store_line(A, value="second"))

    assert replay.state.facts[A].value == "first"
    assert replay.skipped == []
    assert [(line.number, line.reason.code) for line in replay.ignored] == [(2, "known_id")]


@pytest.mark.parametrize("blank", ["", " ", "\t\u3000\u0085"])
def test_a_blank_tenant_is_the_default_one(tmp_path: Path, blank: str) -> None:
    replay = replayed(tmp_path, store_line(A, tenant_hash=blank))

    assert replay.state.facts[A].tenant_hash == "default"


def test_a_tenant_named_by_a_control_character_is_not_blank(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line(A, tenant_hash="\x1c"))

    assert replay.state.facts[A].tenant_hash == "\x1c"


def test_privacy_is_enforced_on_every_way_in(tmp_path: Path) -> None:
    reserved = {"entity": "__ops::node-3"}
    replay = replayed(
        tmp_path,
        store_line("f_1", **reserved),
        event_line("store_batch", facts=[fact_members("f_2", **reserved)]),
        event_line("replace_latest", fact=fact_members("f_3", **reserved), replaced_fact_ids=[]),
        consolidate_line("f_4", ["f_1"], **reserved),
    )

    assert [fact.private for fact in replay.state.facts.values()] == [True] * 4


def test_a_batch_stores_its_facts_in_order_and_the_first_of_an_id(tmp_path: Path) -> None:
    batch = [fact_members(A, value="1"), fact_members(B, value="2"), fact_members(A, value="3")]

    replay = replayed(tmp_path, event_line("store_batch", facts=batch))

    assert [(fact.fact_id, fact.value) for fact in replay.state.facts.values()] == [(A, "1"), (B, "2")]
    assert len(replay.ignored) == 1


def test_an_empty_batch_does_nothing(tmp_path: Path) -> None:
    replay = replayed(tmp_path, event_line("store_batch", facts=[]))

    assert (replay.state.facts, replay.skipped, replay.ignored) == ({}, [], [])


def test_a_control_fact_removes_all_of_its_chain(tmp_path: Path) -> None:
    replay = replayed(tmp_path, control_line(A), delete_line(A), control_line(B, key="other"), control_line(C))

    assert set(replay.state.facts) == {B, C}
    assert [removed.fact_id for removed in replay.state.removed] == [A]


def test_a_control_fact_not_marked_private_removes_nothing(tmp_path: Path) -> None:
    replay = replayed(tmp_path, control_line(A), control_line(B, private=False))

    assert set(replay.state.facts) == {A, B}


def test_a_control_fact_of_another_tenant_removes_nothing(tmp_path: Path) -> None:
    replay = replayed(tmp_path, control_line(A), control_line(B, tenant_hash="acme"))

    assert set(replay.state.facts) == {A, B}


def test_a_control_fact_with_a_known_id_removes_nothing(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line(B), control_line(A), control_line(B))

    assert set(replay.state.facts) == {A, B}


def test_a_control_fact_in_a_batch_removes_the_one_before_it_in_the_batch(tmp_path: Path) -> None:
    members = {"entity": "__workspace_scan__::w", "key": "content", "private": True}
    batch = [fact_members(A, **members), fact_members(B, **members)]

    replay = replayed(tmp_path, event_line("store_batch", facts=batch))

    assert set(replay.state.facts) == {B}
    assert [removed.fact_id for removed in replay.state.removed] == [A]


def test_replace_latest_removes_the_listed_facts_of_its_own_chain_only(tmp_path: Path) -> None:
    replay = replayed(
        tmp_path,
        store_line(A),
        store_line(B, key="other"),
        store_line(C, tenant_hash="acme"),
        event_line("replace_latest", fact=fact_members(NEW), replaced_fact_ids=[A, B, C, "f_unknown", A]),
    )

    assert set(replay.state.facts) == {B, C, NEW}


def test_a_removed_fact_may_be_stored_again(tmp_path: Path) -> None:
    replay = replayed(tmp_path, control_line(A, value="old"), control_line(B), control_line(A, value="new"))

    assert list(replay.state.facts) == [A]
    assert replay.state.facts[A].value == "new"


def test_delete_hides_a_fact_and_an_unknown_id_is_ignored(tmp_path: Path) -> None:
    replay = replayed(tmp_path, delete_line(A), store_line(A), store_line(B), delete_line(B), delete_line(B))

    assert not replay.state.facts[A].deleted
    assert replay.state.facts[B].deleted
    assert replay.skipped == []
    assert [line.number for line in replay.ignored] == [1]


def test_supersede_and_clear_supersede_retire_and_bring_back(tmp_path: Path) -> None:
    clear = event_line("clear_supersede", fact_id=A, cleared_at=STAMP)
    stores = (store_line(A), store_line(B))

    retired = replayed(tmp_path, *stores, supersede_line(A, B))
    brought_back = replayed(tmp_path, *stores, supersede_line(A, B), clear)

    assert retired.state.facts[A].superseded_by == B
    assert brought_back.state.facts[A].superseded_by is None


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ((store_line(B),), "supersede_unknown"),
        ((store_line(A),), "supersede_by_unknown"),
        ((store_line(A), store_line(B, tenant_hash="acme")), "supersede_other_tenant"),
    ],
)
def test_a_supersede_needs_both_facts_in_one_tenant(tmp_path: Path, lines: tuple[bytes, ...], code: str) -> None:
    replay = replayed(tmp_path, *lines, supersede_line(A, B))

    assert codes(replay) == [(len(lines) + 1, code)]
    assert replay.redundant == []


def test_a_supersede_that_repeats_its_fact_is_skipped_as_redundant(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line(A, superseded_by=B), supersede_line(A, B), store_line(B))

    assert codes(replay) == [(2, "repeated_supersede")]
    assert [line.number for line in replay.redundant] == [2]
    assert replay.rule_breaking == []
    assert replay.state.facts[A].superseded_by == B


def test_set_validity_replaces_both_bounds_of_a_deleted_fact_too(tmp_path: Path) -> None:
    both = event_line("set_validity", fact_id=A, **VALIDITY, set_at=STAMP)
    one = event_line("set_validity", fact_id=A, valid_to="2026-07-01T00:00:00Z", set_at=STAMP)

    replay = replayed(tmp_path, store_line(A), delete_line(A), both, one)

    assert replay.state.facts[A].valid_from is None
    assert replay.state.facts[A].valid_to == Timestamp("2026-07-01T00:00:00Z", 1_782_864_000_000_000_000)


@pytest.mark.parametrize("op", ["set_validity", "clear_supersede"])
def test_an_event_on_an_unknown_fact_is_ignored(tmp_path: Path, op: str) -> None:
    replay = replayed(tmp_path, event_line(op, fact_id="f_?", set_at=STAMP, cleared_at=STAMP))

    assert replay.skipped == []
    assert [line.reason.code for line in replay.ignored] == ["unknown_fact"]


def test_consolidate_retires_its_sources_in_favour_of_the_canonical_fact(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line(A), store_line(B), consolidate_line(NEW, [B, A], supersedes=B))

    assert [replay.state.facts[source].superseded_by for source in (A, B)] == [NEW, NEW]
    assert replay.state.consolidations == {NEW: (B, A)}


@pytest.mark.parametrize(
    ("before", "line", "code"),
    [
        ((), consolidate_line(NEW, [A, B], deleted=True), "canonical_deleted"),
        ((store_line(NEW),), consolidate_line(NEW, [A, B]), "canonical_known"),
        ((), consolidate_line(NEW, []), "no_sources"),
        ((), consolidate_line(NEW, [A, A]), "repeated_source"),
        ((), consolidate_line(NEW, [A], supersedes=B), "prior_not_source"),
        ((), consolidate_line(NEW, [A, "f_?"]), "source_unfit"),
        ((delete_line(A),), consolidate_line(NEW, [A, B]), "source_unfit"),
        ((supersede_line(A, B),), consolidate_line(NEW, [A, B]), "source_unfit"),
        ((), consolidate_line(NEW, [A, B], tenant_hash="acme"), "source_unfit"),
    ],
)
def test_consolidate_is_all_or_nothing(tmp_path: Path, before: tuple[bytes, ...], line: bytes, code: str) -> None:
    stores = (store_line(A), store_line(B), *before)

    replay = replayed(tmp_path, *stores, line)

    assert codes(replay) == [(len(stores) + 1, code)]
    assert replay.state.consolidations == {}
    assert replay.state.facts == replayed(tmp_path, *stores).state.facts


def test_a_consolidation_protects_its_facts(tmp_path: Path) -> None:
    replay = replayed(
        tmp_path,
        store_line(A),
        store_line(B),
        consolidate_line(NEW, [A]),
        delete_line(A),
        delete_line(NEW),
        supersede_line(A, B),
        event_line("clear_supersede", fact_id=A, cleared_at=STAMP),
    )

    assert codes(replay) == [
        (4, "delete_of_source"),
        (5, "delete_of_canonical"),
        (6, "supersede_of_source"),
        (7, "clear_of_source"),
    ]


def test_a_canonical_fact_may_be_superseded_and_its_sources_stay_protected(tmp_path: Path) -> None:
    stores = (store_line(A), store_line(B), consolidate_line(NEW, [A]), supersede_line(NEW, B))

    replay = replayed(tmp_path, *stores, delete_line(A), undo_line(NEW, [A]))

    assert codes(replay) == [(5, "delete_of_source"), (6, "canonical_superseded")]


def test_undo_deletes_the_canonical_fact_and_frees_the_sources(tmp_path: Path) -> None:
    consolidated = (store_line(A), store_line(B), consolidate_line(NEW, [A, B]))

    replay = replayed(tmp_path, *consolidated, undo_line(NEW, [B, A, A]), delete_line(A))

    assert replay.state.facts[NEW].deleted
    assert replay.state.facts[B].superseded_by is None
    assert replay.state.facts[A].deleted
    assert replay.skipped == []


def test_a_canonical_fact_cannot_be_deleted_after_its_undo(tmp_path: Path) -> None:
    lines = (store_line(A), consolidate_line(NEW, [A]), undo_line(NEW, [A]), delete_line(NEW))

    replay = replayed(tmp_path, *lines)

    assert codes(replay) == [(4, "delete_of_canonical")]


def test_an_undo_applied_before_is_silent(tmp_path: Path) -> None:
    undo = undo_line(NEW, [A])

    replay = replayed(tmp_path, store_line(A), consolidate_line(NEW, [A]), undo, undo)

    assert replay.skipped == []
    assert [(line.number, line.reason.code) for line in replay.ignored] == [(4, "undone_before")]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ((undo_line("f_?", [A]),), "canonical_unknown"),
        ((undo_line(B, [A]),), "not_canonical"),
        ((consolidate_line(NEW, [A, B]), undo_line(NEW, [A])), "sources_differ"),
        ((consolidate_line(NEW, [A, B]), undo_line(NEW, [A, B, C])), "sources_differ"),
        ((consolidate_line(NEW, [A, B]), undo_line(NEW, [])), "sources_differ"),
        ((consolidate_line(NEW, [A]), undo_line(NEW, [A]), delete_line(A), undo_line(NEW, [A])), "canonical_deleted"),
    ],
)
def test_an_undo_must_name_exactly_what_was_merged(tmp_path: Path, lines: tuple[bytes, ...], code: str) -> None:
    replay = replayed(tmp_path, store_line(A), store_line(B), store_line(C), *lines)

    assert codes(replay) == [(3 + len(lines), code)]


def test_provenance_makes_a_compacted_consolidation_undoable(tmp_path: Path) -> None:
    compacted = (store_line(A, superseded_by=NEW), store_line(NEW), provenance_line(NEW, [A]))

    replay = replayed(tmp_path, *compacted, undo_line(NEW, [A]))

    assert replay.skipped == []
    assert replay.state.facts[A].superseded_by is None


def test_a_second_provenance_line_replaces_the_first(tmp_path: Path) -> None:
    stores = (store_line(A, superseded_by=NEW), store_line(B, superseded_by=NEW), store_line(NEW))

    replay = replayed(tmp_path, *stores, provenance_line(NEW, [A]), provenance_line(NEW, [B, A]))

    assert replay.state.consolidations == {NEW: (B, A)}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (provenance_line("f_?", [A]), "canonical_unknown"),
        (provenance_line(C, [A]), "canonical_deleted"),
        (provenance_line(NEW, [A], tenant_hash="acme"), "canonical_other_tenant"),
        (provenance_line(NEW, [A], tenant_hash=""), "canonical_other_tenant"),
        (provenance_line(NEW, []), "no_sources"),
        (provenance_line(NEW, [A, B]), "source_not_merged"),
        (provenance_line(NEW, [A, "f_?"]), "source_not_merged"),
    ],
)
def test_provenance_is_believed_only_where_the_facts_bear_it_out(tmp_path: Path, line: bytes, code: str) -> None:
    stores = (store_line(A, superseded_by=NEW), store_line(B), store_line(NEW), store_line(C, deleted=True))

    replay = replayed(tmp_path, *stores, line)

    assert codes(replay) == [(5, code)]


def test_links_that_cannot_be_are_dropped_after_the_last_line(tmp_path: Path) -> None:
    replay = replayed(
        tmp_path,
        store_line("f_1", supersedes=A, superseded_by=B),
        store_line("f_2", supersedes=C, superseded_by="f_?"),
        store_line("f_3", supersedes="f_?", superseded_by=C),
        store_line(A, key="other"),
        store_line(B, tenant_hash="acme"),
        store_line(C),
    )

    links = {fact.fact_id: (fact.supersedes, fact.superseded_by) for fact in replay.state.facts.values()}

    assert links["f_1"] == (None, None)
    assert links["f_2"] == (C, "f_?")
    assert links["f_3"] == ("f_?", C)


def test_rules_answer_with_effects_and_change_nothing() -> None:
    state = MemoryState()
    operation = decode_line(control_line(A))

    outcome = apply(operation, state, PrivacyPolicy())

    assert [type(effect) for effect in outcome.effects] == [Inserted]
    assert state.facts == {}


def test_replace_latest_names_each_removal_once() -> None:
    state = MemoryState()
    state.absorb(apply(decode_line(control_line(A)), state, PrivacyPolicy()).effects)
    operation = decode_line(control_line(B, op="replace_latest", replaced=[A]))

    outcome = apply(operation, state, PrivacyPolicy())

    assert [type(effect) for effect in outcome.effects] == [Removed, Inserted]


def test_the_head_of_a_chain_is_its_newest_fact_that_is_not_deleted(tmp_path: Path) -> None:
    replay = replayed(tmp_path, store_line(A), store_line(B), store_line(C), supersede_line(B, C), delete_line(C))

    head = chain_head(replay.state, "default", "project:lark", "deploy_ok")

    assert head == replay.state.facts[B]
    assert chain_head(replay.state, "acme", "project:lark", "deploy_ok") is None
