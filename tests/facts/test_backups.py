"""Backup and restore of the whole site: the same people can do the same, and the same facts are answered."""

import io
import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from apps.accounts.models import LedgerCursor, Person, RoleGrant, Tenant, User
from apps.accounts.rules import Role
from apps.facts.models import IndexedFact, SavedView, Upload
from apps.facts.projector import bring_up_to_date
from apps.store import open_store
from cruxstore.backups.making import back_up
from cruxstore.door import NewFact, Store
from cruxstore.errors import StoreBrokenError
from cruxstore.ledger.events import Actor
from cruxstore.replayed import read_state
from tests.conftest import MakePerson
from tests.people import principal

ANA = Actor(kind="person", id="p_ana")
NOW_NS = 1_764_493_920_000_000_000


def run(name: str, *options: object) -> str:
    out = io.StringIO()
    call_command(name, *map(str, options), stdout=out)
    return out.getvalue()


def answers() -> list[tuple[object, ...]]:
    rows = IndexedFact.objects.order_by("fact_id")
    return list(rows.values_list("fact_id", "entity", "key", "version", "line_no", "superseded_by", "effective"))


def put(store: Store, value: str) -> None:
    with store.writing() as door:
        door.store_facts(ANA, "default", [NewFact("team:a", "lead", value)], view=read_state(store))


@pytest.fixture
def filled(store: Store, make_person: MakePerson) -> Store:
    """A store with facts, a curator who is also operator, their saved view and an upload."""
    ana = make_person("ana", Role.CURATOR, Role.OPERATOR)
    for value in ("Ben", "Cem"):
        put(store, value)
    SavedView.objects.create(tenant="default", person_id=ana.person_id, name="Mine", query="q=lead")
    Upload.objects.create(
        tenant="default",
        digest="a1b2",
        file_name="memory.json",
        size_bytes=2,
        uploaded_by=ana.person_id,
        uploaded_at="2026-11-30T09:12:00Z",
    )
    (store.data_dir / "uploads").mkdir()
    (store.data_dir / "uploads" / "a1b2").write_bytes(b"{}")
    bring_up_to_date(store, now_ns=NOW_NS, limit=None)
    return store


@pytest.fixture
def move_away(settings: Settings, tmp_path: Path) -> Callable[[], Path]:
    """Starts anew: another, empty data folder, and nothing in the database that a restore has to bring."""

    def move() -> Path:
        settings.DATA_DIR = tmp_path / "another"
        settings.DATA_DIR.mkdir()
        for model in (User, SavedView, Upload, Person, Tenant, RoleGrant, LedgerCursor):
            model._default_manager.all().delete()
        return tmp_path / "another"

    return move


def test_a_restored_site_answers_the_same_to_the_same_people(
    filled: Store, tmp_path: Path, move_away: Callable[[], Path]
) -> None:
    ana, facts = User.objects.get(username="ana"), answers()
    rights = principal(ana)
    said = run("backup", tmp_path / "backup")

    another = move_away()
    words = run("restore", tmp_path / "backup")

    again = User.objects.get(username="ana")
    assert "The copy was verified" in said
    assert "Restored and verified" in words
    assert again.check_password("ana-test-1")
    assert again.joined_at == ana.joined_at
    assert principal(again) == rights
    assert SavedView.objects.get().query == "q=lead"
    assert Upload.objects.get().file_name == "memory.json"
    assert (another / "uploads" / "a1b2").read_bytes() == b"{}"
    assert len(facts) == 2
    assert answers() == facts
    assert run("verify_store").endswith("Intact.\n")


def test_passwords_do_not_stand_in_a_backup_but_their_hashes_do(filled: Store, tmp_path: Path) -> None:
    run("backup", tmp_path / "backup")

    tables = tmp_path / "backup" / "database.jsonl"
    rows = [json.loads(line) for line in tables.read_text().splitlines()]
    assert tables.stat().st_mode & 0o777 == 0o600
    assert "ana-test-1" not in tables.read_text()
    assert [row["model"] for row in rows] == ["accounts.user", "facts.savedview", "facts.upload"]


def test_an_older_backup_is_only_read_until_its_loss_is_accepted(
    filled: Store, tmp_path: Path, move_away: Callable[[], Path]
) -> None:
    run("backup", tmp_path / "backup")
    put(filled, "Dan")
    known = shutil.copy(filled.data_dir / "checkpoint", tmp_path / "known")
    move_away()

    words = run("restore", tmp_path / "backup", "--since", known)

    assert "The store is only read" in words
    assert User.objects.filter(username="ana").exists()
    assert len(answers()) == 2
    with pytest.raises(StoreBrokenError):
        put(open_store(), "Eve")

    accepted = run("restore", tmp_path / "backup", "--accept-loss", "The disk burnt")

    assert "the loss was accepted" in accepted
    put(open_store(), "Eve")
    assert run("verify_store").endswith("Intact.\n")


def test_a_site_in_use_is_not_restored_over(filled: Store, tmp_path: Path) -> None:
    run("backup", tmp_path / "backup")

    with pytest.raises(CommandError, match="restore_refused"):
        run("restore", tmp_path / "backup")

    assert User.objects.filter(username="ana").exists()
    assert run("verify_store").endswith("Intact.\n")


def test_an_empty_folder_beside_a_database_in_use_is_refused_and_stays_empty(
    filled: Store, tmp_path: Path, settings: Settings
) -> None:
    run("backup", tmp_path / "backup")
    settings.DATA_DIR = tmp_path / "another"
    settings.DATA_DIR.mkdir()

    with pytest.raises(CommandError, match="sign-ins already"):
        run("restore", tmp_path / "backup")

    assert list(settings.DATA_DIR.iterdir()) == []


def test_a_full_folder_is_not_backed_up_into(filled: Store, tmp_path: Path) -> None:
    (tmp_path / "backup").mkdir()
    (tmp_path / "backup" / "letter").write_text("mine")

    with pytest.raises(CommandError, match="backup_refused"):
        run("backup", tmp_path / "backup")

    assert [path.name for path in (tmp_path / "backup").iterdir()] == ["letter"]


def test_a_damaged_backup_is_named_and_nothing_is_restored(
    filled: Store, tmp_path: Path, move_away: Callable[[], Path]
) -> None:
    run("backup", tmp_path / "backup", "--json")
    with (tmp_path / "backup" / "facts.jsonl").open("r+b") as file:
        file.write(b"#")
    another = move_away()

    with pytest.raises(CommandError, match=r"facts\.jsonl"):
        run("restore", tmp_path / "backup")

    assert list(another.iterdir()) == []
    assert not User.objects.exists()


def test_rows_that_belong_to_no_backup_are_not_loaded(
    filled: Store, tmp_path: Path, move_away: Callable[[], Path]
) -> None:
    row = b'{"model":"accounts.rolegrant","pk":9,"fields":{"person_id":"p_eve","tenant":"","role":"operator"}}\n'
    back_up(filled, tmp_path / "backup", tables=row, at=datetime(2026, 11, 30, tzinfo=UTC))
    move_away()

    with pytest.raises(CommandError, match="belong to no backup"):
        run("restore", tmp_path / "backup")

    assert not RoleGrant.objects.exists()
    with pytest.raises(StoreBrokenError):
        put(open_store(), "Eve")
