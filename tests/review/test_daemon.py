"""What a daemon has put into the file for review is found beside what we find."""

import orjson
import pytest

from apps.review.actions.daemon import take_over_findings
from apps.review.actions.findings import ScanReport
from apps.review.models import Finding
from cruxstore.facts.records import Delete
from tests.facts.journals import fact_id, make_fact
from tests.review.conftest import NOW, Journal, ground

STAMP = "2026-11-30T09:00:00+00:00"


def taken_over(journal: Journal) -> set[tuple[str, str, str]]:
    take_over_findings(ground(), ScanReport(), store=journal, now=NOW)
    return set(Finding.objects.values_list("detector", "first_id", "second_id"))


def review(*groups: list[str]) -> str:
    body = {"schema": "crux.consolidation_review.v1", "candidates": [{"fact_ids": group} for group in groups]}
    return orjson.dumps(body).decode()


def test_a_near_duplicate_is_a_pair_by_its_name(journal: Journal) -> None:
    journal.store(
        make_fact(1, key="a"),
        make_fact(2, key="b"),
        make_fact(3, "{}", entity=f"__candidate_fact__::neardup-{fact_id(2)}-{fact_id(1)}", private=True),
    )

    assert taken_over(journal) == {("daemon_duplicate", fact_id(1), fact_id(2))}


def test_a_consolidation_review_names_its_pairs(journal: Journal) -> None:
    journal.store(make_fact(1, "yes"), make_fact(2, "no"), make_fact(3, "off"))
    body = review([fact_id(2), fact_id(1)], [fact_id(3)])
    journal.store(make_fact(4, body, entity="__consolidation_review__::run_1", key="review"))

    assert taken_over(journal) == {("daemon_review", fact_id(1), fact_id(2))}


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", '{"schema":"other","candidates":[]}', '{"schema":"crux.consolidation_review.v1","candidates":7}'],
)
def test_a_body_of_another_shape_says_nothing(journal: Journal, body: str) -> None:
    journal.store(make_fact(4, body, entity="__consolidation_review__::run_1", key="review"))

    assert taken_over(journal) == set()


def test_pairs_of_which_a_side_is_private_or_gone_are_left_out(journal: Journal) -> None:
    journal.store(
        make_fact(1, "yes"), make_fact(2, "no", private=True), make_fact(3, "no"), make_fact(5, "no", tenant="acme")
    )
    journal.say(Delete(fact_id(3), STAMP))
    body = review([fact_id(1), fact_id(2)], [fact_id(1), fact_id(3)], [fact_id(1), fact_id(5)], ["nothing", "there"])
    journal.store(make_fact(4, body, entity="__consolidation_review__::run_1", key="review"))

    assert taken_over(journal) == set()
