"""A format is told by content, never by name; what is no memory is refused in one sentence."""

import pytest

from apps.facts.formats import FORMAT_NAMES, MemoryNotRecognisedError, read_memory
from tests.facts.formats.samples import SAMPLES, faults, read_sample, read_text, stated

FORMATS = {
    "memory-server.jsonl": "mcp-memory",
    "memory-graph.json": "mcp-memory-document",
    "observation-rows.jsonl": "mcp-memory-rows",
    "mem0-page.json": "mem0",
    "mem0-library.json": "mem0",
    "mem0-rows.jsonl": "mem0",
    "mem0-export-harbour-2026-05-01.md": "mem0-markdown",
    "openmemory.json": "openmemory",
    "openmemory.jsonl": "openmemory",
    "zep-facts.json": "zep",
    "tide-gauge.md": "markdown-notes",
    "MEMORY.md": "markdown-notes",
    "facts.jsonl": "facts-jsonl",
    "fact-texts.jsonl": "facts-jsonl",
    "facts.csv": "facts-csv",
    "triples.csv": "facts-csv",
    "facts.tsv": "facts-csv",
    "chat.jsonl": "conversation-log",
    "runs.json": "run-log",
}


def test_every_sample_has_its_format_here() -> None:
    assert set(FORMATS) == {path.name for path in SAMPLES.iterdir()}
    assert set(FORMATS.values()) | {"crux"} == set(FORMAT_NAMES)


@pytest.mark.parametrize("name", FORMATS)
def test_the_name_of_a_file_does_not_decide(name: str) -> None:
    reading = read_memory((SAMPLES / name).read_bytes(), file_name="something.bin")

    assert reading.format == FORMATS[name]


@pytest.mark.parametrize("name", [name for name in FORMATS if not name.endswith((".json", ".md"))])
def test_a_byte_order_mark_windows_line_ends_and_a_missing_last_one_change_no_fact(name: str) -> None:
    data = (SAMPLES / name).read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").rstrip(b"\n")

    plain = read_memory(data, file_name=name)
    dressed = read_memory(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + b"\r\n", file_name=name)

    assert dressed.summary() == plain.summary()
    assert dressed.facts == plain.facts
    assert dressed.digest != plain.digest


def test_a_conversation_is_evidence_and_holds_no_facts() -> None:
    reading = read_sample("chat.jsonl")

    assert reading.facts == ()
    assert reading.ignored[0].count == 2
    assert "a conversation" in reading.ignored[0].reason


def test_a_log_of_runs_is_counted_with_its_distinct_records() -> None:
    reading = read_sample("runs.json")

    assert reading.ignored[0].reason.startswith("2 × record of a run")
    assert "1 of them distinct" in reading.ignored[0].reason


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file is empty"),
        (" \n\n", "The file is empty"),
        ('[{"colour":"red","size":7}]', "found: keys colour, size."),
        ('{"colour":"red"}\n{"size":7}\n', "found: key colour; key size."),
        ('{"agents":[{"id":"agent-0"}],"blocks":[],"tools":[]}', "a Letta agent file"),
        ('{"namespace":["a"],"key":"k","value":{"text":"x"}}\n', "a LangGraph store"),
        ("[1, 2, 3]", "holds no records with keys"),
        ('{"shelf":[{"colour":"red"}]}', "found: key shelf; key colour."),
        ("just some words\n", "its first line is “just some words”"),
        ("name,colour\nInes,red\n", "neither JSON, nor a table"),
    ],
)
def test_what_is_no_memory_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(MemoryNotRecognisedError, match=sentence) as refusal:
        read_text(text)

    assert refusal.value.code == "import_not_recognised"
    assert "\n" not in str(refusal.value)


def test_utf_16_is_refused_with_what_to_do() -> None:
    with pytest.raises(MemoryNotRecognisedError, match="save it as UTF-8"):
        read_memory("- a bullet\n".encode("utf-16"), file_name="a.md")


def test_a_format_can_be_asked_for_and_must_fit_the_kind_of_file() -> None:
    text = '{"type":"entity","name":"Pier","observations":["long"]}\n'

    asked = read_memory(text.encode(), file_name="a", format="mcp-memory")

    assert stated(asked) == [("Pier", "long")]
    with pytest.raises(MemoryNotRecognisedError, match="which facts-csv never is"):
        read_memory(text.encode(), file_name="a", format="facts-csv")
    with pytest.raises(MemoryNotRecognisedError, match="There is no format yaml"):
        read_memory(text.encode(), file_name="a", format="yaml")


def test_a_bad_first_line_does_not_hide_the_lines_after_it() -> None:
    reading = read_text('{"type":"entity","na\n{"type":"entity","name":"Pier","observations":["long"]}\n')

    assert faults(reading) == [1]
    assert stated(reading) == [("Pier", "long")]


def test_a_line_that_is_no_utf_8_or_no_unicode_is_malformed() -> None:
    good = b'{"type":"entity","name":"Pier","observations":["long"]}\n'

    reading = read_memory(good + b'{"type":"entity","name":"caf\xe9"}\n{"name":"\\ud800"}\n' + good, file_name="a")

    assert faults(reading) == [2, 3]
    assert "not UTF-8 at byte" in reading.malformed[0].reason
    assert len(reading.duplicates) == 1


def test_a_damaged_element_of_a_document_costs_only_itself() -> None:
    reading = read_text(
        '{"entities": [\n{"name":"Pier","observations":["long"]},\n{"name": oops},\n'
        '{"name":"Quay","observations":["short"]}\n], "relations": []}'
    )

    assert faults(reading) == [3]
    assert stated(reading) == [("Pier", "long"), ("Quay", "short")]


@pytest.mark.parametrize("end", ["", '{"name":"Qu', '{"name":"Quay"', '{"name":"Quay"}'])
def test_a_document_that_is_cut_off_gives_what_stands_before(end: str) -> None:
    reading = read_text('{"relations": [],\n"entities": [\n{"name":"Pier","observations":["long"]},\n' + end)

    assert stated(reading) == [("Pier", "long")]
    assert len(faults(reading)) == 1


def test_text_after_a_document_is_malformed() -> None:
    reading = read_text('{"entities": [{"name":"Pier","observations":["long"]}],\n"relations": []}\nmore')

    assert faults(reading) == [2]
    assert stated(reading) == [("Pier", "long")]
