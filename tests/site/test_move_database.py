"""From the file in the data folder to PostgreSQL: what is ours alone arrives as it was, the rest is made again."""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.apps import apps

from cruxweb.moving import CARRIED, MADE_AGAIN
from tests.services import PrivatePostgres

pytestmark = pytest.mark.services

ROOT = Path(__file__).parents[2]

FILL = """
import time
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from apps.accounts.actions import SYSTEM, create_person, create_tenant
from apps.accounts.actions.tokens import make_agent_token
from apps.accounts.models import OneTimeCode, OneTimeLink, TokenReads, User
from apps.accounts.rules import STORE, Role
from apps.facts.acting import acting
from apps.facts.models import SavedView, Upload
from apps.jobs.models import Job, Notice, Turn
from apps.store import open_store
from cruxstore.newfacts import NewFact

store, now = open_store(), timezone.now()
create_tenant(store, actor=SYSTEM, name="default")
user = create_person(store, actor=SYSTEM, username="ana", name="Ana", password="ana-test-1",
                     roles=[("default", Role.ADMIN), (STORE, Role.OPERATOR)])
User.objects.filter(pk=user.pk).update(time_zone="Asia/Tokyo", theme="dark", joined_at=now - timedelta(days=400))
EmailAddress.objects.create(user=user, email="ana@example.org", verified=True, primary=True)
Authenticator.objects.create(user=user, type="totp", data={"secret": "s\\0cret"})
make_agent_token(
    store, actor=SYSTEM, tenant="default", agent="bot", may_read=True, may_propose=False, days=9, now=now
)
TokenReads.objects.create(token_id="t_1", day=now.date(), reads=41)
OneTimeLink.objects.create(digest="d1", kind="reset", person_id=user.person_id, made_by="x", expires_at=now)
OneTimeCode.objects.create(digest="d2", person_id=user.person_id, expires_at=now)
SavedView.objects.create(tenant="default", person_id=user.person_id, name="v\\0", query="?q=x", is_shared=True)
Upload.objects.create(tenant="default", digest="u", file_name="f", size_bytes=1, uploaded_by="x", uploaded_at=now)
for kind in ("a", "b"):
    Job.objects.create(kind=kind, title=kind, lane="long", tenant="default", started_by="x", queued_at=now,
                       arguments={"import_id": "i_1"}, counts={"stored": 3}, checkpoint={"next": 4})
Turn.objects.create(name="t", ended_at=now)
Notice.objects.create(person_id=user.person_id, kind="dead_letter", subject="J-1", tenant="default",
                      address="/t/default/jobs/1/", since_at=now, made_at=now, seen_at=now)
browser = Client(SERVER_NAME="127.0.0.1")
assert browser.post("/sign-in/", {"login": "ana", "password": "ana-test-1"}).status_code == 302
UserSession.objects.create(user=user, session_key="k", ip="192.0.2.7", user_agent="a browser")
with acting(store) as (door, view):
    door.store_facts(SYSTEM, "default", [NewFact("team:a", f"k{n}", "v") for n in range(3)], view=view)
"""
TELL = """
import json
from django.apps import apps
from django.core import serializers
from cruxweb.moving import CARRIED
from apps.accounts.models import RoleGrant, Tenant
from apps.facts.models import IndexedFact
rows = [row for label in CARRIED for row in apps.get_model(label).objects.order_by("pk")]
print(json.dumps({
    "rows": serializers.serialize("json", rows),
    "joined": str(apps.get_model("accounts.User").objects.get().joined_at),
    "labels": sorted({row._meta.label for row in rows}),
    "roles": sorted(RoleGrant.objects.values_list("tenant", "role")),
    "tenants": sorted(Tenant.objects.values_list("name", flat=True)),
    "facts": sorted(IndexedFact.objects.values_list("entity", "key", "version")),
}))
"""


class Site:
    """A data folder, and commands run in it with or without a database elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *command: str, database: str = "") -> "subprocess.CompletedProcess[str]":
        """A command of the site, ended."""
        environment = os.environ | {
            "CRUXWEB_DATA_DIR": str(self.folder),
            "CRUXWEB_DATABASE_URL": database,
            "CRUXWEB_REDIS_URL": "",
            "CRUXWEB_DEMO": "0",
            "DJANGO_SETTINGS_MODULE": "cruxweb.settings",
        }
        return subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )

    def script(self, text: str, database: str = "") -> str:
        """What a script prints."""
        ran = self.run("-c", f"import django\ndjango.setup()\n{text}", database=database)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def move(self, database: str, *more: str) -> "subprocess.CompletedProcess[str]":
        """The command."""
        return self.run("manage.py", "move_database", *more, database=database)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site on its file with a row of every kind; nobody changes it."""
    site = Site(tmp_path_factory.mktemp("site"))
    prepared = site.run("manage.py", "prepare")
    assert prepared.returncode == 0, prepared.stderr
    site.script(FILL)
    return site


