"""Who is bound to an entity prefix finds nothing of other entities: they are as absent as missing ones."""

import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actions import SYSTEM
from apps.accounts.models import User
from apps.accounts.rules import EntityOutsideError, Role, Scope
from apps.facts import queries
from apps.facts.acting import acting
from apps.facts.actions import (
    Asked,
    delete_fact,
    keep_upload,
    merge_facts,
    open_import,
    run_import,
    set_horizon,
    set_validity,
    state_fact,
    undo_merge,
    verify_again,
)
from apps.facts.answers import FactFilter
from apps.facts.formats import read_memory
from apps.facts.journal import JournalFile
from apps.facts.models import IndexedFact, SavedView
from apps.facts.queries import (
    belief,
    candidates,
    chains,
    entities,
    exports,
    fact,
    facts,
    imports,
    overview,
    plans,
    reading,
    recall,
    recall_pages,
    saved,
    scoping,
    standing,
    status,
)
from apps.facts.queries.cube import TenantLabels
from apps.facts.queries.lens import clocks_of
from apps.review import queries as review_queries
from apps.review.models import Finding
from apps.review.queries import findings
from apps.review.rules import Kind
from cruxstore.door import NewFact, Store
from cruxstore.errors import CruxError, NotFoundError
from cruxstore.facts.consolidation import ConsolidationRequest
from cruxstore.facts.recall.aggregate import AggregateOp, AggregateQuery
from cruxstore.facts.recall.pages import ListQuery
from cruxstore.facts.recall.ranking import FactQuery
from cruxstore.facts.records import Horizon
from tests.conftest import MakePerson
from tests.people import principal, scope

FOREIGN = "Foreign"
NOBODY = "f_" + "0" * 32


@dataclass(frozen=True)
class World:
    """A tenant with facts inside and outside of a prefix."""

    store: Store
    bound: Scope
    whole: Scope
    own: str
    led_out: str
    foreign: str
    foreign_private: str
    import_id: str
    digest: str
    curator: User

    @property
    def foreign_ids(self) -> tuple[str, ...]:
        return (self.foreign, self.foreign_private)


@pytest.fixture
def world(store: Store, make_person: MakePerson) -> World:
    """Facts of customer::4 and customer::42, of an order, private ones of the same owner, an import, a view."""
    curator = make_person("curator", Role.CURATOR, Role.ADMIN)

    def put(entity: str, key: str, value: str, **members: Any) -> str:
        with acting(store) as (door, view):
            is_private = entity.startswith("__agent::")
            new = [NewFact(entity, key, value, actor=members.get("actor", "bot"), private=is_private)]
            return door.store_facts(SYSTEM, "default", new, view=view).fact_ids[0]

    put("customer::4", "plan", "first")
    own = put("customer::4", "plan", "Inside")
    put("customer::42", "plan", "Inside too")
    led_out = put("customer::4", "moved", "Inside, moved")
    put("__agent::bot::customer::4", "mood", "Inside and private")
    foreign = put("order::9::Foreign", "Foreign key", "Foreign value", actor="Foreign-bot")
    put("order::9::Foreign", "other", "Foreign again", actor="Foreign-bot")
    foreign_private = put("__agent::bot::order::Foreign", "note", "Foreign and private")
    with acting(store) as (door, view):
        door.supersede(SYSTEM, "default", led_out, foreign, view=view)
    member, whole = principal(curator), scope(curator)
    upload = keep_upload(
        store,
        whole,
        principal=member,
        file_name="Foreign.csv",
        chunks=[b"entity,key,value\norder::7,Foreign,Foreign import\ncustomer::4,size,Inside by import\n"],
        limit_bytes=1000,
        at=timezone.now(),
    )
    import_id = open_import(store, whole, principal=member, upload=upload, form="auto")
    run_import(store, whole, actor=SYSTEM, import_id=import_id, digest=upload.digest)
    SavedView.objects.create(
        tenant="default", person_id=curator.person_id, name="Foreign view", query="q=Foreign", is_shared=True
    )
    Finding.objects.create(
        tenant="default",
        kind=Kind.DUPLICATE,
        detector="test",
        first_id=foreign,
        second_id=own,
        found_at=timezone.now(),
    )
    bound = Scope(
        tenant="default",
        principal_id="k_bot",
        owner_names=frozenset({"bot"}),
        sees_ownerless_private=True,
        entity_prefix="customer::4",
    )
    return World(store, bound, whole, own, led_out, foreign, foreign_private, import_id, upload.digest, curator)


