"""Memories of mem0 are read from pages, library answers, lines and the Markdown export."""

from tests.facts.formats.samples import fact_with, faults, notices, read_sample, read_text, stated


def test_a_page_is_read_and_called_one_of_several() -> None:
    reading = read_sample("mem0-page.json")

    assert reading.format == "mem0"
    assert stated(reading) == [("traveller-7", "Prefers window seats"), ("traveller-7", "Is vegetarian")]
    assert reading.notices[0].text == "The file is one page of several: it holds 2 memories of 3."


def test_times_tags_and_the_key_of_a_memory_come_from_its_row() -> None:
    fact = fact_with(read_sample("mem0-page.json"), "Prefers window seats")

    assert fact.key == "memory:6f87594078ca"
    assert fact.recorded_at == "2026-03-02T09:15:00Z"
    assert fact.tags == ("travel",)
    assert fact.actor == "desk"
    assert fact.extra["updated_at"] == "2026-05-20T17:40:11Z"


def test_the_day_of_expiry_still_counts() -> None:
    fact = fact_with(read_sample("mem0-page.json"), "Is vegetarian")

    assert fact.valid_from is None
    assert fact.valid_to is not None
    assert fact.valid_to.text == "2027-01-01T00:00:00Z"
    assert fact.extra["expiration_date"] == "2026-12-31"


def test_deleted_memories_are_retracted_and_an_unreadable_expiry_costs_its_row() -> None:
    reading = read_sample("mem0-library.json")

    assert [fact.value for fact in reading.retracted] == ["Works nights"]
    assert reading.ignored[0].reason == "1 × memory that the source has deleted; first: “Works nights”"
    assert faults(reading) == [5, 6]
    assert "the end of validity is no time (soon)" in reading.malformed[0].reason


def test_relations_of_the_graph_are_read_and_subjects_fall_back() -> None:
    reading = read_sample("mem0-library.json")

    assert stated(reading) == [("clerk", "Lives in Ribe"), ("memory", "Nobody's memory"), ("clerk", "Ribe")]
    assert reading.facts[2].key == "lives_in:Ribe"
    assert notices(reading) == ["dangling-names", "no-subject"]


def test_a_memory_changed_at_the_source_follows_its_older_text() -> None:
    reading = read_sample("mem0-rows.jsonl")

    first, second = reading.facts
    assert (first.value, second.value) == ("Lives in Ribe", "Lives in Esbjerg")
    assert first.key == second.key
    assert len(reading.duplicates) == 1


def test_a_bare_list_and_an_empty_page_are_read() -> None:
    assert stated(read_text('[{"id":"1","memory":"Sings","user_id":"tove"}]')) == [("tove", "Sings")]
    assert read_text('{"count":0,"next":null,"previous":null,"results":[]}').facts == ()


def test_a_rule_line_inside_a_text_shifts_no_block_of_the_markdown_export() -> None:
    reading = read_sample("mem0-export-harbour-2026-05-01.md")

    assert reading.format == "mem0-markdown"
    assert [fact.value for fact in reading.facts] == [
        "Prices are stored in cents.",
        "A rule line is drawn like this:\n\n---\n\nIt ends no block.",
        "The last block is still read.",
    ]
    assert {fact.entity for fact in reading.facts} == {"harbour"}
    assert faults(reading) == [25]
    assert "a block without an id" in reading.malformed[0].reason


def test_the_members_of_a_markdown_block_are_kept() -> None:
    fact = read_sample("mem0-export-harbour-2026-05-01.md").facts[0]

    assert fact.confidence == 0.9
    assert fact.tags == ("architecture",)
    assert fact.recorded_at == "2026-04-11T08:00:00Z"
    assert fact.extra["files"] == "app/models.py, app/admin.py"
