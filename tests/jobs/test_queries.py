"""Who sees which jobs, and what a job looks like."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from apps.jobs.models import Job
from apps.jobs.queries import JobScope, find_jobs, get_job
from apps.jobs.rules import JobState, Lane
from cruxstore.errors import NotFoundError

pytestmark = pytest.mark.django_db

CURATOR = JobScope(tenant="default")
OPERATOR = JobScope(tenant="default", sees_store=True)


def names_of(person_ids: set[str]) -> dict[str, str]:
    return {"p_ana": "Ana López"}


def make_job(tenant: str = "default", **fields: object) -> Job:
    defaults = {
        "kind": "import",
        "title": "Import",
        "lane": Lane.LONG,
        "started_by": "p_ana",
        "queued_at": timezone.now(),
    }
    return Job.objects.create(tenant=tenant, **(defaults | fields))


def test_a_tenants_jobs_are_seen_there_and_the_stores_by_operators() -> None:
    mine, store_wide = make_job(), make_job(tenant="", kind="rebuild_index")
    make_job(tenant="acme")
    now = timezone.now()

    seen = find_jobs(CURATOR, now=now, names_of=names_of)
    seen_by_operator = find_jobs(OPERATOR, now=now, names_of=names_of)

    assert [job.number for job in seen] == [mine.number]
    assert [job.number for job in seen_by_operator] == [store_wide.number, mine.number]


@pytest.mark.parametrize("tenant", ["acme", ""])
def test_a_foreign_job_is_as_absent_as_a_missing_one(tenant: str) -> None:
    foreign = make_job(tenant=tenant)

    for number in (foreign.number, foreign.number + 1):
        with pytest.raises(NotFoundError, match=r"There is no such job\."):
            get_job(CURATOR, number, now=timezone.now(), names_of=names_of)


def test_nobody_without_a_tenant_sees_the_stores_jobs() -> None:
    make_job(tenant="")

    assert find_jobs(JobScope(tenant=""), now=timezone.now(), names_of=names_of) == []


def test_a_running_job_has_a_rate_a_rest_and_a_pulse(now: datetime) -> None:
    job = make_job(
        state=JobState.RUNNING,
        done=60,
        done_before=10,
        total=100,
        started_at=now - timedelta(seconds=10),
        heartbeat_at=now - timedelta(seconds=2),
    )

    view = get_job(CURATOR, job.number, now=now, names_of=names_of)

    assert (view.name, view.started_by, view.percent) == (f"J-{job.number}", "Ana López", 60)
    assert (view.rate, view.seconds_left, view.heartbeat_age) == (5.0, 8, timedelta(seconds=2))
    assert (view.is_ended, view.can_cancel, view.can_retry) == (False, True, False)


def test_an_ended_job_says_how_fast_it_was_and_no_more(now: datetime) -> None:
    job = make_job(
        state=JobState.FAILED,
        done=50,
        total=100,
        started_at=now - timedelta(hours=1),
        heartbeat_at=now - timedelta(minutes=50),
        ended_at=now - timedelta(hours=1) + timedelta(seconds=10),
        is_cancel_asked=True,
    )

    view = get_job(CURATOR, job.number, now=now, names_of=names_of)

    assert (view.rate, view.seconds_left, view.heartbeat_age) == (5.0, None, None)
    assert (view.is_ended, view.can_cancel, view.can_retry, view.is_cancel_asked) == (True, False, True, False)


def test_somebody_without_a_name_keeps_their_id() -> None:
    job = make_job(started_by="p_gone")

    assert get_job(CURATOR, job.number, now=timezone.now(), names_of=names_of).started_by == "p_gone"


def test_what_is_under_way_stands_first() -> None:
    running = make_job(state=JobState.RUNNING)
    ended = make_job(state=JobState.FINISHED)
    queued = make_job()

    listed = find_jobs(CURATOR, now=timezone.now(), names_of=names_of)

    assert [job.number for job in listed] == [queued.number, running.number, ended.number]


@pytest.fixture
def now() -> datetime:
    return timezone.now()
