"""Which journal an index was read from, and what happens when it is another one."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from apps.accounts.rules import Scope
from apps.facts.answers import FactFilter
from apps.facts.journal import JournalFile
from apps.facts.models import Build, Cell, HoldSweep, IndexedFact, Name
from apps.facts.policies import Policies
from apps.facts.projector import bring_up_to_date, catching_up, index_lag, rebuild
from apps.facts.projector.batch import project_lines
from apps.facts.projector.builds import current_build
from apps.facts.queries import find_facts
from cruxstore.facts.decay import DecayPolicy
from cruxstore.facts.journal import JournalLine
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Horizon
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import NOON_NS, Files, fact_id, lines_of, make_fact, stored
from tests.facts.test_projector import hold_record

HOUR_NS = 3_600_000_000_000


def values(files: Files, scope: Scope, now_ns: int = NOON_NS) -> list[str]:
    page = find_facts(scope, FactFilter(sort="recorded"), store=files, now_ns=now_ns)
    return [row.value_excerpt for row in page.rows]


@pytest.mark.django_db
def test_a_second_look_reads_only_what_is_new(files: Files, reader: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write(stored(make_fact(1, "first")))
    bring_up_to_date(files, now_ns=NOON_NS)
    read: list[int] = []

    def counting(
        build: Build, lines: Sequence[JournalLine], policies: Policies, journal: JournalFile, now_ms: int
    ) -> None:
        read.extend(line.number for line in lines)
        project_lines(build, lines, policies, journal, now_ms)

    monkeypatch.setattr(catching_up, "project_lines", counting)
    files.append(stored(make_fact(2, "second")))
    bring_up_to_date(files, now_ns=NOON_NS)
    bring_up_to_date(files, now_ns=NOON_NS)

    assert read == [2]
    assert values(files, reader) == ["first", "second"]


@pytest.mark.django_db
def test_a_page_reads_a_bounded_number_of_lines_and_the_rest_is_told_as_lag(files: Files, reader: Scope) -> None:
    files.write(stored(*(make_fact(number, str(number)) for number in range(30))))

    lag = bring_up_to_date(files, now_ns=NOON_NS, limit=10)

    assert (lag.state, lag.lines) == ("indexing", 10)
    assert lag.bytes_behind > 0
    assert len(values(files, reader)) == 10
    assert bring_up_to_date(files, now_ns=NOON_NS, limit=None).state == "current"


@pytest.mark.django_db
def test_a_torn_tail_is_left_alone_until_its_line_is_whole(files: Files, reader: Scope) -> None:
    whole = lines_of(stored(make_fact(1, "whole"), make_fact(2, "torn")))
    files.journal_path.write_bytes(whole[:-20])
    bring_up_to_date(files, now_ns=NOON_NS)
    assert values(files, reader) == ["whole"]

    files.journal_path.write_bytes(whole)
    bring_up_to_date(files, now_ns=NOON_NS)

    assert values(files, reader) == ["whole", "torn"]
    assert Build.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["renamed over", "shrunk", "rewritten in place"])
def test_another_journal_is_read_from_its_first_line(files: Files, reader: Scope, how: str) -> None:
    files.write(stored(make_fact(1, "old"), make_fact(2, "older")))
    bring_up_to_date(files, now_ns=NOON_NS)

    if how == "renamed over":
        other = files.journal_path.with_suffix(".new")
        other.write_bytes(lines_of(stored(make_fact(1, "old"), make_fact(2, "older"), make_fact(3, "new"))))
        other.replace(files.journal_path)
        expected = ["old", "older", "new"]
    elif how == "shrunk":
        files.write(stored(make_fact(3, "new")))
        expected = ["new"]
    else:
        files.write(stored(make_fact(1, "odd"), make_fact(2, "other"), make_fact(3, "new")))
        expected = ["odd", "other", "new"]
    bring_up_to_date(files, now_ns=NOON_NS)

    assert values(files, reader) == expected
    build = current_build()
    assert build is not None
    assert build.number == 2
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)
    assert {row.home >> 16 for row in IndexedFact.objects.all()} == {2}
    assert Build.objects.count() == 1


@pytest.mark.django_db
def test_the_old_build_answers_until_the_new_one_has_caught_up(files: Files, reader: Scope) -> None:
    files.write(stored(*(make_fact(number, str(number)) for number in range(20))))
    bring_up_to_date(files, now_ns=NOON_NS)
    files.write(stored(*(make_fact(number, f"new {number}") for number in range(100, 130))))

    lag = bring_up_to_date(files, now_ns=NOON_NS, limit=10)
    page = find_facts(reader, FactFilter(), store=files, now_ns=NOON_NS)

    assert (lag.state, lag.journal_replaced) == ("building", True)
    assert page.count.value == 20
    assert {row.is_unreadable for row in page.rows} == {True}
    for _ in range(3):
        lag = bring_up_to_date(files, now_ns=NOON_NS, limit=10)
    assert (lag.state, lag.journal_replaced) == ("current", False)
    assert find_facts(reader, FactFilter(), store=files, now_ns=NOON_NS).count.value == 30


@pytest.mark.django_db
def test_another_store_under_the_same_database_gets_its_own_index(files: Files, reader: Scope, tmp_path: Path) -> None:
    files.write(stored(make_fact(1, "one store")))
    bring_up_to_date(files, now_ns=NOON_NS)
    (tmp_path / "other").mkdir()
    other = Files(tmp_path / "other", instance_id="another")
    other.write(stored(make_fact(1, "other store")))

    bring_up_to_date(other, now_ns=NOON_NS)

    assert values(other, reader) == ["other store"]


@pytest.mark.django_db
def test_other_settings_are_told_on_pages_and_build_a_new_index_in_the_background(files: Files, reader: Scope) -> None:
    files.write(stored(make_fact(1, entity="team:a"), make_fact(2, horizon=Horizon.MEDIUM)))
    bring_up_to_date(files, now_ns=NOON_NS)
    others = Policies(DecayPolicy(medium_ms=60_000), PrivacyPolicy(added_prefixes=("team:",)))

    on_a_page = bring_up_to_date(files, now_ns=NOON_NS, policies=others)
    assert on_a_page.settings_changed
    assert len(values(files, reader)) == 2
    in_the_background = bring_up_to_date(files, now_ns=NOON_NS, policies=others, limit=None)

    assert not in_the_background.settings_changed
    page = find_facts(reader, FactFilter(), store=files, now_ns=NOON_NS)
    assert Counter((row.is_stub, row.freshness) for row in page.rows) == {(True, "fresh"): 1, (False, "stale"): 1}


@pytest.mark.django_db
def test_rebuilding_leaves_one_build_and_nothing_of_the_one_before(files: Files, reader: Scope) -> None:
    files.write(stored(*(make_fact(number, str(number)) for number in range(20))))
    bring_up_to_date(files, now_ns=NOON_NS)
    before = [model.objects.count() for model in (IndexedFact, Cell, Name)]

    rebuild(files, now_ns=NOON_NS)

    assert [model.objects.count() for model in (IndexedFact, Cell, Name)] == before
    assert Build.objects.get().state == Build.State.CURRENT
    assert len(values(files, reader)) == 20


@pytest.mark.django_db(transaction=True)
def test_a_projector_that_dies_in_a_batch_leaves_the_index_as_it_was(
    files: Files, reader: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.write(stored(make_fact(1, "first")))
    bring_up_to_date(files, now_ns=NOON_NS)
    files.append(stored(make_fact(2, "second")))

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(catching_up, "remember_marks", die)
        with pytest.raises(KeyboardInterrupt):
            bring_up_to_date(files, now_ns=NOON_NS)

    assert values(files, reader) == ["first"]
    bring_up_to_date(files, now_ns=NOON_NS)
    assert values(files, reader) == ["first", "second"]


@pytest.mark.django_db
def test_while_another_process_reads_a_page_does_not_wait(files: Files) -> None:
    files.write(stored(make_fact(1)))

    with catching_up.index_lock(files.data_dir, 0.0):
        lag = bring_up_to_date(files, now_ns=NOON_NS)

    assert lag.state == "indexing"
    assert not IndexedFact.objects.exists()


@pytest.mark.django_db
def test_facts_are_counted_anew_as_they_go_stale(files: Files, reader: Scope) -> None:
    future = parse_timestamp("2026-11-30T13:00:00Z")
    files.write(
        stored(
            make_fact(1, horizon=Horizon.VOLATILE),
            make_fact(2, horizon=Horizon.VOLATILE, stored_at=future, key="b"),
            make_fact(3),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    def counts(now_ns: int) -> dict[str, int]:
        facets = find_facts(reader, FactFilter(), store=files, now_ns=now_ns).facets
        return {value.value: value.count.value for value in facets[0].values}

    assert counts(NOON_NS) == {"fresh": 2, "stale": 0, "unknown": 1}
    later = NOON_NS + 24 * HOUR_NS
    assert index_lag(files, now_ns=later).to_sweep == 2
    bring_up_to_date(files, now_ns=later)

    assert counts(later) == {"fresh": 2, "stale": 1, "unknown": 0}
    assert index_lag(files, now_ns=later).to_sweep == 0


@pytest.mark.django_db
def test_a_hold_reaches_its_facts_in_bounded_steps(
    files: Files, reader: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catching_up, "SWEEP_ROWS", 4)
    hold = make_fact(
        99,
        hold_record(["service:"], tenant="default", released=False),
        entity="__legal_hold__::lh_1",
        key="state",
        private=True,
    )
    covered = [make_fact(n, entity=f"service:{n}") for n in range(10)]
    files.write(stored(*covered, make_fact(50, entity="team:x"), hold))

    def held() -> int:
        return find_facts(reader, FactFilter(marks=("held",)), store=files, now_ns=NOON_NS).count.value

    seen = []
    for _ in range(5):
        bring_up_to_date(files, now_ns=NOON_NS)
        seen.append(held())

    assert 0 < seen[0] <= 4
    assert seen[-1] == 10
    assert not HoldSweep.objects.exists()
    released = hold._replace(
        fact_id=fact_id(100), value=hold_record(["service:"], tenant="default", released=True), version=2
    )
    files.append(stored(released))
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)
    assert held() == 0
