"""The labelled pairs of facts keep their form: their number, labels and languages, and nothing held out is tuned on."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

PAIRS = Path(__file__).parent.parent / "data" / "pairs"
NUMBERS = {
    "tune": {"contradiction": 80, "refinement": 40, "duplicate": 40, "unrelated": 40},
    "tune_more": {"contradiction": 60, "refinement": 22, "duplicate": 23, "unrelated": 45},
    "held_out": {"contradiction": 40, "refinement": 20, "duplicate": 20, "unrelated": 20},
}
KINDS = {"numeric", "unit", "date", "period", "negation", "antonym", "slot", "flip"}
PARTS = ("entity", "key", "value")


def pairs(name: str) -> list[dict[str, Any]]:
    text = (PAIRS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def said(pair: dict[str, Any]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(" ".join(pair[side][part].lower().split()) for part in PARTS) for side in ("a", "b"))


@pytest.mark.parametrize("name", NUMBERS)
def test_a_file_has_its_number_of_pairs_of_each_label(name: str) -> None:
    assert Counter(pair["label"] for pair in pairs(name)) == NUMBERS[name]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_pair_has_two_whole_facts_and_a_kind_only_where_they_contradict(name: str) -> None:
    for pair in pairs(name):
        assert set(pair) - {"kind"} == {"id", "language", "a", "b", "label"}, pair["id"]
        for side in ("a", "b"):
            assert set(pair[side]) == set(PARTS), pair["id"]
            assert all(isinstance(text, str) and text and text == text.strip() for text in pair[side].values()), pair
        assert pair["a"] != pair["b"], pair["id"]
        if pair["label"] == "contradiction":
            assert pair["kind"] in KINDS, pair["id"]
        else:
            assert "kind" not in pair, pair["id"]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_file_has_every_label_in_each_main_language_and_some_of_the_rarer(name: str) -> None:
    found = {(pair["language"], pair["label"]) for pair in pairs(name)}
    assert found >= {(language, label) for language in ("en", "de", "fr", "es", "ru") for label in NUMBERS[name]}
    assert len({language for language, _ in found}) >= 8


def test_no_id_and_no_pair_is_used_twice_in_or_across_the_files() -> None:
    every = [pair for name in NUMBERS for pair in pairs(name)]
    assert len({pair["id"] for pair in every}) == len(every)
    assert len({said(pair) for pair in every}) == len(every)
