"""The list of facts: filter, facets, search, keyset pages."""

from apps.accounts.rules import Scope
from apps.facts.answers import FactFilter, FactsPage
from apps.facts.files import StoreFiles


def find_facts(scope: Scope, fact_filter: FactFilter, *, store: StoreFiles, now_ns: int) -> FactsPage:
    """One page of the facts that the filter lets through, with exact counts where they are not capped."""
    raise NotImplementedError
