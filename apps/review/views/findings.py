"""What the scans found, side by side."""

import time

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.accounts.request import Request
from apps.accounts.rules import Right, can
from apps.facts.presentation.differences import Word, word_difference
from apps.facts.views.caught_up import caught_up
from apps.review.queries.findings import FindingRow, find_findings
from apps.review.rules import Kind
from apps.review.words import KIND_WORDS, reason_of


@require_safe
@caught_up
def findings(request: Request) -> HttpResponse:
    """Contradictions, duplicates and the like, newest first; a scan only finds, whoever looks decides."""
    page = find_findings(
        request.scope, store=request.store, now_ns=time.time_ns(), kind=_kind(request), before=_before(request)
    )
    context = {
        "page": page,
        "rows": [(row, KIND_WORDS[row.kind], reason_of(row), _differences(row)) for row in page.rows],
        "kinds": [(kind, KIND_WORDS[kind], number) for kind, number in page.counts],
        "paired": sum(number for kind, number in page.counts if kind != Kind.EXPIRY),
        "may_delete": can(request.principal, Right.DELETE, request.tenant.name),
        "may_merge": can(request.principal, Right.CONSOLIDATE, request.tenant.name),
        "may_change": can(request.principal, Right.CHANGE, request.tenant.name),
    }
    return render(request, "review/findings.html", context)


def _differences(row: FindingRow) -> tuple[Word, ...] | None:
    """The newer value with what differs from the older one, where both are whole."""
    if row.second is None or row.first.is_cut or row.second.is_cut:
        return None
    return word_difference(row.first.value_excerpt, row.second.value_excerpt)


def _kind(request: Request) -> Kind | None:
    asked = request.GET.get("kind", "")
    return Kind(asked) if asked in set(Kind) else None


def _before(request: Request) -> int | None:
    text = request.GET.get("before", "")
    return int(text) if text.isdecimal() and len(text) < 19 else None
