"""What an act would write if it were done now: its lines and its event, before anybody decides.

A plan is reckoned by the rules that the door goes by, from the state as it is indexed; nothing is written. What is only
known once it is written stands as a mark: the new fact's id as `f_(new)`, and every time is the plan's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.accounts.rules import Scope
from apps.facts.answers import FactRow
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.policies import Policies
from apps.facts.projector import IndexView
from apps.facts.queries.reading import read_rows
from apps.facts.queries.standing import (
    NotNewestError,
    fact_reader,
    is_seen,
    looking,
    readable_row,
    refuse_held,
    refuse_other_privacy,
    refuse_restoring_outside,
)
from cruxstore.changing import changeable_fact, check_validity
from cruxstore.errors import NotFoundError
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.consolidation import ConsolidationRequest, consolidate, undo_consolidation
from cruxstore.facts.records import ClearSupersede, Delete, Horizon, Operation, SetValidity, Supersede, Timestamp
from cruxstore.facts.records import Store as StoreOne
from cruxstore.facts.state import chain_revision, fact_revision, is_consolidation_source
from cruxstore.facts.times import format_timestamp
from cruxstore.hiding import restored_without, to_delete
from cruxstore.ledger.events import Action
from cruxstore.newfacts import NewFact, build_facts

NEW_ID = "f_(new)"


@dataclass(frozen=True)
class Plan:
    """An act before it is done: its event's action, code and subjects, its lines, and what changes with it.

    `revision` is the version that the act has seen; `version` is the new fact's, where there is one; `before` is the
    chain's newest fact, `retired` those that stop counting, `restored` those that count again.
    """

    action: Action
    subjects: tuple[str, ...]
    lines: tuple[str, ...]
    revision: str
    code: str = ""
    version: int | None = None
    before: FactRow | None = None
    retired: tuple[FactRow, ...] = ()
    restored: tuple[FactRow, ...] = ()


def plan_statement(scope: Scope, new: NewFact, *, store: StoreFiles, now_ns: int, corrected: str | None = None) -> Plan:
    """What stating a fact would write; as the correction of another one, that must be the newest of its chain."""
    with looking(store) as (view, journal):
        refuse_other_privacy(scope, new.entity, new.key, view)
        privacy = Policies.from_process().privacy
        ((fact, before),) = build_facts([new], tenant=scope.tenant, now_ns=now_ns, view=view, privacy=privacy)
        if corrected is not None and (before is None or before.fact_id != corrected):
            raise NotNewestError("A newer version stands. Correct that one.")
        operations: list[Operation] = [StoreOne(fact._replace(fact_id=NEW_ID))]
        retired: list[str] = []
        if before is not None and not is_consolidation_source(before, view):
            operations.append(Supersede(before.fact_id, by_fact_id=NEW_ID, superseded_at=_stamp(now_ns)))
            retired.append(before.fact_id)
        return Plan(
            action=Action.FACT_STORED,
            subjects=(NEW_ID,),
            lines=_spelled(operations),
            revision=chain_revision(view, scope.tenant, new.entity, new.key),
            version=fact.version,
            before=_rows(scope, view, [before.fact_id], journal, now_ns)[0] if before is not None else None,
            retired=_rows(scope, view, retired, journal, now_ns),
        )


def plan_deletion(scope: Scope, fact_id: str, *, restores_replaced: bool, store: StoreFiles, now_ns: int) -> Plan:
    """What deleting a fact would write; `restored` is what would count again, whether it is asked for or not."""
    refuse_held(scope, fact_id)
    with looking(store) as (view, journal):
        privacy = Policies.from_process().privacy
        living = to_delete([fact_id], tenant=scope.tenant, view=view, privacy=privacy)
        if restores_replaced:
            refuse_restoring_outside(scope, living, view)
        again = [one for one in restored_without(living, view) if is_seen(scope, one, view)]
        operations: list[Operation] = [Delete(one, deleted_at=_stamp(now_ns)) for one in living]
        if restores_replaced:
            operations += [ClearSupersede(one, cleared_at=_stamp(now_ns)) for one in again]
        return Plan(
            action=Action.FACT_DELETED,
            subjects=(fact_id,),
            lines=_spelled(operations),
            revision=fact_revision(view, fact_id),
            restored=_rows(scope, view, again, journal, now_ns),
        )


def plan_validity(
    scope: Scope,
    fact_id: str,
    *,
    valid_from: Timestamp | None,
    valid_to: Timestamp | None,
    store: StoreFiles,
    now_ns: int,
) -> Plan:
    """What setting a fact's validity would write."""
    check_validity(valid_from, valid_to)
    operation = SetValidity(fact_id, valid_from, valid_to, set_at=_stamp(now_ns))
    return _about_one(scope, fact_id, Action.FACT_VALIDITY_SET, store=store, operations=[operation])


