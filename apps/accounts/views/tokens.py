"""Tokens on pages: a person's own, and those of a tenant's agents."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts import actions, queries
from apps.accounts.forms import AgentTokenForm, PersonalTokenForm
from apps.accounts.recent import require_recent_sign_in
from apps.accounts.request import Request
from apps.accounts.rules import Right, require
from cruxstore.errors import CruxError, NotFoundError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def personal(request: Request) -> HttpResponse:
    """One's own tokens; a new one is shown once."""
    require_recent_sign_in(request)
    form = PersonalTokenForm(request.POST or None)
    now = timezone.now()
    if request.method == "POST" and form.is_valid():
        try:
            made = actions.make_personal_token(request.store, principal=request.principal, now=now, **form.cleaned_data)
        except CruxError as error:
            form.add_error("name", str(error))
        else:
            return render(request, "account/token.html", {"made": made})
    context = {"form": form, "tokens": queries.personal_tokens_of(request.principal, now=now)}
    return render(request, "account/tokens.html", context, status=422 if form.errors else 200)


@require_POST
def revoke_personal(request: Request, token_id: str) -> HttpResponse:
    """Ends one of one's own tokens."""
    actions.revoke_token(request.store, principal=request.principal, token_id=token_id)
    messages.success(request, "Token revoked")
    return redirect("tokens")


@never_cache
@require_POST
def code(request: Request) -> HttpResponse:
    """A one-time code for the command line, shown once."""
    require_recent_sign_in(request)
    made = actions.make_code(request.principal, now=timezone.now())
    return render(request, "account/code.html", {"code": made})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def agents(request: Request) -> HttpResponse:
    """The tokens of this tenant's agents; a new one is shown once."""
    tenant = request.tenant.name
    require(request.principal, Right.MANAGE_TOKENS, tenant)
    require_recent_sign_in(request)
    form = AgentTokenForm(request.POST or None)
    now = timezone.now()
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        try:
            made = actions.make_agent_token(
                request.store,
                actor=actions.actor_of(request.principal),
                tenant=tenant,
                agent=asked["name"],
                may_read=asked["may_read"],
                may_propose=asked["may_propose"],
                is_tool=asked["is_tool"],
                entity_prefix=asked["entity_prefix"],
                days=asked["days"],
                now=now,
            )
        except CruxError as error:
            form.add_error("name", str(error))
        else:
            context = {"made": made, "is_agent": True, "prefix": asked["entity_prefix"]}
            return render(request, "account/token.html", context)
    context = {"form": form, "tokens": queries.tokens_of(tenant, now=now), "is_agent": True}
    return render(request, "account/tokens.html", context, status=422 if form.errors else 200)


@require_POST
def revoke_agent(request: Request, token_id: str) -> HttpResponse:
    """Ends an agent's token of this tenant."""
    require(request.principal, Right.MANAGE_TOKENS, request.tenant.name)
    if token_id not in {row.token_id for row in queries.tokens_of(request.tenant.name, now=timezone.now())}:
        raise NotFoundError("There is no such token here.")
    actions.revoke_token(request.store, principal=request.principal, token_id=token_id)
    messages.success(request, "Token revoked")
    return redirect("agent_tokens", request.tenant.slug)
