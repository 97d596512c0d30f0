"""What was believed over both clocks: the map of one entity and key, and an entity at two moments."""

import time
from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.accounts.queries import names_of
from apps.accounts.request import Request
from apps.accounts.rules import Right, can, require
from apps.facts import queries
from apps.facts.answers import Deed, Difference
from apps.facts.presentation.belief import belief_drawing, legend_of, shown_bands, shown_differences, table_of
from apps.facts.presentation.clocks import field_text
from apps.facts.presentation.drawings import utc_datetime
from apps.facts.queries.exports import csv_lines
from apps.facts.views.caught_up import caught_up
from apps.facts.views.clocks import with_clocks

FIELDS = {"k1": "known", "a1": "about", "k2": "known", "a2": "about"}
"""The fields of two moments, and which clock each is."""


@require_safe
@with_clocks(**FIELDS)
@caught_up
def belief(request: Request) -> HttpResponse:
    """The map; without moments, from before its last change until now."""
    entity, key = request.GET.get("entity", ""), request.GET.get("key", "")
    now_ns, zone = time.time_ns(), timezone.get_current_timezone()
    found = queries.get_belief(request.scope, entity, key, store=request.store, now_ns=now_ns)
    if len(found.bands) > 1 and not any(request.GET.get(name) for name in FIELDS):
        pairs = {"entity": entity, "key": key, "k1": found.bands[-2].deed.place}
        return redirect(f"{reverse('facts:belief', args=[request.tenant.slug])}?{urlencode(pairs)}")
    difference = _difference(request, entity, now_ns)
    names = _names([*(band.deed for band in found.bands), *_deeds(difference)])
    now = utc_datetime(now_ns)
    assert now is not None, "the clock is within the calendar"
    context = {
        "belief": found,
        "drawing": belief_drawing(found, (difference.first, difference.second), now, zone),
        "legend": legend_of(found),
        "can_export": can(request.principal, Right.EXPORT, request.tenant.name),
        "bands": shown_bands(found, names),
        "own": next((one for one in difference.keys if one.key == key), None),
        **_moments(request, difference, names, [("entity", entity), ("key", key)]),
    }
    return render(request, "facts/belief.html", context)


@require_safe
@caught_up
def belief_table(request: Request) -> HttpResponse:
    """The map's table as a file that is safe in a spreadsheet."""
    require(request.principal, Right.EXPORT, request.tenant.name)
    entity, key = request.GET.get("entity", ""), request.GET.get("key", "")
    found = queries.get_belief(request.scope, entity, key, store=request.store, now_ns=time.time_ns())
    table = csv_lines(table_of(shown_bands(found, _names(band.deed for band in found.bands))))
    answer = HttpResponse(table, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="belief-{request.tenant.slug}.csv"'
    return answer


@require_safe
@with_clocks(**FIELDS)
@caught_up
def compare(request: Request) -> HttpResponse:
    """Every key of an entity at two moments."""
    entity = request.GET.get("entity", "")
    difference = _difference(request, entity, time.time_ns())
    names = _names(_deeds(difference))
    return render(request, "facts/compare.html", _moments(request, difference, names, [("entity", entity)]))


def _difference(request: Request, entity: str, now_ns: int) -> Difference:
    k1, a1, k2, a2 = (request.GET.get(name, "") for name in FIELDS)
    return queries.compare_moments(request.scope, entity, (k1, a1), (k2, a2), store=request.store, now_ns=now_ns)


def _moments(
    request: Request, difference: Difference, names: dict[str, str], kept: list[tuple[str, str]]
) -> dict[str, object]:
    """What the form of two moments and their comparison need."""
    zone = timezone.get_current_timezone()
    held = {name: request.GET.get(name, "") for name in FIELDS}
    return {
        "difference": difference,
        "differences": shown_differences(difference.keys, names),
        "fields": {name: field_text(text, zone, FIELDS[name]) for name, text in held.items()},
        "kept": kept,
        "step_query": {
            number: urlencode([*kept, *((name, text) for name, text in held.items() if text and name != f"k{number}")])
            for number in (1, 2)
        },
    }


def _deeds(difference: Difference) -> Iterable[Deed]:
    return (one.deed for one in difference.keys if one.deed is not None)


def _names(deeds: Iterable[Deed]) -> dict[str, str]:
    return dict(names_of({deed.actor_id for deed in deeds if deed.actor_kind == "person"}))
