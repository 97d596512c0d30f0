"""How Django finds this app."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Long work: one row a run."""

    name = "apps.jobs"
    label = "jobs"
