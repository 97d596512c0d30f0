"""Whose line a line is, and which facts it names: what decides over what happens to it in a rewrite."""

from collections.abc import Iterator
from typing import NamedTuple

from cruxstore.facts.records import (
    ClearSupersede,
    Consolidate,
    ConsolidateUndo,
    ConsolidationProvenance,
    Delete,
    Fact,
    Operation,
    ReplaceLatest,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
)


class Part(NamedTuple):
    """What stands or falls together in a line; a batch has one part for each of its facts.

    The owners are the facts that the part is about. `named_ids` holds them and every other fact that it mentions.
    """

    owner_ids: tuple[str, ...]
    named_ids: tuple[str, ...]


def parts_of(operation: Operation) -> tuple[Part, ...]:
    """The parts of an operation, in order; none for an empty batch."""
    match operation:
        case Store(fact):
            return (_part_of_fact(fact),)
        case StoreBatch(facts):
            return tuple(map(_part_of_fact, facts))
        case Supersede(fact_id, by_fact_id):
            return (Part((fact_id,), (fact_id, by_fact_id)),)
        case Delete(fact_id) | SetValidity(fact_id) | ClearSupersede(fact_id):
            return (Part((fact_id,), (fact_id,)),)
        case ReplaceLatest(fact, replaced_fact_ids):
            return (Part((fact.fact_id,), (*_named_by(fact), *replaced_fact_ids)),)
        case Consolidate(canonical, source_ids):
            owners = canonical.fact_id, *source_ids
            return (Part(owners, (*owners, *_named_by(canonical))),)
        case ConsolidationProvenance(canonical_id, source_ids) | ConsolidateUndo(canonical_id, source_ids):
            owners = canonical_id, *source_ids
            return (Part(owners, owners),)


def named_ids(operation: Operation) -> Iterator[str]:
    """Every fact that an operation mentions, some more than once."""
    return (fact_id for part in parts_of(operation) for fact_id in part.named_ids)


def facts_of(operation: Operation) -> tuple[Fact, ...]:
    """The facts whose text an operation holds, in order."""
    match operation:
        case Store(fact) | ReplaceLatest(fact) | Consolidate(fact):
            return (fact,)
        case StoreBatch(facts):
            return facts
    return ()


def _part_of_fact(fact: Fact) -> Part:
    return Part((fact.fact_id,), tuple(_named_by(fact)))


def _named_by(fact: Fact) -> Iterator[str]:
    yield fact.fact_id
    if fact.supersedes is not None:
        yield fact.supersedes
    if fact.superseded_by is not None:
        yield fact.superseded_by
