"""Without the Redis that it was told to use, the site goes on as far as it may."""

import pytest
import redis
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import User
from cruxstore.door import Store
from tests.people import signed_in
from tests.services import PrivateRedis

pytestmark = pytest.mark.services


@pytest.fixture
def counting(settings: Settings, redis_server: PrivateRedis) -> PrivateRedis:
    """The Redis in which attempts are counted."""
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": redis_server.address,
            "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
        }
    }
    return redis_server


def sign_in(password: str = "curator-test-1") -> int:
    """The status of an attempt."""
    return Client().post("/sign-in/", {"login": "curator", "password": password}).status_code


def test_attempts_are_counted_where_all_processes_see_them(store: Store, curator: User, counting: PrivateRedis) -> None:
    for _ in range(6):
        sign_in("not this one")

    assert sign_in() != 302
    with redis.Redis(port=counting.port) as client:
        assert client.flushall()
    assert sign_in() == 302


def test_while_it_is_down_pages_are_served_and_signing_in_waits(
    store: Store, curator: User, counting: PrivateRedis
) -> None:
    browser = signed_in(curator)
    counting.stop()

    refused = Client().post("/sign-in/", {"login": "curator", "password": "curator-test-1"})

    assert browser.get("/t/default/facts/").status_code == 200
    assert refused.status_code == 503
    assert b"counting_unavailable" in refused.content
    counting.start()
    assert sign_in() == 302
