"""The list of facts."""

import pytest
from django.test import Client

from apps.accounts.models import User
from tests.pages.conftest import HOSTILE, HOSTILE_NAME, SignIn, StateFact

FACTS = "/t/default/facts/"


def test_the_list_shows_key_entity_and_value(as_curator: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("service:checkout", "deploy_gate", "closed until the retry fix")

    page = as_curator.get(FACTS).text

    assert "deploy_gate" in page
    assert "service:checkout" in page
    assert "closed until the retry fix" in page
    assert f'href="/t/default/facts/{fact_id}/"' in page


def test_hostile_text_is_shown_as_text_with_what_it_hides(as_curator: Client, state_fact: StateFact) -> None:
    state_fact(f"e {HOSTILE_NAME}", f"k {HOSTILE_NAME}", HOSTILE)

    page = as_curator.get(FACTS).text

    assert "<script>alert" not in page
    assert "<b hx-get" not in page
    assert page.count("{{ 7*7 }}") >= 3
    assert "\u202e" not in page and "\u200b" not in page and "\x00" not in page
    assert page.count('<span class="hid">U+202E</span>') >= 3


def test_an_id_that_is_no_address_still_has_one(as_curator: Client, state_fact: StateFact) -> None:
    answer = as_curator.get("/t/default/facts/~2e2e2f2e2e/")

    assert answer.status_code == 404
    assert "Not found" in answer.text


@pytest.mark.parametrize(
    "query, sentence",
    [
        ("sort=size", "cannot be sorted by size"),
        ("state=lost", "There is no state lost"),
        ("min_confidence=much", "A confidence is a number from 0 to 1"),
        ("q=" + "+".join(f"w{number}" for number in range(1500)), "A search has at most 50 different words"),
    ],
)
def test_a_word_that_does_not_exist_is_refused_in_a_sentence(as_curator: Client, query: str, sentence: str) -> None:
    answer = as_curator.get(f"{FACTS}?{query}")

    assert answer.status_code == 400
    assert sentence in answer.text
    assert "bad_address" in answer.text


def test_search_finds_and_says_what_it_looked_for(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")
    state_fact("service:search", "owner", "team ranking")

    page = as_curator.get(FACTS, {"q": "rank"}).text

    assert "service:search" in page
    assert "service:checkout" not in page
    assert "Contains rank" in page


def test_an_empty_tenant_says_that_nothing_is_stored(as_curator: Client, as_viewer: Client) -> None:
    for_curator, for_viewer = as_curator.get(FACTS).text, as_viewer.get(FACTS).text

    assert "Nothing stored yet" in for_curator
    assert "Bring memory in" in for_curator
    assert "Bring memory in" not in for_viewer


def test_a_filter_without_facts_says_what_to_drop(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    page = as_curator.get(FACTS, {"q": "nowhere", "freshness": "stale"}).text

    assert "Nothing matches" in page
    assert "Drop: <bdi>Contains nowhere</bdi>" in page
    assert "Drop: <bdi>Freshness is Stale</bdi>" in page


def test_htmx_gets_the_part_that_changes(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    answer = as_curator.get(FACTS, headers={"HX-Request": "true"})

    assert "<html" not in answer.text
    assert 'id="facts"' in answer.text
    assert "HX-Request" in answer["Vary"]


def test_going_back_gets_the_whole_page(as_curator: Client) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}

    assert "<html" in as_curator.get(FACTS, headers=headers).text


def test_a_stranger_is_told_that_the_tenant_does_not_exist(as_stranger: Client, state_fact: StateFact) -> None:
    fact_id = state_fact("service:checkout", "owner", "team payments")

    missing = as_stranger.get("/t/nowhere/facts/")
    foreign = as_stranger.get(FACTS)
    fact = as_stranger.get(f"/t/acme/facts/{fact_id}/")

    assert (missing.status_code, foreign.status_code, fact.status_code) == (404, 404, 404)
    assert "team payments" not in fact.text


def test_somebody_unknown_is_sent_to_sign_in(client: Client, store: object) -> None:
    answer = client.get(FACTS)

    assert answer.status_code == 302
    assert answer["Location"] == f"/sign-in/?next={FACTS}"


def test_an_export_needs_the_right(as_curator: Client, as_viewer: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    allowed = as_curator.get(f"{FACTS}export/", {"form": "jsonl"})
    refused = as_viewer.get(f"{FACTS}export/", {"form": "jsonl"})

    assert b"team payments" in b"".join(allowed.streaming_content)  # type: ignore[attr-defined]
    assert refused.status_code == 403
    assert "This needs the role" in refused.text
    assert "Export" not in as_viewer.get(FACTS).text


def test_a_private_fact_is_a_stub_to_all_but_its_owner(
    state_fact: StateFact, as_curator: Client, viewer: User, sign_in: SignIn
) -> None:
    fact_id = state_fact("__agent::viewer::notes", "tone", "short and friendly", private=True)

    for address in (FACTS, f"{FACTS}{fact_id}/", f"{FACTS}{fact_id}/preview/", f"{FACTS}?q=friendly"):
        others, own = as_curator.get(address).text, sign_in(viewer).get(address).text
        assert "short and friendly" not in others
        assert "tone" not in others
        assert "short and friendly" in own


def test_an_export_that_cannot_be_made_is_refused_in_a_sentence(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    answer = as_curator.get(f"{FACTS}export/", {"known": "line 0"})

    assert answer.status_code == 400
    assert "There is no line 0" in answer.text
