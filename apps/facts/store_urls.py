"""The addresses about the whole store."""

from django.urls import path

from apps.facts import views

urlpatterns = [
    path("", views.store, name="store"),
]
