"""Whatever people do, in whatever order, with restarts, rewrites and lines of others in between: the index is what the
files say, and says the same of every moment since the last rewrite.
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.rules import Scope
from apps.facts.acting import acting
from apps.facts.actions.compaction import compact_store
from apps.facts.answers import FactFilter
from apps.facts.models import EventSubject, FactSetting, IndexPointer, LedgerEvent
from apps.facts.projector import bring_up_to_date, rebuild
from apps.facts.projector.builds import current_build
from apps.facts.queries import find_facts
from cruxstore.door import Door, NewFact, Store
from cruxstore.errors import CruxError
from cruxstore.facts.codec import decode_line, encode_operation
from cruxstore.facts.consolidation import ConsolidationRequest
from cruxstore.facts.journal import replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import ClearSupersede, Delete, Fact, Horizon, StoreBatch, Supersede
from cruxstore.facts.records import Store as StoreOne
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Actor
from cruxstore.replayed import StoreState, read_state
from cruxstore.verifying import Verdict, verify_folder
from tests.facts.index_content import content_of_index
from tests.facts.journals import make_fact
from tests.facts.test_projector import start_over
from tests.facts.test_two_clocks import moment

ANA = Actor(kind="person", id="p_ana")
SCOPE = Scope(tenant="default", principal_id="p_reader")
EVERY_STATE = ("current", "superseded", "deleted")
PLACES = (("team:a", "lead"), ("team:a", "size"), ("team:b", "lead"))
STAMP = "2026-11-30T09:00:00+00:00"


@dataclass
class Run:
    """A store while things are done to it; facts are picked by a number, whichever there are."""

    store: Store
    told: int = 0

    def fact(self, state: StoreState, number: int) -> str:
        facts = [*state.facts]
        return facts[number % len(facts)] if facts else "f_" + "0" * 32

    def act(self, change: Callable[[Door, StoreState], object]) -> None:
        """One act through the door with the index caught up; a refusal is an answer too."""
        try:
            with acting(self.store) as (door, _):
                change(door, read_state(self.store))
        except CruxError:
            self.told += 1

    def append(self, *lines: bytes) -> None:
        with self.store.journal_path.open("ab") as journal:
            journal.write(b"".join(line + b"\n" for line in lines))


Step = Callable[[Run], None]


def state_facts(places: Sequence[tuple[str, str]], value: str) -> Step:
    new = [NewFact(entity, key, value, confidence=0.5) for entity, key in dict.fromkeys(places)]
    return lambda run: run.act(lambda door, state: door.store_facts(ANA, "default", new, view=state))


def delete(number: int, restores: bool) -> Step:
    return lambda run: run.act(
        lambda door, state: door.delete_facts(
            ANA, "default", [run.fact(state, number)], view=state, restores_replaced=restores
        )
    )


def supersede(number: int, other: int) -> Step:
    return lambda run: run.act(
        lambda door, state: door.supersede(ANA, "default", run.fact(state, number), run.fact(state, other), view=state)
    )


def clear(number: int) -> Step:
    return lambda run: run.act(
        lambda door, state: door.clear_supersede(ANA, "default", run.fact(state, number), view=state)
    )


def set_validity(number: int, bounds: tuple[str | None, str | None]) -> Step:
    start, end = (None if bound is None else parse_timestamp(bound) for bound in bounds)
    return lambda run: run.act(
        lambda door, state: door.set_validity(ANA, "default", run.fact(state, number), start, end, view=state)
    )


def set_horizon(number: int, horizon: Horizon) -> Step:
    return lambda run: run.act(
        lambda door, state: door.set_horizon(ANA, "default", run.fact(state, number), horizon, view=state)
    )


def reverify(number: int) -> Step:
    return lambda run: run.act(lambda door, state: door.reverify(ANA, "default", run.fact(state, number), view=state))


def merge(numbers: Sequence[int], value: str) -> Step:
    def change(door: Door, state: StoreState) -> None:
        targets = tuple(dict.fromkeys(run_fact for number in numbers if (run_fact := _current(state, number))))
        request = ConsolidationRequest("week-10", "team:a", "lead", value, targets)
        door.consolidate(ANA, "default", request, view=state, read_fact=state.fact)

    return lambda run: run.act(change)


def undo_merge(number: int) -> Step:
    def change(door: Door, state: StoreState) -> None:
        merged = [fact_id for fact_id in state.facts if state.consolidation(fact_id)]
        if merged:
            canonical = merged[number % len(merged)]
            door.consolidate_undo(ANA, "default", canonical, state.consolidation(canonical) or (), view=state)

    return lambda run: run.act(change)


def compact(run: Run) -> None:
    try:
        compact_store(run.store, actor=ANA)
    except CruxError:
        run.told += 1


def restart(run: Run) -> None:
    run.store = opened(run.store.data_dir)


def look(run: Run) -> None:
    bring_up_to_date(run.store, now_ns=time.time_ns())


def torn(run: Run) -> None:
    with run.store.journal_path.open("ab") as journal:
        journal.write(b'{"op":"sto')
    with run.store.writing():
        pass


class KilledError(BaseException):
    """Stands for the end of a process: nothing that it had not written yet gets written."""


def killed(step: Step, at: int) -> Step:
    """A step whose process is killed at its at-th write, sync or rename; another one goes on."""

    def die(run: Run) -> None:
        left = [at]
        with pytest.MonkeyPatch.context() as patch:
            for name in ("write", "pwrite", "fsync", "fdatasync", "ftruncate", "replace"):
                patch.setattr(os, name, _dying(getattr(os, name), left))
            with suppress(KilledError):
                step(run)
        restart(run)

    return die


def _dying(real: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        left[0] -= 1
        if left[0] <= 0:
            raise KilledError
        return real(*arguments, **keywords)

    return call


def foreign(*lines: bytes) -> Step:
    return lambda run: run.append(*lines)


def _current(state: StoreState, number: int) -> str | None:
    current = [
        fact.fact_id
        for fact in state.facts.values()
        if (fact.entity, fact.key) == ("team:a", "lead") and not fact.deleted and fact.superseded_by is None
    ]
    return current[number % len(current)] if current else None


def opened(data_dir: Path) -> Store:
    return Store.open(data_dir, privacy=PrivacyPolicy())


numbers = st.integers(0, 30)
values = st.sampled_from(("Ana", "Bea", "Cleo", "Dora"))
bounds = st.none() | st.sampled_from(("2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z"))
foreign_facts: st.SearchStrategy[Fact] = st.builds(
    lambda number, value, place: make_fact(number, value, entity=place[0], key=place[1], confidence=0.5),
    st.integers(1, 12),
    values,
    st.sampled_from(PLACES),
)
foreign_lines: st.SearchStrategy[bytes] = st.one_of(
    st.builds(lambda fact: encode_operation(StoreOne(fact)), foreign_facts),
    st.builds(lambda facts: encode_operation(StoreBatch(tuple(facts))), st.lists(foreign_facts, max_size=3)),
    st.builds(lambda n: encode_operation(Delete(f"f_{n:032x}", STAMP)), st.integers(1, 12)),
    st.builds(lambda n, m: encode_operation(Supersede(f"f_{n:032x}", f"f_{m:032x}", STAMP)), *[st.integers(1, 12)] * 2),
    st.builds(lambda n: encode_operation(ClearSupersede(f"f_{n:032x}", STAMP)), st.integers(1, 12)),
)
acts: st.SearchStrategy[Step] = st.one_of(
    st.builds(state_facts, st.lists(st.sampled_from(PLACES), min_size=1, max_size=3), values),
    st.builds(state_facts, st.lists(st.sampled_from(PLACES), min_size=1, max_size=3), values),
    st.builds(delete, numbers, st.booleans()),
    st.builds(supersede, numbers, numbers),
    st.builds(clear, numbers),
    st.builds(set_validity, numbers, st.tuples(bounds, bounds)),
    st.builds(set_horizon, numbers, st.sampled_from(Horizon)),
    st.builds(reverify, numbers),
    st.builds(merge, st.lists(numbers, min_size=2, max_size=4), values),
    st.builds(undo_merge, numbers),
    st.just(compact),
)
steps: st.SearchStrategy[Step] = st.one_of(
    acts,
    acts,
    st.builds(killed, acts, st.integers(1, 25)),
    st.builds(foreign, foreign_lines),
    st.just(restart),
    st.just(look),
    st.just(torn),
)


@pytest.mark.django_db(transaction=True)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(done=st.lists(steps, min_size=10, max_size=25))
def test_any_sequence_of_acts_leaves_an_index_that_a_rebuild_gives_too(done: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        lose_the_database()
        run = Run(opened(Path(folder) / "data"))
        with run.store.writing() as door:
            door.adopt(ANA)
        for step in done:
            step(run)
        with run.store.writing():
            pass
        bring_up_to_date(run.store, now_ns=time.time_ns(), limit=None)
        index, answers = content_of_index(), answers_at_every_moment(run.store)

        assert all(encode_operation(decode_line(line)) == line for line in lines_of_operations(run.store))
        assert verify_folder(run.store.data_dir).verdict == Verdict.INTACT
        assert {row[0]: row[1:] for row in answers["now"]} == told_by_replay(run.store)

        rebuild(run.store, now_ns=time.time_ns())
        assert content_of_index() == index
        assert answers_at_every_moment(run.store) == answers

        # as if the database had been lost
        lose_the_database()
        bring_up_to_date(opened(run.store.data_dir), now_ns=time.time_ns(), limit=None)
        assert content_of_index() == index
        assert answers_at_every_moment(run.store) == answers


def lines_of_operations(store: Store) -> list[bytes]:
    """Every line of the journal that stands for an operation."""
    with store.journal_path.open("rb") as journal:
        return [line.rstrip(b"\n") for line in journal if line != b"\n"]


def lose_the_database() -> None:
    """Empties every table of the index."""
    start_over()
    for table in (IndexPointer, LedgerEvent, EventSubject, FactSetting):
        table._default_manager.all().delete()


def answers_at_every_moment(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """What the list says now, and as known after every line and every event of this generation."""
    build = current_build()
    assert build is not None
    generation = LedgerEvent.objects.filter(generation=build.generation).values_list("seq", flat=True)
    moments = [*(f"line {line}" for line in range(1, build.line + 1)), *(f"event {seq}" for seq in generation)]
    return {moment: told(store, moment) for moment in moments} | {"now": told(store, "")}


def told(store: Store, known: str) -> list[tuple[object, ...]]:
    page = find_facts(SCOPE, FactFilter(state=EVERY_STATE, known=known), store=store, now_ns=time.time_ns())
    return sorted(
        (row.fact_id, row.value_excerpt, row.state, row.horizon, str((row.valid_from, row.valid_to)))
        for row in page.rows
    )


def told_by_replay(store: Store) -> dict[str, tuple[object, ...]]:
    """The same of every fact from replaying the journal in memory, with what the ledger says folded in."""
    state = read_state(store)
    cleaned = replay_journal(store.journal_path, PrivacyPolicy()).state.facts
    return {
        fact.fact_id: (
            fact.value,
            "deleted" if fact.deleted else "superseded" if cleaned[fact.fact_id].superseded_by else "current",
            fact.horizon_class.value,
            str((moment(fact.valid_from), moment(fact.valid_to))),
        )
        for fact in state.facts.values()
    }
