"""What each operation does to the facts so far: the rules of replay, for memory and for the index alike.

`apply` looks at the state through a `StateView` and answers with effects; it changes nothing itself. Whoever keeps the
state carries the effects out before it applies the next operation. After the last line, `cleaned_links` says which
links count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cruxstore.facts.blanks import is_blank_text
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import (
    DEFAULT_TENANT,
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
    Timestamp,
)
from cruxstore.facts.state import FactState, StateView, is_consolidation_source

LATEST_ONLY_PREFIXES: Final = ("__repo_registry__::", "__repo_scan__::", "__workspace_scan__::")
LATEST_ONLY_KEY: Final = "content"


@dataclass(frozen=True, slots=True)
class Inserted:
    """A fact is new, its privacy already enforced."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Removed:
    """A control fact is gone for good, from its chain too."""

    fact_id: str


@dataclass(frozen=True, slots=True)
class Deleted:
    """A fact is hidden."""

    fact_id: str


@dataclass(frozen=True, slots=True)
class SupersededBy:
    """A fact is retired by another; by None, it is brought back."""

    fact_id: str
    by_fact_id: str | None


@dataclass(frozen=True, slots=True)
class ValiditySet:
    """Both bounds of a fact's validity are replaced."""

    fact_id: str
    valid_from: Timestamp | None
    valid_to: Timestamp | None


@dataclass(frozen=True, slots=True)
class ConsolidationSet:
    """A canonical fact's sources are remembered."""

    canonical_fact_id: str
    source_fact_ids: tuple[str, ...]


