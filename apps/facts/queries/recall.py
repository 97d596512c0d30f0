"""The daemon's questions over the index: what answers a query, and figures over facts that stand.

The index finds the facts that may answer, the journal holds them exactly, and `cruxstore.facts.recall` decides: an
answer is what its rules say of all facts that the scope may read.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from apps.accounts.rules import Scope
from apps.facts.files import StoreFiles
from apps.facts.policies import Policies
from apps.facts.projector.builds import current_build
from apps.facts.queries.exact import read_facts
from apps.facts.queries.recall_rows import FACTS, PUBLIC, holding, named, of_home, prefixed, readable, standing
from apps.facts.queries.scoping import current_home, within
from apps.facts.rules import HORIZON_CODES
from apps.facts.sql import Fragment, all_of, fetch, fetch_number, numbers
from cruxstore.facts.decay import STALE_FACTOR
from cruxstore.facts.privacy import logical_entity, private_entity
from cruxstore.facts.recall import aggregate as figures
from cruxstore.facts.recall import ranking
from cruxstore.facts.recall.aggregate import Aggregate, AggregateOp, AggregateQuery
from cruxstore.facts.recall.ranking import Answer, FactQuery
from cruxstore.facts.recall.terms import MatchFloor, SearchText
from cruxstore.facts.records import Fact, Horizon

_FIRST_ROWS = 200
_MORE = 8


def query_facts(
    scope: Scope,
    query: FactQuery,
    *,
    store: StoreFiles,
    now_ns: int,
    floor: MatchFloor | None = None,
    policies: Policies | None = None,
) -> Answer:
    """The facts that answer, best first; raises BlankQueryError. Private facts go by the name that their owner uses.

    Without a floor the usual one counts, without policies those of the process's environment.
    """
    asked = _Asked(scope, query, now_ns, floor or MatchFloor(), policies or Policies.from_process(), store)
    search = None if query.query is None else SearchText(query.query)
    home = current_home(scope)
    if home is None:
        return asked.answer(())
    where = _asked_for(scope, home, query)
    if search is not None and query.entity is None:
        source, found = holding(home, _alternatives(search))
        return asked.answer(asked.read(source, all_of(found, where)))
    if query.entity is not None or not asked.is_as_indexed():
        return asked.answer(asked.read(FACTS, where))
    return _best(asked, where)


def aggregate(scope: Scope, query: AggregateQuery, *, store: StoreFiles) -> Aggregate:
    """A figure over the facts that stand and are not private; raises BlankQueryError and AggregateError."""
    nothing = figures.aggregate(query, ())
    home = current_home(scope)
    if home is None:
        return nothing
    is_difference = query.op is AggregateOp.TEMPORAL_DIFF
    source, parts = FACTS, [of_home(home)]
    if query.entity is not None:
        parts = [named(home, "entity", (query.entity,))]
    elif query.query is not None:
        source, found = holding(home, ((query.query,),))
        parts = [found]
    if query.key is not None:
        parts.append(named(home, "key", (query.key,)))
    parts += [standing(has_superseded=is_difference), PUBLIC, within(scope)]
    return figures.aggregate(query, read_facts(source, all_of(*parts), scope=scope, store=store))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with all that decides its answer."""

    scope: Scope
    query: FactQuery
    now_ns: int
    floor: MatchFloor
    policies: Policies
    store: StoreFiles

    def is_as_indexed(self) -> bool:
        """Whether the index reckons ages as this question does."""
        build = current_build()
        return build is not None and build.settings_digest == self.policies.digest()

    def read(self, source: str, where: Fragment) -> Iterable[Fact]:
        return read_facts(source, where, scope=self.scope, store=self.store)

    def answer(self, facts: Iterable[Fact], *, is_uncut: bool = False) -> Answer:
        query = replace(self.query, top_k=1 << 62, token_budget=None) if is_uncut else self.query
        return ranking.query_facts(
            query,
            facts,
            now_ms=self.now_ns // 1_000_000,
            decay=self.policies.decay,
            floor=self.floor,
            shown_entity=lambda fact: logical_entity(fact.entity),
        )


