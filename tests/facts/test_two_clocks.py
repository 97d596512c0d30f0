"""As known on K and about T: what the list answers at every moment is what reading the beginning of the files says."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.rules import Scope
from apps.facts.answers import FactFilter, FactRow
from apps.facts.models import IndexedFact
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import find_facts
from cruxstore.facts.decay import freshness
from cruxstore.facts.journal import Replay, read_lines, replay_lines
from cruxstore.facts.records import (
    Consolidate,
    Fact,
    Operation,
    ReplaceLatest,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
    Timestamp,
)
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import NOON_NS, Files, make_fact
from tests.facts.test_projector import POLICIES, STAMPS, operations, start_over, state_of

EVERY_STATE = FactFilter(state=("current", "superseded", "deleted"))
SCOPE = Scope(tenant="default", principal_id="p_reader", owner_names=frozenset({"lark"}), sees_ownerless_private=True)


@pytest.mark.django_db
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(operations, min_size=8, max_size=24))
def test_at_every_line_the_list_is_what_replaying_the_lines_until_there_gives(lines: list[Operation | bytes]) -> None:
    with TemporaryDirectory() as folder:
        files = Files(Path(folder), instance_id=folder)
        start_over()
        files.write(lines)
        left_out = retired_across_tenants(lines)
        bring_up_to_date(files, policies=POLICIES, now_ns=NOON_NS, limit=None)

        for line in range(1, len(lines) + 1):
            asked = replace(EVERY_STATE, known=f"line {line}")
            page = find_facts(SCOPE, asked, store=files, now_ns=NOON_NS)

            assert page.clocks.known is not None
            assert page.clocks.known.lines == line
            told, expected = told_by(page.rows), told_until(files, line, page.clocks.now_ns)
            assert told.keys() == expected.keys()
            assert {name: told[name] for name in told.keys() - left_out} == {
                name: expected[name] for name in expected.keys() - left_out
            }
            assert page.count.value == len(page.rows)
            # a tenant of which the journal says nothing has no facets
            counted = {value.value: value.count.value for facet in page.facets[1:2] for value in facet.values}
            assert all(counted.get(state, 0) == states_of(page.rows)[state] for state in EVERY_STATE.state)


@pytest.mark.django_db
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(operations, min_size=8, max_size=24), about=st.sampled_from(STAMPS))
def test_at_every_line_about_a_moment_the_list_is_what_replay_until_there_says_of_it(
    lines: list[Operation | bytes], about: str
) -> None:
    with TemporaryDirectory() as folder:
        files = Files(Path(folder), instance_id=folder)
        start_over()
        files.write(lines)
        bring_up_to_date(files, policies=POLICIES, now_ns=NOON_NS, limit=None)

        for line in range(1, len(lines) + 1):
            asked = replace(EVERY_STATE, known=f"line {line}", about=about)
            page = find_facts(SCOPE, asked, store=files, now_ns=NOON_NS)

            told = {row.fact_id: row.state for row in page.rows}
            expected, left_out = held_until(files, line, parse_timestamp(about).ns)
            assert told.keys() - left_out == expected.keys() - left_out
            assert {name: told[name] for name in expected.keys() - left_out} == {
                name: expected[name] for name in expected.keys() - left_out
            }
            # the facets are reckoned by the database, the rows are not
            counted = {value.value: value.count.value for facet in page.facets[1:2] for value in facet.values}
            assert all(counted.get(state, 0) == states_of(page.rows)[state] for state in EVERY_STATE.state)


@pytest.mark.django_db
def test_a_validity_set_later_neither_hides_a_fact_earlier_nor_brings_back_what_it_replaced(
    files: Files, reader: Scope
) -> None:
    old = make_fact(1, "yes", stored_at=parse_timestamp("2026-01-01T00:00:00Z"))
    new = make_fact(2, "no", stored_at=parse_timestamp("2026-02-01T00:00:00Z"), supersedes=1)
    later = parse_timestamp("2026-05-01T00:00:00Z")
    files.write(
        [
            Store(old),
            Store(new),
            Supersede(old.fact_id, new.fact_id, later.text),
            SetValidity(new.fact_id, later, None, later.text),
        ]
    )
    bring_up_to_date(files, policies=POLICIES, now_ns=NOON_NS, limit=None)

    def states(known: str) -> dict[str, int]:
        asked = replace(EVERY_STATE, known=known, about="2026-03-01T00:00:00Z")
        page = find_facts(reader, asked, store=files, now_ns=NOON_NS)
        assert sum(value.count.value for value in page.facets[1].values) == len(page.rows)
        return {value.value: value.count.value for value in page.facets[1].values if value.count.value}

    assert states("line 3") == {"current": 1, "superseded": 1}
    assert states("line 4") == {"current": 1}


def held_until(files: Files, line: int, about_ns: int) -> tuple[dict[str, str], set[str]]:
    """What holds about a moment and as what, by replay of so many lines; and those whose successor it does not know."""
    facts = replayed(files, line).state.facts
    kept = set(IndexedFact.objects.filter(line_no__lte=line).values_list("fact_id", flat=True))
    told: dict[str, str] = {}
    unknown: set[str] = set()
    for fact in facts.values():
        if fact.tenant_hash != "default" or fact.fact_id not in kept:
            continue
        start = fact.valid_from or (None if fact.supersedes is None else fact.stored_at)
        if (start and start.ns > about_ns) or (fact.valid_to and fact.valid_to.ns <= about_ns):
            continue
        successor = facts.get(fact.superseded_by or "")
        if fact.superseded_by is not None and (successor is None or successor.tenant_hash != fact.tenant_hash):
            unknown.add(fact.fact_id)
        is_to_come = successor is not None and (successor.valid_from or successor.stored_at).ns > about_ns
        told[fact.fact_id] = "current" if not fact.deleted and is_to_come else state_of(fact)
    return told, unknown


def retired_across_tenants(lines: Iterable[Operation | bytes]) -> set[str]:
    """Facts that name a successor in another tenant: such a link counts at no moment, in replay until it is known."""
    stored: list[Fact] = []
    for line in lines:
        match line:
            case Store(fact) | ReplaceLatest(fact) | Consolidate(fact):
                stored.append(fact)
            case StoreBatch(facts):
                stored += facts
    tenants = {(fact.fact_id, fact.tenant_hash) for fact in stored}
    return {
        fact.fact_id
        for fact in stored
        if any(name == fact.superseded_by and tenant != fact.tenant_hash for name, tenant in tenants)
    }


def states_of(rows: Iterable[FactRow]) -> Counter[str]:
    return Counter(row.state for row in rows)


def told_by(rows: Iterable[FactRow]) -> dict[str, tuple[object, ...]]:
    return {row.fact_id: (row.state, row.freshness, row.valid_from, row.valid_to) for row in rows}


def told_until(files: Files, line: int, now_ns: int) -> dict[str, tuple[object, ...]]:
    """The same from replay of so many lines; facts that were removed for good later are in neither."""
    facts = replayed(files, line).state.facts
    kept = set(IndexedFact.objects.filter(line_no__lte=line).values_list("fact_id", flat=True))
    return {
        fact.fact_id: (
            state_of(fact),
            freshness(fact, now_ns // 1_000_000, POLICIES.decay).value,
            moment(fact.valid_from),
            moment(fact.valid_to),
        )
        for fact in facts.values()
        if fact.tenant_hash == "default" and fact.fact_id in kept
    }


def replayed(files: Files, line: int) -> Replay:
    with files.journal_path.open("rb") as stream:
        first = [one for one in read_lines(stream) if one.number <= line]
    return replay_lines(first, POLICIES.privacy)


def moment(stamp: Timestamp | None) -> datetime | None:
    return None if stamp is None else datetime.fromisoformat(stamp.text)
