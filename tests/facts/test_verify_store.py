"""The command that checks a store, and lets writers go on."""

import io
import json
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import User
from cruxstore.door import NewFact, Store
from cruxstore.errors import StoreStoppedError
from cruxstore.ledger.events import Actor
from cruxstore.replayed import read_state
from tests.accounts.test_commands import become

ANA = Actor(kind="person", id="p_ana")


def verify_store(*options: str) -> str:
    out = io.StringIO()
    call_command("verify_store", *options, stdout=out)
    return out.getvalue()


@pytest.fixture
def filled(store: Store) -> Store:
    with store.writing() as door:
        for value in ("Ana", "Ben"):
            door.store_facts(ANA, "default", [NewFact("team:a", "lead", value)], view=read_state(store))
    return store


def test_an_intact_store_is_called_so(filled: Store) -> None:
    words, report = verify_store(), json.loads(verify_store("--json"))

    assert "Intact." in words
    assert "Journal: 3 lines of ours" in words
    assert (report["verdict"], report["lines"], report["fault"]) == ("intact", 3, None)


def test_a_broken_store_exits_with_1_and_the_place(filled: Store) -> None:
    content = filled.journal_path.read_bytes()
    filled.journal_path.write_bytes(content.replace(b'"value":"Ben"', b'"value":"Bem"'))

    with pytest.raises(CommandError, match=r"Broken\. facts.jsonl, line 2, byte \d+: ") as refused:
        verify_store()

    assert refused.value.returncode == 1


def test_a_store_that_cannot_be_checked_exits_with_2(filled: Store) -> None:
    (filled.data_dir / "keys" / "journal-1.key").unlink()

    with pytest.raises(CommandError, match="Could not check") as refused:
        verify_store("--json")

    assert refused.value.returncode == 2


def test_an_empty_folder_cannot_be_checked_and_stays_empty(data_dir: Path) -> None:
    with pytest.raises(CommandError) as refused:
        verify_store()

    assert refused.value.returncode == 2
    assert list(data_dir.iterdir()) == []


def test_reopening_lets_writers_go_on_after_a_failed_sync(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched, filled.writing() as door:
        patched.setattr(os, "fdatasync", fail)
        with pytest.raises(StoreStoppedError):
            door.store_facts(ANA, "default", [NewFact("team:a", "lead", "Cem")], view=read_state(filled))

    words, again = verify_store("--reopen"), json.loads(verify_store("--reopen", "--json"))

    assert words.startswith("Writers go on. They had been stopped: A sync of ledger.jsonl failed")
    assert again == {"reopened": True, "stopped": ""}
    assert verify_store().endswith("Intact.\n")


def test_a_store_with_something_missing_is_not_reopened(filled: Store) -> None:
    os.truncate(filled.journal_path, 10)

    with pytest.raises(CommandError, match="store_broken"):
        verify_store("--reopen")


def test_an_operator_acknowledges_that_somebody_else_replaced_the_journal(
    filled: Store, operator: User, curator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = filled.data_dir / "other"
    other.write_bytes(b"")
    other.replace(filled.journal_path)
    with filled.writing():
        pass
    with pytest.raises(CommandError, match="replaced or cut the journal") as refused:
        verify_store()
    assert refused.value.returncode == 1

    with pytest.raises(CommandError, match="not_permitted"):
        verify_store("--acknowledge", "Moved to a new disk", "--code", become(monkeypatch, filled, curator))
    words = verify_store("--acknowledge", "Moved to a new disk", "--code", become(monkeypatch, filled, operator))

    assert "acknowledges it." in words
    assert words.endswith("Intact.\n")


def test_an_operator_makes_a_new_key_sign(filled: Store, operator: User, monkeypatch: pytest.MonkeyPatch) -> None:
    before = json.loads(verify_store("--json"))["key"]

    verify_store("--rotate-key", "The old one was copied", "--code", become(monkeypatch, filled, operator))

    report = json.loads(verify_store("--json", "--key", before))
    assert (report["verdict"], report["key"] != before) == ("intact", True)
