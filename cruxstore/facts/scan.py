"""JSON read exactly as the format's own parser reads it, with the place of every member.

`orjson` forgets what that parser minds (a key given twice, nesting over 128) and what we keep (where a member stood).
"""

import math
import re
from typing import NamedTuple

import orjson

from cruxstore.errors import LineError

MAX_DEPTH = 128

_SPACE = re.compile(rb"[ \t\n\r]*+")
_STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+"')
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?")
_LITERALS: tuple[tuple[bytes, bool | None], ...] = ((b"true", True), (b"false", False), (b"null", None))


class Member(NamedTuple):
    """One `"key":value` of an object, as written from `start` to `end`; its value begins at `value_start`."""

    key: str
    value: "JsonValue"
    start: int
    value_start: int
    end: int


class JsonObject(NamedTuple):
    """An object's members in the order written, a repeated key twice, and the slice it takes."""

    members: list[Member]
    start: int
    end: int


JsonValue = JsonObject | list["JsonValue"] | str | int | float | bool | None


def scan_object(text: bytes) -> JsonObject:
    """The one object that a text consists of; raises LineError with the byte where it stops being one."""
    _refuse_bad_utf8(text)
    start = _skip_space(text, 0)
    if text[start : start + 1] != b"{":
        raise LineError("not_an_object", "The line is not a JSON object.", start)
    value, end = _scan_object(text, start, 1)
    end = _skip_space(text, end)
    if end != len(text):
        raise LineError("trailing_text", "There is text after the end of the object.", end)
    return value


def _refuse_bad_utf8(text: bytes) -> None:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise LineError("not_utf8", "The text is not valid UTF-8.", error.start) from None


def _skip_space(text: bytes, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _scan_value(text: bytes, at: int, depth: int) -> tuple[JsonValue, int]:
    """The value that starts at a byte, and where it ends; `depth` is that of the container around it."""
    first = text[at : at + 1]
    if first == b'"':
        return _scan_string(text, at)
    if first == b"{":
        return _scan_object(text, at, depth + 1)
    if first == b"[":
        return _scan_list(text, at, depth + 1)
    for literal, value in _LITERALS:
        if text.startswith(literal, at):
            return value, at + len(literal)
    return _scan_number(text, at)


def _scan_object(text: bytes, start: int, depth: int) -> tuple[JsonObject, int]:
    _refuse_too_deep(depth, start)
    members: list[Member] = []
    at = _skip_space(text, start + 1)
    if text[at : at + 1] == b"}":
        return JsonObject(members, start, at + 1), at + 1
    while True:
        member_start = at
        key, at = _scan_string(text, at)
        at = _expect(text, _skip_space(text, at), b":")
        value_start = _skip_space(text, at)
        value, at = _scan_value(text, value_start, depth)
        members.append(Member(key, value, member_start, value_start, at))
        at = _skip_space(text, at)
        if text[at : at + 1] == b"}":
            return JsonObject(members, start, at + 1), at + 1
        at = _skip_space(text, _expect(text, at, b","))


def _scan_list(text: bytes, start: int, depth: int) -> tuple[list[JsonValue], int]:
    _refuse_too_deep(depth, start)
    values: list[JsonValue] = []
    at = _skip_space(text, start + 1)
    if text[at : at + 1] == b"]":
        return values, at + 1
    while True:
        value, at = _scan_value(text, at, depth)
        values.append(value)
        at = _skip_space(text, at)
        if text[at : at + 1] == b"]":
            return values, at + 1
        at = _skip_space(text, _expect(text, at, b","))


def _scan_string(text: bytes, start: int) -> tuple[str, int]:
    match = _STRING.match(text, start)
    if match is None:
        if text[start : start + 1] == b'"':
            raise LineError(
                "bad_string", "A string holds a bad escape or a raw control character, or does not end.", start
            )
        raise _unexpected(text, start)
    try:
        value: str = orjson.loads(match[0])
    except orjson.JSONDecodeError:
        raise LineError("lone_surrogate", "A string holds half of a surrogate pair.", start) from None
    return value, match.end()


def _scan_number(text: bytes, start: int) -> tuple[int | float, int]:
    match = _NUMBER.match(text, start)
    if match is None:
        raise _unexpected(text, start)
    number = float(match[0])
    if math.isinf(number):
        raise LineError("number_out_of_range", "A number is too large.", start)
    is_whole = match[1] is None and match[2] is None and match[0] != b"-0"
    return (int(match[0]) if is_whole else number), match.end()


def _expect(text: bytes, at: int, mark: bytes) -> int:
    if text[at : at + 1] != mark:
        raise _unexpected(text, at)
    return at + 1


def _refuse_too_deep(depth: int, at: int) -> None:
    if depth > MAX_DEPTH:
        raise LineError("too_deep", f"The object is nested more than {MAX_DEPTH} levels deep.", at)


def _unexpected(text: bytes, at: int) -> LineError:
    if at >= len(text):
        return LineError("not_json", "The line ends before its object does.", at)
    return LineError("not_json", "The line is not valid JSON.", at)
