"""The page of an act: it says what will be written, and what changed where somebody else was faster.

1. Asked for, or sent with `look`: what is in the form is planned and shown; nothing is written.
2. Sent: it is done, and the fact's page tells it. Sent twice, it is done once.
3. Not as it should be: 422 at the field. Changed meanwhile, or not possible now: 409. What was typed stays.
"""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.queries import names_of
from apps.accounts.request import Request
from apps.facts import queries
from apps.facts.actions import Asked
from apps.facts.answers import FactDetail
from apps.facts.forms import ActForm
from apps.facts.presentation.acts import DEEDS, NOT_OURS, Change, changed_value, event_text
from apps.facts.presentation.differences import Word
from apps.facts.queries.plans import Plan
from apps.facts.queries.standing import FactHeldError, HiddenChainError, NotNewestError
from cruxstore.door import Receipt
from cruxstore.errors import (
    ConsolidationMemberError,
    ConsolidationRefusedError,
    CruxError,
    IdempotencyConflictError,
    JournalNotOursError,
    NotFoundError,
    RefusedFactError,
    UndoSourceMismatchError,
    VersionConflictError,
)

UNDO = "undo"
"""Where a session keeps how the person's last act is taken back."""

_REFUSALS = (
    ConsolidationMemberError,
    ConsolidationRefusedError,
    FactHeldError,
    HiddenChainError,
    JournalNotOursError,
    NotNewestError,
    RefusedFactError,
)
_NOT_AS_IT_SHOULD_BE = (RefusedFactError, ConsolidationRefusedError, HiddenChainError)
_FINAL = (ConsolidationMemberError, FactHeldError, JournalNotOursError, NotNewestError, UndoSourceMismatchError)
_FIELDS = {
    "chain_hidden": "entity",
    "confidence_out_of_range": "confidence",
    "private_without_owner": "entity",
    "reserved_entity_prefix": "entity",
    "text_not_storable": "value",
    "validity_reversed": "valid_to",
}


@dataclass(frozen=True)
class Done:
    """An act that was done: the fact to look at, the words of the toast, and what takes it back, if anything does."""

    fact_id: str
    words: str
    undo_view: str = ""
    undo_fields: Mapping[str, str] | None = None


@dataclass(frozen=True)
class ActPage:
    """One page: its form, how what it asks is planned and done, and how that is told afterwards.

    `is_ready` where the form as first shown can be planned; `is_event_alone` where no line is written.
    """

    template: str
    form: ActForm
    plan: Callable[[], Plan]
    do: Callable[[Asked], Receipt]
    tell: Callable[[Receipt], Done]
    context: Mapping[str, object]
    is_ready: bool = True
    is_event_alone: bool = False


@require_POST
def dismiss(request: Request, fact_id: str) -> HttpResponse:
    """Takes the toast of the last act away."""
    request.session.pop(UNDO, None)
    return redirect("facts:fact", request.tenant.slug, fact_id)


def toast_of(request: Request, fact_id: str) -> Mapping[str, object] | None:
    """What the person did last, if that was to this fact; it stays until the next act or until dismissed."""
    done: dict[str, object] = request.session.get(UNDO, {})
    if done.get("fact_id") != fact_id:
        return None
    address = reverse(f"facts:{done['view']}", args=(request.tenant.slug, fact_id)) if done["view"] else ""
    return {**done, "address": address}


def answer_act(request: Request, page: ActPage) -> HttpResponse:
    """The page as asked for; what was done leads to the fact, what was refused stays with what was typed."""
    form = page.form
    state = _ShownState(token=str(form["token"].value() or secrets.token_hex(16)))
    is_look = "look" in request.POST
    if form.is_bound and not form.is_valid():
        state.status = 200 if is_look else 422
    elif form.is_bound and not is_look:
        receipt = _try(request, page, state)
        if receipt is not None:
            return _done(request, page, receipt)
    _look_ahead(request, page, state)
    plan, is_final = state.plan, isinstance(state.refusal, _FINAL) and not form.errors
    context = {
        **page.context,
        "form": form,
        "plan": plan,
        "event": event_text(plan, request.principal, request.tenant.name) if plan else "",
        "differs": _difference(form, plan) if plan else None,
        "expected": _expected(page, state),
        "token": state.token,
        "change": state.change,
        "refusal": state.refusal,
        "has_fields": len(form.fields) > len(ActForm.base_fields),
        "is_final": is_final,
        "is_told": state.refusal is not None and (is_final or state.status != 200),
    }
    return render(request, page.template, context, status=state.status)


