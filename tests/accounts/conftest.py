"""People who may act on people."""

import pytest

from apps.accounts.models import User
from apps.accounts.rules import Role
from tests.conftest import MakePerson


@pytest.fixture
def admin(make_person: MakePerson) -> User:
    """The one admin of default."""
    return make_person("admin", Role.ADMIN)
