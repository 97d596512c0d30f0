"""How long work goes, decided from values alone."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.jobs.rules import JobState, after_silence, rate_per_second, seconds_left, wait_after

START = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)


def test_the_rate_is_of_this_run() -> None:
    assert rate_per_second(50, START, START + timedelta(seconds=10)) == 5.0


@pytest.mark.parametrize(("done", "started_at"), [(0, START), (10, None), (10, START + timedelta(seconds=10))])
def test_there_is_no_rate_before_anything_can_be_said(done: int, started_at: datetime | None) -> None:
    assert rate_per_second(done, started_at, START + timedelta(seconds=10)) is None


def test_the_time_left_follows_from_the_rate() -> None:
    assert seconds_left(25, 100, 5.0) == 15
    assert seconds_left(100, 100, 5.0) == 0
    assert seconds_left(25, 0, 5.0) is None
    assert seconds_left(25, 100, None) is None


def test_a_silent_workers_job_is_tried_three_times() -> None:
    states = [after_silence(attempts, is_cancel_asked=False) for attempts in (1, 2, 3)]

    assert states == [JobState.QUEUED, JobState.QUEUED, JobState.DEAD]
    assert after_silence(1, is_cancel_asked=True) == JobState.CANCELLED


def test_each_wait_is_longer_than_the_one_before() -> None:
    assert timedelta() < wait_after(1) < wait_after(2)
