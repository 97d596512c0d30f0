"""Lines to operations the exact way: every member looked at, every refusal with its place."""

from collections.abc import Callable
from typing import Any, Final

from cruxstore.facts.floats import round_to_f32
from cruxstore.facts.members import MemberError, Members, wrong_kind
from cruxstore.facts.records import (
    DEFAULT_TENANT,
    ClearSupersede,
    Consolidate,
    ConsolidateUndo,
    ConsolidationProvenance,
    Delete,
    Fact,
    Horizon,
    Operation,
    ReplaceLatest,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
)
from cruxstore.facts.scan import JsonObject, JsonValue, scan_object

Slice = tuple[int, int]
"""Where something stands in a line: offset and length in bytes."""

FACT_KEYS: Final = Fact._fields[:21]
"""The known keys of a fact, in the order in which they are written."""

EVENT_KEYS: Final[dict[str, frozenset[str]]] = {
    "store": frozenset({"op", "fact"}),
    "replace_latest": frozenset({"op", "fact", "replaced_fact_ids"}),
    "store_batch": frozenset({"op", "facts"}),
    "delete": frozenset({"op", "fact_id", "deleted_at"}),
    "supersede": frozenset({"op", "fact_id", "by_fact_id", "superseded_at"}),
    "clear_supersede": frozenset({"op", "fact_id", "cleared_at"}),
    "set_validity": frozenset({"op", "fact_id", "valid_from", "valid_to", "set_at"}),
    "consolidate": frozenset({"op", "canonical", "superseded_fact_ids", "consolidated_at"}),
    "consolidation_provenance": frozenset({"op", "canonical_fact_id", "source_fact_ids", "tenant_hash", "recorded_at"}),
    "consolidate_undo": frozenset({"op", "canonical_fact_id", "restored_fact_ids", "undone_at"}),
}
"""The known keys of each operation."""

MAX_U32: Final = 2**32 - 1
MAX_U64: Final = 2**64 - 1

_FACT_KEY_SET: Final = frozenset(FACT_KEYS)
_OP_KEY: Final = frozenset({"op"})


def decode_exactly(line: bytes) -> tuple[Operation, tuple[Slice, ...]]:
    """The operation of a line and where in it its facts stand; raises LineError."""
    scanned = scan_object(line)
    slices: list[Slice] = []

    def make_fact(scanned_fact: Any) -> Fact:
        fact = _fact(line, scanned_fact)
        slices.append((scanned_fact.start, scanned_fact.end - scanned_fact.start))
        return fact

    try:
        op = Members.of(scanned, _OP_KEY).text("op")
        if op not in EVENT_KEYS:
            raise MemberError("op", "unknown_operation", "The operation is unknown.")
        return build_operation(op, Members.of(scanned, EVENT_KEYS[op]), make_fact), tuple(slices)
    except MemberError as error:
        raise error.placed_in(scanned) from None


def decode_fact_exactly(text: bytes) -> Fact:
    """The fact that a text consists of; raises LineError."""
    return _fact(text, scan_object(text))


def build_operation(op: str, event: Members, make_fact: Callable[[Any], Fact]) -> Operation:
    """The operation with these members, its facts made by the caller's function; raises MemberError."""
    match op:
        case "store":
            return Store(make_fact(event.any("fact")))
        case "supersede":
            return Supersede(event.text("fact_id"), event.text("by_fact_id"), event.text("superseded_at"))
        case "delete":
            return Delete(event.text("fact_id"), event.text("deleted_at"))
        case "store_batch":
            return StoreBatch(tuple(map(make_fact, event.list("facts"))))
        case "set_validity":
            bounds = event.time_or_none("valid_from"), event.time_or_none("valid_to")
            return SetValidity(event.text("fact_id"), *bounds, event.text("set_at"))
        case "clear_supersede":
            return ClearSupersede(event.text("fact_id"), event.text("cleared_at"))
        case "consolidate":
            canonical = make_fact(event.any("canonical"))
            return Consolidate(canonical, event.texts("superseded_fact_ids"), event.text("consolidated_at"))
        case "consolidate_undo":
            restored = event.texts("restored_fact_ids")
            return ConsolidateUndo(event.text("canonical_fact_id"), restored, event.text("undone_at"))
        case "consolidation_provenance":
            return ConsolidationProvenance(
                event.text("canonical_fact_id"),
                event.texts("source_fact_ids"),
                event.text("tenant_hash"),
                event.text("recorded_at"),
            )
    return ReplaceLatest(make_fact(event.any("fact")), event.texts("replaced_fact_ids"))


def _fact(text: bytes, scanned: JsonValue) -> Fact:
    if not isinstance(scanned, JsonObject):
        raise MemberError("fact", "wrong_type", "A fact must be an object.")
    unknown = [text[member.start : member.end] for member in scanned.members if member.key not in _FACT_KEY_SET]
    members = Members.of(scanned, _FACT_KEY_SET)
    try:
        return Fact(
            fact_id=members.text("fact_id"),
            tenant_hash=members.text("tenant_hash") if "tenant_hash" in members else DEFAULT_TENANT,
            entity=members.text("entity"),
            key=members.text("key"),
            value=members.text("value"),
            source_receipt=members.text_or_none("source_receipt"),
            confidence=round_to_f32(members.number("confidence")),
            stored_at=members.time("stored_at"),
            tokens=members.count("tokens", MAX_U64),
            deleted=members.flag("deleted"),
            version=members.count("version", MAX_U32) if "version" in members else 1,
            supersedes=members.text_or_none("supersedes"),
            private=members.flag("private") if "private" in members else False,
            horizon_class=_horizon(members) if "horizon_class" in members else Horizon.NONE,
            reverified_at=members.time_or_none("reverified_at"),
            superseded_by=members.text_or_none("superseded_by"),
            actor=members.text_or_none("actor"),
            valid_from=members.time_or_none("valid_from"),
            valid_to=members.time_or_none("valid_to"),
            access_count=members.count("access_count", MAX_U32) if "access_count" in members else 0,
            last_accessed_at=members.time_or_none("last_accessed_at"),
            extra=b",".join(unknown) if unknown else None,
        )
    except MemberError as error:
        raise error.placed_in(scanned) from None


def _horizon(members: Members) -> Horizon:
    try:
        return Horizon(members.any("horizon_class"))
    except ValueError:
        raise wrong_kind("horizon_class", "“volatile”, “medium”, “stable” or “none”") from None
