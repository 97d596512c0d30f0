"""Before a page about facts is made, the index reads what is new, as far as a page may wait for it."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponseBase

from apps.accounts.request import Request
from apps.facts.projector import bring_up_to_date

P = ParamSpec("P")
View = Callable[Concatenate[Request, P], HttpResponseBase]


def caught_up(view: View[P]) -> View[P]:
    """The view, after at most 500 lines were read; where another process is reading, it does not wait."""

    @wraps(view)
    def reading_first(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        bring_up_to_date(request.store, now_ns=time.time_ns())
        return view(request, *args, **kwargs)

    return reading_first
