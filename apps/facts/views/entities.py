"""The entities by name, and one entity."""

import time

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.accounts.request import Request
from apps.facts import queries
from apps.facts.forms import read_search
from apps.facts.presentation.address import place_of
from apps.facts.presentation.clocks import clock_bar
from apps.facts.presentation.fact import entity_validity
from apps.facts.views.caught_up import caught_up
from apps.facts.views.clocks import clocks_in, two_clocks
from apps.facts.views.rights import rights_of


@require_safe
@caught_up
def entities(request: Request) -> HttpResponse:
    """The entities by name."""
    q, kind = read_search(request.GET), request.GET.get("kind", "")
    page = queries.find_entities(
        request.scope,
        q=q,
        kind=kind,
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
        store=request.store,
        now_ns=time.time_ns(),
    )
    context = {
        "page": page,
        "q": q,
        "kind": kind,
        "previous_query": place_of(q=q, kind=kind, before=page.previous or ""),
        "next_query": place_of(q=q, kind=kind, after=page.next or ""),
        **rights_of(request),
    }
    return render(request, "facts/entities.html", context)


@require_safe
@two_clocks
@caught_up
def entity(request: Request) -> HttpResponse:
    """One entity: what is believed, now or at another moment, when it holds, and how it came to be."""
    name, zone = request.GET.get("name", ""), timezone.get_current_timezone()
    known, about = clocks_in(request)
    detail = queries.get_entity(
        request.scope, name, store=request.store, now_ns=time.time_ns(), known=known, about=about
    )
    validity = entity_validity(detail, detail.clocks.now_ns, zone)
    bar = clock_bar(known, about, detail.clocks, detail.steps, [("name", name)], zone)
    return render(
        request, "facts/entity.html", {"entity": detail, "validity": validity, "bar": bar, **rights_of(request)}
    )
