"""A file's bytes, cut into rows without being understood: lines, or the places of one JSON document.

    {"entities": [ {…}, {…} ], "version": 2}        one document: rows entities[0], entities[1], version
    {…}\\n{…}\\n                                      JSON Lines: one row a line

A piece that is not one JSON value is a fault with its line, and the pieces after it are still read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

import blake3
import orjson

from apps.facts.formats.vocabulary import Encoding, Fault
from apps.facts.formats.wording import excerpt

BOM = b"\xef\xbb\xbf"
BLANKS = b" \t\r\n\f"
SAMPLE_LINES = 50

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{},]', re.DOTALL)
_MEMBER = re.compile(rb'[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*")[ \t\r\n]*:[ \t\r\n]*', re.DOTALL)
_PARTNER = {ord("]"): ord("["), ord("}"): ord("{")}


class Shape(Enum):
    """What the bytes look like before anything in them is understood."""

    LINES = "JSON, one value a line"
    DOCUMENT = "one JSON document"
    TEXT = "plain text"


@dataclass(frozen=True, slots=True)
class Row:
    """One JSON value of a file: a line, an element of a list, or another member of a document."""

    line: int
    record: object
    raw: bytes
    member: str = ""
    index: int | None = None
    is_terminated: bool = True

    @property
    def path(self) -> str:
        """Where the row stands inside its document; empty for a line."""
        return self.member if self.index is None else f"{self.member}[{self.index}]"


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it came, after its byte order mark."""

    data: bytes
    file_name: str
    digest: str
    encoding: Encoding


def open_source(data: bytes, *, file_name: str) -> Source:
    """A file's bytes with its digest (BLAKE3, over all of them) and how it is written."""
    has_bom = data.startswith(BOM)
    body = data[len(BOM) :] if has_bom else data
    ends = body.count(b"\n")
    crlf = body.count(b"\r\n")
    if ends == 0:
        line_ends = "none"
    elif crlf == 0:
        line_ends = "lf"
    else:
        line_ends = "crlf" if crlf == ends else "mixed"
    is_ended = body.endswith(b"\n")
    encoding = Encoding(has_bom, line_ends, is_ended, ends if is_ended or not body else ends + 1)
    return Source(body, file_name, blake3.blake3(data).hexdigest(), encoding)


def shape_of(source: Source) -> Shape:
    """How to cut the bytes, decided by the first lines that are not blank."""
    first = source.data.lstrip(BLANKS)[:1]
    sample = list(islice(_raw_lines(source.data), SAMPLE_LINES))
    is_json_start = first in {b"{", b"["}
    if is_json_start and len(sample) == 1:
        return Shape.DOCUMENT
    objects = sum(1 for _, raw, _ in sample if isinstance(_parsed(raw), dict))
    if objects and 2 * objects >= len(sample):
        return Shape.LINES
    return Shape.DOCUMENT if is_json_start else Shape.TEXT


def line_rows(source: Source) -> Iterator[Row | Fault]:
    """Every line that is not blank, in order, as a row or a fault."""
    for line, raw, is_terminated in _raw_lines(source.data):
        yield _row(raw, line=line, is_terminated=is_terminated)


def document_rows(source: Source) -> Iterator[Row | Fault]:
    """Every element of a document's top list, or of its members' lists; other members as one row each."""
    lines = _LineCounter(source.data)
    for place in _places(source.data):
        if isinstance(place, _Break):
            rest = source.data[place.start : place.start + 300]
            yield Fault(lines.at(place.start), f"{place.reason}: {excerpt(rest)}" if rest else place.reason)
            continue
        raw = source.data[place.start : place.end].strip(BLANKS)
        start = place.start
        while start < place.end and source.data[start] in BLANKS:
            start += 1
        yield _row(raw, line=lines.at(start), member=place.member, index=place.index)


