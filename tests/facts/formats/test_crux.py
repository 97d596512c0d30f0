"""A Crux journal is imported as what it leaves: live facts with their versions, one tenant, nothing deleted."""

from pathlib import Path

import pytest

from apps.facts.formats import MemoryNotRecognisedError, read_memory
from tests.facts.formats.samples import faults, notices, read_text, stated

JOURNAL = Path(__file__).parents[2] / "data" / "journal-v1.jsonl"


def store_line(fact_id: str, value: str, *, tenant: str = "default", entity: str = "lark", more: str = "") -> str:
    return (
        f'{{"op":"store","fact":{{"fact_id":"{fact_id}","tenant_hash":"{tenant}","entity":"{entity}","key":"owner",'
        f'"value":"{value}","source_receipt":null,"confidence":0.9,"stored_at":"2026-03-01T08:15:30.123456789Z",'
        f'"tokens":1,"deleted":false,"version":1,"private":false,"horizon_class":"stable"{more}}}}}\n'
    )


def test_a_journal_gives_what_stands_after_its_last_line() -> None:
    reading = read_memory(JOURNAL.read_bytes(), file_name="facts.jsonl")

    assert reading.format == "crux"
    assert [(fact.line, fact.key, fact.value) for fact in reading.facts] == [
        (1, "deploy_ok", "yes"),
        (2, "deploy_ok", "no"),
    ]
    assert notices(reading) == ["retired-here"]


def test_deleted_reserved_and_retired_facts_are_counted_and_not_taken() -> None:
    reading = read_memory(JOURNAL.read_bytes(), file_name="facts.jsonl")

    assert [(ignored.count, ignored.reason.partition(";")[0].partition(" × ")[2]) for ignored in reading.ignored] == [
        (2, "fact that the journal has deleted"),
        (2, "fact about an entity that is reserved for the daemon"),
        (1, "line that breaks a rule (The canonical fact is deleted)"),
        (1, "fact that the journal has superseded by one outside its chain"),
    ]


def test_a_fact_keeps_its_confidence_horizon_time_and_unknown_members() -> None:
    reading = read_text(store_line("f_1", "Ines", more=',"valid_to":"2027-01-01T00:00:00Z","_mark":{"a":1}'))

    (fact,) = reading.facts
    assert (round(fact.confidence, 6), fact.horizon_class) == (0.9, "stable")
    assert fact.recorded_at == "2026-03-01T08:15:30.123456789Z"
    assert fact.valid_to is not None
    assert fact.extra == {"fact_id": "f_1", "version": 1, "members": {"_mark": {"a": 1}}}


def test_older_versions_come_before_the_one_that_superseded_them() -> None:
    reading = read_text(
        store_line("f_1", "Ines")
        + store_line("f_2", "Tove")
        + '{"op":"supersede","fact_id":"f_1","by_fact_id":"f_2","superseded_at":"now"}\n'
    )

    assert stated(reading) == [("lark", "Ines"), ("lark", "Tove")]
    assert reading.notices == ()


def test_an_older_version_whose_successor_is_deleted_does_not_come_back() -> None:
    reading = read_text(
        store_line("f_1", "Ines")
        + store_line("f_2", "Tove")
        + '{"op":"supersede","fact_id":"f_1","by_fact_id":"f_2","superseded_at":"now"}\n'
        + '{"op":"delete","fact_id":"f_2","deleted_at":"now"}\n'
    )

    assert reading.facts == ()
    assert [fact.value for fact in reading.retracted] == ["Ines", "Tove"]


def test_tenants_are_never_mixed() -> None:
    journal = store_line("f_1", "Ines") + store_line("f_2", "Tove", tenant="acme")

    with pytest.raises(MemoryNotRecognisedError, match="facts of 2 tenants, “acme” and “default”"):
        read_text(journal)
    chosen = read_memory(journal.encode(), file_name="facts.jsonl", scope="acme")

    assert stated(chosen) == [("lark", "Tove")]
    assert chosen.ignored[0].reason == "1 × fact of the tenant “default”"


def test_a_damaged_line_and_a_torn_tail_are_malformed_and_the_rest_is_read() -> None:
    reading = read_text(
        store_line("f_1", "Ines")
        + '{"op":"store","fact":{"fact_id":"f_2"}}\n{"op":"nonsense"}\nnot json\n'
        + store_line("f_3", "Tove").rstrip("\n")
    )

    assert stated(reading) == [("lark", "Ines")]
    assert faults(reading) == [2, 3, 4, 5]
    assert reading.malformed[-1].reason.startswith("a torn last line")
