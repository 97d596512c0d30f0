"""Which format a file has, decided by what is in it, and its reading.

To add a format: write its module, and add it to one of the tables here. The order decides only between
formats that claim equally many records.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import orjson

from apps.facts.formats import (
    crux,
    fact_rows,
    fact_table,
    logs,
    markdown_notes,
    mem0,
    mem0_markdown,
    memory_server,
    openmemory,
    zep,
)
from apps.facts.formats.archive import GZIP_START, is_packed, unpack_gzip, unpack_zip
from apps.facts.formats.fields import Record
from apps.facts.formats.source import (
    Row,
    Shape,
    Source,
    document_rows,
    line_rows,
    open_source,
    shape_of,
    text_lines,
)
from apps.facts.formats.tally import Tally
from apps.facts.formats.vocabulary import Encoding, Fault, MemoryNotRecognisedError, Reading
from apps.facts.formats.wording import excerpt, keys_found, listed, quoted
from cruxstore.facts.privacy import PrivacyPolicy

AUTO = "auto"
ENOUGH_CLAIMS = 100
SHOWN_RECORDS = 2
MAX_RECORD_BYTES = 16 * 1024 * 1024

Rows = Iterable[Row]


@dataclass(frozen=True, slots=True)
class RowFormat:
    """A format told by its single records, on lines of their own or in any list."""

    name: str
    claims: Callable[[Record], bool]
    read: Callable[[Rows, Tally], None]


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """A format told by the members of its one document and the records in their lists."""

    name: str
    claims: Callable[["Outline"], bool]
    read: Callable[[Rows, Tally], None]


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A format told by the lines of a text that is not JSON."""

    name: str
    claims: Callable[[Sequence[str]], bool]
    read: Callable[[Sequence[str], Tally, str], None]


@dataclass(frozen=True, slots=True)
class Outline:
    """A document's member names, and the first records of each list."""

    members: frozenset[str]
    samples: dict[str, list[Record]]

    def members_as_record(self) -> Record:
        """The members' names as the keys of one record; none for a bare list."""
        return dict.fromkeys(sorted(self.members - {""}))

    def has(self, names: Iterable[str], claims: Callable[[Record], bool]) -> bool:
        """Whether one of these lists holds a record that is claimed."""
        return any(claims(record) for name in names for record in self.samples.get(name, []))


ROW_FORMATS = (
    RowFormat("crux", crux.is_operation, crux.read),
    RowFormat("mcp-memory", memory_server.is_graph_row, memory_server.read_rows),
    RowFormat("mcp-memory-rows", memory_server.is_observation_row, memory_server.read_rows),
    RowFormat("zep", zep.is_edge_row, zep.read),
    RowFormat("openmemory", openmemory.is_memory_row, openmemory.read_rows),
    RowFormat("mem0", mem0.is_memory_row, mem0.read),
    RowFormat("facts-jsonl", fact_rows.is_fact_row, fact_rows.read),
    RowFormat("conversation-log", logs.is_conversation, logs.read_conversations),
    RowFormat("run-log", logs.is_run, logs.read_runs),
)

DOCUMENT_FORMATS = (
    DocumentFormat(
        "openmemory", lambda outline: openmemory.is_backup_document(outline.members), openmemory.read_document
    ),
    DocumentFormat("zep", lambda outline: outline.has(zep.EDGE_LISTS, zep.is_edge_row), zep.read),
    DocumentFormat("zep", lambda outline: outline.has(zep.NODE_LISTS, zep.is_node_row), zep.read),
    DocumentFormat(
        "mcp-memory-document",
        lambda outline: memory_server.is_graph_document(outline.members),
        memory_server.read_document,
    ),
    DocumentFormat("mem0", lambda outline: outline.has(mem0.ROW_LISTS, mem0.is_memory_row), mem0.read),
    DocumentFormat("mem0", lambda outline: mem0.is_empty_page(outline.members), mem0.read),
)

TEXT_FORMATS = (
    TextFormat("mem0-markdown", mem0_markdown.is_export, mem0_markdown.read),
    TextFormat("facts-csv", fact_table.is_table, lambda lines, tally, _: fact_table.read(lines, tally)),
    TextFormat("markdown-notes", markdown_notes.is_note, markdown_notes.read),
)

