"""The way in, health, and what is refused before any page."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver

from apps.accounts.models import User
from apps.accounts.set_up import make_set_up_token
from cruxstore.door import Store
from tests.people import signed_in


def without_token(page: bytes) -> bytes:
    """The page without what differs between any two requests."""
    return re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", page)


def test_health_needs_no_sign_in(store: Store) -> None:
    answer = Client().get("/healthz")

    assert answer.status_code == 200
    assert answer.json() == {"status": "ok"}


def test_every_answer_carries_the_strict_policy(store: Store, curator: User) -> None:
    policy = signed_in(curator).get("/t/default/").headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_a_sign_in_leads_to_the_first_tenant(store: Store, curator: User) -> None:
    client = Client()

    answer = client.post("/sign-in/", {"login": "curator", "password": "curator-test-1"}, follow=True)

    assert answer.redirect_chain[-1][0] == "/t/default/"


def test_a_foreign_tenant_answers_like_a_missing_one(store: Store, curator: User, stranger: User) -> None:
    client = signed_in(stranger)

    foreign, missing = client.get("/t/default/facts/"), client.get("/t/nowhere/facts/")

    assert foreign.status_code == missing.status_code == 404
    assert without_token(foreign.content) == without_token(missing.content)


def test_somebody_without_a_role_is_told_who_can_help(store: Store, make_person: object) -> None:
    assert callable(make_person)
    answer = signed_in(make_person("nobody")).get("/")

    assert answer.status_code == 403
    assert b"An admin can give you one" in answer.content


@pytest.mark.parametrize("path", ["/", "/t/default/", "/t/default/facts/", "/store/", "/settings/"])
def test_without_a_sign_in_every_page_asks_for_one(store: Store, path: str) -> None:
    answer = Client().get(path)

    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/sign-in/?next=")


def test_nobody_signs_up_by_themself() -> None:
    names = {pattern.name for pattern in get_resolver().url_patterns if hasattr(pattern, "name")}

    assert "account_signup" not in names


def test_the_set_up_link_works_once_and_only_unforged(store: Store) -> None:
    client, path = Client(), f"/set-up/{make_set_up_token()}/"
    form = {"name": "Ada", "username": "ada", "password": "a long enough phrase", "tenant": "museum"}

    assert client.get("/set-up/first/").status_code == 404
    assert client.get(path).status_code == 200
    assert client.post(path, {**form, "password": "12345678"}).status_code == 422
    assert client.post(path, form).status_code == 302
    assert client.get(path).status_code == 404
    assert Client().login(username="ada", password="a long enough phrase")


def test_the_settings_of_a_person_are_theirs(store: Store, curator: User, viewer: User) -> None:
    answer = signed_in(curator).post("/settings/", {"theme": "dark", "time_zone": "Europe/Oslo", "has_keys": "on"})

    assert answer.status_code == 302
    curator.refresh_from_db()
    viewer.refresh_from_db()
    assert (curator.theme, curator.time_zone) == ("dark", "Europe/Oslo")
    assert (viewer.theme, viewer.time_zone) == ("", "UTC")


def test_only_an_admin_sees_people(store: Store, curator: User, operator: User) -> None:
    assert signed_in(curator).get("/t/default/people/").status_code == 403
    answer = signed_in(operator).get("/t/default/people/")
    assert answer.status_code == 200
    assert b"Curator" in answer.content


def test_what_a_person_was_shown_is_kept_in_no_cache(store: Store, curator: User) -> None:
    browser = signed_in(curator)

    for path in ("/t/default/facts/", "/t/default/facts/export/?form=csv", "/settings/", "/t/default/nowhere/"):
        assert browser.get(path)["Cache-Control"] == "private, no-store", path
    assert "Cache-Control" not in Client().get("/help/").headers
