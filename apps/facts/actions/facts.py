"""What a person can do with a fact: state, correct, delete, set validity and horizon, verify again, merge and undo.

Each act is one event. `expected` is the version that the person has seen; `act` names what they sent, so that sending
it twice does it once. A fact whose text the person may not read is as absent as a missing one.
"""

from dataclasses import dataclass

from apps.accounts.rules import Principal, Right, Scope, require
from apps.facts.acting import acting
from apps.facts.journal import JournalFile
from apps.facts.queries.standing import (
    fact_reader,
    readable_row,
    refuse_held,
    refuse_other_privacy,
    refuse_restoring_outside,
)
from cruxstore.door import NewFact, Receipt, Store
from cruxstore.facts.consolidation import ConsolidationRequest
from cruxstore.facts.records import Horizon, Timestamp
from cruxstore.ledger.events import Actor


@dataclass(frozen=True)
class Asked:
    """Who asks for an act, the version they have seen, and their own name for the act."""

    principal: Principal
    expected: str
    act: str

    @property
    def actor(self) -> Actor:
        """The person as events name them."""
        return Actor(kind=self.principal.kind, id=self.principal.principal_id)


def state_fact(store: Store, scope: Scope, new: NewFact, *, asked: Asked) -> Receipt:
    """Stores a fact at the head of its chain, retiring the one before."""
    require(asked.principal, Right.STATE, scope.tenant)
    with acting(store) as (door, view):
        refuse_other_privacy(scope, new.entity, new.key, view)
        expected = {(new.entity, new.key): asked.expected}
        return door.store_facts(asked.actor, scope.tenant, [new], view=view, expected=expected, act=asked.act)


def correct_fact(store: Store, scope: Scope, fact_id: str, new: NewFact, *, asked: Asked) -> Receipt:
    """Stores a new version of a fact that is the newest of its chain."""
    require(asked.principal, Right.STATE, scope.tenant)
    readable_row(scope, fact_id)
    return state_fact(store, scope, new, asked=asked)


def delete_fact(store: Store, scope: Scope, fact_id: str, *, restores_replaced: bool, asked: Asked) -> Receipt:
    """Hides a fact that no hold covers; with `restores_replaced`, what it had retired counts again."""
    require(asked.principal, Right.DELETE, scope.tenant)
    with acting(store) as (door, view):
        refuse_held(scope, fact_id)
        if restores_replaced:
            refuse_restoring_outside(scope, [fact_id], view)
        return door.delete_facts(
            asked.actor,
            scope.tenant,
            [fact_id],
            view=view,
            expected={fact_id: asked.expected},
            restores_replaced=restores_replaced,
            act=asked.act,
        )


def set_validity(
    store: Store,
    scope: Scope,
    fact_id: str,
    *,
    valid_from: Timestamp | None,
    valid_to: Timestamp | None,
    asked: Asked,
) -> Receipt:
    """Says from when to when a fact holds in the world; None leaves an end open."""
    require(asked.principal, Right.CHANGE, scope.tenant)
    readable_row(scope, fact_id)
    with acting(store) as (door, view):
        return door.set_validity(
            asked.actor,
            scope.tenant,
            fact_id,
            valid_from,
            valid_to,
            view=view,
            expected=asked.expected,
            act=asked.act,
        )


def set_horizon(store: Store, scope: Scope, fact_id: str, horizon: Horizon, *, asked: Asked) -> Receipt:
    """Says how fast a fact ages; an event alone."""
    require(asked.principal, Right.CHANGE, scope.tenant)
    readable_row(scope, fact_id)
    with acting(store) as (door, view):
        return door.set_horizon(
            asked.actor, scope.tenant, fact_id, horizon, view=view, expected=asked.expected, act=asked.act
        )


def verify_again(store: Store, scope: Scope, fact_id: str, *, asked: Asked) -> Receipt:
    """Says that a fact was looked at and still holds; an event alone."""
    require(asked.principal, Right.CHANGE, scope.tenant)
    readable_row(scope, fact_id)
    with acting(store) as (door, view):
        return door.reverify(asked.actor, scope.tenant, fact_id, view=view, expected=asked.expected, act=asked.act)


def merge_facts(store: Store, scope: Scope, request: ConsolidationRequest, *, asked: Asked) -> Receipt:
    """Merges facts of one entity and key into a new one, by the guards of the format."""
    require(asked.principal, Right.CONSOLIDATE, scope.tenant)
    with acting(store) as (door, view), JournalFile(store.journal_path) as journal:
        refuse_other_privacy(scope, request.entity, request.key, view)
        return door.consolidate(
            asked.actor,
            scope.tenant,
            request,
            view=view,
            read_fact=fact_reader(scope, journal),
            expected=asked.expected,
            act=asked.act,
        )


def undo_merge(store: Store, scope: Scope, fact_id: str, *, asked: Asked) -> Receipt:
    """Takes a merge back: what was merged counts again, and the merged fact is hidden."""
    require(asked.principal, Right.CONSOLIDATE, scope.tenant)
    readable_row(scope, fact_id)
    with acting(store) as (door, view):
        sources = view.consolidation(fact_id) or ()
        return door.consolidate_undo(
            asked.actor, scope.tenant, fact_id, sources, view=view, expected=asked.expected, act=asked.act
        )
