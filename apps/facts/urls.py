"""The addresses inside a tenant; the middleware takes the tenant out of them."""

import re

from django.urls import path, register_converter

from apps.facts.views import act_page, acts, belief, entities, facts, imports, ledger, proof, saved, store


class IdConverter:
    """Our own ids as they are; a foreign one, which may be any text, as ~ and its bytes in hex."""

    regex = r"[fi]_[A-Za-z0-9_-]+|~[0-9a-f]*"

    def to_python(self, value: str) -> str:
        """The id that stands behind a part of an address."""
        return bytes.fromhex(value[1:]).decode() if value.startswith("~") else value

    def to_url(self, value: str) -> str:
        """The part of an address that stands for an id."""
        if re.fullmatch(r"[fi]_[A-Za-z0-9_-]+", value):
            return value
        return f"~{value.encode('utf-8', 'surrogatepass').hex()}"


register_converter(IdConverter, "id")

app_name = "facts"
urlpatterns = [
    path("", store.overview, name="overview"),
    path("facts/", facts.fact_list, name="list"),
    path("facts/state/", acts.state, name="state"),
    path("facts/export/", facts.export, name="export"),
    path("facts/views/", saved.views, name="views"),
    path("facts/views/<int:number>/forget/", saved.forget_view, name="forget_view"),
    path("facts/<id:fact_id>/", facts.fact, name="fact"),
    path("facts/<id:fact_id>/preview/", facts.preview, name="preview"),
    path("facts/<id:fact_id>/value/", facts.value, name="value"),
    path("facts/<id:fact_id>/lines/<int:line_no>/", facts.line, name="line"),
    path("facts/<id:fact_id>/correct/", acts.correct, name="fact_correct"),
    path("facts/<id:fact_id>/delete/", acts.delete, name="fact_delete"),
    path("facts/<id:fact_id>/validity/", acts.validity, name="fact_validity"),
    path("facts/<id:fact_id>/horizon/", acts.horizon, name="fact_horizon"),
    path("facts/<id:fact_id>/verify/", acts.verify, name="fact_verify"),
    path("facts/<id:fact_id>/consolidate/", acts.consolidate, name="fact_consolidate"),
    path("facts/<id:fact_id>/undo-consolidation/", acts.unmerge, name="fact_unmerge"),
    path("facts/<id:fact_id>/dismiss/", act_page.dismiss, name="fact_dismiss"),
    path("entities/", entities.entities, name="entities"),
    path("entity/", entities.entity, name="entity"),
    path("entity/belief/", belief.belief, name="belief"),
    path("entity/belief/table/", belief.belief_table, name="belief_table"),
    path("entity/compare/", belief.compare, name="compare"),
    path("imports/", imports.imports, name="imports"),
    path("imports/new/", imports.import_new, name="import_new"),
    path("imports/uploads/<slug:digest>/", imports.import_preview, name="import_preview"),
    path("imports/<id:import_id>/", imports.import_page, name="import"),
    path("imports/<id:import_id>/take-back/", imports.import_take_back, name="import_take_back"),
    path("counts/", store.counts, name="counts"),
    path("ledger/", ledger.ledger, name="ledger"),
    path("ledger/bundle/", proof.tenant_bundle, name="bundle"),
    path("decisions/", ledger.decisions, name="decisions"),
]
