"""The consolidation scan: what it puts side by side, that one side is always new, and that it changes nothing."""

import pytest

from apps.facts.projector import rebuild
from apps.review.actions.findings import ScanReport, ScanStep
from apps.review.actions.scan import scan_tenant
from apps.review.models import Finding
from cruxstore.facts.records import ClearSupersede, Delete, SetValidity, Supersede
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import fact_id, make_fact
from tests.review.conftest import NOW, NOW_NS, Journal, ground

STAMP = "2026-11-30T09:00:00+00:00"
LONG_ONE = "the checkout service keeps 14 days of request logs in the second region"
LONG_OTHER = "the checkout service keeps 30 days of request logs in the second region"


def scan() -> ScanReport:
    return scan_tenant(ground(), now=NOW)


def found() -> set[tuple[str, str, str, str]]:
    return {(each.kind, each.detector, each.first_id, each.second_id) for each in Finding.objects.all()}


def pairs() -> set[tuple[str, str]]:
    return {(first, second) for _, _, first, second in found()}


def test_two_current_values_that_say_yes_and_no_contradict_each_other(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "Disabled.", version=2))

    report = scan()

    assert found() == {("contradiction", "polarity", fact_id(1), fact_id(2))}
    assert (report.compared, report.found, report.written, report.known) == (1, 1, 1, 0)


def test_two_current_values_that_have_nothing_in_common_are_two_at_once(journal: Journal) -> None:
    journal.store(make_fact(1, "amber team"), make_fact(2, "weekdays", version=2))

    scan()

    assert found() == {("overlap", "two_heads", fact_id(1), fact_id(2))}


def test_values_that_hold_at_different_times_stand_side_by_side_in_peace(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "disabled", version=2))
    spring = parse_timestamp("2026-03-01T00:00:00Z")
    journal.say(
        SetValidity(fact_id(1), None, spring, STAMP),
        SetValidity(fact_id(2), spring, None, STAMP),
    )

    scan()

    assert found() == set()


def test_a_successor_is_no_conflict_with_what_it_retired(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "disabled", version=2, supersedes=1))
    journal.say(Supersede(fact_id(1), fact_id(2), STAMP))

    assert scan().found == 0


def test_a_value_that_one_writer_brings_back_against_another_flips(journal: Journal) -> None:
    journal.store(
        make_fact(1, "eu-west", actor="deploy-bot", superseded_by=2),
        make_fact(2, "us-east", actor="roster-sync", version=2, supersedes=1, superseded_by=3),
        make_fact(3, "eu-west", actor="deploy-bot", version=3, supersedes=2),
    )

    scan()

    assert found() == {("contradiction", "flip", fact_id(2), fact_id(3))}


def test_one_writer_that_goes_back_on_its_own_word_does_not_flip(journal: Journal) -> None:
    journal.store(
        make_fact(1, "eu-west", superseded_by=2),
        make_fact(2, "us-east", version=2, supersedes=1, superseded_by=3),
        make_fact(3, "eu-west", version=3, supersedes=2),
    )

    assert scan().found == 0


def test_sentences_of_one_entity_are_compared_across_its_keys_where_one_leaves_its_subject_open(
    journal: Journal,
) -> None:
    journal.store(
        make_fact(1, LONG_ONE, key="observation:3f2a"),
        make_fact(2, LONG_OTHER, key="logging"),
        make_fact(3, LONG_ONE, key="notes", entity="service:billing"),
        make_fact(6, LONG_OTHER, key="retention", entity="service:billing"),
        make_fact(7, LONG_ONE, key="logging", entity="service:search"),
        make_fact(8, LONG_OTHER, key="retention", entity="service:search"),
        make_fact(4, "14", key="days"),
        make_fact(5, "the pager is with Ana until the vendor has mended it", key="pager"),
    )

    scan()

    assert pairs() == {(fact_id(1), fact_id(2)), (fact_id(3), fact_id(6))}


