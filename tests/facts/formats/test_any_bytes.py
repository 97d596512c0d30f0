"""Whatever the bytes are, a reading or one sentence comes back, and nothing unstorable is proposed."""

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.facts.formats import FORMAT_NAMES, MemoryNotRecognisedError, read_memory
from tests.facts.formats.samples import SAMPLES

SAMPLE_BYTES = [path.read_bytes() for path in sorted(SAMPLES.iterdir())]
PIECES = [
    b"\n",
    b"\r\n",
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\",
    b"---\n",
    b"- ",
    b"\xff",
    b"\x00",
    b"\xef\xbb\xbf",
]
KEYS = [
    *("type", "name", "from", "to", "relationType", "observations", "observation", "memory", "id", "content", "state"),
    *("fact", "uuid", "entity", "key", "value", "confidence", "valid_from", "valid_to", "op", "user", "assistant"),
    *("timestamp", "agent", "task", "labels", "expired_at", "horizon", "tags", "private", "categories"),
]
LISTS = ["results", "facts", "nodes", "entities", "relations", "memories", "apps", "status_history", "user", "next"]
SCALARS = st.none() | st.booleans() | st.integers(-5, 2_000_000_000_000) | st.floats(-1e30, 1e30) | st.text(max_size=4)
VALUES = SCALARS | st.sampled_from(["entity", "relation", "store", "active", "deleted", "2026-01-01"])
RECORDS: st.SearchStrategy[dict[str, object]] = st.dictionaries(
    st.sampled_from(KEYS), VALUES | st.lists(VALUES, max_size=2) | st.just({}), min_size=1, max_size=6
)
DOCUMENTS: st.SearchStrategy[dict[str, object]] = st.dictionaries(
    st.sampled_from(LISTS), SCALARS | RECORDS | st.lists(RECORDS | SCALARS, max_size=3), max_size=4
)


EXAMPLES = settings(max_examples=100, deadline=None)  # other work on the machine is no failure


def check(data: bytes, format: str = "auto") -> None:
    try:
        reading = read_memory(data, file_name="file", format=format)
    except MemoryNotRecognisedError as refusal:
        assert "\n" not in str(refusal)
        return
    summary = reading.summary()
    assert summary["facts"] == len(reading.facts)
    for fact in reading.facts:
        f"{fact.entity}{fact.key}{fact.value}{fact.actor}".encode()
        assert fact.entity and fact.key
        assert 0 <= fact.confidence <= 1
        assert "\x00" not in fact.entity + fact.key
    assert all(fault.line >= 1 and "\n" not in fault.reason for fault in reading.malformed)


@EXAMPLES
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    check(data)


@EXAMPLES
@given(st.binary(max_size=60), st.sampled_from(FORMAT_NAMES))
def test_any_bytes_are_read_or_refused_as_any_format(data: bytes, format: str) -> None:
    check(data, format)


@EXAMPLES
@given(st.sampled_from(SAMPLE_BYTES), st.data())
def test_a_memory_with_changed_bytes_is_read_or_refused(sample: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(sample)))
        end = data.draw(st.integers(start, min(len(sample), start + 40)))
        piece = data.draw(st.sampled_from(PIECES) | st.binary(max_size=4))
        sample = sample[:start] + piece + sample[end:]

    check(sample)


@EXAMPLES
@given(st.lists(RECORDS, min_size=1, max_size=3))
def test_any_records_are_read_or_refused_on_lines_and_in_a_list(records: list[dict[str, object]]) -> None:
    check(b"\n".join(map(orjson.dumps, records)))
    check(orjson.dumps(records))


@EXAMPLES
@given(RECORDS | DOCUMENTS, st.sampled_from(["auto", *FORMAT_NAMES]))
def test_any_document_is_read_or_refused_as_any_format(document: object, format: str) -> None:
    check(orjson.dumps(document), format)
