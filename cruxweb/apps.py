"""The site itself, so that its commands are found."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Commands that compose the other apps."""

    name = "cruxweb"
