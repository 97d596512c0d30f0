"""Memory files that agents and people really wrote are read to the counts that were made by hand."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from apps.facts.formats import Reading, read_memory

MEMORIES = Path(__file__).parents[3] / "shared" / "data" / "real-memories"

pytestmark = pytest.mark.shared


@dataclass(frozen=True)
class Counts:
    """What a file's description says is in it."""

    format: str
    entities: int = 0
    observations: int = 0
    relations: int = 0
    dangling: int = 0
    malformed_lines: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()


COUNTS = {
    "mcp-coursework-concerts-es.jsonl": Counts("mcp-memory", 135, 333, 111, 0, (247,), (9,)),
    "mcp-graph-editor-ru.jsonl": Counts("mcp-memory", 7, 47, 13, 5),
    "mcp-makerspace-mixed-keys-en.jsonl": Counts("mcp-memory", 63, 321, 88, 28),
    "mcp-one-giant-entity-en.jsonl": Counts("mcp-memory", 12, 214, 16, 2),
    "mcp-weighted-variant-keys-en.jsonl": Counts("mcp-memory", 17, 31, 10, 0),
    "graph-one-document-zh-hant.json": Counts("mcp-memory-document", 22, 135, 35, 0),
    "flat-observation-rows-en.jsonl": Counts("mcp-memory-rows", 19, 192),
    "delegation-log-bom-en.json": Counts("run-log", ignored=(116,)),
    "companion-chat-log-crlf-en.jsonl": Counts("conversation-log", ignored=(119, 31)),
}


def read(name: str) -> Reading:
    return read_memory((MEMORIES / name).read_bytes(), file_name=name)


@pytest.mark.parametrize("name", COUNTS)
def test_a_real_file_has_the_counts_of_its_description(name: str) -> None:
    counts = COUNTS[name]

    reading = read(name)

    assert reading.format == counts.format
    assert len(reading.entities) == counts.entities
    assert reading.observations == counts.observations
    assert len(reading.relations) == counts.relations
    assert len(reading.dangling_relations) == counts.dangling
    assert tuple(fault.line for fault in reading.malformed) == counts.malformed_lines
    assert tuple(ignored.count for ignored in reading.ignored) == counts.ignored
    assert len(reading.facts) == counts.observations + counts.relations
    assert reading.duplicates == ()


@pytest.mark.parametrize("name", COUNTS)
def test_no_fact_of_a_real_file_shares_its_key_with_another(name: str) -> None:
    reading = read(name)

    assert len({(fact.entity, fact.key) for fact in reading.facts}) == len(reading.facts)


@pytest.mark.parametrize("name", COUNTS)
def test_a_real_file_is_read_in_order_and_without_carriage_returns(name: str) -> None:
    reading = read(name)

    assert [fact.line for fact in reading.facts] == sorted(fact.line for fact in reading.facts)
    assert not any("\r" in fact.value for fact in reading.facts)


def test_foreign_records_after_a_glued_line_are_listed_once_with_their_count() -> None:
    reading = read("mcp-coursework-concerts-es.jsonl")

    assert "more than one JSON value" in reading.malformed[0].reason
    assert reading.ignored[0].line == 248
    assert "“concert”" in reading.ignored[0].reason


def test_an_entity_with_several_types_keeps_them_all_and_is_shown() -> None:
    reading = read("mcp-graph-editor-ru.jsonl")

    conflicts = [notice for notice in reading.notices if notice.kind == "type-conflict"]
    types = {entity.name: len(entity.types) for entity in reading.entities if len(entity.types) > 1}
    assert len(conflicts) == 2
    assert types == {"mcp-server-memory": 3, "D3.js": 2}
    assert len(unknown_names(reading)) == 5


def test_a_time_is_kept_where_it_is_given_and_missing_elsewhere() -> None:
    reading = read("mcp-makerspace-mixed-keys-en.jsonl")

    relations = [fact for fact in reading.facts if not fact.key.startswith("observation:")]
    assert sum(1 for fact in relations if fact.recorded_at) == 17
    assert {fact.recorded_at for fact in reading.facts if not fact.extra} == {None}
    assert len({fact.entity for fact in reading.facts if fact.recorded_at and fact not in relations}) == 12


def test_names_that_differ_in_spacing_and_case_stay_apart_and_are_suggested() -> None:
    reading = read("mcp-makerspace-mixed-keys-en.jsonl")

    names = {entity.name for entity in reading.entities}
    suggestions = [notice.text for notice in reading.notices if notice.kind == "similar-names"]
    assert {"MQTT Configuration Panel", "MqttConfigurationPanel"} <= names
    assert any("MQTT Configuration Panel" in text for text in suggestions)
    assert len(unknown_names(reading)) == 23
    assert len(reading.self_relations) == 1


def test_contradicting_observations_of_one_entity_are_all_kept_in_order() -> None:
    reading = read("mcp-one-giant-entity-en.jsonl")

    biggest = max((entity.name for entity in reading.entities), key=lambda name: len(texts_of(reading, name)))
    assert len(texts_of(reading, biggest)) == 131
    assert unknown_names(reading) == {"#885", "merged"}


def test_weights_are_kept_beside_the_facts() -> None:
    reading = read("mcp-weighted-variant-keys-en.jsonl")

    weights = {fact.extra.get("weight") for fact in reading.facts if fact.key.startswith("observation:")}
    assert {2, 7} <= weights <= {2, 3, 4, 5, 6, 7}


def test_a_date_without_time_stays_the_text_that_it_is() -> None:
    reading = read("flat-observation-rows-en.jsonl")

    assert reading.facts[0].recorded_at == "2026-04-17"
    assert sum(1 for fact in reading.facts if fact.value.startswith(f"{fact.recorded_at}: ")) == 168
    assert [notice.kind for notice in reading.notices] == ["type-conflict"]


def test_a_byte_order_mark_is_no_reason_to_call_a_file_malformed() -> None:
    reading = read("delegation-log-bom-en.json")

    assert reading.encoding.has_bom
    assert reading.malformed == ()
    assert "30 of them distinct" in reading.ignored[0].reason


def test_line_ends_of_a_conversation_are_told() -> None:
    reading = read("companion-chat-log-crlf-en.jsonl")

    assert reading.encoding.line_ends == "crlf"
    assert reading.encoding.lines == 150


def unknown_names(reading: Reading) -> set[str]:
    ends = {end for relation in reading.dangling_relations for end in (relation.source, relation.target)}
    return ends - {entity.name for entity in reading.entities}


def texts_of(reading: Reading, entity: str) -> list[str]:
    return [fact.value for fact in reading.facts if fact.entity == entity and fact.key.startswith("observation:")]
