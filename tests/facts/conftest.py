"""A folder with a journal in it, and people who look at it."""

from pathlib import Path

import pytest

from apps.accounts.rules import Scope
from tests.facts.journals import Files


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """An empty folder for a journal."""
    return Files(tmp_path)


@pytest.fixture
def reader() -> Scope:
    """Someone who reads tenant default and owns nothing."""
    return Scope(tenant="default", principal_id="p_reader")


@pytest.fixture
def owner() -> Scope:
    """Someone who reads tenant default and owns the private facts of lark."""
    return Scope(tenant="default", principal_id="p_owner", owner_names=frozenset({"lark"}))


@pytest.fixture
def reading_officer() -> Scope:
    """A compliance officer of default, who reads private facts that nobody owns."""
    return Scope(tenant="default", principal_id="p_officer", sees_ownerless_private=True)


@pytest.fixture
def neighbour() -> Scope:
    """Someone who reads another tenant."""
    return Scope(tenant="acme", principal_id="p_neighbour")
