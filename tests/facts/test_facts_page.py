"""The list of facts: what is on a page, in which order, with which counts, for whom."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from apps.accounts.rules import Scope
from apps.facts.answers import FRESHNESSES, HORIZONS, PAGE_ROWS, SORTS, STATES, Count, FactFilter, FactRow, FactsPage
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import candidates, find_facts, paging
from apps.facts.queries.paging import BadPlaceError
from cruxstore.facts.records import Delete, Horizon, Supersede
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored

STAMP = "2026-11-30T09:00:00+00:00"
KINDS = ("service:", "team:", "incident:", "")
ACTORS = ("deploy-bot", "curator", "")
TIMES = ("2024-01-01T00:00:00Z", "2026-11-29T12:30:00Z", "2026-11-30T08:00:00Z", "2027-01-01T00:00:00Z")


def page_of(files: Files, chosen: FactFilter, scope: Scope) -> FactsPage:
    return find_facts(scope, chosen, store=files, now_ns=NOON_NS)


def walk(files: Files, chosen: FactFilter, scope: Scope) -> Iterator[FactsPage]:
    """Every page of a filter, the first one first."""
    page = page_of(files, chosen, scope)
    yield page
    while page.older is not None:
        page = page_of(files, replace(chosen, after=page.older), scope)
        yield page


def write_many(files: Files, facts: int) -> None:
    """A journal in which every facet has many values; a part of it is superseded or deleted."""
    chance = random.Random(7)
    lines = stored(
        *(
            make_fact(
                number,
                chance.choice(("yes", "no", "the threshold is 40")),
                entity=f"{chance.choice(KINDS)}{chance.choice(('checkout', 'mailer', 'ledger'))}",
                key=chance.choice(("owner", "state", "gate")),
                tenant=chance.choice(("default", "default", "acme")),
                confidence=chance.choice((0.2, 0.5, 0.9)),
                horizon=chance.choice(list(Horizon)),
                stored_at=parse_timestamp(chance.choice(TIMES)),
                actor=chance.choice(ACTORS) or None,
            )
            for number in range(facts)
        )
    )
    for number in range(0, facts, 5):
        lines.append(Supersede(fact_id(number), fact_id(facts - 1), STAMP))
        lines.append(Delete(fact_id(number + 1), STAMP))
    files.write(lines)
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)


def has(chosen: FactFilter) -> Callable[[FactRow], bool]:
    """The same filter over rows that a page showed."""

    def check(row: FactRow) -> bool:
        return (
            row.state in (chosen.state or ("current", "superseded"))
            and (not chosen.freshness or row.freshness in chosen.freshness)
            and (not chosen.horizon or row.horizon in chosen.horizon)
            and (not chosen.kind or row.kind in chosen.kind)
            and (not chosen.actor or row.actor in chosen.actor)
            and (not chosen.marks or bool({*row.marks} & {*chosen.marks}))
            and (not chosen.entity or row.entity == chosen.entity)
            and (not chosen.key or row.key == chosen.key)
            and (chosen.min_confidence is None or row.effective >= chosen.min_confidence)
            and all(word in f"{row.entity}\n{row.key}\n{row.value_excerpt}" for word in chosen.q.split())
        )

    return check


def in_order(rows: list[FactRow], sort: str) -> list[FactRow]:
    """Rows that are in recorded order, sorted anew."""
    recorded = {row.fact_id: place for place, row in enumerate(rows)}
    keys: dict[str, Callable[[FactRow], tuple[object, ...]]] = {
        "recorded": lambda row: (recorded[row.fact_id],),
        "effective": lambda row: (row.effective, recorded[row.fact_id]),
        "entity": lambda row: (row.entity, row.key, recorded[row.fact_id]),
    }
    return sorted(rows, key=keys[sort.removeprefix("-")], reverse=sort.startswith("-"))


def some_filters() -> Iterator[FactFilter]:
    """Filters of every shape, the same ones each time."""
    chance = random.Random(11)

    def some(values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(chance.sample(values, chance.choice((0, 0, 1, 2))))

    for _ in range(60):
        yield FactFilter(
            q=chance.choice(("", "", "", "threshold", "the 40", "no", "mail")),
            state=some(STATES),
            freshness=some(FRESHNESSES),
            horizon=some(HORIZONS),
            kind=some(KINDS),
            actor=some((*ACTORS, "nobody")),
            marks=some(("conflict", "held")),
            entity=chance.choice(("", "", "", "team:mailer", "nothing")),
            key=chance.choice(("", "", "", "gate")),
            min_confidence=chance.choice((None, None, None, 0.25, 0.5)),
            sort=chance.choice(SORTS),
        )


@pytest.mark.django_db
@pytest.mark.parametrize("limits", [(50, 5_000), (1, 3), (1, 0)], ids=["few", "gathered", "walked"])
def test_every_filter_shows_what_looking_at_all_facts_shows(
    files: Files, reader: Scope, monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int]
) -> None:
    monkeypatch.setattr(paging, "FEW_CELLS", limits[0])
    monkeypatch.setattr(paging, "FEW_FACTS", limits[1])
    write_many(files, 240)
    every = [row for page in walk(files, FactFilter(state=STATES, sort="recorded"), reader) for row in page.rows]
    assert len(every) > 150

    answers = 0
    for chosen in some_filters():
        expected = in_order([row for row in every if has(chosen)(row)], chosen.sort)
        answers += bool(expected)
        pages = list(walk(files, chosen, reader))

        assert [row for page in pages for row in page.rows] == expected, chosen
        assert {page.count for page in pages} == {Count(len(expected))}, chosen
    assert answers > 20


@pytest.mark.django_db
def test_a_facet_value_says_what_choosing_it_alone_would_show(files: Files, reader: Scope) -> None:
    write_many(files, 240)
    every = [row for page in walk(files, FactFilter(state=STATES, sort="recorded"), reader) for row in page.rows]

    for chosen in some_filters():
        for facet in page_of(files, chosen, reader).facets:
            for value in facet.values:
                alone = replace(chosen, **{facet.name: (value.value,)})  # type: ignore[arg-type]
                assert value.count == Count(sum(map(has(alone), every))), (chosen, facet.name, value)
                assert value.is_on is (value.value in getattr(chosen, facet.name))


@pytest.mark.django_db
@pytest.mark.parametrize("sort", SORTS)
def test_going_back_shows_the_pages_that_going_forth_showed(files: Files, reader: Scope, sort: str) -> None:
    write_many(files, 200)
    forth = list(walk(files, FactFilter(sort=sort), reader))

    back = [forth[-1]]
    while (place := back[-1].newer) is not None:
        back.append(page_of(files, FactFilter(sort=sort, before=place), reader))

    assert [page.rows for page in reversed(back)] == [page.rows for page in forth]
    assert len(forth) > 3
    assert back[-1].newer is None


@pytest.mark.django_db
def test_a_page_holds_its_place_while_facts_are_added(files: Files, reader: Scope) -> None:
    write_many(files, 200)
    first = page_of(files, FactFilter(), reader)
    second = page_of(files, FactFilter(after=first.older or ""), reader)

    files.append(stored(*(make_fact(number) for number in range(1000, 1040))))
    bring_up_to_date(files, now_ns=NOON_NS)

    assert page_of(files, FactFilter(after=first.older or ""), reader).rows == second.rows


@pytest.mark.django_db
def test_a_count_beyond_the_cap_says_at_least(files: Files, reader: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "COUNT_CAP", 30)
    files.write(stored(*(make_fact(number, confidence=number / 100) for number in range(100))))
    bring_up_to_date(files, now_ns=NOON_NS)

    page = page_of(files, FactFilter(q="yes"), reader)
    sorted_page = page_of(files, FactFilter(q="yes", sort="-effective"), reader)

    assert str(page.count) == "30+"
    assert sum(len(one.rows) for one in walk(files, FactFilter(q="yes"), reader)) == 100
    assert sorted_page.rows[0].fact_id == fact_id(99)
    assert sorted_page.search_note == "More than 30 facts match; the newest 30 of them are sorted."


@pytest.mark.django_db
def test_a_rare_kind_and_actor_share_one_label_and_are_found_by_name(
    files: Files, reader: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.facts.projector.labels.LABELS", 2)
    files.write(
        stored(
            *(
                make_fact(number, entity=f"kind{number}:a", actor=f"bot-{number}", key=str(number))
                for number in range(5)
            )
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    facets = {facet.name: facet.values for facet in page_of(files, FactFilter(), reader).facets}

    assert [(value.label, value.count.value) for value in facets["actor"]] == [
        ("bot-0", 1),
        ("bot-1", 1),
        ("all others", 3),
    ]
    for number in range(5):
        by_actor = page_of(files, FactFilter(actor=(f"bot-{number}",)), reader)
        by_kind = page_of(files, FactFilter(kind=(f"kind{number}:",)), reader)
        assert [row.fact_id for row in by_actor.rows] == [row.fact_id for row in by_kind.rows] == [fact_id(number)]


@pytest.mark.django_db
def test_a_private_fact_is_counted_and_shown_as_a_stub_to_all_but_its_owner(
    files: Files, reader: Scope, owner: Scope, reading_officer: Scope
) -> None:
    files.write(
        stored(
            make_fact(1, "a secret", entity="__agent::lark::notes", key="tone", private=True),
            make_fact(2, "an ownerless secret", entity="plan:x", private=True),
            make_fact(3, "in the open"),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    def shown_to(scope: Scope) -> dict[str, tuple[str, str, str, str]]:
        page = page_of(files, FactFilter(), scope)
        assert page.count == Count(3)
        return {row.fact_id: (row.owner, row.kind, row.entity, row.value_excerpt) for row in page.rows}

    assert shown_to(reader)[fact_id(1)] == ("lark", "__agent::", "", "")
    assert shown_to(reader)[fact_id(2)] == ("", "plan:", "", "")
    assert shown_to(owner)[fact_id(1)] == ("lark", "__agent::", "__agent::lark::notes", "a secret")
    assert shown_to(owner)[fact_id(2)] == ("", "plan:", "", "")
    assert shown_to(reading_officer)[fact_id(1)] == ("lark", "__agent::", "", "")
    assert shown_to(reading_officer)[fact_id(2)] == ("", "plan:", "plan:x", "an ownerless secret")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "chosen", [FactFilter(entity="__agent::lark::notes"), FactFilter(key="tone"), FactFilter(q="lark")]
)
def test_no_filter_by_text_finds_a_stub(files: Files, reader: Scope, owner: Scope, chosen: FactFilter) -> None:
    files.write(stored(make_fact(1, "a secret", entity="__agent::lark::notes", key="tone", private=True)))
    bring_up_to_date(files, now_ns=NOON_NS)

    hidden, seen = page_of(files, chosen, reader), page_of(files, chosen, owner)

    assert (hidden.rows, hidden.count) == ((), Count(0))
    assert [row.fact_id for row in seen.rows] == [fact_id(1)]


@pytest.mark.django_db
def test_values_are_shown_as_they_are_and_long_ones_by_their_beginning(files: Files, reader: Scope) -> None:
    odd = "\u202etxt.exe <b>{{ x }}</b>\0"
    files.write(stored(make_fact(1, odd), make_fact(2, "é" * 500), make_fact(3, "x" * 100_000)))
    bring_up_to_date(files, now_ns=NOON_NS)

    long, cut, exact = page_of(files, FactFilter(), reader).rows

    assert (exact.value_excerpt, exact.is_cut) == (odd, False)
    assert (cut.value_excerpt, cut.value_bytes, cut.is_cut) == ("é" * 300, 1000, True)
    assert (long.value_excerpt, long.value_bytes, long.is_cut) == ("x" * 300, 100_000, True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sort", "after"), [("-recorded", "x"), ("-recorded", "0.5_3"), ("-effective", "3"), ("none", "")]
)
def test_a_place_or_order_that_no_page_gave_out_is_refused(files: Files, reader: Scope, sort: str, after: str) -> None:
    write_many(files, 30)

    with pytest.raises(BadPlaceError):
        page_of(files, FactFilter(sort=sort, after=after), reader)


@pytest.mark.django_db
def test_an_empty_store_has_an_empty_page(files: Files, reader: Scope) -> None:
    page = page_of(files, FactFilter(), reader)

    assert (page.rows, page.count, page.total, page.lag.state) == ((), Count(0), Count(0), "empty")


def test_a_page_has_25_rows() -> None:
    assert PAGE_ROWS == 25
