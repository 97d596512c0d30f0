"""The demo store: the same bytes on every machine, and everything in it that a tour or a test counts on."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from apps.facts.demo.builder import build_demo_journal
from apps.facts.demo.days import StoryDays
from apps.facts.demo.people import PEOPLE, TENANTS
from cruxstore.facts.codec import decode_line, encode_operation
from cruxstore.facts.decay import DecayPolicy, Freshness, freshness
from cruxstore.facts.holds import resolve_holds
from cruxstore.facts.journal import Replay, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy, owner_of
from cruxstore.facts.records import Fact, Horizon

TODAY = date(2026, 11, 30)
DAYS = [TODAY, date(2026, 12, 3), date(2027, 1, 3), date(2028, 2, 29)]
MIDNIGHT_MS = int(datetime(2026, 11, 30, tzinfo=UTC).timestamp() * 1000)
SKEWED_ENTITIES = {"edge:rotterdam-2", "edge:bergen-1"}


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's journal as it is made on one Monday."""
    path = tmp_path_factory.mktemp("demo") / "facts.jsonl"
    build_demo_journal(today=TODAY, into=path)
    return path


@pytest.fixture(scope="module")
def replay(journal: Path) -> Replay:
    """What that journal says."""
    return replay_journal(journal, PrivacyPolicy.from_environment({}))


@pytest.fixture(scope="module")
def facts(replay: Replay) -> list[Fact]:
    """Every fact of both tenants, deleted ones too."""
    return list(replay.state.facts.values())


def chain(facts: Iterable[Fact], entity: str, key: str, tenant: str = "default") -> list[Fact]:
    """All versions of one entity and key, as they were told."""
    return [fact for fact in facts if (fact.tenant_hash, fact.entity, fact.key) == (tenant, entity, key)]


def live(facts: Iterable[Fact]) -> list[Fact]:
    """Those that are neither deleted nor superseded."""
    return [fact for fact in facts if not fact.deleted and fact.superseded_by is None]


def test_the_same_day_gives_the_same_bytes(journal: Path, tmp_path: Path) -> None:
    again = tmp_path / "facts.jsonl"

    build_demo_journal(today=TODAY, into=again)

    assert again.read_bytes() == journal.read_bytes()


def test_every_line_is_spelled_as_the_daemon_spells_it(journal: Path, replay: Replay) -> None:
    unreadable = {line.number for line in replay.unreadable}
    lines = journal.read_bytes().splitlines()

    readable = [line for number, line in enumerate(lines, start=1) if number not in unreadable]

    assert all(encode_operation(decode_line(line)) == line for line in readable)


def test_an_existing_journal_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_bytes(b"mine\n")

    with pytest.raises(FileExistsError):
        build_demo_journal(today=TODAY, into=path)

    assert path.read_bytes() == b"mine\n"


