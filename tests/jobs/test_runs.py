"""What workers do with the table of jobs: claim, run, keep alive, end; and what the patrol does about the dead."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.jobs.actions import JobMovedOnError, cancel_job, enqueue, retry_job, set_aside_job
from apps.jobs.broker import app
from apps.jobs.models import Job
from apps.jobs.rules import MAX_ATTEMPTS, SILENT_AFTER, JobState, Lane
from apps.jobs.runs import JobRun, LostClaimError, patrol, run_queued
from cruxstore.errors import JournalNotOursError, StoreBusyError

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lanes that were woken, instead of messages."""
    lanes: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda name, *, args, **options: lanes.append(args[0]))
    return lanes


def queue_one(kind: str = "count", *, tenant: str | None = "default", lane: Lane = Lane.LONG) -> Job:
    return enqueue(kind, tenant=tenant, started_by="p_ana", arguments={"import_id": "i_1"}, lane=lane, unit="facts")


def now_of(job: Job) -> Job:
    """The row as it is now."""
    return Job.objects.get(number=job.number)


def count_to_ten(run: JobRun) -> None:
    for done in range(run.checkpoint.get("done", 0), 11):
        if run.is_cancelled():
            return
        run.progress(done, 10, counts={"stored": done}, checkpoint={"done": done})


def test_a_queued_job_is_run_to_its_end(woken: list[str]) -> None:
    job = queue_one()

    ran = run_queued(Lane.LONG, {"count": count_to_ten})

    ended = now_of(job)
    assert (ran, woken) == (1, ["long"])
    assert (ended.state, ended.done, ended.total, ended.counts) == (JobState.FINISHED, 10, 10, {"stored": 10})
    assert ended.attempts == 1
    assert ended.ended_at is not None


def test_the_handler_gets_ids_tenant_and_person(woken: list[str]) -> None:
    job = queue_one()
    seen: list[JobRun] = []

    run_queued(Lane.LONG, {"count": seen.append})

    assert [(run.number, run.tenant, run.started_by, run.arguments) for run in seen] == [
        (job.number, "default", "p_ana", {"import_id": "i_1"})
    ]


def test_a_lane_runs_its_own_jobs_only_oldest_first(woken: list[str]) -> None:
    first, short, second = queue_one(), queue_one(lane=Lane.SHORT), queue_one()
    order: list[int] = []

    run_queued(Lane.LONG, {"count": lambda run: order.append(run.number)})

    assert order == [first.number, second.number]
    assert now_of(short).state == JobState.QUEUED


def test_a_kind_that_nobody_handles_stays_queued(woken: list[str]) -> None:
    job = queue_one("unheard_of")

    assert run_queued(Lane.LONG, {"count": count_to_ten}) == 0
    assert now_of(job).state == JobState.QUEUED


def test_one_kind_runs_once_at_a_time_in_a_tenant(woken: list[str]) -> None:
    running, waiting, elsewhere = queue_one(), queue_one(), queue_one(tenant="acme")
    ran: list[int] = []

    def look_for_more(run: JobRun) -> None:
        ran.append(run.number)
        if run.number == running.number:
            run_queued(Lane.LONG, {"count": lambda inner: ran.append(inner.number)})

    run_queued(Lane.LONG, {"count": look_for_more})

    assert ran == [running.number, elsewhere.number, waiting.number]


def test_a_refusal_is_said_in_its_own_words(woken: list[str]) -> None:
    job = queue_one()

    def refuse(run: JobRun) -> None:
        run.progress(3, 10)
        raise JournalNotOursError("The journal belongs to a daemon.")

    run_queued(Lane.LONG, {"count": refuse})

    failed = now_of(job)
    assert (failed.state, failed.done, failed.attempts) == (JobState.FAILED, 3, 1)
    assert failed.error == "The journal belongs to a daemon."


