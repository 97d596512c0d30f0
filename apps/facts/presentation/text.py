"""Other people's text made safe to look at: what cannot be seen is named, what is long is cut and measured.

A hidden character is one that leaves no ink or moves what stands around it: controls, bidirectional marks, zero-width
and filler characters, tags, private use and noncharacters, U+FFFD, lone surrogates. Line feed and tab are ordinary.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from blake3 import blake3

_EMOJI = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_HIDDEN = re.compile(
    "["
    "\u0000-\u0008\u000b-\u001f\u007f-\u009f"  # controls but tab and line feed
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\u2800"  # fillers that show nothing
    "\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # zero width, separators, bidirectional controls
    "\ufe00-\ufe0e\ufff9-\uffff\ufdd0-\ufdef"  # variation selectors, annotations, U+FFFD, noncharacters
    "\ud800-\udfff\ue000-\uf8ff"  # lone surrogates, private use
    "\U0001d173-\U0001d17a\U000e0000-\U0010ffff"  # musical controls, tags, planes 14 to 16
    "]"
    # the joiner and the emoji selector belong to emoji; anywhere else they hide
    f"|\u200d(?![{_EMOJI}])|(?<![{_EMOJI}\ufe0f])\u200d|(?<![{_EMOJI}#*0-9])\ufe0f"
)

SHOWN_BYTES = 2_000
"""A value up to this size is shown whole on its page."""

PART_CHARACTERS = 40_000
"""How much of a longer one a page of it holds."""


@dataclass(frozen=True)
class Piece:
    """A run of text as it is, or the name of one hidden character."""

    text: str
    is_hidden: bool


@dataclass(frozen=True)
class Measured:
    """The beginning of a text and what is known about the whole of it."""

    shown: str
    size: int
    hidden: int
    is_folded: bool
    digest: str


def pieces(text: str) -> Iterator[Piece]:
    """The text in order, each hidden character as a piece of its own that names it."""
    at = 0
    for match in _HIDDEN.finditer(text):
        if match.start() > at:
            yield Piece(text[at : match.start()], is_hidden=False)
        yield Piece(name_of(match.group()), is_hidden=True)
        at = match.end()
    if at < len(text):
        yield Piece(text[at:], is_hidden=False)


def name_of(character: str) -> str:
    """U+202E for a character; the byte itself where an undecodable byte was carried along."""
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"byte {code - 0xDC00:02X}"
    return f"U+{code:04X}"


def count_hidden(text: str) -> int:
    """How many characters of the text cannot be seen."""
    return sum(1 for _ in _HIDDEN.finditer(text))


def measure(text: str, limit: int = SHOWN_BYTES) -> Measured:
    """What a page shows of the text, with its size in bytes, its hidden characters and its BLAKE3 digest."""
    data = text.encode("utf-8", "surrogatepass")
    is_folded = len(data) > limit
    shown = data[:limit].decode("utf-8", "ignore") if is_folded else text
    return Measured(shown, len(data), count_hidden(text), is_folded, blake3(data).hexdigest())


def part_of(text: str, number: int) -> tuple[str, int]:
    """The numbered part of a long text (from 1, held within its range) and how many parts there are."""
    parts = max(1, -(-len(text) // PART_CHARACTERS))
    start = (min(max(number, 1), parts) - 1) * PART_CHARACTERS
    return text[start : start + PART_CHARACTERS], parts