PACKAGES = (queries, review_queries)
Ask = Callable[[World, Scope], Any]


def asked(*, store: bool = True, now: bool = True) -> Callable[[World], dict[str, Any]]:
    """What most queries take by name."""
    return lambda world: ({"store": world.store} if store else {}) | ({"now_ns": time.time_ns()} if now else {})


both, stored = asked(), asked(now=False)


def filters() -> list[FactFilter]:
    """Every way in which a list finds its facts."""
    everything = ("current", "superseded", "deleted")
    return [
        FactFilter(),
        FactFilter(state=everything, sort="entity"),
        FactFilter(sort="-effective"),
        FactFilter(q="Foreign"),
        FactFilter(q="Inside"),
        FactFilter(entity="order::9::Foreign"),
        FactFilter(key="Foreign key"),
        FactFilter(kind=("order::",)),
        FactFilter(actor=("Foreign-bot",)),
        FactFilter(min_confidence=0.1),
        FactFilter(marks=("private",)),
        FactFilter(about="2027-01-01T00:00:00Z"),
    ]


def home_and_labels(scope: Scope) -> tuple[int, TenantLabels]:
    home = scoping.current_home(scope)
    assert home is not None
    return home, TenantLabels.of(home)


def merge_of(world: World, entity: str, *targets: str) -> ConsolidationRequest:
    return ConsolidationRequest("c_1", entity, "plan", "merged", targets)


def every(*results: Callable[[], Any]) -> list[Any]:
    """Each answer, or the refusal in its place; what comes bit by bit is read to its end."""
    answers = []
    for ask in results:
        try:
            answer = ask()
            answers.append(list(answer) if isinstance(answer, Iterator) else answer)
        except CruxError as error:
            answers.append((type(error).__name__, re.sub("f_[0-9a-f]{32}", "what was asked for", str(error))))
    return answers


def read_whole(world: World, s: Scope) -> Any:
    with JournalFile(world.store.journal_path) as journal:
        reader = standing.fact_reader(s, journal)
        return [reader(one) for one in (world.own, *world.foreign_ids)]


def shown_rows(world: World, s: Scope) -> Any:
    rows = [fact.find_row(world.whole, one).id for one in (world.own, world.led_out, world.foreign)]
    with JournalFile(world.store.journal_path) as journal:
        return reading.read_rows(rows, s, journal, time.time_ns())