@pytest.mark.parametrize("fault", [StoreBusyError("The store is busy."), ValueError("odd")], ids=["busy", "unexpected"])
def test_a_fault_that_may_pass_is_met_again_after_a_while_and_then_parked(woken: list[str], fault: Exception) -> None:
    job, met = queue_one(), []

    def fail(run: JobRun) -> None:
        met.append(run.attempts)
        raise fault

    for attempt in range(1, MAX_ATTEMPTS):
        run_queued(Lane.LONG, {"count": fail})
        waiting = now_of(job)
        assert (waiting.state, waiting.attempts, met[-1]) == (JobState.QUEUED, attempt, attempt)
        assert waiting.wait_until is not None and waiting.wait_until > timezone.now()
        assert run_queued(Lane.LONG, {"count": fail}) == 0
        Job.objects.update(wait_until=timezone.now())
    run_queued(Lane.LONG, {"count": fail})

    assert (now_of(job).state, met) == (JobState.DEAD, [1, 2, 3])
    assert now_of(job).first_error == now_of(job).error != ""


def test_a_fault_that_passed_leaves_no_trace_but_the_first_error(woken: list[str]) -> None:
    job = queue_one()

    def fail_once(run: JobRun) -> None:
        if run.attempts == 1:
            run.progress(4, 10, checkpoint={"done": 4})
            raise StoreBusyError("The store is busy.")
        count_to_ten(run)

    run_queued(Lane.LONG, {"count": fail_once})
    Job.objects.update(wait_until=timezone.now())
    run_queued(Lane.LONG, {"count": fail_once})

    ended = now_of(job)
    assert (ended.state, ended.done, ended.attempts) == (JobState.FINISHED, 10, 2)
    assert (ended.error, ended.first_error) == ("", "The store is busy.")


def test_what_waits_for_somebody_can_be_set_aside(woken: list[str]) -> None:
    job = queue_one()

    def refuse(run: JobRun) -> None:
        raise JournalNotOursError("The journal belongs to a daemon.")

    with pytest.raises(JobMovedOnError):
        set_aside_job(job.number)
    run_queued(Lane.LONG, {"count": refuse})

    set_aside_job(job.number)

    assert now_of(job).state == JobState.CANCELLED
    assert now_of(job).error == "The journal belongs to a daemon."


def test_a_job_that_was_to_end_and_whose_worker_died_is_cancelled(woken: list[str]) -> None:
    job = queue_one()
    with pytest.raises(KeyboardInterrupt):
        run_queued(Lane.LONG, {"count": _die})
    cancel_job(job.number)

    patrol(now=timezone.now() + SILENT_AFTER + timedelta(seconds=1))

    assert now_of(job).state == JobState.CANCELLED


def test_an_unexpected_fault_says_nothing_of_its_content(woken: list[str], caplog: pytest.LogCaptureFixture) -> None:
    job = queue_one()

    def fail(run: JobRun) -> None:
        raise ValueError("a fact's text")

    run_queued(Lane.LONG, {"count": fail})

    assert now_of(job).state == JobState.QUEUED
    assert "ValueError" in now_of(job).error
    assert "a fact's text" not in now_of(job).error
    assert "a fact's text" in caplog.text


def test_a_queued_job_is_cancelled_at_once(woken: list[str]) -> None:
    job = queue_one()

    cancel_job(job.number)

    assert now_of(job).state == JobState.CANCELLED
    assert run_queued(Lane.LONG, {"count": count_to_ten}) == 0


def test_a_running_job_is_cancelled_between_two_batches(woken: list[str]) -> None:
    job = queue_one()

    def count_and_be_cancelled(run: JobRun) -> None:
        for done in range(10):
            if run.is_cancelled():
                return
            run.progress(done, 10, checkpoint={"done": done})
            if done == 4:
                cancel_job(run.number)

    run_queued(Lane.LONG, {"count": count_and_be_cancelled})

    assert (now_of(job).state, now_of(job).done) == (JobState.CANCELLED, 4)


