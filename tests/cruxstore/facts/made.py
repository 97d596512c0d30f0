"""Lines and facts made for tests: plain ones, with whatever the test changes."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cruxstore.facts.codec import decode_line
from cruxstore.facts.journal import Replay, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Fact, Store

ABSENT: Any = object()
STAMP = "2026-03-02T09:00:00+00:00"


def dump(value: object) -> bytes:
    """JSON as the format spells it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def fact_members(fact_id: str = "f_1", **changes: Any) -> dict[str, Any]:
    """The members of a fact, in the order in which they are written."""
    members: dict[str, Any] = {
        "fact_id": fact_id,
        "tenant_hash": "default",
        "entity": "project:lark",
        "key": "deploy_ok",
        "value": "yes",
        "source_receipt": None,
        "confidence": 0.5,
        "stored_at": "2026-03-01T08:15:30Z",
        "tokens": 1,
        "deleted": False,
        "version": 1,
        "supersedes": ABSENT,
        "private": False,
        "horizon_class": "none",
    }
    members.update(changes)
    return {key: value for key, value in members.items() if value is not ABSENT}


def store_line(fact_id: str = "f_1", **changes: Any) -> bytes:
    """A `store` line."""
    return dump({"op": "store", "fact": fact_members(fact_id, **changes)})


def event_line(op: str, **members: Any) -> bytes:
    """A line of any operation."""
    return dump({"op": op, **members})


def supersede_line(fact_id: str, by_fact_id: str) -> bytes:
    """A `supersede` line."""
    return event_line("supersede", fact_id=fact_id, by_fact_id=by_fact_id, superseded_at=STAMP)


def delete_line(fact_id: str) -> bytes:
    """A `delete` line."""
    return event_line("delete", fact_id=fact_id, deleted_at=STAMP)


def consolidate_line(canonical_id: str, sources: Sequence[str], **changes: Any) -> bytes:
    """A `consolidate` line."""
    canonical = fact_members(canonical_id, **changes)
    return event_line("consolidate", canonical=canonical, superseded_fact_ids=sources, consolidated_at=STAMP)


def undo_line(canonical_id: str, sources: Sequence[str]) -> bytes:
    """A `consolidate_undo` line."""
    return event_line("consolidate_undo", canonical_fact_id=canonical_id, restored_fact_ids=sources, undone_at=STAMP)


def provenance_line(canonical_id: str, sources: Sequence[str], tenant_hash: str = "default") -> bytes:
    """A `consolidation_provenance` line."""
    return event_line(
        "consolidation_provenance",
        canonical_fact_id=canonical_id,
        source_fact_ids=sources,
        tenant_hash=tenant_hash,
        recorded_at=STAMP,
    )


def hold_line(fact_id: str, hold_id: str, /, *, tenant: str = "default", version: int = 1, **changes: Any) -> bytes:
    """A `store` line that states a legal hold."""
    record = {
        "schema": "crux.legal_hold.v1",
        "hold_id": hold_id,
        "tenant_id": tenant,
        "entity_prefixes": ["customer::"],
        "reason": "contract dispute",
        "placed_at": "2026-03-01T00:00:00Z",
        "placed_by": "operator",
        "place_receipt_id": "r_1",
        **changes,
    }
    record = {key: value for key, value in record.items() if value is not ABSENT}
    return store_line(
        fact_id,
        tenant_hash=tenant,
        entity=f"__legal_hold__::{hold_id}",
        key="state",
        value=dump(record).decode(),
        version=version,
        private=True,
    )


def fact(fact_id: str = "f_1", **changes: Any) -> Fact:
    """A fact read from its line."""
    operation = decode_line(store_line(fact_id, **changes))
    assert isinstance(operation, Store)
    return operation.fact


def write_journal(path: Path, *lines: bytes) -> Path:
    """A journal file of these lines."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def replayed(tmp_path: Path, *lines: bytes, privacy: PrivacyPolicy | None = None) -> Replay:
    """What a journal of these lines leaves."""
    return replay_journal(write_journal(tmp_path / "facts.jsonl", *lines), privacy or PrivacyPolicy())


def codes(replay: Replay) -> list[tuple[int, str]]:
    """The skipped lines by number and reason."""
    return [(line.number, line.reason.code) for line in replay.skipped]
