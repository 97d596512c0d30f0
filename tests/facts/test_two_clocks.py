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
from cruxstore.facts.records import Consolidate, Fact, Operation, ReplaceLatest, Store, StoreBatch, Timestamp
from tests.facts.journals import NOON_NS, Files
from tests.facts.test_projector import POLICIES, operations, start_over, state_of

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