@dataclass
class _ShownState:
    """What a page has to show beside its form."""

    token: str
    status: int = 200
    plan: Plan | None = None
    change: Change | None = None
    refusal: CruxError | None = None


def _try(request: Request, page: ActPage, state: _ShownState) -> Receipt | None:
    """Does the act; None where it was refused, with why in `state`."""
    form = page.form
    asked = Asked(
        principal=request.principal,
        expected=form.cleaned_data["expected"],
        act=f"{request.principal.principal_id}:{form.cleaned_data['token']}",
    )
    try:
        return page.do(asked)
    except VersionConflictError as error:
        state.status, state.change = 409, _change(request, error, asked.expected)
    except IdempotencyConflictError:
        state.status, state.token = 409, secrets.token_hex(16)
        state.refusal = IdempotencyConflictError("This form was sent before and did something else. Look at the fact.")
    except _REFUSALS as error:
        field = _FIELDS.get(error.code)
        if field in form.fields:
            form.add_error(field, str(error))
        state.status = 422 if isinstance(error, _NOT_AS_IT_SHOULD_BE) else 409
        state.refusal = error
    return None


def _look_ahead(request: Request, page: ActPage, state: _ShownState) -> None:
    """Plans what is in the form, where it is whole and nothing was refused."""
    form = page.form
    if not (request.store.is_owner or page.is_event_alone):
        state.refusal = state.refusal or JournalNotOursError(NOT_OURS)
    if state.refusal is None and (form.is_valid() if form.is_bound else page.is_ready):
        try:
            state.plan = page.plan()
        except _REFUSALS as error:
            state.refusal = error


def _done(request: Request, page: ActPage, receipt: Receipt) -> HttpResponse:
    done = page.tell(receipt)
    words = f"{done.words}, event {receipt.event.seq:,}"
    token = receipt.event.event_id.removeprefix("e_")
    if request.session.get(UNDO, {}).get("token") != token:
        request.session[UNDO] = {
            "fact_id": done.fact_id,
            "words": words,
            "token": token,
            "view": done.undo_view,
            "fields": dict(done.undo_fields or {}),
        }
    messages.success(request, words)
    return redirect("facts:fact", request.tenant.slug, done.fact_id)


def _difference(form: ActForm, plan: Plan) -> tuple[Word, ...] | None:
    """How the value in the form differs from the one that it follows."""
    values = form.cleaned_data if form.is_bound else form.initial
    return changed_value(plan.before, values["value"]) if "value" in values else None


def _expected(page: ActPage, state: _ShownState) -> str:
    """The version that the next sending goes by: what the person has seen, or else what stands now.

    Where the fact itself is still being named, what stands under that name is shown, and so seen.
    """
    seen = str(page.form["expected"].value() or "")
    if state.plan is None or (seen and page.is_ready and state.change is None):
        return seen
    return state.plan.revision


def _change(request: Request, error: VersionConflictError, seen: str) -> Change:
    """What stands now, who made it so, and how it differs from what the person had seen."""
    now_ns = time.time_ns()
    names = names_of({error.actor_id}) if error.actor_kind == "person" else {}
    detail = _detail(request, error.current.rpartition("-")[0], now_ns)
    if detail is not None and detail.row.superseded_by:
        detail = _detail(request, detail.row.superseded_by, now_ns) or detail
    before = _detail(request, seen.rpartition("-")[0], now_ns)
    return Change(
        who=names.get(error.actor_id, error.actor_id),
        deed=DEEDS.get(error.action, error.action),
        at=datetime.fromisoformat(error.at) if error.at else None,
        row=detail.row if detail is not None else None,
        words=changed_value(before.row, detail.value) if before is not None and detail is not None else None,
        is_first_sight=not seen,
    )


def _detail(request: Request, fact_id: str, now_ns: int) -> FactDetail | None:
    try:
        return queries.get_fact(request.scope, fact_id, store=request.store, now_ns=now_ns) if fact_id else None
    except NotFoundError:
        return None
