"""What a question about facts answers, in which order, and how much of it.

1. Deleted facts never; superseded ones, and ones that do not hold at the moment asked about, on request.
2. Entity, prefix, key; then the search, by any of its words.
3. By effective confidence, or by the stated one where asked; then the newer first, then by id.
4. What falls below the confidence asked for is left out and counted, before anything is cut.
5. A search without an entity is scored: the best answers first, those below the floor left out unless asked for.
6. At last the cut: by tokens where a budget is given, else by number.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from cruxstore.facts.decay import DecayPolicy, Freshness, effective_confidence, freshness
from cruxstore.facts.recall.terms import STRONG_SCORE, MatchFloor, MatchTier, SearchText
from cruxstore.facts.records import Fact, is_valid_at

TOP_K: Final = 10


@dataclass(frozen=True, slots=True)
class FactQuery:
    """What is asked; None asks for nothing in particular. `top_k` counts only without a budget."""

    query: str | None = None
    entity: str | None = None
    entity_prefix: str | None = None
    key: str | None = None
    as_of_ns: int | None = None
    top_k: int = TOP_K
    token_budget: int | None = None
    min_effective_confidence: float | None = None
    include_superseded: bool = False
    include_fallback: bool = False
    by_stated_confidence: bool = False


class Recalled(NamedTuple):
    """One fact of an answer; its score is None where nobody measured."""

    fact: Fact
    freshness: Freshness
    effective_confidence: float
    score: float | None
    tier: MatchTier


@dataclass(frozen=True, slots=True)
class Answer:
    """The facts that answer, best first, and what was left out before the cut."""

    rows: tuple[Recalled, ...]
    total_tokens: int
    filtered_below_threshold: int
    below_floor: int
    match: MatchTier


def query_facts(
    query: FactQuery,
    facts: Iterable[Fact],
    *,
    now_ms: int,
    decay: DecayPolicy,
    floor: MatchFloor,
    shown_entity: Callable[[Fact], str] = lambda fact: fact.entity,
) -> Answer:
    """The answer from the facts that the asker may see, read once and in any order; raises BlankQueryError.

    `shown_entity` says by what name the asker knows a fact's entity, which is the one that filters and search look at.
    """
    search = None if query.query is None else SearchText(query.query)
    is_scored = search is not None and floor.score is not None and query.entity is None and query.entity_prefix is None
    tally = _Tally()

    def candidates() -> Iterator[Recalled]:
        for fact in facts:
            entity = shown_entity(fact)
            if not _is_asked_for(fact, entity, query, search):
                continue
            state = freshness(fact, now_ms, decay)
            effective = effective_confidence(fact.confidence, state)
            if query.min_effective_confidence is not None and effective < query.min_effective_confidence:
                tally.below_threshold += 1
                continue
            score = search.score(entity, fact.key, fact.value) if search is not None and is_scored else None
            tier = floor.tier(score)
            tally.count(tier, score)
            if tier is not MatchTier.FALLBACK or query.include_fallback:
                yield Recalled(fact, state, effective, score, tier)

    order = _by_stated if query.by_stated_confidence else _by_effective
    if query.token_budget is None:
        rows = heapq.nsmallest(query.top_k, candidates(), key=order)
    else:
        rows = list(_within_budget(sorted(candidates(), key=order), query.token_budget))
    return Answer(
        rows=tuple(rows),
        total_tokens=sum(row.fact.tokens for row in rows),
        filtered_below_threshold=tally.below_threshold,
        below_floor=tally.below_floor,
        match=tally.marker() if is_scored else MatchTier.UNSCORED,
    )


class _Tally:
    """What the candidates were like, counted while they pass."""

    def __init__(self) -> None:
        self.below_threshold = 0
        self.below_floor = 0
        self._above_floor = 0
        self._best_score = 0.0

    def count(self, tier: MatchTier, score: float | None) -> None:
        if tier is MatchTier.FALLBACK:
            self.below_floor += 1
        else:
            self._above_floor += 1
        self._best_score = max(self._best_score, score or 0.0)

    def marker(self) -> MatchTier:
        if not self._above_floor:
            return MatchTier.NONE
        return MatchTier.STRONG if self._best_score >= STRONG_SCORE else MatchTier.PARTIAL


def _is_asked_for(fact: Fact, entity: str, query: FactQuery, search: SearchText | None) -> bool:
    if fact.deleted or (fact.superseded_by is not None and not query.include_superseded):
        return False
    if query.entity is not None and entity != query.entity:
        return False
    if query.entity_prefix is not None and not entity.startswith(query.entity_prefix):
        return False
    if query.key is not None and fact.key != query.key:
        return False
    if query.as_of_ns is not None and not is_valid_at(fact, query.as_of_ns):
        return False
    return search is None or search.matches(entity, fact.key, fact.value)


def _by_effective(row: Recalled) -> tuple[float, float, int, str]:
    return -(row.score or 0.0), -row.effective_confidence, -row.fact.stored_at.ns, row.fact.fact_id


def _by_stated(row: Recalled) -> tuple[float, float, int, str]:
    return -(row.score or 0.0), -row.fact.confidence, -row.fact.stored_at.ns, row.fact.fact_id


def _within_budget(rows: Iterable[Recalled], budget: int) -> Iterator[Recalled]:
    """The first rows whose tokens fit; the very first fits always."""
    used = 0
    for place, row in enumerate(rows):
        if place and used + row.fact.tokens > budget:
            return
        yield row
        used += row.fact.tokens
        if used >= budget:
            return
