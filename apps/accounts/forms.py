"""The shapes of what people type about themselves."""

import zoneinfo

from django import forms

from apps.accounts.models import User

THEMES = [("", "As the system"), ("light", "Light"), ("dark", "Dark")]


class SettingsForm(forms.ModelForm[User]):
    """Theme, time zone, and whether single keys act."""

    theme = forms.ChoiceField(label="Theme", choices=THEMES, required=False)
    time_zone = forms.ChoiceField(
        label="Time zone", choices=[(name, name) for name in sorted(zoneinfo.available_timezones())]
    )
    has_keys = forms.BooleanField(label="Single keys act on lists and items", required=False)

    class Meta:
        model = User
        fields = ("theme", "time_zone", "has_keys")
