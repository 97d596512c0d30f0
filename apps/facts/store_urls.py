"""The addresses about the whole store."""

from django.urls import path

from apps.facts.views import compacting, proof, store

urlpatterns = [
    path("", store.store, name="store"),
    path("rebuild/", store.rebuild, name="rebuild"),
    path("compact/", compacting.compact, name="compact"),
    path("proof/", proof.proof, name="proof"),
    path("proof/checkpoint/", proof.checkpoint, name="checkpoint"),
    path("proof/bundle/", proof.bundle, name="bundle"),
]