QUESTIONS: dict[str, Ask] = {
    "belief.get_belief": lambda w, s: every(
        lambda: belief.get_belief(s, "customer::4", "plan", **both(w)),
        lambda: belief.get_belief(s, "customer::4", "moved", **both(w)),
        lambda: belief.get_belief(s, "order::9::Foreign", "Foreign key", **both(w)),
    ),
    "belief.compare_moments": lambda w, s: every(
        lambda: belief.compare_moments(s, "customer::4", ("", ""), ("line 1", ""), **both(w)),
        lambda: belief.compare_moments(s, "order::9::Foreign", ("", ""), ("line 1", ""), **both(w)),
    ),
    "candidates.count_facts": lambda w, s: [candidates.count_facts(s, *in_order(s, one)) for one in filters()],
    "chains.held_chains": lambda w, s: chains.held_chains(
        s, [("customer::4", "plan"), ("order::9::Foreign", "Foreign key")], **stored(w)
    ),
    "chains.import_fact_ids": lambda w, s: chains.import_fact_ids(s, w.import_id, limit=10),
    "chains.count_import_facts": lambda w, s: chains.count_import_facts(s, w.import_id),
    "chains.stored_by_import": lambda w, s: chains.stored_by_import(s, w.import_id),
    "chains.refuse_held_import": lambda w, s: chains.refuse_held_import(s, w.import_id),
    "entities.find_entities": lambda w, s: every(
        *(lambda q=q: entities.find_entities(s, q=q, **both(w)) for q in ("", "order", "customer"))
    ),
    "entities.get_entity": lambda w, s: every(
        lambda: entities.get_entity(s, "customer::4", **both(w)),
        lambda: entities.get_entity(s, "order::9::Foreign", **both(w)),
    ),
    "entities.find_keys": lambda w, s: entities.find_keys(s, home_and_labels(s)[0], "order::9::Foreign", 9),
    "exports.export_facts": lambda w, s: [
        b"".join(exports.export_facts(s, one, form=form, **both(w))) for one in filters() for form in ("csv", "jsonl")
    ],
    "exports.count_left_out": lambda w, s: [exports.count_left_out(s, one, **both(w)) for one in filters()],
    "exports.find_row_ids": lambda w, s: [
        [names_of_rows(ids) for ids in exports.find_row_ids(s, one, clocks_of(one, **both(w)))] for one in filters()
    ],
    "fact.get_fact": lambda w, s: every(
        *(lambda one=one: fact.get_fact(s, one, **both(w)) for one in (w.own, w.led_out, *w.foreign_ids))
    ),
    "fact.read_line": lambda w, s: every(
        *(
            lambda one=one, line=line: fact.read_line(s, one, line, **stored(w))
            for one in (w.own, w.led_out, w.foreign)
            for line in range(1, 12)
        )
    ),
    "fact.find_row": lambda w, s: every(lambda: fact.find_row(s, w.foreign)),
    "fact.events_about": lambda w, s: fact.events_about(s, w.foreign),
    "facts.find_facts": lambda w, s: [facts.find_facts(s, one, **both(w)) for one in filters()],
    "findings.find_findings": lambda w, s: findings.find_findings(s, **both(w)),
    "imports.find_imports": lambda w, s: imports.find_imports(s, **stored(w)),
    "imports.get_import": lambda w, s: every(lambda: imports.get_import(s, w.import_id, **stored(w))),
    "imports.find_import_of": lambda w, s: imports.find_import_of(s, w.digest, **stored(w)),
    "imports.get_upload": lambda w, s: every(lambda: imports.get_upload(s, w.digest)),
    "imports.get_own_upload": lambda w, s: every(
        lambda: imports.get_own_upload(replace(s, principal_id=w.curator.person_id), w.digest)
    ),
    "overview.overview": lambda w, s: overview(s, **both(w)),
    "plans.plan_statement": lambda w, s: every(
        lambda: plans.plan_statement(s, NewFact("customer::4", "plan", "next"), **both(w)),
        lambda: plans.plan_statement(s, NewFact("order::9::Foreign", "Foreign key", "next"), **both(w)),
    ),
    "plans.plan_deletion": lambda w, s: every(
        lambda: plans.plan_deletion(s, w.own, restores_replaced=True, **both(w)),
        lambda: plans.plan_deletion(s, w.foreign, restores_replaced=True, **both(w)),
    ),
    "plans.plan_validity": lambda w, s: every(
        lambda: plans.plan_validity(s, w.foreign, valid_from=None, valid_to=None, **both(w))
    ),
    "plans.plan_horizon": lambda w, s: every(lambda: plans.plan_horizon(s, w.foreign, Horizon.STABLE, **stored(w))),
    "plans.plan_verification": lambda w, s: every(lambda: plans.plan_verification(s, w.foreign, **stored(w))),
    "plans.plan_merge": lambda w, s: every(
        lambda: plans.plan_merge(s, merge_of(w, "order::9::Foreign", w.foreign), **both(w)),
        lambda: plans.plan_merge(s, merge_of(w, "customer::4", w.foreign), **both(w)),
    ),
    "plans.plan_merge_undo": lambda w, s: every(lambda: plans.plan_merge_undo(s, w.foreign, **both(w))),
    "reading.read_rows": shown_rows,
    "recall.query_facts": lambda w, s: [
        recall.query_facts(s, query, **both(w))
        for query in (
            FactQuery(query="Foreign", top_k=99),
            FactQuery(entity="order::9::Foreign", top_k=99),
            FactQuery(entity_prefix="order", top_k=99),
            FactQuery(query="Inside", top_k=99, include_superseded=True),
            FactQuery(key="Foreign key", top_k=99),
            FactQuery(query=None, top_k=99, include_superseded=True),
        )
    ],
    "recall.aggregate": lambda w, s: [
        recall.aggregate(s, query, **stored(w))
        for query in (
            AggregateQuery(AggregateOp.COUNT, query="Foreign"),
            AggregateQuery(AggregateOp.COUNT, entity="order::9::Foreign"),
            AggregateQuery(AggregateOp.COUNT, key="Foreign key"),
            AggregateQuery(AggregateOp.COUNT, entity="customer::4"),
        )
    ],
    "recall_pages.list_facts": lambda w, s: [
        recall_pages.list_facts(s, query, **stored(w))
        for query in (ListQuery(99), ListQuery(99, query="Foreign"), ListQuery(99, entity_prefix="order"))
    ],
    "recall_pages.export_page": lambda w, s: every(
        lambda: recall_pages.export_page(s, limit=99, **stored(w)),
        lambda: recall_pages.export_page(s, limit=99, cursor=w.foreign, **stored(w)),
    ),
    "recall_pages.live_entities": lambda w, s: recall_pages.live_entities(s, **stored(w)),
    "saved.saved_views": lambda w, s: saved.saved_views(s),
    "scoping.readable_rows": lambda w, s: [(row.entity, row.key) for row in scoping.readable_rows(s)],
    "standing.standing_of": lambda w, s: every(lambda: standing.standing_of(s, w.foreign, **stored(w))),
    "standing.readable_row": lambda w, s: every(lambda: standing.readable_row(s, w.foreign)),
    "standing.refuse_held": lambda w, s: every(lambda: standing.refuse_held(s, w.foreign)),
    "standing.fact_reader": read_whole,
    "status.store_counts": lambda w, s: status.store_counts(s, **both(w)),
}
"""Every question, asked for what is inside and for what is not."""

