"""Lines to operations the exact way: every member looked at, every refusal with its place."""

from collections.abc import Callable
from typing import Any, Final

from cruxstore.errors import BadTimestampError, LineError
from cruxstore.facts.floats import round_to_f32
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
    Timestamp,
)
from cruxstore.facts.scan import JsonObject, JsonValue, Member, scan_object
from cruxstore.facts.times import parse_timestamp

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


class MemberError(Exception):
    """A member of an object is missing or of the wrong kind; whoever knows its place makes a LineError of this."""

    def __init__(self, key: str, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.key = key
        self.code = code
        self.sentence = sentence


def decode_exactly(line: bytes) -> tuple[Operation, tuple[Slice, ...]]:
    """The operation of a line and where in it its facts stand; raises LineError."""
    scanned = scan_object(line)
    event = _values(scanned, frozenset({"op"}))
    op = event.get("op")
    if not isinstance(op, str):
        raise LineError("missing_key", "“op” is missing or not a text.", scanned.start)
    if op not in EVENT_KEYS:
        raise LineError("unknown_operation", "The operation is unknown.", _place(scanned, "op"))
    event = _values(scanned, EVENT_KEYS[op])
    slices: list[Slice] = []

    def make_fact(scanned_fact: Any) -> Fact:
        fact = _fact(line, scanned_fact)
        slices.append((scanned_fact.start, scanned_fact.end - scanned_fact.start))
        return fact

    try:
        operation = build_operation(event, make_fact)
    except MemberError as error:
        raise LineError(error.code, error.sentence, _place(scanned, error.key)) from None
    return operation, tuple(slices)


def decode_fact_exactly(text: bytes) -> Fact:
    """The fact that a text consists of; raises LineError."""
    return _fact(text, scan_object(text))


def build_operation(event: dict[str, Any], make_fact: Callable[[Any], Fact]) -> Operation:
    """The operation with these members, its facts made by the caller's function; raises MemberError."""
    match event["op"]:
        case "store":
            return Store(make_fact(_needed(event, "fact")))
        case "supersede":
            return Supersede(_text(event, "fact_id"), _text(event, "by_fact_id"), _text(event, "superseded_at"))
        case "delete":
            return Delete(_text(event, "fact_id"), _text(event, "deleted_at"))
        case "store_batch":
            return StoreBatch(tuple(map(make_fact, _list(event, "facts"))))
        case "set_validity":
            return SetValidity(
                _text(event, "fact_id"),
                _optional_time(event, "valid_from"),
                _optional_time(event, "valid_to"),
                _text(event, "set_at"),
            )
        case "clear_supersede":
            return ClearSupersede(_text(event, "fact_id"), _text(event, "cleared_at"))
        case "consolidate":
            return Consolidate(
                make_fact(_needed(event, "canonical")),
                _ids(event, "superseded_fact_ids"),
                _text(event, "consolidated_at"),
            )
        case "consolidate_undo":
            return ConsolidateUndo(
                _text(event, "canonical_fact_id"), _ids(event, "restored_fact_ids"), _text(event, "undone_at")
            )
        case "consolidation_provenance":
            return ConsolidationProvenance(
                _text(event, "canonical_fact_id"),
                _ids(event, "source_fact_ids"),
                _text(event, "tenant_hash"),
                _text(event, "recorded_at"),
            )
    return ReplaceLatest(make_fact(_needed(event, "fact")), _ids(event, "replaced_fact_ids"))


def _fact(text: bytes, scanned: JsonValue) -> Fact:
    if not isinstance(scanned, JsonObject):
        raise MemberError("fact", "wrong_type", "A fact must be an object.")
    unknown = [text[member.start : member.end] for member in scanned.members if member.key not in _FACT_KEY_SET]
    members = _values(scanned, _FACT_KEY_SET)
    try:
        return Fact(
            fact_id=_text(members, "fact_id"),
            tenant_hash=_text(members, "tenant_hash") if "tenant_hash" in members else DEFAULT_TENANT,
            entity=_text(members, "entity"),
            key=_text(members, "key"),
            value=_text(members, "value"),
            source_receipt=_optional_text(members, "source_receipt"),
            confidence=_confidence(members),
            stored_at=_time(members, "stored_at"),
            tokens=_count(members, "tokens", MAX_U64),
            deleted=_flag(members, "deleted"),
            version=_count(members, "version", MAX_U32) if "version" in members else 1,
            supersedes=_optional_text(members, "supersedes"),
            private=_flag(members, "private") if "private" in members else False,
            horizon_class=_horizon(members),
            reverified_at=_optional_time(members, "reverified_at"),
            superseded_by=_optional_text(members, "superseded_by"),
            actor=_optional_text(members, "actor"),
            valid_from=_optional_time(members, "valid_from"),
            valid_to=_optional_time(members, "valid_to"),
            access_count=_count(members, "access_count", MAX_U32) if "access_count" in members else 0,
            last_accessed_at=_optional_time(members, "last_accessed_at"),
            extra=b",".join(unknown) if unknown else None,
        )
    except MemberError as error:
        raise LineError(error.code, error.sentence, _place(scanned, error.key)) from None


def _values(scanned: JsonObject, known_keys: frozenset[str]) -> dict[str, Any]:
    """An object's values by key, once no known key turns up twice."""
    values: dict[str, Any] = {}
    for member in scanned.members:
        if member.key in values and member.key in known_keys:
            raise LineError("duplicate_key", f"“{member.key}” is given twice.", member.start)
        values[member.key] = member.value
    return values


def _place(scanned: JsonObject, key: str) -> int:
    """The byte where a member's value begins; that of its object when it is missing."""
    found: Member | None = next((member for member in scanned.members if member.key == key), None)
    return found.value_start if found else scanned.start


def _needed(members: dict[str, Any], key: str) -> Any:
    if key not in members:
        raise MemberError(key, "missing_key", f"“{key}” is missing.")
    return members[key]


def _wrong_type(key: str, wanted: str) -> MemberError:
    return MemberError(key, "wrong_type", f"“{key}” must be {wanted}.")


def _text(members: dict[str, Any], key: str) -> str:
    text = _needed(members, key)
    if type(text) is not str:
        raise _wrong_type(key, "a text")
    return text


def _optional_text(members: dict[str, Any], key: str) -> str | None:
    return None if members.get(key) is None else _text(members, key)


def _flag(members: dict[str, Any], key: str) -> bool:
    flag = _needed(members, key)
    if type(flag) is not bool:
        raise _wrong_type(key, "true or false")
    return flag


def _count(members: dict[str, Any], key: str, most: int) -> int:
    number = _needed(members, key)
    if type(number) is not int or not 0 <= number <= most:
        raise _wrong_type(key, f"a whole number from 0 to {most}")
    return number


def _confidence(members: dict[str, Any]) -> float:
    number = _needed(members, "confidence")
    if type(number) is not float and type(number) is not int:
        raise _wrong_type("confidence", "a number")
    return round_to_f32(float(number))


def _horizon(members: dict[str, Any]) -> Horizon:
    try:
        return Horizon(members.get("horizon_class", "none"))
    except ValueError:
        raise _wrong_type("horizon_class", "“volatile”, “medium”, “stable” or “none”") from None


def _list(members: dict[str, Any], key: str) -> list[Any]:
    values = _needed(members, key)
    if type(values) is not list:
        raise _wrong_type(key, "a list")
    return values


def _ids(members: dict[str, Any], key: str) -> tuple[str, ...]:
    ids = _list(members, key)
    if not all(type(fact_id) is str for fact_id in ids):
        raise _wrong_type(key, "a list of texts")
    return tuple(ids)


def _time(members: dict[str, Any], key: str) -> Timestamp:
    text = _text(members, key)
    try:
        return parse_timestamp(text)
    except BadTimestampError as error:
        raise MemberError(key, "bad_timestamp", f"“{key}”: {error}") from None


def _optional_time(members: dict[str, Any], key: str) -> Timestamp | None:
    return None if members.get(key) is None else _time(members, key)
