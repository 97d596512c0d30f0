"""The shapes of what comes in with a request: the filter in an address, a saved view, an upload, an act."""

import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone

from apps.facts.answers import FRESHNESSES, HORIZONS, MARKS, SORTS, STATES, FactFilter
from apps.facts.clock_rules import read_about, read_known
from apps.facts.formats import AUTO, FORMAT_NAMES
from apps.facts.rules import search_terms
from cruxstore.errors import BadTimestampError, CruxError
from cruxstore.facts.records import Timestamp
from cruxstore.facts.times import ns_from_datetime, parse_timestamp, timestamp_from_ns
from cruxstore.ledger.events import Action

_LOCAL_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?", re.ASCII)
_CHOICES = {"state": STATES, "freshness": FRESHNESSES, "horizon": HORIZONS, "marks": MARKS}


MOST_WORDS = 50


class BadAddressError(CruxError):
    """The address asks for something that does not exist."""

    code = "bad_address"


def read_filter(query: QueryDict) -> FactFilter:
    """The filter that an address stands for; a word that does not exist is refused with the ones that do."""
    chosen = {name: _choices(query, name, allowed) for name, allowed in _CHOICES.items()}
    sort = query.get("sort") or "-recorded"
    if sort not in SORTS:
        raise BadAddressError(f"The facts cannot be sorted by {sort}. Sort by one of {', '.join(SORTS)}.")
    return FactFilter(
        q=read_search(query),
        **chosen,
        kind=_distinct(query, "kind"),
        actor=_distinct(query, "actor"),
        entity=query.get("entity", ""),
        key=query.get("key", ""),
        import_id=query.get("import", ""),
        min_confidence=_confidence(query.get("min_confidence", "").strip()),
        known=read_known(query.get("known", ""), timezone.get_current_timezone()),
        about=read_about(query.get("about", ""), timezone.get_current_timezone()),
        sort=sort,
        after=query.get("after", ""),
        before=query.get("before", ""),
    )


def read_search(query: QueryDict) -> str:
    """What an address searches for; more words than one page is for are refused."""
    text = query.get("q", "").strip()
    words = len(search_terms(text))
    if words > MOST_WORDS:
        raise BadAddressError(f"A search has at most {MOST_WORDS} different words; this one has {words:,}.")
    return text


def read_page(query: QueryDict, name: str = "part") -> int:
    """The number of a page, from 1; anything else is the first."""
    text = query.get(name, "1")
    return int(text) if text.isdecimal() and len(text) < 9 else 1


def read_form(query: QueryDict) -> str:
    """The format that a file is to be read as; by its content where none is named."""
    form = query.get("form") or AUTO
    if form not in {AUTO, *FORMAT_NAMES}:
        raise BadAddressError(f"There is no format {form}. There are {', '.join(FORMAT_NAMES)}.")
    return form


class UploadForm(forms.Form):
    """A file, and what to read it as."""

    file = forms.FileField(
        label="File",
        error_messages={"required": "Choose a file", "empty": "The file is empty"},
    )
    form = forms.ChoiceField(
        label="Format", choices=[(AUTO, "By its content"), *((name, name) for name in FORMAT_NAMES)], initial=AUTO
    )


class ViewForm(forms.Form):
    """A filter kept under a name."""

    name = forms.CharField(label="Name", max_length=80, strip=True)
    query = forms.CharField(required=False, max_length=4000)
    is_shared = forms.BooleanField(label="Everyone in this tenant sees it", required=False)

    def clean_query(self) -> str:
        """Only a filter that can be read is kept."""
        query: str = self.cleaned_data["query"]
        try:
            read_filter(QueryDict(query))
        except CruxError as error:
            raise ValidationError(str(error)) from error
        return query


