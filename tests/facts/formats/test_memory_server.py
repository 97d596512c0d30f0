"""The memory server's graph is read with every variant that public files have."""

from apps.facts.formats import Relation
from tests.facts.formats.samples import fact_with, faults, notices, read_sample, read_text, stated


def test_a_graph_is_read_between_foreign_blank_and_damaged_lines() -> None:
    reading = read_sample("memory-server.jsonl")

    assert reading.format == "mcp-memory"
    assert stated(reading) == [
        ("Harbour project", "Started in March 2026"),
        ("Harbour project", "Lead is Ines"),
        ("Ines", "Prefers written reviews"),
        ("Ines", "Harbour project"),
        ("Ines", "Ines"),
        ("Harbour project", "Runs until 2027"),
    ]


def test_the_summary_counts_statements_repeats_and_what_is_left_out() -> None:
    reading = read_sample("memory-server.jsonl")

    summary = reading.summary()

    assert {name: summary[name] for name in ("entities", "observations", "relations", "facts", "duplicates")} == {
        "entities": 3,
        "observations": 6,
        "relations": 2,
        "facts": 6,
        "duplicates": 3,
    }
    assert summary["malformed"] == [[fault.line, fault.reason] for fault in reading.malformed]
    assert summary["ignored"] == [[6, reading.ignored[0].reason]]


def test_two_objects_on_one_line_are_one_malformed_line() -> None:
    reading = read_sample("memory-server.jsonl")

    assert faults(reading) == [8, 10]
    assert "more than one JSON value" in reading.malformed[0].reason
    assert not any(entity.name == "Glued" for entity in reading.entities)


def test_a_relation_without_ends_is_an_error_and_no_relation() -> None:
    reading = read_text('{"type":"relation","head":"Ines","tail":"Pier","relationType":"owns"}\n')

    assert faults(reading) == [1]
    assert "without its two ends (keys type, head, tail, relationType)" in reading.malformed[0].reason
    assert reading.relations == ()


def test_a_relation_without_a_type_is_an_error() -> None:
    reading = read_text('{"type":"relation","from":"Ines","to":"Pier"}\n')

    assert faults(reading) == [1]
    assert "a relation without a type" in reading.malformed[0].reason


def test_records_of_an_unknown_type_are_reported_once_with_count_and_example() -> None:
    reading = read_sample("memory-server.jsonl")

    (ignored,) = reading.ignored
    assert (ignored.line, ignored.count) == (6, 2)
    assert "“concert” (keys type, name, city); first: " in ignored.reason
    assert "Tide Choir" in ignored.reason


def test_each_observation_and_each_relation_has_its_own_key() -> None:
    reading = read_sample("memory-server.jsonl")

    assert fact_with(reading, "Lead is Ines").key == "observation:d84be1d197cc"
    assert [fact.key for fact in reading.facts if fact.entity == "Ines"][1:] == ["leads:Harbour project", "knows:Ines"]


def test_a_repeat_names_the_line_where_it_stood_first() -> None:
    reading = read_sample("memory-server.jsonl")

    assert [(repeat.line, repeat.first_line) for repeat in reading.duplicates] == [(1, 1), (7, 1), (12, 4)]


def test_types_that_disagree_and_names_that_look_alike_are_shown_and_kept() -> None:
    reading = read_sample("memory-server.jsonl")

    types = {entity.name: entity.types for entity in reading.entities}
    assert types["Harbour project"] == ("project", "programme")
    assert "harbour_project" in types
    assert notices(reading) == ["type-conflict", "similar-names", "silent-entities"]


def test_a_relation_to_oneself_is_found() -> None:
    reading = read_sample("memory-server.jsonl")

    assert reading.self_relations == (Relation("Ines", "knows", "Ines", 5),)


def test_a_time_is_kept_as_written_and_missing_where_none_is_given() -> None:
    reading = read_sample("memory-server.jsonl")

    review = fact_with(reading, "Prefers written reviews")
    assert review.recorded_at == "2026-03-01T08:00:00.1234567Z"
    assert review.extra == {"version": 2}
    assert fact_with(reading, "Lead is Ines").recorded_at is None


def test_one_document_is_read_as_a_whole_and_not_line_by_line() -> None:
    reading = read_sample("memory-graph.json")

    assert reading.format == "mcp-memory-document"
    assert reading.malformed == ()
    assert fact_with(reading, "北碼頭").path == "entities[0].observations[1]"
    assert fact_with(reading, "Opens at six").line == 4
    assert "“exported_by”" in reading.ignored[0].reason


def test_ends_given_by_id_are_resolved_by_the_ids_of_entities() -> None:
    reading = read_sample("memory-graph.json")

    assert reading.dangling_relations == (Relation("Harbour office", "reports to", "e-9", 8),)


def test_an_id_may_be_used_before_its_entity() -> None:
    reading = read_text(
        '{"type":"relation","from_id":"1","to_id":"2","relation_type":"owns"}\n'
        '{"type":"entity","id":"1","name":"Ines","observations":["a"]}\n'
        '{"type":"entity","id":2,"name":"Pier","observations":["b"]}\n'
    )

    assert stated(reading)[0] == ("Ines", "Pier")
    assert reading.dangling_relations == ()


def test_rows_of_one_observation_keep_their_date_and_source() -> None:
    reading = read_sample("observation-rows.jsonl")

    assert reading.format == "mcp-memory-rows"
    assert reading.observations == 3
    assert stated(reading) == [("Tide gauge", "Reads every six minutes"), ("Tide gauge", "North pier")]
    assert reading.facts[0].recorded_at == "2026-04-17"
    assert reading.facts[0].extra == {"source": "manual-sync"}
    assert notices(reading) == ["type-conflict"]


def test_an_observation_that_is_no_text_does_not_cost_the_others() -> None:
    reading = read_text('{"type":"entity","name":"Pier","observations":["long",7,"wooden",""]}\n')

    assert stated(reading) == [("Pier", "long"), ("Pier", "wooden")]
    assert reading.malformed[0].reason == "observation 1 of “Pier” is a number, not a text"
    assert reading.ignored[0].reason == "1 × empty text"


def test_texts_made_to_share_a_key_stay_two_facts() -> None:
    reading = read_text(
        '{"type":"relation","from":"Pier","to":"b:c","relationType":"a"}\n'
        '{"type":"relation","from":"Pier","to":"c","relationType":"a:b"}\n'
    )

    first, second = reading.facts
    assert first.key == "a:b:c"
    assert second.key.startswith("a:b:c:")
    assert (first.value, second.value) == ("b:c", "c")


def test_line_ends_of_windows_leave_no_trace_in_values() -> None:
    reading = read_text('{"type":"entity","name":"Pier","observations":["long"]}\r\n\r\n')

    assert reading.encoding.line_ends == "crlf"
    assert stated(reading) == [("Pier", "long")]
