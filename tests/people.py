"""Signing people in, and seeing them as the rules do."""

from django.test import Client

from apps.accounts.models import User
from apps.accounts.queries import principal_of
from apps.accounts.rules import Principal, Scope, scope_of


def signed_in(user: User) -> Client:
    """A browser in which this person is signed in."""
    client = Client()
    client.force_login(user)
    return client


def principal(user: User) -> Principal:
    """The person as the rules see them."""
    return principal_of(user)


def scope(user: User, tenant: str = "default") -> Scope:
    """What this person may see of a tenant."""
    return scope_of(principal_of(user), tenant)
