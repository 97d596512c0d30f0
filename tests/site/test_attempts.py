"""Attempts to sign in are counted by all web processes together."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.served import ServedSite, WebBrowser
from tests.services import PrivateRedis

pytestmark = pytest.mark.services

SET_UP = """
from django.core.management import call_command
from apps.accounts.actions import SYSTEM, create_person, create_tenant
from apps.accounts.rules import Role
from apps.store import open_store
call_command("prepare", verbosity=0)
store = open_store()
create_tenant(store, actor=SYSTEM, name="default")
for name in ("ana", "ben"):
    create_person(
        store, actor=SYSTEM, username=name, name=name, password=f"{name}-test-1", roles=[("default", Role.VIEWER)]
    )
"""
ALLOWED = 5
"""How often somebody may mistype before they wait for some minutes."""


@pytest.fixture(params=["table", "redis"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ServedSite]:
    """A site that counts in a table of its database, and one that counts in Redis."""
    environment = {}
    if request.param == "redis":
        environment["CRUXWEB_REDIS_URL"] = request.getfixturevalue("own_redis").address
    site = ServedSite(tmp_path / "data", tmp_path / "log", **environment)
    site.run(SET_UP)
    yield site
    site.stop()


@pytest.fixture
def own_redis() -> Iterator[PrivateRedis]:
    with PrivateRedis() as server:
        yield server


def test_who_mistypes_at_two_processes_waits_at_both(site: ServedSite) -> None:
    ports = [site.start_web(), site.start_web()]

    for attempt in range(ALLOWED):
        assert not WebBrowser(ports[attempt % 2]).sign_in("ana", "wrong")

    for port in ports:
        browser = WebBrowser(port)
        assert not browser.sign_in("ana", "ana-test-1")
        assert "Too many" in browser.post("/sign-in/", {"login": "ana", "password": "ana-test-1"}).text
        assert WebBrowser(port).sign_in("ben", "ben-test-1")


def test_attempts_at_the_same_moment_are_all_counted(site: ServedSite) -> None:
    counted = site.run(
        """
from multiprocessing import Pool
from allauth.core.internal.ratelimit import cache_lock
from django.core.cache import cache
def attempt(number):
    with cache_lock("key") as locked:
        if locked:
            cache.set("key", [*cache.get("key", []), number], 60)
        return locked
if __name__ == "__main__":
    from django.db import connections
    connections.close_all()
    with Pool(2) as pool:
        locked = pool.map(attempt, range(20), chunksize=1)
    print(len(cache.get("key")), sum(locked))
"""
    ).split()

    assert counted[0] == counted[1]
    assert int(counted[0]) > 0
