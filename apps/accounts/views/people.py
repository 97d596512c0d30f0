"""A tenant's people: who has which role, and every act about them."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts import actions, queries
from apps.accounts.forms import InviteForm
from apps.accounts.queries import PersonRow
from apps.accounts.recent import require_recent_sign_in
from apps.accounts.request import Request
from apps.accounts.rules import (
    PROPOSED_ROLES,
    ROLE_WORDS,
    Right,
    Role,
    can,
    can_manage,
    require,
    second_person_refusal,
)
from cruxstore.errors import CruxError, NotFoundError, NotPermittedError


@require_safe
def people(request: Request) -> HttpResponse:
    """Who has which role in this tenant, and what waits for a second person."""
    tenant = request.tenant.name
    require(request.principal, Right.SEE_PEOPLE, tenant)
    proposals = queries.proposals_of(tenant)
    context = {
        "people": queries.people_of(tenant),
        "waiting": [row for row in proposals if row.is_waiting],
        "decided": [row for row in proposals if not row.is_waiting],
        **_rights(request),
    }
    return render(request, "account/people.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: Request) -> HttpResponse:
    """Invites somebody by a link that is shown once."""
    require(request.principal, Right.MANAGE_PEOPLE, request.tenant.name)
    require_recent_sign_in(request)
    form = InviteForm(request.POST or None, initial={"roles": request.GET.getlist("role")})
    if request.method == "POST" and form.is_valid():
        try:
            link = actions.invite(
                request.store,
                principal=request.principal,
                tenant=request.tenant.name,
                name=form.cleaned_data["name"],
                roles=[Role(word) for word in form.cleaned_data["roles"]],
                now=timezone.now(),
            )
        except CruxError as error:
            form.add_error("name" if error.code == "person_name" else None, str(error))
        else:
            return _show_link(request, link)
    return render(request, "account/invite.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
def person(request: Request, person_id: str) -> HttpResponse:
    """One person: roles, sign-ins, and what can be done about them."""
    require(request.principal, Right.SEE_PEOPLE, request.tenant.name)
    return _page(request, queries.get_person(request.tenant.name, person_id))


@require_POST
def change_roles(request: Request, person_id: str) -> HttpResponse:
    """Gives or takes one role; one that takes two people is proposed instead."""
    tenant, principal = request.tenant.name, request.principal
    require(principal, Right.MANAGE_PEOPLE, tenant)
    row = queries.get_person(tenant, person_id)
    try:
        role = Role(request.POST.get("role", ""))
    except ValueError as error:
        raise NotFoundError("There is no such role.") from error
    actions.require_people_right(principal, tenant, role)
    require_recent_sign_in(request)
    place = actions.place_of(role, tenant)
    try:
        if request.POST.get("do") == "revoke":
            actions.revoke_role(
                request.store, actor=actions.actor_of(principal), person_id=person_id, tenant=place, role=role
            )
            words = f"{ROLE_WORDS[role]} revoked"
        elif role in PROPOSED_ROLES:
            made = actions.propose_role(
                request.store, principal=principal, tenant=tenant, person_id=person_id, role=role
            )
            words = f"Proposal {made.number} waits for a second person"
        else:
            actions.grant_role(
                request.store, actor=actions.actor_of(principal), person_id=person_id, tenant=place, role=role
            )
            words = f"{ROLE_WORDS[role]} granted"
    except CruxError as error:
        return _page(request, row, error)
    messages.success(request, words)
    return _back(request, person_id)


@never_cache
@require_POST
def make_link(request: Request, person_id: str) -> HttpResponse:
    """Makes a link for a new password of one sign-in, or for another sign-in; it is shown once."""
    require(request.principal, Right.MANAGE_PEOPLE, request.tenant.name)
    row = queries.get_person(request.tenant.name, person_id)
    require_recent_sign_in(request)
    place = {"tenant": request.tenant.name, "person_id": person_id}
    username = request.POST.get("username", "")
    now = timezone.now()
    try:
        if username:
            link = actions.offer_reset(request.store, principal=request.principal, username=username, now=now, **place)
        else:
            link = actions.offer_sign_in(request.store, principal=request.principal, now=now, **place)
    except NotPermittedError as error:
        return _page(request, row, error)
    return _show_link(request, link)


@require_POST
def same_person(request: Request, person_id: str) -> HttpResponse:
    """Says that another person of the tenant is this one."""
    require(request.principal, Right.MANAGE_PEOPLE, request.tenant.name)
    row = queries.get_person(request.tenant.name, person_id)
    other = queries.get_person(request.tenant.name, request.POST.get("other", ""))
    require_recent_sign_in(request)
    try:
        actions.link_people(request.store, principal=request.principal, kept=person_id, joined=other.person_id)
    except CruxError as error:
        return _page(request, row, error)
    messages.success(request, "The sign-ins are one person's now")
    return _back(request, person_id)


@require_POST
def confirm(request: Request, person_id: str) -> HttpResponse:
    """Says that a person is not who let them in."""
    tenant = request.tenant.name
    require(request.principal, Right.APPROVE_ROLE, tenant)
    row = queries.get_person(tenant, person_id)
    require_recent_sign_in(request)
    try:
        actions.confirm_person(request.store, principal=request.principal, tenant=tenant, person_id=person_id)
    except CruxError as error:
        return _page(request, row, error)
    messages.success(request, "Person confirmed")
    return _back(request, person_id)


@require_http_methods(["GET", "HEAD", "POST"])
def proposal(request: Request, proposal_id: str) -> HttpResponse:
    """A proposed role: shown to whoever sees people, decided by a second person."""
    tenant, principal = request.tenant.name, request.principal
    require(principal, Right.SEE_PEOPLE, tenant)
    row = queries.get_proposal(tenant, proposal_id)
    error: CruxError | None = None
    if request.method == "POST":
        require(principal, Right.APPROVE_ROLE, tenant)
        require_recent_sign_in(request)
        decide = actions.approve_role if request.POST.get("do") == "approve" else actions.refuse_role
        try:
            decided = decide(request.store, principal=principal, tenant=tenant, proposal_id=proposal_id)
        except CruxError as refused:
            error, row = refused, queries.get_proposal(tenant, proposal_id)
        else:
            messages.success(request, f"Proposal {decided.number} {decided.state}")
            return redirect("people:list", request.tenant.slug)
    refusal = second_person_refusal(principal, first=row.proposer_id, receiver=row.person_id)
    context = {
        "proposal": row,
        "error": error,
        "refusal": refusal if can(principal, Right.APPROVE_ROLE, tenant) else "This needs a role that approves others.",
        "others": queries.second_people(tenant, first=row.proposer_id, receiver=row.person_id),
        "unconfirmed": queries.unconfirmed_people(tenant, first=row.proposer_id),
        **_rights(request),
    }
    return render(request, "account/proposal.html", context, status=409 if error else 200)


def _page(request: Request, row: PersonRow, error: CruxError | None = None) -> HttpResponse:
    tenant, principal = request.tenant.name, request.principal
    seconds = queries.second_people(tenant, first=principal.principal_id, receiver=row.person_id)
    proposals = queries.proposals_of(tenant, person_id=row.person_id)
    taken = {*row.roles, *(proposal.role for proposal in proposals if proposal.is_waiting)}
    offered = [role for role in Role if role not in taken and (role is not Role.OPERATOR or principal.is_operator)]
    rights = _rights(request)
    openers = queries.openers_of(row.person_id)
    refusals = [second_person_refusal(principal, first=opener, receiver=row.person_id) for opener in openers]
    context = {
        "person": row,
        "error": error,
        "held": [(role, ROLE_WORDS[role], role is not Role.OPERATOR or principal.is_operator) for role in row.roles],
        "plain_roles": [(role, ROLE_WORDS[role]) for role in offered if role not in PROPOSED_ROLES],
        "proposed_roles": [(role, ROLE_WORDS[role]) for role in offered if role in PROPOSED_ROLES],
        "proposals": proposals,
        "seconds": seconds,
        "unconfirmed": queries.unconfirmed_people(tenant, first=principal.principal_id),
        "openers": list(openers.values()),
        "may_confirm": rights["may_approve"] and not all(refusals),
        "is_in_care": can_manage(principal, queries.roles_of(row.person_id)),
        "others": [other for other in queries.people_of(tenant) if other.person_id != row.person_id],
        **rights,
    }
    return render(request, "account/person.html", context, status=409 if error else 200)


def _show_link(request: Request, link: actions.MadeLink) -> HttpResponse:
    return render(request, "account/link.html", {"link": link, "address": request.build_absolute_uri("/join/")})


def _back(request: Request, person_id: str) -> HttpResponse:
    tenant = request.tenant.name
    if can(request.principal, Right.SEE_PEOPLE, tenant) and any(
        row.person_id == person_id for row in queries.people_of(tenant)
    ):
        return redirect("people:person", request.tenant.slug, person_id)
    return redirect(
        "people:list" if can(request.principal, Right.SEE_PEOPLE, tenant) else "facts:overview", request.tenant.slug
    )


def _rights(request: Request) -> dict[str, object]:
    """What of people this person may do here, for templates; `can_be_approved` says whether anybody else could."""
    tenant, principal = request.tenant.name, request.principal
    return {
        "may_manage": can(principal, Right.MANAGE_PEOPLE, tenant),
        "may_approve": can(principal, Right.APPROVE_ROLE, tenant),
        "can_be_approved": bool(queries.second_people(tenant, first=principal.principal_id)),
        "unconfirmed": queries.unconfirmed_people(tenant, first=principal.principal_id),
    }
