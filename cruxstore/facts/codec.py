"""Lines of a journal to operations and back, in exactly the bytes that the format prescribes.

Almost every line is spelled as a writer spells it. Such a line is told by reading it with `orjson`, writing it again
and finding the same bytes, which rules out whatever `orjson` overlooks. Everything else goes the exact way, and only
the exact way refuses: what the short way accepts, the exact way accepts alike.
"""

from collections.abc import Callable
from itertools import chain, combinations
from typing import Any, Final

import orjson

from cruxstore.errors import BadTimestampError, LineError, LineTooLongError, TextNotStorableError
from cruxstore.facts.floats import f32_text, round_to_f32
from cruxstore.facts.records import (
    DEFAULT_TENANT,
    MAX_LINE_BYTES,
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

_OPTIONAL_KEYS: Final = frozenset(
    {
        "supersedes",
        "reverified_at",
        "superseded_by",
        "actor",
        "valid_from",
        "valid_to",
        "access_count",
        "last_accessed_at",
    }
)
_FACT_KEY_SET: Final = frozenset(FACT_KEYS)
_WRITTEN_ORDERS: Final = frozenset(
    tuple(key for key in FACT_KEYS if key not in left_out)
    for left_out in map(
        frozenset,
        chain.from_iterable(combinations(sorted(_OPTIONAL_KEYS), size) for size in range(len(_OPTIONAL_KEYS) + 1)),
    )
)
_EVENT_KEYS: Final[dict[str, frozenset[str]]] = {
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
_HORIZONS: Final = {horizon.value: horizon for horizon in Horizon}
_MAX_U32 = 2**32 - 1
_MAX_U64 = 2**64 - 1
_STORE_START = b'{"op":"store","fact":'
_BATCH_START = b'{"op":"store_batch","facts":['
_REPLACE_START = b'{"op":"replace_latest","fact":'
_CONSOLIDATE_START = b'{"op":"consolidate","canonical":'


def decode_line(line: bytes) -> Operation:
    """The operation that a line, given without its newline, stands for; raises LineError when it stands for none."""
    event = _written_event(line)
    if event is not None:
        try:
            return _build(event, _written_fact)
        except _NotAsWrittenError:
            pass
    return _decode_exactly(line)[0]


def decode_line_and_slices(line: bytes) -> tuple[Operation, tuple[Slice, ...]]:
    """What `decode_line` answers, and where in the line each of its facts stands, in order."""
    event = _written_event(line)
    if event is not None:
        try:
            return _build(event, _written_fact), _written_slices(event, line)
        except _NotAsWrittenError:
            pass
    return _decode_exactly(line)


def fact_slices(line: bytes) -> tuple[Slice, ...]:
    """Where in a line each of its facts stands, in order; raises LineError for a line that stands for no operation."""
    return decode_line_and_slices(line)[1]


def decode_fact(text: bytes) -> Fact:
    """The fact that a slice of a line holds; raises LineError when it holds none."""
    return _ExactFacts(text).fact(scan_object(text))


def encode_operation(operation: Operation, *, with_extra: bool = True) -> bytes:
    """The line of an operation, without its newline; unknown keys of its facts are left out on request.

    Raises LineTooLongError over 64 MiB, and TextNotStorableError where a text is not Unicode.
    """
    match operation:
        case Store(fact):
            line = _STORE_START + encode_fact(fact, with_extra=with_extra) + b"}"
        case ReplaceLatest(fact, replaced_fact_ids):
            line = _joined(_REPLACE_START, fact, {"replaced_fact_ids": replaced_fact_ids}, with_extra)
        case StoreBatch(facts):
            line = _BATCH_START + b",".join(encode_fact(fact, with_extra=with_extra) for fact in facts) + b"]}"
        case Consolidate(canonical, superseded_fact_ids, consolidated_at):
            rest = {"superseded_fact_ids": superseded_fact_ids, "consolidated_at": consolidated_at}
            line = _joined(_CONSOLIDATE_START, canonical, rest, with_extra)
        case Delete(fact_id, deleted_at):
            line = _dump({"op": "delete", "fact_id": fact_id, "deleted_at": deleted_at})
        case Supersede(fact_id, by_fact_id, superseded_at):
            line = _dump(
                {"op": "supersede", "fact_id": fact_id, "by_fact_id": by_fact_id, "superseded_at": superseded_at}
            )
        case ClearSupersede(fact_id, cleared_at):
            line = _dump({"op": "clear_supersede", "fact_id": fact_id, "cleared_at": cleared_at})
        case SetValidity(fact_id, valid_from, valid_to, set_at):
            bounds = {"valid_from": valid_from, "valid_to": valid_to}
            spelled = {key: moment.text for key, moment in bounds.items() if moment is not None}
            line = _dump({"op": "set_validity", "fact_id": fact_id, **spelled, "set_at": set_at})
        case ConsolidationProvenance(canonical_fact_id, source_fact_ids, tenant_hash, recorded_at):
            line = _dump(
                {
                    "op": "consolidation_provenance",
                    "canonical_fact_id": canonical_fact_id,
                    "source_fact_ids": source_fact_ids,
                    "tenant_hash": tenant_hash,
                    "recorded_at": recorded_at,
                }
            )
        case ConsolidateUndo(canonical_fact_id, restored_fact_ids, undone_at):
            line = _dump(
                {
                    "op": "consolidate_undo",
                    "canonical_fact_id": canonical_fact_id,
                    "restored_fact_ids": restored_fact_ids,
                    "undone_at": undone_at,
                }
            )
    if len(line) > MAX_LINE_BYTES:
        raise LineTooLongError(f"The line would be {len(line):,} bytes long; 67,108,864 is the most.")
    return line


def encode_fact(fact: Fact, *, with_extra: bool = True) -> bytes:
    """The JSON object of a fact as it stands inside a line."""
    members: dict[str, Any] = {
        "fact_id": fact.fact_id,
        "tenant_hash": fact.tenant_hash,
        "entity": fact.entity,
        "key": fact.key,
        "value": fact.value,
        "source_receipt": fact.source_receipt,
        "confidence": orjson.Fragment(f32_text(fact.confidence)),
        "stored_at": fact.stored_at.text,
        "tokens": fact.tokens,
        "deleted": fact.deleted,
        "version": fact.version,
    }
    if fact.supersedes is not None:
        members["supersedes"] = fact.supersedes
    members["private"] = fact.private
    members["horizon_class"] = fact.horizon_class.value
    if fact.reverified_at is not None:
        members["reverified_at"] = fact.reverified_at.text
    if fact.superseded_by is not None:
        members["superseded_by"] = fact.superseded_by
    if fact.actor is not None:
        members["actor"] = fact.actor
    if fact.valid_from is not None:
        members["valid_from"] = fact.valid_from.text
    if fact.valid_to is not None:
        members["valid_to"] = fact.valid_to.text
    if fact.access_count:
        members["access_count"] = fact.access_count
    if fact.last_accessed_at is not None:
        members["last_accessed_at"] = fact.last_accessed_at.text
    encoded = _dump(members)
    if fact.extra is not None and with_extra:
        return encoded[:-1] + b"," + fact.extra + b"}"
    return encoded


def _joined(start: bytes, fact: Fact, rest: dict[str, Any], with_extra: bool) -> bytes:
    return start + encode_fact(fact, with_extra=with_extra) + b"," + _dump(rest)[1:]


def _dump(members: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(members)
    except TypeError as error:
        raise TextNotStorableError("A text holds half of a surrogate pair, which no journal can hold.") from error


class _NotAsWrittenError(Exception):
    """A member is missing, unknown or of the wrong kind: the exact way decides and says where."""

    def __init__(self, key: str, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.key = key
        self.code = code
        self.sentence = sentence


def _written_event(line: bytes) -> dict[str, Any] | None:
    """The object of a line, if writing it again gives the same bytes."""
    try:
        event = orjson.loads(line)
        if type(event) is not dict or orjson.dumps(event) != line:
            return None
    except (orjson.JSONDecodeError, TypeError):
        return None
    known_keys = _EVENT_KEYS.get(event["op"]) if type(event.get("op")) is str else None
    if known_keys is None or not event.keys() <= known_keys:
        return None
    return event


def _written_fact(members: Any) -> Fact:
    if type(members) is not dict or tuple(members) not in _WRITTEN_ORDERS:
        raise _NotAsWrittenError("", "unknown_key", "")
    return _build_fact(members, None)


def _written_slices(event: dict[str, Any], line: bytes) -> tuple[Slice, ...]:
    op = event["op"]
    if op == "store" and line.startswith(_STORE_START):
        return ((len(_STORE_START), len(line) - len(_STORE_START) - 1),)
    if op in ("store", "store_batch", "replace_latest", "consolidate"):
        return _decode_exactly(line)[1]
    return ()


def _decode_exactly(line: bytes) -> tuple[Operation, tuple[Slice, ...]]:
    scanned = scan_object(line)
    facts = _ExactFacts(line)
    places = _places(scanned)
    for member in scanned.members:
        if member.key == "op" and places["op"] is not member:
            raise LineError("duplicate_key", "“op” is given twice.", member.start)
    event: dict[str, Any] = {key: member.value for key, member in places.items()}
    op = event.get("op")
    if "op" not in event:
        raise LineError("missing_key", "“op” is missing.", scanned.start)
    if not isinstance(op, str) or op not in _EVENT_KEYS:
        raise LineError("unknown_operation", "The operation is unknown.", places["op"].value_start)
    _refuse_duplicates(scanned, _EVENT_KEYS[op])
    try:
        operation = _build(event, facts.fact)
    except _NotAsWrittenError as error:
        place = places.get(error.key)
        raise LineError(error.code, error.sentence, place.value_start if place else scanned.start) from None
    return operation, tuple(facts.slices)


class _ExactFacts:
    """Makes facts of scanned objects of one text, and remembers where each stood."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.slices: list[Slice] = []

    def fact(self, scanned: JsonValue) -> Fact:
        if not isinstance(scanned, JsonObject):
            raise _NotAsWrittenError("fact", "wrong_type", "A fact must be an object.")
        _refuse_duplicates(scanned, _FACT_KEY_SET)
        places = _places(scanned)
        unknown = [
            self._text[member.start : member.end] for member in scanned.members if member.key not in _FACT_KEY_SET
        ]
        try:
            fact = _build_fact({key: member.value for key, member in places.items()}, b",".join(unknown) or None)
        except _NotAsWrittenError as error:
            place = places.get(error.key)
            raise LineError(error.code, error.sentence, place.value_start if place else scanned.start) from None
        self.slices.append((scanned.start, scanned.end - scanned.start))
        return fact


def _places(scanned: JsonObject) -> dict[str, Member]:
    return {member.key: member for member in reversed(scanned.members)}


def _refuse_duplicates(scanned: JsonObject, known_keys: frozenset[str]) -> None:
    seen: set[str] = set()
    for member in scanned.members:
        if member.key in seen and member.key in known_keys:
            raise LineError("duplicate_key", f"“{member.key}” is given twice.", member.start)
        seen.add(member.key)


def _build(event: dict[str, Any], make_fact: Callable[[Any], Fact]) -> Operation:
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


def _build_fact(members: dict[str, Any], extra: bytes | None) -> Fact:
    """A fact of its members; written out because every line of a journal comes through here."""
    get = members.get
    fact_id, tenant_hash, entity = get("fact_id"), get("tenant_hash", DEFAULT_TENANT), get("entity")
    key, value, receipt, confidence = get("key"), get("value"), get("source_receipt"), get("confidence")
    tokens, deleted, version, private = get("tokens"), get("deleted"), get("version", 1), get("private", False)
    supersedes, superseded_by, actor = get("supersedes"), get("superseded_by"), get("actor")
    count, horizon = get("access_count", 0), get("horizon_class", "none")
    if not (
        type(fact_id) is str
        and type(tenant_hash) is str
        and type(entity) is str
        and type(key) is str
        and type(value) is str
        and (receipt is None or type(receipt) is str)
        and (supersedes is None or type(supersedes) is str)
        and (superseded_by is None or type(superseded_by) is str)
        and (actor is None or type(actor) is str)
        and (type(confidence) is float or type(confidence) is int)
        and type(deleted) is bool
        and type(private) is bool
        and type(tokens) is int
        and type(version) is int
        and type(count) is int
        and 0 <= tokens <= _MAX_U64
        and 0 <= version <= _MAX_U32
        and 0 <= count <= _MAX_U32
        and type(horizon) is str
        and horizon in _HORIZONS
    ):
        raise _fault(members)
    return Fact(
        fact_id,
        tenant_hash,
        entity,
        key,
        value,
        receipt,
        round_to_f32(float(confidence)),
        _time(members, "stored_at"),
        tokens,
        deleted,
        version,
        supersedes,
        private,
        _HORIZONS[horizon],
        _optional_time(members, "reverified_at"),
        superseded_by,
        actor,
        _optional_time(members, "valid_from"),
        _optional_time(members, "valid_to"),
        count,
        _optional_time(members, "last_accessed_at"),
        extra,
    )


def _fault(members: dict[str, Any]) -> _NotAsWrittenError:
    """What is wrong with the first faulty member of a fact."""
    for key in ("fact_id", "entity", "key", "value", "confidence", "stored_at", "tokens", "deleted"):
        if key not in members:
            return _NotAsWrittenError(key, "missing_key", f"“{key}” is missing.")
    for key in ("fact_id", "tenant_hash", "entity", "key", "value"):
        if type(members.get(key, "")) is not str:
            return _wrong_type(key, "a text")
    for key in ("source_receipt", "supersedes", "superseded_by", "actor"):
        if type(members.get(key) or "") is not str:
            return _wrong_type(key, "a text or null")
    for key in ("deleted", "private"):
        if type(members.get(key, False)) is not bool:
            return _wrong_type(key, "true or false")
    for key, most in (("tokens", _MAX_U64), ("version", _MAX_U32), ("access_count", _MAX_U32)):
        number = members.get(key, 0)
        if type(number) is not int or not 0 <= number <= most:
            return _wrong_type(key, f"a whole number from 0 to {most}")
    if type(members["confidence"]) not in (float, int):
        return _wrong_type("confidence", "a number")
    return _wrong_type("horizon_class", "one of “volatile”, “medium”, “stable”, “none”")


def _wrong_type(key: str, wanted: str) -> _NotAsWrittenError:
    return _NotAsWrittenError(key, "wrong_type", f"“{key}” must be {wanted}.")


def _needed(members: dict[str, Any], key: str) -> Any:
    if key not in members:
        raise _NotAsWrittenError(key, "missing_key", f"“{key}” is missing.")
    return members[key]


def _text(members: dict[str, Any], key: str) -> str:
    text = _needed(members, key)
    if type(text) is not str:
        raise _wrong_type(key, "a text")
    return text


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
        raise _NotAsWrittenError(key, "bad_timestamp", f"“{key}”: {error}") from None


def _optional_time(members: dict[str, Any], key: str) -> Timestamp | None:
    return None if members.get(key) is None else _time(members, key)
