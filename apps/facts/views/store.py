"""How things are: the morning's overview, the tenant's numbers, the whole store."""

import time

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from apps.accounts.queries import names_of
from apps.accounts.request import Request
from apps.accounts.rules import STORE, Right, require
from apps.facts import queries
from apps.facts.queries.imports import find_imports
from apps.facts.views.caught_up import caught_up
from apps.facts.views.rights import rights_of
from apps.jobs.actions import enqueue_once
from apps.jobs.queries import JobScope, JobView, NoticeView, find_newest_job, find_notices

STORE_JOBS = ("compaction", "rebuild_index")
OVERVIEW_IMPORTS = 3


@require_safe
@caught_up
def overview(request: Request) -> HttpResponse:
    """What changed since yesterday."""
    answer = queries.overview(request.scope, store=request.store, now_ns=time.time_ns())
    unnamed = answer.new.value - sum(actor.count.value for actor in answer.new_by_actor)
    imports = find_imports(request.scope, store=request.store)[:OVERVIEW_IMPORTS]
    return render(
        request,
        "facts/overview.html",
        {
            "overview": answer,
            "unnamed": unnamed,
            "imports": imports,
            "notices": _notices(request, request.tenant.name),
            **rights_of(request),
        },
    )


@require_safe
@caught_up
def counts(request: Request) -> HttpResponse:
    """The tenant's numbers, for everyone in it."""
    answer = queries.store_counts(request.scope, store=request.store, now_ns=time.time_ns())
    return render(request, "facts/counts.html", {"counts": answer})


@require_safe
@vary_on_headers("HX-Request")
@caught_up
def store(request: Request) -> HttpResponse:
    """The whole store, for operators."""
    require(request.principal, Right.OPERATE, STORE)
    if request.htmx:
        return render(request, "facts/_store_job.html", {"job": _newest_job(request.GET.get("kind", ""))})
    answer = queries.store_status(store=request.store, now_ns=time.time_ns())
    jobs = [_newest_job(kind) for kind in STORE_JOBS]
    context = {"status": answer, "jobs": jobs, "notices": _notices(request, STORE)}
    return render(request, "facts/store.html", context)


@require_POST
def rebuild(request: Request) -> HttpResponse:
    """Builds the index anew beside the one that answers; once at a time."""
    require(request.principal, Right.OPERATE, STORE)
    enqueue_once(
        "rebuild_index",
        tenant=None,
        started_by=request.principal.principal_id,
        arguments={},
        title="Rebuild the index",
        unit="bytes",
    )
    return redirect("store")


def _newest_job(kind: str) -> JobView | None:
    return find_newest_job(JobScope("", sees_store=True), kind, now=timezone.now(), names_of=names_of)


def _notices(request: Request, tenant: str) -> list[NoticeView]:
    return find_notices(request.principal.principal_id, tenant, sees_store=request.principal.is_operator)
