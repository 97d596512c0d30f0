"""Long work as pages; here, because it needs people as well as jobs."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from apps.accounts.queries import names_of
from apps.accounts.request import Request
from apps.accounts.rules import Right, can, require
from apps.jobs.actions import JobMovedOnError, cancel_job, retry_job, set_aside_job
from apps.jobs.queries import JobView, find_jobs, get_job
from apps.jobs.timetable import daily_turns, get_daily, periodic_turns, start_now
from apps.jobs.workers import patrolling
from cruxweb.job_access import job_scope, may_steer, require_steering
from cruxweb.timetable import TIMETABLE


@require_safe
@vary_on_headers("HX-Request")
def job_list(request: Request) -> HttpResponse:
    """The newest jobs; asks again by itself while one is under way."""
    jobs = find_jobs(job_scope(request.principal, request.tenant.name), now=timezone.now(), names_of=names_of)
    context = {"jobs": jobs, "is_under_way": any(not job.is_ended for job in jobs)}
    return render(request, "jobs/list.html#jobs" if request.htmx else "jobs/list.html", context)


@require_safe
@vary_on_headers("HX-Request")
def job(request: Request, number: int) -> HttpResponse:
    """One job; asks again by itself until it has ended."""
    found = _job(request, number)
    context = {
        "job": found,
        "may_steer": may_steer(request.principal, request.tenant.name, is_store_wide=found.is_store_wide),
    }
    return render(request, "jobs/job.html#job" if request.htmx else "jobs/job.html", context)


@require_POST
def cancel(request: Request, number: int) -> HttpResponse:
    """Cancels a job."""
    cancel_job(_steered(request, number).number)
    return redirect("jobs:job", request.tenant.slug, number)


@require_POST
def retry(request: Request, number: int) -> HttpResponse:
    """Queues a job again."""
    retry_job(_steered(request, number).number)
    return redirect("jobs:job", request.tenant.slug, number)


@require_POST
def set_aside(request: Request, number: int) -> HttpResponse:
    """Gives up a job that a fault stopped."""
    set_aside_job(_steered(request, number).number)
    return redirect("jobs:job", request.tenant.slug, number)


@require_safe
def timetable(request: Request) -> HttpResponse:
    """What runs by itself, how it went last, and when it runs next."""
    scope, now = job_scope(request.principal, request.tenant.name), timezone.now()
    context = {
        "periodic": periodic_turns([*TIMETABLE.periodic, patrolling(TIMETABLE)]),
        "daily": daily_turns(TIMETABLE, scope, now=now, names_of=names_of),
        "may_run": can(request.principal, Right.RUN_JOBS, request.tenant.name),
    }
    return render(request, "jobs/timetable.html", context)


@require_POST
def run_now(request: Request, kind: str) -> HttpResponse:
    """Queues at once what would run by itself later."""
    if not request.principal.is_operator:
        require(request.principal, Right.RUN_JOBS, request.tenant.name)
    daily = get_daily(TIMETABLE, kind)
    require_steering(request.principal, request.tenant.name, is_store_wide=daily.is_store_wide)
    tenant = None if daily.is_store_wide else request.tenant.name
    job = start_now(daily, tenant, started_by=request.principal.principal_id)
    if job is None:
        raise JobMovedOnError(f"{daily.title}: this is queued or under way already.")
    return redirect("jobs:job", request.tenant.slug, job.number)


def _job(request: Request, number: int) -> JobView:
    return get_job(job_scope(request.principal, request.tenant.name), number, now=timezone.now(), names_of=names_of)


def _steered(request: Request, number: int) -> JobView:
    """A job that this person may steer."""
    require(request.principal, Right.READ, request.tenant.name)
    found = _job(request, number)
    require_steering(request.principal, request.tenant.name, is_store_wide=found.is_store_wide)
    return found
