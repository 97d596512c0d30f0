"""What most tests stand on: a store in a temporary folder, and people named by their role."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import hypothesis
import pytest
from django.core.cache import cache
from pytest_django import Settings

from apps.accounts.actions import SYSTEM, create_person, create_tenant
from apps.accounts.models import User
from apps.accounts.rules import STORE, Role
from apps.store import open_store
from cruxstore.door import Store
from tests.services import MissingServiceError, PrivatePostgres, PrivateRedis

MakePerson = Callable[..., User]
Service = TypeVar("Service")

# every run of the check tries the same examples, and does not spend minutes on shrinking one that fails; `make faults`
# tries new ones
WITHOUT_SHRINKING = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
hypothesis.settings.register_profile("check", derandomize=True, database=None, phases=WITHOUT_SHRINKING)
hypothesis.settings.load_profile("check")


@pytest.fixture(autouse=True)
def no_attempts_yet() -> None:
    """Nobody is slowed down for what earlier tests tried to sign in."""
    cache.clear()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PrivatePostgres]:
    """A PostgreSQL for the tests of this process; each takes a new database of it."""
    with _installed(PrivatePostgres) as service:
        yield service


@pytest.fixture
def redis_server() -> Iterator[PrivateRedis]:
    """An empty Redis."""
    with _installed(PrivateRedis) as service:
        yield service


@pytest.fixture
def data_dir(tmp_path: Path, settings: Settings) -> Path:
    """The data folder that the site uses during this test; empty."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    return tmp_path / "data"


@pytest.fixture
def store(data_dir: Path, transactional_db: None) -> Store:
    """An empty store of ours with the tenants default and acme."""
    store = open_store()
    with store.writing() as door:
        door.adopt(SYSTEM)
    for tenant in ("default", "acme"):
        create_tenant(store, actor=SYSTEM, name=tenant)
    return store


@pytest.fixture
def make_person(store: Store) -> MakePerson:
    """Makes a person by user name, with these roles in a tenant."""

    def make(username: str, *roles: Role, tenant: str = "default") -> User:
        granted = [(STORE if role is Role.OPERATOR else tenant, role) for role in roles]
        return create_person(
            store, actor=SYSTEM, username=username, name=username.title(), password=f"{username}-test-1", roles=granted
        )

    return make


@pytest.fixture
def curator(make_person: MakePerson) -> User:
    """A curator of default."""
    return make_person("curator", Role.CURATOR)


@pytest.fixture
def officer(make_person: MakePerson) -> User:
    """A compliance officer of default."""
    return make_person("officer", Role.OFFICER)


@pytest.fixture
def viewer(make_person: MakePerson) -> User:
    """A viewer of default."""
    return make_person("viewer", Role.VIEWER)


@pytest.fixture
def operator(make_person: MakePerson) -> User:
    """An admin of default who is also operator."""
    return make_person("operator", Role.ADMIN, Role.OPERATOR)


@pytest.fixture
def stranger(make_person: MakePerson) -> User:
    """A curator of another tenant."""
    return make_person("stranger", Role.CURATOR, tenant="acme")


def _installed(make: Callable[[], Service]) -> Service:
    """A service that has a program to run; without one the test is skipped, but never where CI runs it."""
    try:
        return make()
    except MissingServiceError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))
