"""Figures over facts that stand, made without a model: how many, their sum, how many different, how much changed.

Counted are facts that are not deleted, not superseded and not private, by exact entity and key, and by one text that
their value must hold. A value counts as the first number in it: `$450,000 approved` as 450000, `2026-01-02` as 2026.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cruxstore.errors import AggregateError, BlankQueryError
from cruxstore.facts.blanks import is_blank_text
from cruxstore.facts.recall.terms import contains_any_case
from cruxstore.facts.records import Fact

_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9,]*(?:\.[0-9,]*)?", re.ASCII)


class AggregateOp(StrEnum):
    """What is reckoned."""

    COUNT = "count"
    SUM_NUMERIC = "sum_numeric"
    DISTINCT = "distinct"
    TEMPORAL_DIFF = "temporal_diff"


@dataclass(frozen=True, slots=True)
class AggregateQuery:
    """What is asked; `as_of_ns` counts for a difference only, the budget for everything else."""

    op: AggregateOp
    entity: str | None = None
    key: str | None = None
    query: str | None = None
    as_of_ns: int | None = None
    token_budget: int | None = None


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The figure: whole for a count, a float for a sum or a difference, None where there is nothing to subtract."""

    op: AggregateOp
    matched: int
    value: int | float | None
    tokens_scanned: int
    budget_truncated: bool


def aggregate(query: AggregateQuery, facts: Iterable[Fact]) -> Aggregate:
    """The figure over the facts that the asker may see; raises BlankQueryError and AggregateError."""
    if query.query is not None and is_blank_text(query.query):
        raise BlankQueryError("The search is empty. Type a word, or leave the search out.")
    if query.op is AggregateOp.TEMPORAL_DIFF:
        return _difference(query, facts)
    candidates = sorted((fact for fact in facts if _counts(fact, query)), key=lambda fact: fact.fact_id)
    scanned, is_cut = _within_budget(candidates, query.token_budget)
    return Aggregate(
        op=query.op,
        matched=len(scanned),
        value=_figure(query.op, scanned),
        tokens_scanned=sum(fact.tokens for fact in scanned),
        budget_truncated=is_cut,
    )


def leading_number(value: str) -> float | None:
    """The first number in a text, thousands commas skipped; None where there is none."""
    match = _NUMBER.search(value)
    return None if match is None else float(match[0].replace(",", ""))


def _counts(fact: Fact, query: AggregateQuery) -> bool:
    if fact.deleted or fact.private or fact.superseded_by is not None:
        return False
    if query.entity is not None and fact.entity != query.entity:
        return False
    if query.key is not None and fact.key != query.key:
        return False
    return query.query is None or contains_any_case(query.query, fact.value)


def _within_budget(facts: list[Fact], budget: int | None) -> tuple[list[Fact], bool]:
    """The first facts whose tokens fit, and whether any were left; the very first fits always."""
    if budget is None:
        return facts, False
    used = 0
    for place, fact in enumerate(facts):
        if place and used + fact.tokens > budget:
            return facts[:place], True
        used += fact.tokens
    return facts, False


def _figure(op: AggregateOp, facts: list[Fact]) -> int | float:
    if op is AggregateOp.COUNT:
        return len(facts)
    if op is AggregateOp.DISTINCT:
        return len({fact.value for fact in facts})
    # the daemon's sum over nothing is -0.0, and so is ours
    total = -0.0
    for fact in facts:
        number = leading_number(fact.value)
        if number is not None:
            total += number
    return total


def _difference(query: AggregateQuery, facts: Iterable[Fact]) -> Aggregate:
    if query.entity is None or query.key is None:
        raise AggregateError("A difference over time needs an entity and a key. Name both.")
    versions = {
        fact.fact_id: fact
        for fact in facts
        if (fact.entity, fact.key) == (query.entity, query.key) and not fact.deleted and not fact.private
    }
    chain = _chain_from_newest(versions)
    value = None
    if chain:
        current = leading_number(chain[0].value)
        before = leading_number(_version_at(chain, query.as_of_ns).value)
        value = None if current is None or before is None else current - before
    return Aggregate(query.op, len(chain), value, sum(fact.tokens for fact in chain), budget_truncated=False)


def _chain_from_newest(versions: dict[str, Fact]) -> list[Fact]:
    """The newest version that stands and, step by step, those it supersedes, as long as each of them says so too."""
    standing = (fact for fact in versions.values() if fact.superseded_by is None)
    newest = max(standing, key=lambda fact: (fact.version, fact.stored_at.ns, fact.fact_id), default=None)
    chain: list[Fact] = []
    while newest is not None:
        chain.append(newest)
        before = None if newest.supersedes is None else versions.pop(newest.supersedes, None)
        agrees = before is not None and _is_superseded_by(before, newest)
        newest = before if agrees else None
    return chain


def _is_superseded_by(before: Fact, after: Fact) -> bool:
    return before.superseded_by == after.fact_id and before.tenant_hash == after.tenant_hash


def _version_at(chain: list[Fact], ns: int | None) -> Fact:
    """The highest version stored by a moment; the oldest where there is no such moment or version."""
    stored = [fact for fact in chain if ns is not None and fact.stored_at.ns <= ns]
    return max(stored, key=lambda fact: fact.version, default=chain[-1])
