"""The ledger on pages: a tenant's events for who looks after it, and everyone's own decisions."""

import re

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from apps.accounts.queries import ids_of, ids_of_name, names_of
from apps.accounts.request import Request
from apps.accounts.rules import STORE, Right, can, require
from apps.facts import queries
from apps.facts.forms import LedgerForm
from apps.facts.queries import LedgerFilter, LedgerPage
from apps.facts.views.caught_up import caught_up


@require_safe
@caught_up
def ledger(request: Request) -> HttpResponse:
    """The tenant's events by actor, action, subject and time; an operator sees those of the store among them."""
    require(request.principal, Right.SEE_LEDGER, request.tenant.name)
    form = LedgerForm(request.GET)
    if not form.is_valid():
        return _show(request, form, LedgerPage((), None), status=422)
    asked = form.cleaned_data
    wanted = LedgerFilter(
        actors=_actors(asked["actor"]),
        action=asked["action"],
        subject=asked["subject"],
        since=asked["since"],
        until=asked["until"],
    )
    tenants = [request.tenant.name, *([STORE] if request.principal.is_operator else [])]
    return _show(request, form, queries.find_events(tenants, wanted, before=_before(request)))


@require_safe
@caught_up
def decisions(request: Request) -> HttpResponse:
    """What the person signed in has decided in this tenant."""
    wanted = LedgerFilter(actors=tuple(ids_of(request.principal.principal_id)))
    page = queries.find_events([request.tenant.name], wanted, before=_before(request))
    return _show(request, None, page)


def _show(request: Request, form: LedgerForm | None, page: LedgerPage, status: int = 200) -> HttpResponse:
    names = names_of({row.actor_id for row in page.rows if row.actor_kind == "person"})
    query = {key: str(value) for key, value in request.GET.items() if value and key != "before"}
    asked = [] if form is None else [(field.name, field.label) for field in form if query.get(field.name)]
    context = {
        "form": form,
        "page": page,
        "rows": [
            (row, names.get(row.actor_id, row.actor_id), [(subject, _kind(subject)) for subject in row.subjects])
            for row in page.rows
        ],
        "chips": [
            {"label": label, "value": query[name], "without": urlencode({**query, name: ""})} for name, label in asked
        ],
        "next_query": urlencode({**query, "before": str(page.before or "")}),
        "may_see_people": can(request.principal, Right.SEE_PEOPLE, request.tenant.name),
    }
    return render(request, "facts/ledger.html", context, status=status)


def _kind(subject: str) -> str:
    """What a subject is a link to; an id of somebody else's making is to nothing."""
    found = re.fullmatch("([fp])_[0-9a-f]{32}", subject)
    return {"f": "fact", "p": "person"}[found[1]] if found else ""


def _actors(text: str) -> tuple[str, ...]:
    """The ids behind a name; an agent's name, and an id, stand for themselves."""
    return (text, *ids_of_name(text)) if text else ()


def _before(request: Request) -> int | None:
    text = request.GET.get("before", "")
    return int(text) if text.isdecimal() and len(text) < 19 else None
