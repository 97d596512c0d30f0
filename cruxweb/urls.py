"""The addresses of the site."""

from allauth.account import views as account
from django.urls import include, path

from apps.accounts import views as people
from cruxweb import views

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", views.healthz, name="healthz"),
    path("sign-in/", account.login, name="account_login"),
    path("sign-out/", account.logout, name="account_logout"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("set-up/<str:token>/", people.set_up, name="set_up"),
    path("settings/", people.settings, name="settings"),
    path("settings/theme/", people.theme, name="theme"),
    path("help/", include("cruxweb.help_urls")),
    path("store/", include("apps.facts.store_urls")),
    path("t/<slug:tenant>/jobs/", include("cruxweb.job_urls")),
    path("t/<slug:tenant>/", include("apps.facts.urls")),
    path("t/<slug:tenant>/people/", people.people, name="people"),
]
handler400 = "cruxweb.views.bad_request"
handler403 = "cruxweb.views.not_permitted"
handler404 = "cruxweb.views.not_found"
handler500 = "cruxweb.views.failed"
