"""Every question the pages ask about facts; each takes the scope first and never answers beyond it."""

from apps.facts.queries.belief import compare_moments, get_belief
from apps.facts.queries.compaction import compaction_outlook
from apps.facts.queries.entities import find_entities, get_entity
from apps.facts.queries.exports import export_facts
from apps.facts.queries.fact import get_fact, read_line
from apps.facts.queries.facts import find_facts
from apps.facts.queries.ledger import LedgerFilter, LedgerPage, find_events
from apps.facts.queries.overview import overview
from apps.facts.queries.status import store_counts, store_status

__all__ = [
    "LedgerFilter",
    "LedgerPage",
    "compaction_outlook",
    "compare_moments",
    "export_facts",
    "find_entities",
    "find_events",
    "find_facts",
    "get_belief",
    "get_entity",
    "get_fact",
    "overview",
    "read_line",
    "store_counts",
    "store_status",
]