Effect = Inserted | Removed | Deleted | SupersededBy | ValiditySet | ConsolidationSet


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a line had no effect: a stable code, and a sentence for people."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an operation does: effects to carry out in order, and why some or all of it does nothing.

    `skipped` is set when a rule refuses the whole line, `ignored` when something in it is void without being wrong.
    """

    effects: tuple[Effect, ...] = ()
    skipped: Reason | None = None
    ignored: Reason | None = None

    @property
    def is_redundant(self) -> bool:
        """Whether the line was skipped for repeating what its fact says already, as every compacted file does."""
        return self.skipped is REPEATED_SUPERSEDE


UNKNOWN_FACT: Final = Reason("unknown_fact", "No fact with this id has been stored.")
KNOWN_ID: Final = Reason("known_id", "A fact with this id has been stored already; the first one counts.")
UNDONE_BEFORE: Final = Reason("undone_before", "This consolidation has been undone already.")
REPEATED_SUPERSEDE: Final = Reason("repeated_supersede", "It repeats what the fact says itself.")
UNKNOWN_TARGET: Final = Reason("supersede_unknown", "The fact to be superseded is unknown.")
UNKNOWN_SUCCESSOR: Final = Reason("supersede_by_unknown", "The fact that supersedes is unknown.")
OTHER_TENANT: Final = Reason("supersede_other_tenant", "The fact that supersedes belongs to another tenant.")
SUPERSEDE_OF_SOURCE: Final = Reason("supersede_of_source", "The fact was consolidated and cannot be superseded.")
CLEAR_OF_SOURCE: Final = Reason("clear_of_source", "The fact was consolidated; only an undo brings it back.")
DELETE_OF_SOURCE: Final = Reason("delete_of_source", "The fact was consolidated and cannot be deleted by itself.")
DELETE_OF_CANONICAL: Final = Reason("delete_of_canonical", "The fact is a canonical one; it is taken back by an undo.")
CANONICAL_DELETED: Final = Reason("canonical_deleted", "The canonical fact is deleted.")
CANONICAL_KNOWN: Final = Reason("canonical_known", "A fact with the canonical fact's id has been stored already.")
CANONICAL_UNKNOWN: Final = Reason("canonical_unknown", "The canonical fact is unknown.")
CANONICAL_OTHER_TENANT: Final = Reason("canonical_other_tenant", "The canonical fact belongs to another tenant.")
CANONICAL_SUPERSEDED: Final = Reason("canonical_superseded", "The canonical fact has been superseded.")
NOT_CANONICAL: Final = Reason("not_canonical", "The fact is not the canonical one of a consolidation.")
NO_SOURCES: Final = Reason("no_sources", "The list of sources is empty.")
REPEATED_SOURCE: Final = Reason("repeated_source", "A source is listed twice.")
PRIOR_NOT_SOURCE: Final = Reason(
    "prior_not_source", "The fact that the canonical one supersedes is not among the sources."
)
SOURCE_UNFIT: Final = Reason("source_unfit", "A source is unknown, deleted, superseded or of another tenant.")
SOURCE_NOT_MERGED: Final = Reason(
    "source_not_merged", "A source is unknown, deleted, of another tenant or not superseded by the canonical fact."
)
SOURCES_DIFFER: Final = Reason("sources_differ", "The facts to bring back are not the sources that were consolidated.")


def apply(operation: Operation, view: StateView, privacy: PrivacyPolicy) -> Outcome:
    """What an operation does to the state that the view shows."""
    match operation:
        case Store(fact):
            return _store(fact, view, privacy)
        case Supersede():
            return _supersede(operation, view)
        case Delete(fact_id):
            return _delete(fact_id, view)
        case StoreBatch(facts):
            return _store_batch(facts, view, privacy)
        case SetValidity(fact_id, valid_from, valid_to):
            if view.fact(fact_id) is None:
                return Outcome(ignored=UNKNOWN_FACT)
            return Outcome((ValiditySet(fact_id, valid_from, valid_to),))
        case ClearSupersede(fact_id):
            return _clear_supersede(fact_id, view)
        case Consolidate():
            return _consolidate(operation, view, privacy)
        case ConsolidateUndo():
            return _consolidate_undo(operation, view)
        case ConsolidationProvenance():
            return _consolidation_provenance(operation, view)
        case ReplaceLatest():
            return _replace_latest(operation, view, privacy)


def is_latest_only(fact: Fact) -> bool:
    """Whether storing this fact removes its predecessors for good."""
    return fact.key == LATEST_ONLY_KEY and fact.private and fact.entity.startswith(LATEST_ONLY_PREFIXES)


def _store(fact: Fact, view: StateView, privacy: PrivacyPolicy) -> Outcome:
    if view.fact(fact.fact_id) is not None:
        return Outcome(ignored=KNOWN_ID)
    inserted = _as_inserted(fact, privacy)
    if not is_latest_only(fact):
        return Outcome((Inserted(inserted),))
    chain = view.chain(inserted.tenant_hash, inserted.entity, inserted.key)
    return Outcome((*map(Removed, chain), Inserted(inserted)))


def _as_inserted(fact: Fact, privacy: PrivacyPolicy) -> Fact:
    if is_blank_text(fact.tenant_hash):
        fact = fact._replace(tenant_hash=DEFAULT_TENANT)
    if not fact.private and privacy.is_born_private(fact.entity):
        fact = fact._replace(private=True)
    return fact


def _store_batch(facts: Sequence[Fact], view: StateView, privacy: PrivacyPolicy) -> Outcome:
    pending = _Pending(view)
    ignored: Reason | None = None
    for fact in facts:
        outcome = _store(fact, pending, privacy)
        pending.absorb(outcome.effects)
        ignored = ignored or outcome.ignored
    return Outcome(tuple(pending.effects), ignored=ignored)


def _replace_latest(operation: ReplaceLatest, view: StateView, privacy: PrivacyPolicy) -> Outcome:
    fact = _as_inserted(operation.fact, privacy)
    pending = _Pending(view)
    for fact_id in operation.replaced_fact_ids:
        before = pending.fact(fact_id)
        if before is not None and _chain_key(before) == _chain_key(fact):
            pending.absorb((Removed(fact_id),))
    outcome = _store(operation.fact, pending, privacy)
    return Outcome((*pending.effects, *outcome.effects), ignored=outcome.ignored)


def _delete(fact_id: str, view: StateView) -> Outcome:
    fact = view.fact(fact_id)
    if fact is None:
        return Outcome(ignored=UNKNOWN_FACT)
    if view.consolidation(fact_id) is not None:
        return Outcome(skipped=DELETE_OF_CANONICAL)
    if is_consolidation_source(fact, view):
        return Outcome(skipped=DELETE_OF_SOURCE)
    return Outcome((Deleted(fact_id),))


def _supersede(operation: Supersede, view: StateView) -> Outcome:
    target = view.fact(operation.fact_id)
    if target is None:
        return Outcome(skipped=UNKNOWN_TARGET)
    successor = view.fact(operation.by_fact_id)
    if successor is not None and successor.tenant_hash != target.tenant_hash:
        return Outcome(skipped=OTHER_TENANT)
    if successor is not None and not is_consolidation_source(target, view):
        return Outcome((SupersededBy(operation.fact_id, operation.by_fact_id),))
    if target.superseded_by == operation.by_fact_id:
        return Outcome(skipped=REPEATED_SUPERSEDE)
    return Outcome(skipped=UNKNOWN_SUCCESSOR if successor is None else SUPERSEDE_OF_SOURCE)


def _clear_supersede(fact_id: str, view: StateView) -> Outcome:
    fact = view.fact(fact_id)
    if fact is None:
        return Outcome(ignored=UNKNOWN_FACT)
    if is_consolidation_source(fact, view):
        return Outcome(skipped=CLEAR_OF_SOURCE)
    return Outcome((SupersededBy(fact_id, None),))


def _consolidate(operation: Consolidate, view: StateView, privacy: PrivacyPolicy) -> Outcome:
    canonical = _as_inserted(operation.canonical, privacy)
    sources = operation.superseded_fact_ids
    if canonical.deleted:
        return Outcome(skipped=CANONICAL_DELETED)
    if view.fact(canonical.fact_id) is not None:
        return Outcome(skipped=CANONICAL_KNOWN)
    if not sources:
        return Outcome(skipped=NO_SOURCES)
    if len(set(sources)) != len(sources):
        return Outcome(skipped=REPEATED_SOURCE)
    if canonical.supersedes is not None and canonical.supersedes not in sources:
        return Outcome(skipped=PRIOR_NOT_SOURCE)
    if not all(_is_source(view.fact(source), canonical.tenant_hash, superseded_by=None) for source in sources):
        return Outcome(skipped=SOURCE_UNFIT)
    retired = (SupersededBy(source, canonical.fact_id) for source in sources)
    return Outcome((Inserted(canonical), *retired, ConsolidationSet(canonical.fact_id, sources)))


def _consolidation_provenance(operation: ConsolidationProvenance, view: StateView) -> Outcome:
    canonical_id, sources = operation.canonical_fact_id, operation.source_fact_ids
    canonical = view.fact(canonical_id)
    if canonical is None:
        return Outcome(skipped=CANONICAL_UNKNOWN)
    if canonical.deleted:
        return Outcome(skipped=CANONICAL_DELETED)
    if canonical.tenant_hash != operation.tenant_hash:
        return Outcome(skipped=CANONICAL_OTHER_TENANT)
    if not sources:
        return Outcome(skipped=NO_SOURCES)
    if not all(_is_source(view.fact(source), canonical.tenant_hash, superseded_by=canonical_id) for source in sources):
        return Outcome(skipped=SOURCE_NOT_MERGED)
    return Outcome((ConsolidationSet(canonical_id, sources),))


def _consolidate_undo(operation: ConsolidateUndo, view: StateView) -> Outcome:
    canonical_id = operation.canonical_fact_id
    canonical = view.fact(canonical_id)
    sources = view.consolidation(canonical_id)
    if canonical is None:
        return Outcome(skipped=CANONICAL_UNKNOWN)
    if sources is None:
        return Outcome(skipped=NOT_CANONICAL)
    if set(operation.restored_fact_ids) != set(sources):
        return Outcome(skipped=SOURCES_DIFFER)
    tenant_hash = canonical.tenant_hash
    if canonical.deleted:
        if all(_is_source(view.fact(source), tenant_hash, superseded_by=None) for source in sources):
            return Outcome(ignored=UNDONE_BEFORE)
        return Outcome(skipped=CANONICAL_DELETED)
    if canonical.superseded_by is not None:
        return Outcome(skipped=CANONICAL_SUPERSEDED)
    if not all(_is_source(view.fact(source), tenant_hash, superseded_by=canonical_id) for source in sources):
        return Outcome(skipped=SOURCE_NOT_MERGED)
    return Outcome((Deleted(canonical_id), *(SupersededBy(source, None) for source in sources)))


def _is_source(fact: FactState | None, tenant_hash: str, *, superseded_by: str | None) -> bool:
    return (
        fact is not None
        and not fact.deleted
        and fact.tenant_hash == tenant_hash
        and fact.superseded_by == superseded_by
    )


def _chain_key(fact: FactState) -> tuple[str, str, str]:
    return fact.tenant_hash, fact.entity, fact.key


class _Pending:
    """A view with the insertions and removals of the line at hand already in it."""

    def __init__(self, view: StateView) -> None:
        self._view = view
        self._inserted: dict[str, Fact] = {}
        self._removed: set[str] = set()
        self.effects: list[Effect] = []

    def absorb(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Inserted(fact):
                    self._inserted[fact.fact_id] = fact
                case Removed(fact_id):
                    self._inserted.pop(fact_id, None)
                    self._removed.add(fact_id)
        self.effects.extend(effects)

    def fact(self, fact_id: str) -> FactState | None:
        if fact_id in self._inserted:
            return self._inserted[fact_id]
        return None if fact_id in self._removed else self._view.fact(fact_id)

    def chain(self, tenant_hash: str, entity: str, key: str) -> Sequence[str]:
        before = [fact_id for fact_id in self._view.chain(tenant_hash, entity, key) if fact_id not in self._removed]
        place = tenant_hash, entity, key
        return before + [fact_id for fact_id, fact in self._inserted.items() if _chain_key(fact) == place]

    def consolidation(self, canonical_fact_id: str) -> tuple[str, ...] | None:
        return self._view.consolidation(canonical_fact_id)
