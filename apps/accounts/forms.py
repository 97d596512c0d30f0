"""The shapes of what people type about themselves."""

import zoneinfo
from typing import TYPE_CHECKING

from django import forms

from apps.accounts.models import User
from apps.accounts.rules import MAIL_WORDS, PROPOSED_ROLES, ROLE_WORDS, MailWhen, Role

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
        fields: tuple[str, ...] = ("theme", "time_zone", "has_keys")


class MailedSettingsForm(SettingsForm):
    """The same where the site sends mail: also whether, and where to."""

    email = forms.EmailField(label="E-mail address", required=False)
    mails = forms.ChoiceField(
        label="Mail what waits for me", choices=[(when.value, MAIL_WORDS[when]) for when in MailWhen]
    )

    class Meta(SettingsForm.Meta):
        fields = (*SettingsForm.Meta.fields, "email", "mails")

    def clean_mails(self) -> str:
        """Mail needs an address; one that was mistyped has its own error."""
        when = str(self.cleaned_data["mails"])
        if when != MailWhen.NEVER and not self.cleaned_data.get("email") and "email" not in self.errors:
            raise forms.ValidationError("Write the address that the mail is for.")
        return when


GOOD_FOR = [("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("365", "365 days")]


class PersonalTokenForm(forms.Form):
    """A program that acts in one's own name."""

    name = forms.CharField(label="What for", max_length=200, help_text="You will know it by this")
    days = forms.TypedChoiceField(label="Good for", choices=GOOD_FOR, coerce=int, initial="30")


class AgentTokenForm(forms.Form):
    """An agent, and what it may do in this tenant."""

    name = forms.CharField(label="Agent", max_length=200, help_text="Its facts carry this name")
    may_read = forms.BooleanField(label="Reads facts", required=False)
    may_propose = forms.BooleanField(label="Proposes facts, which wait for a curator", required=False)
    is_tool = forms.BooleanField(label="Is a tool: what it reports passes", required=False)
    entity_prefix = forms.CharField(
        label="Only entities that begin with",
        max_length=180,
        required=False,
        strip=False,
        help_text="Letter by letter: customer::4 is also the beginning of customer::42. Empty for every entity",
    )
    days = forms.TypedChoiceField(label="Good for", choices=GOOD_FOR, coerce=int, initial="90")


class InviteForm(forms.Form):
    """Somebody new: what they are called here, and their roles."""

    name = forms.CharField(label="Name", max_length=200, help_text="As pages and the ledger show it")
    roles = forms.MultipleChoiceField(
        label="Roles", choices=[(role.value, ROLE_WORDS[role]) for role in Role if role not in PROPOSED_ROLES]
    )


class NewPasswordForm(forms.Form):
    """A new password for a sign-in that there is."""

    password = forms.CharField(label="New password", widget=forms.PasswordInput, strip=False)


class JoinForm(forms.Form):
    """How somebody invited wants to sign in."""

    username = forms.CharField(label="User name", max_length=150, help_text="Letters, digits, dot, dash, underscore")
    password = forms.CharField(label="Password", widget=forms.PasswordInput, strip=False)


class SetUpForm(forms.Form):
    """The first person of an empty site, and its first tenant."""

    name = forms.CharField(label="Your name", max_length=200)
    username = forms.CharField(label="User name", max_length=150, help_text="Letters, digits, dot, dash, underscore")
    password = forms.CharField(label="Password", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))
    tenant = forms.CharField(
        label="First tenant", initial="default", max_length=400, help_text="The journal's own tenant is called default"
    )
