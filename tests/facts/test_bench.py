"""The bench measures what it says it measures."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from apps.facts.bench.journal import TENANTS, change_number, entity_name, write_journal
from apps.facts.bench.measures import MEASURES, Figure
from apps.facts.bench.mixes import ADDRESSES, FILTER_PAIRS, FREQUENT_TERMS, RARE_TERMS, SEARCHES, clock_paths
from apps.facts.rules import search_terms, search_text
from cruxstore.facts.journal import Replay, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy

FACTS = 10_000


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """A journal of the bench, read."""
    path = tmp_path_factory.mktemp("bench") / "facts.jsonl"
    write_journal(path, FACTS)
    return replay_journal(path, PrivacyPolicy())


def test_its_journal_is_sound_and_has_the_asked_number_of_facts(replay: Replay) -> None:
    facts = replay.state.facts.values()

    assert (len(facts), replay.skipped, replay.ignored) == (FACTS, [], [])
    assert {fact.tenant_hash for fact in facts} == set(TENANTS)
    assert sum(fact.superseded_by is not None for fact in facts) > FACTS // 3
    assert sum(fact.deleted for fact in facts) > FACTS // 100


def test_the_same_number_of_facts_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_journal(tmp_path / name, 300)

    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_the_searches_are_half_rare_three_in_ten_frequent_and_two_in_ten_addresses(replay: Replay) -> None:
    texts = [search_text(fact.entity, fact.key, fact.value) for fact in replay.state.facts.values()]

    def share(q: str) -> float:
        return sum(all(term in text for term in search_terms(q)) for text in texts) / FACTS

    assert (len(RARE_TERMS), len(FREQUENT_TERMS), len(ADDRESSES), len(SEARCHES)) == (10, 6, 4, 20)
    assert max(map(share, RARE_TERMS)) <= 1 / FACTS
    assert min(map(share, FREQUENT_TERMS)) > 0.05
    assert min(map(share, ADDRESSES[:3])) > 0


def test_there_are_twelve_different_pairs_of_filters() -> None:
    assert len(set(FILTER_PAIRS)) == 12
    assert all(first[0] != second[0] for first, second in FILTER_PAIRS)


def test_moments_are_spread_over_all_lines_and_eighteen_months() -> None:
    moments = [parse_qs(then.partition("?")[2]) for _, then in clock_paths(96_000)]

    assert [int(moment["known"][0].removeprefix("line ")) for moment in moments] == list(range(1_001, 96_000, 2_000))
    assert len({moment["about"][0] for moment in moments}) == len(moments)
    assert min(moment["about"][0] for moment in moments) < "2025-07"


def test_names_and_numbers_do_not_depend_on_the_size() -> None:
    assert (entity_name("service:", 0), change_number(12)) == ("service:amber-anchor", "CHG-0000012")
    assert len({entity_name("service:", rank) for rank in range(3000)}) == 3000


def test_a_ratio_is_ours_over_the_yardstick() -> None:
    assert Figure(3.0, 2.0, "s", 10).report() == {"ours": 3.0, "yardstick": 2.0, "ratio": 1.5, "unit": "s", "n": 10}


def test_a_figure_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(CommandError, match=r"There is no figure nothing\. There are index_build, facts_page,"):
        call_command("bench", "nothing")


@pytest.mark.services
def test_every_figure_can_be_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRUXWEB_DATA_DIR", str(tmp_path / "data"))
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "bench", "index_build", "--facts", "300", "--json"]

    done = subprocess.run(command, capture_output=True, check=True)

    figures = json.loads(done.stdout)
    assert set(figures) == {"index_build"} <= set(MEASURES)
    assert figures["index_build"]["ratio"] > 0
