"""Lines of a journal to operations and back, in exactly the bytes that the format prescribes.

Almost every line is spelled as a writer spells it. Such a line is told by reading it with `orjson`, writing it again
and finding the same bytes, which rules out whatever `orjson` overlooks. Everything else goes the exact way, and only
the exact way refuses: what the short way accepts, the exact way accepts alike.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import Any, Final

import orjson

from cruxstore.errors import BadTimestampError, LineTooLongError, TextNotStorableError
from cruxstore.facts.exact import (
    EVENT_KEYS,
    FACT_KEYS,
    MAX_U32,
    Slice,
    build_operation,
    decode_exactly,
    decode_fact_exactly,
)
from cruxstore.facts.floats import f32_text, round_to_f32
from cruxstore.facts.members import MemberError, Members
from cruxstore.facts.records import (
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
)
from cruxstore.facts.times import parse_timestamp

_HORIZONS: Final = {horizon.value: horizon for horizon in Horizon}
_STORE_START: Final = b'{"op":"store","fact":'
_BATCH_START: Final = b'{"op":"store_batch","facts":['
_REPLACE_START: Final = b'{"op":"replace_latest","fact":'
_CONSOLIDATE_START: Final = b'{"op":"consolidate","canonical":'
_FACTS_OF: Final = {
    "store": (_STORE_START, "fact"),
    "store_batch": (_BATCH_START, "facts"),
    "replace_latest": (_REPLACE_START, "fact"),
    "consolidate": (_CONSOLIDATE_START, "canonical"),
}
"""How a line with facts begins, up to the first of them, and the key that holds them."""

_ALWAYS_WRITTEN: Final = frozenset((*FACT_KEYS[:11], "private", "horizon_class"))
_ABSENT: Final = type(None)
_KINDS_BY_PLACE: Final[tuple[tuple[type, ...], ...]] = (
    *[(str,)] * 5,  # fact_id to value
    (str, _ABSENT),  # source_receipt
    *[(float,), (str,), (int,), (bool,), (int,)],  # confidence to version
    (str, _ABSENT),  # supersedes
    *[(bool,), (str,)],  # private, horizon_class
    *[(str, _ABSENT)] * 5,  # reverified_at to valid_to
    (int,),  # access_count
    (str, _ABSENT),  # last_accessed_at
    (_ABSENT,),  # extra
)
_WRITTEN_KINDS: Final = frozenset(product(*_KINDS_BY_PLACE))
"""The kinds that the values of a fact have together, where a writer spelled it."""
_CONFIDENCE, _STORED_AT, _TOKENS, _VERSION, _HORIZON, _ACCESS_COUNT = map(
    Fact._fields.index, ("confidence", "stored_at", "tokens", "version", "horizon_class", "access_count")
)
_OPTIONAL_TIMES: Final = tuple(map(Fact._fields.index, ("reverified_at", "valid_from", "valid_to", "last_accessed_at")))


def decode_line(line: bytes) -> Operation:
    """The operation that a line, given without its newline, stands for; raises LineError when it stands for none.

    A carriage return at the end of a line is no part of it.
    """
    event = _written_event(line)
    operation = None if event is None else _from_written(event)
    return decode_exactly(line)[0] if operation is None else operation


def decode_line_and_slices(line: bytes) -> tuple[Operation, tuple[Slice, ...]]:
    """What `decode_line` answers, and where in the line each of its facts stands, in order."""
    event = _written_event(line)
    operation = None if event is None else _from_written(event)
    slices = None if event is None or operation is None else _written_slices(event, line)
    return decode_exactly(line) if operation is None or slices is None else (operation, slices)


def fact_slices(line: bytes) -> tuple[Slice, ...]:
    """Where in a line each of its facts stands, in order; raises LineError for a line that stands for no operation."""
    return decode_line_and_slices(line)[1]


def decode_fact(text: bytes) -> Fact:
    """The fact that a slice of a line holds; raises LineError when it holds none."""
    try:
        members = orjson.loads(text)
        if orjson.dumps(members) == text:
            return _written_fact(members)
    except (orjson.JSONDecodeError, TypeError, _NotAsWrittenError):
        pass
    return decode_fact_exactly(text)


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
            line = _encode_batch(facts, with_extra=with_extra)
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
    encoded = _dump(_members(fact))
    if fact.extra is not None and with_extra:
        return encoded[:-1] + b"," + fact.extra + b"}"
    return encoded


def _encode_batch(facts: Sequence[Fact], *, with_extra: bool) -> bytes:
    if with_extra and any(fact.extra is not None for fact in facts):
        return _BATCH_START + b",".join(map(encode_fact, facts)) + b"]}"
    return _dump({"op": "store_batch", "facts": list(map(_members, facts))})


def _members(fact: Fact) -> dict[str, Any]:
    """The known members of a fact in their order, as `orjson` spells them rightly."""
    (
        fact_id, tenant_hash, entity, key, value, source_receipt, confidence, stored_at, tokens, deleted, version,
        supersedes, private, horizon_class, reverified_at, superseded_by, actor, valid_from, valid_to, access_count,
        last_accessed_at, _,
    ) = fact  # fmt: skip
    members: dict[str, Any] = {
        "fact_id": fact_id,
        "tenant_hash": tenant_hash,
        "entity": entity,
        "key": key,
        "value": value,
        "source_receipt": source_receipt,
        "confidence": _as_spelled(confidence),
        "stored_at": stored_at.text,
        "tokens": tokens,
        "deleted": deleted,
        "version": version,
    }
    if supersedes is not None:
        members["supersedes"] = supersedes
    members["private"] = private
    members["horizon_class"] = horizon_class
    if reverified_at is not None:
        members["reverified_at"] = reverified_at.text
    if superseded_by is not None:
        members["superseded_by"] = superseded_by
    if actor is not None:
        members["actor"] = actor
    if valid_from is not None:
        members["valid_from"] = valid_from.text
    if valid_to is not None:
        members["valid_to"] = valid_to.text
    if access_count:
        members["access_count"] = access_count
    if last_accessed_at is not None:
        members["last_accessed_at"] = last_accessed_at.text
    return members


def _as_spelled(confidence: float) -> float | orjson.Fragment:
    """What `orjson` spells as the format spells this 32-bit number."""
    # a remembered answer would not tell the two zeros apart
    return confidence if confidence == 0 else _not_zero_as_spelled(confidence)


@lru_cache(maxsize=4096)
def _not_zero_as_spelled(confidence: float) -> float | orjson.Fragment:
    text = f32_text(confidence)
    number = float(text) if text != "null" else confidence
    return number if orjson.dumps(number).decode() == text else orjson.Fragment(text)


def _joined(start: bytes, fact: Fact, rest: dict[str, Any], with_extra: bool) -> bytes:
    return start + encode_fact(fact, with_extra=with_extra) + b"," + _dump(rest)[1:]


def _dump(members: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(members)
    except TypeError as error:
        raise TextNotStorableError("A text holds half of a surrogate pair, which no journal can hold.") from error


class _NotAsWrittenError(Exception):
    """A fact is not spelled as a writer spells it; the exact way decides about it."""


def _written_event(line: bytes) -> dict[str, Any] | None:
    """The object of a line, if it has known keys only and writing it again gives the same bytes."""
    if line.endswith(b"\r"):
        line = line[:-1]
    try:
        event = orjson.loads(line)
        if type(event) is not dict or orjson.dumps(event) != line:
            return None
        return event if EVENT_KEYS[event["op"]].issuperset(event) else None
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None


def _from_written(event: dict[str, Any]) -> Operation | None:
    op = event["op"]
    try:
        if op == "store":
            return Store(_written_fact(event["fact"]))
        return build_operation(op, Members(event), _written_fact)
    except (KeyError, MemberError, _NotAsWrittenError):
        return None


def _written_slices(event: dict[str, Any], line: bytes) -> tuple[Slice, ...] | None:
    """Where the facts of a line stand, from the lengths that they have when written again."""
    start, facts = _FACTS_OF.get(event["op"], (b"", None))
    if facts is None:
        return ()
    if not line.startswith(start):
        return None
    slices = []
    offset = len(start)
    for fact in event[facts] if facts == "facts" else [event[facts]]:
        length = len(orjson.dumps(fact))
        slices.append((offset, length))
        offset += length + 1
    return tuple(slices)


def _written_fact(members: Any) -> Fact:
    spread = _spread(tuple(members)) if type(members) is dict else None
    if spread is None:
        raise _NotAsWrittenError
    values = list(spread((*members.values(), None, 0)))
    if tuple(map(type, values)) not in _WRITTEN_KINDS:
        raise _NotAsWrittenError
    if values[_TOKENS] < 0 or not 0 <= values[_VERSION] <= MAX_U32 or not 0 <= values[_ACCESS_COUNT] <= MAX_U32:
        raise _NotAsWrittenError
    try:
        values[_CONFIDENCE] = round_to_f32(values[_CONFIDENCE])
        values[_STORED_AT] = parse_timestamp(values[_STORED_AT])
        values[_HORIZON] = _HORIZONS[values[_HORIZON]]
        for place in _OPTIONAL_TIMES:
            if values[place] is not None:
                values[place] = parse_timestamp(values[place])
    except (BadTimestampError, KeyError):
        raise _NotAsWrittenError from None
    return Fact._make(values)


@lru_cache(maxsize=512)
def _spread(keys: tuple[str, ...]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]] | None:
    """Puts the values of these keys, with None and 0 behind, in the places of a fact; None if no writer orders so."""
    if not _ALWAYS_WRITTEN.issubset(keys) or keys != tuple(key for key in FACT_KEYS if key in keys):
        return None
    none, zero = len(keys), len(keys) + 1
    absent = dict.fromkeys(Fact._fields, none) | {"access_count": zero}
    return itemgetter(*(keys.index(key) if key in keys else absent[key] for key in Fact._fields))
