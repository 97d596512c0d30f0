"""The page that proves the ledger: a checkpoint to keep, a check of all files, and bundles for strangers."""

import json
from pathlib import Path

import pytest
from django.test import Client

from apps.accounts.actions import SYSTEM
from apps.accounts.models import User
from apps.facts.projector import bring_up_to_date
from apps.facts.tasks import run_verification_job
from apps.jobs.models import Job
from apps.jobs.rules import Lane
from apps.jobs.runs import JobRun, run_queued
from cruxstore.door import Store
from cruxstore.ledger.checkpoint import Dailies, Slots
from cruxstore.ledger.events import Action
from cruxstore.ledger.notes import PublicKey, decode_checkpoint
from cruxstore.ledger.signing import named_key
from cruxstore.proving import verify_bundle
from cruxstore.verification import Verdict
from tests.cruxstore.stores import adopted_store, events_of, lead, put
from tests.pages.conftest import SignIn, StateFact

PROOF = "/store/proof/"
VERIFY = f"{PROOF}verify/"
CHECKPOINT = f"{PROOF}checkpoint/"
BUNDLE = f"{PROOF}bundle/"


@pytest.fixture(autouse=True)
def _filled(state_fact: StateFact) -> None:
    for value in ("open", "shut"):
        state_fact("service:checkout", "gate", value)


def noted_key(store: Store) -> PublicKey:
    """The key as somebody noted it on the first day."""
    return next(named_key(event) for event in events_of(store) if event.key is not None)


def test_it_shows_the_head_and_the_newest_checkpoint(as_operator: Client, store: Store) -> None:
    newest = events_of(store)[-1]

    page = as_operator.get(PROOF).content.decode()

    assert f"Head: event {newest.seq}" in page
    assert f"Checkpoint of {newest.seq} events" in page
    assert store.ledger_path.read_bytes().splitlines()[-1].decode() not in page


def test_a_checkpoint_is_downloaded_as_it_was_signed(as_operator: Client, store: Store) -> None:
    answer = as_operator.get(CHECKPOINT)

    kept = decode_checkpoint(answer.content)
    assert kept.note is not None
    kept.note.check(noted_key(store))
    assert kept.events == len(events_of(store))
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="checkpoint-{kept.events}.txt"'


def test_without_a_checkpoint_there_is_none_to_download(as_operator: Client, store: Store) -> None:
    (store.data_dir / "checkpoint").unlink()

    assert as_operator.get(CHECKPOINT).status_code == 404
    assert "No signed checkpoint" in as_operator.get(PROOF).content.decode()


def run_verification() -> Job:
    """Lets a worker do what is queued."""
    run_queued(Lane.LONG, {"verification": run_verification_job})
    return Job.objects.latest("number")


def verified(browser: Client, **asked: str) -> str:
    """The page after a check."""
    answer = browser.post(VERIFY, asked)
    assert answer.headers["Location"] == PROOF
    run_verification()
    return browser.get(PROOF).text


def test_an_intact_store_is_called_so_with_its_counts(as_operator: Client, store: Store) -> None:
    page = verified(as_operator)

    count = len(events_of(store))
    assert "</svg>Intact</span>" in page
    assert f"{count}, {count} of them signed" in page
    assert noted_key(store).fingerprint in page


def test_nothing_is_called_intact_before_it_was_checked(as_operator: Client) -> None:
    before = as_operator.get(PROOF).text
    waiting = as_operator.post(VERIFY, follow=True).text

    assert "Intact" not in before + waiting
    assert "Verify now" in before
    assert "All files are being checked" in waiting
    assert 'hx-trigger="every 2s"' in waiting


def test_the_page_asks_again_until_the_check_has_ended(as_operator: Client) -> None:
    as_operator.post(VERIFY)
    waiting = as_operator.get(PROOF, headers={"HX-Request": "true"}).text
    run_verification()
    ended = as_operator.get(PROOF, headers={"HX-Request": "true"}).text

    assert waiting.startswith('<section class="part" id="verification"')
    assert 'hx-trigger="every 2s"' in waiting
    assert "hx-trigger" not in ended
    assert "</svg>Intact</span>" in ended
    assert "the record is intact" in ended
    job = Job.objects.get(kind="verification")
    assert job.done == job.total > 0


def test_one_check_at_a_time(as_operator: Client) -> None:
    for _ in range(2):
        assert as_operator.post(VERIFY).status_code == 302

    assert Job.objects.filter(kind="verification").count() == 1


