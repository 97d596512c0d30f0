"""Pieces of the sentences that a reading shows to people."""

from collections.abc import Iterable, Mapping
from itertools import islice

EXCERPT_CHARACTERS = 60
MAX_NAMES = 5
MAX_KEYS = 12


def excerpt(text: str | bytes) -> str:
    """The first characters of a text, everything invisible spelled out."""
    if isinstance(text, bytes):
        text = text[: 4 * EXCERPT_CHARACTERS].decode("utf-8", "backslashreplace")
    shown = "".join(_visible(character) for character in text[:EXCERPT_CHARACTERS])
    return f"{shown}…" if len(text) > EXCERPT_CHARACTERS else shown


def quoted(text: str) -> str:
    """A text's first characters between quotation marks."""
    return f"“{excerpt(text)}”"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 record`, `1,204 records`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Iterable[str]) -> str:
    """A few names in quotation marks, and how many more there are."""
    every = list(names)
    shown = [quoted(name) for name in every[:MAX_NAMES]]
    if len(every) > MAX_NAMES:
        return f"{', '.join(shown)} and {len(every) - MAX_NAMES:,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def keys_found(record: Mapping[str, object]) -> str:
    """The keys of a record as a person may want to see them."""
    if not record:
        return "no keys"
    shown = ", ".join(excerpt(key) for key in islice(record, MAX_KEYS))
    more = f" and {len(record) - MAX_KEYS:,} more" if len(record) > MAX_KEYS else ""
    return f"{'key' if len(record) == 1 else 'keys'} {shown}{more}"


def kind_of_json(value: object) -> str:
    """What a JSON value is called in a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list) else "an object"


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
