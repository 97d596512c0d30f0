"""What a person can do with facts: once each, seen before, only what they may, and as the plan said."""

import re
import time
from collections.abc import Callable

import pytest

from apps.accounts.models import User
from apps.accounts.rules import Scope
from apps.facts.acting import acting
from apps.facts.actions import (
    Asked,
    correct_fact,
    delete_fact,
    merge_facts,
    set_horizon,
    set_validity,
    state_fact,
    undo_merge,
    verify_again,
)
from apps.facts.queries import plans
from apps.facts.queries.standing import FactHeldError, HiddenChainError, NotNewestError, standing_of
from cruxstore.door import NewFact, Receipt, Store
from cruxstore.errors import (
    ImplicitPriorNotTargetError,
    NotFoundError,
    NotPermittedError,
    VersionConflictError,
)
from cruxstore.facts.consolidation import ConsolidationRequest
from cruxstore.facts.records import Horizon
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Action, Actor
from tests.holds import place_hold
from tests.people import principal, scope

SEPTEMBER = parse_timestamp("2026-09-15T00:00:00Z")


def stated(store: Store, entity: str, key: str, value: str, confidence: float = 0.8) -> str:
    """Stores a fact as an agent would; answers its id."""
    with acting(store) as (door, view):
        new = NewFact(entity, key, value, confidence=confidence)
        return door.store_facts(Actor("agent", "bot"), "default", [new], view=view).fact_ids[0]


def brought_back(store: Store, fact_id: str) -> None:
    """Lets a retired fact count again, so that two do."""
    with acting(store) as (door, view):
        door.clear_supersede(Actor("agent", "bot"), "default", fact_id, view=view)


def asked(store: Store, user: User, fact_id: str = "", *, act: str = "") -> Asked:
    """What this person asks with the newest version of a fact before them."""
    expected = standing_of(scope(user), fact_id, store=store).revision if fact_id else ""
    return Asked(principal=principal(user), expected=expected, act=act)


def lines(store: Store) -> list[bytes]:
    return store.journal_path.read_bytes().splitlines()


def marked(text: str) -> str:
    """A line without what is only known once it is written: the new fact's id, and times."""
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)", "(now)", re.sub(r"f_(\(new\)|[0-9a-f]{32})", "f_x", text))


def merge_of(*fact_ids: str, value: str = "Ana and Bea") -> ConsolidationRequest:
    return ConsolidationRequest("c_1", "team:a", "lead", value, fact_ids, confidence=0.9)


Act = Callable[[Store, User, str], Receipt]

ACTS: dict[str, Act] = {
    "correct": lambda store, user, fact_id: correct_fact(
        store, scope(user), fact_id, NewFact("team:a", "lead", "Cleo"), asked=asked(store, user, fact_id)
    ),
    "delete": lambda store, user, fact_id: delete_fact(
        store, scope(user), fact_id, restores_replaced=False, asked=asked(store, user, fact_id)
    ),
    "set validity": lambda store, user, fact_id: set_validity(
        store, scope(user), fact_id, valid_from=SEPTEMBER, valid_to=None, asked=asked(store, user, fact_id)
    ),
    "set horizon": lambda store, user, fact_id: set_horizon(
        store, scope(user), fact_id, Horizon.STABLE, asked=asked(store, user, fact_id)
    ),
    "verify again": lambda store, user, fact_id: verify_again(
        store, scope(user), fact_id, asked=asked(store, user, fact_id)
    ),
    "consolidate": lambda store, user, fact_id: merge_facts(
        store, scope(user), merge_of(fact_id), asked=asked(store, user, fact_id)
    ),
}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_one_event_in_the_persons_name(store: Store, curator: User, name: str) -> None:
    fact_id = stated(store, "team:a", "lead", "Ana")
    before = [event.seq for event, _ in store.events_from(0)]

    receipt = ACTS[name](store, curator, fact_id)

    events = [event for event, _ in store.events_from(0) if event.seq not in before]
    assert [event.seq for event in events] == [receipt.event.seq]
    assert events[0].actor == Actor("person", principal(curator).principal_id)


@pytest.mark.parametrize("name", ACTS)
def test_a_viewer_and_an_officer_may_do_nothing_of_it(store: Store, viewer: User, officer: User, name: str) -> None:
    fact_id = stated(store, "team:a", "lead", "Ana")
    before = store.ledger_path.read_bytes(), store.journal_path.read_bytes()

    for user in (viewer, officer):
        with pytest.raises(NotPermittedError):
            ACTS[name](store, user, fact_id)

    assert (store.ledger_path.read_bytes(), store.journal_path.read_bytes()) == before


