"""The index is what replay in memory says, however the journal was cut into batches."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.facts.models import Build, IndexedFact, TenantNumber
from apps.facts.policies import Policies
from apps.facts.projector import bring_up_to_date, rebuild
from apps.facts.projector.builds import remove_retired
from apps.facts.rules import MARK_BITS, State, unpack_cell
from cruxstore.facts.decay import DecayPolicy, effective_confidence, freshness
from cruxstore.facts.holds import resolve_holds
from cruxstore.facts.journal import replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import (
    ClearSupersede,
    Consolidate,
    ConsolidateUndo,
    ConsolidationProvenance,
    Delete,
    Fact,
    Horizon,
    Operation,
    ReplaceLatest,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
    Timestamp,
)
from cruxstore.facts.times import parse_timestamp
from tests.facts.index_content import content_of_index
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored

POLICIES = Policies(DecayPolicy(), PrivacyPolicy())
STAMP = "2026-11-30T09:00:00+00:00"

LONG = "customer:" + "x" * 300
CHAINS = (
    *[("default", "service:checkout", "owner")] * 5,
    ("acme", "service:checkout", "owner"),
    ("default", "__agent::lark::notes", "owner"),
    ("default", "__repo_scan__::acme::r1", "content"),
    ("default", "__legal_hold__::lh_1", "state"),
    ("acme", "__legal_hold__::lh_1", "state"),
    ("default", LONG, "no prefix"),
)
STAMPS = ("2024-01-01T00:00:00Z", "2026-11-29T12:00:00Z", "2026-11-30T08:00:00Z", "2027-03-01T00:00:00Z")


def hold_record(prefixes: Sequence[str], *, tenant: str, released: bool) -> str:
    record = {
        "schema": "crux.legal_hold.v1",
        "hold_id": "lh_1",
        "tenant_id": tenant,
        "entity_prefixes": list(prefixes),
        "reason": "a matter",
        "placed_at": "2026-11-01T00:00:00Z",
        "placed_by": "p_legal",
        "place_receipt_id": "r_1",
    }
    if released:
        record |= {"released_at": "2026-11-20T00:00:00Z", "released_by": "p_legal", "release_receipt_id": "r_2"}
    return json.dumps(record, separators=(",", ":"))


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    """Facts whose links may cross tenants, but an id is of one tenant: nobody makes the same one twice."""
    number = draw(st.integers(1, 14))
    tenant, entity, key = draw(st.sampled_from([chain for chain in CHAINS if (chain[0] == "acme") == (number > 10)]))
    value = draw(
        st.sampled_from(("yes", "no", "王芳", "", "Ünï\0code"))
        | st.builds(
            hold_record,
            st.sampled_from(((), ("service:",), ("team:", "customer:"))),
            tenant=st.just(tenant),
            released=st.booleans(),
        )
    )
    return make_fact(
        number,
        value,
        entity=entity,
        key=key,
        tenant=tenant,
        confidence=draw(st.sampled_from((0.3, 0.5, 1.0))),
        stored_at=parse_timestamp(draw(st.sampled_from(STAMPS))),
        horizon=draw(st.sampled_from(Horizon)),
        actor=draw(st.sampled_from((None, "deploy-bot", "curator"))),
        version=draw(st.integers(1, 3)),
        supersedes=draw(st.sampled_from([None, None, 1, 2, 3])),
        superseded_by=draw(st.sampled_from([None] * 6 + [1, 2, 3, 4])),
        private=draw(st.sampled_from([False] * 5 + [True])),
        deleted=draw(st.sampled_from([False] * 9 + [True])),
        extra=draw(st.none() | st.just(b'"_import":{"id":"i_1","line":3}')),
    )


ids = st.integers(1, 14).map(fact_id)
id_lists = st.lists(ids, max_size=3).map(tuple)
moments: st.SearchStrategy[Timestamp | None] = st.none() | st.sampled_from(STAMPS).map(parse_timestamp)
operations: st.SearchStrategy[Operation | bytes] = st.one_of(
    st.builds(Store, facts()),
    st.builds(Store, facts()),
    st.builds(Store, facts()),
    st.builds(StoreBatch, st.lists(facts(), max_size=3).map(tuple)),
    st.builds(ReplaceLatest, facts(), id_lists),
    st.builds(Supersede, ids, ids, st.just(STAMP)),
    st.builds(Supersede, ids, ids, st.just(STAMP)),
    st.builds(Delete, ids, st.just(STAMP)),
    st.builds(ClearSupersede, ids, st.just(STAMP)),
    st.builds(SetValidity, ids, moments, moments, st.just(STAMP)),
    st.builds(Consolidate, facts(), id_lists, st.just(STAMP)),
    st.builds(ConsolidationProvenance, ids, id_lists, st.sampled_from(("default", "acme")), st.just(STAMP)),
    st.builds(ConsolidateUndo, ids, id_lists, st.just(STAMP)),
    st.sampled_from((b"", b"  ", b"{", b'{"op":"forget"}', b"\xff")),
)


@pytest.mark.django_db
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(operations, min_size=12, max_size=40), cuts=st.lists(st.integers(1, 8), min_size=2, max_size=12))
def test_reading_a_journal_bit_by_bit_gives_the_index_that_reading_it_whole_gives(
    lines: list[Operation | bytes], cuts: list[int]
) -> None:
    with TemporaryDirectory() as folder:
        files = Files(Path(folder), instance_id=folder)
        start_over()
        rest = list(lines)
        for cut in [*cuts, len(lines)]:
            files.append(rest[:cut])
            rest = rest[cut:]
            bring_up_to_date(files, policies=POLICIES, now_ns=NOON_NS, limit=None)
        bit_by_bit = content_of_index()

        rebuild(files, policies=POLICIES, now_ns=NOON_NS)

        assert content_of_index() == bit_by_bit
        assert told_by_index() == told_by_memory(files)


def start_over() -> None:
    """Drops what an example before this one has left."""
    Build.objects.update(state=Build.State.RETIRED)
    remove_retired(100_000)
    TenantNumber.objects.all().delete()


def told_by_index() -> dict[str, tuple[object, ...]]:
    """What the index says of every fact, in words that memory has too."""
    tenants = dict(TenantNumber.objects.values_list("number", "name"))
    told: dict[str, tuple[object, ...]] = {}
    for row in IndexedFact.objects.all():
        parts = unpack_cell(row.cell)
        assert row.stream & 15 == parts.state << 2 | parts.freshness
        told[row.fact_id] = (
            tenants[row.home & 0xFFFF],
            row.search_text.split("\n")[0][:40],
            row.key,
            row.version,
            parts.state.name.lower(),
            row.superseded_by if parts.state == State.SUPERSEDED else None,
            parts.freshness.name.lower(),
            row.effective,
            {name for name, bit in MARK_BITS.items() if parts.marks & bit},
        )
    return told


def told_by_memory(files: Files) -> dict[str, tuple[object, ...]]:
    """The same from replay in memory."""
    facts = replay_journal(files.journal_path, POLICIES.privacy).state.facts.values()
    holds = resolve_holds(facts)
    chains = Counter(chain_of(fact) for fact in facts if state_of(fact) == "current" and not fact.private)
    told: dict[str, tuple[object, ...]] = {}
    for fact in facts:
        age = freshness(fact, NOON_NS // 1_000_000, POLICIES.decay)
        marks = {"private"} if fact.private else set()
        if any(hold.covers_fact(fact) for hold in holds):
            marks.add("held")
        if state_of(fact) == "current" and not fact.private and chains[chain_of(fact)] > 1:
            marks.add("conflict")
        told[fact.fact_id] = (
            fact.tenant_hash,
            fact.entity[:40],
            fact.key,
            fact.version,
            state_of(fact),
            fact.superseded_by if state_of(fact) == "superseded" else None,
            age.value,
            effective_confidence(fact.confidence, age),
            marks,
        )
    return told


def state_of(fact: Fact) -> str:
    if fact.deleted:
        return "deleted"
    return "current" if fact.superseded_by is None else "superseded"


def chain_of(fact: Fact) -> tuple[str, str, str]:
    return fact.tenant_hash, fact.entity, fact.key


@pytest.mark.django_db
def test_a_second_current_fact_puts_its_chain_in_conflict_whenever_it_comes(files: Files) -> None:
    files.write(stored(make_fact(1, "yes")))
    bring_up_to_date(files, policies=POLICIES, now_ns=NOON_NS)

    files.append(stored(make_fact(2, "no")))
    bring_up_to_date(files, policies=POLICIES, now_ns=NOON_NS)

    assert {told[-1] == {"conflict"} for told in told_by_index().values()} == {True}
