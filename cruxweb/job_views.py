"""Long work as pages; here, because it needs people as well as jobs."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from apps.accounts.queries import names_of
from apps.accounts.request import Request
from apps.accounts.rules import Right, can, require
from apps.jobs.actions import cancel_job, retry_job
from apps.jobs.queries import JobScope, JobView, find_jobs, get_job


@require_safe
@vary_on_headers("HX-Request")
def job_list(request: Request) -> HttpResponse:
    """The newest jobs; asks again by itself while one is under way."""
    jobs = find_jobs(_scope(request), now=timezone.now(), names_of=names_of)
    context = {"jobs": jobs, "is_under_way": any(not job.is_ended for job in jobs)}
    return render(request, "jobs/list.html#jobs" if request.htmx else "jobs/list.html", context)


@require_safe
@vary_on_headers("HX-Request")
def job(request: Request, number: int) -> HttpResponse:
    """One job; asks again by itself until it has ended."""
    context = {"job": _job(request, number), "may_steer": _may_steer(request)}
    return render(request, "jobs/job.html#job" if request.htmx else "jobs/job.html", context)


@require_POST
def cancel(request: Request, number: int) -> HttpResponse:
    """Cancels a job of this tenant."""
    require(request.principal, Right.IMPORT, request.tenant.name)
    cancel_job(_job(request, number).number)
    return redirect("jobs:job", request.tenant.slug, number)


@require_POST
def retry(request: Request, number: int) -> HttpResponse:
    """Queues a job of this tenant again."""
    require(request.principal, Right.IMPORT, request.tenant.name)
    retry_job(_job(request, number).number)
    return redirect("jobs:job", request.tenant.slug, number)


def _job(request: Request, number: int) -> JobView:
    return get_job(_scope(request), number, now=timezone.now(), names_of=names_of)


def _scope(request: Request) -> JobScope:
    return JobScope(request.tenant.name, sees_store=request.principal.is_operator)


def _may_steer(request: Request) -> bool:
    return can(request.principal, Right.IMPORT, request.tenant.name)
