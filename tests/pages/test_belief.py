"""The belief map of one entity and key, and an entity at two moments."""

import csv
import io
import re
from urllib.parse import unquote

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.facts.acting import acting
from cruxstore.door import Store
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Actor
from tests.pages.conftest import HOSTILE, StateFact

MAP = "/t/default/entity/belief/?entity=customer:halden&key=plan"
SPRING, AUTUMN = parse_timestamp("2026-03-01T00:00:00Z"), parse_timestamp("2026-10-01T00:00:00Z")


@pytest.fixture
def plans(state_fact: StateFact, store: Store, curator: User) -> list[str]:
    """Standard, then Volume from May on, its start corrected to March by a person, then Partner from October on."""
    first = state_fact("customer:halden", "plan", "Standard")
    second = state_fact("customer:halden", "plan", "Volume", valid_from=parse_timestamp("2026-05-01T00:00:00Z"))
    with acting(store) as (door, view):
        door.set_validity(Actor(kind="person", id=curator.person_id), "default", second, SPRING, None, view=view)
    third = state_fact("customer:halden", "plan", "Partner", valid_from=AUTUMN)
    return [first, second, third]


def test_without_moments_the_map_starts_from_before_the_last_change(as_curator: Client, plans: list[str]) -> None:
    answer = as_curator.get(MAP)

    assert answer.status_code == 302
    assert re.search(r"&k1=event\+\d+$", answer["Location"])
    assert as_curator.get(answer["Location"]).status_code == 200


def test_the_map_says_what_was_believed_from_each_change_on(as_curator: Client, plans: list[str]) -> None:
    page = as_curator.get(f"{MAP}&k1=line+1").text

    assert "Believed 4 ways since" in page
    assert stretches(page) == [
        "Standard to 2026-03-01 00:00, Volume to 2026-10-01 00:00, Partner",
        "Standard to 2026-03-01 00:00, Volume",
        "Standard to 2026-05-01 00:00, Volume",
        "Standard",
    ]
    assert [words(cell) for cell in re.findall(r"<td>(<bdi>[^<]*</bdi> (?:wrote|set) .*?)</td>", page)[-4:]] == [
        "deploy-bot wrote version 3",
        "Curator set the validity of version 2",
        "deploy-bot wrote version 2",
        "deploy-bot wrote version 1",
    ]
    for letter in "ABC":
        assert f">{letter}</text>" in page


def test_the_difference_names_what_caused_it(as_curator: Client, plans: list[str]) -> None:
    page = as_curator.get(f"{MAP}&k1=line+3&a1=2026-04-15T00:00:00Z&a2=2026-04-15T00:00:00Z").text

    assert '<del><bdi class="clip">Standard</bdi></del>' in page
    assert '<ins><bdi class="clip">Volume</bdi></ins>' in page
    assert "Curator</bdi> set the validity of version 2" in page


def test_replacements_are_labelled_and_what_does_not_fit_is_listed(
    as_curator: Client, plans: list[str], state_fact: StateFact
) -> None:
    state_fact("customer:halden", "seats", "4", valid_to=parse_timestamp("2026-01-01T00:00:00Z"))
    state_fact("customer:halden", "seats", "6", valid_from=parse_timestamp("2026-06-01T00:00:00Z"))

    plan = as_curator.get(f"{MAP}&k1=line+1").text
    seats = as_curator.get("/t/default/entity/belief/?entity=customer:halden&key=seats&k1=line+1").text

    assert "Version 3 replaced version 2: a change" in plan
    assert "No overlap, gap or fork" in plan
    assert "Nothing is believed from" in seats and "2026-01-01 00:00" in seats


def test_all_keys_are_compared_and_what_is_the_same_is_counted(
    as_curator: Client, plans: list[str], state_fact: StateFact
) -> None:
    gone = state_fact("customer:halden", "reseller", "northpass")
    state_fact("customer:halden", "contact", "Ingrid")

    page = as_curator.get("/t/default/entity/compare/?entity=customer:halden&k1=line+5").text

    assert "3 differ" in page and "0 keys are the same" in page
    assert page.count('aria-label="added"') == 2 and page.count('aria-label="changed"') == 1
    assert gone not in page


def test_the_same_moment_twice_differs_in_nothing(as_curator: Client, plans: list[str]) -> None:
    page = as_curator.get("/t/default/entity/compare/?entity=customer:halden").text

    assert "At both moments the same was believed of all 1 key." in page


def test_hostile_values_are_text_and_private_facts_nobodys_but_their_owners(
    as_curator: Client, as_stranger: Client, state_fact: StateFact
) -> None:
    state_fact("customer:halden", "plan", HOSTILE)
    state_fact("__agent::lark::notes", "plan", "secret words", private=True)

    page = as_curator.get(MAP).text
    private = as_curator.get("/t/default/entity/belief/?entity=__agent::lark::notes&key=plan")
    foreign = as_stranger.get(MAP)

    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert private.status_code == foreign.status_code == 404
    assert as_curator.get("/t/default/entity/compare/?entity=__agent::lark::notes").status_code == 404


def stretches(page: str) -> list[str]:
    table = page.split('id="h-tab"')[1].split("</table>")[0]
    return [words(row.split("<td>")[1].split("</td>")[0]) for row in table.split("<tr>")[2:]]


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", unquote(html)).split())


def test_the_table_of_the_map_is_exported_for_a_spreadsheet(
    as_curator: Client, as_viewer: Client, plans: list[str], state_fact: StateFact
) -> None:
    state_fact("customer:halden", "plan", "=1+1", valid_from=parse_timestamp("2026-12-01T00:00:00Z"))
    address = "/t/default/entity/belief/table/?entity=customer:halden&key=plan"
    assert address.partition("?")[0] in as_curator.get(f"{MAP}&k1=line+1").text
    assert as_viewer.get(address).status_code == 403

    answer = as_curator.get(address)

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [(row["who"], row["valid_from"], row["valid_to"], row["believed"]) for row in rows[:4]] == [
        ("deploy-bot", "", "2026-03-01T00:00:00+00:00", "Standard"),
        ("deploy-bot", "2026-03-01T00:00:00+00:00", "2026-10-01T00:00:00+00:00", "Volume"),
        ("deploy-bot", "2026-10-01T00:00:00+00:00", "2026-12-01T00:00:00+00:00", "Partner"),
        ("deploy-bot", "2026-12-01T00:00:00+00:00", "", "'=1+1"),
    ]
