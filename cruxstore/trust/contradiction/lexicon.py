"""What each word does in a sentence, looked up once: the lists of all languages, joined by their shared names.

A word that no list holds is something said: it counts by its stem. The language of a text is the one most of whose
words are in its lists; where too few are, the text is of none that is known.
"""

# ruff: noqa: SIM905 - lists of words read better as text

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from cruxstore.trust.contradiction.text import KNOWN_WORDS, plain, stem
from cruxstore.trust.contradiction.units import SYMBOLS
from cruxstore.trust.contradiction.words.english import ENGLISH
from cruxstore.trust.contradiction.words.families import KEYS, LABELS, OPPOSITES
from cruxstore.trust.contradiction.words.french import FRENCH
from cruxstore.trust.contradiction.words.german import GERMAN
from cruxstore.trust.contradiction.words.language import Cue, Language
from cruxstore.trust.contradiction.words.russian import RUSSIAN
from cruxstore.trust.contradiction.words.smaller import DUTCH, ITALIAN, POLISH, PORTUGUESE
from cruxstore.trust.contradiction.words.spanish import SPANISH

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN, ITALIAN, PORTUGUESE, DUTCH, POLISH)
GERMAN_AT = 1
MAIN = 5
"""The first so many are read whole; their months and days of the week are known in every text."""

UNKNOWN = len(LANGUAGES)
"""The number of a language that no list tells."""

ENOUGH = 0.2
"""The part of a sentence's words that its language must know."""

LAST = 999
"""The place of what comes last."""

SHORTEST_ROOT = 5
"""From how many letters on words with one root are taken for forms of one word."""

BREAKING = frozenset(".;!?,()[]{}:。，；：！？、|")
YES = frozenset("yes y true on oui ja si sim sì да tak ✓".split())
NO = frozenset("no n false off non nein nao не нет nie nee ✗".split())

_QUARTERS = {f"q{number}": 3 + number for number in range(1, 5)}
_JOINING = frozenset(("de", "nl"))
LONG = 8
"""From how many letters on a word may be two in one."""

_TAILS = ("anzahl", "zahl", "tag", "termin", "datum", "nummer", "dauer")
_VOTE_BITS = 9
_VOTE_MASK = (1 << _VOTE_BITS) - 1
_SILENT = (
    Cue.STOP,
    Cue.LIGHT,
    Cue.NEGATION,
    Cue.BREAK,
    Cue.EXCLUSIVE,
    Cue.PAST,
    Cue.HEDGE,
    Cue.AT_LEAST,
    Cue.AT_MOST,
    Cue.MORE_THAN,
    Cue.LESS_THAN,
    Cue.ABOUT,
    Cue.OR_MORE,
    Cue.OR_LESS,
    Cue.BETWEEN,
    Cue.TO,
    Cue.EVERY,
    Cue.START,
    Cue.END,
    Cue.NE,
    Cue.ONLY_AFTER_NE,
    Cue.AND,
    Cue.THAN,
    Cue.END_OF,
    Cue.START_OF,
    Cue.MIDDLE_OF,
    Cue.ANY,
)
_QUIET = 1 << Cue.STOP | 1 << Cue.LIGHT
SILENT = sum(1 << cue for cue in _SILENT)


_Words = TypeVar("_Words")


class Word:
    """What one word or phrase does."""

    __slots__ = (
        "axes",
        "breaks",
        "concept",
        "cues",
        "day_part",
        "digits",
        "fraction",
        "is_plain",
        "is_short",
        "is_silent",
        "is_time",
        "month",
        "number",
        "ordinal",
        "phrases",
        "relations",
        "scale",
        "season",
        "stem",
        "text",
        "unit",
        "weekday",
    )

    def __init__(self, text: str, stem_: str) -> None:
        self.text = text
        self.stem = stem_
        self.concept = ""
        self.cues = 0
        self.axes: tuple[tuple[str, int], ...] = ()
        self.relations: tuple[tuple[str, int], ...] = ()
        self.number: float | None = None
        self.fraction: float | None = None
        self.scale = 0
        self.ordinal = 0
        self.month = 0
        self.season = -1
        self.weekday = -1
        self.day_part = ""
        self.unit = ""
        self.digits = ""
        self.breaks = False
        self.phrases: dict[str, tuple[tuple[tuple[str, ...], Word], ...]] = {}
        self.is_plain = True
        self.is_silent = False
        self.is_short = len(text) == 1 and text.isalpha()
        self.is_time = False

    def settled(self) -> "Word":
        """The word, with what is asked of it most often worked out."""
        self.is_time = bool(
            self.number is not None
            or self.fraction
            or self.scale
            or self.ordinal
            or self.month
            or self.season >= 0
            or self.weekday >= 0
            or self.day_part
            or self.digits
            or self.unit.startswith("every ")
        )
        self.is_plain = not (self.cues or self.axes or self.relations or self.breaks or self.is_time)
        self.is_silent = bool(self.cues) and not (
            self.cues & ~_QUIET
            or self.axes
            or self.relations
            or self.breaks
            or self.is_time
            or self.concept
            or self.unit
        )
        if self.concept:
            self.stem = self.concept
        return self


