"""The addresses inside a tenant; the middleware takes the tenant out of them."""

import re

from django.urls import path, register_converter

from apps.facts import views


class FactIdConverter:
    """Our own fact ids as they are; a foreign one, which may be any text, as ~ and its bytes in hex."""

    regex = r"[A-Za-z0-9_-]+|~[0-9a-f]*"

    def to_python(self, value: str) -> str:
        """The id that stands behind a part of an address."""
        return bytes.fromhex(value[1:]).decode() if value.startswith("~") else value

    def to_url(self, value: str) -> str:
        """The part of an address that stands for an id."""
        if re.fullmatch(r"f_[A-Za-z0-9_-]+", value):
            return value
        return f"~{value.encode('utf-8', 'surrogatepass').hex()}"


register_converter(FactIdConverter, "fact")

app_name = "facts"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("facts/", views.fact_list, name="list"),
    path("facts/export/", views.export, name="export"),
    path("facts/views/", views.views, name="views"),
    path("facts/views/<int:number>/forget/", views.forget_view, name="forget_view"),
    path("facts/<fact:fact_id>/", views.fact, name="fact"),
    path("facts/<fact:fact_id>/preview/", views.preview, name="preview"),
    path("facts/<fact:fact_id>/value/", views.value, name="value"),
    path("facts/<fact:fact_id>/lines/<int:line_no>/", views.line, name="line"),
    path("entities/", views.entities, name="entities"),
    path("entity/", views.entity, name="entity"),
    path("counts/", views.counts, name="counts"),
]
