"""Before a page about facts is made, the index reads what is new, as far as a page may wait for it.

A page that was read while another index took the place of the one that answered is made again: it may have seen both.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponseBase

from apps.accounts.request import Request
from apps.facts.journal import JournalMovedError
from apps.facts.projector import answering_build, bring_up_to_date

ATTEMPTS = 3

P = ParamSpec("P")
View = Callable[Concatenate[Request, P], HttpResponseBase]


def caught_up(view: View[P]) -> View[P]:
    """The view, after at most 500 lines were read; where another process is reading, it does not wait."""

    @wraps(view)
    def reading_first(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        bring_up_to_date(request.store, now_ns=time.time_ns())
        if request.method not in ("GET", "HEAD"):
            return view(request, *args, **kwargs)
        for _ in range(ATTEMPTS - 1):
            before = answering_build()
            try:
                response = view(request, *args, **kwargs)
            except JournalMovedError:
                if answering_build() == before:
                    raise
            else:
                if answering_build() == before:
                    return response
                response.close()
        return view(request, *args, **kwargs)

    return reading_first
