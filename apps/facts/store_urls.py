"""The addresses about the whole store."""

from django.urls import path

from apps.facts.views import compacting, store

urlpatterns = [
    path("", store.store, name="store"),
    path("compact/", compacting.compact, name="compact"),
]
