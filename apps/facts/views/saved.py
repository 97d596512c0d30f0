"""Filters that people keep under a name."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.request import Request
from apps.facts import actions
from apps.facts.forms import ViewForm, read_filter
from apps.facts.presentation.address import chips_of, query_of
from apps.facts.queries.saved import saved_views
from apps.facts.views.rights import rights_of


@require_http_methods(["GET", "HEAD", "POST"])
def views(request: Request) -> HttpResponse:
    """The saved views of this person and the shared ones of the tenant; a form keeps one more."""
    chosen = read_filter(request.GET)
    form = ViewForm(request.POST) if request.method == "POST" else ViewForm(initial={"query": query_of(chosen)})
    if request.method == "POST" and form.is_valid():
        actions.save_view(request.principal, request.scope, **form.cleaned_data)
        return redirect("facts:views", request.tenant.slug)
    context = {"form": form, "chips": chips_of(chosen), "views": saved_views(request.scope), **rights_of(request)}
    return render(request, "facts/views.html", context, status=422 if request.method == "POST" else 200)


@require_POST
def forget_view(request: Request, number: int) -> HttpResponse:
    """Removes one of the person's own views."""
    actions.forget_view(request.scope, number)
    return redirect("facts:views", request.tenant.slug)
