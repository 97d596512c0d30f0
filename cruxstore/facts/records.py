"""What a journal holds: facts, and the ten operations on them, as values that never change.

One line, `{"op":"store","fact":{"fact_id":"f_…","tenant_hash":"default",…}}`, is one operation.
Names, order and meaning are the format's own.
"""

import uuid
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

DEFAULT_TENANT = "default"
MAX_LINE_BYTES = 64 * 1024 * 1024


class Horizon(StrEnum):
    """How fast a fact ages; `NONE` never does."""

    VOLATILE = "volatile"
    MEDIUM = "medium"
    STABLE = "stable"
    NONE = "none"


class Timestamp(NamedTuple):
    """An instant: its UTC spelling as the format writes it (`…Z`), and nanoseconds since 1970."""

    text: str
    ns: int


# Named tuples, not dataclasses: a journal has millions of facts, and a frozen dataclass of this
# width takes longer to make than its line takes to read.
class Fact(NamedTuple):
    """One fact, its fields in the order in which they are written; change one with `_replace`.

    `confidence` is already rounded to 32 bits. `extra` holds the members we do not know, as they
    were written, joined by commas; they follow the known ones whenever the fact is written again.
    """

    fact_id: str
    tenant_hash: str
    entity: str
    key: str
    value: str
    source_receipt: str | None
    confidence: float
    stored_at: Timestamp
    tokens: int
    deleted: bool = False
    version: int = 1
    supersedes: str | None = None
    private: bool = False
    horizon_class: Horizon = Horizon.NONE
    reverified_at: Timestamp | None = None
    superseded_by: str | None = None
    actor: str | None = None
    valid_from: Timestamp | None = None
    valid_to: Timestamp | None = None
    access_count: int = 0
    last_accessed_at: Timestamp | None = None
    extra: bytes | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """A fact was stored."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class ReplaceLatest:
    """A control fact was stored in place of its predecessors, which are gone for good."""

    fact: Fact
    replaced_fact_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoreBatch:
    """Several facts were stored by one line."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Delete:
    """A fact was hidden; its text stays in the file until a rewrite."""

    fact_id: str
    deleted_at: str


@dataclass(frozen=True, slots=True)
class Supersede:
    """A fact was retired in favour of another."""

    fact_id: str
    by_fact_id: str
    superseded_at: str


@dataclass(frozen=True, slots=True)
class ClearSupersede:
    """A retired fact was brought back."""

    fact_id: str
    cleared_at: str


@dataclass(frozen=True, slots=True)
class SetValidity:
    """When a fact held in the world; an absent bound is open."""

    fact_id: str
    valid_from: Timestamp | None
    valid_to: Timestamp | None
    set_at: str


@dataclass(frozen=True, slots=True)
class Consolidate:
    """Several facts were merged into one canonical fact."""

    canonical: Fact
    superseded_fact_ids: tuple[str, ...]
    consolidated_at: str


@dataclass(frozen=True, slots=True)
class ConsolidationProvenance:
    """Which facts a canonical one was merged from, kept through a compaction."""

    canonical_fact_id: str
    source_fact_ids: tuple[str, ...]
    tenant_hash: str
    recorded_at: str


@dataclass(frozen=True, slots=True)
class ConsolidateUndo:
    """A merge was taken back."""

    canonical_fact_id: str
    restored_fact_ids: tuple[str, ...]
    undone_at: str


Operation = (
    Store
    | ReplaceLatest
    | StoreBatch
    | Delete
    | Supersede
    | ClearSupersede
    | SetValidity
    | Consolidate
    | ConsolidationProvenance
    | ConsolidateUndo
)


def new_fact_id() -> str:
    """A fresh id in the shape that writers use; readers accept any text as an id."""
    return f"f_{uuid.uuid4().hex}"


def token_count(value: str) -> int:
    """The size that a writer records with a value: a quarter of its UTF-8 bytes, rounded up."""
    return (len(value if value.isascii() else value.encode()) + 3) // 4


def is_valid_at(fact: Fact, ns: int) -> bool:
    """Whether the fact held in the world at an instant: from its start, up to but not at its end."""
    if fact.valid_from is not None and ns < fact.valid_from.ns:
        return False
    return fact.valid_to is None or ns < fact.valid_to.ns
