"""The manual, for everyone; signing in is not needed to read what a fact is."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cruxweb.help import STORE_LINE, TITLES, manual_page


@login_not_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The pages of the manual."""
    return render(request, "help/index.html", {"titles": TITLES})


@login_not_required
@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """One page of the manual; the page about facts also draws a line."""
    pieces = STORE_LINE if name == "what-is-a-fact" else ()
    context = {"manual": manual_page(name), "titles": TITLES, "pieces": pieces}
    return render(request, "help/page.html", context)
