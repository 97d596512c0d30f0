"""The MCP reference memory server's graph: JSON Lines, one document, or one observation a row.

    {"type":"entity","name":"Ines","entityType":"person","observations":["Prefers written reviews"]}
    {"type":"relation","from":"Ines","to":"Harbour project","relationType":"leads"}
    {"entities":[…],"relations":[…]}
    {"entityName":"Ines","entityType":"person","observation":"Prefers written reviews","updatedAt":"2026-03-01"}

Other names for the same members are accepted, as public files have them. An end given by id is
looked up among the entities' ids once all of them are known.
"""

from collections.abc import Iterable, Iterator

from apps.facts.formats.fields import Record, first, first_text, first_time, rest
from apps.facts.formats.source import Row
from apps.facts.formats.tally import Tally
from apps.facts.formats.vocabulary import Proposed
from apps.facts.formats.wording import excerpt, keys_found, kind_of_json, quoted

NAMES = ("name", "entityName", "entity_name", "id")
TYPES = ("entityType", "entity_type")
FROM = ("from", "from_entity", "fromEntity")
TO = ("to", "to_entity", "toEntity")
FROM_ID = ("from_id", "fromId")
TO_ID = ("to_id", "toId")
RELATION_TYPES = ("relationType", "relation_type")
RECORDED = ("createdAt", "created_at")
CHANGED = ("updatedAt", "updated_at")

_COMMON = frozenset({"type", *RECORDED})
_ENTITY_MEMBERS = _COMMON | {*NAMES[:3], *TYPES, "observations", "observation"}
_ROW_MEMBERS = _ENTITY_MEMBERS | {*CHANGED}
_RELATION_MEMBERS = _COMMON | {*FROM, *TO, *FROM_ID, *TO_ID, *RELATION_TYPES}


def is_graph_row(record: Record) -> bool:
    """Whether a record is an entity or a relation by its own word."""
    kind = record.get("type")
    return (kind == "entity" and not is_observation_row(record)) or kind == "relation"


def is_observation_row(record: Record) -> bool:
    """Whether a record is one observation with its entity's name."""
    return isinstance(record.get("observation"), str) and first_text(record, NAMES[:3]) is not None


def is_graph_document(members: frozenset[str]) -> bool:
    """Whether a document's members are those of a whole graph."""
    return "entities" in members and (
        "relations" in members or members <= {"entities", "version", "createdAt", "updatedAt"}
    )


def read_rows(rows: Iterable[Row], tally: Tally) -> None:
    """Reads entities, relations and single observations, in any mixture, between foreign records."""
    _read(((_kind_of(row.record), row) for row in rows), tally)


def read_document(rows: Iterable[Row], tally: Tally) -> None:
    """Reads a document's entities and relations; its other members are reported."""
    _read(((_kind_of_element(row), row) for row in rows), tally)


def _read(rows: Iterator[tuple[str, Row]], tally: Tally) -> None:
    names_by_id: dict[str, str] = {}
    waiting: list[tuple[Row, Record]] = []
    for kind, row in rows:
        record = row.record
        if not isinstance(record, dict) or not kind:
            tally.ignore_shape(row)
        elif kind == "entity":
            _entity(row, record, tally, names_by_id)
        elif kind == "observation":
            _observation(row, record, tally)
        elif first_text(record, FROM) and first_text(record, TO):
            _relation(row, record, tally, names_by_id)
        else:
            waiting.append((row, record))
    for row, record in waiting:
        _relation(row, record, tally, names_by_id)


def _kind_of(record: object) -> str:
    if not isinstance(record, dict):
        return ""
    if is_observation_row(record):
        return "observation"
    return str(record["type"]) if is_graph_row(record) else ""


def _kind_of_element(row: Row) -> str:
    if row.index is None:
        return ""
    if isinstance(row.record, dict) and is_observation_row(row.record):
        return "observation"
    return {"entities": "entity", "relations": "relation"}.get(row.member, "")


def _entity(row: Row, record: Record, tally: Tally, names_by_id: dict[str, str]) -> None:
    name = first_text(record, NAMES)
    if name is None:
        tally.fault(row.line, f"an entity without a name ({keys_found(record)}): {excerpt(row.raw)}")
        return
    entity_type = _type_of(record, TYPES)
    tally.declare(name, line=row.line, entity_type=entity_type)
    identifier = record.get("id")
    if isinstance(identifier, str | int):
        names_by_id.setdefault(str(identifier), name)
    texts = record.get("observations")
    if texts is None or texts == []:
        tally.declare_silent(name)
        return
    extra = rest(record, _ENTITY_MEMBERS)
    recorded_at = first_time(record, RECORDED)
    for index, text in enumerate(texts if isinstance(texts, list) else [texts]):
        if not isinstance(text, str):
            tally.fault(row.line, f"observation {index} of {quoted(name)} is {kind_of_json(text)}, not a text")
            continue
        path = f"{row.path}.observations[{index}]".removeprefix(".")
        tally.observe(
            Proposed(
                name,
                "",
                text,
                row.line,
                path,
                entity_type=entity_type,
                recorded_at=recorded_at,
                extra=extra,
            )
        )


def _observation(row: Row, record: Record, tally: Tally) -> None:
    name = first_text(record, NAMES[:3]) or ""
    entity_type = _type_of(record, TYPES)
    tally.declare(name, line=row.line, entity_type=entity_type)
    tally.observe(
        Proposed(
            name,
            "",
            str(record["observation"]),
            row.line,
            row.path,
            entity_type=entity_type,
            recorded_at=first_time(record, (*RECORDED, *CHANGED)),
            extra=rest(record, _ROW_MEMBERS),
        )
    )


def _relation(row: Row, record: Record, tally: Tally, names_by_id: dict[str, str]) -> None:
    source = _end(record, FROM, FROM_ID, names_by_id)
    target = _end(record, TO, TO_ID, names_by_id)
    kind = _type_of(record, RELATION_TYPES)
    if source is None or target is None or kind is None:
        lack = "a type" if source and target else "its two ends"
        tally.fault(row.line, f"a relation without {lack} ({keys_found(record)}): {excerpt(row.raw)}")
        return
    proposed = Proposed(
        source,
        "",
        "",
        row.line,
        row.path,
        recorded_at=first_time(record, RECORDED),
        extra=rest(record, _RELATION_MEMBERS),
    )
    tally.relate(proposed, kind=kind, target=target)


def _type_of(record: Record, names: tuple[str, ...]) -> str | None:
    """A type under its own name, or under `type` where that does not say entity or relation."""
    kind = first_text(record, names)
    if kind is None:
        kind = first_text(record, ("type",))
        return None if kind in {"entity", "relation"} else kind
    return kind


def _end(record: Record, names: tuple[str, ...], ids: tuple[str, ...], names_by_id: dict[str, str]) -> str | None:
    name = first_text(record, names)
    if name is not None:
        return name
    identifier = first(record, ids)
    if not isinstance(identifier, str | int):
        return None
    return names_by_id.get(str(identifier), str(identifier))
