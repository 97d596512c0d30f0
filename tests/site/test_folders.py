"""Folders of the programs before open in this one; one of a program to come is refused by every process."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cruxstore.facts.journal import replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.folder import FOLDER_FORMAT

pytestmark = pytest.mark.services

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(path for path in (ROOT / "tests/data/folders").iterdir() if path.is_dir())

LOOK = """
import json
from django.test import Client
from apps.accounts.actions import SYSTEM
from apps.facts.acting import acting
from apps.facts.models import IndexedFact
from apps.store import open_store
from cruxstore.newfacts import NewFact

browser = Client(SERVER_NAME="127.0.0.1")
assert browser.post("/sign-in/", {"login": "ana", "password": "ana-test-1"}).status_code == 302
shown = browser.get("/t/default/facts/")
indexed = sorted(IndexedFact.objects.values_list("fact_id", flat=True))
with acting(open_store()) as (door, view):
    receipt = door.store_facts(SYSTEM, "default", [NewFact("team:new", "lead", "Ana")], view=view)
print(json.dumps({"status": shown.status_code, "indexed": indexed, "stored": receipt.fact_ids[0]}))
"""


class Site:
    """A data folder, and commands run in it as processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """A command, ended."""
        environment = os.environ | {
            "CRUXWEB_DATA_DIR": str(self.folder),
            "CRUXWEB_DEMO": "0",
            "CRUXWEB_DATABASE_URL": "",
            "CRUXWEB_REDIS_URL": "",
            "CRUXWEB_SECRET_KEY": "",
            "DJANGO_SETTINGS_MODULE": "cruxweb.settings",
        }
        return subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


@pytest.mark.parametrize("folder", FOLDERS, ids=[path.name for path in FOLDERS])
def test_a_folder_of_a_program_before_opens_and_goes_on(folder: Path, tmp_path: Path) -> None:
    site = Site(tmp_path / "data")
    shutil.copytree(folder, site.folder)
    before = sorted(replay_journal(site.folder / "facts.jsonl", PrivacyPolicy()).state.facts)

    prepared = site.run("manage.py", "prepare")
    looked = site.run("-c", f"import django\ndjango.setup()\n{LOOK}")
    verified = site.run("manage.py", "verify_store")

    assert prepared.returncode == 0, prepared.stderr
    assert looked.returncode == 0, looked.stderr
    seen = json.loads(looked.stdout)
    assert (seen["status"], seen["indexed"]) == (200, before)
    assert seen["stored"].encode() in (site.folder / "facts.jsonl").read_bytes().splitlines()[-1]
    assert (verified.returncode, verified.stdout.splitlines()[-1]) == (0, "Intact."), verified.stderr
    assert json.loads((site.folder / "instance.json").read_bytes())["format"] == FOLDER_FORMAT


@pytest.mark.parametrize(
    "command",
    [
        ("manage.py", "prepare"),
        ("manage.py", "serve"),
        ("manage.py", "verify_store"),
        ("manage.py", "create_tenant", "sea"),
        ("-m", "gunicorn", "cruxweb.wsgi:application", "--bind", "127.0.0.1:0", "--log-level", "critical"),
        ("-m", "cruxstore", "verify", "{folder}"),
    ],
    ids=["prepare", "serve", "verify_store", "create_tenant", "web server", "verify"],
)
def test_a_folder_of_a_program_to_come_is_refused_and_stays_as_it_is(command: tuple[str, ...], tmp_path: Path) -> None:
    site = Site(tmp_path / "data")
    shutil.copytree(FOLDERS[-1], site.folder)
    assert site.run("manage.py", "migrate").returncode == 0
    instance = site.folder / "instance.json"
    instance.write_bytes(instance.read_bytes().replace(b'"format":%d' % FOLDER_FORMAT, b'"format":99'))
    files = [path for path in site.folder.glob("*.json*") if path.is_file()]
    before = {path: path.read_bytes() for path in files}

    ran = site.run(*(part.format(folder=site.folder) for part in command))

    assert ran.returncode != 0
    assert f"The folder {site.folder} was written by a newer program. Upgrade this one." in ran.stderr
    assert "Traceback" not in ran.stderr
    assert {path: path.read_bytes() for path in files} == before
