"""The addresses of the curator's desk, inside a tenant."""

from django.urls import path

from apps.review.views import findings

app_name = "review"
urlpatterns = [
    path("findings/", findings.findings, name="findings"),
]
