"""A compacted journal and its index change places while everybody reads and writes."""

import time
from collections.abc import Callable
from typing import cast

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from apps.accounts.models import User
from apps.accounts.request import Request
from apps.facts.acting import acting
from apps.facts.actions.compaction import compact_store, start_compaction
from apps.facts.answers import FactFilter
from apps.facts.journal import JournalMovedError
from apps.facts.models import Build
from apps.facts.projector import bring_up_to_date, rebuild
from apps.facts.projector.builds import current_build, remove_retired
from apps.facts.projector.next_build import NextBuild
from apps.facts.queries import exports, find_facts
from apps.facts.queries.exports import export_facts
from apps.facts.tasks import run_compaction_job
from apps.facts.views.caught_up import caught_up
from apps.jobs.models import Job
from apps.jobs.rules import Lane
from apps.jobs.runs import run_queued
from cruxstore.door import NewFact, Store
from cruxstore.errors import NotPermittedError, RewriteRefusedError
from cruxstore.facts.journal import replay_journal
from cruxstore.facts.records import Horizon
from cruxstore.facts.state import fact_revision
from cruxstore.ledger.events import Actor
from tests.facts.index_content import content_of_index
from tests.holds import place_hold
from tests.people import principal, scope

ANA = Actor(kind="person", id="p_ana")
HISTORY = ("Ana", "Bea", "Cleo")


def put(store: Store, *values: str, entity: str = "team:a") -> list[str]:
    """One version after the other."""
    fact_ids: list[str] = []
    for value in values:
        with acting(store) as (door, view):
            fact_ids += door.store_facts(ANA, "default", [NewFact(entity, "lead", value)], view=view).fact_ids
    return fact_ids


def delete(store: Store, *fact_ids: str) -> None:
    with acting(store) as (door, view):
        door.delete_facts(ANA, "default", fact_ids, view=view)


def told(store: Store, user: User, **chosen: str) -> list[tuple[str, str, str]]:
    """What the list shows."""
    every = FactFilter(state=("current", "superseded", "deleted"), **chosen)  # type: ignore[arg-type]
    page = find_facts(scope(user), every, store=store, now_ns=time.time_ns())
    return [(row.entity, row.value_excerpt, row.state) for row in page.rows]


def check_equal_to_a_rebuild(store: Store) -> None:
    """The index is what reading the files from their first line on gives."""
    bring_up_to_date(store, now_ns=time.time_ns(), limit=None)
    before = content_of_index()
    rebuild(store, now_ns=time.time_ns())
    assert content_of_index() == before


def test_facts_stay_and_deleted_ones_go(store: Store, curator: User) -> None:
    put(store, *HISTORY)
    gone = put(store, "Dora", entity="team:b")
    delete(store, *gone)
    before = [row for row in told(store, curator) if row[0] != "team:b"]

    receipt = compact_store(store, actor=ANA, reason="It has grown")

    assert told(store, curator) == before
    assert receipt.event.rewrite is not None
    assert (receipt.event.rewrite.folded, receipt.event.rewrite.dropped) == (3, 1)
    assert "Dora" not in store.journal_path.read_text()
    check_equal_to_a_rebuild(store)


def test_what_a_hold_covers_is_kept_to_the_byte(store: Store, curator: User) -> None:
    held = put(store, *HISTORY)
    place_hold(store, "team:a")
    delete_line = held[0]
    lines = [line for line in store.journal_path.read_bytes().split(b"\n") if delete_line.encode() in line]

    compact_store(store, actor=ANA)

    after = store.journal_path.read_bytes().split(b"\n")
    assert all(line in after for line in lines)
    check_equal_to_a_rebuild(store)


def test_a_line_that_nobody_can_read_refuses_it_and_changes_nothing(store: Store) -> None:
    put(store, *HISTORY)
    with store.journal_path.open("ab") as journal:
        journal.write(b"not a line\n")
    before = store.journal_path.read_bytes()

    with pytest.raises(RewriteRefusedError, match="line"):
        compact_store(store, actor=ANA)

    assert store.journal_path.read_bytes() == before
    assert not Build.objects.filter(state=Build.State.PREPARED).exists()


def test_versions_and_settings_go_on_in_the_new_generation(store: Store, curator: User) -> None:
    first, *_ = put(store, "Ana")
    with acting(store) as (door, view):
        door.set_horizon(ANA, "default", first, Horizon.VOLATILE, view=view)

    compact_store(store, actor=ANA)

    with acting(store) as (door, view):
        assert fact_revision(view, first) == f"{first}-l1g2"
        door.set_horizon(ANA, "default", first, Horizon.STABLE, view=view)
    with acting(store) as (_, view):
        assert fact_revision(view, first).startswith(f"{first}-e")
    check_equal_to_a_rebuild(store)


