"""A moment stands for the longest beginning of lines and events with nothing in it recorded later."""

from pathlib import Path

import pytest

from apps.facts.answers import KnownPlace
from apps.facts.clock_rules import BadMomentError, Mark, instant_text
from apps.facts.models import LedgerEvent
from apps.facts.projector import bring_up_to_date
from apps.facts.queries.places import place_of
from apps.facts.rules import epoch_us
from cruxstore.door import Store
from cruxstore.facts.records import Delete, Horizon, Operation
from cruxstore.facts.records import Store as StoreLine
from cruxstore.facts.times import parse_timestamp
from tests.cruxstore.stores import ANA, START_NS, adopted_store, delete, lead, put, view_of
from tests.facts.journals import NOON_NS, Files, fact_id, lines_of, make_fact

pytestmark = pytest.mark.django_db(transaction=True)
LATER_US = START_NS // 1000 + 3600 * 1_000_000


@pytest.fixture
def acts(tmp_path: Path) -> Store:
    """Event 1 adopts, 2 stores two lines' facts in one, 3 replaces one, 4 sets a horizon, 5 deletes."""
    store = adopted_store(tmp_path / "data")
    first = put(store, lead("Ana")).fact_ids[0]
    put(store, lead("Ben"))
    with store.writing() as door:
        door.set_horizon(ANA, "default", first, Horizon.STABLE, view=view_of(store))
    delete(store, [first])
    bring_up_to_date(store, now_ns=START_NS, limit=None)
    return store


def test_an_event_counts_with_its_own_lines_and_a_line_with_the_events_before_it(acts: Store) -> None:
    places = [counted(acts, Mark("event", seq)) for seq in range(1, 6)]

    assert places == [(0, 1), (1, 2), (3, 3), (3, 4), (4, 5)]
    assert [counted(acts, Mark("line", line)) for line in range(1, 5)] == [(1, 2), (2, 3), (3, 3), (4, 5)]


def test_an_instant_takes_in_what_was_recorded_at_it_and_nothing_later(acts: Store) -> None:
    for event in LedgerEvent.objects.all():
        at = epoch_us(event.at)

        assert counted(acts, at) == counted(acts, Mark("event", event.seq))
        assert counted(acts, at - 1) == (counted(acts, Mark("event", event.seq - 1)) if event.seq > 1 else (0, 0))


def test_a_moment_to_come_is_now(acts: Store) -> None:
    place = place_of(LATER_US + 1, store=acts, now_us=LATER_US)

    assert (place.lines, place.events, place.at_us) == (4, 5, LATER_US)


@pytest.mark.parametrize("mark", [Mark("line", 0), Mark("line", 5), Mark("event", 6)])
def test_a_line_or_an_event_that_is_not_there_is_refused(acts: Store, mark: Mark) -> None:
    with pytest.raises(BadMomentError, match=f"There is no {mark.kind} {mark.number}"):
        place_of(mark, store=acts, now_us=LATER_US)


def test_somebody_elses_line_was_recorded_at_its_stamp_or_at_the_event_that_found_it(acts: Store) -> None:
    in_an_hour = START_NS + 3600 * 1_000_000_000
    append(acts, stored(7, in_an_hour))
    bring_up_to_date(acts, now_ns=START_NS, limit=None)
    assert counted(acts, Mark("line", 5), at=True) == (5, 5, in_an_hour // 1000)

    put(acts, lead("Cem"))
    bring_up_to_date(acts, now_ns=START_NS, limit=None)

    found_at = epoch_us(LedgerEvent.objects.get(action="line.observed").at)
    assert counted(acts, Mark("line", 5), at=True) == (5, 5, found_at)
    assert counted(acts, found_at)[0] == 5
    assert counted(acts, found_at - 1)[0] == 4


def test_without_a_ledger_stamps_alone_say_when_lines_were_recorded(files: Files) -> None:
    hours = (1, 3, 2, 5)
    files.write([stored(number, NOON_NS + hour * 3600 * 10**9) for number, hour in enumerate(hours, 1)])
    files.append([Delete(fact_id(1), "no time")])
    files.append([stored(100 + number, NOON_NS) for number in range(600)])
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)

    at = {hour: NOON_NS // 1000 + hour * 3600 * 1_000_000 for hour in range(7)}
    now_us = at[6]
    reached = [place_of(at[hour], store=files, now_us=now_us).lines for hour in range(7)]

    assert reached == [0, 1, 1, 3, 3, 605, 605]
    assert [place_of(Mark("line", line), store=files, now_us=now_us).at_us for line in (1, 2, 3, 5, 605)] == [
        at[1],
        at[3],
        at[3],
        at[5],
        at[5],
    ]


def counted(store: Store, known: Mark | int, *, at: bool = False) -> tuple[int, ...]:
    place: KnownPlace = place_of(known, store=store, now_us=LATER_US * 2)
    return (place.lines, place.events, place.at_us) if at else (place.lines, place.events)


def stored(number: int, at_ns: int) -> Operation:
    return StoreLine(make_fact(number, stored_at=parse_timestamp(instant_text(at_ns // 1000))))


def append(store: Store, *operations: Operation) -> None:
    with store.journal_path.open("ab") as journal:
        journal.write(lines_of(operations))