def test_what_is_kept_of_a_check_is_counts_and_the_first_fault_without_content(
    as_operator: Client, store: Store
) -> None:
    content = store.journal_path.read_bytes()
    store.journal_path.write_bytes(content.replace(b'"value":"shut"', b'"value":"shot"'))

    page = verified(as_operator)

    job = Job.objects.get(kind="verification")
    fault = job.checkpoint["fault"]
    assert (fault["file"], fault["line"]) == ("facts.jsonl", 2)
    assert fault["byte"] == len(content.splitlines(keepends=True)[0])
    assert len(fault["expected"]) == len(fault["found"]) == 64
    assert 0 < job.counts["events"] <= len(events_of(store))
    assert job.counts["lines"] == 1
    assert "shot" not in json.dumps([job.checkpoint, job.arguments, job.counts])
    assert "</svg>Broken at 2</span>" in page
    assert f"facts.jsonl, line 2, byte {fault['byte']:,}" in page
    assert fault["expected"] in page
    assert "</svg>Intact" not in page


def test_what_could_not_be_checked_is_not_called_intact(as_operator: Client, store: Store) -> None:
    (store.data_dir / "keys" / "journal-1.key").unlink()

    page = verified(as_operator)

    assert "</svg>Could not check</span>" in page
    assert "</svg>Intact" not in page


def test_a_check_that_is_cancelled_comes_to_nothing(as_operator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cruxstore.verifying._TOLD_LINES", 0)
    as_operator.post(VERIFY)

    def cancel_midway(run: JobRun) -> None:
        as_operator.post(f"{VERIFY}cancel/")
        run_verification_job(run)

    run_queued(Lane.LONG, {"verification": cancel_midway})

    page = as_operator.get(PROOF).text
    job = Job.objects.get(kind="verification")
    assert (job.state, job.checkpoint) == ("cancelled", {})
    assert "Cancelled" in page
    assert "could not be checked" not in page
    assert "Verify now" in page


def test_where_nothing_is_checked_nothing_is_cancelled(as_operator: Client) -> None:
    assert as_operator.post(f"{VERIFY}cancel/").status_code == 409
    verified(as_operator)
    assert as_operator.post(f"{VERIFY}cancel/").status_code == 409


@pytest.fixture
def day(store: Store) -> str:
    """A day of which the checkpoint is kept, and after which something was written."""
    newest = Slots(store.data_dir / "checkpoint").newest()
    assert newest is not None
    Dailies(store.data_dir / "checkpoints").keep(newest)
    with store.writing() as door:
        door.record(SYSTEM, "default", Action.IMPORT_STARTED, subjects=("i_1",))
    return newest.time[:10]


def test_the_checkpoints_of_earlier_days_are_listed_and_downloaded(as_operator: Client, store: Store, day: str) -> None:
    page, answer = as_operator.get(PROOF).text, as_operator.get(f"{PROOF}checkpoints/{day}/")

    kept = decode_checkpoint(answer.content)
    assert kept.note is not None
    kept.note.check(noted_key(store))
    assert kept.events == len(events_of(store)) - 1
    assert f'aria-label="Download the checkpoint of {day}"' in page
    assert answer.headers["Content-Disposition"] == f'attachment; filename="checkpoint-{day}.txt"'
    assert as_operator.get(f"{PROOF}checkpoints/2001-01-01/").status_code == 404
    assert as_operator.get(f"{PROOF}checkpoints/given-up-{day}/").status_code == 404


def test_a_check_since_a_day_shows_its_ledger_to_be_the_beginning(as_operator: Client, store: Store, day: str) -> None:
    page = verified(as_operator, since=day)

    count = len(events_of(store)) - 1
    assert f"{day}: its {count} events are the beginning of this ledger" in page
    assert as_operator.post(VERIFY, {"since": "2001-01-01"}).status_code == 404


def test_a_check_since_a_day_finds_what_was_written_anew(
    as_operator: Client, store: Store, tmp_path: Path, day: str
) -> None:
    path = store.data_dir / "checkpoints" / day
    other = adopted_store(tmp_path / "other")
    put(other, lead("Ana"))
    newest = Slots(other.data_dir / "checkpoint").newest()
    assert newest is not None
    assert newest.note is not None
    path.write_bytes(newest.note.encode())

    page = verified(as_operator, since=day)

    assert "</svg>Intact" not in page
    assert "the beginning of this ledger" not in page


def test_many_days_come_on_several_pages(as_operator: Client, store: Store, day: str) -> None:
    content = (store.data_dir / "checkpoints" / day).read_bytes()
    for number in range(40):
        (store.data_dir / "checkpoints" / f"20{number:02}-01-01").write_bytes(content)

    first = as_operator.get(PROOF)
    before = first.context["kept"].before
    second = as_operator.get(PROOF, {"before": before})

    days = [row.day for page in (first, second) for row in page.context["kept"].rows]
    assert days == sorted(days, reverse=True)
    assert len(set(days)) == 41
    assert second.context["kept"].before == ""


def test_a_kept_checkpoint_that_cannot_be_read_is_said_to_be_so(as_operator: Client, store: Store, day: str) -> None:
    (store.data_dir / "checkpoints" / day).write_bytes(b"nothing")

    page = as_operator.get(PROOF).text
    as_operator.post(VERIFY, {"since": day})

    assert "Cannot be read" in page
    assert run_verification().state == "failed"
    assert "Nothing was found out" in as_operator.get(PROOF).text


def test_a_bundle_of_events_proves_itself_to_who_noted_the_key(
    as_operator: Client, store: Store, tmp_path: Path
) -> None:
    answer = as_operator.get(BUNDLE, {"first": "2", "last": "3"})

    (tmp_path / "bundle").write_bytes(answer.content)
    found = verify_bundle(tmp_path / "bundle", noted_key(store))
    assert (found.verdict, found.first, found.last) == (Verdict.INTACT, 2, 3)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="ledger-2-3.json"'


def test_a_bundle_of_a_time_holds_all_from_its_first_to_its_last_event(
    as_operator: Client, store: Store, tmp_path: Path
) -> None:
    bring_up_to_date(store, now_ns=1, limit=None)

    answer = as_operator.get(BUNDLE, {"since": "2020-01-01", "until": "2100-01-01 09:00"})

    (tmp_path / "bundle").write_bytes(answer.content)
    found = verify_bundle(tmp_path / "bundle", noted_key(store))
    assert (found.verdict, found.first, found.last) == (Verdict.INTACT, 1, len(events_of(store)))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "by their numbers, or by a time"),
        ({"first": "1", "since": "2020-01-01"}, "by their numbers, or by a time"),
        ({"last": "2"}, "Say where the events begin"),
        ({"first": "x"}, "First event"),
        ({"first": "0"}, "First event"),
        ({"first": "3", "last": "2"}, "covers the events 1 to"),
        ({"first": "1", "last": "9000"}, "covers the events 1 to"),
        ({"first": "1", "last": "10001"}, "These are 10,001 events"),
        ({"since": "yesterday"}, "From"),
        ({"since": "2100-01-01"}, "Nothing was decided in this time"),
    ],
)
def test_what_cannot_be_exported_is_said(as_operator: Client, asked: dict[str, str], said: str) -> None:
    answer = as_operator.get(BUNDLE, asked)

    assert answer.status_code == 422
    assert "Content-Disposition" not in answer.headers
    assert said in answer.content.decode().partition('role="alert"')[2].partition("</ul>")[0]


