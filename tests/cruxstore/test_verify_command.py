"""`verify` tells a stranger whether a folder is intact, broken or could not be checked, by exit and by words."""

import shutil
from pathlib import Path

import orjson
import pytest

from cruxstore.__main__ import main
from cruxstore.door import Store
from cruxstore.ledger.checkpoint import Slots
from cruxstore.ledger.signing import SigningKey, named_key
from tests.cruxstore.stores import ANA, adopted_store, events_of, forget_vouching, lead, open_store, put


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = adopted_store(tmp_path / "data")
    for value in ("Ana", "Ben", "Cem"):
        put(store, lead(value))
    store.close()
    return store


def key_text(store: Store) -> str:
    return named_key(events_of(store)[0]).text


def kept_note(store: Store, path: Path) -> Path:
    """The newest checkpoint, as a person keeps it."""
    found = Slots(store.data_dir / "checkpoint").newest()
    assert found is not None
    assert found.note is not None
    path.write_bytes(found.note.encode())
    return path


def test_an_intact_folder(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key").write_text(key_text(store) + "\n")

    assert main(["verify", str(store.data_dir), "--key", str(tmp_path / "key")]) == 0

    words = capsys.readouterr().out
    assert "Ledger: 4 events, 4 of them under a signed checkpoint." in words
    assert key_text(store) in words
    assert words.endswith("Intact.\n")


def test_as_json(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(store.data_dir), "--json"]) == 0

    members = orjson.loads(capsys.readouterr().out)
    assert (members["verdict"], members["events"], members["key"]) == ("intact", 4, key_text(store))
    assert (members["fault"], members["unchecked"], members["notes"]) == (None, "", [])


def test_a_changed_event_is_said_with_its_place_and_hashes(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    content = store.ledger_path.read_bytes()
    store.ledger_path.write_bytes(content.replace(b"p_ana", b"p_bea", 1))

    assert main(["verify", str(store.data_dir), "--json"]) == 1

    printed = capsys.readouterr()
    fault = orjson.loads(printed.out)["fault"]
    assert (fault["file"], fault["line"], fault["byte"]) == ("ledger.jsonl", 1, 0)
    assert len(fault["expected"]) == len(fault["found"]) == 64
    assert "Broken. ledger.jsonl, line 1, byte 0:" in printed.err


def test_another_key_than_the_noted_one(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    other = SigningKey.of_seed(named_key(events_of(store)[0]).name, bytes(32)).public

    assert main(["verify", str(store.data_dir), "--key", other.text]) == 2
    assert "signed by another key" in capsys.readouterr().err


def test_the_noted_key_may_have_made_way_for_another(store: Store) -> None:
    noted = key_text(store)
    with store.writing() as door:
        door.rotate_key(ANA)

    assert main(["verify", str(store.data_dir), "--key", noted]) == 0


@pytest.mark.parametrize("text", ["not a key", "/nowhere"])
def test_what_is_no_key_is_refused(text: str, store: Store) -> None:
    with pytest.raises(SystemExit) as refusal:
        main(["verify", str(store.data_dir), "--key", text])

    assert refusal.value.code == 2


@pytest.mark.parametrize("is_note", [True, False])
def test_a_kept_checkpoint_is_the_beginning(is_note: bool, store: Store, tmp_path: Path) -> None:
    kept = kept_note(store, tmp_path / "kept")
    if not is_note:
        shutil.copy(store.data_dir / "checkpoint", kept)
    put(store, lead("Dora"))

    assert main(["verify", str(store.data_dir), "--since", str(kept)]) == 0


def test_a_history_written_anew_and_signed_again_is_found_by_a_kept_checkpoint(store: Store, tmp_path: Path) -> None:
    """Whoever has the files and the keys takes everything back to an older state, and goes on from there."""
    older = shutil.copytree(store.data_dir, tmp_path / "older")
    put(store, lead("what was decided"))
    kept = kept_note(store, tmp_path / "kept")
    forged = open_store(older)
    put(forged, lead("what should have been"))
    put(forged, lead("and more"))

    assert main(["verify", str(older)]) == 0
    assert main(["verify", str(older), "--since", str(kept)]) == 1


def test_events_cut_with_their_checkpoints_are_found_by_a_kept_one(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = shutil.copytree(store.data_dir, tmp_path / "older")
    put(store, lead("Dora"))

    assert main(["verify", str(older), "--since", str(kept_note(store, tmp_path / "kept"))]) == 1
    assert "The ledger ends here, and the checkpoint that was kept covers 5 events." in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "not a checkpoint"])
def test_a_kept_file_that_is_no_checkpoint(content: str, store: Store, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text(content)

    assert main(["verify", str(store.data_dir), "--since", str(tmp_path / "kept")]) == 2
    assert main(["verify", str(store.data_dir), "--since", str(tmp_path / "missing")]) == 2


def test_events_that_nobody_signed_yet_are_counted(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    forget_vouching(store)

    assert main(["verify", str(store.data_dir)]) == 0
    assert "Events that no checkpoint covers yet: 1." in capsys.readouterr().out


def test_without_the_signing_key_it_is_intact_and_only_read(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    next((store.data_dir / "keys").glob("ledger-*")).unlink()

    assert main(["verify", str(store.data_dir), "--json"]) == 0

    members = orjson.loads(capsys.readouterr().out)
    assert members["code"] == "key_missing"
    assert members["notes"] == ["The key that signs the ledger is missing; until it is back the store is only read."]


def test_what_is_no_folder(tmp_path: Path) -> None:
    assert main(["verify", str(tmp_path / "nowhere")]) == 2