class MomentField(forms.Field):
    """`now`, a date or a date and a time in the person's zone, or an exact instant; empty is None."""

    now_ns = 0

    def to_python(self, value: str | None) -> Timestamp | None:
        """The instant; a date is its first moment."""
        text = (value or "").strip()
        if not text:
            return None
        try:
            if text.lower() == "now":
                return timestamp_from_ns(self.now_ns)
            if _LOCAL_MOMENT.fullmatch(text):
                local = datetime.fromisoformat(text).replace(tzinfo=timezone.get_current_timezone())
                return timestamp_from_ns(ns_from_datetime(local))
            return parse_timestamp(text)
        except (BadTimestampError, ValueError) as error:
            raise ValidationError("Type now, a date such as 2026-09-15, or a date and a time") from error


class ActForm(forms.Form):
    """What every act carries: the version that the person has seen, and what makes sending it twice one act."""

    expected = forms.CharField(required=False, max_length=2_000)
    token = forms.RegexField(r"^[0-9a-f]{32}$", required=False)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, now_ns: int, initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial={"token": secrets.token_hex(16), **(initial or {})})
        for field in self.fields.values():
            if isinstance(field, MomentField):
                field.now_ns = now_ns

    def clean_token(self) -> str:
        """The name of the act; a form without one gets one that nobody has used."""
        return self.cleaned_data["token"] or secrets.token_hex(16)


class ValidityForm(ActForm):
    """From when to when something holds."""

    valid_from = MomentField(label="Valid from", required=False)
    valid_to = MomentField(label="Valid to", required=False)


class HorizonForm(ActForm):
    """How fast a fact ages."""

    horizon = forms.ChoiceField(
        label="Horizon",
        choices=[(name, name) for name in HORIZONS],
        error_messages={"required": "Choose a horizon", "invalid_choice": "Choose one of the four"},
    )


class DeleteForm(ActForm):
    """Whether what a fact had replaced counts again."""

    restores = forms.BooleanField(required=False)


class ValueForm(ActForm):
    """What is believed, how surely, and how fast it ages."""

    value = forms.CharField(
        label="Value", strip=False, error_messages={"required": "Say what is believed"}, widget=forms.Textarea
    )
    confidence = forms.FloatField(
        label="Confidence",
        min_value=0,
        max_value=1,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), "Type a number from 0 to 1, such as 0.8"
        ),
    )
    horizon = forms.ChoiceField(
        label="Horizon",
        required=False,
        choices=[("", "As usual for its kind"), *((name, name) for name in HORIZONS)],
        error_messages={"invalid_choice": "Choose one of the four"},
    )

    def clean_value(self) -> str:
        """The text with line ends as facts have them; browsers send others."""
        value: str = self.cleaned_data["value"]
        return value.replace("\r\n", "\n")


class ClaimForm(ValueForm, ValidityForm):
    """What a new version says, and when that holds."""


class StatementForm(ClaimForm):
    """A fact as somebody states it."""

    entity = forms.CharField(
        label="Entity", strip=False, error_messages={"required": "Name what it is about, such as customer:halden-foods"}
    )
    key = forms.CharField(label="Key", strip=False, error_messages={"required": "Name the property, such as contact"})

    def clean_entity(self) -> str:
        """A name that holds more than blanks."""
        return _named(self.cleaned_data["entity"])

    def clean_key(self) -> str:
        """A name that holds more than blanks."""
        return _named(self.cleaned_data["key"])


class CompactionForm(forms.Form):
    """Why the journal is compacted, and how many lines it has, typed by whoever has looked."""

    reason = forms.CharField(label="Reason", max_length=500, error_messages={"required": "Say why"})
    lines = forms.CharField(label="Lines of the journal", error_messages={"required": "Type how many lines it has"})

    def __init__(self, data: Mapping[str, Any] | None = None, *, lines: int) -> None:
        super().__init__(data)
        self._lines = lines

    def clean_lines(self) -> str:
        """The number that the page shows; meanwhile it may have grown, which is then shown."""
        typed = str(self.cleaned_data["lines"]).replace(",", "").strip()
        if typed != str(self._lines):
            raise ValidationError(f"The journal has {self._lines:,} lines. Type that number")
        return typed


