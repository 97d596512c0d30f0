"""Compacting the journal: what goes and what stays, before anything is done; then a job."""

import time

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from apps.accounts.recent import require_recent_sign_in
from apps.accounts.request import Request
from apps.accounts.rules import STORE, Right, require
from apps.facts import queries
from apps.facts.actions.compaction import start_compaction
from apps.facts.forms import CompactionForm
from apps.facts.views.caught_up import caught_up


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def compact(request: Request) -> HttpResponse:
    """Says what a compaction does to this store; the typed number of lines and a button begin it."""
    require(request.principal, Right.OPERATE, STORE)
    require_recent_sign_in(request)
    plan = queries.compaction_outlook(store=request.store, now_ns=time.time_ns())
    form = CompactionForm(request.POST if request.method == "POST" else None, lines=plan.lines)
    if request.method == "POST" and plan.refusal == "" and form.is_valid():
        start_compaction(request.principal, reason=form.cleaned_data["reason"])
        return redirect("store")
    status = 422 if request.method == "POST" else 200
    return render(request, "facts/compact.html", {"plan": plan, "form": form}, status=status)
