"""Whatever is written between them, scans of what is new end with what one scan of everything finds."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.facts.projector import rebuild
from apps.review.actions.scan import scan_tenant
from apps.review.models import Finding, ScanState
from cruxstore.facts.records import ClearSupersede, Delete, Fact, Operation, SetValidity, Store, Supersede
from cruxstore.facts.times import parse_timestamp
from tests.facts.journals import fact_id, make_fact
from tests.facts.test_projector import start_over
from tests.review.conftest import NOW, NOW_NS, Journal, ground

STAMP = "2026-11-30T09:00:00+00:00"
SPRING = parse_timestamp("2026-03-01T00:00:00Z")
VALUES = (
    "enabled",
    "disabled",
    "14 days",
    "30 days",
    "the service keeps 14 days of request logs in the second region",
    "the service keeps 30 days of request logs in the second region",
)
MOST_FACTS = 8

pytestmark = pytest.mark.django_db(transaction=True)


@st.composite
def chapters(draw: st.DrawFn) -> list[list[Operation]]:
    """Lines in three chapters; facts are stored under the next number, and later lines are about any of them."""
    written: list[list[Operation]] = []
    stored = 0
    for _ in range(3):
        chapter: list[Operation] = []
        for _ in range(draw(st.integers(1, 4))):
            if stored < MOST_FACTS and (not stored or draw(st.booleans())):
                stored += 1
                chapter.append(Store(draw(_fact(stored))))
            else:
                chapter.append(draw(_later(stored)))
        written.append(chapter)
    return written


def _fact(number: int) -> st.SearchStrategy[Fact]:
    return st.builds(
        lambda value, key, actor, private: make_fact(number, value, key=key, actor=actor, private=private),
        st.sampled_from(VALUES),
        st.sampled_from(("gate", "notes")),
        st.sampled_from(("deploy-bot", "roster-sync")),
        st.sampled_from((False, False, False, True)),
    )


def _later(stored: int) -> st.SearchStrategy[Operation]:
    ids = st.integers(1, stored).map(fact_id)
    return st.one_of(
        st.builds(Supersede, ids, ids, st.just(STAMP)),
        st.builds(ClearSupersede, ids, st.just(STAMP)),
        st.builds(Delete, ids, st.just(STAMP)),
        st.builds(SetValidity, ids, st.sampled_from((None, SPRING)), st.just(None), st.just(STAMP)),
        st.builds(SetValidity, ids, st.just(None), st.sampled_from((None, SPRING)), st.just(STAMP)),
    )


@pytest.fixture
def anew() -> Iterator[None]:
    yield
    start_over()


@given(chapters())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_scans_of_what_is_new_end_with_what_one_scan_of_everything_finds(
    anew: None, told: list[list[Operation]]
) -> None:
    start_over()
    Finding.objects.all().delete()
    ScanState.objects.all().delete()
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        for chapter in told:
            journal.say(*chapter)
            scan_tenant(ground(), now=NOW)
        step_by_step = _pairs()

        Finding.objects.all().delete()
        ScanState.objects.all().delete()
        rebuild(journal, now_ns=NOW_NS)
        scan_tenant(ground(), now=NOW)

    assert step_by_step == _pairs()


def _pairs() -> set[tuple[str, str]]:
    return set(Finding.objects.values_list("first_id", "second_id"))
