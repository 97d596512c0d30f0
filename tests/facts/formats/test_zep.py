"""Facts of Zep keep both kinds of time, and each stays a fact of its own."""

from tests.facts.formats.samples import fact_with, notices, read_sample, read_text, stated


def test_every_edge_is_a_fact_about_its_source_node() -> None:
    reading = read_sample("zep-facts.json")

    assert reading.format == "zep"
    assert stated(reading) == [
        ("Noor", "Noor worked at the harbour office"),
        ("Noor", "Noor works at the harbour office again"),
        ("Noor", "Noor lives in Ribe"),
    ]
    assert (reading.observations, len(reading.relations)) == (0, 3)


def test_validity_and_system_time_are_told_apart() -> None:
    fact = fact_with(read_sample("zep-facts.json"), "Noor worked at the harbour office")

    assert fact.valid_from is not None
    assert fact.valid_to is not None
    assert (fact.valid_from.text, fact.valid_to.text) == ("2023-09-01T00:00:00Z", "2024-04-30T00:00:00Z")
    assert fact.recorded_at == "2026-01-10T12:00:00Z"
    assert fact.said_at == "2026-01-10T11:58:00Z"
    assert fact.scope == "team-a"


def test_two_facts_between_the_same_nodes_do_not_retire_each_other() -> None:
    reading = read_sample("zep-facts.json")

    keys = [fact.key for fact in reading.facts]
    assert [key.partition(":")[0] for key in keys] == ["WORKS_AT", "WORKS_AT", "LIVES_IN"]
    assert len(set(keys)) == 3


def test_a_fact_that_the_source_stopped_believing_is_retracted() -> None:
    reading = read_sample("zep-facts.json")

    assert [fact.value for fact in reading.retracted] == ["Noor dislikes the harbour office"]
    assert any("expired_at" in ignored.reason for ignored in reading.ignored)


def test_summaries_and_embeddings_are_not_facts() -> None:
    reading = read_sample("zep-facts.json")

    assert any("summary of a node" in ignored.reason for ignored in reading.ignored)
    assert "fact_embedding" not in reading.facts[0].extra


def test_ends_that_the_file_does_not_hold_keep_their_ids() -> None:
    reading = read_sample("zep-facts.json")

    (dangling,) = reading.dangling_relations
    assert dangling.target == "dddddddd-0000-4000-8000-000000000009"


def test_a_row_with_few_keys_is_read_and_several_graphs_are_noticed() -> None:
    reading = read_text(
        '{"uuid":"1","fact":"Noor sings","group_id":"a"}\n{"uuid":"2","fact":"Tove sings","group_id":"b"}\n'
    )

    assert stated(reading) == [("memory", "Noor sings"), ("memory", "Tove sings")]
    assert notices(reading) == ["several-scopes", "no-subject"]