TENANTS_BUNDLE = "/t/default/ledger/bundle/"


@pytest.fixture
def _shared(store: Store, officer: User) -> None:
    """Events of another tenant and of the store between those of default."""
    with store.writing() as door:
        door.record(SYSTEM, "acme", Action.IMPORT_STARTED, subjects=("acme-only",))
        door.record(SYSTEM, "default", Action.IMPORT_STARTED, subjects=("i_1",))


def own_events(store: Store, tenant: str) -> list[int]:
    return [event.seq for event in events_of(store) if event.tenant == tenant]


@pytest.mark.usefixtures("_shared")
def test_an_officer_exports_the_tenants_events_alone(
    store: Store, officer: User, sign_in: SignIn, tmp_path: Path
) -> None:
    asked = {"since": "2020-01-01", "until": "2100-01-01"}

    answer = sign_in(officer).get(TENANTS_BUNDLE, asked)
    others = sign_in(officer).get(TENANTS_BUNDLE, asked | {"tenant": "acme"})

    (tmp_path / "bundle").write_bytes(answer.content)
    found, own = verify_bundle(tmp_path / "bundle", noted_key(store)), own_events(store, "default")
    assert (found.verdict, found.tenant, found.events) == (Verdict.INTACT, "default", len(own))
    assert (found.first, found.last) == (own[0], own[-1])
    assert b"acme-only" not in answer.content
    assert others.status_code == 422
    assert answer.headers["Content-Disposition"] == f'attachment; filename="tenant-ledger-{own[0]}-{own[-1]}.json"'


@pytest.mark.usefixtures("_shared")
def test_an_officer_exports_some_events_by_their_numbers(
    store: Store, officer: User, sign_in: SignIn, tmp_path: Path
) -> None:
    own = own_events(store, "default")

    answer = sign_in(officer).get(TENANTS_BUNDLE, {"first": str(own[-2]), "last": str(own[-1])})

    (tmp_path / "bundle").write_bytes(answer.content)
    found = verify_bundle(tmp_path / "bundle", noted_key(store))
    assert (found.verdict, found.first, found.last, found.events) == (Verdict.INTACT, own[-2], own[-1], 2)
    acmes = own_events(store, "acme")[-1]
    refused = sign_in(officer).get(TENANTS_BUNDLE, {"first": str(acmes)})
    assert refused.status_code == 422
    assert "Nothing was decided there" in refused.text


