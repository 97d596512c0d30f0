"""Other people's text is never taken for anything but text, and nothing in it stays unseen."""

import pytest

from apps.facts.presentation.text import Piece, count_hidden, measure, part_of, pieces

HIDDEN = {
    "right-to-left override": ("\u202e", "U+202E"),
    "isolate": ("\u2066", "U+2066"),
    "zero-width space": ("\u200b", "U+200B"),
    "byte order mark": ("\ufeff", "U+FEFF"),
    "null": ("\x00", "U+0000"),
    "escape": ("\x1b", "U+001B"),
    "carriage return": ("\r", "U+000D"),
    "C1 control": ("\x85", "U+0085"),
    "soft hyphen": ("\u00ad", "U+00AD"),
    "replacement": ("\ufffd", "U+FFFD"),
    "line separator": ("\u2028", "U+2028"),
    "lone surrogate": ("\ud800", "U+D800"),
    "undecodable byte": ("\udc80", "byte 80"),
    "tag": ("\U000e0041", "U+E0041"),
    "private use": ("\ue000", "U+E000"),
    "noncharacter": ("\uffff", "U+FFFF"),
    "Hangul filler": ("\u3164", "U+3164"),
    "joiner outside emoji": ("\u200d", "U+200D"),
}


@pytest.mark.parametrize("character, name", HIDDEN.values(), ids=HIDDEN.keys())
def test_a_hidden_character_is_named_where_it_stands(character: str, name: str) -> None:
    shown = list(pieces(f"a{character}b"))

    assert shown == [Piece("a", is_hidden=False), Piece(name, is_hidden=True), Piece("b", is_hidden=False)]


@pytest.mark.parametrize("text", ["plain", "two\nlines\tand a tab", "Ærøskøbing 王芳 नमस्ते", "👩‍💻 ❤️ 1️⃣", "שלום"])
def test_ordinary_writing_is_left_alone(text: str) -> None:
    assert list(pieces(text)) == [Piece(text, is_hidden=False)]


def test_no_text_has_no_pieces() -> None:
    assert list(pieces("")) == []


def test_hidden_characters_are_counted() -> None:
    assert count_hidden("\u202eabc\u202c\x00") == 3


def test_a_long_text_is_cut_between_characters_and_measured_whole() -> None:
    measured = measure("é" * 3000, limit=2001)

    assert measured.is_folded
    assert measured.shown == "é" * 1000
    assert measured.size == 6000


def test_a_lone_surrogate_can_be_measured() -> None:
    assert measure("\ud800").size == 3


def test_parts_of_a_long_text_join_to_the_whole() -> None:
    text = "abcdefghij" * 9_000

    parts = [part_of(text, number) for number in range(1, part_of(text, 1)[1] + 1)]

    assert "".join(part for part, _ in parts) == text


def test_a_part_beyond_the_last_is_the_last() -> None:
    assert part_of("abc", 99) == ("abc", 1)
