"""Jobs whose worker is killed at any step: the same end, nothing twice, and counts of the whole job."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.facts import acting, tasks
from apps.facts.actions import keep_upload, start_import, take_back_import
from apps.facts.actions.compaction import start_compaction
from apps.facts.models import EventSubject, LedgerEvent
from apps.facts.projector import read_what_is_new
from apps.jobs.actions import enqueue
from apps.jobs.models import Job
from apps.jobs.rules import SILENT_AFTER, JobState, Lane
from apps.jobs.runs import Handler, JobRun, patrol, run_queued
from cruxstore.door import Store
from tests.facts.test_imports import live_values
from tests.people import principal, scope

HANDLERS: dict[str, Handler] = {
    "import": tasks.run_import_job,
    "rebuild_index": tasks.run_rebuild_job,
    "compaction": tasks.run_compaction_job,
    "checkpoint": tasks.run_checkpoint_job,
    "verification": tasks.run_verification_job,
}
TABLE = "entity,key,value\n" + "".join(f"team:{name},lead,{person}\n" for name in "abc" for person in ("Ana", "Bea"))
MOST_STEPS = 40


class Killed(BaseException):
    """What a process that is killed never sees."""


@pytest.fixture(autouse=True)
def nobody_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """No messages: the table is the queue."""
    monkeypatch.setattr("apps.jobs.actions.wake", lambda lane: None)
    monkeypatch.setattr("apps.jobs.runs.wake", lambda lane: None)


def begin_import(store: Store, operator: User) -> None:
    """Queues an import of six values, two for each of three keys: acts of their own."""
    at = datetime(2026, 11, 30, 9, tzinfo=UTC)
    me = principal(operator)
    upload = keep_upload(
        store, scope(operator), principal=me, file_name="t.csv", chunks=[TABLE.encode()], limit_bytes=10**6, at=at
    )
    start_import(store, scope(operator), principal=me, digest=upload.digest)


def begin(kind: str, store: Store, operator: User) -> None:
    """Queues a job of this kind."""
    if kind == "import":
        begin_import(store, operator)
    elif kind == "compaction":
        start_compaction(principal(operator), reason="It has grown")
    else:
        enqueue(kind, tenant=None, started_by=principal(operator).principal_id, arguments={"since": ""})


def work() -> Job:
    """The newest job after workers of both lanes have looked at the queue."""
    for lane in Lane:
        run_queued(lane, HANDLERS)
    return Job.objects.latest("number")


@pytest.mark.parametrize("kind", HANDLERS)
def test_a_job_whose_worker_is_killed_at_any_step_ends_as_if_nothing_had_happened(
    store: Store, operator: User, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    if kind != "import":
        begin_import(store, operator)
        work()

    for step in count(1):
        assert step < MOST_STEPS
        begin(kind, store, operator)
        with monkeypatch.context() as killing:
            steps = _dying_at(step, killing)
            with suppress(Killed):
                work()
        was_killed = steps() >= step
        patrol(now=timezone.now() + SILENT_AFTER + timedelta(seconds=1))
        job = work()

        assert (job.state, job.attempts, job.error) == (JobState.FINISHED, 2 if was_killed else 1, ""), step
        _check(kind, store, job)
        if not was_killed:
            break
        if kind == "import":
            _take_all_back(store, operator)
    assert step > 1


def _check(kind: str, store: Store, job: Job) -> None:
    assert sorted(live_values(store)) == [(f"team:{name}", "lead", "Bea") for name in "abc"]
    if kind == "import":
        assert job.counts == {"stored": 6, "known": 0, "refused": 0}
        subject = job.arguments["import_id"]
        acts = [event.action for event in LedgerEvent.objects.all() if subject in event_subjects(event)]
        assert acts.count("import.started") == acts.count("import.finished") == 1
    if kind == "compaction":
        assert job.counts["folded"] + job.counts["kept"] > 0


def event_subjects(event: LedgerEvent) -> set[str]:
    """What an event is about."""
    return set(EventSubject.objects.filter(seq=event.seq).values_list("subject", flat=True))


def _take_all_back(store: Store, operator: User) -> None:
    newest = Job.objects.filter(kind="import").latest("number").arguments["import_id"]
    take_back_import(store, scope(operator), principal=principal(operator), import_id=newest)


def _dying_at(step: int, killing: pytest.MonkeyPatch) -> Callable[[], int]:
    """Kills the worker as it writes its row, or between an act and its index, whichever comes as the so manieth."""
    calls = [0]

    def dying(work: Callable[..., object]) -> Callable[..., object]:
        def die(*args: object, **options: object) -> object:
            calls[0] += 1
            if calls[0] == step:
                raise Killed
            return work(*args, **options)

        return die

    killing.setattr(JobRun, "show", dying(JobRun.show))
    killing.setattr(acting, "read_what_is_new", dying(read_what_is_new))
    return lambda: calls[0]