def test_a_job_that_came_to_its_end_before_it_looked_is_finished(woken: list[str]) -> None:
    job = queue_one()

    run_queued(Lane.LONG, {"count": lambda run: cancel_job(run.number)})

    assert now_of(job).state == JobState.FINISHED


def test_what_has_ended_cannot_be_cancelled(woken: list[str]) -> None:
    job = queue_one()
    run_queued(Lane.LONG, {"count": count_to_ten})

    with pytest.raises(JobMovedOnError):
        cancel_job(job.number)


def test_a_failed_job_can_be_tried_again_from_its_checkpoint(woken: list[str]) -> None:
    job = queue_one()

    def fail_at_six(run: JobRun) -> None:
        run.progress(6, 10, checkpoint={"done": 6})
        raise JournalNotOursError("not ours")

    run_queued(Lane.LONG, {"count": fail_at_six})
    retry_job(job.number)
    run_queued(Lane.LONG, {"count": count_to_ten})

    ended = now_of(job)
    assert (ended.state, ended.done, ended.done_before, ended.error) == (JobState.FINISHED, 10, 6, "")


def test_a_job_under_way_cannot_be_tried_again(woken: list[str]) -> None:
    job = queue_one()

    with pytest.raises(JobMovedOnError):
        retry_job(job.number)


def test_a_worker_that_is_to_end_puts_its_job_back(woken: list[str]) -> None:
    job, told = queue_one(), [False]

    def count_until_told(run: JobRun) -> None:
        for done in range(10):
            if run.is_cancelled():
                return
            run.progress(done, 10, checkpoint={"done": done})
            told[0] = done == 4

    run_queued(Lane.LONG, {"count": count_until_told}, stopping=lambda: told[0])

    put_back = now_of(job)
    assert (put_back.state, put_back.attempts, put_back.checkpoint) == (JobState.QUEUED, 0, {"done": 4})


def test_a_silent_workers_job_is_queued_again_and_then_dead(woken: list[str]) -> None:
    job = queue_one()

    for attempt in range(1, MAX_ATTEMPTS + 1):
        with pytest.raises(KeyboardInterrupt):
            run_queued(Lane.LONG, {"count": _die})
        assert (now_of(job).state, now_of(job).attempts) == (JobState.RUNNING, attempt)
        patrol(now=timezone.now() + SILENT_AFTER / 2)
        assert now_of(job).state == JobState.RUNNING
        patrol(now=timezone.now() + SILENT_AFTER + timedelta(seconds=1))

    assert now_of(job).state == JobState.DEAD
    assert (now_of(job).error, now_of(job).first_error) == (
        "Its worker died in attempt 3.",
        "Its worker died in attempt 1.",
    )
    retry_job(job.number)
    run_queued(Lane.LONG, {"count": count_to_ten})
    assert now_of(job).state == JobState.FINISHED


def test_a_worker_taken_for_dead_can_write_nothing_more(woken: list[str]) -> None:
    job, lost = queue_one(), []

    def be_taken_for_dead(run: JobRun) -> None:
        patrol(now=timezone.now() + SILENT_AFTER + timedelta(seconds=1))
        try:
            run.progress(5, 10, checkpoint={"done": 5})
        except LostClaimError:
            lost.append(run.number)
            raise

    run_queued(Lane.LONG, {"count": be_taken_for_dead}, stopping=lambda: bool(lost))

    assert lost == [job.number]
    assert (now_of(job).state, now_of(job).done) == (JobState.QUEUED, 0)


def test_the_patrol_wakes_the_lanes_in_which_something_waits(woken: list[str]) -> None:
    queue_one()
    queue_one(tenant="acme")
    woken.clear()

    patrol(now=timezone.now())

    assert woken == ["long"]


def test_a_broker_that_is_down_does_not_lose_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError("no broker")

    monkeypatch.setattr(app, "send_task", refuse)

    job = queue_one()

    assert now_of(job).state == JobState.QUEUED


def _die(run: JobRun) -> None:
    raise KeyboardInterrupt
