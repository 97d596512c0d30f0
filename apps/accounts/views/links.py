"""The page that a one-time link opens, for whoever has it in their hands."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from apps.accounts import actions
from apps.accounts.forms import JoinForm, NewPasswordForm
from apps.accounts.request import Request
from cruxstore.errors import CruxError, NotFoundError


@login_not_required
@never_cache
@sensitive_post_parameters("key", "password")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: Request) -> HttpResponse:
    """Choosing how to sign in, or a new password; the key stands in the query, which no log keeps."""
    now = timezone.now()
    key = request.POST.get("key", "") or request.GET.get("key", "")
    link = actions.read_link(key, now=now)
    form = (NewPasswordForm if link.is_reset else JoinForm)(request.POST or None)
    if request.method == "POST" and form.is_valid():
        username = form.cleaned_data.get("username", "")
        try:
            actions.use_link(request.store, key, username=username, password=form.cleaned_data["password"], now=now)
        except NotFoundError:
            raise
        except CruxError as error:
            form.add_error("username" if error.code == "username" else "password", str(error))
        else:
            messages.success(request, "You can sign in now")
            return redirect("account_login")
    context = {"form": form, "link": link, "key": key}
    return render(request, "account/join.html", context, status=422 if form.errors else 200)
