"""The list, a fact and an entity as known on one moment and about another."""

import re
from urllib.parse import unquote

from django.test import Client

from apps.facts.acting import acting
from apps.facts.models import LedgerEvent
from cruxstore.door import Store
from cruxstore.facts.records import Horizon
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Actor
from tests.pages.conftest import StateFact


def test_a_day_becomes_the_instant_it_stands_for_and_now_leaves_the_address(as_curator: Client) -> None:
    day = as_curator.get("/t/default/facts/?q=halden&known=2026-05-20&about=2026-04-15")
    now = as_curator.get("/t/default/facts/?known=now&about=")

    assert day.status_code == now.status_code == 302
    assert unquote(day["Location"]) == (
        "/t/default/facts/?q=halden&known=2026-05-20T23:59:59.999999Z&about=2026-04-15T00:00:00Z"
    )
    assert now["Location"] == "/t/default/facts/"


def test_a_day_stands_in_its_field_as_the_day(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("customer:halden", "contact", "E-mail preferred")
    address = as_curator.get("/t/default/facts/?known=2026-05-20&about=2026-04-15")["Location"]

    page = as_curator.get(address).text

    assert 'name="known" value="2026-05-20"' in page and 'name="about" value="2026-04-15"' in page


def test_the_list_shows_what_was_known_after_a_line(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("customer:halden", "contact", "E-mail preferred")
    state_fact("customer:halden", "contact", "Written notice only")

    page = as_curator.get("/t/default/facts/?known=line+1").text

    assert "E-mail preferred" in page and "Written notice only" not in page
    assert "1 fact in" in page
    assert "You look at what was known on" in page and "1 line and" in page
    assert 'href="?">Back to now' in page


def test_a_fact_is_current_again_before_it_was_replaced(as_curator: Client, state_fact: StateFact) -> None:
    old = state_fact("customer:halden", "contact", "E-mail preferred")
    new = state_fact("customer:halden", "contact", "Written notice only")

    before = as_curator.get(f"/t/default/facts/{old}/?known=line+1").text

    assert ">Current<" in before and "Superseded" not in before
    assert "Written notice only" not in before
    assert "Superseded" in as_curator.get(f"/t/default/facts/{old}/").text
    absent = as_curator.get(f"/t/default/facts/{new}/?known=line+1")
    assert absent.status_code == 404
    assert "it came with line 2" in absent.text


def test_an_events_word_counts_from_its_event_on(as_curator: Client, state_fact: StateFact, store: Store) -> None:
    fact_id = state_fact("customer:halden", "contact", "E-mail preferred")
    seq = LedgerEvent.objects.count()
    with acting(store) as (door, view):
        door.set_horizon(Actor(kind="person", id="p_ana"), "default", fact_id, Horizon.VOLATILE, view=view)

    now = as_curator.get(f"/t/default/facts/{fact_id}/").text
    seq = LedgerEvent.objects.order_by("-seq").values_list("seq", flat=True)[0]
    before = as_curator.get(f"/t/default/facts/{fact_id}/?known=event+{seq - 1}").text

    assert "volatile, threshold" in now
    assert "volatile" not in before


def test_about_a_moment_an_entity_shows_what_holds_then(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("customer:halden", "plan", "Standard", valid_from=parse_timestamp("2026-01-01T00:00:00Z"))
    state_fact("customer:halden", "plan", "Volume", valid_from=parse_timestamp("2026-09-01T00:00:00Z"))

    spring = current_values(as_curator.get("/t/default/entity/?name=customer:halden&about=2026-04-15T00:00:00Z").text)
    autumn = current_values(as_curator.get("/t/default/entity/?name=customer:halden&about=2026-10-15T00:00:00Z").text)
    earlier = as_curator.get("/t/default/entity/?name=customer:halden&about=2025-10-15T00:00:00Z").text

    assert spring == ["Standard"]
    assert autumn == ["Volume"]
    assert "nothing believed" in earlier


def test_steps_lead_from_change_to_change(as_curator: Client, state_fact: StateFact) -> None:
    old = state_fact("customer:halden", "contact", "E-mail preferred")
    state_fact("customer:halden", "contact", "Written notice only")

    now = as_curator.get(f"/t/default/facts/{old}/").text
    before = link(now, "Change before")
    then = as_curator.get(f"/t/default/facts/{old}/{before}").text

    assert "Change after" not in now
    assert before.startswith("?known=event")
    assert "Change before" not in then
    assert as_curator.get(f"/t/default/facts/{old}/{link(then, 'Change after')}").status_code == 200


def test_a_moment_that_is_none_is_refused_with_what_can_be_typed(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("customer:halden", "contact", "E-mail preferred")

    answer = as_curator.get("/t/default/facts/?known=yesterday")
    beyond = as_curator.get("/t/default/facts/?known=line+7")

    assert answer.status_code == beyond.status_code == 400
    assert "yesterday is no moment. Type now" in answer.text
    assert "There is no line 7. The last one is line 1." in beyond.text


def current_values(page: str) -> list[str]:
    table = page.split("</table>")[0]
    return re.findall(r'<bdi class="clip">(.*?)</bdi>', table)


def link(page: str, words: str) -> str:
    found = re.search(rf'href="([^"]*)">{words}', page)
    assert found is not None
    return found[1]
