"""Filters kept under a name."""

from django.test import Client

from apps.accounts.models import User
from tests.pages.conftest import SignIn, StateFact

VIEWS = "/t/default/facts/views/"


def test_a_saved_view_is_offered_on_the_list(as_curator: Client, state_fact: StateFact) -> None:
    state_fact("service:checkout", "owner", "team payments")

    as_curator.post(VIEWS, {"name": "Old and held", "query": "freshness=stale&marks=held"})

    assert "Old and held" in as_curator.get("/t/default/facts/").text


def test_a_shared_view_is_seen_by_others_and_a_private_one_is_not(
    as_curator: Client, as_viewer: Client, officer: User, sign_in: SignIn
) -> None:
    as_curator.post(VIEWS, {"name": "Mine alone", "query": ""})
    as_curator.post(VIEWS, {"name": "For all", "query": "freshness=stale", "is_shared": "on"})

    page = sign_in(officer).get(VIEWS).text

    assert "For all" in page and "Curator" in page
    assert "Mine alone" not in page


def test_only_its_owner_removes_a_view(as_curator: Client, as_viewer: Client) -> None:
    as_curator.post(VIEWS, {"name": "For all", "query": "", "is_shared": "on"})
    number = as_curator.get(VIEWS).context["views"][0].number

    refused = as_viewer.post(f"{VIEWS}{number}/forget/")
    done = as_curator.post(f"{VIEWS}{number}/forget/", follow=True)

    assert refused.status_code == 404
    assert "No views yet" in done.text


def test_a_viewer_keeps_views_but_does_not_share_them(as_viewer: Client) -> None:
    kept = as_viewer.post(VIEWS, {"name": "Mine", "query": ""})
    refused = as_viewer.post(VIEWS, {"name": "Ours", "query": "", "is_shared": "on"})

    assert kept.status_code == 302
    assert refused.status_code == 403


def test_a_filter_that_cannot_be_read_is_not_kept(as_curator: Client) -> None:
    answer = as_curator.post(VIEWS, {"name": "Broken", "query": "sort=size"})

    assert answer.status_code == 422
    assert "cannot be sorted by size" in answer.text


def test_only_a_filter_that_can_be_read_is_kept(as_curator: Client) -> None:
    for query in ("state=lost", "known=yesterday", "q=" + "+".join(f"w{number}" for number in range(60))):
        answer = as_curator.post(VIEWS, {"name": "Odd", "query": query})

        assert answer.status_code == 422, query
    assert as_curator.get(VIEWS).context["views"] == ()
