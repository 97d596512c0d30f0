"""Journals for tests: facts by a few words, written as the format writes them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cruxstore.facts.codec import encode_operation
from cruxstore.facts.floats import round_to_f32
from cruxstore.facts.records import Fact, Horizon, Operation, Store, Timestamp, token_count
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Event

NOON_NS = parse_timestamp("2026-11-30T12:00:00Z").ns
"""The moment at which tests look at their journals, unless they say otherwise."""

MORNING = parse_timestamp("2026-11-30T08:00:00Z")


@dataclass(frozen=True)
class Files:
    """A store's files without a store: a journal that nobody of ours writes, and no ledger."""

    data_dir: Path
    instance_id: str = "test"

    @property
    def journal_path(self) -> Path:
        """The journal in the folder."""
        return self.data_dir / "facts.jsonl"

    @property
    def ledger_path(self) -> Path:
        """A ledger that is not there."""
        return self.data_dir / "ledger.jsonl"

    def foreign_ids(self, event: Event) -> dict[str, str]:
        """No event names an id that is not of our form."""
        return {}

    def write(self, operations: Iterable[Operation | bytes]) -> None:
        """Replaces the journal's content in place."""
        self.journal_path.write_bytes(lines_of(operations))

    def append(self, operations: Iterable[Operation | bytes]) -> None:
        """Adds to the journal."""
        with self.journal_path.open("ab") as journal:
            journal.write(lines_of(operations))


def lines_of(operations: Iterable[Operation | bytes]) -> bytes:
    """The lines of operations; bytes stand for a line of their own."""
    return b"".join((one if isinstance(one, bytes) else encode_operation(one)) + b"\n" for one in operations)


def fact_id(number: int) -> str:
    """An id in the usual shape."""
    return f"f_{number:032x}"


def make_fact(
    number: int,
    value: str = "yes",
    *,
    entity: str = "service:checkout",
    key: str = "deploy_gate",
    tenant: str = "default",
    confidence: float = 0.9,
    stored_at: Timestamp = MORNING,
    horizon: Horizon = Horizon.NONE,
    actor: str | None = "deploy-bot",
    version: int = 1,
    supersedes: int | None = None,
    superseded_by: int | None = None,
    private: bool = False,
    deleted: bool = False,
    extra: bytes | None = None,
) -> Fact:
    """A fact like any other, but for what the test says."""
    return Fact(
        fact_id=fact_id(number),
        tenant_hash=tenant,
        entity=entity,
        key=key,
        value=value,
        source_receipt=None,
        confidence=round_to_f32(confidence),
        stored_at=stored_at,
        tokens=token_count(value),
        deleted=deleted,
        version=version,
        supersedes=None if supersedes is None else fact_id(supersedes),
        private=private,
        horizon_class=horizon,
        superseded_by=None if superseded_by is None else fact_id(superseded_by),
        actor=actor,
        extra=extra,
    )


def stored(*facts: Fact) -> list[Operation | bytes]:
    """A line for each fact."""
    return [Store(fact) for fact in facts]
