"""What counts as blank where the format's own program trims or splits a text.

Python's `str.strip` and `str.split` also take U+001C to U+001F for blanks; that program does not.
"""

import re
from typing import Final

BLANKS: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

_WORD: Final = re.compile(f"[^{BLANKS}]+")


def is_blank_text(text: str) -> bool:
    """Whether a text holds nothing but blanks."""
    return not text.strip(BLANKS)


def split_at_blanks(text: str) -> list[str]:
    """The pieces of a text between blanks, in order; none where it is blank."""
    return _WORD.findall(text)
