"""Mail about what waits: to whom, when, what it says, and what becomes of it where the server fails."""

import ssl
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import User
from apps.accounts.rules import MailWhen
from apps.jobs.actions import enqueue
from apps.jobs.models import Job, Notice
from apps.jobs.notices import MAIL_TAKES, see_notice
from apps.jobs.rules import NOTICE_SENTENCES, JobState, NoticeKind
from cruxstore.door import Store
from cruxweb.environment import MailServer, read_site_address
from cruxweb.mail import MailRefusedError
from cruxweb.notices import LEFT_ALONE, look_what_waits, mail_what_waits
from tests.mail_server import SENDER, TestServer, certified

SECRET = "Import of salaries.csv"
HOUR = timedelta(hours=1)
SetClock = Callable[[datetime], None]


@pytest.fixture(autouse=True)
def nobody_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """No messages: the table is the queue."""
    monkeypatch.setattr("apps.jobs.actions.wake", lambda lane: None)


@pytest.fixture
def server(settings: Settings) -> Iterator[TestServer]:
    """A mail server that the site uses."""
    server = TestServer()
    settings.MAIL_SERVER = server.settings()
    yield server
    server.stop()


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Makes it some moment."""

    def make_it(moment: datetime) -> None:
        monkeypatch.setattr("django.utils.timezone.now", lambda: moment)

    return make_it


def wants(person: User, when: MailWhen, zone: str = "UTC") -> None:
    """What somebody has chosen under Settings."""
    User.objects.filter(pk=person.pk).update(email=f"{person.username}@example.org", mails=when, time_zone=zone)


def stop_a_job(tenant: str = "default") -> Job:
    job = enqueue("import", tenant=tenant, started_by="p_1", arguments={}, title=SECRET)
    Job.objects.filter(pk=job.pk).update(state=JobState.DEAD.value, error="salaries", ended_at=timezone.now())
    return job


def test_who_wants_it_at_once_is_mailed_once(server: TestServer, curator: User, operator: User) -> None:
    wants(curator, MailWhen.AT_ONCE)
    stop_a_job()
    look_what_waits()

    mail_what_waits()
    mail_what_waits()

    assert server.receivers() == ["curator@example.org"]
    assert Notice.objects.filter(mailed_at=None).values_list("person_id", flat=True).get() == operator.person_id


def test_a_mail_holds_numbers_sentences_links_and_how_to_have_no_more(
    server: TestServer, settings: Settings, monkeypatch: pytest.MonkeyPatch, curator: User
) -> None:
    monkeypatch.setenv("CRUXWEB_X", "https://memory.example.org")
    settings.SITE_ADDRESS = read_site_address("CRUXWEB_X", "")
    wants(curator, MailWhen.AT_ONCE)
    jobs = [stop_a_job(), stop_a_job()]
    look_what_waits()

    mail_what_waits()

    (_, mail), *none = server.mails
    assert none == []
    sentence = NOTICE_SENTENCES[NoticeKind.DEAD_LETTER]
    parts = [f"{job}: {sentence}\nhttps://memory.example.org/t/default/jobs/{job.number}/\n" for job in jobs]
    end = "To have no more of this mail: https://memory.example.org/settings/\n"
    assert mail.get_content().replace("\r\n", "\n") == "\n".join([*parts, end])
    assert (mail["From"], mail["To"]) == (SENDER, "curator@example.org")
    assert mail["Subject"] == "2 things wait for you"
    assert mail["Message-ID"].endswith("@example.org>")
    whole = mail.as_string() + "\n".join(server.said)
    for secret in ("salaries", "Curator", "import", "It stopped", curator.person_id):
        assert secret not in whole, secret


def test_nobody_is_mailed_who_does_not_want_it_or_cannot_sign_in(
    server: TestServer, curator: User, operator: User, stranger: User
) -> None:
    wants(curator, MailWhen.NEVER)
    wants(operator, MailWhen.AT_ONCE)
    wants(stranger, MailWhen.AT_ONCE)
    stop_a_job()
    look_what_waits()
    User.objects.filter(pk=operator.pk).update(is_active=False)

    mail_what_waits()

    assert server.receivers() == []


def test_what_was_seen_before_the_mail_is_not_in_it(server: TestServer, curator: User) -> None:
    wants(curator, MailWhen.AT_ONCE)
    seen, unseen = stop_a_job(), stop_a_job()
    look_what_waits()
    see_notice(curator.person_id, Notice.objects.get(subject=str(seen)).number)

    mail_what_waits()

    text = server.mails[0][1].get_content()
    assert f"{unseen}: " in text and f"{seen}: " not in text


@pytest.mark.parametrize(
    ("zone", "first_day", "mornings"),
    [
        ("Europe/Berlin", "2026-03-28", ["2026-03-28T07:00Z", "2026-03-29T06:00Z"]),
        ("Europe/Berlin", "2026-10-24", ["2026-10-24T06:00Z", "2026-10-25T07:00Z"]),
        ("America/New_York", "2026-03-28", ["2026-03-28T12:00Z", "2026-03-29T12:00Z"]),
        ("America/New_York", "2026-10-24", ["2026-10-24T12:00Z", "2026-10-25T12:00Z"]),
        ("America/New_York", "2026-03-07", ["2026-03-07T13:00Z", "2026-03-08T12:00Z"]),
        ("America/New_York", "2026-10-31", ["2026-10-31T12:00Z", "2026-11-01T13:00Z"]),
    ],
)
def test_the_daily_mail_comes_at_eight_by_the_persons_clock_with_all_since_the_last(
    server: TestServer, set_clock: SetClock, curator: User, zone: str, first_day: str, mornings: list[str]
) -> None:
    wants(curator, MailWhen.DAILY, zone)
    start = datetime.fromisoformat(f"{first_day}T00:00Z")
    came: list[tuple[datetime, int]] = []

    for hour in range(48):
        now = start + timedelta(hours=hour)
        set_clock(now)
        Notice.objects.create(
            person_id=curator.person_id,
            kind=NoticeKind.DEAD_LETTER,
            subject=f"J-{hour}",
            tenant="default",
            address=f"/t/default/jobs/{hour}/",
            since_at=now,
            made_at=now,
        )
        before = len(server.mails)
        mail_what_waits()
        came += [(now, mail.get_content().count("/jobs/")) for _, mail in server.mails[before:]]

    first, second = (datetime.fromisoformat(morning) for morning in mornings)
    assert came == [(first, (first - start) // HOUR + 1), (second, (second - first) // HOUR)]


def test_a_server_that_is_away_loses_nothing_and_what_was_due_comes_once(
    server: TestServer, settings: Settings, curator: User
) -> None:
    wants(curator, MailWhen.AT_ONCE)
    stop_a_job()
    look_what_waits()
    there = settings.MAIL_SERVER
    settings.MAIL_SERVER = MailServer("127.0.0.1", 9, has_tls=False, user="", password="", sender=SENDER)

    for _ in range(2):
        with pytest.raises(MailRefusedError, match=r"cannot be used \(ConnectionRefusedError\)"):
            mail_what_waits()
    settings.MAIL_SERVER = there
    mail_what_waits()
    mail_what_waits()

    assert server.receivers() == ["curator@example.org"]


def test_an_address_that_is_refused_keeps_nobody_else_from_their_mail(
    server: TestServer, set_clock: SetClock, curator: User, operator: User
) -> None:
    now = timezone.now()
    set_clock(now)
    wants(curator, MailWhen.AT_ONCE)
    wants(operator, MailWhen.AT_ONCE)
    server.refuses["curator@example.org"] = 550
    stop_a_job()
    look_what_waits()

    with pytest.raises(MailRefusedError, match="did not take 1 of 2 mails"):
        mail_what_waits()
    mail_what_waits()
    assert server.receivers() == ["operator@example.org"]
    assert sum(line.lower().startswith("rcpt to:<curator@") for line in server.said) == 1

    server.refuses.clear()
    set_clock(now + LEFT_ALONE)
    mail_what_waits()
    assert server.receivers() == ["operator@example.org", "curator@example.org"]


def test_an_address_that_is_put_off_is_tried_in_the_next_turn(server: TestServer, curator: User) -> None:
    wants(curator, MailWhen.AT_ONCE)
    server.refuses["curator@example.org"] = 450
    stop_a_job()
    look_what_waits()
    with pytest.raises(MailRefusedError):
        mail_what_waits()

    server.refuses.clear()
    mail_what_waits()

    assert server.receivers() == ["curator@example.org"]


def test_a_server_that_hangs_up_doubles_the_mail_in_flight_and_nothing_else(
    server: TestServer, curator: User, operator: User
) -> None:
    wants(curator, MailWhen.AT_ONCE)
    wants(operator, MailWhen.AT_ONCE)
    server.hangs_up_after = 2
    stop_a_job()
    look_what_waits()
    with pytest.raises(MailRefusedError):
        mail_what_waits()
    assert len(server.mails) == 2

    server.hangs_up_after = 0
    mail_what_waits()

    assert sorted(server.receivers()) == ["curator@example.org", "operator@example.org", "operator@example.org"]


def test_a_worker_that_dies_over_a_mail_doubles_no_other(
    server: TestServer, set_clock: SetClock, monkeypatch: pytest.MonkeyPatch, curator: User, operator: User
) -> None:
    now = timezone.now()
    set_clock(now)
    wants(curator, MailWhen.AT_ONCE)
    wants(operator, MailWhen.AT_ONCE)
    stop_a_job()
    look_what_waits()

    def die(notices: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr("cruxweb.notices.note_mailed", die)
        with pytest.raises(KeyboardInterrupt):
            mail_what_waits()
    mail_what_waits()
    assert server.receivers() == ["curator@example.org", "operator@example.org"]

    set_clock(now + MAIL_TAKES)
    mail_what_waits()
    mail_what_waits()
    assert server.receivers() == ["curator@example.org", "operator@example.org", "curator@example.org"]


def test_another_tenants_notices_are_in_nobodys_mail(server: TestServer, store: Store, curator: User) -> None:
    wants(curator, MailWhen.AT_ONCE)
    stop_a_job("acme")
    look_what_waits()

    mail_what_waits()

    assert server.receivers() == []


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Callable[..., tuple[TestServer, Path]]]:
    """Makes a mail server at an address that is not taken for this host, with a certificate."""
    made: list[TestServer] = []

    def make(*, offers_tls: bool = False, has_tls: bool = True) -> tuple[TestServer, Path]:
        context, known = certified(tmp_path, "127.0.0.2")
        made.append(TestServer(host="127.0.0.2", tls=context if has_tls else None, offers_tls=offers_tls))
        return made[-1], known

    yield make
    for server in made:
        server.stop()


def test_mail_goes_encrypted_from_the_start_or_as_soon_as_the_server_offers_it(
    elsewhere: Callable[..., tuple[TestServer, Path]],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    curator: User,
) -> None:
    wants(curator, MailWhen.AT_ONCE)
    for offers_tls in (False, True):
        server, known = elsewhere(offers_tls=offers_tls)
        monkeypatch.setenv("SSL_CERT_FILE", str(known))
        settings.MAIL_SERVER = server.settings(user="crux", password="p@ss", has_tls=not offers_tls)
        stop_a_job()
        look_what_waits()

        mail_what_waits()

        assert server.was_encrypted == [True]
        assert server.signed_in == [("crux", "p@ss")]


def test_a_server_that_is_not_who_it_says_gets_no_mail(
    elsewhere: Callable[..., tuple[TestServer, Path]], settings: Settings, curator: User
) -> None:
    wants(curator, MailWhen.AT_ONCE)
    stop_a_job()
    look_what_waits()
    for offers_tls in (False, True):
        server, _ = elsewhere(offers_tls=offers_tls)
        settings.MAIL_SERVER = server.settings(user="crux", password="p@ss", has_tls=not offers_tls)

        with pytest.raises(MailRefusedError, match=ssl.SSLCertVerificationError.__name__):
            mail_what_waits()

        assert (server.signed_in, server.mails) == ([], [])


def test_a_password_is_never_sent_unencrypted_to_another_host(
    elsewhere: Callable[..., tuple[TestServer, Path]], settings: Settings, curator: User
) -> None:
    wants(curator, MailWhen.AT_ONCE)
    stop_a_job()
    look_what_waits()
    server, _ = elsewhere(has_tls=False)
    settings.MAIL_SERVER = server.settings(user="crux", password="p@ss")

    with pytest.raises(MailRefusedError, match="SMTPNotSupportedError"):
        mail_what_waits()

    assert (server.signed_in, server.mails) == ([], [])


def test_without_a_server_nothing_is_tried(curator: User) -> None:
    wants(curator, MailWhen.AT_ONCE)
    stop_a_job()
    look_what_waits()

    mail_what_waits()

    assert Notice.objects.get().mailed_at is None
