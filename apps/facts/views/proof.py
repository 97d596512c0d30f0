"""What proves the ledger, for operators: a checkpoint to keep elsewhere, a check of all files, a bundle."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.request import Request
from apps.accounts.rules import STORE, Right, require
from apps.facts.forms import BundleForm
from apps.facts.queries import proof as queries
from apps.facts.views.caught_up import caught_up
from cruxstore.errors import BundleError, NotFoundError
from cruxstore.verification import Verification


@require_http_methods(["GET", "HEAD", "POST"])
def proof(request: Request) -> HttpResponse:
    """The ledger's head and checkpoint; a POST checks all files and says what came of it."""
    require(request.principal, Right.OPERATE, STORE)
    found = queries.verify_store(request.store) if request.method == "POST" else None
    return _show(request, BundleForm(), found)


@require_safe
def checkpoint(request: Request) -> HttpResponse:
    """The newest signed checkpoint as a file, in the form of C2SP."""
    require(request.principal, Right.OPERATE, STORE)
    newest = queries.signed_checkpoint(request.store)
    if newest is None or newest.note is None:
        raise NotFoundError("Nobody has signed a checkpoint yet.")
    return _download(newest.note.encode(), f"checkpoint-{newest.events}.txt", "text/plain; charset=utf-8")


@require_safe
@caught_up
def bundle(request: Request) -> HttpResponse:
    """The asked events with their proofs as a file."""
    require(request.principal, Right.OPERATE, STORE)
    form = BundleForm(request.GET)
    if not form.is_valid():
        return _show(request, form, status=422)
    try:
        first, last = _range(form)
        content = queries.export_bundle(request.store, first, last)
    except BundleError as error:
        form.add_error(None, str(error))
        return _show(request, form, status=422)
    return _download(content, f"ledger-{first}-{last}.json", "application/json")


def _range(form: BundleForm) -> tuple[int, int]:
    asked = form.cleaned_data
    if asked["first"] is not None:
        return asked["first"], asked["last"] or asked["first"]
    found = queries.find_range(asked["since"], asked["until"])
    if found is None:
        raise BundleError("Nothing was decided in this time.")
    return found


def _show(request: Request, form: BundleForm, found: Verification | None = None, status: int = 200) -> HttpResponse:
    context = {
        "head": queries.ledger_head(request.store),
        "form": form,
        "found": found,
        "most_events": queries.MOST_EVENTS,
    }
    return render(request, "facts/proof.html", context, status=status)


def _download(content: bytes, name: str, kind: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
