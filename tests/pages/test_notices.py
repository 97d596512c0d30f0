"""What waits for somebody, on the pages that show it, and whether they are mailed."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import User
from apps.accounts.queries import mail_receivers
from apps.accounts.rules import MailWhen, Role
from apps.jobs.actions import enqueue
from apps.jobs.models import Job, Notice
from apps.jobs.notices import Standing, reconcile_notices
from apps.jobs.rules import NOTICE_SENTENCES, JobState, NoticeKind
from cruxweb.environment import MailServer
from cruxweb.notices import look_what_waits
from tests.conftest import MakePerson
from tests.people import signed_in

OVERVIEW = "/t/default/"
HEADING = "What waits for you"
CHOICE = "Mail what waits for me"
DEAD = NOTICE_SENTENCES[NoticeKind.DEAD_LETTER]


def stopped(tenant: str | None = "default") -> Job:
    """A job that a fault has stopped, and of which people have been told."""
    job = enqueue("import", tenant=tenant, started_by="p_1", arguments={}, title="Import of old.jsonl")
    Job.objects.filter(pk=job.pk).update(state=JobState.DEAD.value, error="It stopped.", ended_at=timezone.now())
    look_what_waits()
    return job


def seen_address(job: Job, person: User) -> str:
    return f"/notices/{Notice.objects.get(subject=str(job), person_id=person.person_id).number}/seen/"


def test_overview_shows_what_waits_and_nothing_where_nothing_does(
    as_curator: Client, as_viewer: Client, as_stranger: Client
) -> None:
    assert HEADING not in as_curator.get(OVERVIEW).text

    job = stopped()

    page = as_curator.get(OVERVIEW).text
    assert HEADING in page and DEAD in page
    assert f'href="/t/default/jobs/{job.number}/">{job}</a>' in page
    assert f'aria-label="Got it: {job}"' in page
    assert HEADING not in as_viewer.get(OVERVIEW).text
    assert HEADING not in as_stranger.get("/t/acme/").text


def test_got_it_takes_it_off_the_list_and_leaves_the_thing(as_curator: Client, curator: User) -> None:
    job = stopped()
    as_curator.get(OVERVIEW)

    answer = as_curator.post(seen_address(job, curator), follow=True)

    assert answer.redirect_chain[-1] == (OVERVIEW, 302)
    assert HEADING not in answer.text
    assert f"Run {job} again" in as_curator.get(f"/t/default/jobs/{job.number}/").text


def test_a_notice_of_somebody_else_is_not_found(as_viewer: Client, as_curator: Client, curator: User) -> None:
    job = stopped()

    assert as_viewer.post(seen_address(job, curator)).status_code == 404
    assert as_viewer.post("/notices/999/seen/").status_code == 404
    assert as_curator.get(seen_address(job, curator)).status_code == 405
    assert HEADING in as_curator.get(OVERVIEW).text


def test_what_waits_in_the_store_is_on_every_overview_of_an_operator_and_on_store(
    as_operator: Client, operator: User, as_curator: Client
) -> None:
    of_store, of_tenant = stopped(None), stopped()

    store, overview = as_operator.get("/store/").text, as_operator.get(OVERVIEW).text
    assert f"{of_store}</a>" in store and f"{of_tenant}</a>" not in store
    assert f"{of_store}</a>" in overview and f"{of_tenant}</a>" in overview
    assert f"{of_store}</a>" not in as_curator.get(OVERVIEW).text

    answer = as_operator.post(seen_address(of_store, operator), {"from": "store"})

    assert answer.headers["Location"] == "/store/"
    assert HEADING not in as_operator.get("/store/").text


def test_one_tenants_notices_are_not_on_anothers_overview(make_person: MakePerson) -> None:
    both = make_person("both", Role.CURATOR)
    place = Standing(both.person_id, NoticeKind.DEAD_LETTER, "J-7", "acme", "/t/acme/jobs/7/")
    reconcile_notices([place], looked_at=timezone.now())

    assert HEADING not in signed_in(both).get(OVERVIEW).text


@pytest.fixture
def mail_server(settings: Settings) -> MailServer:
    """A site that sends mail."""
    server = MailServer("127.0.0.1", 9, has_tls=False, user="", password="", sender="c@example.org")
    settings.MAIL_SERVER = server
    return server


def choose(browser: Client, **chosen: str) -> object:
    return browser.post("/settings/", {"theme": "", "time_zone": "Europe/Berlin", "has_keys": "on", **chosen})


def test_mail_is_chosen_only_where_the_site_sends_any(as_curator: Client, curator: User) -> None:
    assert CHOICE not in as_curator.get("/settings/").text

    choose(as_curator, email="ana@example.org", mails="at_once")

    curator.refresh_from_db()
    assert (curator.email, curator.mails) == ("", MailWhen.NEVER)


def test_a_person_chooses_where_and_when_they_are_mailed(
    mail_server: MailServer, as_curator: Client, curator: User
) -> None:
    assert CHOICE in as_curator.get("/settings/").text

    choose(as_curator, email="ana@example.org", mails="daily")

    assert [(one.email, one.when, one.time_zone) for one in mail_receivers()] == [
        ("ana@example.org", MailWhen.DAILY, "Europe/Berlin")
    ]
    choose(as_curator, email="ana@example.org", mails="never")
    assert mail_receivers() == []


@pytest.mark.parametrize("email", ["", "ana", "ana@example.org\nBcc: all@example.org"])
def test_mail_needs_an_address(mail_server: MailServer, as_curator: Client, curator: User, email: str) -> None:
    answer = as_curator.post(
        "/settings/", {"theme": "", "time_zone": "UTC", "has_keys": "on", "email": email, "mails": "at_once"}
    )

    assert answer.status_code == 422
    assert "Nothing was saved" in answer.text
    curator.refresh_from_db()
    assert (curator.email, curator.mails) == ("", MailWhen.NEVER)


def test_a_person_with_several_sign_ins_is_mailed_through_the_one_they_chose_last(
    mail_server: MailServer, make_person: MakePerson
) -> None:
    first, second, other = (make_person(name, Role.CURATOR) for name in ("first", "second", "other"))
    User.objects.filter(pk=second.pk).update(person_id=first.person_id)
    choose(signed_in(other), email="other@example.org", mails="at_once")

    choose(signed_in(first), email="first@example.org", mails="at_once")
    choose(signed_in(second), email="second@example.org", mails="daily")

    assert [one.email for one in mail_receivers()] == ["other@example.org", "second@example.org"]
