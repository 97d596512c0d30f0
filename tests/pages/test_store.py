"""Overview, the tenant's numbers and the whole store."""

from django.test import Client

from tests.pages.conftest import StateFact


def test_the_overview_says_what_is_new(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments", actor="roster-sync")

    page = as_curator.get("/t/default/").text

    assert "1 new" in page
    assert "team payments" in page
    assert "roster-sync" in page


def test_an_empty_tenant_has_an_overview_too(as_curator: Client) -> None:
    assert "Nothing stored yet" in as_curator.get("/t/default/").text


def test_everyone_sees_their_tenants_numbers(as_viewer: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    page = as_viewer.get("/t/default/counts/").text

    assert "1 fact<" in page
    assert "The index is up to date" in page


def test_the_whole_store_is_for_operators(as_operator: Client, as_curator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    allowed, refused = as_operator.get("/store/"), as_curator.get("/store/")

    assert allowed.status_code == 200
    assert "facts.jsonl" in allowed.text
    assert refused.status_code == 403
    assert "This needs the role operator" in refused.text
    assert "facts.jsonl" not in refused.text