def plan_horizon(scope: Scope, fact_id: str, horizon: Horizon, *, store: StoreFiles) -> Plan:
    """What setting a fact's horizon would write: an event alone."""
    return _about_one(scope, fact_id, Action.FACT_HORIZON_SET, store=store, code=horizon.value)


def plan_verification(scope: Scope, fact_id: str, *, store: StoreFiles) -> Plan:
    """What verifying a fact again would write: an event alone."""
    return _about_one(scope, fact_id, Action.FACT_REVERIFIED, store=store)


def plan_merge(scope: Scope, request: ConsolidationRequest, *, store: StoreFiles, now_ns: int) -> Plan:
    """What a merge would write, or the refusal of the first guard that fails."""
    with looking(store) as (view, journal):
        refuse_other_privacy(scope, request.entity, request.key, view)
        operation = consolidate(
            request,
            tenant=scope.tenant,
            fact_id=NEW_ID,
            now_ns=now_ns,
            view=view,
            read_fact=fact_reader(scope, journal),
            privacy=Policies.from_process().privacy,
        )
        sources = operation.superseded_fact_ids
        return Plan(
            action=Action.FACT_CONSOLIDATED,
            subjects=(*sources, NEW_ID),
            lines=_spelled([operation]),
            revision=chain_revision(view, scope.tenant, request.entity, request.key),
            version=operation.canonical.version,
            retired=_rows(scope, view, sources, journal, now_ns),
        )


def plan_merge_undo(scope: Scope, fact_id: str, *, store: StoreFiles, now_ns: int) -> Plan:
    """What taking a merge back would write, or the refusal of the first guard that fails."""
    readable_row(scope, fact_id)
    with looking(store) as (view, journal):
        sources = view.consolidation(fact_id) or ()
        undo = undo_consolidation(fact_id, sources, tenant=scope.tenant, now_ns=now_ns, view=view)
        return Plan(
            action=Action.FACT_CONSOLIDATION_UNDONE,
            subjects=(fact_id, *undo.restored_fact_ids),
            lines=_spelled([undo.operation] if undo.operation is not None else []),
            revision=fact_revision(view, fact_id),
            restored=_rows(scope, view, undo.restored_fact_ids, journal, now_ns),
        )


def _about_one(
    scope: Scope,
    fact_id: str,
    action: Action,
    *,
    store: StoreFiles,
    operations: Sequence[Operation] = (),
    code: str = "",
) -> Plan:
    readable_row(scope, fact_id)
    with looking(store) as (view, _):
        changeable_fact(fact_id, tenant=scope.tenant, view=view, privacy=Policies.from_process().privacy)
        return Plan(
            action=action,
            subjects=(fact_id,),
            lines=_spelled(operations),
            revision=fact_revision(view, fact_id),
            code=code,
        )


def _rows(
    scope: Scope, view: IndexView, fact_ids: Sequence[str], journal: JournalFile, now_ns: int
) -> tuple[FactRow, ...]:
    known = [row.id for fact_id in fact_ids if (row := view.fact(fact_id)) is not None]
    if len(known) < len(fact_ids):
        raise NotFoundError("There is no such fact.")
    return read_rows(known, scope, journal, now_ns)


def _spelled(operations: Sequence[Operation]) -> tuple[str, ...]:
    return tuple(encode_operation(operation).decode() for operation in operations)


def _stamp(now_ns: int) -> str:
    return format_timestamp(now_ns, zulu=False)