def _best(asked: _Asked, where: Fragment) -> Answer:
    """The answer to a question without a search: the index ranks, as far as its microseconds go, and few are read."""
    query, now_ms = asked.query, asked.now_ns // 1_000_000
    effective = _effective(now_ms)
    is_exact = query.as_of_ns is None and query.entity_prefix is None
    if query.min_effective_confidence is not None and not is_exact:
        return asked.answer(asked.read(FACTS, where))
    below = 0
    if query.min_effective_confidence is not None:
        least = Fragment(f"{effective} < %s", (query.min_effective_confidence,))
        below = fetch_number(
            f"SELECT count(*) FROM {FACTS} WHERE {all_of(where, least).sql}", (*where.params, *least.params)
        )
        where = all_of(where, Fragment(f"{effective} >= %s", least.params))
    rank = "f.confidence" if query.by_stated_confidence else effective
    wanted = max(1, query.top_k if query.token_budget is None else _FIRST_ROWS)
    while True:
        row_ids, is_all = _first_rows(where, rank, wanted)
        facts = list(asked.read(FACTS, Fragment(f"f.id IN ({numbers(row_ids)})")))
        answer = asked.answer(facts)
        if is_all or _is_full(asked, answer, facts):
            return replace(answer, filtered_below_threshold=below)
        wanted *= _MORE


def _first_rows(where: Fragment, rank: str, wanted: int) -> tuple[list[int], bool]:
    """The rows that rank first, all that rank the same as the last of them, and whether those are all there are."""
    rows = fetch(
        f"SELECT f.id, {rank}, f.stored_at_us FROM {FACTS} WHERE {where.sql} ORDER BY 2 DESC, 3 DESC LIMIT %s",
        (*where.params, wanted),
    )
    if len(rows) < wanted:
        return [row[0] for row in rows], True
    equal = Fragment(f"{rank} = %s AND f.stored_at_us = %s", rows[-1][1:])
    same = fetch(f"SELECT f.id FROM {FACTS} WHERE {where.sql} AND {equal.sql}", (*where.params, *equal.params))
    return [*{row[0] for row in (*rows, *same)}], False


def _is_full(asked: _Asked, answer: Answer, facts: Sequence[Fact]) -> bool:
    """Whether facts that rank lower could not come into the answer any more."""
    if asked.query.token_budget is None:
        return len(answer.rows) >= asked.query.top_k
    return answer.total_tokens >= asked.query.token_budget or len(answer.rows) < len(
        asked.answer(facts, is_uncut=True).rows
    )


def _effective(now_ms: int) -> str:
    """What is left of a fact's confidence at a moment, as `apps.facts.rules.age_at` has it."""
    if now_ms <= 0:
        return "f.confidence"
    ages = f"((f.cell >> 3) & 3) <> {HORIZON_CODES[Horizon.NONE]} AND f.anchor_ms <= {now_ms}"
    return f"(f.confidence * CASE WHEN {ages} AND f.stale_at_ms < {now_ms} THEN {STALE_FACTOR} ELSE 1.0 END)"


def _asked_for(scope: Scope, home: int, query: FactQuery) -> Fragment:
    """All that is asked for but the search; an owner's own private facts go by their logical names."""
    parts = [readable(scope, has_superseded=query.include_superseded)]
    owners = sorted(scope.owner_names)
    if query.entity is not None:
        entity = query.entity
        parts.append(named(home, "entity", (entity, *(private_entity(owner, entity) for owner in owners))))
    if query.entity_prefix is not None:
        prefix = query.entity_prefix
        parts.append(prefixed(home, (prefix, *(private_entity(owner, prefix) for owner in owners))))
    if query.key is not None:
        parts.append(named(home, "key", (query.key,)))
    if query.as_of_ns is not None:
        us = query.as_of_ns // 1000
        from_then = "(f.valid_from_us IS NULL OR f.valid_from_us <= %s)"
        parts.append(Fragment(f"{from_then} AND (f.valid_to_us IS NULL OR f.valid_to_us >= %s)", (us, us)))
    if query.entity is None and query.entity_prefix is None and query.key is None:
        parts.append(of_home(home))
    return all_of(*parts)


def _alternatives(search: SearchText) -> list[tuple[str, ...]]:
    words: list[tuple[str, ...]] = [(word,) for word in search.words]
    return words if search.address_parts is None else [*words, search.address_parts]
