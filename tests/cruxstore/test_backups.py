"""A backup is whole however much is written meanwhile, and the way back from it loses nothing without a word."""

import os
import shutil
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cruxstore.backups.making import Backup, back_up
from cruxstore.backups.restoring import awaits_more, plan_restore, restore
from cruxstore.door import NewFact, Store
from cruxstore.errors import BackupDamagedError, BackupRefusedError, RestoreRefusedError, StoreBrokenError
from cruxstore.ledger.events import Action, Event
from cruxstore.verifying import Verdict, verify_folder
from tests.cruxstore.stores import (
    ANA,
    START_NS,
    actions_of,
    adopted_store,
    events_of,
    lead,
    mergeable_store,
    open_store,
    put,
    told,
    values_in_use,
)

AT = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)
TABLES = b'{"user":"ana"}\n'


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with acts of many kinds, a reason, an upload and a torn tail set aside."""
    store = mergeable_store(tmp_path / "data")
    with store.writing() as door:
        door.record(ANA, "default", Action.TENANT_CREATED, text="The first one")
    (store.data_dir / "uploads").mkdir()
    (store.data_dir / "uploads" / "a1b2").write_bytes(b"brought here")
    (store.data_dir / "facts.jsonl.torn.1").write_bytes(b'{"op":')
    return store


def backup_of(store: Store, into: Path) -> Backup:
    return back_up(store, into, tables=TABLES, at=AT)


def restored(source: Path, data_dir: Path, *, since: Path | None = None, accepted: str = "") -> Event | None:
    plan = plan_restore(source, data_dir, since=since, accepted=accepted)
    return restore(plan, actor=ANA, now_ns=START_NS, load_tables=lambda content: None)


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_backup_holds_the_files_and_the_tables_and_verifies(store: Store, tmp_path: Path) -> None:
    made = backup_of(store, tmp_path / "backup")

    copied = content_of(tmp_path / "backup")
    ours = content_of(store.data_dir)
    assert made.verification.verdict == Verdict.INTACT
    assert made.verification.events == len(events_of(store))
    assert copied["database.jsonl"] == TABLES
    assert {name for name in ours if copied.get(name) != ours[name]} <= {".lock", "checkpoint"}


def test_only_its_owner_can_read_a_backup(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")

    modes = {path.stat().st_mode & 0o077 for path in (tmp_path / "backup").rglob("*")}
    assert modes == {0}
    assert (tmp_path / "backup").stat().st_mode & 0o077 == 0


def test_a_backup_beside_writers_holds_whole_acts_and_all_that_came_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fdatasync", lambda descriptor: None)
    store = adopted_store(tmp_path / "data")
    put(store, lead("before"))

    def write() -> None:
        beside = open_store(store.data_dir)
        for _ in range(10):
            put(beside, lead("during"), NewFact("team:b", "lead", "during"))

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    made = [backup_of(store, tmp_path / f"backup {number}") for number in range(3)]
    for writer in writers:
        writer.join()

    assert [backup.verification.notes for backup in made] == [[], [], []]
    assert 2 <= made[0].verification.events <= made[1].verification.events <= made[2].verification.events
    for number, backup in enumerate(made):
        assert restored(tmp_path / f"backup {number}", tmp_path / f"restored {number}") is not None
        again = open_store(tmp_path / f"restored {number}")
        assert events_of(again)[:-1] == events_of(store)[: backup.verification.events]
        assert verify_folder(again.data_dir).verdict == Verdict.INTACT
    assert verify_folder(store.data_dir).verdict == Verdict.INTACT


@pytest.mark.parametrize("name", ["full", "file", "data/backup"])
def test_a_backup_goes_into_a_new_folder_outside_the_store_or_nowhere(store: Store, tmp_path: Path, name: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("mine")
    (tmp_path / "file").write_text("mine")
    before = content_of(tmp_path)

    with pytest.raises(BackupRefusedError):
        backup_of(store, tmp_path / name)

    assert content_of(tmp_path) == before


def test_a_restored_store_says_the_same_and_can_be_written_to(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")

    event = restored(tmp_path / "backup", tmp_path / "again")

    again = open_store(tmp_path / "again")
    assert again.instance_id == store.instance_id
    assert told(again) == told(store)
    assert events_of(again) == [*events_of(store), event]
    assert (again.data_dir / "uploads" / "a1b2").read_bytes() == b"brought here"
    put(again, lead("after"))
    assert actions_of(again)[-2:] == [Action.STORE_RESTORED, Action.FACT_STORED]
    assert verify_folder(again.data_dir).verdict == Verdict.INTACT


def test_the_tables_are_handed_over_while_the_store_is_still_only_read(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")
    seen: list[tuple[bytes, bool]] = []

    plan = plan_restore(tmp_path / "backup", tmp_path / "again")
    restore(
        plan,
        actor=ANA,
        now_ns=START_NS,
        load_tables=lambda content: seen.append((content, awaits_more(tmp_path / "again"))),
    )

    assert seen == [(TABLES, True)]


def test_a_restore_that_broke_off_leaves_a_store_that_is_only_read_and_is_done_again(
    store: Store, tmp_path: Path
) -> None:
    backup_of(store, tmp_path / "backup")
    plan = plan_restore(tmp_path / "backup", tmp_path / "again")

    def break_off(content: bytes) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore(plan, actor=ANA, now_ns=START_NS, load_tables=break_off)

    with pytest.raises(StoreBrokenError), open_store(tmp_path / "again").writing():
        pass
    assert restored(tmp_path / "backup", tmp_path / "again") is not None
    assert told(open_store(tmp_path / "again")) == told(store)


@pytest.mark.parametrize(
    "name",
    [
        "facts.jsonl",
        "ledger.jsonl",
        "texts.jsonl",
        "database.jsonl",
        "uploads/a1b2",
        "keys/journal-1.key",
        "checkpoint",
    ],
)
@pytest.mark.parametrize("harm", ["changed", "cut", "lost"])
def test_damage_in_a_backup_is_found_before_anything_is_restored(
    store: Store, tmp_path: Path, name: str, harm: str
) -> None:
    backup_of(store, tmp_path / "backup")
    path = tmp_path / "backup" / name
    content = path.read_bytes()
    if harm == "lost":
        path.unlink()
    else:
        path.write_bytes(content[:-1] if harm == "cut" else content.replace(b"e", b"f", 1).replace(b"a", b"b", 1))

    with pytest.raises(BackupDamagedError, match=name):
        restored(tmp_path / "backup", tmp_path / "again")

    assert not (tmp_path / "again").exists()


def test_a_backup_that_was_never_finished_is_none(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")
    (tmp_path / "backup" / "backup.json").unlink()

    with pytest.raises(BackupDamagedError, match="never finished"):
        restored(tmp_path / "backup", tmp_path / "again")


def test_a_backup_cannot_name_files_outside_itself(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")
    manifest = tmp_path / "backup" / "backup.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"uploads/a1b2", b"../../escape"))

    with pytest.raises(BackupDamagedError, match="outside the backup"):
        restored(tmp_path / "backup", tmp_path / "again")


def test_a_backup_that_does_not_name_its_texts_is_damaged(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")
    manifest = tmp_path / "backup" / "backup.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"texts.jsonl"', b'"instance.json"'))

    with pytest.raises(BackupDamagedError, match=r"has no texts\.jsonl"):
        restored(tmp_path / "backup", tmp_path / "again")


def test_a_store_in_use_is_not_restored_over(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")
    put(store, lead("newer"))
    before = content_of(store.data_dir)

    with pytest.raises(RestoreRefusedError, match="not empty"):
        restored(tmp_path / "backup", store.data_dir)

    assert content_of(store.data_dir) == before


@pytest.fixture
def newer(store: Store, tmp_path: Path) -> Path:
    """A backup, the checkpoint of a later act, and a backup of after that; answers that checkpoint."""
    backup_of(store, tmp_path / "backup")
    put(store, lead("newer"))
    shutil.copy(store.data_dir / "checkpoint", tmp_path / "known")
    backup_of(store, tmp_path / "later backup")
    return tmp_path / "known"


@pytest.mark.parametrize("is_left_in_folder", [False, True])
def test_a_backup_older_than_a_known_checkpoint_is_only_read(
    store: Store, newer: Path, tmp_path: Path, is_left_in_folder: bool
) -> None:
    (tmp_path / "again").mkdir()
    if is_left_in_folder:
        shutil.copy(newer, tmp_path / "again" / "checkpoint")

    event = restored(tmp_path / "backup", tmp_path / "again", since=None if is_left_in_folder else newer)

    again = open_store(tmp_path / "again")
    assert event is None
    assert events_of(again) == events_of(store)[:-1]
    assert Action.STORE_RESTORED not in actions_of(again)
    with pytest.raises(StoreBrokenError), again.writing():
        pass


def test_what_is_missing_is_supplied_by_a_newer_backup(store: Store, newer: Path, tmp_path: Path) -> None:
    restored(tmp_path / "backup", tmp_path / "again", since=newer)

    event = restored(tmp_path / "later backup", tmp_path / "again")

    again = open_store(tmp_path / "again")
    assert event is not None
    assert event.code == ""
    assert told(again) == told(store)
    put(again, lead("after"))
    assert verify_folder(again.data_dir).verdict == Verdict.INTACT


def test_an_accepted_loss_is_recorded_with_its_reason(newer: Path, tmp_path: Path) -> None:
    restored(tmp_path / "backup", tmp_path / "again", since=newer)

    event = restored(tmp_path / "backup", tmp_path / "again", accepted="The disk burnt")

    again = open_store(tmp_path / "again")
    assert event is not None
    assert (event.action, event.code, again.text_of(event)) == (
        Action.STORE_RESTORED,
        "loss_accepted",
        "The disk burnt",
    )
    assert "newer" not in values_in_use(again)
    put(again, lead("after"))
    assert verify_folder(again.data_dir).verdict == Verdict.INTACT


def test_the_loss_is_not_given_up_without_the_event_that_says_so(
    newer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restored(tmp_path / "backup", tmp_path / "again", since=newer)
    rename = Path.replace

    def break_off(path: Path, target: Path) -> Path:
        if Path(target).name == "ledger.jsonl":
            raise KeyboardInterrupt
        return rename(path, target)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Path, "replace", break_off)
        restored(tmp_path / "backup", tmp_path / "again", accepted="The disk burnt")

    with pytest.raises(StoreBrokenError), open_store(tmp_path / "again").writing():
        pass
    assert restored(tmp_path / "backup", tmp_path / "again", accepted="The disk burnt") is not None


def test_no_loss_is_accepted_where_nothing_is_missing(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")

    with pytest.raises(RestoreRefusedError, match="Nothing is known to be missing"):
        restored(tmp_path / "backup", tmp_path / "again", accepted="Just in case")

    assert not (tmp_path / "again").exists()


def test_an_older_backup_does_not_take_from_a_broken_store_what_it_still_has(
    store: Store, newer: Path, tmp_path: Path
) -> None:
    os.truncate(store.journal_path, 10)
    before = content_of(store.data_dir)

    with pytest.raises(RestoreRefusedError, match="has what the backup lacks"):
        restored(tmp_path / "backup", store.data_dir)

    assert content_of(store.data_dir) == before


def test_a_broken_store_is_made_whole_by_a_backup_that_has_all_of_it(store: Store, newer: Path, tmp_path: Path) -> None:
    before = told(store)
    os.truncate(store.journal_path, 10)

    event = restored(tmp_path / "later backup", store.data_dir)

    assert event is not None
    assert told(open_store(store.data_dir)) == before


def test_a_checkpoint_that_is_none_is_refused(store: Store, tmp_path: Path) -> None:
    backup_of(store, tmp_path / "backup")
    (tmp_path / "known").write_text("not a checkpoint")

    with pytest.raises(RestoreRefusedError, match="not a checkpoint"):
        restored(tmp_path / "backup", tmp_path / "again", since=tmp_path / "known")


def test_an_observed_journal_stays_with_its_daemon(tmp_path: Path) -> None:
    journal = tmp_path / "daemon.jsonl"
    journal.write_bytes(b'{"op":"delete","fact_id":"f_nobody","deleted_at":"2026-01-01T00:00:00+00:00"}\n')
    store = open_store(tmp_path / "data", journal=journal)
    with store.writing() as door:
        door.record(ANA, "default", Action.TENANT_CREATED)

    backup_of(store, tmp_path / "backup")
    plan = plan_restore(tmp_path / "backup", tmp_path / "again", journal=journal)
    restore(plan, journal=journal, actor=ANA, now_ns=START_NS, load_tables=lambda content: None)

    again = open_store(tmp_path / "again", journal=journal)
    assert not (tmp_path / "backup" / "facts.jsonl").exists()
    assert not (tmp_path / "again" / "facts.jsonl").exists()
    assert actions_of(again) == [Action.TENANT_CREATED, Action.STORE_RESTORED]
