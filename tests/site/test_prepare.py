"""Preparing fills an empty folder with the demo once, and nothing else ever."""

import fcntl
import threading
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Person, User
from apps.facts.models import Build
from apps.store import open_store


@pytest.fixture(autouse=True)
def folder(data_dir: Path, transactional_db: None, settings: Settings, tmp_path: Path) -> Path:
    """An empty data folder, and static files gathered elsewhere."""
    settings.STATIC_ROOT = tmp_path / "static"
    return data_dir


def prepare(**options: bool) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("prepare", stdout=out, **options)
    return out.getvalue()


def test_an_empty_folder_becomes_a_demo_with_its_people(folder: Path) -> None:
    said = prepare()

    assert open_store().is_demo
    assert "curator-demo" in said
    assert Client().login(username="curator", password="curator-demo")
    build = Build.objects.get()
    assert build.offset == (folder / "facts.jsonl").stat().st_size
    assert build.facts > 1000


def test_preparing_again_changes_no_file_of_ours(folder: Path) -> None:
    prepare()
    before = {name: (folder / name).read_bytes() for name in ("facts.jsonl", "ledger.jsonl", "texts.jsonl")}

    prepare()

    assert {name: (folder / name).read_bytes() for name in before} == before
    assert User.objects.count() == 7


def test_a_demo_that_was_cut_short_is_finished(folder: Path) -> None:
    prepare()
    User.objects.filter(username="viewer").delete()

    prepare()

    assert Client().login(username="viewer", password="viewer-demo")
    assert Person.objects.count() == 7


def test_a_folder_with_a_journal_is_no_demo(folder: Path) -> None:
    (folder / "facts.jsonl").write_bytes(b"")

    said = prepare()

    assert not open_store().is_demo
    assert not User.objects.exists()
    assert "/set-up/" in said


def test_without_the_demo_an_empty_folder_stays_empty(folder: Path, settings: Settings) -> None:
    settings.DEMO = False

    said = prepare()

    assert not open_store().is_demo
    assert "/set-up/" in said
    assert (folder / "facts.jsonl").read_bytes() == b""


def test_a_demo_sign_in_does_not_work_beside_another_folder(folder: Path, settings: Settings) -> None:
    prepare()
    settings.DATA_DIR = folder.parent / "other"
    open_store()
    client = Client()

    answer = client.post("/sign-in/", {"login": "curator", "password": "curator-demo"})

    assert "_auth_user_id" not in client.session
    assert answer.status_code in {200, 302}


def test_only_a_demo_folder_is_made_anew(folder: Path) -> None:
    (folder / "facts.jsonl").write_bytes(b"")
    prepare()

    with pytest.raises(CommandError, match="not a demo folder"):
        prepare(reset_demo=True)

    assert (folder / "facts.jsonl").exists()


def test_another_that_prepares_the_same_folder_is_waited_for(folder: Path) -> None:
    def prepare_beside() -> None:
        prepare()
        connection.close()

    beside = threading.Thread(target=prepare_beside)
    with (folder / ".prepare.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        beside.start()
        beside.join(0.5)

        assert beside.is_alive()
        assert [path.name for path in folder.iterdir()] == [".prepare.lock"]
    beside.join(60)

    assert open_store().is_demo
    assert User.objects.count() == 7
