"""A fact's current state as lines of a journal: what a rewrite puts in place of the lines that led there."""

from collections.abc import Iterator, Sequence

from cruxstore.errors import CompactionRefusedError, LineTooLongError
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.records import ConsolidationProvenance, Delete, Fact, Store, Supersede


def folded_lines(fact: Fact, stamp: str, *, with_extra: bool) -> Iterator[bytes]:
    """One `store` line, and right behind it a `supersede` line if the fact is retired."""
    try:
        yield encode_operation(Store(fact), with_extra=with_extra)
    except LineTooLongError as error:
        raise CompactionRefusedError(f"The fact {fact.fact_id} no longer fits into a line. {error}") from error
    if fact.superseded_by is not None:
        yield encode_operation(Supersede(fact.fact_id, fact.superseded_by, stamp))


def provenance_line(canonical: Fact, source_fact_ids: Sequence[str], stamp: str) -> bytes:
    """Which facts a folded canonical one was merged from."""
    sources = tuple(source_fact_ids)
    return encode_operation(ConsolidationProvenance(canonical.fact_id, sources, canonical.tenant_hash, stamp))


def tombstone_line(fact_id: str, stamp: str) -> bytes:
    """That a fact was deleted, and nothing else of it."""
    return encode_operation(Delete(fact_id, stamp))


def recorded_order(fact: Fact) -> tuple[str, int, str]:
    """Sorts facts by the time they were stored, then by id."""
    # a leap second lies before the second that follows it, though both count the same nanoseconds
    return fact.stored_at.text[:19], fact.stored_at.ns, fact.fact_id
