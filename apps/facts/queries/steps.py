"""The moments at which something changed, to step from one to the next; no step ends inside an act."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from apps.accounts.rules import Scope
from apps.facts.answers import Clocks, Steps
from apps.facts.models import FactLine, IndexedFact, LedgerEvent
from apps.facts.projector.settings import answering_generation, said_of
from apps.facts.rules import EVENT_BITS, event_place, first_row, line_place
from apps.facts.sql import fetch

_SEQ_MASK = (1 << EVENT_BITS) - 1
_NOW = 1 << 62
_ACT = (
    "SELECT seq, lines + own_lines FROM facts_ledgerevent WHERE generation = %s AND lines < %s"
    " ORDER BY lines DESC, seq DESC LIMIT 1"
)


def steps_of(rows: Sequence[IndexedFact]) -> list[int]:
    """The places at which any of these facts came or changed, in order."""
    said = said_of([row.fact_id for row in rows])
    events = (one.place for some in said.values() for one in some)
    return sorted({*line_ends(rows, changes_of(rows)).values(), *events})


def changes_of(rows: Sequence[IndexedFact]) -> list[tuple[int, str, int]]:
    """The later lines that changed any of these facts: line, operation and row."""
    lines = FactLine.objects.filter(fact__in=[row.id for row in rows]).order_by("line_no", "id")
    return list(lines.values_list("line_no", "op", "fact"))


def line_ends(rows: Sequence[IndexedFact], changes: Sequence[tuple[int, str, int]]) -> dict[int, int]:
    """The place where what each line of these facts belongs to ends.

    A daemon's new version and the line after it that retires the one before are one change, as they are in our acts.
    """
    stored = {row.line_no for row in rows}
    ends = ends_of({*stored, *(line for line, _, _ in changes)})
    for line, op, _ in changes:
        if op == "supersede" and line - 1 in stored and not event_of(ends[line - 1]):
            ends[line - 1] = ends[line]
    return ends


def tenant_steps(scope: Scope, home: int, clocks: Clocks, newest: int) -> Steps:
    """The nearest acts of a tenant and the nearest lines that brought facts; `newest` is the last row known.

    None for a bound scope, which would learn of acts on what is absent for it.
    """
    if scope.is_bound:
        return Steps("", "")
    events = _SEQ_MASK if clocks.known is None else clocks.known.events
    acts = LedgerEvent.objects.filter(tenant=scope.tenant)
    near = [*acts.filter(seq__lte=events).order_by("-seq")[:2], *acts.filter(seq__gt=events).order_by("seq")[:1]]
    # one bound a side: with two, SQLite may start from the wider one and read all in between
    known = IndexedFact.objects.filter(id__range=(first_row(home), newest)).order_by("-id")
    to_come = IndexedFact.objects.filter(id__gt=newest, id__lt=first_row(home + 1)).order_by("id")
    lines = list(to_come.values_list("line_no", flat=True)[:1])
    for line in known.values_list("line_no", flat=True)[:1]:
        lines += [line, *known.filter(line_no__lt=line).values_list("line_no", flat=True)[:1]]
    places = {event_place(event.lines + event.own_lines, event.seq) for event in near}
    return steps_around(sorted(places.union(ends_of(lines).values())), clocks)


def steps_around(places: Sequence[int], clocks: Clocks) -> Steps:
    """The places next to the one that is looked at; what is shown now came with the last of them."""
    key = _NOW if clocks.known is None else clocks.known.key
    here = bisect_right(places, key)
    return Steps(
        previous=place_text(places[here - 2]) if here >= 2 else "",
        next=place_text(places[here]) if here < len(places) else "",
    )


def ends_of(lines: Iterable[int]) -> dict[int, int]:
    """The place where the act of each of these lines ends; a line without an act is its own."""
    generation, ends = answering_generation(), {}
    for line in lines:
        found = fetch(_ACT, (generation, line))
        in_act = bool(found) and line <= found[0][1]
        ends[line] = event_place(found[0][1], found[0][0]) if in_act else line_place(line)
    return ends


def event_of(place: int) -> int:
    """The number of the event that a place ends with; 0 where it ends with a line without an act."""
    return place & _SEQ_MASK


def line_of(place: int) -> int:
    """How many lines there are at a place."""
    return place >> EVENT_BITS


def place_text(place: int) -> str:
    """A place as an address holds it."""
    seq = event_of(place)
    return f"event {seq}" if seq else f"line {line_of(place)}"
