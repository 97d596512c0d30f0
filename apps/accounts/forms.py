"""The shapes of what people type about themselves."""

import zoneinfo
from typing import TYPE_CHECKING

from django import forms

from apps.accounts.models import User

THEMES = [("", "As the system"), ("light", "Light"), ("dark", "Dark")]


if TYPE_CHECKING:
    UserForm = forms.ModelForm[User]
else:
    UserForm = forms.ModelForm


class SettingsForm(UserForm):
    """Theme, time zone, and whether single keys act."""

    theme = forms.ChoiceField(label="Theme", choices=THEMES, required=False)
    time_zone = forms.ChoiceField(
        label="Time zone", choices=[(name, name) for name in sorted(zoneinfo.available_timezones())]
    )
    has_keys = forms.BooleanField(label="Single keys act on lists and items", required=False)

    class Meta:
        model = User
        fields = ("theme", "time_zone", "has_keys")


class SetUpForm(forms.Form):
    """The first person of an empty site, and its first tenant."""

    name = forms.CharField(label="Your name", max_length=200)
    username = forms.CharField(label="User name", max_length=150, help_text="Letters, digits, dot, dash, underscore")
    password = forms.CharField(label="Password", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))
    tenant = forms.CharField(
        label="First tenant", initial="default", max_length=400, help_text="The journal's own tenant is called default"
    )
