"""How well a fact answers a search: the words, the score, the floor and its tiers."""

import pytest

from cruxstore.errors import BlankQueryError
from cruxstore.facts.recall.terms import (
    MATCH_FLOOR,
    SHORTEST_TERM,
    STOPWORDS,
    STRONG_SCORE,
    SUBSTRING_WEIGHT,
    MatchFloor,
    MatchTier,
    SearchText,
)


def test_the_constants_are_the_daemons() -> None:
    assert (MATCH_FLOOR, STRONG_SCORE, SHORTEST_TERM, SUBSTRING_WEIGHT) == (0.45, 0.70, 3, 0.5)
    assert len(STOPWORDS) == 66


@pytest.mark.parametrize(
    ("query", "entity", "key", "value", "score"),
    [
        ("prompt cache ttl", "bench:x", "k", "the prompt was long", 1 / 3),
        ("prompt cache ttl", "bench:x", "k", "the prompt cache ttl is one hour", 1.0),
        ("prompt cache ttl", "bench:x", "k", "unrelated milestone gate", 0.0),
        ("cache", "e", "k", "precached blobs", 0.5),
        ("cache", "e", "k", "precached cache", 1.0),
        ("cache", "e", "k", "a-cache-b", 1.0),
        ("cache", "e", "k", "cache_b", 0.5),
        ("cache", "e", "k", "Zürich-caché cacheü", 1.0),
        ("paddle funnel", "decision:paddle-funnel-live", "state", "n/a", 1.0),
        ("addle unne", "decision:paddle-funnel-live", "state", "n/a", 1.0),
        ("PADDLE", "e", "The-Paddle", "n/a", 1.0),
        ("the and for", "e", "k", "anything at all", 1.0),
        ("cache cache the it", "e", "k", "precached", 0.5),
        ("gate:M2", "execplan:other", "gate:M2", "done", 1.0),
        ("gate::m2", "execplan:other", "gate:M2", "done", 1.0),
        ("execplan:crux", "execplan::crux-memory", "gate:M1", "x", 1.0),
        ("execplan::crux", "EXECPLAN:crux-memory", "gate:M1", "x", 1.0),
        ("team:red:lead", "team:red", "lead", "x", 1.0),
        ("team:red:le", "team::red", "LEAD", "x", 1.0),
        ("team:blue", "team:red", "lead", "x", 0.5),
        ("team:red lead", "team:red", "lead", "x", 1.0),
        ("x:", "e", "k", "x: y", 0.0),
        ("::", "e", "k", ":: y", 0.0),
        ("ümlaut", "e", "k", "mlaut", 1.0),
    ],
)
def test_a_fact_is_scored(query: str, entity: str, key: str, value: str, score: float) -> None:
    assert SearchText(query).score(entity, key, value) == score


@pytest.mark.parametrize(
    ("query", "is_match"),
    [
        ("lópez", True),
        ("nobody LEAD", True),
        ("TEAM:MÜ", True),
        ("a. l", True),
        ("nobody nowhere", False),
        ("team:müller:lead", True),
        ("team::müller", True),
        ("team:müller:owner", False),
        ("team:müller:owner x", False),
    ],
)
def test_a_fact_matches_by_any_word_or_by_its_address(query: str, is_match: bool) -> None:
    assert SearchText(query).matches("team:müller", "lead", 'Ana "A." López') is is_match


@pytest.mark.parametrize("blank", ["", " ", "\t\u3000\n"])
def test_a_blank_search_is_refused(blank: str) -> None:
    with pytest.raises(BlankQueryError):
        SearchText(blank)


def test_a_control_character_is_no_blank() -> None:
    assert SearchText("\x1f").matches("e", "k", "a\x1fb")


@pytest.mark.parametrize(
    ("text", "floor"),
    [
        *[(off, None) for off in ("", " ", "0", "false", "OFF", " no ")],
        *[(on, 0.45) for on in ("1", "true", "on", "YES")],
        ("0.6", 0.6),
        (" .25 ", 0.25),
        ("1.0", 1.0),
        ("0.0", 0.0),
        ("1e-1", 0.1),
        *[(nonsense, 0.45) for nonsense in ("1.5", "-0.2", "banana", "NaN", "inf", "0_1", "٠")],
    ],
)
def test_the_floor_is_set_by_the_environment(text: str, floor: float | None) -> None:
    assert MatchFloor.from_environment({"CORECRUXD_RECALL_MATCH_FLOOR": text}).score == floor


def test_without_a_setting_the_floor_is_the_usual_one() -> None:
    assert MatchFloor.from_environment({}) == MatchFloor(0.45)


@pytest.mark.parametrize(
    ("floor", "score", "tier"),
    [
        (0.45, 0.7, MatchTier.STRONG),
        (0.45, 0.69, MatchTier.PARTIAL),
        (0.45, 0.45, MatchTier.PARTIAL),
        (0.45, 0.44, MatchTier.FALLBACK),
        (0.9, 0.8, MatchTier.FALLBACK),
        (0.45, None, MatchTier.UNSCORED),
        (None, 0.9, MatchTier.UNSCORED),
    ],
)
def test_scores_have_tiers(floor: float | None, score: float | None, tier: MatchTier) -> None:
    assert MatchFloor(floor).tier(score) is tier