@pytest.mark.usefixtures("_shared")
def test_an_operator_exports_one_tenant_alone(as_operator: Client, store: Store, tmp_path: Path) -> None:
    answer = as_operator.get(BUNDLE, {"since": "2020-01-01", "tenant": "acme"})

    (tmp_path / "bundle").write_bytes(answer.content)
    found = verify_bundle(tmp_path / "bundle", noted_key(store))
    assert (found.verdict, found.tenant, found.events) == (Verdict.INTACT, "acme", len(own_events(store, "acme")))
    assert as_operator.get(BUNDLE, {"since": "2020-01-01", "tenant": "nowhere"}).status_code == 422


def test_a_bundle_since_a_day_shows_its_ledger_to_be_the_beginning(
    as_operator: Client, officer: User, sign_in: SignIn, store: Store, day: str, tmp_path: Path
) -> None:
    # the officer came after that day
    for browser, address in ((as_operator, BUNDLE), (sign_in(officer), TENANTS_BUNDLE)):
        answer = browser.get(address, {"since": "2020-01-01", "earlier": day})
        (tmp_path / "bundle").write_bytes(answer.content)

        found = verify_bundle(tmp_path / "bundle", noted_key(store))

        kept = decode_checkpoint((store.data_dir / "checkpoints" / day).read_bytes())
        assert (found.verdict, found.since) == (Verdict.INTACT, kept.events)
        for wrong in ("2001-01-01", "yesterday", "../checkpoint"):
            refused = browser.get(address, {"since": "2020-01-01", "earlier": wrong})
            assert refused.status_code == 422
            assert "Earlier checkpoint" in refused.text.partition('role="alert"')[2].partition("</ul>")[0]


def test_too_many_events_of_a_tenant_are_refused(as_operator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.facts.queries.proof.MOST_EVENTS", 2)

    answer = as_operator.get(TENANTS_BUNDLE, {"since": "2020-01-01"})

    assert answer.status_code == 422
    assert "more than 2 events" in answer.text


def test_an_event_of_a_tenant_that_is_not_signed_yet_is_not_exported(
    as_operator: Client, store: Store, day: str
) -> None:
    checkpoint = (store.data_dir / "checkpoints" / day).read_bytes()
    slots = Slots(store.data_dir / "checkpoint")
    slots.start_from(decode_checkpoint(checkpoint))

    answer = as_operator.get(TENANTS_BUNDLE, {"since": "2020-01-01"})

    assert answer.status_code == 422
    assert "is not signed yet" in answer.text


def test_the_page_of_a_tenants_bundle_shows_the_key_to_note(
    officer: User, curator: User, sign_in: SignIn, store: Store, as_operator: Client
) -> None:
    page = sign_in(officer).get(TENANTS_BUNDLE)

    assert page.status_code == 200
    assert noted_key(store).fingerprint in page.text
    assert noted_key(store).fingerprint in as_operator.get(PROOF).text
    assert TENANTS_BUNDLE in sign_in(officer).get("/t/default/ledger/").text
    assert sign_in(curator).get(TENANTS_BUNDLE).status_code == 403
    for path in (store.data_dir / "keys").glob("ledger-*"):
        path.write_bytes(b"no key")
    assert "No key signs yet" in sign_in(officer).get(TENANTS_BUNDLE).text
    assert as_operator.get(PROOF).status_code == 200


def test_a_ledger_that_was_changed_is_not_exported(as_operator: Client, store: Store) -> None:
    content = store.ledger_path.read_bytes()
    store.ledger_path.write_bytes(content.replace(b'"kind":"agent"', b'"kind":"agenT"', 1))

    answer = as_operator.get(BUNDLE, {"first": "1", "last": "2"})

    assert answer.status_code == 422
    assert "is not the one that the checkpoint covers" in answer.content.decode()


@pytest.mark.parametrize("role", ["viewer", "curator", "officer"])
def test_it_is_for_operators(role: str, request: pytest.FixtureRequest, sign_in: SignIn) -> None:
    person: User = request.getfixturevalue(role)
    browser = sign_in(person)

    answers = [
        browser.get(PROOF),
        browser.post(VERIFY),
        browser.post(f"{VERIFY}cancel/"),
        browser.get(CHECKPOINT),
        browser.get(f"{PROOF}checkpoints/2026-01-01/"),
        browser.get(BUNDLE, {"first": "1"}),
    ]

    assert [answer.status_code for answer in answers] == [403] * 6
    assert not Job.objects.exists()


def test_the_ledgers_page_leads_an_operator_there(as_operator: Client, officer: User, sign_in: SignIn) -> None:
    assert PROOF in as_operator.get("/t/default/ledger/").content.decode()
    assert PROOF not in sign_in(officer).get("/t/default/ledger/").content.decode()
    assert PROOF in as_operator.get("/store/").content.decode()
