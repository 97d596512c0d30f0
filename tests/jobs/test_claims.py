"""Many workers on one table of jobs, each with a connection of its own: every job is taken by one of them."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from apps.jobs.actions import enqueue
from apps.jobs.broker import app
from apps.jobs.models import Job
from apps.jobs.rules import JobState, Lane
from apps.jobs.runs import JobRun, run_queued

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 6


def test_workers_side_by_side_do_every_job_once_and_never_two_of_a_kind_in_one_tenant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app, "send_task", lambda *args, **options: None)
    for number in range(30):
        enqueue("count", tenant=f"t{number % 10}", started_by="p_ana", arguments={})
    done: Counter[int] = Counter()
    together: set[str] = set()
    busy: Counter[str] = Counter()
    guard = threading.Lock()

    def count(run: JobRun) -> None:
        with guard:
            busy[run.tenant] += 1
            together.update(tenant for tenant, jobs in busy.items() if jobs > 1)
        run.progress(1, 1, checkpoint={"done": 1})
        with guard:
            done[run.number] += 1
            busy[run.tenant] -= 1

    def work(start: threading.Barrier) -> None:
        start.wait()
        try:
            # one that another's row held up looks again, as the patrol would have it do
            while Job.objects.filter(state=JobState.QUEUED).exists():
                run_queued(Lane.LONG, {"count": count})
        finally:
            connection.close()

    start = threading.Barrier(WORKERS)
    with ThreadPoolExecutor(WORKERS) as workers:
        for ended in [workers.submit(work, start) for _ in range(WORKERS)]:
            ended.result()

    assert set(done.values()) == {1}
    assert len(done) == 30
    assert together == set()
    assert Counter(Job.objects.values_list("state", "attempts")) == {("finished", 1): 30}
