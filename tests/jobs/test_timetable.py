"""What runs by itself: when it is due, that nothing is started twice, and how it is shown."""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from threading import Barrier, Thread
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone

from apps.jobs.actions import enqueue
from apps.jobs.models import Job, Turn
from apps.jobs.queries import JobScope
from apps.jobs.rules import SCHEDULE, JobState, latest_due, next_due
from apps.jobs.timetable import Daily, Periodic, Timetable, daily_turns, periodic_turns, start_due, take_turn
from cruxstore.errors import StoreBusyError

pytestmark = pytest.mark.django_db(transaction=True)

SCAN = Daily("scan", "Look for conflicts", at=time(2), unit="facts")
CHECKPOINT = Daily("checkpoint", "Sign the checkpoint", at=time(0, 5), unit="bytes", is_store_wide=True)
TIMETABLE = Timetable(periodic=(), daily=(SCAN, CHECKPOINT), tenants=lambda: ["acme", "default"])


@pytest.fixture(autouse=True)
def nobody_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """No messages: the table is the queue."""
    monkeypatch.setattr("apps.jobs.actions.wake", lambda lane: None)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def queued() -> list[tuple[str, str, str]]:
    return list(Job.objects.order_by("number").values_list("kind", "tenant", "started_by"))


def test_at_first_sight_nothing_is_due_and_the_next_day_everything_once() -> None:
    start_due(TIMETABLE, now=at("2026-03-01T10:00Z"))
    start_due(TIMETABLE, now=at("2026-03-01T23:59Z"))
    assert queued() == []

    start_due(TIMETABLE, now=at("2026-03-02T00:06Z"))
    start_due(TIMETABLE, now=at("2026-03-02T00:07Z"))
    assert queued() == [("checkpoint", "", SCHEDULE)]

    start_due(TIMETABLE, now=at("2026-03-02T02:00Z"))
    start_due(TIMETABLE, now=at("2026-03-02T02:01Z"))
    assert queued()[1:] == [("scan", "acme", SCHEDULE), ("scan", "default", SCHEDULE)]


def test_what_was_missed_while_nothing_ran_is_made_up_for_once() -> None:
    start_due(TIMETABLE, now=at("2026-03-01T10:00Z"))

    start_due(TIMETABLE, now=at("2026-03-09T10:00Z"))
    start_due(TIMETABLE, now=at("2026-03-09T10:01Z"))

    assert len(queued()) == 3


def test_a_day_on_which_one_still_runs_starts_no_second_one() -> None:
    start_due(TIMETABLE, now=at("2026-03-01T10:00Z"))
    enqueue("scan", tenant="acme", started_by="p_ana", arguments={})

    start_due(TIMETABLE, now=at("2026-03-02T03:00Z"))

    assert sorted(queued()) == [("checkpoint", "", SCHEDULE), ("scan", "acme", "p_ana"), ("scan", "default", SCHEDULE)]


def test_several_processes_that_look_at_once_start_it_once() -> None:
    start_due(TIMETABLE, now=at("2026-03-01T10:00Z"))
    together = Barrier(4)

    def look() -> None:
        together.wait()
        start_due(TIMETABLE, now=at("2026-03-02T03:00Z"))
        connection.close()

    threads = [Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(queued()) == 3


@pytest.mark.parametrize("day", ["2026-03-28", "2026-10-24"], ids=["clocks go forward", "clocks go back"])
def test_a_change_of_the_clocks_neither_skips_nor_repeats_a_day(day: str) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    now = at(f"{day}T12:00+00:00").astimezone(berlin)
    start_due(TIMETABLE, now=now)
    started = []

    for hour in range(72):
        later = now.astimezone(UTC) + timedelta(hours=hour)
        started += [job.queued_at and later for job in start_due(TIMETABLE, now=later.astimezone(berlin))]
        Job.objects.update(state=JobState.FINISHED)

    assert len(started) == 3 * 3
    assert len(set(started)) == 6


@pytest.mark.parametrize(
    ("now", "latest", "following"),
    [
        ("2026-03-02T02:00Z", "2026-03-02T02:00Z", "2026-03-03T02:00Z"),
        ("2026-03-02T01:59Z", "2026-03-01T02:00Z", "2026-03-02T02:00Z"),
        ("2026-03-02T01:00-05:00", "2026-03-02T02:00Z", "2026-03-03T02:00Z"),
    ],
)
def test_the_moments_are_in_utc(now: str, latest: str, following: str) -> None:
    assert latest_due(time(2), at(now)) == at(latest)
    assert next_due(time(2), at(now)) == at(following)


def test_a_turn_says_how_it_went_last() -> None:
    ticks: list[int] = []
    periodic = Periodic("tick", "Tick", 5, lambda: ticks.append(1))
    assert periodic_turns([periodic])[0].ended_at is None

    take_turn(periodic)
    take_turn(periodic)

    assert len(ticks) == 2
    shown = periodic_turns([periodic])[0]
    assert shown.ended_at is not None and shown.error == ""


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (StoreBusyError("Another process holds the lock."), "Another process holds the lock."),
        (ValueError("secret text"), "unexpected fault (ValueError)"),
    ],
)
def test_a_turn_that_fails_says_so_at_once_and_without_content(fault: Exception, said: str) -> None:
    take_turn(Periodic("tick", "Tick", 5, lambda: None))

    with pytest.raises(type(fault)):
        take_turn(Periodic("tick", "Tick", 5, _raising(fault)))

    assert said in Turn.objects.get(name="tick").error
    assert "secret" not in Turn.objects.get(name="tick").error
    take_turn(Periodic("tick", "Tick", 5, lambda: None))
    assert Turn.objects.get(name="tick").error == ""


def test_the_stores_own_work_is_shown_to_operators_alone() -> None:
    job = enqueue("scan", tenant="default", started_by="p_ana", arguments={})
    now = timezone.now()

    of_tenant = daily_turns(TIMETABLE, JobScope("default"), now=now, names_of=lambda ids: {})
    of_operator = daily_turns(TIMETABLE, JobScope("default", sees_store=True), now=now, names_of=lambda ids: {})
    of_other = daily_turns(TIMETABLE, JobScope("acme"), now=now, names_of=lambda ids: {})

    assert [(row.kind, row.last and row.last.number) for row in of_tenant] == [("scan", job.number)]
    assert [row.kind for row in of_operator] == ["scan", "checkpoint"]
    assert of_other[0].last is None
    assert of_tenant[0].next_at > now


def _raising(fault: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise fault

    return fail
