"""The tenants of the store, for operators: made, renamed, retired and reinstated, and adopted where there is nobody."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts import actions
from apps.accounts.models import Tenant
from apps.accounts.recent import require_recent_sign_in
from apps.accounts.request import Request
from apps.accounts.rules import Right, can, require
from apps.facts.forms import TenantForm, TenantNameForm
from apps.facts.queries import tenants as queries
from apps.facts.queries.tenants import TenantRow
from apps.facts.views.caught_up import caught_up
from cruxstore.errors import CruxError


@require_safe
@caught_up
def tenants(request: Request) -> HttpResponse:
    """Every tenant, and those found in the journal without people."""
    require(request.principal, Right.MANAGE_TENANTS)
    return _list(request)


@require_http_methods(["GET", "HEAD", "POST"])
def tenant_new(request: Request) -> HttpResponse:
    """Makes a tenant whose first admin is an operator."""
    require(request.principal, Right.MANAGE_TENANTS)
    require_recent_sign_in(request)
    form = TenantForm(
        request.POST or None, operators=queries.operators(), initial={"first_admin": request.principal.principal_id}
    )
    if request.method == "POST" and form.is_valid():
        try:
            made = actions.create_tenant(request.store, actor=actions.actor_of(request.principal), **form.cleaned_data)
        except CruxError as error:
            form.add_error("name" if error.code == "tenant_name" else None, str(error))
        else:
            messages.success(request, "Tenant made")
            return redirect("tenant", made.number)
    return render(request, "facts/tenant_new.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@caught_up
def tenant_adopt(request: Request) -> HttpResponse:
    """Gives a tenant without people its first admin."""
    require(request.principal, Right.MANAGE_TENANTS)
    require_recent_sign_in(request)
    try:
        found = queries.get_found(request.POST.get("found", ""), now=timezone.now())
        adopted = actions.adopt_tenant(
            request.store,
            principal=request.principal,
            name=found.name,
            first_admin=request.POST.get("first_admin", ""),
        )
    except CruxError as error:
        return _list(request, error)
    messages.success(request, "Tenant adopted")
    return redirect("tenant", adopted.number)


@require_safe
@caught_up
def tenant(request: Request, number: int) -> HttpResponse:
    """One tenant: its people, what it is called, and whether it is retired."""
    require(request.principal, Right.MANAGE_TENANTS)
    return _page(request, queries.get_tenant_row(number, now=timezone.now()))


@require_POST
def tenant_rename(request: Request, number: int) -> HttpResponse:
    """Changes what people call a tenant."""
    require(request.principal, Right.MANAGE_TENANTS)
    row = queries.get_tenant_row(number, now=timezone.now())
    form = TenantNameForm(request.POST)
    if form.is_valid():
        try:
            actions.rename_tenant(
                request.store, principal=request.principal, name=row.name, called=form.cleaned_data["called"]
            )
        except CruxError as error:
            form.add_error("called", str(error))
        else:
            messages.success(request, "Tenant renamed")
            return redirect("tenant", number)
    return _page(request, row, form=form)


@require_POST
def tenant_retire(request: Request, number: int) -> HttpResponse:
    """Closes a tenant; all of it is kept."""
    return _open_or_close(request, number, actions.retire_tenant, "Tenant retired")


@require_POST
def tenant_reinstate(request: Request, number: int) -> HttpResponse:
    """Takes a retirement back."""
    return _open_or_close(request, number, actions.reinstate_tenant, "Tenant reinstated")


def _open_or_close(request: Request, number: int, act: Callable[..., Tenant], words: str) -> HttpResponse:
    require(request.principal, Right.MANAGE_TENANTS)
    row = queries.get_tenant_row(number, now=timezone.now())
    require_recent_sign_in(request)
    try:
        act(request.store, principal=request.principal, name=row.name)
    except CruxError as error:
        return _page(request, queries.get_tenant_row(number, now=timezone.now()), error=error)
    messages.success(request, words)
    return redirect("tenant", number)


def _list(request: Request, error: CruxError | None = None) -> HttpResponse:
    context = {
        "tenants": queries.find_tenants(now=timezone.now()),
        "operators": queries.operators(),
        "self_id": request.principal.principal_id,
        "error": error,
    }
    return render(request, "facts/tenants.html", context, status=409 if error else 200)


def _page(
    request: Request, row: TenantRow, *, form: TenantNameForm | None = None, error: CruxError | None = None
) -> HttpResponse:
    context = {
        "tenant": row,
        "form": form or TenantNameForm(initial={"called": row.title}),
        "error": error,
        "may_enter": can(request.principal, Right.READ, row.name),
    }
    status = 409 if error else 422 if form is not None and form.errors else 200
    return render(request, "facts/tenant.html", context, status=status)
