"""What is asked for: fixed, so that figures can be compared over the years."""

from datetime import date, timedelta
from urllib.parse import urlencode

from apps.facts.bench.journal import change_number, entity_name

FILTER_PAIRS: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = (
    (("freshness", "stale"), ("kind", "service:")),
    (("freshness", "fresh"), ("actor", "deploy-bot")),
    (("state", "current"), ("kind", "customer:")),
    (("state", "current"), ("actor", "support-copilot")),
    (("state", "superseded"), ("horizon", "medium")),
    (("state", "deleted"), ("kind", "incident:")),
    (("horizon", "volatile"), ("actor", "triage-7")),
    (("horizon", "stable"), ("kind", "bench:")),
    (("horizon", "none"), ("freshness", "fresh")),
    (("kind", "person:"), ("actor", "curator")),
    (("marks", "private"), ("actor", "edge-agent-3")),
    (("kind", "project:"), ("horizon", "none")),
)
"""Twelve pairs of facets; each page is sorted by effective confidence."""

RARE_TERMS = tuple(
    change_number(number) for number in (12, 345, 1_234, 2_718, 3_141, 4_471, 5_772, 6_180, 7_389, 9_001)
)
"""Half of the searches: in one fact, or in none where that fact's sentence has no number."""

FREQUENT_TERMS = ("rolled back", "threshold", "failover", "95th percentile", "staging", "dead-letter queue")
"""Three of ten: each in more than one of twenty facts."""

ADDRESSES = (
    entity_name("service:", 0),
    entity_name("customer:", 3),
    entity_name("incident:", 20),
    f"{entity_name('service:', 1)} deploy_gate",
)
"""Two of ten: an entity, or an entity and a key."""

MOMENTS = 48
LAST_DAY = date(2026, 11, 30)
EIGHTEEN_MONTHS_DAYS = 548

SEARCHES = (*RARE_TERMS, *FREQUENT_TERMS, *ADDRESSES)


def page_paths() -> tuple[str, ...]:
    """The addresses of the pages with a pair of filters."""
    return tuple(_facts([*pair, ("sort", "-effective")]) for pair in FILTER_PAIRS)


def search_paths() -> tuple[str, ...]:
    """The addresses of the searches."""
    return tuple(_facts([("q", term)]) for term in SEARCHES)


def clock_paths(facts: int) -> tuple[tuple[str, str], ...]:
    """Pages now, each with the same as known on a line about a day: lines over all of them, days over 18 months."""
    pairs = []
    for number in range(MOMENTS):
        line = 1 + facts * (2 * number + 1) // (2 * MOMENTS)
        about = LAST_DAY - timedelta(days=number * 37 % EIGHTEEN_MONTHS_DAYS)
        clocks = [("known", f"line {line}"), ("about", f"{about:%Y-%m-%d}T00:00:00Z")]
        filters = [*FILTER_PAIRS[number % len(FILTER_PAIRS)], ("sort", "-effective")]
        pairs.append((_facts(filters), _facts([*filters, *clocks])))
    return tuple(pairs)


def mixed_paths() -> tuple[str, ...]:
    """The addresses that a person goes through in a day: lists, searches, entities, the overview."""
    return (*page_paths(), *search_paths(), "/t/default/", "/t/default/entities/", "/t/default/counts/")


def _facts(query: list[tuple[str, str]]) -> str:
    return f"/t/default/facts/?{urlencode(query)}"
