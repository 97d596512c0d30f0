"""The scans as jobs: killed at any step they end as if nothing had happened, and their counts are right."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.facts.projector import rebuild
from apps.jobs.actions import cancel_job, enqueue
from apps.jobs.models import Job
from apps.jobs.rules import SILENT_AFTER, JobState, Lane
from apps.jobs.runs import Handler, JobRun, patrol, run_queued
from apps.review import tasks
from apps.review.models import Finding, ScanState, Signature
from tests.facts.journals import make_fact
from tests.review.conftest import NOW_NS, Journal
from tests.review.test_duplicates import TEXT

SCANS: dict[str, Handler] = {"scan": tasks.run_scan_job, "duplicates": tasks.run_duplicates_job}


class Killed(BaseException):
    """What a process that is killed never sees; here, the end of a worker."""


@pytest.fixture
def scanned(journal: Journal, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Journal:
    """A journal with five conflicts and a text in five places, scanned an entity at a time; nobody is woken."""
    settings.DATA_DIR = journal.data_dir
    monkeypatch.setattr("apps.jobs.actions.wake", lambda lane: None)
    monkeypatch.setattr("apps.jobs.runs.wake", lambda lane: None)
    monkeypatch.setattr("apps.review.tasks.open_store", lambda: journal)
    monkeypatch.setattr("apps.review.actions.walking.ENTITIES_AT_ONCE", 1)
    for number in range(1, 6):
        entity = f"service:{number}"
        journal.store(
            make_fact(number * 10, "enabled", entity=entity),
            make_fact(number * 10 + 1, "disabled", entity=entity),
            make_fact(number * 10 + 2, TEXT, entity=entity, key="notes"),
        )
    return journal


def run(kind: str, handler: Handler) -> Job:
    """The newest job of a kind after a worker has looked for it."""
    run_queued(Lane.LONG, {kind: handler})
    return Job.objects.filter(kind=kind).latest("number")


def end_result() -> tuple[set[tuple[str, str, str]], set[str]]:
    return (
        set(Finding.objects.values_list("detector", "first_id", "second_id")),
        set(Signature.objects.values_list("fact_id", flat=True)),
    )


@pytest.mark.parametrize("kind", SCANS)
@pytest.mark.parametrize("kill_at", range(1, 7))
def test_a_worker_killed_at_any_step_loses_nothing_and_repeats_nothing(
    scanned: Journal, monkeypatch: pytest.MonkeyPatch, kind: str, kill_at: int
) -> None:
    enqueue(kind, tenant="default", started_by="p_1", arguments={})
    expected_job = run(kind, SCANS[kind])
    expected = end_result()
    for model in (Finding, ScanState, Signature):
        model.objects.all().delete()
    enqueue(kind, tenant="default", started_by="p_1", arguments={})

    with monkeypatch.context() as killing, suppress(Killed):
        killing.setattr(JobRun, "show", _dying_at(kill_at))
        run(kind, SCANS[kind])
    patrol(now=timezone.now() + SILENT_AFTER + timedelta(seconds=1))
    job = run(kind, SCANS[kind])

    assert (job.state, job.attempts) == (JobState.FINISHED, 2)
    assert end_result() == expected
    assert job.counts == expected_job.counts
    assert job.counts["found"] == job.counts["new"] + job.counts["known before"] == len(expected[0])


@pytest.mark.parametrize("kind", SCANS)
def test_a_scan_that_is_cancelled_keeps_what_it_found_and_is_begun_anew_later(scanned: Journal, kind: str) -> None:
    job = enqueue(kind, tenant="default", started_by="p_1", arguments={})

    def cancel_first(job_run: JobRun) -> None:
        cancel_job(job.number)
        SCANS[kind](job_run)

    assert run(kind, cancel_first).state == JobState.CANCELLED
    assert not ScanState.objects.exists()

    enqueue(kind, tenant="default", started_by="p_1", arguments={})
    assert run(kind, SCANS[kind]).state == JobState.FINISHED
    assert len(end_result()[0]) == {"scan": 5, "duplicates": 9}[kind]


@pytest.mark.parametrize("kind", SCANS)
def test_an_index_that_is_switched_between_two_attempts_is_scanned_from_its_beginning(
    scanned: Journal, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    enqueue(kind, tenant="default", started_by="p_1", arguments={})
    with monkeypatch.context() as killing, suppress(Killed):
        killing.setattr(JobRun, "show", _dying_at(3))
        run(kind, SCANS[kind])
    rebuild(scanned, now_ns=NOW_NS)
    patrol(now=timezone.now() + SILENT_AFTER + timedelta(seconds=1))

    job = run(kind, SCANS[kind])

    assert job.state == JobState.FINISHED
    assert len(end_result()[0]) == {"scan": 5, "duplicates": 9}[kind]


def test_expiry_is_a_job_too(scanned: Journal) -> None:
    scanned.store(make_fact(99, "perhaps", entity="service:9", confidence=0.1))
    enqueue("expiry", tenant="default", started_by="p_1", arguments={})

    job = run("expiry", tasks.run_expiry_job)

    assert (job.state, job.counts["found"]) == (JobState.FINISHED, 1)


def _dying_at(call: int) -> Callable[..., None]:
    """What stands for a worker that is killed as it writes its row for the so manieth time."""
    show, calls = JobRun.show, _numbers()

    def die(job_run: JobRun, **changes: object) -> None:
        if next(calls) == call:
            raise Killed
        show(job_run, **changes)

    return die


def _numbers() -> Iterator[int]:
    number = 0
    while True:
        number += 1
        yield number
