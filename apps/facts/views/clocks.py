"""Pages at two moments: their address holds the moments themselves, not what was typed."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponseBase, HttpResponseRedirect
from django.utils import timezone

from apps.accounts.request import Request
from apps.facts.clock_rules import READERS

P = ParamSpec("P")
View = Callable[Concatenate[Request, P], HttpResponseBase]


def with_clocks(**fields: str) -> Callable[[View[P]], View[P]]:
    """The view, once its address holds each of these fields as the clock that it is; until then, a way there."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def resolved(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            zone = timezone.get_current_timezone()
            query = request.GET.copy()
            for name, clock in fields.items():
                typed = query.get(name, "")
                held = READERS[clock](typed, zone)
                if held:
                    query[name] = held
                else:
                    query.pop(name, None)
            if query.urlencode() == request.GET.urlencode():
                return view(request, *args, **kwargs)
            return HttpResponseRedirect(f"{request.path}?{query.urlencode()}" if query else request.path)

        return resolved

    return decorate


two_clocks = with_clocks(known="known", about="about")


def clocks_in(request: Request) -> tuple[str, str]:
    """As known on and about, as the address holds them."""
    return request.GET.get("known", ""), request.GET.get("about", "")
