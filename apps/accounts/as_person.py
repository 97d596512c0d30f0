"""Who a command runs as: the person whose token is in CRUXWEB_TOKEN."""

import os

from django.utils import timezone

from apps.accounts.actions import authenticate, use_code
from apps.accounts.projector import catch_up
from apps.accounts.rules import Principal
from cruxstore.door import Store
from cruxstore.errors import NotPermittedError


def has_token() -> bool:
    """Whether the command is to run as somebody."""
    return bool(os.environ.get("CRUXWEB_TOKEN", "").strip())


def person_of_token(store: Store) -> Principal:
    """The person of CRUXWEB_TOKEN, with today's roles; refused without one, and for an agent's token."""
    if not has_token():
        raise NotPermittedError("Put a personal token of yours into CRUXWEB_TOKEN; this is done in somebody's name.")
    catch_up(store)
    principal = authenticate(os.environ["CRUXWEB_TOKEN"].strip(), now=timezone.now())
    if principal.kind != "person":
        raise NotPermittedError("This takes a person's token; the one in CRUXWEB_TOKEN is an agent's.")
    return principal


def person_signed_in(store: Store, code: str) -> Principal:
    """The same, for what needs a recent sign-in: with a one-time code, which is used up."""
    principal = person_of_token(store)
    use_code(principal, code, now=timezone.now())
    return principal