def text_lines(source: Source) -> list[str]:
    """The lines of a text without their ends; bytes that are no UTF-8 become lone surrogates."""
    lines = source.data.decode("utf-8", "surrogateescape").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def is_sound(text: str) -> bool:
    """Whether a text can be stored: it holds no lone surrogate."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Place:
    member: str
    index: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Break:
    start: int
    reason: str


@dataclass(frozen=True, slots=True)
class _Inside:
    """What stands between two brackets: the items between its commas, and where it ends or breaks off."""

    items: list[tuple[int, int]]
    end: int
    broken: _Break | None


class _LineCounter:
    """Line numbers of growing offsets, each byte counted once."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0
        self._line = 1

    def at(self, offset: int) -> int:
        if offset >= self._offset:
            self._line += self._data.count(b"\n", self._offset, offset)
            self._offset = offset
            return self._line
        return 1 + self._data.count(b"\n", 0, offset)


def _raw_lines(data: bytes) -> Iterator[tuple[int, bytes, bool]]:
    start = line = 0
    while start < len(data):
        end = data.find(b"\n", start)
        is_terminated = end >= 0
        if not is_terminated:
            end = len(data)
        line += 1
        raw = data[start:end].strip(BLANKS)
        if raw:
            yield line, raw, is_terminated
        start = end + 1


def _row(
    raw: bytes, *, line: int, member: str = "", index: int | None = None, is_terminated: bool = True
) -> Row | Fault:
    try:
        return Row(line, orjson.loads(raw), raw, member, index, is_terminated)
    except orjson.JSONDecodeError as error:
        return Fault(line, f"{_json_reason(raw, error)}: {excerpt(raw)}" if raw else "nothing between two commas")


def _json_reason(raw: bytes, error: orjson.JSONDecodeError) -> str:
    try:
        raw.decode()
    except UnicodeDecodeError as unicode_error:
        return f"not UTF-8 at byte {unicode_error.start + 1} of the line"
    if error.msg.startswith("unexpected content"):
        return f"more than one JSON value, the second from character {error.pos + 1}"
    return f"no JSON from character {error.pos + 1}"


def _parsed(raw: bytes) -> object:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None


def _places(data: bytes) -> Iterator[_Place | _Break]:
    """The places of a document, found by its brackets alone, so that one bad value hides no other."""
    top = len(data) - len(data.lstrip(BLANKS))
    inside = _inside(data, top)
    if data[top] == ord("["):
        yield from _elements("", inside)
    else:
        for start, end in inside.items:
            yield from _member_places(data, start, end)
        if inside.broken is not None:
            yield from _member_places(data, inside.broken.start, len(data), broken=inside.broken)
    if inside.broken is None and data[inside.end :].strip(BLANKS):
        yield _Break(inside.end, "text after the end of the document")


def _member_places(data: bytes, start: int, end: int, *, broken: _Break | None = None) -> Iterator[_Place | _Break]:
    match = _MEMBER.match(data, start, end)
    if match is None:
        yield broken or _Break(start, "a member without a name")
        return
    name = _member_name(match[1])
    if data[match.end() : match.end() + 1] == b"[":
        inside = _inside(data, match.end())
        if inside.items or inside.broken is not None:
            yield from _elements(name, inside)
            return
    yield broken or _Place(name, None, match.end(), end)


def _elements(member: str, inside: _Inside) -> Iterator[_Place | _Break]:
    for index, (start, end) in enumerate(inside.items):
        yield _Place(member, index, start, end)
    if inside.broken is not None:
        yield inside.broken


def _inside(data: bytes, at: int) -> _Inside:
    items: list[tuple[int, int]] = []
    opened: list[int] = []
    start = at + 1
    for token in _TOKEN.finditer(data, at):
        here, after = token.span()
        sign = data[here]
        if sign == ord('"'):
            if after - here < 2 or data[after - 1] != ord('"'):
                return _Inside(items, after, _Break(start, "the document ends within a text"))
        elif sign in b"[{":
            opened.append(sign)
        elif sign in b"]}":
            if opened.pop() != _PARTNER[sign]:
                return _Inside(items, after, _Break(start, "brackets that do not match"))
            if not opened:
                if data[start:here].strip(BLANKS):
                    items.append((start, here))
                return _Inside(items, after, None)
        elif len(opened) == 1:
            items.append((start, here))
            start = after
    return _Inside(items, len(data), _Break(start, "the document is cut off"))


def _member_name(raw: bytes) -> str:
    name = _parsed(raw)
    return name if isinstance(name, str) else excerpt(raw)
