"""Signing in by OpenID Connect, in a process of its own: the site is set up by its environment."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from cruxweb.environment import read_identity_provider

ROOT = Path(__file__).resolve().parents[2]


def test_only_a_connected_account_signs_in() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.site.signing_in_elsewhere"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)

    assert told["button"]
    assert "form-action 'self' http://127.0.0.1:" in told["policy"]
    assert "Nobody here by that account" in told["stranger"]
    assert told["people"] == 1
    assert "Disconnect" in told["connected"]
    assert told["signed_in"] == 200


def test_without_an_address_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRUXWEB_OIDC_URL", raising=False)

    assert read_identity_provider() is None


@pytest.mark.parametrize(
    ("address", "client_id"),
    [("http://id.example.org", "us"), ("id.example.org", "us"), ("https://id.example.org", "")],
)
def test_half_a_provider_stops_the_start(monkeypatch: pytest.MonkeyPatch, address: str, client_id: str) -> None:
    monkeypatch.setenv("CRUXWEB_OIDC_URL", address)
    monkeypatch.setenv("CRUXWEB_OIDC_CLIENT_ID", client_id)
    monkeypatch.setenv("CRUXWEB_OIDC_SECRET", "between us")

    with pytest.raises(ImproperlyConfigured):
        read_identity_provider()
