"""The addresses about the whole store."""

from django.urls import path

from apps.facts.views import store

urlpatterns = [
    path("", store.store, name="store"),
]