@pytest.mark.parametrize("name", ACTS)
def test_what_was_changed_since_it_was_seen_is_refused(store: Store, curator: User, name: str) -> None:
    fact_id = stated(store, "team:a", "lead", "Ana")
    seen = asked(store, curator, fact_id)
    ACTS["set validity"](store, curator, fact_id)
    before = store.ledger_path.read_bytes()
    again: dict[str, Callable[[], Receipt]] = {
        "correct": lambda: correct_fact(store, scope(curator), fact_id, NewFact("team:a", "lead", "Cleo"), asked=seen),
        "delete": lambda: delete_fact(store, scope(curator), fact_id, restores_replaced=False, asked=seen),
        "set validity": lambda: set_validity(
            store, scope(curator), fact_id, valid_from=None, valid_to=None, asked=seen
        ),
        "set horizon": lambda: set_horizon(store, scope(curator), fact_id, Horizon.NONE, asked=seen),
        "verify again": lambda: verify_again(store, scope(curator), fact_id, asked=seen),
        "consolidate": lambda: merge_facts(store, scope(curator), merge_of(fact_id), asked=seen),
    }

    with pytest.raises(VersionConflictError):
        again[name]()

    assert store.ledger_path.read_bytes() == before


def test_an_act_sent_twice_is_done_once(store: Store, curator: User) -> None:
    sent = asked(store, curator, act="form-1")
    first = state_fact(store, scope(curator), NewFact("team:a", "lead", "Ana"), asked=sent)

    second = state_fact(store, scope(curator), NewFact("team:a", "lead", "Ana"), asked=sent)

    assert second.fact_ids == first.fact_ids
    assert len(lines(store)) == 1


def test_a_fact_under_a_hold_is_not_deleted(store: Store, curator: User) -> None:
    fact_id = stated(store, "team:a", "lead", "Ana")
    place_hold(store, "team:")
    before = store.journal_path.read_bytes()

    with pytest.raises(FactHeldError, match="while H-3 binds this fact"):
        delete_fact(store, scope(curator), fact_id, restores_replaced=False, asked=asked(store, curator, fact_id))

    assert store.journal_path.read_bytes() == before


def test_what_a_deleted_fact_retired_counts_again_where_that_is_asked(store: Store, curator: User) -> None:
    first = stated(store, "team:a", "lead", "Ana")
    second = stated(store, "team:a", "lead", "Bea")

    delete_fact(store, scope(curator), second, restores_replaced=True, asked=asked(store, curator, second))

    assert standing_of(scope(curator), first, store=store).rivals == (first,)


def test_a_merge_names_the_newest_fact_and_can_be_undone(store: Store, curator: User) -> None:
    first = stated(store, "team:a", "lead", "Ana")
    second = stated(store, "team:a", "lead", "Bea")
    brought_back(store, first)

    with pytest.raises(ImplicitPriorNotTargetError):
        merge_facts(store, scope(curator), merge_of(first), asked=asked(store, curator, second))
    merged = merge_facts(store, scope(curator), merge_of(first, second), asked=asked(store, curator, second))
    canonical = merged.fact_ids[0]
    undo_merge(store, scope(curator), canonical, asked=asked(store, curator, canonical))

    assert set(standing_of(scope(curator), first, store=store).rivals) == {first, second}


def test_a_private_fact_of_others_is_as_absent_as_a_missing_one(store: Store, curator: User) -> None:
    entity = "__agent::lark::team"
    with acting(store) as (door, view):
        new = NewFact(entity, "note", "mine", private=True)
        fact_id = door.store_facts(Actor("agent", "lark"), "default", [new], view=view).fact_ids[0]
    mine = Asked(principal=principal(curator), expected="", act="")

    with pytest.raises(NotFoundError):
        delete_fact(store, scope(curator), fact_id, restores_replaced=False, asked=mine)
    with pytest.raises(NotFoundError):
        verify_again(store, scope(curator), fact_id, asked=mine)
    with pytest.raises(HiddenChainError):
        state_fact(store, scope(curator), NewFact(entity, "note", "theirs", private=True), asked=mine)


