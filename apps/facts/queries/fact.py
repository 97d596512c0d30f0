"""One fact with everything that is known about it."""

from apps.accounts.rules import Scope
from apps.facts.answers import FactDetail
from apps.facts.files import StoreFiles


def get_fact(scope: Scope, fact_id: str, *, store: StoreFiles, now_ns: int) -> FactDetail:
    """The fact with versions, lines, holds and events; NotFoundError alike for a missing and a foreign one."""
    raise NotImplementedError
