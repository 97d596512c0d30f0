"""The pages that belong to no app: the way in, health, and what Django itself refuses."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from apps.accounts.queries import tenants_of
from apps.accounts.request import Request
from cruxstore.errors import CruxError, NotFoundError, NotPermittedError


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
    raise NotPermittedError("You have no role in any tenant. An admin can give you one.")


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 as soon as pages are served."""
    return JsonResponse({"status": "ok"})


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
