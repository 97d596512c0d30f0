"""Bringing a file in by the pages."""

from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import User
from apps.accounts.rules import Role
from apps.facts.tasks import run_import_job
from apps.jobs.rules import Lane
from apps.jobs.runs import run_queued
from cruxstore.door import Store
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.records import Store as StoreOne
from tests.conftest import MakePerson
from tests.facts.journals import make_fact
from tests.pages.conftest import SignIn

IMPORTS = "/t/default/imports/"
MEMORY = b"""{"type":"entity","name":"Harbour","entityType":"project","observations":["Started","Lead is Ines"]}
not json
"""


def upload(browser: Client, data: bytes, name: str = "memory.jsonl") -> str:
    """Uploads a file and answers the address that the page leads to."""
    answer = browser.post(f"{IMPORTS}new/", {"file": SimpleUploadedFile(name, data), "form": "auto"})
    assert answer.status_code == 302, answer.text
    return str(answer["Location"])


def test_a_preview_says_what_would_be_stored_and_what_cannot_be_read(as_curator: Client) -> None:
    page = as_curator.get(upload(as_curator, MEMORY)).text

    assert "2 facts would be stored" in page
    assert "Lead is Ines" in page
    assert "1 line cannot be read" in page
    assert "Store 2 facts" in page


def test_a_preview_stores_nothing(as_curator: Client) -> None:
    upload(as_curator, MEMORY)

    assert "Nothing stored yet" in as_curator.get("/t/default/facts/").text


def test_an_import_can_be_followed_looked_at_and_taken_back(as_curator: Client) -> None:
    started = as_curator.post(upload(as_curator, MEMORY))
    address = started["Location"]
    running = as_curator.get(address).text
    run_queued(Lane.LONG, {"import": run_import_job})
    finished = as_curator.get(address).text
    asked = as_curator.get(f"{address}take-back/").text
    taken_back = as_curator.post(f"{address}take-back/", follow=True).text

    assert 'hx-trigger="every 2s"' in running
    assert 'hx-trigger="every 2s"' not in finished
    assert "Lead is Ines" in finished
    assert "Take 2 facts back?" in asked
    assert "All of it was taken back" in taken_back
    assert "Lead is Ines" not in as_curator.get("/t/default/facts/").text


def test_a_file_that_is_no_memory_is_refused_at_the_form(as_curator: Client) -> None:
    answer = as_curator.post(f"{IMPORTS}new/", {"file": SimpleUploadedFile("a.bin", b"\x00\x01"), "form": "auto"})

    assert answer.status_code == 422
    assert "Nothing was kept" in answer.text
    assert 'aria-invalid="true"' in answer.text


def test_without_a_file_the_form_says_so(as_curator: Client) -> None:
    answer = as_curator.post(f"{IMPORTS}new/", {"form": "auto"})

    assert answer.status_code == 422
    assert "Choose a file" in answer.text


def test_a_viewer_brings_nothing_in(as_viewer: Client) -> None:
    assert as_viewer.get(f"{IMPORTS}new/").status_code == 403
    assert "Bring memory in" not in as_viewer.get(IMPORTS).text


def test_an_import_of_another_tenant_does_not_exist(as_curator: Client, as_stranger: Client) -> None:
    address = as_curator.post(upload(as_curator, MEMORY))["Location"]

    assert as_stranger.get(address.replace("/t/default/", "/t/acme/")).status_code == 404


def test_a_file_that_cannot_be_read_is_not_kept(store: Store, as_curator: Client) -> None:
    answer = as_curator.post(f"{IMPORTS}new/", {"file": SimpleUploadedFile("x.bin", b"\x00\x01"), "form": "auto"})

    assert answer.status_code == 422
    assert not (store.data_dir / "uploads").exists() or not list((store.data_dir / "uploads").iterdir())


def test_what_is_in_a_file_is_for_who_brought_it(as_curator: Client, make_person: MakePerson, sign_in: SignIn) -> None:
    address = upload(as_curator, MEMORY)
    colleague = sign_in(make_person("colleague", Role.CURATOR))

    assert colleague.get(address).status_code == 404
    assert colleague.post(address).status_code == 404
    assert as_curator.get(address).status_code == 200


def test_the_file_of_a_private_fact_is_told_to_nobody_who_may_not_read_it(
    store: Store, as_curator: Client, officer: User, sign_in: SignIn
) -> None:
    extra = b'"_import":{"id":"i_7","line":12}'
    fact = make_fact(1, "a secret", entity="plan:x", private=True, extra=extra)
    with store.journal_path.open("ab") as journal:
        journal.write(encode_operation(StoreOne(fact)) + b"\n")

    assert "0 of 1 facts" in as_curator.get("/t/default/facts/?import=i_7").text
    assert "plan:x" in sign_in(officer).get("/t/default/facts/?import=i_7").text


def test_nothing_is_brought_into_a_journal_that_is_only_read(
    store: Store, curator: User, sign_in: SignIn, settings: Settings, tmp_path: Path
) -> None:
    address = upload(sign_in(curator), MEMORY)
    before = store.ledger_path.read_bytes()
    settings.OBSERVED_JOURNAL = tmp_path / "facts.jsonl"
    browser = sign_in(curator)

    for path in (address, f"{IMPORTS}new/"):
        answer = browser.post(path, {"file": SimpleUploadedFile("m.jsonl", MEMORY), "form": "auto"})

        assert answer.status_code == 409, path
        assert "journal_not_ours" in answer.text
    assert store.ledger_path.read_bytes() == before