def test_every_table_is_either_carried_or_made_again() -> None:
    known = {model._meta.label for model in apps.get_models(include_auto_created=True)}

    assert known - MADE_AGAIN - set(CARRIED) == set()
    assert not MADE_AGAIN & set(CARRIED)


def test_everything_arrives_as_it_was_goes_on_and_is_never_moved_over(filled: Site, postgres: PrivatePostgres) -> None:
    database = postgres.new_database()
    before = json.loads(filled.script(TELL))

    moved = filled.move(database, "--json")

    assert moved.returncode == 0, moved.stderr
    after = json.loads(filled.script(TELL, database))
    assert after == before
    assert set(before["labels"]) == set(CARRIED)
    assert json.loads(moved.stdout)["moved"]["jobs.Job"] == 2
    assert json.loads(moved.stdout)["lines"] == len((filled.folder / "facts.jsonl").read_bytes().splitlines())
    assert before["facts"] and before["roles"]
    with psycopg.connect(database) as connection:
        known = connection.execute("SELECT reltuples FROM pg_class WHERE relname = 'facts_indexedfact'").fetchone()
    # the planner knows what has just been indexed
    assert known == (len(before["facts"]),)
    again = filled.move(database)
    assert (again.returncode, again.stderr.splitlines()[-1]) == (
        1,
        "CommandError: The database holds rows already (accounts.User). Move into an empty one. (cannot_move)",
    )
    assert json.loads(filled.script(TELL, database)) == before
    elsewhere = Site(filled.folder.with_name("elsewhere"))
    taken_over = elsewhere.run("manage.py", "prepare", database=database)
    assert taken_over.returncode == 1
    assert f", not to {elsewhere.folder}. Set CRUXWEB_DATABASE_URL to one of its own." in taken_over.stderr
    assert json.loads(filled.script(TELL, database)) == before
    prepared = filled.run("manage.py", "prepare", database=database)
    assert prepared.returncode == 0, prepared.stderr
    made = filled.script(
        "from apps.jobs.actions import enqueue\n"
        "print(enqueue('c', tenant='default', started_by='x', arguments={}).number)",
        database,
    )
    assert int(made) == 3


def test_without_a_database_to_move_to_it_says_what_to_set(filled: Site) -> None:
    ran = filled.move("")

    assert (ran.returncode, "Set CRUXWEB_DATABASE_URL" in ran.stderr) == (1, True)


def test_a_file_that_is_not_there_and_one_of_an_older_program_are_refused(
    filled: Site, postgres: PrivatePostgres, tmp_path: Path
) -> None:
    database = postgres.new_database()
    absent = filled.move(database, str(tmp_path / "absent.sqlite3"))
    (tmp_path / "older.sqlite3").touch()

    older = filled.move(database, str(tmp_path / "older.sqlite3"))

    assert (absent.returncode, "There is no file" in absent.stderr) == (1, True)
    assert (older.returncode, "is of an older program. Run prepare once" in older.stderr) == (1, True)
    assert tables_of(database) == 0


def test_a_site_that_runs_is_refused(filled: Site, postgres: PrivatePostgres) -> None:
    sign = filled.folder / "broker" / "long.alive"
    sign.parent.mkdir(parents=True, exist_ok=True)
    sign.touch()

    ran = filled.move(postgres.new_database())

    sign.unlink()
    assert (ran.returncode, "Stop the site first" in ran.stderr) == (1, True)


@pytest.mark.parametrize("command", ["move_database", "prepare"])
def test_a_database_that_orders_texts_in_another_way_is_refused(
    filled: Site, postgres: PrivatePostgres, command: str
) -> None:
    name = f"d_{secrets.token_hex(6)}"
    with psycopg.connect(postgres.address("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'".encode())

    ran = filled.run("manage.py", command, database=postgres.address(name))

    assert ran.returncode == 1
    assert "was made with locale C and encoding LATIN1. Make it anew: createdb --template=template0" in ran.stderr
    assert tables_of(postgres.address(name)) == 0


def tables_of(database: str) -> int:
    """How many tables a database has."""
    with psycopg.connect(database) as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert found is not None
    return int(found[0])
