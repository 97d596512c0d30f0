"""Memories of mem0: the service's list response, the library's rows, and the same rows one a line.

    {"count": 2, "next": null, "results": [{"id": "0d7c…", "memory": "Prefers window seats",
      "user_id": "traveller-7", "categories": ["travel"], "expiration_date": null, "created_at": "…"}]}

A memory is about its user, else its agent. Its key comes from its id, so that a memory changed at
the source is a newer version here. `expiration_date` ends its validity; the day itself still counts.
"""

from collections.abc import Iterable

from apps.facts.formats.fields import Record, UnusableFieldError, first_text, first_time, flag, rest, tags, validity
from apps.facts.formats.source import Row
from apps.facts.formats.tally import Tally
from apps.facts.formats.vocabulary import Proposed
from apps.facts.formats.wording import counted, excerpt, keys_found

SUBJECTS = ("user_id", "agent_id", "run_id", "app_id")
ACTORS = ("agent_id", "actor_id")
ROW_LISTS = frozenset({"results", "memories"})

_KNOWN = frozenset(
    {"id", "memory", "user_id", "actor_id", "created_at", "categories", "expiration_date", "hash", "embedding"}
)
_PAGE_MEMBERS = frozenset({"count", "next", "previous"})


def is_memory_row(record: Record) -> bool:
    """Whether a record is a memory of mem0."""
    return isinstance(record.get("memory"), str) and not {"content", "fact", "entity"} & record.keys()


def is_empty_page(members: frozenset[str]) -> bool:
    """Whether a document's members are those of a page without memories."""
    return {"results", "count"} <= members or members == {"results"}


def read(rows: Iterable[Row], tally: Tally) -> None:
    """Reads memories and, where a file has them, the relations of its graph."""
    found = 0
    announced = 0
    next_page: Row | None = None
    for row in rows:
        record = row.record
        if row.index is None and row.member in _PAGE_MEMBERS:
            announced = record if row.member == "count" and isinstance(record, int) else announced
            next_page = row if row.member == "next" and record else next_page
        elif row.member == "relations" and isinstance(record, dict):
            _relation(row, record, tally)
        elif isinstance(record, dict) and is_memory_row(record):
            found += 1
            _memory(row, record, tally)
        elif not (row.member in {*ROW_LISTS, "relations"} and record == []):
            tally.ignore_shape(row)
    if next_page is not None or announced > found:
        total = f" of {announced:,}" if announced else ""
        text = f"The file is one page of several: it holds {counted(found, 'memory', 'memories')}{total}."
        tally.notice("one-page", text, line=next_page.line if next_page else 1)


def _memory(row: Row, record: Record, tally: Tally) -> None:
    subject = tally.subject(first_text(record, SUBJECTS), line=row.line)
    identifier = record.get("id")
    try:
        _, valid_to = validity(record, (), ("expiration_date",))
    except UnusableFieldError as error:
        tally.fault(row.line, f"{error}: {excerpt(row.raw)}")
        return
    actor = first_text(record, ACTORS)
    proposed = Proposed(
        subject,
        "",
        str(record["memory"]),
        row.line,
        row.path,
        actor=actor if actor != subject else None,
        valid_to=valid_to,
        recorded_at=first_time(record, ("created_at",)),
        tags=tags(record.get("categories")),
        extra=_extra(record),
    )
    if flag(record.get("is_deleted")) or flag(record.get("deleted")):
        tally.retract(proposed, what="memory that the source has deleted")
        return
    identity = str(identifier) if isinstance(identifier, str | int) and identifier != "" else None
    if tally.observe(proposed, prefix="memory", identity=identity):
        tally.declare(subject, line=row.line)


def _extra(record: Record) -> dict[str, object]:
    extra = rest(record, _KNOWN)
    if "id" in record:
        extra["id"] = record["id"]
    if record.get("expiration_date"):
        extra["expiration_date"] = record["expiration_date"]
    if record.get("updated_at") == record.get("created_at"):
        extra.pop("updated_at", None)
    return extra


def _relation(row: Row, record: Record, tally: Tally) -> None:
    source = first_text(record, ("source",))
    kind = first_text(record, ("relationship", "relation"))
    target = first_text(record, ("target", "destination"))
    if source is None or kind is None or target is None:
        tally.fault(row.line, f"a relation without its two ends and a type ({keys_found(record)}): {excerpt(row.raw)}")
        return
    tally.relate(Proposed(source, "", "", row.line, row.path), kind=kind, target=target)
