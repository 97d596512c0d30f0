"""The page of findings: both sides, why they stand side by side, and what may be done about them."""

import time

from django.test import Client
from django.utils import timezone

from apps.accounts.rules import Scope
from apps.facts.projector import bring_up_to_date
from apps.facts.queries.scanning import Ground
from apps.review.actions.expiry import scan_expiry
from apps.review.actions.scan import scan_tenant
from cruxstore.door import Store
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.records import Operation
from tests.facts.journals import fact_id, make_fact, stored
from tests.pages.conftest import HOSTILE, StateFact

PAGE = "/t/default/findings/"


def write(store: Store, *operations: Operation | bytes) -> None:
    """Appends lines as a daemon would, indexes them and scans."""
    with store.journal_path.open("ab") as journal:
        for operation in operations:
            journal.write((operation if isinstance(operation, bytes) else encode_operation(operation)) + b"\n")
    scan(store)


def scan(store: Store) -> None:
    bring_up_to_date(store, now_ns=time.time_ns(), limit=None)
    ground = Ground.of(Scope(tenant="default", principal_id="schedule"))
    scan_tenant(ground, now=timezone.now())
    scan_expiry(ground, store=store, now=timezone.now())


def test_before_the_first_scan_the_page_says_so(as_curator: Client) -> None:
    assert "Nothing was scanned yet" in as_curator.get(PAGE).text


def test_both_sides_are_shown_with_what_may_be_done(store: Store, as_curator: Client, as_viewer: Client) -> None:
    write(store, *stored(make_fact(1, "enabled"), make_fact(2, "disabled", actor="roster-sync")))

    page = as_curator.get(PAGE).text

    assert "Contradiction" in page and "One says yes, the other no" in page
    assert "enabled" in page and "disabled" in page and "roster-sync" in page
    assert f"/t/default/facts/{fact_id(1)}/delete/" in page and "What was believed when" in page
    assert "/delete/" not in as_viewer.get(PAGE).text


def test_findings_are_filtered_by_kind(store: Store, as_curator: Client) -> None:
    write(store, *stored(make_fact(1, "enabled"), make_fact(2, "disabled"), make_fact(3, "x", key="k", confidence=0.1)))

    expiries = as_curator.get(f"{PAGE}?kind=expiry").text

    assert "Stated with less than 0.3" in expiries and "One says yes" not in expiries
    assert "Nothing of this kind" in as_curator.get(f"{PAGE}?kind=duplicate").text
    assert "One says yes" in as_curator.get(f"{PAGE}?kind=odd").text


def test_what_was_settled_since_the_scan_is_not_shown(store: Store, as_curator: Client, state_fact: StateFact) -> None:
    write(store, *stored(make_fact(1, "enabled"), make_fact(2, "disabled")))
    token = as_curator.get(f"/t/default/facts/{fact_id(1)}/delete/").context
    form = {"token": token["token"], "expected": token["expected"], "reason": "It was the old one"}
    as_curator.post(f"/t/default/facts/{fact_id(1)}/delete/", form)

    assert "One says yes" not in as_curator.get(PAGE).text


def test_hostile_text_is_shown_as_text(store: Store, as_curator: Client) -> None:
    write(store, *stored(make_fact(1, HOSTILE, entity=HOSTILE), make_fact(2, f"{HOSTILE} no", entity=HOSTILE)))

    page = as_curator.get(PAGE).text

    assert "<script>alert" not in page and "{{ 7*7 }}" in page and "\u202e" not in page


def test_another_tenants_findings_are_not_shown(store: Store, as_stranger: Client) -> None:
    write(store, *stored(make_fact(1, "enabled"), make_fact(2, "disabled")))

    assert as_stranger.get(PAGE).status_code == 404
    assert "One says yes" not in as_stranger.get("/t/acme/findings/").text


def test_pages_of_findings_lead_on(store: Store, as_curator: Client) -> None:
    facts = [
        make_fact(number, value, key=f"key_{number // 2}")
        for number in range(60)
        for value in [("on", "off")[number % 2]]
    ]
    write(store, *stored(*facts))

    first = as_curator.get(PAGE)
    second = as_curator.get(f"{PAGE}?before={first.context['page'].before}")

    numbers = [row.number for page in (first, second) for row in page.context["page"].rows]
    assert len(numbers) == len(set(numbers)) == 30
    assert second.context["page"].before is None
