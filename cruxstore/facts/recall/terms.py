"""How well a fact answers what was typed: any-term matching, and the score that sets answers apart from filler.

A fact matches when any word of the query is part of its value, key or entity. Its score is the mean over the query's
terms: 1.0 for a whole word of the value or any part of entity or key, 0.5 for a part of a word of the value. A query
of one word with a colon is an address, such as `gate:M2`: what it names scores 1.0.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from cruxstore.errors import BlankQueryError
from cruxstore.facts.blanks import BLANKS, is_blank_text, split_at_blanks

MATCH_FLOOR: Final = 0.45
STRONG_SCORE: Final = 0.70
SHORTEST_TERM: Final = 3
SUBSTRING_WEIGHT: Final = 0.5
STOPWORDS: Final = frozenset(
    b"about after again all and any are been before but can does during each few for from further had has have here "
    b"how into its just more most new not now once only other our over own same some such than that the their then "
    b"there these this those too under use using very was were what when where which while who whom why with "
    b"you".split()
)

_RUN: Final = re.compile(rb"[a-z0-9_]+")
_OFF: Final = ("", "0", "false", "off", "no")
_NUMBER: Final = re.compile(r"\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.ASCII)


class MatchTier(StrEnum):
    """How an answer relates to the query; `NONE` for one that nothing answers, `UNSCORED` where nobody measured."""

    STRONG = "strong"
    PARTIAL = "partial"
    FALLBACK = "fallback"
    NONE = "none"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class MatchFloor:
    """The score from which a fact counts as an answer; no floor where it is None."""

    score: float | None = MATCH_FLOOR

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """The floor that the daemon's own variable asks for; what cannot be read asks for the usual one."""
        text = environment.get("CORECRUXD_RECALL_MATCH_FLOOR")
        if text is None:
            return cls()
        text = text.strip(BLANKS).lower()
        if text in _OFF:
            return cls(None)
        # 1 says that there is a floor, not where
        if text != "1" and _NUMBER.fullmatch(text) and float(text) <= 1:
            return cls(float(text))
        return cls()

    def tier(self, score: float | None) -> MatchTier:
        """What a score is called; unscored where there is none."""
        if score is None or self.score is None:
            return MatchTier.UNSCORED
        if score < self.score:
            return MatchTier.FALLBACK
        return MatchTier.STRONG if score >= STRONG_SCORE else MatchTier.PARTIAL


class SearchText:
    """What was typed into a search; raises BlankQueryError where that is nothing."""

    def __init__(self, query: str) -> None:
        if is_blank_text(query):
            raise BlankQueryError("The search is empty. Type a word, or leave the search out.")
        words = split_at_blanks(query)
        self._words = [word.lower() for word in words]
        runs = _RUN.findall(_ascii_lowered(query))
        self._terms = list(dict.fromkeys(run for run in runs if len(run) >= SHORTEST_TERM and run not in STOPWORDS))
        self._whole_words = [re.compile(rb"(?<![a-z0-9_])" + term + rb"(?![a-z0-9_])") for term in self._terms]
        self._address = _as_address(words[0]) if len(words) == 1 and ":" in query else None

    @property
    def words(self) -> tuple[str, ...]:
        """The words in lower case: a fact holds one of them in lower case, or it is addressed, or it does not match."""
        return tuple(dict.fromkeys(self._words))

    @property
    def address_parts(self) -> tuple[str, ...] | None:
        """What an address has between its colons: each stands in the entity or in the key; None where it is none."""
        if self._address is None:
            return None
        return tuple(part.decode(errors="surrogatepass") for part in self._address.split(b":") if part)

    def matches(self, entity: str, key: str, value: str) -> bool:
        """Whether any word is part of the fact, or the address names it."""
        fields = value.lower(), key.lower(), entity.lower()
        if any(word in field for word in self._words for field in fields):
            return True
        return self._is_addressed(entity, key)

    def score(self, entity: str, key: str, value: str) -> float:
        """How much of the query the fact answers, from 0 to 1; a query that asks for nothing is answered by all."""
        if self._is_addressed(entity, key):
            return 1.0
        if not self._terms:
            return 1.0 if self._address is None else 0.0
        place, text = _ascii_lowered(f"{entity} {key}"), _ascii_lowered(value)
        total = 0.0
        for term, whole_word in zip(self._terms, self._whole_words, strict=True):
            if term in place or whole_word.search(text):
                total += 1.0
            elif term in text:
                total += SUBSTRING_WEIGHT
        return total / len(self._terms)

    def _is_addressed(self, entity: str, key: str) -> bool:
        if self._address is None:
            return False
        place, name = _as_address(entity), _ascii_lowered(key)
        # what an address prefixes as an entity it prefixes with the key behind it too
        return name == self._address or (place + b":" + name).startswith(self._address)


def contains_any_case(needle: str, *texts: str) -> bool:
    """Whether one text, taken whole, is part of any of the others; letters in either case."""
    lowered = needle.lower()
    return any(lowered in text.lower() for text in texts)


def _as_address(text: str) -> bytes:
    return _ascii_lowered(text).strip().replace(b"::", b":")


def _ascii_lowered(text: str) -> bytes:
    # only A to Z change; everything else keeps its bytes, none of which belongs to a word
    return text.encode(errors="surrogatepass").lower()
