"""The list of facts, one fact, and what can be taken away of them."""

import re
import time
from typing import Literal

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from apps.accounts.queries import names_of
from apps.accounts.request import Request
from apps.accounts.rules import Right, require
from apps.facts import queries
from apps.facts.answers import FactDetail
from apps.facts.forms import BadAddressError, read_filter, read_page
from apps.facts.presentation.acts import Offer, offers, reasons
from apps.facts.presentation.address import chips_of, folded, order_words, page_words, query_of, sort_links
from apps.facts.presentation.clocks import clock_bar, list_clocks
from apps.facts.presentation.drawings import utc_datetime
from apps.facts.presentation.fact import (
    fact_validity,
    shown_holds,
    shown_reckoning,
    shown_record,
    shown_value,
    shown_versions,
)
from apps.facts.presentation.text import part_of
from apps.facts.queries.fact import read_line
from apps.facts.queries.saved import saved_views
from apps.facts.queries.standing import standing_of
from apps.facts.views.act_page import toast_of
from apps.facts.views.caught_up import caught_up
from apps.facts.views.clocks import clocks_in, two_clocks
from apps.facts.views.rights import rights_of
from cruxstore.errors import NotFoundError

FILE_NAME_CHARS = 80


@require_safe
@vary_on_headers("HX-Request")
@two_clocks
@caught_up
def fact_list(request: Request) -> HttpResponse:
    """The list: the whole page, or what stands in it where a filter was changed."""
    chosen = read_filter(request.GET)
    page = queries.find_facts(request.scope, chosen, store=request.store, now_ns=time.time_ns())
    is_fragment = request.htmx and not request.htmx.history_restore_request
    context = {
        "page": page,
        "bar": list_clocks(chosen, page, timezone.get_current_timezone()),
        "filter": chosen,
        "query": query_of(chosen),
        "older_query": query_of(chosen, after=page.older or ""),
        "newer_query": query_of(chosen, before=page.newer or ""),
        "chips": chips_of(chosen),
        "facets": folded(page.facets),
        "sorts": sort_links(chosen),
        "order_words": order_words(chosen),
        "pager_words": page_words(chosen),
        "views": saved_views(request.scope),
        **rights_of(request),
    }
    return render(request, "facts/list.html#page" if is_fragment else "facts/list.html", context)


@require_safe
@two_clocks
@caught_up
def preview(request: Request, fact_id: str) -> HttpResponse:
    """What is docked under the list for the row in focus."""
    known, about = clocks_in(request)
    detail = queries.get_fact(
        request.scope, fact_id, store=request.store, now_ns=time.time_ns(), known=known, about=about
    )
    return render(request, "facts/_preview.html", {"row": detail.row})


@require_safe
@two_clocks
@caught_up
def fact(request: Request, fact_id: str) -> HttpResponse:
    """One fact with everything that is known about it, or was at another moment."""
    zone = timezone.get_current_timezone()
    known, about = clocks_in(request)
    detail = queries.get_fact(
        request.scope, fact_id, store=request.store, now_ns=time.time_ns(), known=known, about=about
    )
    now_ns = detail.clocks.now_ns
    names = names_of({event.actor_id for event in detail.events if event.actor_kind == "person"})
    offered = _offers(request, detail)
    context = {
        "detail": detail,
        "row": detail.row,
        "bar": clock_bar(known, about, detail.clocks, detail.steps, (), zone),
        "record": shown_record(detail),
        "value": shown_value(detail),
        "holds": shown_holds(detail.holds),
        "versions": shown_versions(detail.versions),
        "reckoning": shown_reckoning(detail, now_ns, zone),
        "validity": fact_validity(detail, now_ns, zone),
        "events": [(event, names.get(event.actor_id, event.actor_id)) for event in detail.events],
        "now": utc_datetime(now_ns),
        "offers": offered,
        "reasons": reasons(offered),
        "toast": toast_of(request, fact_id),
    }
    return render(request, "facts/fact.html", context)


@require_safe
@caught_up
def value(request: Request, fact_id: str) -> HttpResponse:
    """A long value part by part, or whole as a text file."""
    detail = queries.get_fact(request.scope, fact_id, store=request.store, now_ns=time.time_ns())
    if detail.fact is None:
        raise NotFoundError("The value of this fact is not yours to see.")
    whole = detail.fact.value
    if request.GET.get("form") == "text":
        return _download(whole.encode("utf-8", "surrogatepass"), f"{fact_id}.txt", "text/plain; charset=utf-8")
    number = read_page(request.GET)
    text, parts = part_of(whole, number)
    context = {"detail": detail, "row": detail.row, "text": text, "number": min(number, parts), "parts": parts}
    return render(request, "facts/value.html", context)


@require_safe
@caught_up
def line(request: Request, fact_id: str, line_no: int) -> HttpResponse:
    """The exact bytes of what one journal line says about this fact."""
    data = read_line(request.scope, fact_id, line_no, store=request.store)
    return _download(data, f"{fact_id}-line-{line_no}.json", "application/octet-stream")


@require_safe
@caught_up
def export(request: Request) -> StreamingHttpResponse:
    """The current filter as a file."""
    require(request.principal, Right.EXPORT, request.tenant.name)
    form = request.GET.get("form", "csv")
    if form not in {"csv", "jsonl"}:
        raise BadAddressError(f"There is no export as {form}. There are csv and jsonl.")
    known: Literal["csv", "jsonl"] = "csv" if form == "csv" else "jsonl"
    chunks = queries.export_facts(
        request.scope, read_filter(request.GET), form=known, store=request.store, now_ns=time.time_ns()
    )
    kind = "text/csv; charset=utf-8" if known == "csv" else "application/x-ndjson"
    answer = StreamingHttpResponse(chunks, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="facts-{request.tenant.slug}.{known}"'
    return answer


def _offers(request: Request, detail: FactDetail) -> tuple[Offer, ...]:
    if detail.fact is None:
        return ()
    standing = standing_of(request.scope, detail.row.fact_id, store=request.store)
    return offers(
        detail.row,
        standing,
        detail.holds,
        principal=request.principal,
        tenant=request.tenant.name,
        is_owner=request.store.is_owner,
    )


def _download(data: bytes, name: str, kind: str) -> HttpResponse:
    answer = HttpResponse(data, content_type=kind)
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", name[-FILE_NAME_CHARS:])
    answer["Content-Disposition"] = f'attachment; filename="{plain}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
