"""What was once whole on the disk and is missing stops all writing, and nothing is changed until it is back."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cruxstore.door import Store
from cruxstore.errors import StoreBrokenError
from cruxstore.lines import read_lines
from tests.cruxstore.stores import adopted_store, forget_vouching, lead, open_store, put, values_in_use

Damage = Callable[[Store], None]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = adopted_store(tmp_path / "data")
    for value in ("Ana", "Ben", "Cem"):
        put(store, lead(value))
    return store


def cut_the_journal(store: Store) -> None:
    os.truncate(store.journal_path, [offset for offset, _ in read_lines(store.journal_path)][-1])


def cut_the_journal_within_a_line(store: Store) -> None:
    os.truncate(store.journal_path, store.journal_path.stat().st_size - 1)


def lose_the_journal(store: Store) -> None:
    store.journal_path.unlink()


def cut_the_ledger(store: Store) -> None:
    os.truncate(store.ledger_path, [offset for offset, _ in read_lines(store.ledger_path)][-1])


def cut_the_ledger_within_a_line(store: Store) -> None:
    os.truncate(store.ledger_path, store.ledger_path.stat().st_size - 1)


def lose_the_ledger(store: Store) -> None:
    store.ledger_path.unlink()


def change_the_newest_event(store: Store) -> None:
    content = store.ledger_path.read_bytes()
    store.ledger_path.write_bytes(content[:-100] + content[-100:].replace(b"default", b"defaulT"))


DAMAGES: dict[Damage, str] = {
    cut_the_journal: "facts.jsonl",
    cut_the_journal_within_a_line: "facts.jsonl",
    lose_the_journal: "facts.jsonl",
    cut_the_ledger: "ledger.jsonl",
    cut_the_ledger_within_a_line: "ledger.jsonl",
    lose_the_ledger: "ledger.jsonl",
    change_the_newest_event: "ledger.jsonl",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_store_with_something_missing_is_only_read_until_it_is_back(
    damage: Damage, store: Store, tmp_path: Path
) -> None:
    whole = shutil.copytree(store.data_dir, tmp_path / "whole")
    damage(store)
    before = _contents(store.data_dir)

    broken = open_store(store.data_dir)
    for write in (lambda: put(broken, lead("Dora")), broken.reopen):
        with pytest.raises(StoreBrokenError, match=DAMAGES[damage]):
            write()

    assert broken.broken()
    assert _contents(store.data_dir) == before
    for name in ("facts.jsonl", "ledger.jsonl"):
        (store.data_dir / name).write_bytes((whole / name).read_bytes())
    put(open_store(store.data_dir), lead("Dora"))
    assert values_in_use(store) == ["Dora"]


@pytest.mark.parametrize("damage", [cut_the_journal, lose_the_journal, cut_the_ledger, lose_the_ledger])
def test_what_goes_missing_under_a_running_writer_stops_it_too(damage: Damage, store: Store) -> None:
    damage(store)

    with pytest.raises(StoreBrokenError, match=DAMAGES[damage]):
        put(store, lead("Dora"))


def test_a_line_of_the_newest_act_that_was_changed_stops_the_next_process(store: Store) -> None:
    content = store.journal_path.read_bytes()
    store.journal_path.write_bytes(content[:-20] + content[-20:].replace(b"+", b"-"))
    before = _contents(store.data_dir)

    with pytest.raises(StoreBrokenError, match="A line of event 4 is missing or is not as it was written"):
        put(open_store(store.data_dir), lead("Dora"))

    assert _contents(store.data_dir) == before


def test_a_whole_store_is_not_broken_with_or_without_a_checkpoint(store: Store) -> None:
    assert store.broken() == ""

    forget_vouching(store)

    assert open_store(store.data_dir).broken() == ""
    put(open_store(store.data_dir), lead("Dora"))


def test_an_older_checkpoint_is_still_true(store: Store) -> None:
    old = (store.data_dir / "checkpoint").read_bytes()
    put(store, lead("Dora"))

    (store.data_dir / "checkpoint").write_bytes(old)

    put(open_store(store.data_dir), lead("Emil"))
    assert values_in_use(store) == ["Emil"]


def test_a_journal_put_in_the_place_of_another_is_not_called_missing(store: Store) -> None:
    other = store.data_dir / "other"
    other.write_bytes(b"")
    other.replace(store.journal_path)

    put(store, lead("Dora"))

    assert values_in_use(store) == ["Dora"]


def _contents(data_dir: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in sorted(data_dir.iterdir()) if path.is_file() and path.name != ".lock"
    }
