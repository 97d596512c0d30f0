"""Facts as rows: entity, key and value under their usual names, or a text with a few facts about it.

    {"entity":"project:lark","key":"owner","value":"Ines","confidence":0.9,"valid_from":"2026-03-01"}
    {"subject":"Ines","predicate":"leads","obj":"Harbour project","source":"minutes"}
    {"id":7,"fact":"The pier opens at six","confidence":0.8,"timestamp":1767225600}

Keys stay as they are; one entity and key with different values is a chain, in file order. A bare text
gets a key of its own. Tables (CSV) go through the same rules, with every cell a text.
"""

from collections.abc import Iterable, Mapping

from apps.facts.formats.fields import (
    Record,
    UnusableFieldError,
    as_text,
    confidence,
    first,
    first_text,
    first_time,
    flag,
    horizon,
    rest,
    tags,
    validity,
)
from apps.facts.formats.source import Row
from apps.facts.formats.tally import Tally
from apps.facts.formats.vocabulary import Proposed
from apps.facts.formats.wording import excerpt, keys_found

ENTITY = ("entity", "subject", "entity_name", "entityName")
KEY = ("key", "predicate", "attribute", "property")
VALUE = ("value", "object", "obj")
TEXT = ("fact", "text", "statement")
CONFIDENCE = ("confidence",)
HORIZON = ("horizon_class", "horizon")
VALID_FROM = ("valid_from", "validFrom", "valid_at", "validAt")
VALID_TO = ("valid_to", "validTo", "valid_until", "validUntil", "invalid_at", "expires_at", "expiration_date")
ACTOR = ("actor", "agent", "author")
RECEIPT = ("source_receipt",)
RECORDED = ("recorded_at", "stored_at", "created_at", "createdAt", "timestamp")
SAID = ("said_at", "saidAt")
TYPE = ("entity_type", "entityType")
PRIVATE = ("private", "is_private")
TAGS = ("tags", "categories")
TEXT_SUBJECT = (*ENTITY, "user_id", "topic")

COLUMN_NAMES = {
    name.replace("_", "").casefold(): name
    for names in (
        *(ENTITY, KEY, VALUE, CONFIDENCE, HORIZON, VALID_FROM, VALID_TO, ACTOR, RECEIPT, RECORDED, SAID),
        *(TYPE, PRIVATE, TAGS, ("deleted", "retracted", "superseded_by", "status", "state")),
    )
    for name in reversed(names)
}
RETIRED = frozenset({"deleted", "retracted", "superseded", "rejected", "expired", "archived"})

_SHARED = frozenset(
    {*CONFIDENCE, *HORIZON, *ACTOR, *RECEIPT, *RECORDED, *SAID, *TYPE, *PRIVATE, *TAGS}
    | {"deleted", "retracted", "superseded_by", "tokens", "version", "supersedes"}
)
_TRIPLE_MEMBERS = _SHARED | {*ENTITY, *KEY, *VALUE}
_TEXT_MEMBERS = _SHARED | {*TEXT, *TEXT_SUBJECT}
_TEXT_COMPANIONS = frozenset({"id", "source", *CONFIDENCE, *VALID_FROM, *VALID_TO, *RECORDED, *TEXT_SUBJECT})
_NOT_FACTS = frozenset({"role", "speaker", "sender", "messages", "user", "assistant"})
_NOTHING = frozenset({"none", "null", "n/a", "nothing"})


def is_triple_row(record: Record) -> bool:
    """Whether a record names an entity, a key and a value."""
    return all(any(name in record for name in names) for names in (ENTITY, KEY, VALUE))


def is_text_row(record: Record) -> bool:
    """Whether a record is a text with an id, a source, a time or a confidence, and no turn of a conversation."""
    return (
        first_text(record, TEXT) is not None
        and bool(_TEXT_COMPANIONS & record.keys())
        and not _NOT_FACTS & record.keys()
    )


def is_fact_row(record: Record) -> bool:
    """Whether a record is either of the two."""
    return is_triple_row(record) or is_text_row(record)


def read(rows: Iterable[Row], tally: Tally) -> None:
    """Reads rows of both kinds, in any mixture."""
    for row in rows:
        record = row.record
        if isinstance(record, dict) and is_triple_row(record):
            read_triple(record, tally, line=row.line, path=row.path, shown=row.raw)
        elif isinstance(record, dict) and is_text_row(record):
            _read_text(row, record, tally)
        else:
            tally.ignore_shape(row)


def read_triple(record: Record, tally: Tally, *, line: int, path: str, shown: str | bytes) -> None:
    """Reads one entity, key and value; what cannot be used makes the whole row a fault."""
    entity, key = first_text(record, ENTITY), first_text(record, KEY)
    if entity is None or key is None:
        lack = "an entity" if entity is None else "a key"
        tally.fault(line, f"a fact without {lack} ({keys_found(record)}): {excerpt(shown)}")
        return
    value = next((record[name] for name in VALUE if record.get(name) is not None), None)
    if value is None:
        tally.ignore(line, "row without a value", example=f"{entity} {key}")
        return
    try:
        proposed = _proposed(record, entity, key, as_text(value), line=line, path=path, known=_TRIPLE_MEMBERS)
    except UnusableFieldError as error:
        tally.fault(line, f"{error}: {excerpt(shown)}")
        return
    retired = _retirement(record)
    if retired:
        tally.retract(proposed, what=f"fact that the source has {retired}")
        return
    if tally.state(proposed):
        tally.declare(entity, line=line, entity_type=proposed.entity_type)


def _read_text(row: Row, record: Record, tally: Tally) -> None:
    text = first_text(record, TEXT) or ""
    if text.strip().casefold() in _NOTHING:
        tally.ignore(row.line, "text that states nothing", example=text)
        return
    entity = tally.subject(first_text(record, TEXT_SUBJECT), line=row.line)
    try:
        proposed = _proposed(record, entity, "", text, line=row.line, path=row.path, known=_TEXT_MEMBERS)
    except UnusableFieldError as error:
        tally.fault(row.line, f"{error}: {excerpt(row.raw)}")
        return
    retired = _retirement(record)
    if retired:
        tally.retract(proposed, what=f"fact that the source has {retired}")
        return
    if tally.observe(proposed):
        tally.declare(entity, line=row.line, entity_type=proposed.entity_type)


def _proposed(
    record: Record, entity: str, key: str, value: str, *, line: int, path: str, known: frozenset[str]
) -> Proposed:
    valid_from, valid_to = validity(record, VALID_FROM, VALID_TO)
    return Proposed(
        entity,
        key,
        value,
        line,
        path,
        entity_type=first_text(record, TYPE),
        confidence=confidence(first(record, CONFIDENCE)),
        horizon_class=horizon(first(record, HORIZON)),
        is_private=flag(first(record, PRIVATE)),
        actor=first_text(record, ACTOR),
        source_receipt=first_text(record, RECEIPT),
        valid_from=valid_from,
        valid_to=valid_to,
        said_at=first_time(record, SAID),
        recorded_at=first_time(record, RECORDED),
        tags=tags(first(record, TAGS)),
        extra=rest(record, known),
    )


def _retirement(record: Mapping[str, object]) -> str:
    """What the source has done to a fact that it no longer holds; empty while it holds it."""
    for name in ("deleted", "retracted"):
        if flag(record.get(name)):
            return name
    if first(record, ("superseded_by",)) is not None:
        return "superseded"
    status = first_text(record, ("status", "state"))
    word = status.strip().casefold() if status else ""
    return word if word in RETIRED else ""
