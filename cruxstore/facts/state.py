"""What the rules of a journal may ask about the facts so far, and an answer kept in memory."""

from collections.abc import Sequence
from typing import Protocol


class FactState(Protocol):
    """The part of a fact that rules look at; a `Fact` is one."""

    @property
    def fact_id(self) -> str: ...
    @property
    def tenant_hash(self) -> str: ...
    @property
    def entity(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def deleted(self) -> bool: ...
    @property
    def supersedes(self) -> str | None: ...
    @property
    def superseded_by(self) -> str | None: ...


class StateView(Protocol):
    """The state after every line read so far; in memory for tools, in the index for the console."""

    def fact(self, fact_id: str) -> FactState | None:
        """The fact with this id, deleted or not; None when no such fact was stored or it was removed for good."""
        ...

    def chain(self, tenant_hash: str, entity: str, key: str) -> Sequence[str]:
        """The ids stored under a tenant, entity and key, oldest first, deleted ones included."""
        ...

    def consolidation(self, canonical_fact_id: str) -> tuple[str, ...] | None:
        """The sources remembered for a canonical fact, in order; None when it is not one."""
        ...


class RevisedView(StateView, Protocol):
    """A view that also knows what changed a fact last, so that nobody overwrites what they have not seen."""

    def last_change(self, fact_id: str) -> str:
        """`l12` where journal line 12 changed the fact last, `e7` where event 7 did; empty for an unknown fact."""
        ...

    def heads(self, tenant_hash: str, names: Sequence[tuple[str, str]]) -> Sequence[FactState | None]:
        """What `chain_head` answers for each entity and key."""
        ...

    def is_retired(self, tenant_hash: str) -> bool:
        """Whether nothing may be written to a tenant until it is reinstated."""
        ...


def line_change(line: int, generation: int) -> str:
    """How a line is called as the last change; from the second generation on, line numbers begin anew."""
    return f"l{line}" if generation <= 1 else f"l{line}g{generation}"


def event_change(seq: int) -> str:
    """How an event is called as the last change."""
    return f"e{seq}"


def fact_revision(view: RevisedView, fact_id: str) -> str:
    """What a writer must have seen of a fact to change it; empty for an unknown one."""
    change = view.last_change(fact_id)
    return f"{fact_id}-{change}" if change else ""


def chain_revision(view: RevisedView, tenant_hash: str, entity: str, key: str) -> str:
    """What a writer must have seen of a chain to add to it: the revision of its head, empty where there is none."""
    head = chain_head(view, tenant_hash, entity, key)
    return fact_revision(view, head.fact_id) if head is not None else ""


def is_consolidation_source(fact: FactState, view: StateView) -> bool:
    """Whether a fact was merged into a canonical fact that still stands, which protects both."""
    if fact.superseded_by is None:
        return False
    sources = view.consolidation(fact.superseded_by)
    if sources is None or fact.fact_id not in sources:
        return False
    canonical = view.fact(fact.superseded_by)
    return canonical is not None and not canonical.deleted


def chain_head(view: StateView, tenant_hash: str, entity: str, key: str) -> FactState | None:
    """The newest fact of a chain that is not deleted: the next version counts from it and supersedes it."""
    for fact_id in reversed(view.chain(tenant_hash, entity, key)):
        fact = view.fact(fact_id)
        if fact is not None and not fact.deleted:
            return fact
    return None


def cleaned_links(fact: FactState, view: StateView) -> tuple[str | None, str | None]:
    """A fact's `supersedes` and `superseded_by` as they count once all lines are read.

    A link to a fact that does not belong there is dropped; a link to a fact that nobody knows is kept.
    """
    supersedes, superseded_by = fact.supersedes, fact.superseded_by
    before = view.fact(supersedes) if supersedes is not None else None
    if before is not None and (before.tenant_hash, before.entity, before.key) != (
        fact.tenant_hash,
        fact.entity,
        fact.key,
    ):
        supersedes = None
    after = view.fact(superseded_by) if superseded_by is not None else None
    if after is not None and after.tenant_hash != fact.tenant_hash:
        superseded_by = None
    return supersedes, superseded_by
