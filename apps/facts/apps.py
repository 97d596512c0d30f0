"""How Django finds this app."""

from django.apps import AppConfig


class FactsConfig(AppConfig):
    """The facts index: browsing and stating facts."""

    name = "apps.facts"
    label = "facts"
