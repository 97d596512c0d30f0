"""A person's own settings, and the first person of a site."""

from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts import actions
from apps.accounts.forms import THEMES, MailedSettingsForm, SettingsForm, SetUpForm
from apps.accounts.models import User
from apps.accounts.request import Request
from apps.accounts.set_up import check_set_up_token
from cruxstore.errors import CruxError


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: Request) -> HttpResponse:
    """Theme, time zone and keys of the person signed in, and mail where the site sends any."""
    user = request.user
    assert isinstance(user, User)  # signed in: LoginRequiredMiddleware
    shape = SettingsForm if site.MAIL_SERVER is None else MailedSettingsForm
    form = shape(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        actions.mail_only_to(form.save())
        messages.success(request, "Settings saved")
        return redirect("settings")
    return render(request, "account/settings.html", {"form": form}, status=422 if form.errors else 200)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: Request, token: str) -> HttpResponse:
    """Makes the first person of an empty site, once, by the link that the start printed."""
    check_set_up_token(token)
    form = SetUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.set_up(request.store, **form.cleaned_data)
        except CruxError as error:
            form.add_error(None, str(error))
        else:
            return redirect("account_login")
    return render(request, "account/set_up.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
def theme(request: Request) -> HttpResponse:
    """The theme alone, chosen from the menu of any page; the others are left as they are."""
    user = request.user
    assert isinstance(user, User)  # signed in: LoginRequiredMiddleware
    chosen = request.POST.get("theme", "")
    if chosen in dict(THEMES):
        User.objects.filter(pk=user.pk).update(theme=chosen)
    return redirect("settings")
