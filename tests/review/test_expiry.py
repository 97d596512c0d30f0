"""Facts that may have had their day."""

import pytest

from apps.review.actions.expiry import scan_expiry
from apps.review.models import Finding
from cruxstore.facts.records import Delete, Fact, Horizon
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import fact_id, make_fact
from tests.review.conftest import NOW, Journal, ground

STAMP = "2026-11-30T09:00:00+00:00"
LONG_AGO = parse_timestamp("2026-01-01T00:00:00Z")


def proposed(journal: Journal) -> dict[str, str]:
    scan_expiry(ground(), store=journal, now=NOW)
    return dict(Finding.objects.filter(kind="expiry").values_list("first_id", "detector"))


def stale(number: int, **members: object) -> Fact:
    return make_fact(number, key=f"key_{number}", horizon=Horizon.VOLATILE, stored_at=LONG_AGO, **members)  # type: ignore[arg-type] # by name


def test_each_reason_has_its_name(journal: Journal) -> None:
    journal.store(
        stale(1, confidence=0.8),
        stale(2, confidence=0.2),
        make_fact(3, key="unsure", confidence=0.2),
        make_fact(4, key="sure", confidence=0.5),
    )

    assert proposed(journal) == {
        fact_id(1): "stale_past_horizon",
        fact_id(2): "stale_and_low_confidence",
        fact_id(3): "low_confidence",
    }


@pytest.mark.parametrize(
    "protected",
    [
        stale(1, private=True),
        stale(1, confidence=0.99),
        stale(1)._replace(source_receipt="receipt:1"),
        stale(1, superseded_by=9),
        stale(1, deleted=True),
        stale(1, tenant="acme"),
    ],
    ids=["private", "sure", "receipt", "superseded", "deleted", "another tenant's"],
)
def test_what_is_protected_or_gone_is_never_proposed(journal: Journal, protected: Fact) -> None:
    journal.store(protected, stale(2))

    assert proposed(journal) == {fact_id(2): "stale_past_horizon"}


def test_a_pin_protects_until_it_is_taken_off(journal: Journal) -> None:
    pin = f"__memory_pin::lark::{fact_id(1)}"
    journal.store(stale(1), make_fact(2, "1", entity=pin, key="pinned", superseded_by=3, confidence=1.0))
    journal.store(make_fact(3, "0", entity=pin, key="pinned", confidence=1.0))
    assert set(proposed(journal)) == {fact_id(1)}
    journal.store(make_fact(4, "1", entity=pin, key="pinned", confidence=1.0))

    assert proposed(journal) == {}


def test_what_is_no_longer_so_goes_from_the_list(journal: Journal) -> None:
    journal.store(stale(1), stale(2))
    assert len(proposed(journal)) == 2
    journal.say(Delete(fact_id(1), STAMP))

    assert set(proposed(journal)) == {fact_id(2)}
