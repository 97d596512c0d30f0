"""Bringing memory in: choose a file, see what it would store, store it, look at it, take it back."""

import time

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from apps.accounts.queries import names_of
from apps.accounts.request import Request
from apps.accounts.rules import STORE, Right, can, require
from apps.facts import actions, queries
from apps.facts.answers import FactFilter
from apps.facts.formats import AUTO
from apps.facts.forms import UploadForm, read_form
from apps.facts.queries.imports import find_imports, get_import, get_own_upload, preview
from apps.facts.views.caught_up import caught_up
from apps.facts.views.rights import rights_of
from apps.jobs.queries import JobScope, get_job
from cruxstore.errors import CruxError

SHOWN_FACTS = 12


@require_safe
@caught_up
def imports(request: Request) -> HttpResponse:
    """The imports of the tenant, newest first."""
    rows = find_imports(request.scope, store=request.store)
    return render(request, "facts/imports.html", {"imports": rows, **rights_of(request)})


@require_http_methods(["GET", "HEAD", "POST"])
def import_new(request: Request) -> HttpResponse:
    """Takes a file and goes on to its preview; nothing is stored yet."""
    require(request.principal, Right.IMPORT, request.tenant.name)
    form = UploadForm(request.POST or None, request.FILES or None)
    status = 200
    if request.method == "POST":
        actions.require_ours(request.store)
        status = 422
        if form.is_valid():
            file, chosen = form.cleaned_data["file"], form.cleaned_data["form"]
            try:
                upload = actions.keep_upload(
                    request.store,
                    request.scope,
                    principal=request.principal,
                    file_name=file.name,
                    chunks=file.chunks(),
                    limit_bytes=settings.IMPORT_LIMIT_BYTES,
                    at=timezone.now(),
                    form=chosen,
                )
            except CruxError as error:
                form.add_error("file", str(error))
            else:
                answer = redirect("facts:import_preview", request.tenant.slug, upload.digest)
                answer["Location"] += f"?form={chosen}" if chosen != AUTO else ""
                return answer
    return render(request, "facts/import_new.html", {"form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def import_preview(request: Request, digest: str) -> HttpResponse:
    """What an uploaded file would store, and why not the rest; a button stores it."""
    require(request.principal, Right.IMPORT, request.tenant.name)
    chosen = read_form(request.GET)
    if request.method == "POST":
        import_id, _ = actions.start_import(
            request.store, request.scope, principal=request.principal, digest=digest, form=chosen
        )
        return redirect("facts:import", request.tenant.slug, import_id)
    answer = preview(request.scope, get_own_upload(request.scope, digest), store=request.store, form=chosen)
    return render(request, "facts/import_preview.html", {"preview": answer, "chosen": chosen, "digest": digest})


@require_safe
@vary_on_headers("HX-Request")
@caught_up
def import_page(request: Request, import_id: str) -> HttpResponse:
    """One import with its facts; asks again by itself while it runs."""
    row = get_import(request.scope, import_id, store=request.store)
    job_scope = JobScope(request.tenant.name, sees_store=can(request.principal, Right.OPERATE, STORE))
    job = None
    if row.job is not None:
        job = get_job(job_scope, row.job, now=timezone.now(), names_of=names_of)
    page = queries.find_facts(
        request.scope, FactFilter(import_id=import_id), store=request.store, now_ns=time.time_ns()
    )
    context = {"import": row, "job": job, "rows": page.rows[:SHOWN_FACTS], **rights_of(request)}
    return render(request, "facts/import.html#import" if request.htmx else "facts/import.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def import_take_back(request: Request, import_id: str) -> HttpResponse:
    """Says what taking an import back does; a button does it."""
    require(request.principal, Right.TAKE_BACK, request.tenant.name)
    if request.method == "POST":
        actions.take_back_import(request.store, request.scope, principal=request.principal, import_id=import_id)
        return redirect("facts:import", request.tenant.slug, import_id)
    row = get_import(request.scope, import_id, store=request.store)
    page = queries.find_facts(
        request.scope, FactFilter(import_id=import_id), store=request.store, now_ns=time.time_ns()
    )
    return render(
        request, "facts/import_take_back.html", {"import": row, "page": page, "rows": page.rows[:SHOWN_FACTS]}
    )
