"""Notices agree with what stands: none is lost, none is made twice, and each is its person's alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone

from apps.jobs.models import Notice
from apps.jobs.notices import (
    KEPT,
    MAIL_TAKES,
    Standing,
    claim_mail,
    mail_later,
    note_mailed,
    people_to_mail,
    reconcile_notices,
    see_notice,
)
from apps.jobs.queries import find_notices
from apps.jobs.rules import NOTICE_SENTENCES, NoticeKind, latest_morning
from cruxstore.errors import NotFoundError

pytestmark = pytest.mark.django_db(transaction=True)

SINCE = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)
DEAD = Standing("p_ana", NoticeKind.DEAD_LETTER, "J-12", "default", "/t/default/jobs/12/", SINCE)
DISK = Standing("p_ana", NoticeKind.DISK_LOW, "Store", "", "/store/")


def look(*standing: Standing) -> None:
    """One turn in which this is what stands."""
    reconcile_notices(standing, looked_at=timezone.now())


def inbox(person_id: str = "p_ana", tenant: str = "default", *, sees_store: bool = False) -> list[str]:
    return [notice.subject for notice in find_notices(person_id, tenant, sees_store=sees_store)]


def test_every_kind_has_a_sentence() -> None:
    assert set(NOTICE_SENTENCES) == set(NoticeKind)


def test_what_stands_is_noticed_once_however_often_one_looks() -> None:
    look(DEAD, DISK)
    first = list(Notice.objects.order_by("number").values())
    look(DEAD, DISK)

    assert list(Notice.objects.order_by("number").values()) == first
    assert len(first) == 2


def test_several_who_look_at_once_make_it_once() -> None:
    together = Barrier(4)

    def look_too() -> None:
        together.wait()
        look(DEAD)
        connection.close()

    threads = [Thread(target=look_too) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Notice.objects.count() == 1


def test_what_no_longer_holds_ends_and_what_comes_back_is_new() -> None:
    look(DEAD)
    see_notice("p_ana", Notice.objects.get().number)
    look()
    assert Notice.objects.get().ended_at is not None

    look(DEAD)

    assert inbox() == ["J-12"]
    assert Notice.objects.count() == 2


def test_what_ended_and_began_again_between_two_looks_is_new_too() -> None:
    look(DEAD)
    see_notice("p_ana", Notice.objects.get().number)

    look(replace(DEAD, since_at=SINCE + timedelta(seconds=20)))

    assert inbox() == ["J-12"]


def test_what_somebody_ended_who_looked_later_is_not_made_again() -> None:
    looked_at = timezone.now()
    look(DEAD)
    look()

    reconcile_notices([DEAD], looked_at=looked_at)

    assert inbox() == []


def test_what_ended_long_ago_is_forgotten_and_what_stands_never() -> None:
    look(DEAD, DISK)
    look(DISK)
    Notice.objects.update(made_at=timezone.now() - 2 * KEPT)

    Notice.objects.filter(subject="J-12").update(ended_at=timezone.now() - KEPT + timedelta(hours=1))
    look(DISK)
    assert Notice.objects.count() == 2

    Notice.objects.filter(subject="J-12").update(ended_at=timezone.now() - KEPT)
    look(DISK)
    assert Notice.objects.get().subject == "Store"


def test_a_link_that_has_moved_is_followed() -> None:
    look(DEAD)

    look(replace(DEAD, address="/t/other/jobs/12/"))

    assert [notice.address for notice in find_notices("p_ana", "default", sees_store=False)] == ["/t/other/jobs/12/"]


def test_what_was_seen_leaves_the_inbox_and_stays_away() -> None:
    look(DEAD)

    see_notice("p_ana", Notice.objects.get().number)
    see_notice("p_ana", Notice.objects.get().number)
    look(DEAD)

    assert inbox() == []
    assert Notice.objects.get().ended_at is None


def test_nobody_takes_a_notice_out_of_anothers_inbox() -> None:
    look(DEAD)

    with pytest.raises(NotFoundError):
        see_notice("p_ben", Notice.objects.get().number)

    assert inbox() == ["J-12"]


def test_each_place_shows_its_own() -> None:
    look(DEAD, DISK, replace(DEAD, tenant="acme", subject="J-13"))

    assert inbox() == ["J-12"]
    assert inbox(tenant="acme") == ["J-13"]
    assert inbox(sees_store=True) == ["J-12", "Store"]
    assert inbox(tenant="", sees_store=True) == ["Store"]
    assert inbox(tenant="") == []
    assert inbox("p_ben", sees_store=True) == []


def test_mail_is_due_once_and_again_where_it_did_not_get_away() -> None:
    look(DEAD)
    now = timezone.now()

    claimed = claim_mail("p_ana", made_until=now, now=now)
    assert [notice.subject for notice in claimed] == ["J-12"]
    assert claim_mail("p_ana", made_until=now, now=now) == []
    assert people_to_mail(now=now) == {}

    mail_later(claimed, at=now)
    again = claim_mail("p_ana", made_until=now, now=now)
    note_mailed(again)

    assert again == claimed
    assert claim_mail("p_ana", made_until=now, now=now + timedelta(days=1)) == []


def test_mail_that_somebody_died_over_is_due_again_after_a_while() -> None:
    look(DEAD)
    now = timezone.now()
    claim_mail("p_ana", made_until=now, now=now)

    later = now + MAIL_TAKES

    assert list(people_to_mail(now=later)) == ["p_ana"]
    assert [notice.subject for notice in claim_mail("p_ana", made_until=now, now=later)] == ["J-12"]


def test_what_was_seen_or_has_ended_is_not_mailed() -> None:
    look(DEAD, DISK)
    see_notice("p_ana", Notice.objects.get(subject="J-12").number)
    look(DEAD)
    now = timezone.now()

    assert people_to_mail(now=now) == {}
    assert claim_mail("p_ana", made_until=now, now=now) == []


@pytest.mark.parametrize(
    ("zone", "now", "morning"),
    [
        ("UTC", "2026-03-01T08:00Z", "2026-03-01T08:00Z"),
        ("UTC", "2026-03-01T07:59Z", "2026-02-28T08:00Z"),
        ("Asia/Tokyo", "2026-03-01T12:00Z", "2026-02-28T23:00Z"),
        ("Europe/Berlin", "2026-03-28T23:30Z", "2026-03-28T07:00Z"),
        ("Europe/Berlin", "2026-03-29T05:59Z", "2026-03-28T07:00Z"),
        ("Europe/Berlin", "2026-03-29T06:00Z", "2026-03-29T06:00Z"),
        ("Europe/Berlin", "2026-10-25T06:59Z", "2026-10-24T06:00Z"),
        ("Europe/Berlin", "2026-10-25T07:00Z", "2026-10-25T07:00Z"),
        ("America/New_York", "2026-03-29T11:59Z", "2026-03-28T12:00Z"),
        ("America/New_York", "2026-10-25T12:00Z", "2026-10-25T12:00Z"),
        ("America/New_York", "2026-03-08T12:00Z", "2026-03-08T12:00Z"),
        ("America/New_York", "2026-11-01T12:59Z", "2026-10-31T12:00Z"),
    ],
)
def test_the_morning_is_by_the_clock_on_the_wall(zone: str, now: str, morning: str) -> None:
    assert latest_morning(ZoneInfo(zone), datetime.fromisoformat(now)) == datetime.fromisoformat(morning)
