"""The addresses of the site."""

from allauth.account import views as account
from django.conf import settings as django_settings
from django.urls import include, path

from apps.accounts.views import links, settings, tokens
from cruxweb import notice_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.figures, name="metrics"),
    path("sign-in/", account.login, name="account_login"),
    path("sign-out/", account.logout, name="account_logout"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("set-up/<str:token>/", settings.set_up, name="set_up"),
    path("join/", links.join, name="join"),
    path("settings/", settings.settings, name="settings"),
    path("settings/theme/", settings.theme, name="theme"),
    path("settings/password/", account.password_change, name="account_change_password"),
    path("settings/confirm/", account.reauthenticate, name="account_reauthenticate"),
    path("settings/tokens/", tokens.personal, name="tokens"),
    path("settings/tokens/code/", tokens.code, name="token_code"),
    path("settings/tokens/<slug:token_id>/revoke/", tokens.revoke_personal, name="token_revoke"),
    path("settings/sign-in/", include("allauth.mfa.urls")),
    path("settings/sessions/", include("allauth.usersessions.urls")),
    path("notices/<int:number>/seen/", notice_views.seen, name="notice_seen"),
    path("help/", include("cruxweb.help_urls")),
    path("store/", include("apps.facts.store_urls")),
    path("t/<slug:tenant>/jobs/", include("cruxweb.job_urls")),
    path("t/<slug:tenant>/", include("apps.facts.urls")),
    path("t/<slug:tenant>/", include("apps.review.urls")),
    path("t/<slug:tenant>/people/", include("apps.accounts.urls")),
    path("t/<slug:tenant>/tokens/", tokens.agents, name="agent_tokens"),
    path("t/<slug:tenant>/tokens/<slug:token_id>/revoke/", tokens.revoke_agent, name="agent_token_revoke"),
]
if django_settings.IDENTITY_PROVIDER is not None:
    urlpatterns += [
        path("sign-in/elsewhere/", include("allauth.socialaccount.providers.openid_connect.urls")),
        path("settings/elsewhere/", include("allauth.socialaccount.urls")),
    ]
handler400 = "cruxweb.views.bad_request"
handler403 = "cruxweb.views.not_permitted"
handler404 = "cruxweb.views.not_found"
handler500 = "cruxweb.views.failed"
