"""Journals that the journal maker writes, whole and damaged in each of its ways, are read as its reports say."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cruxstore.facts.codec import decode_line, encode_operation
from cruxstore.facts.compaction import compacted_lines, refuse_compaction
from cruxstore.facts.drafts import write_rewrite
from cruxstore.facts.exact import decode_exactly
from cruxstore.facts.journal import Replay, read_lines, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.times import parse_timestamp

TOOL = Path(__file__).parents[3] / "shared" / "tools" / "make_journal.py"
FACTS = 400
AT = parse_timestamp("2026-12-01T00:00:00Z")

pytestmark = pytest.mark.shared


@dataclass(frozen=True)
class Made:
    """A journal that was made, what the maker says of it, and what we read."""

    path: Path
    summary: dict[str, Any]
    damage: list[dict[str, Any]]
    replay: Replay


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Made]:
    """Makes a journal with these options and reads it."""

    def run(*options: str, facts: int = FACTS) -> Made:
        path = tmp_path / "facts.jsonl"
        command = [sys.executable, str(TOOL), str(path), "--facts", str(facts), *options]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        damage = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
        return Made(path, json.loads(result.stdout), damage, replay_journal(path, PrivacyPolicy()))

    return run


def skipped_lines(made: Made) -> list[int]:
    return [line.number for line in made.replay.skipped]


@pytest.mark.parametrize("options", [(), ("--seed", "7", "--tenants", "6"), ("--generation", "g1")])
def test_a_whole_journal_is_read_without_skipping(make: Callable[..., Made], options: tuple[str, ...]) -> None:
    made = make(*options, facts=3000)

    assert (made.replay.skipped, made.replay.torn_tail_bytes) == ([], 0)
    assert made.replay.lines == made.summary["lines"]
    assert len(made.replay.state.facts) + len(made.replay.state.removed) == made.summary["facts"]


def test_every_line_is_written_as_it_was_read(make: Callable[..., Made]) -> None:
    made = make(facts=3000)

    with made.path.open("rb") as stream:
        for line in read_lines(stream):
            assert encode_operation(decode_line(line.text)) == line.text
            assert decode_line(line.text) == decode_exactly(line.text)[0]


def test_a_compacted_journal_holds_the_same_live_facts(make: Callable[..., Made], tmp_path: Path) -> None:
    made = make(facts=3000)
    refuse_compaction(made.replay)
    live = {fact_id: fact for fact_id, fact in made.replay.state.facts.items() if not fact.deleted}

    write_rewrite(tmp_path / "compacted.jsonl", compacted_lines(made.replay.state, AT))
    after = replay_journal(tmp_path / "compacted.jsonl", PrivacyPolicy())

    assert after.state.facts == live
    assert after.unreadable == after.rule_breaking == []


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("bad-line", None),
        ("bad-utf8", "not_utf8"),
        ("unknown-op", "unknown_operation"),
        ("null-confidence", "wrong_type"),
        ("cross-tenant-supersede", "supersede_other_tenant"),
    ],
)
@pytest.mark.parametrize("seed", ["1", "2", "3", "4", "5", "6"])
def test_a_damaged_line_is_skipped_where_the_report_says(
    make: Callable[..., Made], kind: str, code: str | None, seed: str
) -> None:
    made = make("--damage", kind, "--seed", seed)

    [report] = made.damage
    [skipped] = made.replay.skipped
    assert (skipped.number, skipped.offset) == (report["line"], report["offset"])
    assert code is None or skipped.reason.code == code


def test_a_fact_of_null_confidence_is_not_stored(make: Callable[..., Made]) -> None:
    made = make("--damage", "null-confidence")

    assert made.damage[0]["fact_id"] not in made.replay.state.facts


def test_unknown_fields_survive(make: Callable[..., Made]) -> None:
    made = make("--damage", "unknown-field")

    fact = made.replay.state.facts[made.damage[0]["fact_id"]]
    assert skipped_lines(made) == []
    assert fact.extra == b'"salience":0.7,"labels":{"a":[1,null]}'


def test_the_first_fact_with_an_id_counts(make: Callable[..., Made]) -> None:
    made = make("--damage", "duplicate-id")

    [report] = made.damage
    assert skipped_lines(made) == []
    assert made.replay.state.facts[report["fact_id"]].value != report["value"]
    assert [(line.number, line.reason.code) for line in made.replay.ignored] == [(report["line"], "known_id")]


def test_blank_lines_are_passed_over(make: Callable[..., Made]) -> None:
    made = make("--damage", "blank-lines")

    assert skipped_lines(made) == []
    assert made.replay.lines == made.summary["lines"]


def test_a_delete_before_its_store_deletes_nothing(make: Callable[..., Made]) -> None:
    made = make("--damage", "delete-before-store")

    [report] = made.damage
    assert skipped_lines(made) == []
    assert not made.replay.state.facts[report["fact_id"]].deleted
    assert [(line.number, line.reason.code) for line in made.replay.ignored] == [(report["line"], "unknown_fact")]


def test_a_missing_supersede_line_retires_nothing(make: Callable[..., Made]) -> None:
    made = make("--damage", "missing-supersede-line")

    [report] = made.damage
    facts = made.replay.state.facts
    assert facts[report["fact_id"]].supersedes == report["not_retired"]
    assert facts[report["not_retired"]].superseded_by is None


def test_times_out_of_order_are_kept(make: Callable[..., Made]) -> None:
    made = make("--damage", "out-of-order-stamps")

    assert skipped_lines(made) == []
    assert set(made.damage[0]["fact_ids"]) <= set(made.replay.state.facts)


def test_a_huge_value_is_read(make: Callable[..., Made]) -> None:
    made = make("--damage", "huge-line")

    [report] = made.damage
    assert len(made.replay.state.facts[report["fact_id"]].value.encode()) == report["value_bytes"]


def test_lines_ended_by_carriage_returns_are_read_alike(make: Callable[..., Made]) -> None:
    plain = make().replay.state.facts

    made = make("--damage", "crlf")

    assert skipped_lines(made) == []
    assert made.replay.state.facts == plain


@pytest.mark.parametrize("kind", ["torn-tail", "torn-tail-parseable"])
def test_a_torn_tail_is_reported_and_left_alone(make: Callable[..., Made], kind: str) -> None:
    made = make("--damage", kind)

    [report] = made.damage
    assert skipped_lines(made) == []
    assert made.replay.torn_tail_bytes == report["tail_bytes"]
    assert made.replay.lines == report["line"] - 1
    assert made.path.stat().st_size == report["offset"] + report["tail_bytes"]