FORMAT_NAMES = tuple(dict.fromkeys(known.name for known in (*ROW_FORMATS, *DOCUMENT_FORMATS, *TEXT_FORMATS)))

# Files that hold memories in a form that is not read here; the keys tell which.
_OTHER_MAKERS = (
    (frozenset({"agents", "blocks"}), "a Letta agent file"),
    (frozenset({"exportedAt", "totalObservations"}), "a claude-mem export"),
    (frozenset({"schema", "schema_version", "export_id"}), "a Portable AI Memory file"),
    (frozenset({"conversations_memory"}), "a Claude account's memory"),
    (frozenset({"namespace", "key", "value"}), "a LangGraph store"),
    (frozenset({"memory_id", "old_memory", "new_memory"}), "the history table of mem0"),
    (frozenset({"labels", "properties"}), "a graph dump"),
)
_PACKED = Encoding(has_bom=False, line_ends="none", ends_with_newline=False, lines=0)
_USUAL_PRIVACY = PrivacyPolicy()
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_memory(
    data: bytes,
    *,
    file_name: str,
    format: str = AUTO,
    privacy: PrivacyPolicy = _USUAL_PRIVACY,
    scope: str | None = None,
) -> Reading:
    """What a file says, whatever its format; raises MemoryNotRecognisedError when it is no memory.

    Facts that the store would refuse, under these privacy settings, are counted as ignored. `scope` names
    the tenant to take from a journal of several.
    """
    if format != AUTO and format not in FORMAT_NAMES:
        raise MemoryNotRecognisedError(
            f"There is no format {excerpt(format)}; the formats are {', '.join(FORMAT_NAMES)}."
        )
    source = open_source(data, file_name=file_name)
    tally = Tally(privacy=privacy, scope=scope)
    if is_packed(data):
        source = replace(source, encoding=_PACKED)
        return tally.finish(source, format_name=_read_packed(source, tally, format))
    return tally.finish(source, format_name=_read_plain(source, tally, format))


def _read_packed(source: Source, tally: Tally, wanted: str) -> str:
    if source.data.startswith(GZIP_START):
        inner = open_source(unpack_gzip(source.data), file_name=source.file_name.removesuffix(".gz"))
        if is_packed(inner.data):
            raise MemoryNotRecognisedError("The gzip file holds another packed file; unpack it first.")
        return _read_plain(inner, tally, wanted)
    files = {name.rsplit("/", 1)[-1]: content for name, content in unpack_zip(source.data).items()}
    lines, document = files.get(openmemory.LINES_MEMBER), files.get(openmemory.DOCUMENT_MEMBER)
    if wanted not in {AUTO, "openmemory"} or (lines is None and document is None):
        raise MemoryNotRecognisedError(
            f"The zip file holds {listed(sorted(files))}, and none of them is a memory that is read here; "
            "unpack it and choose a file."
        )
    openmemory.read_backup(
        tally.sound(line_rows(open_source(lines or b"", file_name=openmemory.LINES_MEMBER))),
        tally.sound(document_rows(open_source(document or b"{}", file_name=openmemory.DOCUMENT_MEMBER))),
        tally,
    )
    return "openmemory"


def _read_plain(source: Source, tally: Tally, wanted: str) -> str:
    if not source.data.strip():
        raise MemoryNotRecognisedError("The file is empty.")
    if source.data.startswith(_UTF16_MARKS):
        raise MemoryNotRecognisedError("The file is written in UTF-16; save it as UTF-8.")
    shape = shape_of(source)
    if shape is Shape.LINES:
        return _read_lines(source, tally, wanted)
    if shape is Shape.DOCUMENT:
        return _read_document(source, tally, wanted)
    return _read_text(source, tally, wanted)


def _read_lines(source: Source, tally: Tally, wanted: str) -> str:
    known = _choose_rows(_sound_records(line_rows(source)), wanted, Shape.LINES)
    known.read(tally.sound(line_rows(source)), tally)
    return known.name


