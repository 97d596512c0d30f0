"""Compacting the journal from the Store page: looked at, typed, done by a job."""

from django.test import Client

from apps.facts.tasks import run_compaction_job
from apps.jobs.models import Job
from apps.jobs.rules import Lane
from apps.jobs.runs import run_queued
from tests.pages.conftest import StateFact

COMPACT = "/store/compact/"


def test_it_says_what_goes_and_a_typed_number_begins_it(as_operator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")
    state_fact("service:checkout", "owner", "team checkout")

    looked = as_operator.get(COMPACT).text
    answer = as_operator.post(COMPACT, {"reason": "It has grown", "lines": "3"}, follow=True)
    run_queued(Lane.LONG, {"compaction": run_compaction_job})

    assert "Fold 3 lines into what counts today?" in looked
    assert "2 facts as they stand now" in looked
    assert "Last compaction, J-" in answer.text
    job = Job.objects.get(kind="compaction")
    assert (job.state, job.counts) == ("finished", {"kept": 0, "folded": 2, "dropped": 0})
    assert "2 facts folded" in as_operator.get("/store/").text


def test_a_wrong_number_or_no_reason_begins_nothing(as_operator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    answer = as_operator.post(COMPACT, {"reason": "", "lines": "7"})

    assert answer.status_code == 422
    assert "Type that number" in answer.text
    assert "Say why" in answer.text
    assert not Job.objects.exists()


def test_it_is_for_operators(as_curator: Client) -> None:
    assert as_curator.get(COMPACT).status_code == 403
    assert as_curator.post(COMPACT, {"reason": "x", "lines": "0"}).status_code == 403
    assert not Job.objects.exists()
