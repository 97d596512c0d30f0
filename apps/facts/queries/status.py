"""How the store and its index are."""

from apps.accounts.rules import Scope
from apps.facts.answers import StoreCounts, StoreStatus
from apps.facts.files import StoreFiles


def store_status(*, store: StoreFiles, now_ns: int) -> StoreStatus:
    """The whole store, every tenant in it; the caller has checked that an operator asks."""
    raise NotImplementedError


def store_counts(scope: Scope, *, store: StoreFiles, now_ns: int) -> StoreCounts:
    """One tenant's numbers and the index position."""
    raise NotImplementedError
