"""The address is the filter: what it says in words, and the addresses one step away."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from apps.facts.answers import FACET_LABELS, OTHER, STATES, VALUE_LABELS, Count, Facet, FactFilter
from apps.facts.presentation.words import confidence

FACET_VALUES = 7

_WORDS = {**VALUE_LABELS, OTHER: "other"}
FACET_TERMS = {"freshness": "freshness", "state": "state", "kind": "entity", "horizon": "horizon", "actor": "actor"}
_NAMES = {"import_id": "import"}
_ORDERS = {
    "-recorded": "newest first",
    "recorded": "oldest first",
    "-effective": "most confident first",
    "effective": "least confident first",
    "entity": "by entity and key",
    "-entity": "by entity and key, last first",
}


@dataclass(frozen=True)
class Chip:
    """One active filter in words, and the query without it."""

    words: str
    without: str


@dataclass(frozen=True)
class ShownValue:
    """One choice of a facet with the id that keeps the focus on it."""

    id: str
    value: str
    label: str
    count: Count
    is_on: bool


@dataclass(frozen=True)
class ShownFacet:
    """A facet in two parts: what is in sight, and what is one step away."""

    name: str
    label: str
    term: str
    first: tuple[ShownValue, ...]
    rest: tuple[ShownValue, ...]


@dataclass(frozen=True)
class SortLink:
    """A column head: the query that sorts by it next, and how it sorts now (empty where it does not)."""

    query: str
    aria: str


def query_of(fact_filter: FactFilter, *, after: str = "", before: str = "") -> str:
    """The query string of a filter, at its first page or at the place given."""
    pairs = []
    for each in fields(FactFilter):
        value = getattr(fact_filter, each.name)
        if value == each.default or each.name in {"after", "before"}:
            continue
        for item in value if isinstance(value, tuple) else (value,):
            pairs.append((_NAMES.get(each.name, each.name), item))
    pairs += [(name, place) for name, place in (("after", after), ("before", before)) if place]
    return urlencode(pairs)


def place_of(**parts: str) -> str:
    """The query string of a page of another list; what is empty is left out."""
    return urlencode({name: part for name, part in parts.items() if part})


def chips_of(fact_filter: FactFilter) -> tuple[Chip, ...]:
    """Every active filter, and that deleted facts are left out where no state was asked for."""
    chips = []

    def chip(words: str, **changes: object) -> None:
        chips.append(Chip(words, query_of(replace(fact_filter, **changes))))  # type: ignore[arg-type] # by name

    if fact_filter.q:
        chip(f"Contains {fact_filter.q}", q="")
    for name, word in FACET_LABELS.items():
        values = getattr(fact_filter, name)
        if values and set(values) != set(STATES):
            chip(f"{word} is {' or '.join(_WORDS.get(value, value) for value in values)}", **{name: ()})
    if not fact_filter.state:
        chip("Not deleted", state=STATES)
    if fact_filter.entity:
        chip(f"Entity is {fact_filter.entity}", entity="")
    if fact_filter.key:
        chip(f"Key is {fact_filter.key}", key="")
    if fact_filter.import_id:
        chip(f"From import {fact_filter.import_id}", import_id="")
    if fact_filter.min_confidence is not None:
        chip(f"Confidence at least {confidence(fact_filter.min_confidence)}", min_confidence=None)
    return tuple(chips)


def folded(facets: Iterable[Facet]) -> tuple[ShownFacet, ...]:
    """Each facet with what is chosen and its largest choices in sight, the others behind a word."""
    shown = []
    for facet in facets:
        values = [
            ShownValue(f"f-{facet.name}-{number}", value.value, value.label, value.count, value.is_on)
            for number, value in enumerate(facet.values)
        ]
        first = [value for at, value in enumerate(values) if at < FACET_VALUES or value.is_on]
        if len(values) == len(first) + 1:
            first = values
        rest = [value for value in values if value not in first]
        shown.append(ShownFacet(facet.name, facet.label, FACET_TERMS.get(facet.name, ""), tuple(first), tuple(rest)))
    return tuple(shown)


def sort_links(fact_filter: FactFilter) -> dict[str, SortLink]:
    """The heads that sort, by name: the first step is the useful one, the second turns it round."""
    links = {}
    for name, first in (("entity", "entity"), ("effective", "-effective"), ("recorded", "-recorded")):
        other = first.removeprefix("-") if first.startswith("-") else f"-{first}"
        aria = ""
        if fact_filter.sort in {first, other}:
            aria = "descending" if fact_filter.sort.startswith("-") else "ascending"
        then = other if fact_filter.sort == first else first
        links[name] = SortLink(query_of(replace(fact_filter, sort=then)), aria)
    return links


def order_words(fact_filter: FactFilter) -> str:
    """The order in words."""
    return _ORDERS[fact_filter.sort]


def page_words(fact_filter: FactFilter) -> tuple[str, str]:
    """What the two ways of the pager are called in this order."""
    return {
        "-recorded": ("Newer", "Older"),
        "recorded": ("Older", "Newer"),
    }.get(fact_filter.sort, ("Previous", "Next"))
