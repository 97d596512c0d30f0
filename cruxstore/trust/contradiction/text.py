"""Text as the detectors read it: folded, cut into tokens, and a word without its endings.

    "L'atelier n'est PAS chauffé à 17 °C."  ->  l atelier n est pas chauffe a 17 ° c .

Folding is NFKC, casefold, NFKC: a text that was folded before comes out the same. Stems serve only to tell whether two
words are forms of one word; the endings are those of English, German, French, Spanish and Russian together, so that a
word has one stem whatever language its sentence was taken for.
"""

# ruff: noqa: SIM905 - lists of words read better as text

import re
import unicodedata
from functools import lru_cache

LONGEST_READ = 600
"""Characters of a value that are read; what follows only counts when whole texts are equal."""

KNOWN_WORDS = 1 << 16

_TOKEN = re.compile(
    r"""
      [^\W\d_]+(?:(?:[-–][^\W\d_]+)*[-–]?\d\w*(?:-\w+)*)?    # a word; f3, v-7, eu-west-1, m3
    | \d{4}-\d{1,2}(?:-\d{1,2}(?:t[\d:.]+z?)?)?(?![\d-])    # 2026-03-21, 2026-03
    | \d{4}/\d{1,2}/\d{1,2}(?!\d)
    | \d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\.?\d)               # 21.03.2026
    | \d{1,2}\.\d{1,2}\.(?![\d])                          # 21.03.
    | \d{1,2}:\d{2}(?::\d{2})?(?![\d])                     # 14:05
    | \d+(?:\.\d+)*\.x\b                                  # 2.x
    | \d{1,4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)? | \d{1,2}月(?:\d{1,2}[日号])?    # 2026年4月10日
    | \d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?!\d)              # 53 000
    | \d+(?:[.,]\d+)*
    | (?!(?<=[^\W\d_])-(?=[^\W\d_]))[^\s\w'’"«»“”„‘`]
    """,
    re.VERBOSE,
)
_WORDS = re.compile(r"[a-z]+|[^\sa-z0-9_'\"`-]")
"""The same for what is ASCII and has no digit."""

_DIGIT = re.compile(r"\d")
_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "ё": "е"}
)

_LATIN_ENDINGS = sorted(
    """
        ych ymi ami ach ego ow amente iendo ement lich ando aron eron ieron aban amos imos ado ada ido ida
        ation ion ing ied ed er ern em en al ar ir ez ic
    """.split(),
    key=len,
    reverse=True,
)
_SHORT_ENDINGS = frozenset(("en", "er", "ed", "ar", "ir", "ing", "ied"))
_CYRILLIC_ENDINGS = sorted(
    (
        "иями ями ами его ого ему ому ыми ими ешь ишь ется ится ются ятся ать ять еть ить уть "
        "ых их ый ий ой ая яя ое ее ые ие ов ев ей ам ям ах ях ом ем ую юю ет ют ут ит ат ят ил ыл ал ял ел "
        "ла ло ли ть ти а я о е ы и у ю ь й л"
    ).split(),
    key=len,
    reverse=True,
)


def fold(text: str) -> str:
    """The text without differences of capitals and of compatible characters."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return folded if folded == text else fold(folded)


def tokens_of(folded: str) -> list[str]:
    """Words, numbers, dates, identifiers and marks, in order."""
    if folded.isascii() and not _DIGIT.search(folded) and "-" not in folded:
        return _WORDS.findall(folded)
    return _TOKEN.findall(folded)


def plain(token: str) -> str:
    """A token without accents, umlauts written out."""
    if token.isascii():
        return token
    spelled = token.translate(_UMLAUTS)
    if spelled.isascii() or "а" <= spelled[0] <= "я":
        return spelled
    bare = "".join(each for each in unicodedata.normalize("NFD", spelled) if not unicodedata.combining(each))
    return bare or token


@lru_cache(maxsize=KNOWN_WORDS)
def stem(word: str) -> str:
    """A plain word without its endings."""
    if "а" <= word[0] <= "я":
        return _cyrillic_stem(word)
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    if word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 6:
        word = word.removesuffix("ly")
    while len(word) > 4 and word[-1] in "aeiouy":
        word = word[:-1]
    for ending in _LATIN_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= (3 if ending in _SHORT_ENDINGS else 4):
            word = word[: -len(ending)]
            break
    if len(word) > 6:
        word = word.removesuffix("at").removesuffix("er")
    while len(word) > 3 and word[-1] in "aeiouy":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _cyrillic_stem(word: str) -> str:
    if len(word) < 4:
        return word
    word = word.removesuffix("ся").removesuffix("сь")
    for ending in _CYRILLIC_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
