"""Bringing a file in by the pages."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.facts.tasks import run_import_job
from apps.jobs.rules import Lane
from apps.jobs.runs import run_queued

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
