"""Texts that a database may find hard: the index answers for them as replay does, whichever database it is in."""

import json

import pytest

from apps.accounts.rules import Scope
from apps.facts.answers import FactFilter
from apps.facts.models import Hold
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import find_facts, get_entity, get_fact
from cruxstore.errors import NotFoundError
from cruxstore.facts.records import Consolidate, Operation, Supersede, Timestamp
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored

AT = "2026-11-30T09:00:00+00:00"
NUL_ID = "f_nul\0in\\0it"


@pytest.mark.django_db
def test_an_id_with_a_nul_is_found_by_it_and_by_what_points_to_it(files: Files, reader: Scope) -> None:
    odd = make_fact(1, "old")._replace(fact_id=NUL_ID)
    files.write([*stored(odd, make_fact(2, "new")), Supersede(NUL_ID, fact_id(2), superseded_at=AT)])
    bring_up_to_date(files, now_ns=NOON_NS)

    found = get_fact(reader, NUL_ID, store=files, now_ns=NOON_NS)

    assert (found.row.fact_id, found.row.state, found.row.superseded_by) == (NUL_ID, "superseded", fact_id(2))
    with pytest.raises(NotFoundError):
        get_fact(reader, "f_nul\ufdd0", store=files, now_ns=NOON_NS)


@pytest.mark.django_db
def test_a_merge_of_such_ids_keeps_its_sources(files: Files, reader: Scope) -> None:
    odd = make_fact(1, "one", entity="team:\0ops")._replace(fact_id=NUL_ID)
    other = make_fact(2, "two", entity="team:\0ops", key="b")
    whole = make_fact(3, "both", entity="team:\0ops", key="c")
    merge: Operation = Consolidate(whole, (NUL_ID, fact_id(2)), consolidated_at=AT)
    files.write([*stored(odd, other), merge])
    bring_up_to_date(files, now_ns=NOON_NS)
    files.append(stored(make_fact(4, "later")))
    bring_up_to_date(files, now_ns=NOON_NS)

    page = get_entity(reader, "team:\0ops", store=files, now_ns=NOON_NS)

    assert [(one.key, len(one.current)) for one in page.keys] == [("b", 0), ("c", 1), ("deploy_gate", 0)]


@pytest.mark.django_db
def test_a_hold_whose_prefix_and_reason_hold_a_nul_marks_what_it_covers(files: Files, reader: Scope) -> None:
    hold = {
        "schema": "crux.legal_hold.v1",
        "hold_id": "lh_1",
        "tenant_id": "default",
        "entity_prefixes": ["team:\0ops", 'back\\u0000slash"'],
        "reason": "a\0matter",
        "placed_at": "2026-11-01T00:00:00Z",
        "placed_by": "p\0legal",
        "place_receipt_id": "r_1",
    }
    stated = make_fact(3, json.dumps(hold), entity="__legal_hold__::lh_1", key="state")
    files.write(stored(make_fact(1, entity="team:\0ops"), make_fact(2, entity="team:sea"), stated))
    bring_up_to_date(files, now_ns=NOON_NS)

    held = find_facts(reader, FactFilter(marks=("held",)), store=files, now_ns=NOON_NS)
    kept = Hold.objects.get(hold_id="lh_1")

    assert [row.fact_id for row in held.rows] == [fact_id(1)]
    assert (kept.reason, kept.placed_by) == ("a\0matter", "p\0legal")
    assert sorted(kept.entity_prefixes) == ['back\\u0000slash"', "team:\0ops"]


@pytest.mark.django_db
def test_an_id_of_ten_thousand_characters_that_no_index_shortens_is_kept_or_noted(files: Files, reader: Scope) -> None:
    """PostgreSQL has no room in an index for what does not shrink to 2,700 bytes; the line is noted, no other is."""
    long_id = "f_" + "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(10_000))
    files.write(stored(make_fact(1, "before"), make_fact(2)._replace(fact_id=long_id), make_fact(3, "after")))

    lag = bring_up_to_date(files, now_ns=NOON_NS)

    found = find_facts(reader, FactFilter(), store=files, now_ns=NOON_NS)
    assert (lag.state, lag.lines) == ("current", 3)
    assert {fact_id(1), fact_id(3)} <= {row.fact_id for row in found.rows} <= {fact_id(1), long_id, fact_id(3)}


@pytest.mark.django_db
def test_moments_of_every_year_that_the_format_spells_are_kept(files: Files, reader: Scope) -> None:
    def at(text: str) -> Timestamp:
        return parse_timestamp(text)

    odd = make_fact(1, stored_at=at("0001-01-01T00:00:00Z"))._replace(valid_to=at("9999-12-31T23:59:59Z"))
    files.write(stored(odd))
    bring_up_to_date(files, now_ns=NOON_NS)

    found = get_fact(reader, fact_id(1), store=files, now_ns=NOON_NS)

    assert (found.row.recorded_at.year, found.row.valid_to and found.row.valid_to.year) == (1, 9999)
