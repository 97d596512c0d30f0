"""What the daemon's questions answer over the index is what its rules say of the replayed facts that one may see."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.actions import SYSTEM
from apps.accounts.rules import Scope
from apps.facts.policies import Policies
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import recall, recall_pages
from apps.facts.rules import SEARCHED_BYTES, fold, folded_alone
from cruxstore.door import Store as OurStore
from cruxstore.errors import AggregateError, BadCursorError, BlankQueryError, CruxError, UnknownCursorError
from cruxstore.facts.decay import DecayPolicy
from cruxstore.facts.journal import replay_journal
from cruxstore.facts.privacy import PrivacyPolicy, logical_entity, owner_of
from cruxstore.facts.recall import aggregate as figures
from cruxstore.facts.recall import chains, pages, ranking
from cruxstore.facts.recall.aggregate import AggregateOp, AggregateQuery
from cruxstore.facts.recall.pages import ListQuery
from cruxstore.facts.recall.ranking import Answer, FactQuery
from cruxstore.facts.recall.terms import MatchFloor
from cruxstore.facts.records import (
    Consolidate,
    Delete,
    Fact,
    Horizon,
    Operation,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
    token_count,
)
from cruxstore.facts.times import parse_timestamp
from cruxstore.newfacts import NewFact
from cruxstore.replayed import read_state
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored
from tests.facts.test_projector import start_over

POLICIES = Policies(DecayPolicy(has_salience=True), PrivacyPolicy())
STAMP = "2026-11-30T09:00:00+00:00"
STRANGER = Scope(tenant="default", principal_id="p_reader")
SCOPES = (
    STRANGER,
    Scope(tenant="default", principal_id="p_owner", owner_names=frozenset({"lark", "wren"})),
    Scope(tenant="default", principal_id="p_officer", sees_ownerless_private=True),
    Scope(tenant="default", principal_id="k_gates", owner_names=frozenset({"lark"}), entity_prefix="gate"),
    Scope(tenant="default", principal_id="k_spaces", entity_prefix="customer:" + "x" * 90),
    Scope(tenant="acme", principal_id="p_neighbour"),
    Scope(tenant="nobody", principal_id="p_nobody"),
)
ENTITIES = (
    "service:checkout",
    "gate",
    "gate::M2",
    "Gate:m2:x",
    "ﬁne:é",
    "cafe\u0301",
    "customer:" + "x" * 300,
    "nul\0entity",
    "__agent::lark::notes",
    "__agent::lark::gate::M2",
    "__agent::wren::service:checkout",
    "__agent::unowned",
    "decisions::d1",
    "",
)
KEYS = ("owner", "M2", "deploy_gate", "k" * 250, "ΟΔΟΣ", "")
VALUES = (
    "$1,200 approved",
    "cafe\u0301 society",
    "café society",
    "Straße ﬁnal … ½",
    "ｶﾞ half",
    "한국\u1100\u1161",
    "ΟΔΟΣ Α",
    "İstanbul ab",
    "the prompt cache ttl",
    "precached blobs of the cache",
    "nul\0nul\x1e\x1e\x1e",
    "line\ntwo",
    "",
    "q" * SEARCHED_BYTES + " beyond the end",
    "é" * (SEARCHED_BYTES // 2) + "ab",
)
STAMPS = (
    "2024-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999999Z",
    "2026-11-29T12:00:00.000000001Z",
    "2026-11-29T12:00:00.000000999Z",
    "2026-11-29T12:00:00.000999Z",
    "2026-11-30T08:00:00Z",
    "2027-03-01T00:00:00Z",
)
WORDS = (
    "cache", "cafe", "café", "cafe\u0301", "CAFÉ", "fi", "ﬁ", "ab", "of", "the", "beyond", "strasse", "STRASSE", "ß",
    "ｶ", "ガ", "ᄀ", "가", "οδος", "ΟΔΟΣ", "i̇", "gate", "nul\0", "\u2400nul", "1/2", "½", "...", "q", "1,200", "\x1e",
    "\ud800", "line\ntwo", "GATE:m2", "gate::m2", "gate:", ":", "::", "M2:", "e:M2", "service:checkout:ow",
    "gate:\ud800", "cafe:", "é:owner", "notes:owner", "__agent", "lark", "prompt cache ttl", "Society line",
    "the and for",
)  # fmt: skip


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    """Facts that are hard to find: odd characters, cut names, stamps a nanosecond apart."""
    number = draw(st.integers(1, 40))
    value = draw(st.sampled_from(VALUES) | st.lists(st.sampled_from(WORDS[:20]), max_size=3).map(" ".join))
    fact = make_fact(
        number,
        value,
        entity=draw(st.sampled_from(ENTITIES)),
        key=draw(st.sampled_from(KEYS)),
        tenant="acme" if number > 32 else "default",
        confidence=draw(st.sampled_from((0.3, 0.5, 0.95, 1.0))),
        stored_at=parse_timestamp(draw(st.sampled_from(STAMPS))),
        horizon=draw(st.sampled_from(Horizon)),
        version=draw(st.integers(1, 3)),
        supersedes=draw(st.sampled_from([None, None, 1, 2, 3])),
        superseded_by=draw(st.sampled_from([None] * 6 + [1, 2, 99])),
        private=draw(st.sampled_from([False] * 5 + [True])),
        deleted=draw(st.sampled_from([False] * 9 + [True])),
    )
    starts = draw(st.sampled_from((None, *STAMPS)))
    return fact._replace(
        tokens=draw(st.sampled_from((0, 1, token_count(value), 50))),
        access_count=draw(st.sampled_from((0, 0, 7))),
        valid_from=None if starts is None else parse_timestamp(starts),
    )


ids = st.integers(1, 40).map(fact_id)
moments = st.none() | st.sampled_from(STAMPS).map(parse_timestamp)
operations: st.SearchStrategy[Operation] = st.one_of(
    st.builds(Store, facts()),
    st.builds(StoreBatch, st.lists(facts(), max_size=4).map(tuple)),
    st.builds(StoreBatch, st.lists(facts(), max_size=4).map(tuple)),
    st.builds(Supersede, ids, ids, st.just(STAMP)),
    st.builds(Delete, ids, st.just(STAMP)),
    st.builds(SetValidity, ids, moments, moments, st.just(STAMP)),
    st.builds(Consolidate, facts(), st.lists(ids, max_size=3).map(tuple), st.just(STAMP)),
)
nanoseconds = st.none() | st.sampled_from(STAMPS).map(lambda text: parse_timestamp(text).ns)
prefixes = st.sampled_from((None, None, "", "g", "gate", "customer:" + "x" * 250, "nul\0", "nul\u2400", "__agent", "n"))
fact_queries = st.builds(
    FactQuery,
    query=st.none() | st.sampled_from(WORDS) | st.lists(st.sampled_from(WORDS), min_size=2, max_size=3).map(" ".join),
    entity=st.sampled_from((None, None, None, *ENTITIES, "notes", "\ud800")),
    entity_prefix=prefixes,
    key=st.sampled_from((None, None, None, *KEYS)),
    as_of_ns=nanoseconds,
    top_k=st.sampled_from((0, 1, 2, 5, 100)),
    token_budget=st.sampled_from((None, None, 0, 1, 4, 60, 100_000)),
    min_effective_confidence=st.sampled_from((None, None, 0.4, 0.5, 0.95)),
    include_superseded=st.booleans(),
    include_fallback=st.booleans(),
    by_stated_confidence=st.booleans(),
)
aggregate_queries = st.builds(
    AggregateQuery,
    op=st.sampled_from(AggregateOp),
    entity=st.sampled_from((None, *ENTITIES)),
    key=st.sampled_from((None, *KEYS)),
    query=st.none() | st.sampled_from(WORDS),
    as_of_ns=nanoseconds,
    token_budget=st.sampled_from((None, 0, 4, 60)),
)
list_queries = st.builds(
    ListQuery,
    limit=st.sampled_from((1, 2, 5, 100)),
    query=st.none() | st.sampled_from(WORDS),
    entity_prefix=prefixes,
    stored_until_ms=nanoseconds.map(lambda ns: None if ns is None else ns // 1_000_000) | st.just(1 << 62),
    include_superseded=st.booleans(),
)


def seen_by(scope: Scope, replayed: dict[str, Fact]) -> list[Fact]:
    """What one may see of all facts that were ever stored; no link leads to an entity that is absent."""
    outside = {fact.fact_id for fact in replayed.values() if not scope.is_within(fact.entity)}
    return [
        fact._replace(superseded_by=None) if fact.superseded_by in outside else fact
        for fact in replayed.values()
        if fact.tenant_hash == scope.tenant
        and fact.fact_id not in outside
        and scope.may_read(private=fact.private, owner=owner_of(fact.entity) or "")
    ]


def told(ask: Callable[..., Any], *asked: Any, **where: Any) -> Any:
    """An answer, or the error in its place."""
    try:
        answer = ask(*asked, **where)
    except CruxError as error:
        return type(error)
    # -0.0 and 0.0 are equal, but not the same answer
    return answer, repr(getattr(answer, "value", None))


@pytest.mark.django_db
@settings(max_examples=12, deadline=None, suppress_health_check=[*HealthCheck])
@given(
    lines=st.lists(operations, min_size=8, max_size=25),
    asked=st.lists(fact_queries, min_size=8, max_size=8),
    reckoned=st.lists(aggregate_queries, min_size=5, max_size=5),
    listed=st.lists(list_queries, min_size=4, max_size=4),
    floor=st.sampled_from((MatchFloor(), MatchFloor(), MatchFloor(None), MatchFloor(0.9))),
)
def test_every_answer_is_what_the_rules_say_of_the_replayed_facts(
    lines: list[Operation],
    asked: list[FactQuery],
    reckoned: list[AggregateQuery],
    listed: list[ListQuery],
    floor: MatchFloor,
) -> None:
    with TemporaryDirectory() as folder:
        files = Files(Path(folder), instance_id=folder)
        start_over()
        files.write(lines)
        bring_up_to_date(files, policies=POLICIES, now_ns=NOON_NS, limit=None)
        replayed = replay_journal(files.journal_path, POLICIES.privacy).state.facts

        for scope in SCOPES:
            seen = seen_by(scope, replayed)
            for query in asked:
                assert told(over_index, scope, query, files, floor) == told(by_rules, query, seen, floor)
            for figure in reckoned:
                over = told(recall.aggregate, scope, figure, store=files)
                assert over == told(figures.aggregate, figure, seen)
            for wanted in listed:
                assert [*walked(scope, wanted, files)] == [*walked_by_rules(wanted, seen)]
            for since_ns in (None, parse_timestamp(STAMPS[2]).ns):
                assert exported(scope, files, since_ns) == exported_by_rules(seen, since_ns)
            assert recall_pages.live_entities(scope, store=files) == chains.live_entities(seen)


def over_index(scope: Scope, query: FactQuery, files: Files, floor: MatchFloor) -> Answer:
    return recall.query_facts(scope, query, store=files, now_ns=NOON_NS, floor=floor, policies=POLICIES)


def by_rules(query: FactQuery, seen: list[Fact], floor: MatchFloor) -> Answer:
    return ranking.query_facts(
        query,
        seen,
        now_ms=NOON_NS // 1_000_000,
        decay=POLICIES.decay,
        floor=floor,
        shown_entity=lambda fact: logical_entity(fact.entity),
    )


def walked(scope: Scope, query: ListQuery, files: Files) -> Iterator[Any]:
    """Every page of a list, and the page behind odd cursors."""
    yield from pages_of(lambda cursor: recall_pages.list_facts(scope, after(query, cursor), store=files))
    for odd in ODD_CURSORS:
        yield told(recall_pages.list_facts, scope, after(query, odd), store=files)


def walked_by_rules(query: ListQuery, seen: list[Fact]) -> Iterator[Any]:
    yield from pages_of(lambda cursor: pages.list_page(after(query, cursor), seen))
    for odd in ODD_CURSORS:
        yield told(pages.list_page, after(query, odd), seen)


ODD_CURSORS = ("1764417600000:f_\ud800", "-1:f_", f"{'9' * 19}:x", "x", "1764417600000")


def after(query: ListQuery, cursor: str | None) -> ListQuery:
    return ListQuery(
        query.limit, cursor, query.query, query.entity_prefix, query.stored_until_ms, query.include_superseded
    )


def pages_of(ask: Any) -> Iterator[Any]:
    cursor = None
    while True:
        answer = told(ask, cursor)
        yield answer
        cursor = None if isinstance(answer, type) else answer[0].next_cursor
        if cursor is None:
            return


def exported(scope: Scope, files: Files, since_ns: int | None) -> list[Any]:
    def ask(cursor: str | None) -> Any:
        return recall_pages.export_page(scope, limit=2, cursor=cursor, since_ns=since_ns, store=files)

    return [*pages_of(ask), *(told(ask, cursor) for cursor in (fact_id(1), fact_id(35), "f_\ud800"))]


def exported_by_rules(seen: list[Fact], since_ns: int | None) -> list[Any]:
    def ask(cursor: str | None) -> Any:
        return pages.export_page(seen, limit=2, cursor=cursor, since_ns=since_ns)

    return [*pages_of(ask), *(told(ask, cursor) for cursor in (fact_id(1), fact_id(35), "f_\ud800"))]


@pytest.mark.django_db
def test_every_odd_word_finds_what_it_finds_by_the_rules(files: Files) -> None:
    texts = [(entity, key, "plain") for entity in ENTITIES for key in KEYS] + [("e", "k", value) for value in VALUES]
    times = [parse_timestamp(stamp) for stamp in STAMPS]
    odd = [
        make_fact(n, value, entity=entity, key=key, stored_at=times[n % len(times)])
        for n, (entity, key, value) in enumerate(texts)
    ]
    files.write(stored(*odd))
    bring_up_to_date(files, policies=POLICIES, now_ns=NOON_NS, limit=None)
    replayed = replay_journal(files.journal_path, POLICIES.privacy).state.facts

    for scope in SCOPES[:2]:
        seen = seen_by(scope, replayed)
        for word in WORDS:
            query = FactQuery(query=word, top_k=1000, include_fallback=True)
            assert over_index(scope, query, files, MatchFloor()) == by_rules(query, seen, MatchFloor())
            listed = ListQuery(1000, query=word)
            assert recall_pages.list_facts(scope, listed, store=files) == pages.list_page(listed, seen)
        assert [*walked(scope, ListQuery(1), files)] == [*walked_by_rules(ListQuery(1), seen)]


@settings(max_examples=500)
@given(st.text(), st.data())
def test_what_a_folded_text_may_hide_is_marked(text: str, data: st.DataObject) -> None:
    lowered = text.lower()
    start = data.draw(st.integers(0, len(lowered)))
    part = lowered[start : start + data.draw(st.integers(1, 4))]

    assert folded_alone(part) in folded_alone(text)
    if fold(text) == folded_alone(text):
        assert folded_alone(part) in fold(text)


@pytest.mark.django_db
def test_what_cannot_be_asked_is_an_error_of_its_own(files: Files) -> None:
    files.write(stored(make_fact(1, "yes")))
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)

    with pytest.raises(BlankQueryError):
        recall.query_facts(STRANGER, FactQuery(query=" \u3000"), store=files, now_ns=NOON_NS)
    with pytest.raises(BlankQueryError):
        recall.aggregate(STRANGER, AggregateQuery(AggregateOp.COUNT, query=""), store=files)
    with pytest.raises(AggregateError):
        recall.aggregate(STRANGER, AggregateQuery(AggregateOp.TEMPORAL_DIFF, entity="e"), store=files)
    with pytest.raises(BlankQueryError):
        recall_pages.list_facts(STRANGER, ListQuery(10, query="\t"), store=files)
    with pytest.raises(BadCursorError):
        recall_pages.list_facts(STRANGER, ListQuery(10, cursor="yesterday"), store=files)
    with pytest.raises(UnknownCursorError):
        recall_pages.export_page(STRANGER, limit=10, cursor=fact_id(2), store=files)


@pytest.mark.django_db
def test_many_facts_that_rank_the_same_are_told_apart_by_the_nanosecond_and_the_id(files: Files) -> None:
    times = [parse_timestamp(f"2026-11-30T08:00:00.0000000{n % 10:02d}Z") for n in range(60)]
    many = [make_fact(n, "same", entity=f"team:{n}", stored_at=time) for n, time in enumerate(times)]
    files.write(stored(*many))
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)

    for query in (FactQuery(top_k=7), FactQuery(query="same", top_k=7), FactQuery(token_budget=9)):
        answer = recall.query_facts(STRANGER, query, store=files, now_ns=NOON_NS)

        best = sorted(many, key=lambda fact: (-fact.stored_at.ns, fact.fact_id))
        assert [row.fact for row in answer.rows] == best[: len(answer.rows)]
        assert len(answer.rows) == (7 if query.token_budget is None else 9)


@pytest.mark.django_db(transaction=True)
def test_what_events_say_of_a_fact_counts_in_an_answer(store: OurStore) -> None:
    with store.writing() as door:
        view = read_state(store)
        receipt = door.store_facts(SYSTEM, "default", [NewFact("team:a", "lead", "Ana")], view=view)
    (made,) = receipt.fact_ids
    with store.writing() as door:
        door.set_horizon(SYSTEM, "default", made, Horizon.VOLATILE, view=read_state(store))
    now_ns = NOON_NS + 400 * 24 * 3_600_000_000_000
    bring_up_to_date(store, now_ns=now_ns, limit=None)

    answer = recall.query_facts(STRANGER, FactQuery(query="ana"), store=store, now_ns=now_ns)

    assert [row.fact for row in answer.rows] == [read_state(store).facts[made]]
    assert [row.freshness.value for row in answer.rows] == ["stale"]
