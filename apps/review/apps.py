"""How Django finds this app."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """The curator's desk: what scans found, for people to decide on."""

    name = "apps.review"
    label = "review"
