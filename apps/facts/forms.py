"""The shapes of what comes in with a request: the filter in an address, a saved view, an upload."""

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone

from apps.facts.answers import FRESHNESSES, HORIZONS, MARKS, SORTS, STATES, FactFilter
from apps.facts.clock_rules import read_about, read_known
from apps.facts.formats import AUTO, FORMAT_NAMES
from cruxstore.errors import CruxError

_CHOICES = {"state": STATES, "freshness": FRESHNESSES, "horizon": HORIZONS, "marks": MARKS}


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
        q=query.get("q", "").strip(),
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
        except BadAddressError as error:
            raise ValidationError(str(error)) from error
        return query


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
