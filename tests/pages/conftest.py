"""Facts to look at, and browsers signed in as people of each role."""

from collections.abc import Callable

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.facts.acting import acting
from cruxstore.door import NewFact, Store
from cruxstore.ledger.events import Actor

StateFact = Callable[..., str]
SignIn = Callable[[User], Client]

HOSTILE_NAME = "<script>alert(1)</script> {{ 7*7 }} <b hx-get=/store/>x</b> \u202egnp.exe \u200b 'one' \"two\""
HOSTILE = "<script>alert(1)</script> {{ 7*7 }} <b hx-get=/store/>x</b> \u202egnp.exe \u200b \x00 'quote' \"double\""


@pytest.fixture
def state_fact(store: Store) -> StateFact:
    """Stores one fact of default and answers its id."""

    def state(entity: str, key: str, value: str, *, tenant: str = "default", **members: object) -> str:
        with acting(store) as (door, view):
            new = NewFact(entity=entity, key=key, value=value, **members)  # type: ignore[arg-type] # by name
            receipt = door.store_facts(Actor(kind="agent", id="deploy-bot"), tenant, [new], view=view)
        return receipt.fact_ids[0]

    return state


@pytest.fixture
def sign_in() -> SignIn:
    """A browser signed in as this person."""

    def as_person(person: User) -> Client:
        client = Client()
        client.force_login(person)
        return client

    return as_person


@pytest.fixture
def as_curator(curator: User, sign_in: SignIn) -> Client:
    """A browser of the curator."""
    return sign_in(curator)


@pytest.fixture
def as_viewer(viewer: User, sign_in: SignIn) -> Client:
    """A browser of the viewer."""
    return sign_in(viewer)


@pytest.fixture
def as_stranger(stranger: User, sign_in: SignIn) -> Client:
    """A browser of someone from another tenant."""
    return sign_in(stranger)


@pytest.fixture
def as_operator(operator: User, sign_in: SignIn) -> Client:
    """A browser of the operator."""
    return sign_in(operator)
