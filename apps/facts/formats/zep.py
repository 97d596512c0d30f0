"""Facts of Zep and Graphiti: every fact is an edge between two nodes, with four kinds of time.

    {"facts": [{"uuid": "5d6a…", "name": "WORKS_AT", "source_node_uuid": "aaaa…", "target_node_uuid": "bbbb…",
      "fact": "Noor works at the harbour office", "created_at": "…", "valid_at": "…", "invalid_at": null,
      "expired_at": null, "reference_time": "…"}], "nodes": [{"uuid": "aaaa…", "name": "Noor", …}]}

`valid_at` and `invalid_at` bound validity, `created_at` is when it was recorded, `reference_time` when it
was said. With `expired_at` the source has stopped believing it, so it is not taken. The key is the
relation's name and the digest of the edge's id, as one pair of nodes may have several facts in time.
Node summaries are written by a model from the facts, and episodes are evidence: neither is a fact.
"""

from collections import Counter
from collections.abc import Iterable

from apps.facts.formats.fields import Record, UnusableFieldError, first_text, first_time, rest, validity
from apps.facts.formats.source import Row
from apps.facts.formats.tally import Tally, text_digest
from apps.facts.formats.vocabulary import Proposed
from apps.facts.formats.wording import counted, excerpt, listed

EDGE_LISTS = frozenset({"facts", "edges"})
NODE_LISTS = frozenset({"nodes", "entities"})

_KNOWN = frozenset(
    {"fact", "name", "created_at", "reference_time", "group_id", "source_node_uuid", "target_node_uuid"}
    | {"fact_embedding", "name_embedding", "expired_at"}
)
_EDGE_MEMBERS = frozenset(
    {"uuid", "source_node_uuid", "target_node_uuid", "valid_at", "invalid_at", "expired_at", "episodes", "group_id"}
)


def is_edge_row(record: Record) -> bool:
    """Whether a record is a fact of a graph."""
    return isinstance(record.get("fact"), str) and bool(_EDGE_MEMBERS & record.keys())


def is_node_row(record: Record) -> bool:
    """Whether a record is a node of a graph."""
    return isinstance(record.get("name"), str) and "uuid" in record and bool({"labels", "summary"} & record.keys())


def read(rows: Iterable[Row], tally: Tally) -> None:
    """Reads edges as facts, with the names of the nodes that the same file holds."""
    edges: list[tuple[Row, Record]] = []
    names: dict[str, str] = {}
    groups: Counter[str] = Counter()
    for row in rows:
        record = row.record
        if not isinstance(record, dict):
            _ignore_member(row, tally)
        elif is_edge_row(record):
            edges.append((row, rest(record, frozenset({"fact"})) | {"fact": record["fact"]}))
            groups.update([str(record["group_id"])] if record.get("group_id") else [])
        elif is_node_row(record):
            _node(row, record, tally, names)
        else:
            tally.ignore_shape(row)
    for row, edge in edges:
        _edge(row, edge, tally, names)
    if len(groups) > 1:
        graphs = f"{counted(len(groups), 'separate graph')}: {listed(groups)}"
        text = f"The file holds {graphs}. Their facts would stand side by side."
        tally.notice("several-scopes", text, line=edges[0][0].line)


def _node(row: Row, record: Record, tally: Tally, names: dict[str, str]) -> None:
    name = str(record["name"])
    labels = record.get("labels")
    own = (
        [label for label in labels if isinstance(label, str) and label != "Entity"] if isinstance(labels, list) else []
    )
    names[str(record["uuid"])] = name
    tally.declare(name, line=row.line, entity_type=own[0] if own else None)
    if record.get("summary"):
        tally.ignore(row.line, "summary of a node, written by a model from the facts", example=str(record["summary"]))


def _edge(row: Row, record: Record, tally: Tally, names: dict[str, str]) -> None:
    source = _end(record, "source", names)
    target = _end(record, "target", names)
    kind = first_text(record, ("name",)) or "fact"
    identity = first_text(record, ("uuid",)) or str(record["fact"])
    try:
        valid_from, valid_to = validity(record, ("valid_at",), ("invalid_at",))
    except UnusableFieldError as error:
        tally.fault(row.line, f"{error}: {excerpt(row.raw)}")
        return
    extra = rest(record, _KNOWN)
    if target is not None:
        extra["to"] = target
    proposed = Proposed(
        tally.subject(source, line=row.line),
        f"{kind}:{text_digest(identity)}",
        str(record["fact"]),
        row.line,
        row.path,
        valid_from=valid_from,
        valid_to=valid_to,
        said_at=first_time(record, ("reference_time",)),
        recorded_at=first_time(record, ("created_at",)),
        scope=first_text(record, ("group_id",)),
        extra=extra,
    )
    if record.get("expired_at"):
        tally.retract(proposed, what="fact that the source has stopped believing (expired_at)")
    elif source is None or target is None:
        tally.state(proposed)
    else:
        tally.relate(proposed, kind=kind, target=target)


def _end(record: Record, which: str, names: dict[str, str]) -> str | None:
    name = first_text(record, (f"{which}_node_name",))
    if name is not None:
        return name
    identifier = first_text(record, (f"{which}_node_uuid",))
    return None if identifier is None else names.get(identifier, identifier)


def _ignore_member(row: Row, tally: Tally) -> None:
    if not (row.index is None and row.record == []):
        tally.ignore_shape(row)
