"""What proves the ledger: checkpoints, a check of all files and bundles, for operators; a tenant's for its officers."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from apps.accounts.queries import names_of, tenant_names
from apps.accounts.request import Request
from apps.accounts.rules import STORE, Right, require
from apps.facts.actions.proof import VERIFICATION, start_verification
from apps.facts.forms import BundleForm
from apps.facts.queries import proof as queries
from apps.facts.views.caught_up import caught_up
from apps.jobs.actions import JobMovedOnError, cancel_job
from apps.jobs.queries import JobScope, JobView, find_newest_job
from apps.jobs.rules import JobState
from cruxstore.errors import BundleError, NoteError, NotFoundError
from cruxstore.verification import Verification


@require_safe
@vary_on_headers("HX-Request")
def proof(request: Request) -> HttpResponse:
    """The ledger's head, its checkpoints and what the newest check came to; asks again by itself while one runs."""
    require(request.principal, Right.OPERATE, STORE)
    if request.htmx:
        return render(request, "facts/_verification.html", _verification())
    return _show(request, BundleForm(tenants=tenant_names()))


@require_POST
def verify(request: Request) -> HttpResponse:
    """Begins a check of all files, against the checkpoint of a day where one is named."""
    require(request.principal, Right.OPERATE, STORE)
    since = request.POST.get("since", "")
    if since:
        queries.read_kept(request.store, since)
    start_verification(request.principal, since=since)
    return redirect("proof")


@require_POST
def cancel_verification(request: Request) -> HttpResponse:
    """Ends the check that is under way."""
    require(request.principal, Right.OPERATE, STORE)
    job = _newest_job()
    if job is None:
        raise JobMovedOnError("No check is under way.")
    cancel_job(job.number)
    return redirect("proof")


@require_safe
def checkpoint(request: Request) -> HttpResponse:
    """The newest signed checkpoint as a file, in the form of C2SP."""
    require(request.principal, Right.OPERATE, STORE)
    newest = queries.signed_checkpoint(request.store)
    if newest is None or newest.note is None:
        raise NotFoundError("Nobody has signed a checkpoint yet.")
    return _download(newest.note.encode(), f"checkpoint-{newest.events}.txt", "text/plain; charset=utf-8")


@require_safe
def kept_checkpoint(request: Request, day: str) -> HttpResponse:
    """The checkpoint kept of a day as a file."""
    require(request.principal, Right.OPERATE, STORE)
    return _download(queries.read_kept(request.store, day), f"checkpoint-{day}.txt", "text/plain; charset=utf-8")


@require_safe
@caught_up
def bundle(request: Request) -> HttpResponse:
    """The asked events with their proofs as a file."""
    require(request.principal, Right.OPERATE, STORE)
    form = BundleForm(request.GET, tenants=tenant_names())
    return _bundle(request, form, form.data.get("tenant", "")) or _show(request, form, status=422)


@require_safe
@caught_up
def tenant_bundle(request: Request) -> HttpResponse:
    """The asked events of this tenant alone as a file; without a question the page that asks."""
    require(request.principal, Right.SEE_LEDGER, request.tenant.name)
    if not request.GET:
        return _show_tenants(request, BundleForm())
    form = BundleForm(request.GET)
    return _bundle(request, form, request.tenant.name) or _show_tenants(request, form, status=422)


def _bundle(request: Request, form: BundleForm, tenant: str) -> HttpResponse | None:
    """The file; None where the form says why there is none."""
    if not form.is_valid():
        return None
    asked = form.cleaned_data
    earlier = asked["earlier"]
    try:
        if tenant:
            span = {name: asked[name] for name in ("first", "last", "since", "until")}
            events = queries.find_tenants_events(tenant, **span)
            content = queries.export_tenant_bundle(request.store, tenant, events, earlier=earlier)
            first, last = events[0], events[-1]
        else:
            first, last = _range(form)
            content = queries.export_bundle(request.store, first, last, earlier=earlier)
    except BundleError as error:
        form.add_error(None, str(error))
        return None
    except (NotFoundError, NoteError) as error:
        form.add_error("earlier", str(error))
        return None
    name = f"{'tenant-' if tenant else ''}ledger-{first}-{last}.json"
    return _download(content, name, "application/json")


def _range(form: BundleForm) -> tuple[int, int]:
    asked = form.cleaned_data
    if asked["first"] is not None:
        return asked["first"], asked["last"] or asked["first"]
    found = queries.find_range(asked["since"], asked["until"])
    if found is None:
        raise BundleError("Nothing was decided in this time.")
    return found


def _show_tenants(request: Request, form: BundleForm, status: int = 200) -> HttpResponse:
    context = {"head": queries.ledger_head(request.store), "form": form, "most_events": queries.MOST_EVENTS}
    return render(request, "facts/tenant_bundle.html", context, status=status)


def _show(request: Request, form: BundleForm, status: int = 200) -> HttpResponse:
    context = {
        "head": queries.ledger_head(request.store),
        "kept": queries.kept_checkpoints(request.store, before=request.GET.get("before", "")),
        "form": form,
        "most_events": queries.MOST_EVENTS,
        **_verification(),
    }
    return render(request, "facts/proof.html", context, status=status)


def _verification() -> dict[str, object]:
    job = _newest_job()
    is_finished = job is not None and job.state == JobState.FINISHED
    return {"job": job, "found": Verification.of_members(job.checkpoint) if job is not None and is_finished else None}


def _newest_job() -> JobView | None:
    return find_newest_job(JobScope("", sees_store=True), VERIFICATION, now=timezone.now(), names_of=names_of)


def _download(content: bytes, name: str, kind: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
