"""Logs tell which page was asked for, and nothing that somebody typed."""

import logging

import pytest
from django.test import Client, RequestFactory

from apps.accounts.models import User
from cruxweb.log_paths import SpokenPaths, spoken_path

FACT = f"f_{'0a' * 16}"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/", "/"),
        ("/healthz", "/healthz"),
        ("/t/default/facts/", "/t/default/facts/"),
        (f"/t/default/facts/{FACT}/correct/", f"/t/default/facts/{FACT}/correct/"),
        ("/t/default/facts/f_geheim/correct/", "/t/default/facts/…/correct/"),
        ("/t/default/facts/~67656865696d/", "/t/default/facts/…/"),
        ("/t/default/jobs/17/cancel/", "/t/default/jobs/17/cancel/"),
        ("/store/proof/checkpoints/2026-11-30/", "/store/proof/checkpoints/2026-11-30/"),
        ("/set-up/geheim/", "/set-up/…/"),
        ("/geheim/", "/…"),
        ("/t/default/geheim/", "/…"),
        ("/static/css/tokens.css", "/static/css/tokens.css"),
        ("", "/…"),
    ],
)
def test_an_address_is_said_without_what_somebody_typed(path: str, said: str) -> None:
    assert spoken_path(path) == said


def test_what_django_refuses_is_logged_without_it_too(curator: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(SpokenPaths())
    browser = Client()
    browser.force_login(curator)

    browser.get("/t/default/facts/f_geheim/")
    browser.get("/geheim/")

    assert [record.getMessage() for record in caplog.records] == [
        "Not Found: /t/…/facts/…/",
        "Not Found: /…",
    ]


def test_other_lines_stay_as_they_are() -> None:
    record = logging.LogRecord("a", logging.INFO, "", 0, "%s of %d", ("one", 2), None)
    record.request = RequestFactory().get("/geheim/")

    assert SpokenPaths().filter(record)
    assert record.getMessage() == "one of 2"
