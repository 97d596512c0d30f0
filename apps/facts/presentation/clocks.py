"""The two clocks of a page: what stands in their fields, what they were resolved to, and the addresses of a step."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo
from urllib.parse import parse_qsl, urlencode

from apps.facts.answers import Clocks, FactFilter, FactsPage, Steps
from apps.facts.clock_rules import READERS, Mark, known_of
from apps.facts.presentation.address import query_of
from apps.facts.presentation.drawings import in_zone
from apps.facts.rules import moment_of

NOW = "now"

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ClockBar:
    """Two fields and what surrounds them; `kept` is the rest of the address, `suffix` what links to facts carry on."""

    known: str
    about: str
    clocks: Clocks
    kept: Pairs
    now_query: str
    previous_query: str
    next_query: str
    suffix: str


def clock_bar(
    known: str, about: str, clocks: Clocks, steps: Steps, kept: Iterable[tuple[str, str]], zone: tzinfo
) -> ClockBar:
    """The bar of a page at these moments, as its address holds them; `kept` are the other pairs of the address."""
    others = tuple(kept)

    def query(known: str) -> str:
        return urlencode([*others, *_pairs(known, about)])

    return ClockBar(
        known=field_text(known, zone, "known"),
        about=field_text(about, zone, "about"),
        clocks=clocks,
        kept=others,
        now_query=urlencode(others),
        previous_query=query(steps.previous) if steps.previous else "",
        next_query=query(steps.next) if steps.next else "",
        suffix=clock_suffix(known, about),
    )


def list_clocks(chosen: FactFilter, page: FactsPage, zone: tzinfo) -> ClockBar:
    """The bar of the list: the rest of the address is its filter."""
    kept = parse_qsl(query_of(replace(chosen, known="", about="")))
    return clock_bar(chosen.known, chosen.about, page.clocks, page.steps, kept, zone)


def clock_suffix(known: str, about: str) -> str:
    """What a link to another page at the same moments ends with; empty for now."""
    pairs = _pairs(known, about)
    return f"?{urlencode(pairs)}" if pairs else ""


def field_text(held: str, zone: tzinfo, clock: str) -> str:
    """What stands in a field (`known` or `about`) for what an address holds: an instant in the person's zone.

    A day that the field would read as this very instant is written as the day.
    """
    moment = known_of(held)
    if moment is None:
        return NOW
    if isinstance(moment, Mark):
        return f"{moment.kind} {moment.number}"
    local = in_zone(moment_of(moment), zone)
    day = local.strftime("%Y-%m-%d")
    if READERS[clock](day, zone) == held:
        return day
    if local.microsecond:
        return local.strftime("%Y-%m-%d %H:%M:%S.%f")
    return local.strftime("%Y-%m-%d %H:%M:%S" if local.second else "%Y-%m-%d %H:%M")


def _pairs(known: str, about: str) -> Pairs:
    return tuple((name, held) for name, held in (("known", known), ("about", about)) if held)