def test_private_facts_deleted_ones_and_other_tenants_are_left_out(journal: Journal) -> None:
    journal.store(
        make_fact(1, "enabled"),
        make_fact(2, "disabled", private=True),
        make_fact(3, "disabled", tenant="acme"),
        make_fact(4, "disabled"),
    )
    journal.say(Delete(fact_id(4), STAMP))

    assert scan().found == 0


def test_one_side_is_new_and_nothing_is_found_twice(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "disabled"))
    scan()
    journal.store(make_fact(3, "off", key="canary"), make_fact(4, "on", key="canary"))

    report = scan()

    assert pairs() == {(fact_id(1), fact_id(2)), (fact_id(3), fact_id(4))}
    assert (report.compared, report.found, report.written) == (1, 1, 1)
    assert scan().compared == 0


def test_a_fact_that_was_brought_back_is_new(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled", superseded_by=2), make_fact(2, "disabled", supersedes=1))
    assert scan().found == 0
    journal.say(ClearSupersede(fact_id(1), STAMP))

    scan()

    assert pairs() == {(fact_id(1), fact_id(2))}


def test_what_has_been_settled_goes(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "disabled"))
    scan()
    journal.say(Delete(fact_id(2), STAMP))

    report = scan()

    assert (found(), report.gone) == (set(), 1)


def test_values_whose_times_were_parted_since_are_found_no_more(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "disabled"))
    scan()
    spring = parse_timestamp("2026-03-01T00:00:00Z")
    journal.say(SetValidity(fact_id(1), None, spring, STAMP), SetValidity(fact_id(2), spring, None, STAMP))

    report = scan()

    assert (found(), report.gone) == (set(), 1)


def test_a_flip_whose_beginning_was_deleted_flips_no_longer(journal: Journal) -> None:
    journal.store(
        make_fact(1, "eu-west", actor="deploy-bot", superseded_by=2),
        make_fact(2, "us-east", actor="roster-sync", supersedes=1, superseded_by=3),
        make_fact(3, "eu-west", actor="deploy-bot", supersedes=2),
    )
    scan()
    journal.say(Delete(fact_id(1), STAMP))

    report = scan()

    assert (found(), report.gone) == (set(), 1)


def test_after_a_rebuild_the_scan_goes_on_where_it_was(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "disabled"))
    scan()
    rebuild(journal, now_ns=NOW_NS)
    journal.store(make_fact(3, "off", key="canary"), make_fact(4, "on", key="canary"))

    report = scan()

    assert (report.compared, len(pairs())) == (1, 2)


@pytest.mark.parametrize("stop_after", range(4))
def test_a_scan_that_is_stopped_goes_on_where_it_stopped(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, stop_after: int
) -> None:
    monkeypatch.setattr("apps.review.actions.walking.ENTITIES_AT_ONCE", 1)
    for number in range(1, 9, 2):
        entity = f"service:{number}"
        journal.store(make_fact(number, "enabled", entity=entity), make_fact(number + 1, "disabled", entity=entity))
    steps: list[ScanStep] = []
    kept: list[ScanReport] = []

    def stop(step: ScanStep, report: ScanReport) -> bool:
        steps.append(step)
        kept.append(ScanReport(**report.as_numbers()))
        return len(steps) <= stop_after

    scan_tenant(ground(), now=NOW, step=stop)
    assert len(pairs()) == stop_after + 1

    report = scan_tenant(ground(), now=NOW, begin=steps[-1], report=kept[-1])

    assert len(pairs()) == 4
    assert (report.found, report.written, report.known) == (4, 4, 0)
    assert scan().compared == 0


def test_a_batch_that_is_repeated_after_a_crash_counts_what_is_known(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "disabled"))
    scan_tenant(ground(), now=NOW, step=lambda step, report: False)

    report = scan()

    assert (report.found, report.written, report.known) == (1, 0, 1)
    assert Finding.objects.count() == 1


def test_the_index_is_only_read(journal: Journal) -> None:
    journal.store(make_fact(1, "enabled"), make_fact(2, "disabled"))
    before = journal.journal_path.read_bytes()

    scan()

    assert journal.journal_path.read_bytes() == before


def test_nothing_indexed_yet_is_nothing_found(journal: Journal) -> None:
    assert scan() == ScanReport()
