"""Numbers, times, icons and other people's text in templates; everything returned as safe has been escaped here."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from apps.facts import rules
from apps.facts.presentation import differences, drawings, text, words

register = template.Library()

NAME_CHARS = 200

register.filter("grouped", words.grouped)
register.filter("size", words.size)
register.filter("confidence", words.confidence)
register.filter("percent", words.percent)


@register.filter
def shown(value: object) -> SafeString:
    """Other people's text: escaped, every hidden character named in a box."""
    return format_html_join(
        "",
        "{}",
        (
            (format_html('<span class="hid">{}</span>', piece.text) if piece.is_hidden else escape(piece.text),)
            for piece in text.pieces(str(value))
        ),
    )


@register.filter
def plain(value: object) -> str:
    """Other people's text where no markup may stand (labels, titles): hidden characters named in brackets."""
    return "".join(f"[{piece.text}]" if piece.is_hidden else piece.text for piece in text.pieces(str(value)))


@register.filter
def plural(number: int, forms: str) -> str:
    """`{{ 2|plural:"entity,entities" }}` is 2 entities; one form takes an s."""
    one, _, many = forms.partition(",")
    return words.plural(number, one, many)


@register.filter
def counted(count: object) -> str:
    """A count as it is known: 9,817, or 10,000+ where counting stopped."""
    return f"{getattr(count, 'value', 0):,}{'+' if getattr(count, 'is_capped', False) else ''}"


@register.filter
def moment(value: datetime | None) -> SafeString:
    """Date and time in the person's zone, the exact UTC instant in `datetime`; unknown where there is none."""
    if value is None:
        return mark_safe("unknown")
    return format_html(
        '<time datetime="{}">{} <span class="soft">{}</span></time>',
        _instant(value),
        _local(value, "%Y-%m-%d"),
        _local(value, "%H:%M"),
    )


@register.filter
def said_moment(value: datetime | None) -> SafeString:
    """The same in one tone, for sentences."""
    if value is None:
        return mark_safe("unknown")
    return format_html('<time datetime="{}">{}</time>', _instant(value), _local(value, "%Y-%m-%d %H:%M"))


@register.filter
def exact_moment(value: datetime | None) -> SafeString:
    """The same to the second, for reckonings."""
    if value is None:
        return mark_safe("unknown")
    return format_html('<time datetime="{}">{}</time>', _instant(value), _local(value, "%Y-%m-%d %H:%M:%S"))


@register.filter
def precise_moment(value: datetime | None) -> SafeString:
    """The same to the millisecond: the last moment of something."""
    if value is None:
        return mark_safe("unknown")
    return format_html(
        '<time datetime="{}">{}.{:03}</time>',
        _instant(value),
        _local(value, "%Y-%m-%d %H:%M:%S"),
        value.microsecond // 1000,
    )


@register.filter
def age(value: datetime | timedelta | int) -> str:
    """A span as 52 d 19 h: of a duration, of nanoseconds, or from a moment until now."""
    if isinstance(value, datetime):
        value = timezone.now() - value
    if isinstance(value, timedelta):
        value = round(value.total_seconds() * 1_000_000_000)
    return words.age(value)


@register.filter
def changed_words(changes: Iterable[differences.Word]) -> SafeString:
    """A word difference as text with <del> and <ins>."""
    tags = {"same": "{}", "gone": "<del>{}</del>", "new": "<ins>{}</ins>"}
    return mark_safe("".join(format_html(tags[word.kind], shown(word.text)) for word in changes))


@register.filter
def excerpt(value: str, length: int) -> str:
    """The beginning of a text, with a mark where more follows."""
    return value if len(value) <= length else f"{value[:length]}…"


@register.filter
def name(value: str) -> str:
    """A name in a list or a heading; a very long one by its beginning."""
    return excerpt(value, NAME_CHARS)


@register.filter
def indexed(value: str) -> str:
    """A name as an address holds it: a very long one by its beginning and its digest."""
    return rules.indexed(value)


@register.filter
def format_word(name: str) -> str:
    """What a memory format is called on pages."""
    return words.FORMATS.get(name, name)


@register.filter
def quarter(percent: int | None) -> str:
    """The milestone that a share has passed, for the spoken line: said four times, not a hundred."""
    words = {0: "", 1: ", a quarter done", 2: ", half done", 3: ", three quarters done", 4: ", all done"}
    return words[(percent or 0) // 25]


@register.simple_tag
def icon(name: str) -> SafeString:
    """A 16 px icon of the sprite; the word beside it says what it means."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
def tag(name: str, word: str, tone: str = "", box: bool = False) -> SafeString:
    """A shape and a word; a tone only where something deviates."""
    classes = " ".join(part for part in ("tag", "box" if box else "", tone) if part)
    return format_html('<span class="{}">{}{}</span>', classes, icon(name), word)


@register.simple_tag
def term(anchor: str, word: str) -> SafeString:
    """A word with its entry in the glossary one step away."""
    return format_html('<a class="term" href="/help/glossary/#{}">{}</a>', anchor, word)


@register.simple_tag(takes_context=True)
def zone(context: template.Context) -> str:
    """The zone that the page's times are in, named once on the page."""
    return timezone.get_current_timezone_name()


def _local(value: datetime, form: str) -> str:
    return drawings.in_zone(value, timezone.get_current_timezone()).strftime(form)


def _instant(value: datetime) -> str:
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