PARTS = {
    "candidates.gather",
    "candidates.count_unreadable",
    "exact.read_facts",
    "fact.holds_over",
    "facts.select_span",
    "imports.preview",
    "imports.preview_data",
    "imports.read_upload",
    "imports.plan_reading",
    "reading.show_row",
    "reading.links_outside",
    "recall_rows.readable",
    "scoping.current_home",
    "scoping.rows_within",
    "scoping.may_read",
    "scoping.within",
    "scoping.places_within",
    "standing.refuse_other_privacy",
    "standing.refuse_restoring_outside",
    "standing.is_seen",
    "steps.tenant_steps",
}
"""What questions are made of, given rows or conditions that were found; and a reading of what somebody brings."""

FINDS_NOTHING = {
    "entities.find_keys",
    "fact.find_row",
    "fact.events_about",
    "chains.refuse_held_import",
    "imports.find_imports",
    "imports.get_import",
    "imports.find_import_of",
    "imports.get_upload",
    "imports.get_own_upload",
    "plans.plan_validity",
    "plans.plan_horizon",
    "plans.plan_verification",
    "plans.plan_merge",
    "plans.plan_merge_undo",
    "saved.saved_views",
    "findings.find_findings",
    "standing.standing_of",
    "standing.readable_row",
    "standing.refuse_held",
    "exports.count_left_out",
}
"""Asked only for what is outside, or about what a bound scope never has."""


def in_order(scope: Scope, chosen: FactFilter) -> tuple[int, FactFilter, TenantLabels]:
    home, labels = home_and_labels(scope)
    return home, chosen, labels


def names_of_rows(ids: list[int]) -> list[str]:
    from_rows = IndexedFact.objects.filter(pk__in=ids)
    return [f"{row.entity} {row.key}" for row in from_rows]


def questions() -> set[str]:
    """Every function of the queries that takes a scope."""
    found = set()
    modules = [
        (package.__name__, module.name) for package in PACKAGES for module in pkgutil.iter_modules(package.__path__)
    ]
    for package, module in modules:
        inside = importlib.import_module(f"{package}.{module}")
        for name, function in vars(inside).items():
            if not inspect.isfunction(function) or function.__module__ != inside.__name__ or name.startswith("_"):
                continue
            if any(one.annotation is Scope for one in inspect.signature(function).parameters.values()):
                found.add(f"{module}.{name}")
    return found


def traces(answer: Any, world: World) -> list[str]:
    """What of an answer is about other entities; a refusal repeats what was asked for."""
    text = repr(answer)
    return [mark for mark in (FOREIGN, "order::", *world.foreign_ids) if mark in text]


