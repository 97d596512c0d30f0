"""Texts stand apart from the ledger, fixed by a salted commitment."""

from dataclasses import replace
from pathlib import Path

import pytest

from cruxstore.errors import DamagedLedgerError, TextNotStorableError
from cruxstore.ledger.texts import decode_text, encode_text, find_text, new_text
from cruxstore.lines import LineFile


def test_a_text_comes_back_as_it_was_written() -> None:
    text = new_text("reason", 'Said "no" \u2028 twice\0', ("e_1",))

    assert decode_text(encode_text(text)) == text


def test_the_same_words_have_another_commitment_each_time() -> None:
    first, second = new_text("reason", "Entered twice", ()), new_text("reason", "Entered twice", ())

    assert first.mark.commitment != second.mark.commitment
    assert first.text_id != second.text_id


def test_a_text_is_found_by_its_mark(tmp_path: Path) -> None:
    texts = [new_text("reason", f"number {number}", ()) for number in range(3)]
    LineFile(tmp_path / "texts.jsonl").append([encode_text(text) for text in texts])

    assert find_text(tmp_path / "texts.jsonl", texts[1].mark) == texts[1]


def test_words_that_look_like_a_text_id_are_not_mistaken_for_one(tmp_path: Path) -> None:
    wanted = new_text("reason", "the real one", ())
    decoy = new_text("reason", f'"text_id":"{wanted.text_id}"', ())
    LineFile(tmp_path / "texts.jsonl").append([encode_text(wanted), encode_text(decoy)])

    assert find_text(tmp_path / "texts.jsonl", wanted.mark) == wanted


def test_an_erased_text_is_absent(tmp_path: Path) -> None:
    text = new_text("reason", "gone", ())
    LineFile(tmp_path / "texts.jsonl").append([encode_text(new_text("reason", "here", ()))])

    assert find_text(tmp_path / "texts.jsonl", text.mark) is None
    assert find_text(tmp_path / "none.jsonl", text.mark) is None


@pytest.mark.parametrize("change", [{"text": "changed"}, {"salt": "00" * 32}, {"kind": "name"}])
def test_a_changed_text_does_not_keep_its_commitment(change: dict[str, str], tmp_path: Path) -> None:
    text = new_text("reason", "as said", ())
    LineFile(tmp_path / "texts.jsonl").append([encode_text(replace(text, **change))])  # type: ignore[arg-type]

    with pytest.raises(DamagedLedgerError):
        find_text(tmp_path / "texts.jsonl", text.mark)


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(TextNotStorableError):
        new_text("reason", "\ud800", ())


@pytest.mark.parametrize("line", [b"", b"{}", b'{"text_id":"t_1"}', b"nothing"])
def test_a_line_that_is_no_text_is_damage(line: bytes) -> None:
    with pytest.raises(DamagedLedgerError):
        decode_text(line)
