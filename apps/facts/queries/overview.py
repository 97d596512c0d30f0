"""What a curator wants at nine in the morning."""

from apps.accounts.rules import Scope
from apps.facts.answers import Overview
from apps.facts.files import StoreFiles


def overview(scope: Scope, *, store: StoreFiles, now_ns: int) -> Overview:
    """New, stale, contradicting and soon stale facts of the tenant, since a day ago."""
    raise NotImplementedError