class Lexicon(dict[str, Word]):
    """The words of one language by their tokens; one that is new is worked out when first asked for."""

    def __init__(self, languages: Sequence[Language], *, is_whole: bool = True) -> None:
        super().__init__()
        self._known: dict[str, Word] = {}
        self._stems: dict[str, Word] = {}
        for language in languages:
            self._take_times(language)
            if is_whole:
                self._take(language)
        self._own = frozenset(self._known)
        for language in LANGUAGES[:MAIN]:
            self._take_calendar(language)
        self._joins = any(language.name in _JOINING for language in languages) and is_whole
        for symbol, unit in SYMBOLS.items():
            entry = self._entry(symbol)
            entry.unit = unit
            if not symbol[0].isalpha():
                entry.cues |= 1 << Cue.STOP
        for word in self._known.values():
            word.settled()
        for text, word in list(self._known.items()):
            root = stem(text)
            if (
                " " not in text
                and (word.axes or word.concept)
                and len(root) >= SHORTEST_ROOT - bool(word.axes and not word.concept) - (root[0] >= "а")
            ):
                self._stems.setdefault(root, word)

    def __missing__(self, token: str) -> Word:
        if len(self) > KNOWN_WORDS:
            self.clear()
        word = self._made(token)
        self[token] = word
        return word

    def knows(self) -> Iterable[str]:
        """Every word of the lists, plain."""
        return (text for text in self._own if " " not in text)

    def _made(self, token: str) -> Word:
        text = plain(token)
        known = self._known.get(text)
        if known is not None:
            return known
        word = Word(text, text)
        if text[0].isdigit():
            word.digits = text
        elif text in _QUARTERS:
            word.season = _QUARTERS[text]
        elif token in BREAKING:
            word.breaks = True
        elif not text[0].isalpha():
            word.cues = 1 << Cue.STOP
        else:
            word.stem = stem(_head(text))
            like = self._stems.get(word.stem) if text.isalpha() else None
            single = self._known.get(text[:-1]) if text.endswith("s") and len(text) > 3 else None
            if like is None and single is not None and (single.concept or single.axes):
                like = single
            if like is None and self._joins and len(text) > LONG:
                like = self._last_part(text)
            if like is not None:
                word.axes, word.concept = like.axes, like.concept
        return word.settled()

    def ends_known(self, text: str) -> bool:
        """Whether a long word ends with one that names a concept."""
        return self._last_part(text) is not None

    def _last_part(self, text: str) -> Word | None:
        """The concept that a compound ends with: Vertragsbeginn is a beginning."""
        for start in range(3, len(text) - 4):
            part = self._known.get(text[start:])
            if part is not None and part.concept:
                return part
        return None

    def _entry(self, spelled: str) -> Word:
        text = spelled.replace("_", " ").strip()
        word = self._known.get(text)
        if word is not None:
            return word
        word = self._known[text] = Word(text, stem(text))
        first, *rest = text.split()
        if rest:
            head = self._entry(first)
            known = head.phrases.get(rest[0], ())
            head.phrases[rest[0]] = tuple(sorted((*known, (tuple(rest), word)), key=lambda phrase: -len(phrase[0])))
        return word

    def _take_calendar(self, language: Language) -> None:
        for at, words in enumerate(language.months):
            for each in self._entries(words):
                each.month = each.month or at + 1
        for at, words in enumerate(language.weekdays):
            for each in self._entries(words):
                each.weekday = at if each.weekday < 0 else each.weekday

    def _take_times(self, language: Language) -> None:
        self._take_calendar(language)
        for at, words in enumerate(language.seasons):
            for each in self._entries(words):
                each.season = at
        for text, part in language.day_parts.items():
            self._entry(text).day_part = part
        for unit, words in language.units.items():
            for each in self._entries(words):
                each.unit = unit.rstrip("_") if unit not in ("in_", "a_") else unit

    def _take(self, language: Language) -> None:
        for cue, words in language.cues.items():
            for each in self._entries(words):
                each.cues |= 1 << cue
        for text, number in language.numbers.items():
            self._entry(text).number = float(number)
        for text, fraction in language.fractions.items():
            self._entry(text).fraction = fraction
        for text, scale in language.scales.items():
            self._entry(text).scale = scale
        for at, words in enumerate(language.ordinals):
            for each in self._entries(words):
                each.ordinal = at + 1
        for each in self._entries(language.last):
            each.ordinal = LAST
        for each in self._entries(LABELS.get(language.name, "")):
            each.cues |= 1 << Cue.LABEL
        for axis, sides in _of_one(OPPOSITES, language.name, language.axes):
            for pole, words in zip((1, -1), sides, strict=True):
                for each in self._entries(words):
                    if (axis, pole) not in each.axes:
                        each.axes = (*each.axes, (axis, pole))
        for concept, words in _of_one(KEYS, language.name, language.concepts):
            for each in self._entries(words):
                each.concept = each.concept or f"={concept}"
        for relation, sides in language.relations.items():
            for direction, words in zip((1, -1), sides, strict=True):
                for each in self._entries(words):
                    each.relations = (*each.relations, (relation, direction))

    def _entries(self, words: str) -> Iterator[Word]:
        return map(self._entry, words.split())


