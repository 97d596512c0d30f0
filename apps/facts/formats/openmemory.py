"""An OpenMemory backup: a zip with `memories.json` and `memories.jsonl.gz`, or either of them alone.

    {"id":"3f0c…","content":"Works night shifts","created_at":"…","state":"active","app":"notes","categories":[]}

Only active memories are taken: deleted ones are retracted, and paused or archived ones were put out of
use at the source. The two members hold the same memories, so a memory is read from the second only
where the first lacks it. The user's name and e-mail address are never copied.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from apps.facts.formats.fields import Record, first_text, first_time, rest, tags
from apps.facts.formats.source import Row
from apps.facts.formats.tally import Tally
from apps.facts.formats.vocabulary import Proposed

LINES_MEMBER = "memories.jsonl.gz"
DOCUMENT_MEMBER = "memories.json"
STATES = frozenset({"active", "paused", "archived", "deleted"})
DOCUMENT_MEMBERS = frozenset({"apps", "memory_categories", "status_history", "access_controls", "export_meta"})

_KNOWN = frozenset(
    {"content", "state", "app", "created_at", "categories", "user_id", "app_id", "category_ids", "embedding", "vector"}
)


def is_memory_row(record: Record) -> bool:
    """Whether a record is a memory of OpenMemory."""
    return isinstance(record.get("content"), str) and first_text(record, ("state",)) in STATES and "id" in record


def is_backup_document(members: frozenset[str]) -> bool:
    """Whether a document's members are those of `memories.json`."""
    return "memories" in members and len(members & DOCUMENT_MEMBERS) >= 2


def read_rows(rows: Iterable[Row], tally: Tally) -> None:
    """Reads the lines of `memories.jsonl`."""
    _read_lines(rows, tally, _Backup(), set())


def read_document(rows: Iterable[Row], tally: Tally) -> None:
    """Reads `memories.json`."""
    held = list(rows)
    _read_memories(held, tally, _backup(held), set())


def read_backup(lines: Iterable[Row], document: Iterable[Row], tally: Tally) -> None:
    """Reads both members of a backup, each memory once."""
    held = list(document)
    backup = _backup(held)
    seen: set[str] = set()
    _read_lines((replace(row, member=LINES_MEMBER) for row in lines), tally, backup, seen)
    _read_memories(held, tally, backup, seen)


@dataclass(frozen=True, slots=True)
class _Backup:
    """What the document says about its memories: whose they are, their tags, and when their state changed."""

    subject: str | None = None
    apps: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, list[str]] = field(default_factory=dict)
    changed_at: Mapping[tuple[str, str], str] = field(default_factory=dict)


def _backup(rows: list[Row]) -> _Backup:
    categories = _names_by_id(rows, "categories")
    tags_of: dict[str, list[str]] = {}
    for record in _records(rows, "memory_categories"):
        name = categories.get(str(record.get("category_id")))
        if name:
            tags_of.setdefault(str(record.get("memory_id")), []).append(name)
    changed_at: dict[tuple[str, str], str] = {}
    for record in _records(rows, "status_history"):
        moment = first_time(record, ("changed_at",))
        if moment:
            changed_at[str(record.get("memory_id")), str(record.get("new_state"))] = moment
    handles = (first_text(user, ("user_id",)) for user in _records(rows, "user"))
    subject = next((handle for handle in handles if handle and "@" not in handle), None)
    return _Backup(subject, _names_by_id(rows, "apps"), tags_of, changed_at)


def _read_lines(rows: Iterable[Row], tally: Tally, backup: _Backup, seen: set[str]) -> None:
    for row in rows:
        if isinstance(row.record, dict) and is_memory_row(row.record):
            _memory(row, row.record, tally, backup, seen)
        else:
            tally.ignore_shape(row)


def _read_memories(rows: list[Row], tally: Tally, backup: _Backup, seen: set[str]) -> None:
    for row in rows:
        record = row.record
        if row.member != "memories" or row.index is None:
            continue
        if not isinstance(record, dict) or not is_memory_row(record):
            tally.ignore_shape(row)
        elif str(record["id"]) not in seen:
            _memory(row, record, tally, backup, seen)


def _memory(row: Row, record: Record, tally: Tally, backup: _Backup, seen: set[str]) -> None:
    identifier, state = str(record["id"]), str(record["state"])
    seen.add(identifier)
    extra = rest(record, _KNOWN)
    proposed = Proposed(
        tally.subject(backup.subject, line=row.line),
        "",
        str(record["content"]),
        row.line,
        row.path,
        actor=first_text(record, ("app",)) or backup.apps.get(str(record.get("app_id"))),
        recorded_at=first_time(record, ("created_at",)),
        tags=tags(record.get("categories")) or tuple(backup.tags.get(identifier, ())),
        extra=extra,
    )
    if state == "active":
        if tally.observe(proposed, prefix="memory", identity=identifier):
            tally.declare(proposed.entity, line=row.line)
        return
    extra |= {"state": state}
    changed_at = backup.changed_at.get((identifier, state))
    if changed_at:
        extra |= {"state_changed_at": changed_at}
    tally.retract(proposed, what=f"memory that the source has {state}")


def _records(rows: list[Row], member: str) -> Iterator[Record]:
    return (row.record for row in rows if row.member == member and isinstance(row.record, dict))


def _names_by_id(rows: list[Row], member: str) -> dict[str, str]:
    named = ((str(record.get("id")), first_text(record, ("name",))) for record in _records(rows, member))
    return {identifier: name for identifier, name in named if name}
