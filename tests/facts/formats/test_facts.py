"""Entity, key and value files keep their keys, whether they are JSON rows or tables."""

import pytest

from apps.facts.formats import read_memory
from cruxstore.facts.records import Horizon
from tests.facts.formats.samples import fact_with, faults, notices, read_sample, read_text, stated


def test_different_values_under_one_key_are_a_chain_in_file_order() -> None:
    reading = read_sample("facts.jsonl")

    owners = [(fact.line, fact.value) for fact in reading.facts if fact.key == "owner"]
    assert reading.format == "facts-jsonl"
    assert owners == [(1, "Ines"), (2, "Tove")]
    assert [(repeat.line, repeat.first_line) for repeat in reading.duplicates] == [(3, 2)]


def test_a_value_that_comes_back_is_a_new_version_and_no_repeat() -> None:
    row = '{{"entity":"lark","key":"owner","value":"{}"}}\n'

    reading = read_text(row.format("Ines") + row.format("Tove") + row.format("Ines"))

    assert [fact.value for fact in reading.facts] == ["Ines", "Tove", "Ines"]
    assert reading.duplicates == ()


def test_an_emptied_value_retires_the_one_before() -> None:
    reading = read_text('{"entity":"lark","key":"pilot","value":"Ines"}\n{"entity":"lark","key":"pilot","value":""}\n')

    assert [fact.value for fact in reading.facts] == ["Ines", ""]


def test_members_of_a_row_go_to_their_fields() -> None:
    reading = read_sample("facts.jsonl")

    first, second = reading.facts[:2]
    assert (first.confidence, first.actor, first.horizon_class) == (0.9, "clerk", None)
    assert first.valid_from is not None
    assert first.valid_from.text == "2026-03-01T00:00:00Z"
    assert first.extra == {"valid_from": "2026-03-01"}
    assert second.horizon_class is Horizon.MEDIUM


def test_values_that_are_no_text_are_kept_as_json() -> None:
    assert fact_with(read_sample("facts.jsonl"), '{"cpu":2,"ok":true}').key == "limits"


def test_rows_that_cannot_be_used_cost_only_themselves() -> None:
    reading = read_sample("facts.jsonl")

    assert faults(reading) == [5, 6, 9]
    assert "confidence is not a number from 0 to 1 (7)" in reading.malformed[0].reason
    assert "validity that ends before it starts" in reading.malformed[1].reason
    assert "a fact without an entity" in reading.malformed[2].reason
    assert [fact.value for fact in reading.retracted] == ["x"]


def test_triples_are_read_under_their_own_names() -> None:
    fact = fact_with(read_sample("facts.jsonl"), "Harbour project")

    assert (fact.entity, fact.key, fact.extra) == ("Ines", "leads", {"source": "minutes"})


def test_bare_texts_contradict_each_other_side_by_side() -> None:
    reading = read_sample("fact-texts.jsonl")

    assert stated(reading)[:2] == [("memory", "The pier opens at six"), ("memory", "The pier opens at seven")]
    assert reading.ignored[0].reason == "1 × text that states nothing; first: “none”"
    assert notices(reading) == ["no-subject"]


def test_one_text_valid_at_two_times_stays_two_facts() -> None:
    summer, winter = (fact for fact in read_sample("fact-texts.jsonl").facts if fact.line in {4, 5})

    assert summer.value == winter.value
    assert summer.key != winter.key


def test_epoch_times_are_read_in_seconds_and_milliseconds() -> None:
    reading = read_sample("fact-texts.jsonl")

    fact = next(fact for fact in reading.facts if fact.line == 4)
    assert fact.valid_from is not None
    assert fact.valid_to is not None
    assert (fact.valid_from.text, fact.valid_to.text) == ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    assert [fact.recorded_at for fact in reading.facts[:2]] == ["1767225600", "1767225600.5"]


@pytest.mark.parametrize(
    "mark", ['"deleted":true', '"status":"Retracted"', '"superseded_by":"f_2"', '"state":"expired"']
)
def test_what_the_source_no_longer_holds_is_never_current(mark: str) -> None:
    reading = read_text('{"entity":"lark","key":"owner","value":"Ines",' + mark + "}\n")

    assert reading.facts == ()
    assert len(reading.retracted) == 1
    assert reading.ignored[0].count == 1


def test_what_the_store_would_refuse_is_counted_before_anything_is_written() -> None:
    reading = read_text(
        '{"entity":"__legal_hold__::lh_1","key":"state","value":"{}"}\n'
        '{"entity":"lark","key":"owner","value":"Ines","private":true}\n'
        '{"entity":"la\\u0000rk","key":"owner","value":"Ines"}\n'
        '{"entity":"__agent::ines::lark","key":"owner","value":"Ines","private":true}\n'
    )

    assert [fact.line for fact in reading.facts] == [4]
    assert [ignored.line for ignored in reading.ignored] == [1, 2]
    assert faults(reading) == [3]


def test_a_table_is_read_with_quoted_breaks_and_right_line_numbers() -> None:
    reading = read_sample("facts.csv")

    assert reading.format == "facts-csv"
    assert [(fact.line, fact.entity, fact.value) for fact in reading.facts] == [
        (2, "Müller, Ana", 'lead\nof "north" team'),
        (4, "project:lark", "=1+2"),
        (7, "project:lark", "still read"),
    ]
    assert reading.facts[0].confidence == 0.5
    assert reading.facts[0].extra == {"valid_from": "2026-03-01", "note": "kept"}


def test_rows_of_a_table_that_cannot_be_cut_or_used_cost_only_themselves() -> None:
    reading = read_sample("facts.csv")

    assert faults(reading) == [6, 9, 10]
    assert "a quotation mark that does not fit" in reading.malformed[0].reason
    assert "8 cells under 6 columns" in reading.malformed[1].reason
    assert reading.ignored[0].reason == "1 × row without a value; first: “project:lark empty”"


def test_semicolons_a_byte_order_mark_and_windows_line_ends_are_read() -> None:
    reading = read_sample("triples.csv")

    assert stated(reading) == [("Ines", "Harbour;\nproject"), ("Ines", "Pier")]
    assert (reading.encoding.has_bom, reading.encoding.line_ends) == (True, "crlf")


def test_tabs_separate_cells_and_marks_inside_a_cell_are_text() -> None:
    assert stated(read_sample("facts.tsv")) == [("Ines", 'says "yes"')]


def test_a_cell_that_is_no_utf_8_costs_its_row() -> None:
    reading = read_memory(b"entity,key,value\nlark,owner,Andr\xe9\nlark,pilot,Ines\n", file_name="facts.csv")

    assert faults(reading) == [2]
    assert stated(reading) == [("lark", "Ines")]
