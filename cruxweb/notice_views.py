"""A person's notices as acts; the pages that show them are those of a tenant and of the store."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from apps.accounts.request import Request
from apps.jobs.notices import see_notice


@require_POST
def seen(request: Request, number: int) -> HttpResponse:
    """Takes one out of the inbox, and goes back to where that was."""
    see_notice(request.principal.principal_id, number)
    return redirect("store" if request.POST.get("from") == "store" else "home")
