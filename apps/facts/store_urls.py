"""The addresses about the whole store."""

from django.urls import path

from apps.facts.views import compacting, proof, store, tenants

urlpatterns = [
    path("", store.store, name="store"),
    path("rebuild/", store.rebuild, name="rebuild"),
    path("tenants/", tenants.tenants, name="tenants"),
    path("tenants/new/", tenants.tenant_new, name="tenant_new"),
    path("tenants/adopt/", tenants.tenant_adopt, name="tenant_adopt"),
    path("tenants/<int:number>/", tenants.tenant, name="tenant"),
    path("tenants/<int:number>/rename/", tenants.tenant_rename, name="tenant_rename"),
    path("tenants/<int:number>/retire/", tenants.tenant_retire, name="tenant_retire"),
    path("tenants/<int:number>/reinstate/", tenants.tenant_reinstate, name="tenant_reinstate"),
    path("compact/", compacting.compact, name="compact"),
    path("proof/", proof.proof, name="proof"),
    path("proof/verify/", proof.verify, name="verify"),
    path("proof/verify/cancel/", proof.cancel_verification, name="cancel_verification"),
    path("proof/checkpoint/", proof.checkpoint, name="checkpoint"),
    path("proof/checkpoints/<slug:day>/", proof.kept_checkpoint, name="kept_checkpoint"),
    path("proof/bundle/", proof.bundle, name="bundle"),
]
