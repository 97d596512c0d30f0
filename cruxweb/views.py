"""The pages that belong to no app: the way in, health, and what Django itself refuses."""

import secrets

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from apps.accounts.queries import tenants_of
from apps.accounts.request import Request
from cruxstore.errors import CruxError, NotFoundError, NotPermittedError
from cruxweb.health import checks, is_ready, metrics


@require_safe
def home(request: Request) -> HttpResponse:
    """Straight to the overview of the tenant last used, else the first one."""
    tenants = tenants_of(request.principal)
    last = request.session.get("tenant")
    chosen = next((tenant for tenant in tenants if tenant.slug == last), tenants[0] if tenants else None)
    if chosen is not None:
        return redirect("facts:overview", chosen.slug)
    if request.principal.is_operator:
        return redirect("store")
    if request.principal.asleep:
        raise NotPermittedError("The tenants where you have a role are retired. An operator can reinstate them.")
    raise NotPermittedError("You have no role in any tenant. An admin can give you one.")


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 as soon as pages are served."""
    return JsonResponse({"status": "ok"})


@login_not_required
@require_safe
def readyz(request: Request) -> HttpResponse:
    """200 where index, workers, journal, ledger and disk are well, else 503 with a code for each that is not."""
    found = checks(request.store)
    status = "ready" if is_ready(found) else "not_ready"
    return JsonResponse({"status": status, "checks": found}, status=200 if is_ready(found) else 503)


@login_not_required
@require_safe
def figures(request: Request) -> HttpResponse:
    """What Prometheus asks for, for whoever has the token; where none is set, for this host alone."""
    if not _may_see_figures(request):
        raise NotPermittedError("The figures are for this host, or for whoever has their token.")
    return HttpResponse(metrics(request.store), content_type=CONTENT_TYPE_LATEST)


def _may_see_figures(request: Request) -> bool:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return secrets.compare_digest(given.encode(), settings.METRICS_TOKEN.encode())
    # a proxy on this host comes from here too, and says for whom it asks
    is_passed_on = any(name in request.headers for name in ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"))
    return request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and not is_passed_on


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request could not be read."""
    return render(request, "400.html", {"error": CruxError("The request could not be read.")}, status=400)


def not_permitted(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own refusal."""
    return render(request, "403.html", {"error": NotPermittedError("This is not open to you.")}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """No such address."""
    return render(request, "404.html", {"error": NotFoundError("There is no page at this address.")}, status=404)


def failed(request: HttpRequest) -> HttpResponse:
    """A fault of the program; it is in the program's log."""
    return render(request, "500.html", status=500)
