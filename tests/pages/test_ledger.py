"""The ledger's pages: who decided what, for who looks after the tenant, and one's own for everyone."""

import pytest
from django.test import Client

from apps.accounts.actions import SYSTEM
from apps.accounts.models import User
from apps.facts.projector import bring_up_to_date
from cruxstore.door import Store
from cruxstore.ledger.events import Action, Actor
from tests.pages.conftest import SignIn, StateFact

LEDGER = "/t/default/ledger/"


@pytest.fixture
def as_officer(officer: User, sign_in: SignIn) -> Client:
    """A browser of the officer."""
    return sign_in(officer)


def shown(browser: Client, **asked: str) -> str:
    """The table of events found."""
    page = browser.get(LEDGER, asked).content.decode()
    return page.partition("<tbody")[2].partition("</tbody>")[0]


def test_an_event_says_who_what_and_about_what(as_officer: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("service:checkout", "gate", "open")

    table = shown(as_officer)

    assert "fact.stored" in table
    assert "deploy-bot" in table
    assert f"/t/default/facts/{fact_id}/" in table
    assert "checkout" not in table


def test_it_is_for_who_looks_after_the_tenant(as_curator: Client, as_viewer: Client, as_stranger: Client) -> None:
    assert as_curator.get(LEDGER).status_code == 403
    assert as_viewer.get(LEDGER).status_code == 403
    assert as_stranger.get(LEDGER).status_code == 404


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ({"actor": "deploy-bot"}, True),
        ({"actor": "Curator"}, False),
        ({"action": "fact.stored"}, True),
        ({"action": "fact.deleted"}, False),
        ({"since": "2020-01-01", "until": "2100-01-01"}, True),
        ({"since": "2100-01-01"}, False),
        ({"until": "2020-01-01 09:00"}, False),
        ({"subject": "f_0"}, False),
    ],
)
def test_each_filter_narrows(as_officer: Client, state_fact: StateFact, asked: dict[str, str], there: bool) -> None:
    state_fact("service:checkout", "gate", "open")

    assert ("fact.stored" in shown(as_officer, **asked)) is there


def test_a_fact_is_found_by_its_id(as_officer: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("service:checkout", "gate", "open")
    state_fact("service:mail", "gate", "open")

    assert shown(as_officer, subject=fact_id).count("<tr>") == 1


def test_a_person_is_found_by_name_and_by_user_name(
    store: Store, as_officer: Client, as_curator: Client, curator: User
) -> None:
    with store.writing() as door:
        door.record(Actor("person", curator.person_id), "default", Action.IMPORT_STARTED, subjects=("i_1",))

    for name in ("Curator", "curator", curator.person_id):
        assert "import.started" in shown(as_officer, actor=name)
    assert "import.started" in as_curator.get("/t/default/decisions/").content.decode()


def test_ones_own_decisions_are_ones_own(store: Store, as_viewer: Client, curator: User) -> None:
    with store.writing() as door:
        door.record(Actor("person", curator.person_id), "default", Action.IMPORT_STARTED, subjects=("i_1",))

    assert "import.started" not in as_viewer.get("/t/default/decisions/").content.decode()


def test_another_tenants_events_are_not_there(as_officer: Client, as_operator: Client, store: Store) -> None:
    with store.writing() as door:
        door.record(SYSTEM, "acme", Action.IMPORT_STARTED, subjects=("i_acme",))

    for browser in (as_officer, as_operator):
        assert "import.started" not in shown(browser)
        assert "import.started" not in shown(browser, subject="i_acme")


def test_an_operator_sees_the_stores_own_events_too(as_officer: Client, as_operator: Client) -> None:
    assert "store.adopted" in shown(as_operator)
    assert "store.adopted" not in shown(as_officer)


@pytest.mark.parametrize(
    "asked", [{"since": "yesterday"}, {"action": "fact.eaten"}, {"until": "2026-13-01"}, {"actor": "x" * 300}]
)
def test_what_cannot_be_read_is_said_with_its_field_in_sight(as_officer: Client, asked: dict[str, str]) -> None:
    answer = as_officer.get(LEDGER, asked)

    assert answer.status_code == 422
    assert f'href="#id_{next(iter(asked))}"' in answer.text
    assert 'id="filters"' not in answer.text


@pytest.mark.parametrize("before", ["", "x", "-1", "9" * 40])
def test_a_page_that_is_none_is_the_first(as_officer: Client, before: str) -> None:
    assert as_officer.get(LEDGER, {"before": before}).status_code == 200


def test_older_events_follow_without_a_gap(store: Store, as_officer: Client) -> None:
    with store.writing() as door:
        for number in range(60):
            door.record(SYSTEM, "default", Action.IMPORT_STARTED, subjects=(f"i_{number}",))
    bring_up_to_date(store, now_ns=1, limit=None)

    first = as_officer.get(LEDGER, {"action": "import.started"})
    before = first.context["page"].before
    second = as_officer.get(LEDGER, {"action": "import.started", "before": before})

    seqs = [row.seq for page in (first, second) for row in page.context["page"].rows]
    assert len(seqs) == 60
    assert seqs == sorted(seqs, reverse=True)
    assert f"before={before}" in first.content.decode()


def test_an_id_of_somebody_elses_making_stays_text(store: Store, as_officer: Client) -> None:
    with store.writing() as door:
        door.record(SYSTEM, "default", Action.IMPORT_STARTED, subjects=("p_<script>alert(1)</script>",))

    table = shown(as_officer)

    assert "&lt;script&gt;" in table
    assert "<script>" not in table


def test_a_filter_that_is_on_is_named_and_can_be_taken_off(as_officer: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "gate", "open")

    page = as_officer.get(LEDGER, {"actor": "deploy-bot", "action": "fact.stored", "before": "9"}).text

    assert "Filters, 2 on" in page
    assert 'href="?actor=&amp;action=fact.stored"' in page
    assert 'href="?actor=deploy-bot&amp;action="' in page
    assert "Filters, " not in as_officer.get(LEDGER, {"actor": ""}).text


def test_older_events_follow_under_every_filter(store: Store, as_officer: Client, curator: User) -> None:
    with store.writing() as door:
        for _ in range(60):
            door.record(Actor("person", curator.person_id), "default", Action.IMPORT_STARTED, subjects=("i_1",))
            door.record(SYSTEM, "default", Action.IMPORT_STARTED, subjects=("i_2",))
    bring_up_to_date(store, now_ns=1, limit=None)
    for asked in (
        {"actor": "curator"},
        {"subject": "i_1"},
        {"subject": "i_1", "since": "2020-01-01", "actor": "curator"},
    ):
        seqs: list[int] = []
        before: int | str | None = ""
        while before is not None:
            page = as_officer.get(LEDGER, {**asked, "before": before}).context["page"]
            seqs += [row.seq for row in page.rows]
            before = page.before

        assert len(seqs) == 60
        assert seqs == sorted(set(seqs), reverse=True)
