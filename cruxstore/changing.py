"""Which facts may be changed, and which changes are refused before a byte is written.

1. A fact of another tenant is as absent as a missing one; the daemon's own facts are the daemon's to change.
2. A fact is retired by another one that is in use: not by itself, not by a deleted one, not by one that it retires.
3. A source of a consolidation is neither retired nor brought back by itself.
4. Validity ends after it starts; an absent bound is open.
"""

from cruxstore.errors import (
    ConsolidationMemberError,
    NotFoundError,
    ReservedEntityError,
    SupersedeRefusedError,
    ValidityError,
)
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Timestamp
from cruxstore.facts.state import FactState, StateView, is_consolidation_source


def known_fact(fact_id: str, *, tenant: str, view: StateView) -> FactState:
    """A fact of this tenant, deleted or not; NotFoundError otherwise."""
    fact = view.fact(fact_id)
    if fact is None or fact.tenant_hash != tenant:
        raise NotFoundError("There is no such fact.")
    return fact


def changeable_fact(fact_id: str, *, tenant: str, view: StateView, privacy: PrivacyPolicy) -> FactState:
    """A fact of this tenant that people may change."""
    fact = known_fact(fact_id, tenant=tenant, view=view)
    if privacy.is_daemon_owned(fact.entity):
        raise ReservedEntityError("The fact belongs to the daemon.")
    return fact


def check_supersede(fact: FactState, by: FactState, view: StateView) -> None:
    """Refuses to retire a fact in favour of one that could not stand for it."""
    if is_consolidation_source(fact, view):
        raise ConsolidationMemberError("The fact belongs to a consolidation. Undo that first.")
    if by.deleted:
        raise SupersedeRefusedError("The fact that is to count instead is deleted. Choose another.")
    seen: set[str] = set()
    follower: FactState | None = by
    while follower is not None and follower.fact_id not in seen:
        if follower.fact_id == fact.fact_id:
            raise SupersedeRefusedError("The fact would be retired by itself, directly or in a circle. Choose another.")
        seen.add(follower.fact_id)
        follower = view.fact(follower.superseded_by) if follower.superseded_by is not None else None


def check_clear_supersede(fact: FactState, view: StateView) -> None:
    """Refuses to bring back what only an undo brings back."""
    if is_consolidation_source(fact, view):
        raise ConsolidationMemberError("The fact belongs to a consolidation. Undo that first.")


def check_validity(valid_from: Timestamp | None, valid_to: Timestamp | None) -> None:
    """Refuses a validity that ends before it starts, or as it starts."""
    if valid_from is not None and valid_to is not None and valid_to.ns <= valid_from.ns:
        raise ValidityError("A fact's validity ends before it starts.")
