"""One fact: what is told of it, from which lines, and to whom."""

import json

import pytest

from apps.accounts.rules import Scope
from apps.facts.answers import FactDetail, FactFilter
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import find_facts, get_fact, read_line
from cruxstore.errors import NotFoundError
from cruxstore.facts.codec import encode_fact
from cruxstore.facts.decay import Freshness
from cruxstore.facts.records import Consolidate, Delete, Horizon, SetValidity, StoreBatch, Supersede
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored

STAMP = "2026-11-30T09:00:00+00:00"


def detail_of(files: Files, number: int, scope: Scope) -> FactDetail:
    return get_fact(scope, fact_id(number), store=files, now_ns=NOON_NS)


@pytest.mark.django_db
def test_a_fact_comes_with_its_chain_its_lines_and_its_reckoning(files: Files, reader: Scope) -> None:
    written = parse_timestamp("2026-10-01T00:00:00Z")
    files.write(
        [
            *stored(make_fact(1, "old")),
            *stored(make_fact(2, "new", version=2, supersedes=1, horizon=Horizon.MEDIUM, stored_at=written)),
            Supersede(fact_id(1), fact_id(2), STAMP),
            SetValidity(fact_id(2), parse_timestamp("2026-09-15T00:00:00.123456789Z"), None, STAMP),
        ]
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    detail = detail_of(files, 2, reader)

    assert detail.fact is not None
    assert (detail.value, detail.fact.valid_from) == ("new", parse_timestamp("2026-09-15T00:00:00.123456789Z"))
    assert [(one.row.version, one.value, one.row.state) for one in detail.versions] == [
        (2, "new", "current"),
        (1, "old", "superseded"),
    ]
    assert [(line.line_no, line.op) for line in detail.lines] == [(2, "store"), (3, "supersede"), (4, "set_validity")]
    assert json.loads(detail.lines[0].text)["fact_id"] == fact_id(2)
    assert detail.reckoning is not None
    assert (detail.reckoning.freshness, round(detail.row.effective, 3)) == (Freshness.STALE, 0.45)
    assert detail_of(files, 1, reader).row.superseded_by == fact_id(2)


@pytest.mark.django_db
def test_a_fact_of_a_batch_shows_its_own_slice_alone(files: Files, reader: Scope) -> None:
    facts = make_fact(1, "mine", key="a"), make_fact(2, "not mine", key="b")
    files.write([StoreBatch(facts)])
    bring_up_to_date(files, now_ns=NOON_NS)

    (line,) = detail_of(files, 1, reader).lines

    assert (line.op, line.text) == ("store_batch", encode_fact(facts[0]).decode())
    assert read_line(reader, fact_id(1), 1, store=files) == encode_fact(facts[0])


@pytest.mark.django_db
def test_a_merged_fact_shows_the_merge_without_the_other_text(files: Files, reader: Scope) -> None:
    merged = make_fact(3, "settled", version=2, supersedes=1)
    files.write([*stored(make_fact(1, "yes")), Consolidate(merged, (fact_id(1),), STAMP)])
    bring_up_to_date(files, now_ns=NOON_NS)

    line = detail_of(files, 1, reader).lines[-1]

    assert line.op == "consolidate"
    assert line.text.startswith('{"op":"consolidate","canonical":…,"superseded_fact_ids":')


@pytest.mark.django_db
def test_every_line_that_is_shown_can_be_taken_away_as_it_is(files: Files, reader: Scope) -> None:
    files.write(
        [
            *stored(make_fact(1, "old"), make_fact(2, "new", version=2, supersedes=1)),
            Supersede(fact_id(1), fact_id(2), STAMP),
            Delete(fact_id(2), STAMP),
        ]
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    old, new = detail_of(files, 1, reader), detail_of(files, 2, reader)

    assert [line.line_no for line in old.lines] == [1, 3]
    assert [line.line_no for line in new.lines] == [2, 3, 4]
    for number, detail in ((1, old), (2, new)):
        for line in detail.lines:
            assert read_line(reader, fact_id(number), line.line_no, store=files) == line.text.encode()
    for number, line_no in ((1, 2), (1, 4), (2, 1), (2, 5)):
        with pytest.raises(NotFoundError):
            read_line(reader, fact_id(number), line_no, store=files)


@pytest.mark.django_db
def test_a_missing_and_a_foreign_fact_are_refused_alike(files: Files, reader: Scope, neighbour: Scope) -> None:
    files.write(stored(make_fact(1)))
    bring_up_to_date(files, now_ns=NOON_NS)

    for number, scope in ((1, neighbour), (9, reader)):
        with pytest.raises(NotFoundError, match="There is no such fact"):
            detail_of(files, number, scope)
    assert detail_of(files, 1, reader).value == "yes"


@pytest.mark.django_db
def test_a_stub_tells_no_text_and_no_line(files: Files, reader: Scope, owner: Scope) -> None:
    secret = make_fact(1, "a secret", entity="__agent::lark::notes", key="tone", private=True)
    files.write([*stored(secret), Delete(fact_id(1), STAMP)])
    bring_up_to_date(files, now_ns=NOON_NS)

    stub = detail_of(files, 1, reader)

    assert stub.row.is_stub
    assert (stub.fact, stub.value, stub.lines, stub.versions, stub.origin) == (None, "", (), (), None)
    assert "secret" not in repr(stub)
    assert "notes" not in repr(stub)
    with pytest.raises(NotFoundError):
        read_line(reader, fact_id(1), 1, store=files)
    assert detail_of(files, 1, owner).value == "a secret"


@pytest.mark.django_db
def test_links_to_facts_that_do_not_belong_there_are_not_shown(files: Files, reader: Scope) -> None:
    files.write(
        stored(
            make_fact(1, tenant="acme"),
            make_fact(2, key="other"),
            make_fact(3, supersedes=2, superseded_by=1),
            make_fact(4, superseded_by=99),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    linked, dangling = detail_of(files, 3, reader), detail_of(files, 4, reader)

    assert (linked.row.supersedes, linked.row.superseded_by, linked.row.state) == ("", "", "current")
    assert (dangling.row.superseded_by, dangling.row.state) == (fact_id(99), "superseded")


@pytest.mark.django_db
def test_an_imported_fact_says_where_it_stood(files: Files, reader: Scope) -> None:
    extra = b'"_import":{"id":"i_7","line":12,"said_at":"2026-01-01"}'
    files.write(stored(make_fact(1, extra=extra), make_fact(2, extra=b'"_import":[1]')))
    bring_up_to_date(files, now_ns=NOON_NS)

    origin = detail_of(files, 1, reader).origin

    assert origin is not None
    assert (origin.import_id, origin.line, origin.members) == ("i_7", 12, {"said_at": "2026-01-01"})
    assert detail_of(files, 2, reader).origin is None
    page = find_facts(reader, FactFilter(import_id="i_7"), store=files, now_ns=NOON_NS)
    assert [row.fact_id for row in page.rows] == [fact_id(1)]


@pytest.mark.django_db
def test_an_unusually_long_name_is_shown_whole(files: Files, reader: Scope) -> None:
    entity = "customer:" + "é" * 400
    files.write(stored(make_fact(1, entity=entity), make_fact(2, entity=entity + "x")))
    bring_up_to_date(files, now_ns=NOON_NS)

    page = find_facts(reader, FactFilter(entity=entity), store=files, now_ns=NOON_NS)

    assert [row.entity for row in page.rows] == [entity]


@pytest.mark.django_db
def test_freshness_is_that_of_the_moment_of_looking(files: Files, reader: Scope) -> None:
    files.write(stored(make_fact(1, horizon=Horizon.VOLATILE)))
    bring_up_to_date(files, now_ns=NOON_NS)
    stale_ns = parse_timestamp("2026-12-01T08:00:00.001Z").ns

    before = get_fact(reader, fact_id(1), store=files, now_ns=stale_ns - 1_000_000)
    after = get_fact(reader, fact_id(1), store=files, now_ns=stale_ns)

    assert (before.row.freshness, after.row.freshness) == ("fresh", "stale")
    assert before.row.stale_at is not None
    assert before.row.stale_at.isoformat() == "2026-12-01T08:00:00.001000+00:00"
