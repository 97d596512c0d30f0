"""Acting on facts: what each page asks, plans, does and says afterwards."""

import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from apps.accounts.request import Request
from apps.accounts.rules import Right, require
from apps.facts import actions, queries
from apps.facts.answers import FactDetail
from apps.facts.forms import ActForm, ClaimForm, DeleteForm, HorizonForm, MergeForm, StatementForm, ValidityForm
from apps.facts.presentation.drawings import utc_datetime
from apps.facts.queries import plans
from apps.facts.queries.standing import standing_of
from apps.facts.views.act_page import ActPage, Done, answer_act
from apps.facts.views.caught_up import caught_up
from cruxstore.door import NewFact, Receipt
from cruxstore.errors import NotFoundError
from cruxstore.facts.consolidation import ConsolidationRequest
from cruxstore.facts.floats import f32_text
from cruxstore.facts.privacy import owner_of
from cruxstore.facts.records import Fact, Horizon, Timestamp
from cruxstore.facts.state import event_change, line_change


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def state(request: Request) -> HttpResponse:
    """States a fact of any entity and key."""
    require(request.principal, Right.STATE, request.tenant.name)
    now_ns = time.time_ns()
    named = {name: request.GET.get(name, "") for name in ("entity", "key")}
    form = StatementForm(_sent(request), now_ns=now_ns, initial={"confidence": "1.0", **named})

    def new() -> NewFact:
        return _claim(request, form, entity=form.cleaned_data["entity"], key=form.cleaned_data["key"])

    def do(asked: actions.Asked) -> Receipt:
        return actions.state_fact(request.store, request.scope, new(), asked=asked)

    page = ActPage(
        template="facts/act_state.html",
        form=form,
        plan=lambda: plans.plan_statement(request.scope, new(), store=request.store, now_ns=now_ns),
        do=do,
        tell=lambda receipt: _stated(request, receipt, "Stated the fact"),
        context=named,
        is_ready=False,
    )
    return answer_act(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def correct(request: Request, fact_id: str) -> HttpResponse:
    """States a new version of a fact."""
    require(request.principal, Right.STATE, request.tenant.name)
    now_ns = time.time_ns()
    detail, fact = _readable(request, fact_id, now_ns)
    initial = {
        "value": fact.value,
        "confidence": f32_text(fact.confidence),
        "horizon": detail.row.horizon,
        "valid_from": _spelled(fact.valid_from),
        "valid_to": _spelled(fact.valid_to),
    }
    form = ClaimForm(_sent(request), now_ns=now_ns, initial=initial)

    def new() -> NewFact:
        if not form.is_bound:
            return _as_it_is(request, fact, Horizon(detail.row.horizon))
        return _claim(request, form, entity=fact.entity, key=fact.key)

    def do(asked: actions.Asked) -> Receipt:
        return actions.correct_fact(request.store, request.scope, fact_id, new(), asked=asked)

    page = ActPage(
        template="facts/act_correct.html",
        form=form,
        plan=lambda: plans.plan_statement(
            request.scope, new(), store=request.store, now_ns=now_ns, corrected=None if form.is_bound else fact_id
        ),
        do=do,
        tell=lambda receipt: _stated(request, receipt, f"Corrected version {detail.row.version}"),
        context={"detail": detail, "row": detail.row},
    )
    return answer_act(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def delete(request: Request, fact_id: str) -> HttpResponse:
    """Deletes a fact that no hold covers."""
    require(request.principal, Right.DELETE, request.tenant.name)
    now_ns = time.time_ns()
    detail, _ = _readable(request, fact_id, now_ns)
    form = DeleteForm(_sent(request), now_ns=now_ns)

    def restores() -> bool:
        return form.is_bound and bool(form.cleaned_data["restores"])

    page = ActPage(
        template="facts/act_delete.html",
        form=form,
        plan=lambda: plans.plan_deletion(
            request.scope, fact_id, restores_replaced=restores(), store=request.store, now_ns=now_ns
        ),
        do=lambda asked: actions.delete_fact(
            request.store, request.scope, fact_id, restores_replaced=restores(), asked=asked
        ),
        tell=lambda receipt: Done(fact_id, f"Deleted version {detail.row.version}"),
        context={"detail": detail, "row": detail.row},
    )
    return answer_act(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def validity(request: Request, fact_id: str) -> HttpResponse:
    """Says from when to when a fact holds."""
    require(request.principal, Right.CHANGE, request.tenant.name)
    now_ns = time.time_ns()
    detail, fact = _readable(request, fact_id, now_ns)
    before = {"valid_from": _spelled(fact.valid_from), "valid_to": _spelled(fact.valid_to)}
    form = ValidityForm(_sent(request), now_ns=now_ns, initial=before)

    def bounds() -> dict[str, Timestamp | None]:
        if not form.is_bound:
            return {"valid_from": fact.valid_from, "valid_to": fact.valid_to}
        return {name: form.cleaned_data[name] for name in before}

    page = ActPage(
        template="facts/act_validity.html",
        form=form,
        plan=lambda: plans.plan_validity(request.scope, fact_id, store=request.store, now_ns=now_ns, **bounds()),
        do=lambda asked: actions.set_validity(request.store, request.scope, fact_id, asked=asked, **bounds()),
        tell=lambda receipt: Done(
            fact_id, "Set the validity", "fact_validity", {**before, "expected": _line_revision(fact_id, receipt)}
        ),
        context={"detail": detail, "row": detail.row, "bounds": lambda: _shown_bounds(bounds())},
    )
    return answer_act(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def horizon(request: Request, fact_id: str) -> HttpResponse:
    """Says how fast a fact ages."""
    require(request.principal, Right.CHANGE, request.tenant.name)
    now_ns = time.time_ns()
    detail, _ = _readable(request, fact_id, now_ns)
    before = detail.row.horizon
    form = HorizonForm(_sent(request), now_ns=now_ns, initial={"horizon": before})

    def chosen() -> Horizon:
        return Horizon(form.cleaned_data["horizon"] if form.is_bound else before)

    page = ActPage(
        template="facts/act_horizon.html",
        form=form,
        plan=lambda: plans.plan_horizon(request.scope, fact_id, chosen(), store=request.store),
        do=lambda asked: actions.set_horizon(request.store, request.scope, fact_id, chosen(), asked=asked),
        tell=lambda receipt: Done(
            fact_id,
            f"Set the horizon to {chosen()}",
            "fact_horizon",
            {"horizon": before, "expected": _event_revision(fact_id, receipt)},
        ),
        context={"detail": detail, "row": detail.row, "chosen": chosen},
        is_event_alone=True,
    )
    return answer_act(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def verify(request: Request, fact_id: str) -> HttpResponse:
    """Says that a fact was looked at and still holds."""
    require(request.principal, Right.CHANGE, request.tenant.name)
    now_ns = time.time_ns()
    detail, _ = _readable(request, fact_id, now_ns)
    page = ActPage(
        template="facts/act_verify.html",
        form=ActForm(_sent(request), now_ns=now_ns),
        plan=lambda: plans.plan_verification(request.scope, fact_id, store=request.store),
        do=lambda asked: actions.verify_again(request.store, request.scope, fact_id, asked=asked),
        tell=lambda receipt: Done(fact_id, "Verified again"),
        context={"detail": detail, "row": detail.row},
        is_event_alone=True,
    )
    return answer_act(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def consolidate(request: Request, fact_id: str) -> HttpResponse:
    """Merges the current facts of one entity and key into one."""
    require(request.principal, Right.CONSOLIDATE, request.tenant.name)
    now_ns = time.time_ns()
    detail, fact = _readable(request, fact_id, now_ns)
    rivals = standing_of(request.scope, fact_id, store=request.store).rivals
    candidates = [version for version in detail.versions if version.row.fact_id in rivals]
    initial: dict[str, Any] = {
        "targets": list(rivals),
        "value": fact.value,
        "confidence": f32_text(fact.confidence),
        "horizon": detail.row.horizon,
    }
    form = MergeForm(_sent(request), now_ns=now_ns, fact_ids=rivals, initial=initial)

    def asked_for() -> ConsolidationRequest:
        given = form.cleaned_data if form.is_bound else {**initial, "confidence": fact.confidence}
        return ConsolidationRequest(
            consolidation_id=f"c_{form['token'].value()}",
            entity=fact.entity,
            key=fact.key,
            canonical_value=given["value"],
            target_fact_ids=tuple(given["targets"]),
            confidence=given["confidence"],
            actor=request.principal.name,
            horizon_class=Horizon(given["horizon"]) if given["horizon"] else None,
        )

    page = ActPage(
        template="facts/act_consolidate.html",
        form=form,
        plan=lambda: plans.plan_merge(request.scope, asked_for(), store=request.store, now_ns=now_ns),
        do=lambda asked: actions.merge_facts(request.store, request.scope, asked_for(), asked=asked),
        tell=lambda receipt: _merged(receipt, len(asked_for().target_fact_ids)),
        context={"detail": detail, "row": detail.row, "candidates": candidates},
    )
    return answer_act(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@caught_up
def unmerge(request: Request, fact_id: str) -> HttpResponse:
    """Takes a consolidation back."""
    require(request.principal, Right.CONSOLIDATE, request.tenant.name)
    now_ns = time.time_ns()
    detail, _ = _readable(request, fact_id, now_ns)
    page = ActPage(
        template="facts/act_unmerge.html",
        form=ActForm(_sent(request), now_ns=now_ns),
        plan=lambda: plans.plan_merge_undo(request.scope, fact_id, store=request.store, now_ns=now_ns),
        do=lambda asked: actions.undo_merge(request.store, request.scope, fact_id, asked=asked),
        tell=lambda receipt: Done(fact_id, "Undid the consolidation"),
        context={"detail": detail, "row": detail.row},
    )
    return answer_act(request, page)


def _readable(request: Request, fact_id: str, now_ns: int) -> tuple[FactDetail, Fact]:
    detail = queries.get_fact(request.scope, fact_id, store=request.store, now_ns=now_ns)
    if detail.fact is None:
        raise NotFoundError("There is no such fact.")
    return detail, detail.fact


def _sent(request: Request) -> Mapping[str, str] | None:
    return request.POST if request.method == "POST" else None


def _claim(request: Request, form: ClaimForm, *, entity: str, key: str) -> NewFact:
    given = form.cleaned_data
    return NewFact(
        entity=entity,
        key=key,
        value=given["value"],
        confidence=given["confidence"],
        private=owner_of(entity) is not None,
        horizon_class=Horizon(given["horizon"]) if given["horizon"] else None,
        actor=request.principal.name,
        valid_from=given["valid_from"],
        valid_to=given["valid_to"],
    )


def _as_it_is(request: Request, fact: Fact, horizon: Horizon) -> NewFact:
    return NewFact(
        entity=fact.entity,
        key=fact.key,
        value=fact.value,
        confidence=fact.confidence,
        private=owner_of(fact.entity) is not None,
        horizon_class=horizon,
        actor=request.principal.name,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
    )


def _stated(request: Request, receipt: Receipt, words: str) -> Done:
    fact_id = receipt.fact_ids[0]
    detail = queries.get_fact(request.scope, fact_id, store=request.store, now_ns=time.time_ns())
    words = f"{words}: version {detail.row.version}"
    if detail.holds:
        return Done(fact_id, words)
    return Done(fact_id, words, "fact_delete", {"restores": "on", "expected": _line_revision(fact_id, receipt)})


def _merged(receipt: Receipt, count: int) -> Done:
    fact_id = receipt.fact_ids[0]
    return Done(fact_id, f"Consolidated {count} facts", "fact_unmerge", {"expected": _line_revision(fact_id, receipt)})


def _line_revision(fact_id: str, receipt: Receipt) -> str:
    """The version in which an act's first line leaves a fact."""
    journal = receipt.event.journal
    return f"{fact_id}-{line_change(journal.lines + 1, journal.generation)}"


def _event_revision(fact_id: str, receipt: Receipt) -> str:
    """The version in which an act without lines leaves a fact."""
    return f"{fact_id}-{event_change(receipt.event.seq)}"


def _spelled(moment: Timestamp | None) -> str:
    return moment.text if moment is not None else ""


def _shown_bounds(bounds: Mapping[str, Timestamp | None]) -> dict[str, datetime | None]:
    return {name: utc_datetime(moment.ns) if moment is not None else None for name, moment in bounds.items()}
