"""A recent sign-in: what sensitive acts ask for, so that a browser left open is not enough."""

import time
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpResponseBase
from django.shortcuts import redirect

from apps.accounts.models import User
from apps.accounts.request import Request
from cruxstore.errors import NotPermittedError

View = Callable[..., HttpResponseBase]


def require_recent_sign_in(view: View) -> View:
    """A POST to this view needs a sign-in of the last minutes; without one it leads to signing in again, and back.

    Nothing is done before: what was sent has to be sent again.
    """

    @wraps(view)
    def asked(request: Request, *arguments: object, **names: object) -> HttpResponseBase:
        if request.method != "POST" or is_recent(request):
            return view(request, *arguments, **names)
        assert isinstance(request.user, User)  # signed in: LoginRequiredMiddleware
        ways = get_adapter().get_reauthentication_methods(request.user)
        if not ways:
            raise NotPermittedError("This needs a recent sign-in. Sign out, and in again.")
        messages.info(request, "Nothing was done yet. Send it again when you have signed in.")
        return redirect(f"{ways[0]['url']}?{urlencode({REDIRECT_FIELD_NAME: _page_of(request)})}")

    return asked


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
