"""Entities, and one entity."""

from django.test import Client

from tests.pages.conftest import HOSTILE_NAME, StateFact


def test_an_entity_shows_each_key_with_its_current_value_and_history(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("customer:halden", "contact", "E-mail")
    state_fact("customer:halden", "contact", "Letter")
    state_fact("customer:halden", "plan", "Standard")

    page = as_curator.get("/t/default/entity/", {"name": "customer:halden"}).text

    assert "2 keys" in page
    now, history = page.split("History</h2>")
    assert "Letter" in now and "E-mail" not in now
    assert "E-mail" in history


def test_entities_are_found_by_part_of_their_name(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("customer:halden", "contact", "E-mail")
    state_fact("service:checkout", "owner", "team payments")

    page = as_curator.get("/t/default/entities/", {"q": "hald"}).text

    assert "customer:halden" in page
    assert "service:checkout" not in page


def test_a_name_of_any_characters_can_be_opened(as_curator: Client, state_fact: StateFact) -> None:
    name = f"odd/{HOSTILE_NAME}?&#"
    state_fact(name, "key", "value")

    answer = as_curator.get("/t/default/entity/", {"name": name})

    assert answer.status_code == 200
    assert "<script>alert" not in answer.text


def test_an_unknown_entity_is_not_found(as_curator: Client) -> None:
    assert as_curator.get("/t/default/entity/", {"name": "nobody"}).status_code == 404


def test_a_search_of_too_many_words_is_refused(as_curator: Client) -> None:
    answer = as_curator.get("/t/default/entities/", {"q": " ".join(f"w{number}" for number in range(1500))})

    assert answer.status_code == 400
    assert "this one has 1,500" in answer.text
