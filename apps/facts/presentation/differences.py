"""What changed between two values: by word for text, by path for JSON.

1. Both values are JSON documents (an object or a list): compared by path, numbers by their exact spelling.
2. Otherwise by words, as long as both are short enough to be compared while a page waits.
3. Longer ones are not compared, and the page says so.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

JSON_LIMIT = 64 * 1024
WORD_LIMIT = 1_500
ALIKE = 0.35
"""Values less alike than this are shown as the old one gone and the new one come."""
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Word:
    """A run of words that stayed, went or came: same, gone, new."""

    kind: str
    text: str


@dataclass(frozen=True)
class PathChange:
    """One path of a JSON document in both versions; an absent side is None. The sign is one of + − ±."""

    sign: str
    path: str
    old: str | None
    new: str | None


@dataclass(frozen=True)
class JsonComparison:
    """The paths that differ and how many do not."""

    changes: tuple[PathChange, ...]
    same: int


@dataclass(frozen=True)
class _Exact:
    text: str


def word_difference(old: str, new: str) -> tuple[Word, ...] | None:
    """The new text with what went and came, in reading order; None where the texts are too long to compare."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if len(before) > WORD_LIMIT or len(after) > WORD_LIMIT:
        return None
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < ALIKE:
        return tuple(_changed([old], [new]))
    runs: list[Word] = []
    gone: list[str] = []
    come: list[str] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        same = "".join(after[c:d])
        if tag == "equal" and (same.strip() or not (gone or come)):
            runs += [*_changed(gone, come), Word("same", same)]
            gone, come = [], []
        else:  # a space between two changes belongs to both: "old words" → "new words" is one change
            gone += before[a:b]
            come += after[c:d]
    return (*runs, *_changed(gone, come))


def indented_json(value: str) -> str | None:
    """The JSON document one member a line, every scalar spelled as written; None for anything else."""
    document = _document(value)
    if document is None:
        return None
    try:
        return "\n".join(_lines(document, 0))
    except RecursionError:
        return None


def json_difference(old: str, new: str) -> JsonComparison | None:
    """Two JSON documents by path; None where either is something else."""
    before, after = _document(old), _document(new)
    if before is None or after is None:
        return None
    try:
        left, right = dict(_paths(before, "")), dict(_paths(after, ""))
    except RecursionError:
        return None
    changes = []
    for path in {**left, **right}:
        was, now = left.get(path), right.get(path)
        if was != now:
            sign = "+" if was is None else "−" if now is None else "±"
            changes.append(PathChange(sign, path or "whole", was, now))
    same = sum(1 for path, text in left.items() if right.get(path) == text)
    return JsonComparison(tuple(changes), same)


def _changed(gone: list[str], new: list[str]) -> list[Word]:
    sides = (Word("gone", "".join(gone)), Word("new", "".join(new)))
    return [side for side in sides if side.text]


def _document(value: str) -> Mapping[str, object] | list[object] | None:
    if value.lstrip()[:1] not in {"{", "["} or len(value) > JSON_LIMIT:
        return None
    try:
        document = json.loads(value, parse_int=_Exact, parse_float=_Exact, parse_constant=_Exact)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict | list) else None


def _scalar(value: object) -> str:
    return value.text if isinstance(value, _Exact) else json.dumps(value, ensure_ascii=False)


def _lines(value: object, depth: int, *, name: str = "", end: str = "") -> Iterator[str]:
    indent = "  " * depth
    if isinstance(value, dict) and value:
        yield f"{indent}{name}{{"
        for number, (key, item) in enumerate(value.items(), 1):
            comma = "," if number < len(value) else ""
            yield from _lines(item, depth + 1, name=f"{json.dumps(key, ensure_ascii=False)}: ", end=comma)
        yield f"{indent}}}{end}"
    elif isinstance(value, list) and value:
        yield f"{indent}{name}["
        for number, item in enumerate(value, 1):
            yield from _lines(item, depth + 1, end="," if number < len(value) else "")
        yield f"{indent}]{end}"
    else:
        yield f"{indent}{name}{_scalar(value)}{end}"


def _paths(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            step = key if re.fullmatch(r"[\w-]+", key) else json.dumps(key, ensure_ascii=False)
            yield from _paths(item, f"{path}.{step}" if path else step)
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            yield from _paths(item, f"{path}[{number}]")
    else:
        yield path, _scalar(value)