def _read_document(source: Source, tally: Tally, wanted: str) -> str:
    whole = _whole_record(source)
    if whole is not None:
        rows = _choose_rows([whole.record], wanted, Shape.DOCUMENT)
        rows.read([whole], tally)
        return rows.name
    outline = _outline(source)
    for document in DOCUMENT_FORMATS:
        if document.name == wanted or (wanted == AUTO and document.claims(outline)):
            document.read(tally.sound(document_rows(source)), tally)
            return document.name
    records = [record for sample in outline.samples.values() for record in sample]
    rows = _choose_rows([outline.members_as_record(), *records], wanted, Shape.DOCUMENT)
    rows.read(tally.sound(document_rows(source)), tally)
    return rows.name


def _read_text(source: Source, tally: Tally, wanted: str) -> str:
    lines = text_lines(source)
    for known in TEXT_FORMATS:
        if known.name == wanted or (wanted == AUTO and known.claims(lines)):
            known.read(lines, tally, source.file_name)
            return known.name
    if wanted != AUTO:
        raise _cannot_be(wanted, Shape.TEXT)
    first = next((line for line in lines if line.strip()), "")
    raise MemoryNotRecognisedError(
        "The file is neither JSON, nor a table with the columns entity, key and value, nor notes with bullets; "
        f"its first line is {quoted(first)}."
    )


def _choose_rows(records: Iterable[object], wanted: str, shape: Shape) -> RowFormat:
    """The wanted format, or the one that claims most of the first records; raises when none claims any."""
    if wanted != AUTO:
        return _row_format(wanted, shape)
    claims: Counter[str] = Counter()
    unclaimed: list[Record] = []
    for record in records:
        if not isinstance(record, dict):
            continue
        claims.update(known.name for known in ROW_FORMATS if known.claims(record))
        if record and len(unclaimed) < ENOUGH_CLAIMS:
            unclaimed.append(record)
        if max(claims.values(), default=0) >= ENOUGH_CLAIMS:
            break
    if not claims:
        raise _no_memory(unclaimed)
    most = max(claims.values())
    return next(known for known in ROW_FORMATS if claims[known.name] == most)


def _row_format(name: str, shape: Shape) -> RowFormat:
    for known in ROW_FORMATS:
        if known.name == name:
            return known
    raise _cannot_be(name, shape)


def _whole_record(source: Source) -> Row | None:
    """The document as one record, where it is one, such as a file of a single line."""
    if len(source.data) > MAX_RECORD_BYTES:
        return None
    try:
        record = orjson.loads(source.data)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(record, dict) or not any(known.claims(record) for known in ROW_FORMATS):
        return None
    raw = source.data.strip()
    line = 1 + source.data.count(b"\n", 0, source.data.index(raw))
    return Row(line, record, raw, is_terminated=source.encoding.ends_with_newline)


def _outline(source: Source) -> Outline:
    members: set[str] = set()
    samples: dict[str, list[Record]] = {}
    for row in document_rows(source):
        if isinstance(row, Fault):
            continue
        members.add(row.member)
        if row.index is not None and isinstance(row.record, dict):
            sample = samples.setdefault(row.member, [])
            if len(sample) < ENOUGH_CLAIMS:
                sample.append(row.record)
    return Outline(frozenset(members), samples)


def _sound_records(rows: Iterable[Row | Fault]) -> Iterator[object]:
    return (row.record for row in rows if isinstance(row, Row))


def _no_memory(records: Sequence[Record]) -> MemoryNotRecognisedError:
    if not records:
        return MemoryNotRecognisedError("The file is JSON, but holds no records with keys.")
    for record in records:
        for keys, maker in _OTHER_MAKERS:
            if keys <= record.keys():
                return MemoryNotRecognisedError(f"The file is {maker}, which is not read here ({keys_found(record)}).")
    found = dict.fromkeys(keys_found(record) for record in records[:SHOWN_RECORDS])
    return MemoryNotRecognisedError(f"The file is JSON, but no memory that is known here; found: {'; '.join(found)}.")


def _cannot_be(name: str, shape: Shape) -> MemoryNotRecognisedError:
    return MemoryNotRecognisedError(f"The file is {shape.value}, which {name} never is.")