def test_every_question_has_its_place_here() -> None:
    assert questions() == set(QUESTIONS) | PARTS


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_nothing_of_other_entities_is_found(world: World, name: str) -> None:
    answer = QUESTIONS[name](world, world.bound)

    assert traces(answer, world) == []
    if name not in FINDS_NOTHING:
        # the same question finds it for who is not bound, and something inside for who is
        assert traces(QUESTIONS[name](world, world.whole), world) != [] or repr(answer) != repr(
            QUESTIONS[name](world, world.whole)
        )
        assert repr(answer) != repr(QUESTIONS[name](world, replace(world.bound, entity_prefix="nothing begins so")))


def test_what_is_counted_is_what_is_inside(world: World) -> None:
    page = facts.find_facts(world.bound, FactFilter(), **both(world))
    counts = status.store_counts(world.bound, **both(world))
    listed = entities.find_entities(world.bound, **both(world))

    # customer::4 plan twice, moved, size; customer::42; the own private one
    assert (page.count.value, page.total.value) == (6, 6)
    assert (counts.facts.value, counts.entities.value, counts.private.value) == (6, 3, 1)
    assert [row.entity for row in listed.rows] == ["__agent::bot::customer::4", "customer::4", "customer::42"]
    assert {value.value for facet in page.facets if facet.name == "kind" for value in facet.values} == {
        "customer::",
        "__agent::",
    }
    assert recall_pages.list_facts(world.bound, ListQuery(99), **stored(world)).total_nondeleted == 6
    assert overview(world.bound, **both(world)).total.value == 6
    assert chains.count_import_facts(world.bound, world.import_id).value == 1
    assert {count for _, count in findings.find_findings(world.bound, **both(world)).counts} == {0}
    assert findings.find_findings(world.whole, **both(world)).rows


def test_a_foreign_fact_answers_like_a_missing_one(world: World) -> None:
    told = []
    for one in (world.foreign, world.foreign_private, NOBODY):
        with pytest.raises(NotFoundError) as refused:
            fact.get_fact(world.bound, one, **both(world))
        told.append(str(refused.value))

    assert len(set(told)) == 1


def test_a_foreign_fact_is_merged_like_a_missing_one(world: World) -> None:
    told = every(
        *(
            lambda one=one: plans.plan_merge(world.bound, merge_of(world, "customer::4", one), **both(world))
            for one in (world.foreign, NOBODY)
        )
    )

    assert told[0] == told[1]
    assert told[0][0] == "TargetNotFoundError"


def test_the_successor_of_another_entity_is_not_named(world: World) -> None:
    assert fact.get_fact(world.whole, world.led_out, **both(world)).row.superseded_by == world.foreign

    assert fact.get_fact(world.bound, world.led_out, **both(world)).row.superseded_by == ""


def test_nothing_is_written_about_other_entities(world: World) -> None:
    member = principal(world.curator)
    asking = Asked(member, "", "")
    size = world.store.journal_path.stat().st_size

    with pytest.raises(EntityOutsideError):
        state_fact(world.store, world.bound, NewFact("order::9", "state", "sent"), asked=asking)
    with pytest.raises(EntityOutsideError):
        merge_facts(world.store, world.bound, merge_of(world, "order::9::Foreign", world.foreign), asked=asking)
    for act in (
        lambda: delete_fact(world.store, world.bound, world.foreign, restores_replaced=False, asked=asking),
        lambda: set_horizon(world.store, world.bound, world.foreign, Horizon.STABLE, asked=asking),
        lambda: verify_again(world.store, world.bound, world.foreign, asked=asking),
        lambda: undo_merge(world.store, world.bound, world.foreign, asked=asking),
        lambda: set_validity(world.store, world.bound, world.foreign, valid_from=None, valid_to=None, asked=asking),
        lambda: run_import(world.store, world.bound, actor=SYSTEM, import_id="i_1", digest=world.digest),
    ):
        with pytest.raises(NotFoundError):
            act()

    assert world.store.journal_path.stat().st_size == size
    state_fact(world.store, world.bound, NewFact("customer::4", "state", "well"), asked=asking)


def test_a_file_is_read_for_a_bound_scope_and_only_what_is_inside_counts_as_known(world: World) -> None:
    data = b"entity,key,value\norder::7,Foreign,Foreign import\n"
    reading_of = read_memory(
        data, file_name="x.csv", format="auto", privacy=world.store.privacy, scope=world.bound.tenant
    )

    plan = imports.plan_reading(world.bound, reading_of, None, store=world.store)

    assert (len(plan.new), len(plan.known)) == (1, 0)
