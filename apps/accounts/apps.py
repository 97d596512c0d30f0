"""How Django finds this app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, their sign-ins, roles and tenants."""

    name = "apps.accounts"
    label = "accounts"
