"""What surrounds every page."""

from pathlib import Path

import pytest
from django.test import Client

from apps.accounts.models import User


def test_each_role_sees_the_sections_that_exist_for_it(as_viewer: Client, as_operator: Client) -> None:
    for_viewer, for_operator = as_viewer.get("/t/default/").text, as_operator.get("/t/default/").text

    assert ">Imports</a>" not in for_viewer
    assert 'href="/t/default/counts/"' in for_viewer
    assert ">Imports</a>" in for_operator
    assert 'href="/store/"' in for_operator


def test_nothing_on_a_page_is_inline(as_curator: Client) -> None:
    page = as_curator.get("/t/default/facts/").text

    assert " style=" not in page
    assert " onclick=" not in page and " hx-on" not in page
    assert "<script>" not in page and "<style>" not in page


def test_the_policy_lets_only_our_own_scripts_run(as_curator: Client) -> None:
    policy = as_curator.get("/t/default/")["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_theme_is_kept(as_curator: Client, curator: User) -> None:
    as_curator.post("/settings/theme/", {"theme": "dark"})

    assert 'data-theme="dark"' in as_curator.get("/t/default/").text


def test_a_theme_that_does_not_exist_changes_nothing(as_curator: Client, curator: User) -> None:
    as_curator.post("/settings/theme/", {"theme": "<script>"})

    assert "data-theme" not in as_curator.get("/t/default/").text.split("<head>")[0]


def test_settings_are_kept_and_said(as_curator: Client) -> None:
    answer = as_curator.post("/settings/", {"theme": "", "time_zone": "Europe/Oslo"}, follow=True)

    assert "Settings saved" in answer.text
    assert 'data-keys="off"' in answer.text


def test_a_wrong_setting_is_named_and_nothing_is_kept(as_curator: Client) -> None:
    answer = as_curator.post("/settings/", {"theme": "", "time_zone": "Mars/Olympus"})

    assert answer.status_code == 422
    assert "Nothing was saved" in answer.text


@pytest.mark.django_db
def test_a_page_that_does_not_exist_says_so(client: Client, data_dir: Path) -> None:
    answer = client.get("/help/nowhere/")

    assert answer.status_code == 404
    assert "Code not_found" in answer.text


def test_signing_in_leads_to_the_overview(client: Client, curator: User) -> None:
    answer = client.post("/sign-in/", {"login": "curator", "password": "curator-test-1"}, follow=True)

    assert answer.redirect_chain[-1][0] == "/t/default/"
    assert ">Overview</h1>" in answer.text


def test_a_wrong_password_is_refused_in_words(client: Client, curator: User) -> None:
    answer = client.post("/sign-in/", {"login": "curator", "password": "wrong"})

    assert 'role="alert"' in answer.text
