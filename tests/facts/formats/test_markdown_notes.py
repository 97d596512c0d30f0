"""Markdown notes are read by their grammar where they have one, else bullet by bullet."""

from apps.facts.formats import read_memory
from tests.facts.formats.samples import fact_with, faults, notices, read_sample, read_text, stated


def test_a_note_with_grammar_gives_facts_and_relations() -> None:
    reading = read_sample("tide-gauge.md")

    assert reading.format == "markdown-notes"
    assert [(fact.key.partition(":")[0], fact.value) for fact in reading.facts] == [
        ("links_to", "Spring flood"),
        ("location", "North pier, second post #pier"),
        ("interval", "Reads every six minutes"),
        ("part_of", "Harbour network"),
        ("read by", "Harbour office"),
        ("links_to", "Battery log"),
        ("Note", "Painted yellow #paint"),
    ]
    assert {fact.entity for fact in reading.facts} == {"Tide gauge"}
    assert (reading.observations, len(reading.relations)) == (3, 4)


def test_tags_and_context_stand_beside_the_text() -> None:
    reading = read_sample("tide-gauge.md")

    assert fact_with(reading, "North pier, second post #pier").tags == ("pier",)
    assert fact_with(reading, "Reads every six minutes").extra["context"] == "manual, page 4"
    assert fact_with(reading, "Harbour office").extra["context"] == "since May"


def test_the_times_of_a_note_are_not_the_times_of_its_facts() -> None:
    fact = read_sample("tide-gauge.md").facts[1]

    assert (fact.recorded_at, fact.said_at, fact.valid_from) == (None, None, None)
    assert fact.extra["note_created"] == "2026-02-03"


def test_tasks_links_code_and_plain_bullets_of_a_note_are_no_facts() -> None:
    reading = read_sample("tide-gauge.md")

    assert [(ignored.line, ignored.reason.partition(";")[0]) for ignored in reading.ignored] == [
        (16, "1 × task"),
        (17, "1 × bare link"),
        (22, "1 × bullet without category, tag or link"),
    ]
    assert not any("code block" in fact.value for fact in reading.facts)


def test_bullets_without_grammar_are_candidates_under_their_headings() -> None:
    reading = read_sample("MEMORY.md")

    assert stated(reading) == [
        ("MEMORY", "Prefer small changes\nwith one idea each"),
        ("MEMORY", "Ask before adding a dependency"),
        ("MEMORY", "Run the tests first"),
    ]
    assert all(fact.is_candidate and fact.path == "Working agreements > Reviews" for fact in reading.facts)
    assert reading.facts[0].key == "note:5e578144e164"


def test_prose_and_tasks_beside_candidates_are_counted() -> None:
    reading = read_sample("MEMORY.md")

    assert [ignored.line for ignored in reading.ignored] == [7, 10]


def test_a_title_names_the_subject_and_the_file_name_only_stands_in() -> None:
    titled = read_text("---\ntitle: 'Pier'\n---\n- [length] forty metres\n", file_name="x.md")
    untitled = read_text("- [length] forty metres\n", file_name="notes/Pier.md")

    assert titled.facts[0].entity == untitled.facts[0].entity == "Pier"
    assert titled.facts[0].entity_type == "note"


def test_front_matter_that_never_ends_is_text() -> None:
    reading = read_text("---\ntitle: Pier\n- forty metres\n", file_name="a.md")

    assert stated(reading) == [("a", "forty metres")]


def test_a_line_that_is_no_utf_8_is_reported_and_passed() -> None:
    reading = read_memory(b"- one\n- caf\xe9\n- two\n", file_name="a.md")

    assert faults(reading) == [2]
    assert stated(reading) == [("a", "one"), ("a", "two")]


def test_links_to_the_same_target_twice_are_one_relation() -> None:
    reading = read_text("- [a] see [[Pier]]\n- [b] also [[Pier]]\n", file_name="a.md")

    assert len(reading.relations) == 1
    assert len(reading.duplicates) == 1
    assert notices(reading) == ["dangling-names"]
