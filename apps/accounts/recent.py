"""A recent sign-in: what sensitive acts ask for, so that a browser left open is not enough."""

import time
from urllib.parse import urlencode

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from django.contrib.auth import REDIRECT_FIELD_NAME

from apps.accounts.models import User
from apps.accounts.request import Request
from cruxstore.errors import NotPermittedError


class SignInAgainError(NotPermittedError):
    """An act needs a sign-in of the last minutes; `address` is where to give one, and leads back."""

    code = "sign_in_again"

    def __init__(self, address: str) -> None:
        super().__init__("Nothing was done yet. Send it again when you have signed in.")
        self.address = address


def require_recent_sign_in(request: Request) -> None:
    """Raises SignInAgainError for a POST from a browser that has not signed in within the last minutes.

    A view asks it once it has found what the address names and has checked every right, so that nobody signs in again
    only to be refused; and before it does anything, for what was sent has to be sent again.
    """
    if request.method != "POST" or is_recent(request):
        return
    assert isinstance(request.user, User)  # signed in: LoginRequiredMiddleware
    ways = get_adapter().get_reauthentication_methods(request.user)
    if not ways:
        raise NotPermittedError("This needs a recent sign-in. Sign out, and in again.")
    raise SignInAgainError(f"{ways[0]['url']}?{urlencode({REDIRECT_FIELD_NAME: _page_of(request)})}")


def is_recent(request: Request) -> bool:
    """Whether this browser has signed in within the last minutes."""
    user = request.user if isinstance(request.user, User) else None
    records = get_authentication_records(request, user)
    return bool(records) and time.time() - records[-1]["at"] < app_settings.REAUTHENTICATION_TIMEOUT


def _page_of(request: Request) -> str:
    """The page that the form stood on, if it was one of ours."""
    came_from = request.headers.get("Referer", "")
    own = f"{request.scheme}://{request.get_host()}/"
    return f"/{came_from.removeprefix(own)}" if came_from.startswith(own) else request.path
