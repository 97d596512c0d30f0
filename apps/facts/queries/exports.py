"""The current filter as a file: safe CSV, or exact JSONL."""

from collections.abc import Iterator
from typing import Literal

from apps.accounts.rules import Scope
from apps.facts.answers import FactFilter
from apps.facts.files import StoreFiles


def export_facts(
    scope: Scope,
    fact_filter: FactFilter,
    *,
    form: Literal["csv", "jsonl"],
    store: StoreFiles,
    now_ns: int,
) -> Iterator[bytes]:
    """The matching facts in the filter's order, a chunk at a time; stubs are left out."""
    raise NotImplementedError
