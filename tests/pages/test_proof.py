"""The page that proves the ledger: a checkpoint to keep, a check of all files, and bundles for strangers."""

from pathlib import Path

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.facts.projector import bring_up_to_date
from cruxstore.door import Store
from cruxstore.ledger.notes import PublicKey, decode_checkpoint
from cruxstore.ledger.signing import named_key
from cruxstore.proving import verify_bundle
from cruxstore.verification import Verdict
from tests.cruxstore.stores import events_of
from tests.pages.conftest import SignIn, StateFact

PROOF = "/store/proof/"
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


def test_an_intact_store_is_called_so_with_its_counts(as_operator: Client, store: Store) -> None:
    page = as_operator.post(PROOF).content.decode()

    count = len(events_of(store))
    assert "</svg>Intact</span>" in page
    assert f"{count}, {count} of them signed" in page
    assert noted_key(store).fingerprint in page


def test_nothing_is_called_intact_before_it_was_checked(as_operator: Client) -> None:
    page = as_operator.get(PROOF).content.decode()

    assert "Intact" not in page
    assert "Verify now" in page


def test_a_changed_byte_is_named_with_its_place(as_operator: Client, store: Store) -> None:
    content = store.journal_path.read_bytes()
    store.journal_path.write_bytes(content.replace(b'"value":"shut"', b'"value":"shot"'))

    page = as_operator.post(PROOF).content.decode()

    assert "</svg>Broken at 2</span>" in page
    assert "facts.jsonl, line 2, byte" in page
    assert "</svg>Intact" not in page


def test_what_could_not_be_checked_is_not_called_intact(as_operator: Client, store: Store) -> None:
    (store.data_dir / "keys" / "journal-1.key").unlink()

    page = as_operator.post(PROOF).content.decode()

    assert "</svg>Could not check</span>" in page
    assert "</svg>Intact" not in page


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

    answers = [browser.get(PROOF), browser.post(PROOF), browser.get(CHECKPOINT), browser.get(BUNDLE, {"first": "1"})]

    assert [answer.status_code for answer in answers] == [403] * 4


def test_the_ledgers_page_leads_an_operator_there(as_operator: Client, officer: User, sign_in: SignIn) -> None:
    assert PROOF in as_operator.get("/t/default/ledger/").content.decode()
    assert PROOF not in sign_in(officer).get("/t/default/ledger/").content.decode()
    assert PROOF in as_operator.get("/store/").content.decode()