def test_a_private_value_is_not_followed_by_one_that_all_may_read(store: Store, curator: User) -> None:
    fact_id = stated(store, "team:a", "salary", "70,000")
    line = lines(store)[0].replace(b'"private":false', b'"private":true').replace(fact_id.encode(), b"f_foreign")
    with store.journal_path.open("ab") as journal:
        journal.write(line + b"\n")
    reader = Scope("default", principal(curator).principal_id, sees_ownerless_private=True)
    mine = Asked(principal=principal(curator), expected="", act="")

    with pytest.raises(HiddenChainError, match="would be open to all"):
        state_fact(store, reader, NewFact("team:a", "salary", "71,000"), asked=mine)


def test_only_the_newest_version_is_open_to_correction(store: Store, curator: User) -> None:
    first = stated(store, "team:a", "lead", "Ana")
    stated(store, "team:a", "lead", "Bea")

    with pytest.raises(NotNewestError):
        plans.plan_statement(
            scope(curator), NewFact("team:a", "lead", "Cleo"), store=store, now_ns=time.time_ns(), corrected=first
        )


def test_a_plan_says_what_is_then_written(store: Store, curator: User) -> None:
    me = scope(curator)
    first = stated(store, "team:a", "lead", "Ana")
    second = stated(store, "team:a", "lead", "Bea")
    now_ns = time.time_ns()
    new = NewFact("team:a", "lead", "Cleo", confidence=0.5, actor="Curator")
    steps: list[tuple[Callable[[], plans.Plan], Callable[[Asked], Receipt], str]] = [
        (
            lambda: plans.plan_statement(me, new, store=store, now_ns=now_ns),
            lambda ask: state_fact(store, me, new, asked=ask),
            second,
        ),
        (
            lambda: plans.plan_validity(me, first, valid_from=SEPTEMBER, valid_to=None, store=store, now_ns=now_ns),
            lambda ask: set_validity(store, me, first, valid_from=SEPTEMBER, valid_to=None, asked=ask),
            first,
        ),
        (
            lambda: plans.plan_horizon(me, first, Horizon.NONE, store=store),
            lambda ask: set_horizon(store, me, first, Horizon.NONE, asked=ask),
            first,
        ),
        (
            lambda: plans.plan_verification(me, first, store=store),
            lambda ask: verify_again(store, me, first, asked=ask),
            first,
        ),
        (
            lambda: plans.plan_deletion(me, first, restores_replaced=True, store=store, now_ns=now_ns),
            lambda ask: delete_fact(store, me, first, restores_replaced=True, asked=ask),
            first,
        ),
    ]

    for plan_it, do_it, seen in steps:
        before, plan = len(lines(store)), plan_it()
        assert plan.revision == standing_of(me, seen, store=store).revision
        receipt = do_it(Asked(principal=principal(curator), expected=plan.revision, act=""))
        written = [line.decode() for line in lines(store)[before:]]
        assert [marked(line) for line in written] == [marked(line) for line in plan.lines]
        assert (receipt.event.action, receipt.event.code) == (plan.action, plan.code)
        assert tuple(map(marked, receipt.event.subjects)) == tuple(map(marked, plan.subjects))


def test_a_plan_of_a_merge_and_of_its_undo_says_what_is_then_written(store: Store, curator: User) -> None:
    me, now_ns = scope(curator), time.time_ns()
    first = stated(store, "team:a", "lead", "Ana")
    second = stated(store, "team:a", "lead", "Bea")
    brought_back(store, first)

    plan = plans.plan_merge(me, merge_of(first, second), store=store, now_ns=now_ns)
    merged = merge_facts(
        store, me, merge_of(first, second), asked=Asked(principal(curator), expected=plan.revision, act="")
    )
    written = lines(store)[-1].decode()
    canonical = merged.fact_ids[0]
    undo = plans.plan_merge_undo(me, canonical, store=store, now_ns=now_ns)
    undone = undo_merge(store, me, canonical, asked=Asked(principal(curator), expected=undo.revision, act=""))

    assert [marked(line) for line in plan.lines] == [marked(written)]
    assert tuple(map(marked, merged.event.subjects)) == tuple(map(marked, plan.subjects))
    assert [marked(line) for line in undo.lines] == [marked(lines(store)[-1].decode())]
    assert undone.event.subjects == undo.subjects
    assert (plan.action, undo.action) == (Action.FACT_CONSOLIDATED, Action.FACT_CONSOLIDATION_UNDONE)