def test_what_is_written_while_it_runs_is_there_afterwards(
    store: Store, curator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = put(store, *HISTORY)

    def write(step: int) -> None:
        put(store, f"meanwhile {step}", entity=f"team:{step}")
        with acting(store) as (door, view):
            door.set_horizon(ANA, "default", first, Horizon.VOLATILE, view=view)

    with monkeypatch.context() as patch:
        at_every_step(patch, write)
        compact_store(store, actor=ANA)

    written = {row[1] for row in told(store, curator)}
    assert {"meanwhile 1", "meanwhile 2", "meanwhile 3"} <= written
    assert {*HISTORY} <= written
    check_equal_to_a_rebuild(store)


def test_the_past_before_it_is_said_to_be_folded(store: Store, curator: User) -> None:
    put(store, *HISTORY)
    receipt = compact_store(store, actor=ANA)
    put(store, "Dora")

    def known(at: str) -> int | None:
        page = find_facts(scope(curator), FactFilter(known=at), store=store, now_ns=time.time_ns())
        assert page.clocks.known is not None
        return page.clocks.known.folded_by

    assert known(f"event {receipt.event.seq - 1}") == receipt.event.seq
    assert known(f"event {receipt.event.seq}") is None
    assert known("line 6") is None
    assert told(store, curator, known=f"event {receipt.event.seq}")[0][1] == "Cleo"


def test_a_process_that_dies_before_the_index_has_switched_leaves_it_to_the_next(
    store: Store, curator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, *HISTORY)
    before = told(store, curator)

    def die(index: NextBuild) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(NextBuild, "switch", die)
        compact_store(store, actor=ANA)
    # a process that is killed says nothing at its end
    Build.objects.filter(state=Build.State.RETIRED).update(state=Build.State.PREPARED)
    prepared = Build.objects.get(state=Build.State.PREPARED)

    bring_up_to_date(store, now_ns=time.time_ns())

    build = current_build()
    assert build is not None
    assert (build.number, build.generation) == (prepared.number, 2)
    assert told(store, curator) == before
    check_equal_to_a_rebuild(store)


def test_an_index_from_nothing_knows_the_generation(store: Store) -> None:
    put(store, *HISTORY)
    compact_store(store, actor=ANA)
    Build.objects.all().delete()

    rebuild(store, now_ns=time.time_ns())

    build = current_build()
    assert build is not None
    assert build.generation == 2


def test_the_same_act_compacts_once(store: Store) -> None:
    put(store, *HISTORY)
    first = compact_store(store, actor=ANA, act="a key")

    assert compact_store(store, actor=ANA, act="a key").event == first.event
    build = current_build()
    assert build is not None
    assert build.generation == 2


def test_it_is_a_job_for_operators(store: Store, operator: User, curator: User) -> None:
    put(store, *HISTORY)
    with pytest.raises(NotPermittedError):
        start_compaction(principal(curator), reason="Because")

    start_compaction(principal(operator), reason="It has grown")
    run_queued(Lane.LONG, {"compaction": run_compaction_job})

    job = Job.objects.get(kind="compaction")
    assert (job.state, job.error) == ("finished", "")
    assert job.counts == {"kept": 0, "folded": 3, "dropped": 0}
    assert len(replay_journal(store.journal_path, store.privacy).state.facts) == 3


def asking(store: Store) -> Request:
    """Somebody asks for a page of this store."""
    request = cast(Request, RequestFactory().get("/"))
    request.store = store
    return request


def at_every_step(monkeypatch: pytest.MonkeyPatch, act: Callable[[int], None]) -> None:
    """Does something after each step of a compaction that takes long."""
    steps = iter(range(1, 1000))
    for name in ("__init__", "read"):
        real = getattr(NextBuild, name)

        def then(*arguments: object, real: Callable[..., object] = real, **keywords: object) -> object:
            answer = real(*arguments, **keywords)
            act(next(steps))
            return answer

        monkeypatch.setattr(NextBuild, name, then)


def test_a_page_that_was_read_across_it_is_made_again(store: Store, curator: User) -> None:
    put(store, *HISTORY)
    seen: list[list[tuple[str, str, str]]] = []

    @caught_up
    def page(request: Request) -> HttpResponse:
        first = told(store, curator)
        if not seen:
            compact_store(store, actor=ANA)
            remove_retired(1000)
        seen.append([*first, *told(store, curator)])
        return HttpResponse(str(len(seen)))

    page(asking(store))

    assert len(seen) == 2
    assert seen[0] == seen[1]


def test_a_page_whose_journal_went_away_is_made_again(store: Store, curator: User) -> None:
    put(store, *HISTORY)
    tries: list[int] = []

    @caught_up
    def page(request: Request) -> HttpResponse:
        tries.append(1)
        if len(tries) == 1:
            compact_store(store, actor=ANA)
            raise JournalMovedError("moved")
        return HttpResponse("there")

    assert page(asking(store)).status_code == 200
    assert len(tries) == 2


def test_an_export_goes_on_over_what_it_began_with(
    store: Store, curator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "CHUNK_FACTS", 2)
    put(store, *HISTORY, "Dora", "Emil")
    chosen = FactFilter(state=("current", "superseded", "deleted"))
    whole = b"".join(export_facts(scope(curator), chosen, form="jsonl", store=store, now_ns=time.time_ns()))

    chunks = export_facts(scope(curator), chosen, form="jsonl", store=store, now_ns=time.time_ns())
    read = [next(chunks)]
    compact_store(store, actor=ANA)
    bring_up_to_date(store, now_ns=time.time_ns(), limit=None)
    read += chunks

    assert b"".join(read) == whole
    bring_up_to_date(store, now_ns=time.time_ns(), limit=None)
    assert Build.objects.count() == 1
