"""Counts and facets from the kept counters: sums over cells, never over facts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from apps.facts.answers import (
    FACET_LABELS,
    FRESHNESSES,
    HORIZONS,
    MARKS,
    OTHER,
    STATES,
    VALUE_LABELS,
    Count,
    Facet,
    FacetValue,
    FactFilter,
)
from apps.facts.models import Label
from apps.facts.rules import (
    HORIZON_CODES,
    MARK_BITS,
    OTHER_LABEL,
    PRIVATE,
    FreshnessCode,
    Rollup,
    State,
    cell_range,
    indexed,
)
from apps.facts.sql import Fragment, fetch, numbers
from cruxstore.facts.records import Horizon

KEPT_STATES = (State.CURRENT, State.SUPERSEDED)
"""What a filter without states shows: all but the deleted."""

_STATE, _FRESHNESS, _HORIZON, _KIND, _ACTOR = 7, 5, 3, 17, 9
_SHIFTS = {"state": _STATE, "freshness": _FRESHNESS, "horizon": _HORIZON, "kind": _KIND, "actor": _ACTOR}
_WIDTHS = {_STATE: 3, _FRESHNESS: 3, _HORIZON: 3, _KIND: 255, _ACTOR: 255}


@dataclass(frozen=True)
class TenantLabels:
    """The kinds and actors of a home by number, and the other way round."""

    kinds: Mapping[int, str]
    actors: Mapping[int, str]

    @classmethod
    def of(cls, home: int) -> Self:
        """The labels as they are now."""
        kinds: dict[int, str] = {}
        actors: dict[int, str] = {}
        for dimension, number, text in Label.objects.filter(home=home).values_list("dimension", "number", "text"):
            (kinds if dimension == "kind" else actors)[number] = text
        return cls(kinds, actors)


@dataclass(frozen=True)
class Selection:
    """The part of a filter that cells can answer; None means every value.

    `is_exact` is False where a chosen kind or actor has no number of its own, so that rows must be compared.
    Who wrote a private fact is for its owner: whatever asks about actors looks at public facts only.
    """

    states: frozenset[int]
    freshness: frozenset[int] | None
    horizons: frozenset[int] | None
    kinds: frozenset[int] | None
    actors: frozenset[int] | None
    marks: int
    is_exact: bool
    is_public: bool = False

    @classmethod
    def of(cls, chosen: FactFilter, labels: TenantLabels) -> Self:
        """The selection that a filter makes."""
        kinds, kinds_exact = _numbers(chosen.kind, labels.kinds)
        actors, actors_exact = _numbers(chosen.actor, labels.actors)
        return cls(
            states=frozenset(State[name.upper()] for name in chosen.state) or frozenset(KEPT_STATES),
            freshness=_codes(chosen.freshness, lambda name: FreshnessCode[name.upper()]),
            horizons=_codes(chosen.horizon, lambda name: HORIZON_CODES[Horizon(name)]),
            kinds=kinds,
            actors=actors,
            marks=sum(MARK_BITS[name] for name in set(chosen.marks)),
            is_exact=kinds_exact and actors_exact,
            is_public=actors is not None,
        )

    @property
    def is_streams(self) -> bool:
        """Whether it asks for whole streams, so that no row need be looked at to be refused."""
        return (
            self.horizons is None
            and self.kinds is None
            and self.actors is None
            and not self.marks
            and not self.is_public
        )

    def without(self, facet: str) -> Self:
        """The selection with one facet left open."""
        match facet:
            case "state":
                return replace(self, states=frozenset(State))
            case "freshness":
                return replace(self, freshness=None)
            case "horizon":
                return replace(self, horizons=None)
            case "kind":
                return replace(self, kinds=None)
            case "actor":
                return replace(self, actors=None, is_public=True)
            case _:
                return replace(self, marks=0)

    def takes(self, cell: int) -> bool:
        """Whether rows in this cell are selected."""
        return (
            cell >> _STATE & 3 in self.states
            and (self.freshness is None or cell >> _FRESHNESS & 3 in self.freshness)
            and (self.horizons is None or cell >> _HORIZON & 3 in self.horizons)
            and (self.kinds is None or cell >> _KIND & 255 in self.kinds)
            and (self.actors is None or cell >> _ACTOR & 255 in self.actors)
            and (not self.marks or bool(cell & self.marks))
            and not (self.is_public and cell & PRIVATE)
        )

    def condition(self, column: str) -> Fragment:
        """The same as `takes`, over a column of cells."""
        parts = [_within(column, _STATE, self.states)]
        for shift, wanted in (
            (_FRESHNESS, self.freshness),
            (_HORIZON, self.horizons),
            (_KIND, self.kinds),
            (_ACTOR, self.actors),
        ):
            if wanted is not None:
                parts.append(_within(column, shift, wanted))
        if self.marks:
            parts.append(f"({column} & {self.marks}) <> 0")
        if self.is_public:
            parts.append(f"({column} & {PRIVATE}) = 0")
        return Fragment(" AND ".join(parts))


def count_selected(home: int, selection: Selection) -> int:
    """How many facts a selection has."""
    return sum(count for _, count in _grouped(home, selection, "0"))


def has_private(home: int, selection: Selection) -> bool:
    """Whether a selection takes private facts."""
    return any(marks & PRIVATE for marks, _ in _grouped(home, selection, _part_of("marks")))


def selected_cells(home: int, selection: Selection) -> dict[int, int]:
    """The cells that a selection takes, with their facts."""
    first, last = cell_range(home, Rollup.BOTH)
    where = selection.condition("id")
    rows = fetch(
        f"SELECT id, facts FROM facts_cell WHERE id BETWEEN %s AND %s AND facts > 0 AND {where.sql}", (first, last)
    )
    return dict(rows)


def facets_of(home: int, chosen: FactFilter, labels: TenantLabels) -> tuple[Facet, ...]:
    """Every facet with what choosing each of its values alone would show."""
    selection = Selection.of(chosen, labels)

    def counted(facet: str) -> Mapping[int, int]:
        return dict(_grouped(home, selection.without(facet), _part_of(facet)))

    return _facets(chosen, labels, counted, is_capped=False)


def facets_of_cells(
    cells: Mapping[int, int], chosen: FactFilter, labels: TenantLabels, *, is_capped: bool
) -> tuple[Facet, ...]:
    """The facets of facts already counted by cell; capped where there are more of them."""
    selection = Selection.of(chosen, labels)

    def counted(facet: str) -> Mapping[int, int]:
        others, part = selection.without(facet), _reader_of(facet)
        counts: Counter[int] = Counter()
        for cell, facts in cells.items():
            if others.takes(cell):
                counts[part(cell)] += facts
        return counts

    return _facets(chosen, labels, counted, is_capped=is_capped)


def _facets(
    chosen: FactFilter, labels: TenantLabels, counted: Callable[[str], Mapping[int, int]], *, is_capped: bool
) -> tuple[Facet, ...]:
    def value(facet: str, name: str, label: str, facts: int) -> FacetValue:
        return FacetValue(name, label, Count(facts, is_capped), name in getattr(chosen, facet))

    fixed: dict[str, dict[int, str]] = {
        "freshness": {FreshnessCode[name.upper()]: name for name in FRESHNESSES},
        "state": {State[name.upper()]: name for name in STATES},
        "horizon": {HORIZON_CODES[Horizon(name)]: name for name in HORIZONS},
    }
    facets = []
    for facet, heading in FACET_LABELS.items():
        counts = counted(facet)
        if facet in fixed:
            values = [
                value(facet, name, VALUE_LABELS.get(name, name), counts.get(code, 0))
                for code, name in fixed[facet].items()
            ]
        elif facet == "marks":
            values = [
                value(facet, name, VALUE_LABELS[name], sum(n for bits, n in counts.items() if bits & MARK_BITS[name]))
                for name in MARKS
            ]
        else:
            names = labels.kinds if facet == "kind" else labels.actors
            values = _labelled(facet, counts, names, value)
        facets.append(Facet(facet, heading, tuple(values)))
    return tuple(facets)


def _labelled(
    facet: str,
    counts: Mapping[int, int],
    names: Mapping[int, str],
    value: Callable[[str, str, str, int], FacetValue],
) -> list[FacetValue]:
    blank = "no prefix" if facet == "kind" else "no actor"
    largest_first = sorted(counts.items(), key=lambda item: (-item[1], names.get(item[0], "")))
    values = [
        value(facet, names[number], names[number] or blank, facts)
        for number, facts in largest_first
        if number != OTHER_LABEL and facts > 0
    ]
    if counts.get(OTHER_LABEL, 0) > 0:
        values.append(value(facet, OTHER, "all others", counts[OTHER_LABEL]))
    return values


def _grouped(home: int, selection: Selection, part: str) -> Iterable[tuple[int, int]]:
    """Facts of a selection by a part of their cell, from the smallest roll-up that can tell."""
    needs_kind = selection.kinds is not None or part == _part_of("kind")
    needs_actor = selection.actors is not None or part == _part_of("actor")
    rollup = {
        (False, False): Rollup.NEITHER,
        (True, False): Rollup.KIND,
        (False, True): Rollup.ACTOR,
        (True, True): Rollup.BOTH,
    }[needs_kind, needs_actor]
    where = selection.condition("id")
    rows = fetch(
        f"SELECT {part} AS part, SUM(facts) FROM facts_cell"
        f" WHERE id BETWEEN %s AND %s AND facts > 0 AND {where.sql} GROUP BY part",
        cell_range(home, rollup),
    )
    return [(value, int(facts)) for value, facts in rows]


def _part_of(facet: str) -> str:
    if facet == "marks":
        return "id & 7"
    return f"(id >> {_SHIFTS[facet]}) & {_WIDTHS[_SHIFTS[facet]]}"


def _reader_of(facet: str) -> Callable[[int], int]:
    if facet == "marks":
        return lambda cell: cell & 7
    shift = _SHIFTS[facet]
    return lambda cell: cell >> shift & _WIDTHS[shift]


def _within(column: str, shift: int, wanted: Iterable[int]) -> str:
    return f"(({column} >> {shift}) & {_WIDTHS[shift]}) IN ({numbers(sorted(wanted))})"


def _codes(names: tuple[str, ...], code: Callable[[str], int]) -> frozenset[int] | None:
    return frozenset(map(code, names)) if names else None


def _numbers(chosen: tuple[str, ...], names: Mapping[int, str]) -> tuple[frozenset[int] | None, bool]:
    """The numbers of chosen labels; where one has none, the number of all others stands in for it."""
    if not chosen:
        return None, True
    by_name = {text: number for number, text in names.items()}
    numbers = {OTHER_LABEL if name == OTHER else by_name.get(indexed(name), -1) for name in chosen}
    if -1 in numbers:
        return frozenset(numbers - {-1} | {OTHER_LABEL}), False
    return frozenset(numbers), True