def _of_one(
    families: Mapping[str, Mapping[str, _Words]], language: str, own: Mapping[str, _Words]
) -> Iterator[tuple[str, _Words]]:
    """A language's own lists, and then its rows of the families."""
    yield from own.items()
    for name, rows in families.items():
        if language in rows:
            yield name, rows[language]


def _head(text: str) -> str:
    """What a German compound is about: the number of members, the day of the rehearsal."""
    for tail in _TAILS:
        head = text.removesuffix(tail)
        if len(head) > 4 and head != text:
            return head.removesuffix("s") if head.endswith(("ngs", "ts")) else head
    return text


LEXICONS = (*(Lexicon((language,)) for language in LANGUAGES), Lexicon(LANGUAGES, is_whole=False))
"""One for each language; the last, for texts of none that is known, holds months, days and units of all."""


def _votes() -> Mapping[str, int]:
    votes: defaultdict[str, int] = defaultdict(int)
    for at, lexicon in enumerate(LEXICONS[:UNKNOWN]):
        for word in lexicon.knows():
            votes[word] += 1 << (_VOTE_BITS * at)
    return dict(votes)


_VOTES = _votes()


class _PlainVotes(dict[str, int]):
    def __missing__(self, token: str) -> int:
        if len(self) > KNOWN_WORDS:
            self.clear()
        text = plain(token)
        vote = _VOTES.get(text) or _VOTES.get(_head(text), 0)
        if not vote and len(text) > LONG and LEXICONS[GERMAN_AT].ends_known(text):
            vote = 1 << (_VOTE_BITS * GERMAN_AT)
        self[token] = vote
        return vote


_PLAIN_VOTES = _PlainVotes()


def count_votes(tokens: Sequence[str]) -> int:
    """For how many of the tokens each language stands, packed into one number."""
    return sum(map(_PLAIN_VOTES.__getitem__, tokens))


@lru_cache(maxsize=KNOWN_WORDS)
def language_of(votes: int, words: int) -> int:
    """The number of the language with the most votes of so many words; unknown where too few know them."""
    best, most = UNKNOWN, 0
    for language in range(len(LANGUAGES)):
        count = (votes >> (_VOTE_BITS * language)) & _VOTE_MASK
        if count > most:
            best, most = language, count
    return best if most >= ENOUGH * words else UNKNOWN


def words_of(tokens: Sequence[str], language: int) -> list[Word]:
    """What the tokens are in a language, phrases taken as one word."""
    words = list(map(LEXICONS[language].__getitem__, tokens))
    at, end = 0, len(words)
    merged: list[Word] = []
    for start, word in enumerate(words):
        if start < at:
            continue
        at = start + 1
        if word.phrases and at < end and words[at].text in word.phrases:
            for rest, phrase in word.phrases[words[at].text]:
                if at + len(rest) <= end and all(words[at + by].text == text for by, text in enumerate(rest)):
                    word = phrase
                    at += len(rest)
                    break
        merged.append(word)
    return merged