class MergeForm(ValueForm):
    """Facts of one entity and key, and what they become."""

    targets = forms.MultipleChoiceField(
        error_messages={
            "required": "Choose the facts to consolidate",
            "invalid_choice": "One of the facts does not count any more. Choose again",
        }
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        now_ns: int,
        fact_ids: Sequence[str],
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, now_ns=now_ns, initial=initial)
        self.fields["targets"].choices = [(fact_id, fact_id) for fact_id in fact_ids]  # type: ignore[attr-defined]


def _choices(query: QueryDict, name: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    values = _distinct(query, name)
    for value in values:
        if value not in allowed:
            raise BadAddressError(f"There is no {name} {value}. There are {', '.join(allowed)}.")
    return tuple(value for value in allowed if value in values)


def _distinct(query: QueryDict, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in query.getlist(name)))


def _confidence(text: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise BadAddressError(f"A confidence is a number from 0 to 1; {text} is not.")
    return value


def _named(text: str) -> str:
    if not text.strip():
        raise ValidationError("It needs a name that is more than blanks")
    return text


class LedgerForm(forms.Form):
    """Which events of the ledger are looked for."""

    actor = forms.CharField(label="Who", max_length=200, required=False, help_text="A name, a user name or an agent")
    action = forms.ChoiceField(
        label="What", choices=[("", "Everything"), *((action.value, action.value) for action in Action)], required=False
    )
    subject = forms.CharField(label="About", max_length=200, required=False, help_text="The id of a fact or a person")
    since = forms.DateTimeField(label="From", required=False, help_text="Such as 2026-11-30 09:12")
    until = forms.DateTimeField(label="Before", required=False, help_text="Such as 2026-12-01")


class BundleForm(forms.Form):
    """Which events a bundle is asked for: by their numbers, or by a span of time; of one tenant, or of all."""

    first = forms.IntegerField(label="First event", min_value=1, max_value=2**53, required=False)
    last = forms.IntegerField(
        label="Last event", min_value=1, max_value=2**53, required=False, help_text="Empty: the first alone"
    )
    since = forms.DateTimeField(label="From", required=False, help_text="Such as 2026-11-30 09:12")
    until = forms.DateTimeField(label="Before", required=False, help_text="Such as 2026-12-01")
    earlier = forms.RegexField(
        r"^\d{4}-\d\d-\d\d$",
        label="Earlier checkpoint",
        required=False,
        help_text="A day such as 2026-11-30: proves that the ledger then is the beginning",
        error_messages={"invalid": "Type a day, such as 2026-11-30"},
    )
    tenant = forms.ChoiceField(label="Tenant", required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, *, tenants: Sequence[str] = ()) -> None:
        super().__init__(data)
        choices = [("", "All"), *((name, name) for name in tenants)]
        self.fields["tenant"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> None:
        """Numbers or times, not both, and one of them."""
        asked = self.cleaned_data
        has_numbers = asked.get("first") is not None or asked.get("last") is not None
        has_times = asked.get("since") is not None or asked.get("until") is not None
        if self.errors:
            return
        if has_numbers == has_times:
            self.add_error(None, "Say which events: by their numbers, or by a time.")
        elif has_numbers and asked["first"] is None:
            self.add_error("first", "Say where the events begin")


class TenantForm(forms.Form):
    """A new tenant, and the operator who becomes its first admin."""

    name = forms.CharField(
        label="Name",
        max_length=400,
        strip=False,
        help_text="As its facts carry it, for good",
    )
    first_admin = forms.ChoiceField(label="First admin")

    def __init__(self, data: QueryDict | None = None, *, operators: Sequence[tuple[str, str]], **given: Any) -> None:
        super().__init__(data, **given)
        self.fields["first_admin"].choices = list(operators)  # type: ignore[attr-defined] # a ChoiceField


class TenantNameForm(forms.Form):
    """What people call a tenant."""

    called = forms.CharField(label="People read", max_length=400, strip=True)
