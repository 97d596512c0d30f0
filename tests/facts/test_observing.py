"""A daemon's journal is followed as it is: new lines at once, another file anew, and never a byte of it changed."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from apps.accounts.rules import Scope
from apps.facts.answers import FactFilter, FactsPage
from apps.facts.clock_rules import Mark
from apps.facts.journal import JournalMovedError
from apps.facts.projector import bring_up_to_date, catching_up, rebuild
from apps.facts.queries import export_facts, find_facts, get_fact, store_status
from apps.facts.queries.places import line_recorded_us, place_of
from cruxstore.door import Store
from cruxstore.errors import JournalNotOursError
from cruxstore.facts.records import Delete, Horizon, Operation, Timestamp
from cruxstore.facts.times import format_timestamp
from tests.cruxstore.stores import ANA, START_NS, delete, lead, open_store, put, view_of
from tests.facts.journals import fact_id, lines_of, make_fact, stored

pytestmark = pytest.mark.django_db(transaction=True)

DAY_NS = 24 * 3_600_000_000_000
READER = Scope(tenant="default", principal_id="p_reader")


@pytest.fixture
def daemon(tmp_path: Path) -> Path:
    """The journal of a daemon, which nobody has written yet."""
    (tmp_path / "daemon").mkdir()
    return tmp_path / "daemon" / "facts.jsonl"


@pytest.fixture
def observing(tmp_path: Path, daemon: Path) -> Store:
    """Our own folder, which looks at that journal."""
    return open_store(tmp_path / "data", journal=daemon)


def write(journal: Path, operations: Sequence[Operation | bytes]) -> None:
    with journal.open("ab") as stream:
        stream.write(lines_of(operations))


def stated_at(number: int, ns: int, value: str = "") -> Operation | bytes:
    stated_at = Timestamp(format_timestamp(ns, zulu=True), ns)
    return stored(make_fact(number, value or str(number), stored_at=stated_at))[0]


def asked(store: Store, *, now_ns: int = START_NS, known: str = "") -> FactsPage:
    """The facts page, made as a request makes it."""
    bring_up_to_date(store, now_ns=now_ns)
    return find_facts(READER, FactFilter(sort="recorded", known=known), store=store, now_ns=now_ns)


def values(page: FactsPage) -> list[str]:
    return [row.value_excerpt for row in page.rows]


def test_a_new_line_is_on_the_page_that_is_asked_for_next(observing: Store, daemon: Path) -> None:
    assert values(asked(observing)) == []
    for number in range(1, 4):
        write(daemon, stored(make_fact(number, f"value {number}", key=f"k{number}")))

        began = time.monotonic()
        page = asked(observing)

        assert time.monotonic() - began < 1
        assert values(page)[-1] == f"value {number}"


def test_a_page_reads_500_new_lines_and_tells_of_the_others(observing: Store, daemon: Path) -> None:
    write(daemon, stored(*(make_fact(number, key=f"k{number}") for number in range(1, 1202))))

    counted = [asked(observing) for _ in range(3)]

    assert [page.count.value for page in counted] == [500, 1000, 1201]
    assert [page.lag.is_behind for page in counted] == [True, True, False]


def test_a_page_never_waits_for_whoever_is_reading(observing: Store, daemon: Path) -> None:
    write(daemon, stored(make_fact(1, "before")))
    asked(observing)
    write(daemon, stored(make_fact(2, "after", key="other")))

    with catching_up.index_lock(observing.data_dir, 0.0):
        began = time.monotonic()
        page = asked(observing)

    assert time.monotonic() - began < 1
    assert (values(page), page.lag.is_behind) == (["before"], True)
    assert values(asked(observing)) == ["before", "after"]


@pytest.mark.parametrize("how", ["renamed over", "shrunk", "written anew in place"])
def test_no_answer_is_of_two_journals(observing: Store, daemon: Path, how: str) -> None:
    write(daemon, stored(*(make_fact(number, f"old {number:03}", key=f"k{number}") for number in range(1, 601))))
    asked(observing)
    asked(observing)
    numbers = range(1, 300 if how == "shrunk" else 601)
    # the same ids, keys and lengths: every fact of the new journal stands where the index says one of the old does
    fresh = lines_of(stored(*(make_fact(number, f"new {number:03}", key=f"k{number}") for number in numbers)))
    if how == "renamed over":
        other = daemon.with_suffix(".tmp")
        other.write_bytes(fresh)
        other.replace(daemon)
    else:
        daemon.write_bytes(fresh)

    seen = []
    for _ in range(4):
        page = asked(observing)
        seen.append({(row.value_excerpt[:3], row.is_unreadable) for row in page.rows})
        try:
            lines = b"".join(export_facts(READER, FactFilter(), form="jsonl", store=observing, now_ns=START_NS))
        except JournalMovedError:
            assert seen[-1] == {("", True)}
        else:
            assert lines.count(b'"value":"new ') == lines.count(b"\n") == page.count.value
        told = get_fact(READER, fact_id(7), store=observing, now_ns=START_NS)
        assert told.row.value_excerpt[:3] in ("", *(word for word, _ in seen[-1]))

    assert all(len(words) == 1 and words <= {("", True), ("new", False)} for words in seen)
    assert seen[-1] == {("new", False)}
    assert not asked(observing).lag.journal_replaced


def test_a_journal_that_is_replaced_while_it_is_read_is_read_anew(
    observing: Store, daemon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(daemon, stored(*(make_fact(number, "old", key=f"k{number}") for number in range(1, 41))))
    asked(observing)
    write(daemon, stored(make_fact(41, "old", key="k41")))
    real = catching_up._build_to_read

    def replacing(*args: object, **named: object) -> object:
        build = real(*args, **named)  # type: ignore[arg-type]
        other = daemon.with_suffix(".tmp")
        other.write_bytes(lines_of(stored(*(make_fact(number, "new", key=f"k{number}") for number in range(1, 81)))))
        other.replace(daemon)
        return build

    with monkeypatch.context() as patched:
        patched.setattr(catching_up, "_build_to_read", replacing)
        asked(observing)

    assert set(values(asked(observing))) == {"new"}
    assert asked(observing).count.value == 80


def test_a_last_line_without_its_end_is_left_alone_and_called_torn_after_two_seconds(
    observing: Store, daemon: Path
) -> None:
    whole = lines_of(stored(make_fact(1, "whole"), make_fact(2, "late", key="other")))
    daemon.write_bytes(whole[:-10])

    assert values(asked(observing)) == ["whole"]
    at_ns = daemon.stat().st_mtime_ns
    torn = [store_status(store=observing, now_ns=at_ns + ms * 1_000_000).torn_tail_bytes for ms in (0, 1999, 2000)]
    assert torn == [0, 0, torn[2]]
    assert torn[2] > 0
    with observing.writing():
        pass
    assert daemon.read_bytes() == whole[:-10]
    assert list(daemon.parent.iterdir()) == [daemon]

    daemon.write_bytes(whole)
    assert values(asked(observing)) == ["whole", "late"]


def test_what_needs_a_line_is_refused_and_what_does_not_lasts(observing: Store, daemon: Path) -> None:
    write(daemon, [stated_at(1, START_NS - 400 * DAY_NS, "Ana")])
    before = daemon.read_bytes()
    with pytest.raises(JournalNotOursError) as refused:
        put(observing, lead("Ben"))
    with pytest.raises(JournalNotOursError):
        delete(observing, [fact_id(1)])
    assert refused.value.code == "journal_not_ours"
    with observing.writing() as door:
        door.set_horizon(ANA, "default", fact_id(1), Horizon.MEDIUM, view=view_of(observing))
    assert [(row.horizon, row.freshness) for row in asked(observing).rows] == [("medium", "stale")]

    with observing.writing() as door:
        door.reverify(ANA, "default", fact_id(1), view=view_of(observing))
    assert [row.freshness for row in asked(observing, now_ns=START_NS + DAY_NS).rows] == ["fresh"]

    # the daemon compacts: what we said of the fact is in our own ledger
    other = daemon.with_suffix(".tmp")
    other.write_bytes(lines_of([stated_at(9, START_NS - DAY_NS)]) + before)
    other.replace(daemon)
    rows = asked(observing, now_ns=START_NS + DAY_NS).rows
    assert [(row.horizon, row.freshness) for row in rows if row.fact_id == fact_id(1)] == [("medium", "fresh")]
    assert daemon.read_bytes().endswith(before)


def test_both_clocks_count_a_daemons_lines_by_their_stamps_and_ours_by_their_events(
    observing: Store, daemon: Path
) -> None:
    days = [START_NS - 3 * DAY_NS, START_NS - 2 * DAY_NS]
    write(daemon, [stated_at(1, days[0]), stated_at(2, days[1])])
    with observing.writing() as door:
        door.set_horizon(ANA, "default", fact_id(1), Horizon.MEDIUM, view=view_of(observing))
    later = START_NS + DAY_NS
    write(daemon, [stated_at(3, later), Delete(fact_id(2), "2025-12-02T09:00:00+00:00")])
    asked(observing)
    now_ns = START_NS + 5 * DAY_NS

    def told() -> tuple[object, ...]:
        recorded = [line_recorded_us(line, store=observing) for line in (1, 2, 3)]
        known = [
            place_of(ns // 1000, store=observing, now_us=now_ns // 1000) for ns in (days[0], days[1], START_NS, later)
        ]
        event = place_of(Mark("event", 1), store=observing, now_us=now_ns // 1000)
        horizons = [
            [row.horizon for row in asked(observing, now_ns=now_ns, known=mark).rows if row.fact_id == fact_id(1)]
            for mark in ("line 2", "event 1")
        ]
        return recorded, [place.lines for place in known], (event.lines, event.events), horizons

    expected = ([days[0] // 1000, days[1] // 1000, later // 1000], [1, 2, 2, 3], (2, 1), [["none"], ["medium"]])
    assert told() == expected
    rebuild(observing, now_ns=now_ns)
    assert told() == expected
