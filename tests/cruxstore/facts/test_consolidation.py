"""A merge and its undo: every guard refuses by its name, in its turn, and what passes is what replay accepts."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.errors import (
    CanonicalSupersededError,
    ConfidenceError,
    ConsolidationRefusedError,
    DuplicateTargetError,
    ImplicitPriorNotTargetError,
    MissingConsolidationIdError,
    NoTargetsError,
    NotConsolidationCanonicalError,
    NoUndoSourcesError,
    TargetAlreadySupersededError,
    TargetDaemonOwnedError,
    TargetDeletedError,
    TargetHighConfidenceError,
    TargetNotFoundError,
    TargetOutsideEntityKeyError,
    TargetPinnedError,
    TargetPrivateError,
    TargetReceiptLinkedError,
    TextNotStorableError,
    UndoSourceMismatchError,
)
from cruxstore.facts.codec import decode_line, encode_operation
from cruxstore.facts.consolidation import (
    ConsolidationReceipt,
    ConsolidationRequest,
    Undo,
    UndoStatus,
    canonical_hash,
    consolidate,
    receipt_of,
    undo_consolidation,
)
from cruxstore.facts.journal import MemoryState
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Consolidate, Horizon
from cruxstore.facts.replay import apply
from cruxstore.facts.times import parse_timestamp
from tests.cruxstore.facts.made import (
    consolidate_line,
    delete_line,
    fact_members,
    replayed,
    store_line,
    supersede_line,
    undo_line,
)

NOW = parse_timestamp("2026-03-04T10:00:00.250Z")
OLD, HEAD, NEW = "f_old", "f_head", "f_new"
REQUEST = ConsolidationRequest("week-10", "project:lark", "deploy_ok", "settled", (OLD, HEAD))


@dataclass(frozen=True)
class Case:
    """A request over a chain of two facts; the guards look at the older one first."""

    request: ConsolidationRequest = REQUEST
    old: tuple[tuple[str, Any], ...] = ()

    def asking(self, **changes: Any) -> "Case":
        return replace(self, request=replace(self.request, **changes))

    def with_old(self, **changes: Any) -> "Case":
        return replace(self, old=(*self.old, *changes.items()))


GUARDS: list[tuple[type[ConsolidationRefusedError], Callable[[Case], Case]]] = [
    (NoTargetsError, lambda case: case.asking(target_fact_ids=())),
    (MissingConsolidationIdError, lambda case: case.asking(consolidation_id=" \u3000\t")),
    (DuplicateTargetError, lambda case: case.asking(target_fact_ids=(HEAD, HEAD, *case.request.target_fact_ids))),
    (TargetNotFoundError, lambda case: case.with_old(tenant_hash="acme")),
    (TargetDeletedError, lambda case: case.with_old(deleted=True)),
    (TargetAlreadySupersededError, lambda case: case.with_old(superseded_by="f_elsewhere")),
    (TargetPinnedError, lambda case: case.asking(protected_fact_ids=frozenset({OLD}))),
    (
        TargetDaemonOwnedError,
        lambda case: case.with_old(entity="__ops::node-3").asking(entity="__ops::node-3"),
    ),
    (TargetPrivateError, lambda case: case.with_old(private=True)),
    (TargetReceiptLinkedError, lambda case: case.with_old(source_receipt="crx_1")),
    (TargetHighConfidenceError, lambda case: case.with_old(confidence=0.99)),
    (TargetOutsideEntityKeyError, lambda case: case.with_old(key="another")),
    (
        ImplicitPriorNotTargetError,
        lambda case: case.asking(
            target_fact_ids=tuple(target for target in case.request.target_fact_ids if target != HEAD)
        ),
    ),
]


def state_of(*lines: bytes) -> MemoryState:
    state = MemoryState()
    for line in lines:
        state.absorb(apply(decode_line(line), state, PrivacyPolicy()).effects)
    return state


def merged(case: Case, *, privacy: PrivacyPolicy | None = None) -> Consolidate:
    head = fact_members(HEAD, version=2, entity=case.request.entity)
    state = state_of(store_line(OLD, **dict(case.old)), store_line(**head))
    return merge(case.request, state, privacy=privacy)


def merge(request: ConsolidationRequest, state: MemoryState, *, privacy: PrivacyPolicy | None = None) -> Consolidate:
    return consolidate(
        request,
        tenant="default",
        fact_id=NEW,
        now_ns=NOW.ns,
        view=state,
        read_fact=state.fact,
        privacy=privacy or PrivacyPolicy(),
    )


@pytest.mark.parametrize(("error", "breaks"), GUARDS)
def test_each_guard_refuses_by_its_name(error: type[ConsolidationRefusedError], breaks: Callable[[Case], Case]) -> None:
    with pytest.raises(ConsolidationRefusedError) as refused:
        merged(breaks(Case()))

    assert type(refused.value) is error


@pytest.mark.parametrize(("first", "second"), list(pairwise(GUARDS)))
def test_of_two_guards_that_fail_the_first_counts(first: Any, second: Any) -> None:
    with pytest.raises(ConsolidationRefusedError) as refused:
        merged(first[1](second[1](Case())))

    assert type(refused.value) is first[0]


def test_the_guards_are_named_by_code() -> None:
    assert [error.code for error, _ in GUARDS] == [
        "no_targets",
        "missing_consolidation_id",
        "duplicate_target",
        "target_not_found",
        "target_deleted",
        "target_already_superseded",
        "target_pinned",
        "target_daemon_owned",
        "target_private",
        "target_receipt_linked",
        "target_high_confidence",
        "target_outside_entity_key",
        "implicit_prior_not_target",
    ]


def test_targets_are_looked_at_in_the_order_asked() -> None:
    state = state_of(store_line(OLD, private=True), store_line(HEAD, deleted=True))

    with pytest.raises(TargetPrivateError) as first:
        merge(REQUEST, state)
    with pytest.raises(TargetDeletedError) as second:
        merge(replace(REQUEST, target_fact_ids=(HEAD, OLD)), state)

    assert (first.value.fact_id, second.value.fact_id) == (OLD, HEAD)


def test_an_unknown_target_is_not_found() -> None:
    with pytest.raises(TargetNotFoundError, match="f_nowhere"):
        merged(Case().asking(target_fact_ids=("f_nowhere", HEAD)))


def test_a_target_that_settings_make_private_is_private() -> None:
    with pytest.raises(TargetPrivateError):
        merged(Case(), privacy=PrivacyPolicy(added_prefixes=("project:",)))


def test_the_floor_is_compared_as_32_bits_and_told_to_three_places() -> None:
    with pytest.raises(TargetHighConfidenceError, match=r"confidence 0\.700; from 0\.700 on"):
        merged(Case().with_old(confidence=0.7).asking(protected_confidence_floor=0.7))

    merged(Case().with_old(confidence=0.98999995))


def test_a_floor_that_is_no_number_protects_everything() -> None:
    with pytest.raises(TargetHighConfidenceError):
        merged(Case().asking(protected_confidence_floor=math.nan))


def test_the_canonical_fact_follows_the_head_in_the_bytes_of_the_format() -> None:
    request = replace(REQUEST, confidence=0.8, actor="agent:review", horizon_class=Horizon.STABLE)

    written = encode_operation(merged(Case(request)))

    assert written == (
        b'{"op":"consolidate","canonical":{"fact_id":"f_new","tenant_hash":"default","entity":"project:lark",'
        b'"key":"deploy_ok","value":"settled","source_receipt":"consolidation:week-10","confidence":0.8,'
        b'"stored_at":"2026-03-04T10:00:00.250Z","tokens":2,"deleted":false,"version":3,"supersedes":"f_head",'
        b'"private":false,"horizon_class":"stable","actor":"agent:review"},'
        b'"superseded_fact_ids":["f_old","f_head"],"consolidated_at":"2026-03-04T10:00:00.250+00:00"}'
    )


def test_the_horizon_follows_the_entity_where_none_is_named() -> None:
    operation = merged(Case().with_old(entity="bench:io").asking(entity="bench:io"))

    assert operation.canonical.horizon_class is Horizon.STABLE


def test_the_sources_stand_in_the_order_asked() -> None:
    assert merged(Case().asking(target_fact_ids=(HEAD, OLD))).superseded_fact_ids == (HEAD, OLD)


@pytest.mark.parametrize("confidence", [-0.1, 1.1, math.nan, math.inf, 1e39])
def test_a_confidence_that_is_none_is_refused(confidence: float) -> None:
    with pytest.raises(ConfidenceError):
        merged(Case().asking(confidence=confidence))


@pytest.mark.parametrize("field", ["canonical_value", "consolidation_id", "actor"])
def test_half_a_surrogate_pair_is_refused(field: str) -> None:
    with pytest.raises(TextNotStorableError):
        merged(Case().asking(**{field: "a\ud800"}))


@pytest.mark.parametrize(
    ("value", "digest"),
    [
        ("settled", "2e78833002ec99a9f3b90a521a0eb59b83b0160f16232194c5d4ce0cc7226c51"),
        ("", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
    ],
)
def test_a_value_is_named_by_its_digest(value: str, digest: str) -> None:
    assert canonical_hash(value) == f"blake3:{digest}"


def test_a_receipt_tells_what_was_merged_into_what() -> None:
    assert receipt_of(merged(Case())) == ConsolidationReceipt(
        consolidation_id="week-10",
        canonical_fact_id=NEW,
        canonical_hash=canonical_hash("settled"),
        superseded_fact_ids=(OLD, HEAD),
        source_fact_ids=(OLD, HEAD),
    )


def test_a_merge_is_what_replay_accepts() -> None:
    state = state_of(store_line(OLD), store_line(HEAD, version=2))

    outcome = apply(merge(REQUEST, state), state, PrivacyPolicy())
    state.absorb(outcome.effects)

    assert outcome.skipped is None
    assert state.facts[OLD].superseded_by == state.facts[HEAD].superseded_by == NEW
    assert state.consolidation(NEW) == (OLD, HEAD)


STORED = (store_line(OLD), store_line(HEAD, version=2))
MERGED = (*STORED, consolidate_line(NEW, [HEAD, OLD]))


def undo(state: MemoryState, *sources: str, canonical_id: str = NEW, tenant: str = "default") -> Undo:
    return undo_consolidation(canonical_id, sources, tenant=tenant, now_ns=NOW.ns, view=state)


def test_an_undo_brings_the_sources_back_sorted_in_the_bytes_of_the_format() -> None:
    state = state_of(*MERGED)

    answer = undo(state, OLD, HEAD, OLD)

    assert answer.status is UndoStatus.UNDONE
    assert answer.restored_fact_ids == (HEAD, OLD)
    assert answer.operation is not None
    assert encode_operation(answer.operation) == (
        b'{"op":"consolidate_undo","canonical_fact_id":"f_new","restored_fact_ids":["f_head","f_old"],'
        b'"undone_at":"2026-03-04T10:00:00.250+00:00"}'
    )
    assert apply(answer.operation, state, PrivacyPolicy()).skipped is None


def test_an_undo_that_was_made_before_writes_nothing() -> None:
    state = state_of(*MERGED, undo_line(NEW, [HEAD, OLD]))

    assert undo(state, HEAD, OLD) == Undo(UndoStatus.ALREADY_UNDONE, NEW, (), None)


LATER = store_line("f_later", version=4)
UNDO_GUARDS: list[tuple[type[ConsolidationRefusedError], Sequence[bytes], Sequence[str], str]] = [
    (NoUndoSourcesError, (), (), "f_nowhere"),
    (TargetNotFoundError, (), ("f_x",), "f_nowhere"),
    (NotConsolidationCanonicalError, (*MERGED, supersede_line(HEAD, OLD), LATER), ("f_x",), "f_later"),
    (
        NotConsolidationCanonicalError,
        (*STORED, store_line("f_c", superseded_by="f_later"), LATER),
        ("f_x",),
        "f_c",
    ),
    (CanonicalSupersededError, (*MERGED, LATER, supersede_line(NEW, "f_later")), (OLD,), NEW),
    (UndoSourceMismatchError, MERGED, (OLD,), NEW),
    (UndoSourceMismatchError, MERGED, (OLD, HEAD, "f_x"), NEW),
    (UndoSourceMismatchError, (*MERGED, undo_line(NEW, [HEAD, OLD])), (OLD,), NEW),
    (UndoSourceMismatchError, (*MERGED, undo_line(NEW, [HEAD, OLD]), delete_line(OLD)), (OLD, HEAD), NEW),
    (
        UndoSourceMismatchError,
        (*MERGED, undo_line(NEW, [HEAD, OLD]), LATER, supersede_line(OLD, "f_later")),
        (OLD, HEAD),
        NEW,
    ),
]


@pytest.mark.parametrize(("error", "lines", "sources", "canonical_id"), UNDO_GUARDS)
def test_each_guard_of_an_undo_refuses_in_its_turn(
    error: type[ConsolidationRefusedError], lines: Sequence[bytes], sources: Sequence[str], canonical_id: str
) -> None:
    with pytest.raises(ConsolidationRefusedError) as refused:
        undo(state_of(*lines), *sources, canonical_id=canonical_id)

    assert type(refused.value) is error


def test_a_retired_canonical_is_named_before_sources_that_differ_and_before_an_undo_made_earlier() -> None:
    state = state_of(*MERGED, undo_line(NEW, [HEAD, OLD]), LATER, supersede_line(NEW, "f_later"))

    with pytest.raises(CanonicalSupersededError):
        undo(state, "f_x")
    with pytest.raises(CanonicalSupersededError):
        undo(state, HEAD, OLD)


def test_a_neighbours_merge_is_not_found() -> None:
    with pytest.raises(TargetNotFoundError):
        undo(state_of(*MERGED), HEAD, OLD, tenant="acme")


def test_links_that_were_changed_behind_a_merge_refuse_its_undo() -> None:
    state = state_of(*MERGED)
    state.facts[OLD] = state.facts[OLD]._replace(superseded_by=None)

    with pytest.raises(UndoSourceMismatchError):
        undo(state, HEAD, OLD)


def test_after_a_compaction_an_undone_merge_is_not_found(tmp_path: Path) -> None:
    replay = replayed(tmp_path, *STORED, delete_line(NEW))

    with pytest.raises(TargetNotFoundError):
        undo(replay.state, HEAD, OLD)


ids = st.sampled_from(["f_0", "f_1", "f_2", "f_3"])
lines = st.one_of(
    st.builds(store_line, ids, tenant_hash=st.sampled_from(["default", "acme"]), key=st.sampled_from(["k", "l"])),
    st.builds(supersede_line, ids, ids),
    st.builds(delete_line, ids),
    st.builds(consolidate_line, ids, st.lists(ids, min_size=1, max_size=3, unique=True), key=st.just("k")),
    st.builds(undo_line, ids, st.lists(ids, max_size=3)),
)


@given(st.lists(lines, max_size=12), st.lists(ids, max_size=4))
def test_whatever_is_not_refused_is_what_replay_accepts(journal: list[bytes], targets: list[str]) -> None:
    state = state_of(*journal)
    request = replace(REQUEST, key="k", target_fact_ids=tuple(targets))

    try:
        operation = merge(request, state)
    except ConsolidationRefusedError:
        return
    outcome = apply(operation, state, PrivacyPolicy())
    state.absorb(outcome.effects)
    answer = undo(state, *targets)

    assert outcome.skipped is outcome.ignored is None
    assert answer.operation is not None
    assert apply(answer.operation, state, PrivacyPolicy()).skipped is None
