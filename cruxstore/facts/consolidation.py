"""Facts merged into one canonical fact, and a merge taken back: what is asked becomes one operation or one refusal.

The guards of a merge, the first that fails counts; 3 to 12 look at one target after the other, in the order asked:

1. no targets                    8. the target is the daemon's own
2. no id of its own              9. it is private
3. a target named twice         10. it is backed by a receipt
4. unknown, or of a neighbour   11. it is as certain as the floor, or more
5. deleted                      12. it is about another entity or key
6. retired already              13. the newest fact of the chain is not among the targets
7. protected by whoever asks

The guards of an undo: no sources named; the canonical fact unknown; not canonical; retired since; the sources named are
not exactly those merged; the links are not as the merge left them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import blake3

from cruxstore.errors import (
    CanonicalSupersededError,
    ConfidenceError,
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
from cruxstore.facts.blanks import is_blank_text
from cruxstore.facts.decay import default_horizon
from cruxstore.facts.floats import round_to_f32
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Consolidate, ConsolidateUndo, Fact, Horizon, token_count
from cruxstore.facts.state import FactState, StateView, chain_head
from cruxstore.facts.times import format_timestamp, timestamp_from_ns

CONFIDENCE_FLOOR: Final = 0.99
RECEIPT_PREFIX: Final = "consolidation:"

FactReader = Callable[[str], Fact | None]
"""Answers the whole record of a fact, of which a view shows only the part that replay needs."""


@dataclass(frozen=True, slots=True)
class ConsolidationRequest:
    """What somebody asks to be merged into what."""

    consolidation_id: str
    entity: str
    key: str
    canonical_value: str
    target_fact_ids: tuple[str, ...]
    protected_fact_ids: frozenset[str] = frozenset()
    confidence: float = 1.0
    actor: str | None = None
    horizon_class: Horizon | None = None
    protected_confidence_floor: float = CONFIDENCE_FLOOR


@dataclass(frozen=True, slots=True)
class ConsolidationReceipt:
    """What whoever asked for a merge takes away; `canonical_hash` lets them prove which value they chose."""

    consolidation_id: str
    canonical_fact_id: str
    canonical_hash: str
    superseded_fact_ids: tuple[str, ...]
    source_fact_ids: tuple[str, ...]


class UndoStatus(StrEnum):
    """What became of an undo."""

    UNDONE = "undone"
    ALREADY_UNDONE = "already_undone"


@dataclass(frozen=True, slots=True)
class Undo:
    """The answer to an undo; without an operation where it had been taken back before, and nothing is to be written."""

    status: UndoStatus
    canonical_fact_id: str
    restored_fact_ids: tuple[str, ...]
    operation: ConsolidateUndo | None


def consolidate(
    request: ConsolidationRequest,
    *,
    tenant: str,
    fact_id: str,
    now_ns: int,
    view: StateView,
    read_fact: FactReader,
    privacy: PrivacyPolicy,
) -> Consolidate:
    """The operation that merges what is asked under a new fact id, or the refusal of the first guard that fails.

    A confidence outside 0 to 1 and a text that no journal can hold are refused after the guards.
    """
    if not request.target_fact_ids:
        raise NoTargetsError("No facts were named. Choose the facts to merge.")
    if is_blank_text(request.consolidation_id):
        raise MissingConsolidationIdError("The merge has no id. Give it one.")
    seen: set[str] = set()
    for target_id in request.target_fact_ids:
        _check_target(target_id, request, tenant, seen, view, read_fact, privacy)
        seen.add(target_id)
    head = chain_head(view, tenant, request.entity, request.key)
    if head is not None and head.fact_id not in seen:
        raise ImplicitPriorNotTargetError(
            head.fact_id, f"The newest fact, {head.fact_id}, would be retired without being named. Choose it too."
        )
    canonical = _canonical(request, tenant, fact_id, now_ns, head)
    return Consolidate(canonical, request.target_fact_ids, format_timestamp(now_ns, zulu=False))


def receipt_of(operation: Consolidate) -> ConsolidationReceipt:
    """The receipt of a merge; the same whenever it is made."""
    canonical, sources = operation.canonical, operation.superseded_fact_ids
    return ConsolidationReceipt(
        consolidation_id=(canonical.source_receipt or "").removeprefix(RECEIPT_PREFIX),
        canonical_fact_id=canonical.fact_id,
        canonical_hash=canonical_hash(canonical.value),
        superseded_fact_ids=sources,
        source_fact_ids=sources,
    )


def canonical_hash(value: str) -> str:
    """The digest by which a receipt names a value."""
    return f"blake3:{blake3.blake3(value.encode()).hexdigest()}"


def undo_consolidation(
    canonical_fact_id: str, source_fact_ids: Sequence[str], *, tenant: str, now_ns: int, view: StateView
) -> Undo:
    """What takes a merge back, given exactly the facts that it merged, or the refusal of the first guard that fails."""
    if not source_fact_ids:
        raise NoUndoSourcesError("No facts were named. Name every fact that was merged.")
    canonical = view.fact(canonical_fact_id)
    if canonical is None or canonical.tenant_hash != tenant:
        raise TargetNotFoundError(canonical_fact_id, f"There is no fact {canonical_fact_id}.")
    sources = view.consolidation(canonical_fact_id)
    if sources is None:
        raise NotConsolidationCanonicalError(f"{canonical_fact_id} is not the result of a merge.")
    if canonical.superseded_by is not None:
        raise CanonicalSupersededError(
            f"{canonical_fact_id} was retired by {canonical.superseded_by}. Clear that first, then undo the merge."
        )
    restored = tuple(sorted(set(source_fact_ids)))
    if restored != tuple(sorted(set(sources))):
        raise UndoSourceMismatchError("The facts named are not exactly those that were merged. Name every one of them.")
    if canonical.deleted:
        if not _all_stand(restored, tenant, None, view):
            raise UndoSourceMismatchError("The merge is taken back, but a fact that it had merged has changed since.")
        return Undo(UndoStatus.ALREADY_UNDONE, canonical_fact_id, (), None)
    if not _all_stand(restored, tenant, canonical_fact_id, view):
        raise UndoSourceMismatchError("A fact that was merged is no longer as the merge left it.")
    operation = ConsolidateUndo(canonical_fact_id, restored, format_timestamp(now_ns, zulu=False))
    return Undo(UndoStatus.UNDONE, canonical_fact_id, restored, operation)


def _check_target(
    target_id: str,
    request: ConsolidationRequest,
    tenant: str,
    seen: set[str],
    view: StateView,
    read_fact: FactReader,
    privacy: PrivacyPolicy,
) -> None:
    if target_id in seen:
        raise DuplicateTargetError(target_id, f"{target_id} was named twice. Name each fact once.")
    state, fact = view.fact(target_id), read_fact(target_id)
    if state is None or fact is None or state.tenant_hash != tenant:
        raise TargetNotFoundError(target_id, f"There is no fact {target_id}.")
    if state.deleted:
        raise TargetDeletedError(target_id, f"{target_id} is deleted. Leave it out.")
    if state.superseded_by is not None:
        raise TargetAlreadySupersededError(target_id, f"{target_id} was retired by {state.superseded_by}.")
    if target_id in request.protected_fact_ids:
        raise TargetPinnedError(target_id, f"{target_id} is protected. Leave it out, or take the protection away.")
    if privacy.is_daemon_owned(state.entity):
        raise TargetDaemonOwnedError(target_id, f"{target_id} belongs to the daemon and cannot be merged.")
    if fact.private or privacy.is_born_private(state.entity):
        raise TargetPrivateError(target_id, f"{target_id} is private and cannot be merged.")
    if fact.source_receipt is not None:
        raise TargetReceiptLinkedError(target_id, f"{target_id} is backed by a receipt and cannot be merged.")
    floor = round_to_f32(request.protected_confidence_floor)
    # a floor that is no number protects everything
    if not fact.confidence < floor:
        raise TargetHighConfidenceError(
            target_id, f"{target_id} has confidence {fact.confidence:.3f}; from {floor:.3f} on, facts are not merged."
        )
    if (state.entity, state.key) != (request.entity, request.key):
        raise TargetOutsideEntityKeyError(target_id, f"{target_id} is about another entity or key. Leave it out.")


def _canonical(request: ConsolidationRequest, tenant: str, fact_id: str, now_ns: int, head: FactState | None) -> Fact:
    if not (math.isfinite(request.confidence) and 0 <= request.confidence <= 1):
        raise ConfidenceError("A confidence is a number from 0 to 1.")
    try:
        f"{request.consolidation_id}{request.actor}".encode()
        tokens = token_count(request.canonical_value)
    except UnicodeEncodeError as error:
        raise TextNotStorableError("A text of the merge holds a lone surrogate.") from error
    return Fact(
        fact_id=fact_id,
        tenant_hash=tenant,
        entity=request.entity,
        key=request.key,
        value=request.canonical_value,
        source_receipt=f"{RECEIPT_PREFIX}{request.consolidation_id}",
        confidence=round_to_f32(request.confidence),
        stored_at=timestamp_from_ns(now_ns),
        tokens=tokens,
        version=1 if head is None else head.version + 1,
        supersedes=None if head is None else head.fact_id,
        horizon_class=default_horizon(request.entity) if request.horizon_class is None else request.horizon_class,
        actor=request.actor,
    )


def _all_stand(source_ids: Sequence[str], tenant: str, superseded_by: str | None, view: StateView) -> bool:
    """Whether all sources are live, of the tenant, and retired by just this fact, or by none."""
    sources = map(view.fact, source_ids)
    return all(
        source is not None
        and not source.deleted
        and source.tenant_hash == tenant
        and source.superseded_by == superseded_by
        for source in sources
    )
