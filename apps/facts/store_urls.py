"""The addresses about the whole store."""

from django.urls import path

from apps.facts.views import compacting, proof, store

urlpatterns = [
    path("", store.store, name="store"),
    path("rebuild/", store.rebuild, name="rebuild"),
    path("compact/", compacting.compact, name="compact"),
    path("proof/", proof.proof, name="proof"),
    path("proof/verify/", proof.verify, name="verify"),
    path("proof/verify/cancel/", proof.cancel_verification, name="cancel_verification"),
    path("proof/checkpoint/", proof.checkpoint, name="checkpoint"),
    path("proof/checkpoints/<slug:day>/", proof.kept_checkpoint, name="kept_checkpoint"),
    path("proof/bundle/", proof.bundle, name="bundle"),
]
