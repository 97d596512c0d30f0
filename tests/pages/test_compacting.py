"""Compacting the journal from the Store page: looked at, typed, done by a job."""

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.facts.tasks import run_compaction_job
from apps.jobs.models import Job
from apps.jobs.rules import Lane
from apps.jobs.runs import run_queued
from tests.pages.conftest import StateFact

COMPACT = "/store/compact/"


def signed_in(person: User) -> Client:
    """Somebody who has just signed in."""
    browser = Client()
    browser.post("/sign-in/", {"login": person.username, "password": f"{person.username}-test-1"})
    return browser


@pytest.fixture
def signed_in_now(operator: User) -> Client:
    """The operator, who has just signed in."""
    return signed_in(operator)


def test_it_says_what_goes_and_a_typed_number_begins_it(signed_in_now: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")
    state_fact("service:checkout", "owner", "team checkout")

    looked = signed_in_now.get(COMPACT).text
    answer = signed_in_now.post(COMPACT, {"reason": "It has grown", "lines": "3"}, follow=True)
    run_queued(Lane.LONG, {"compaction": run_compaction_job})

    assert "Fold 3 lines into what counts today?" in looked
    assert "2 facts as they stand now" in looked
    assert "Last compaction, J-" in answer.text
    job = Job.objects.get(kind="compaction")
    assert (job.state, job.counts) == ("finished", {"kept": 0, "folded": 2, "dropped": 0})
    # it stands in the texts, where it can be erased
    assert "reason" not in job.arguments
    assert "2 facts folded" in signed_in_now.get("/store/").text


def test_it_needs_a_recent_sign_in(operator: User, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")
    browser = Client()
    browser.force_login(operator)

    answer = browser.post(COMPACT, {"reason": "It has grown", "lines": "1"})

    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/settings/confirm/")
    assert not Job.objects.exists()


def test_a_wrong_number_or_no_reason_begins_nothing(signed_in_now: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    answer = signed_in_now.post(COMPACT, {"reason": "", "lines": "7"})

    assert answer.status_code == 422
    assert "Type that number" in answer.text
    assert "Say why" in answer.text
    assert not Job.objects.exists()


def test_it_is_for_operators(curator: User) -> None:
    browser = signed_in(curator)

    assert browser.get(COMPACT).status_code == 403
    assert browser.post(COMPACT, {"reason": "x", "lines": "0"}).status_code == 403
    assert not Job.objects.exists()