@pytest.mark.parametrize("today", DAYS, ids=str)
def test_on_any_day_only_the_planted_lines_cannot_be_followed(today: date, tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    build_demo_journal(today=today, into=path)

    replay = replay_journal(path, PrivacyPolicy.from_environment({}))

    assert [line.reason.code for line in replay.rule_breaking] == ["delete_of_source"]
    assert len(replay.unreadable) == 2
    assert not replay.redundant
    assert not replay.torn_tail_bytes
    assert [line.reason.code for line in replay.ignored] == ["unknown_fact", "unknown_fact"]
    assert not re.findall(rb"\[\[[+-]?\d+[^\]]*\]\]", path.read_bytes())


def test_both_tenants_have_a_year_of_facts(facts: list[Fact]) -> None:
    tenants = Counter(fact.tenant_hash for fact in facts)
    first, last = (pick(fact.stored_at.text for fact in facts if fact.version == 1) for pick in (min, max))

    assert set(tenants) == set(TENANTS)
    assert 900 <= tenants["default"] <= 1400
    assert 130 <= tenants["acme"] <= 180
    assert (first, last[:4]) == ("1970-01-01T00:00:00Z", "2026")


def test_recorded_times_never_go_back_but_for_a_box_whose_clock_was_wrong(facts: list[Fact]) -> None:
    skewed = [fact for fact in facts if fact.entity in SKEWED_ENTITIES and not is_of_the_year(fact)]
    others = [fact for fact in facts if fact not in skewed]

    assert all(one.stored_at.ns < next_one.stored_at.ns for one, next_one in pairwise(others))
    assert all(is_of_the_year(fact) for fact in others)
    assert 3 <= len(skewed) <= 8


def is_of_the_year(fact: Fact) -> bool:
    """Whether its stamp lies before the demo was made and after the old store began."""
    return (MIDNIGHT_MS - 430 * 86_400_000) * 1_000_000 < fact.stored_at.ns < MIDNIGHT_MS * 1_000_000


def test_the_day_itself_is_told_as_far_as_it_has_gone(tmp_path: Path, facts: list[Fact]) -> None:
    nine = int(datetime(2026, 11, 30, 9, 0, tzinfo=UTC).timestamp()) * 1_000_000_000
    path = tmp_path / "facts.jsonl"

    build_demo_journal(today=TODAY, into=path, now_ns=nine)

    new = list(replay_journal(path, PrivacyPolicy.from_environment({})).state.facts.values())[len(facts) :]
    assert {fact.stored_at.text[:10] for fact in new} == {"2026-11-30"}
    assert max(fact.stored_at.ns for fact in new) < nine
    assert chain(new, "change:4471", "state")
    assert not chain(new, "deploy:checkout-410", "result")


def test_offices_rest_at_weekends_and_machines_do_not(facts: list[Fact]) -> None:
    weekend: Counter[str | None] = Counter()
    for fact in facts:
        day = date.fromisoformat(fact.stored_at.text[:10])
        if day.weekday() >= 5 and 13 < (TODAY - day).days < 366:
            weekend[fact.actor] += 1

    assert not {"contract-reader", "support-copilot", "policy-reader", "research-2", "curator"} & weekend.keys()
    assert {"edge-agent-3", "bench-runner", "ops-night"} <= weekend.keys()


def test_metrics_have_long_chains(facts: list[Fact]) -> None:
    lengths = Counter((fact.entity, fact.key) for fact in facts)

    assert lengths["bench:search-index", "p95_ms"] == 90
    assert lengths["edge:rotterdam-2", "clock_offset_ms"] >= 75
    assert lengths["service:checkout", "p95_ms"] >= 60
    assert sum(length >= 10 for length in lengths.values()) >= 20
    versions = [fact.version for fact in chain(facts, "bench:search-index", "p95_ms")]
    assert versions == list(range(1, 91))


def test_every_horizon_has_stale_facts_and_wrong_clocks_are_unknown(facts: list[Fact]) -> None:
    states = {
        horizon: Counter(
            freshness(fact, MIDNIGHT_MS, DecayPolicy()) for fact in live(facts) if fact.horizon_class is horizon
        )
        for horizon in Horizon
    }

    for horizon in (Horizon.VOLATILE, Horizon.MEDIUM, Horizon.STABLE):
        assert states[horizon][Freshness.STALE] >= 5
        assert states[horizon][Freshness.FRESH] >= 5
    assert states[Horizon.VOLATILE][Freshness.UNKNOWN] >= 3
    assert set(states[Horizon.NONE]) == {Freshness.FRESH}


def test_what_a_compaction_left_is_folded_into_the_oldest_facts(facts: list[Fact]) -> None:
    oldest = facts[:21]

    assert sum(fact.reverified_at is not None for fact in oldest) == 3
    assert sum(fact.access_count > 0 for fact in oldest) >= 8
    assert [fact.version for fact in oldest if fact.supersedes is not None] == [3]
    assert sum(fact.valid_to is not None for fact in oldest) == 1


def test_contradictions_are_two_live_heads(facts: list[Fact]) -> None:
    heads = defaultdict(list)
    for fact in live(facts):
        heads[fact.tenant_hash, fact.entity, fact.key].append(fact.value)
    pairs = {place: values for place, values in heads.items() if len(values) > 1}

    assert pairs["default", "service:checkout", "deploy_ok"] == ["yes", "no"]
    assert pairs["default", "vendor:northpass", "iso27001_certificate"] == ["present", "absent"]
    assert pairs["default", "service:search", "semantic_rank_enabled"] == ["disabled", "enabled"]
    assert ("default", "service:checkout", "deploy_gate") in pairs
    assert ("default", "customer:halden-foods", "price_plan") in pairs
    assert ("default", "runbook:failover", "step_3") in pairs
    assert pairs["acme", "bed:roses", "black_spot"] == ["present", "absent"]
    assert Counter(tenant for tenant, _, _ in pairs) == {"default": 14, "acme": 2}


def test_the_price_of_halden_foods_was_corrected_backwards(facts: list[Fact]) -> None:
    standard, volume, partner, moved = chain(facts, "customer:halden-foods", "price_plan")

    assert (standard.valid_to, volume.valid_to) == (volume.valid_from, moved.valid_from)
    assert volume.valid_from is not None
    assert volume.valid_from.ns < volume.stored_at.ns
    assert partner.valid_to == moved.valid_to
    assert moved.valid_to is not None
    assert moved.valid_to.text == "2027-04-01T00:00:00Z"
    assert "from 1 November 2026 to 31 March 2027" in moved.value


def test_some_facts_hold_later_than_now(facts: list[Fact]) -> None:
    later = [fact for fact in facts if fact.valid_from is not None and fact.valid_from.ns > MIDNIGHT_MS * 1_000_000]

    assert len(later) >= 5


def test_private_facts_have_owners_or_none(facts: list[Fact]) -> None:
    private = [fact for fact in facts if fact.private and not fact.entity.startswith("__legal_hold__::")]
    owners = {owner_of(fact.entity) for fact in private}

    assert {"support-copilot", "contract-reader", "triage-7", "deploy-bot"} <= owners
    assert {"curator", "curator2", "officer", "officer2", "stranger"} <= owners
    assert None in owners
    ownerless = {fact.entity.split("::")[0] for fact in private if owner_of(fact.entity) is None}
    assert {"__ops", "__coord__", "__infra__", "__project__", "decisions", "github"} <= ownerless


def test_one_hold_binds_and_one_is_released(facts: list[Fact]) -> None:
    released, active = resolve_holds(facts)

    covered = {fact.entity for fact in facts if active.covers(fact.tenant_hash, fact.entity)}
    assert (released.active, active.active) == (False, True)
    assert released.released_by == "officer2"
    assert active.entity_prefixes == ("customer:halden", "incident:118")
    assert {"customer:halden-foods", "customer:halden-marine", "incident:118"} <= covered
    assert "__agent::support-copilot::customer:halden-foods" not in covered
    assert any(fact.deleted and active.covers(fact.tenant_hash, fact.entity) for fact in facts)


def test_one_merge_stands_and_one_was_taken_back(replay: Replay, facts: list[Fact]) -> None:
    standing = chain(facts, "customer:nordkyst", "delivery_note")
    undone = chain(facts, "customer:castro-mar", "closed_days")

    assert len(live(standing)) == 1
    assert len(standing) == 4
    assert replay.state.consolidation(live(standing)[0].fact_id) == tuple(fact.fact_id for fact in standing[:3])
    assert [fact.deleted for fact in undone] == [False, False, True]
    assert len(live(undone)) == 2


def test_deletions_leave_gaps_and_reuse_version_numbers(facts: list[Fact]) -> None:
    fax = chain(facts, "customer:halden-foods", "fax")

    assert sum(fact.deleted for fact in facts) >= 6
    assert [(fact.version, fact.deleted) for fact in fax] == [(1, False), (2, True), (2, False)]


def test_one_person_stands_in_many_places_under_several_spellings(facts: list[Fact]) -> None:
    entities = {fact.entity for fact in facts if re.search(r"jonas|\bvik\b|viik", (fact.entity + fact.value).lower())}

    assert {"person:jonas-vik", "person:jonas-wik", "ticket:hf-2304", "incident:118", "contract:hf-77"} <= entities
    assert {"customer:halden-foods", "meeting:halden-quarterly", "__agent::officer::matters"} <= entities
    assert "customer:halden-marine" in entities
    assert len(entities) >= 12
    assert "jonas.vik@halden-foods.example" in chain(facts, "incident:118", "log_excerpt")[0].value


def test_values_come_in_many_scripts(facts: list[Fact]) -> None:
    text = "\n".join(fact.value for fact in facts)

    for word in ("王芳", "佐藤", "Елена", "Brais Outeiro", "Bestellnummer", "crustacés".capitalize(), "البحر"):
        assert word in text


def test_hostile_text_is_kept_as_it_came(facts: list[Fact]) -> None:
    text = "\n".join(fact.value for fact in facts)

    for piece in ("<script>", "hx-get=", "{{ order.id }}", "\u202e", "\u200b", "\u0000", "=HYPERLINK(", "Cafe\u0301"):
        assert piece in text
    assert "AUTOMATED READERS" in text
    assert {"", "  two spaces before, a tab\tinside, a line break\r\nand two spaces after  "} <= {
        fact.value for fact in facts
    }


def test_a_long_value_and_documents_that_change_by_one_path(facts: list[Fact]) -> None:
    excerpt = chain(facts, "incident:118", "log_excerpt")[0]
    flags = [json.loads(fact.value) for fact in chain(facts, "service:checkout", "feature_flags")]

    assert 40_000 <= len(excerpt.value.encode()) <= 42_000
    assert len(flags) == 12
    assert all(len(differences(one, next_one)) == 1 for one, next_one in pairwise(flags))


def differences(one: object, other: object, path: str = "$") -> list[str]:
    """The paths at which two documents differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = one.keys() | other.keys()
        return [found for key in keys for found in differences(one.get(key), other.get(key), f"{path}.{key}")]
    return [] if one == other else [path]


def test_unknown_members_of_facts_survive(facts: list[Fact]) -> None:
    extras = [fact.extra for fact in facts if fact.extra is not None]

    assert extras == [b'"locale":"nb-NO"', b'"channel":"phone","heard_by":["support-copilot","triage-7"]']


def test_dates_of_the_story_keep_its_weekdays() -> None:
    for today in DAYS:
        days = StoryDays(today)

        assert days.date_of(-14).weekday() == 0
        assert days.date_of(-365).weekday() == 6
        assert days.date_of(-13) == today - timedelta(days=13)
        assert days.date_of("+91 next").day == 1
        assert days.date_of("+91 last") + timedelta(days=1) == days.date_of("+91 next")


def test_demo_people_sign_in_with_their_names() -> None:
    sign_ins = {person.username: person for person in PEOPLE}

    assert list(sign_ins) == ["curator", "curator2", "officer", "officer2", "admin", "viewer", "stranger"]
    assert sign_ins["curator"].password == "curator-demo"
    assert sign_ins["admin"].roles == ("admin", "operator")
    assert sign_ins["stranger"].tenant == "acme"
    assert {person.tenant for person in PEOPLE} == set(TENANTS)
