"""Keys: what they are about, which can have one value only, and which are of many.

owner, default branch, capital of Kazakhstan   one value
languages, likes, readings, tools used         as many as there are
"""

# ruff: noqa: SIM905 - lists of words read better as text

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from cruxstore.trust.contradiction.lexicon import LAST, LEXICONS, Word, count_votes, words_of
from cruxstore.trust.contradiction.text import tokens_of
from cruxstore.trust.contradiction.words.language import Cue

KNOWN_KEYS = 1 << 14

SINGLE = frozenset(
    f"={name}"
    for name in """
        owner boss lead birthday capital ceo president mayor founder branch region spouse mother father
        blood colour deadline rank hq title age birthplace written home assignee timezone default primary
        favourite current doctor deputy gender nationality currency winner insurer teacher mentor tutor
        password license venue port version city author diagnosis host employer coach landlord notary
        bank accountant vet dentist manufacturer native_language breed species religion surname
        star_sign marital platform package_manager message_broker fuel hair heir treasurer
        recipient sender plan priority pronouns encoding registrar publisher
    """.split()
)
"""What a thing has one of."""

CODES = frozenset(f"={name}" for name in "phone email address port version password".split())
"""What is spelled rather than said: another spelling is another value."""

DATED = frozenset(f"={name}" for name in "birthday deadline start end release arrive day wedding next".split())
"""What happens at one date."""

MEASURED = {
    "time": frozenset(("=duration", "=length", "=age")),
    "length": frozenset(("=length", "=height", "=size")),
    "money": frozenset(("=price", "=size", "=budget")),
    "mass": frozenset(("=weight", "=limit")),
    "data": frozenset(("=size", "=limit")),
    "area": frozenset(("=area", "=size")),
    "volume": frozenset(("=limit", "=size")),
    "temperature": frozenset(("=temperature",)),
    "count": frozenset(("=size", "=headcount", "=limit")),
}
"""Which keys may ask for the same measure, though in other words: the length of a contract is its duration."""

PREDICATES = frozenset(("=written", "=birthplace", "=home"))
"""What, where two sentences both say it, can be true of one value only."""

LIMITS = frozenset(("=limit",))
RANKS = frozenset(("=rank",))
PEOPLE = frozenset(
    f"={name}"
    for name in """
        owner boss lead ceo president mayor founder spouse mother father doctor deputy winner teacher mentor
        tutor contact author coach landlord notary accountant vet dentist heir treasurer recipient sender
    """.split()
)

_MANY = frozenset(
    """
        languages likes hobbies tools members visits notes readings log history allergies skills interests
        pets children tags friends contacts trips travel travels medication measurements events tasks speaks
        knows dislikes drinks bins preferences ingredients features dependencies incidents comments sprachen
        hobbys werkzeuge mitglieder notizen besuche messwerte kinder haustiere spricht mag langues outils
        membres visites enfants voyages aime aiment idiomas herramientas miembros notas visitas hijos
        mascotas viajes gusta gustos языки инструменты участники заметки дети питомцы поездки любит
        увлечения владеет aliases versions ports colours colors titles models authors founders venues cities
        deadlines regions environments clients customers offices branches owners managers
    """.split()
)
_ENDS = ((1 << Cue.START_OF, "=start"), (1 << Cue.END_OF, "=end"))
_SINCE_UNTIL = dict.fromkeys("since seit depuis desde".split(), "=start") | dict.fromkeys(
    "until till bis hasta jusqu".split(), "=end"
)
_DAYS = ("tag", "termin", "datum")
_LIGHT_KEYS = frozenset(
    """
        of the number count nombre anzahl zahl numero número число количество info information name value
        policy total current who may is in what on
    """.split()
)
_SPARE = (1 << Cue.STOP) | (1 << Cue.AND) | (1 << Cue.PER) | (1 << Cue.EVERY)


class Kinship(IntEnum):
    """What two keys are to each other."""

    SAME = 0
    NESTED = 1
    CROSSED = 2
    APART = 3


class Key(NamedTuple):
    """What a key is about."""

    words: frozenset[str]
    axes: dict[str, int]
    is_single: bool
    is_many: bool
    is_dated: bool
    is_limit: bool
    is_rank: bool
    is_code: bool
    is_age: bool
    is_label: bool
    is_of_people: bool


@lru_cache(maxsize=KNOWN_KEYS)
def read_key(key: str, language: int) -> Key:
    """What a folded key is about, in a language."""
    words = words_of(tokens_of(key), language)
    about = frozenset(word.stem for word in words if _tells(word)) | frozenset(
        name for word in words for cue, name in _ENDS if word.cues & cue and " " in word.text
    )
    about |= {_SINCE_UNTIL[word.text] for word in words if word.text in _SINCE_UNTIL}
    singles = about & SINGLE
    is_many = any(word.text in _MANY for word in words)
    return Key(
        about,
        {axis: pole for word in words for axis, pole in word.axes},
        bool(singles) and not is_many,
        is_many,
        bool(about & DATED) or key.endswith(_DAYS) or any(word.ordinal in (1, LAST) for word in words),
        bool(about & LIMITS),
        bool(about & RANKS),
        bool(about & CODES),
        "=age" in about,
        any(word.cues & (1 << Cue.LABEL) for word in words),
        bool(about & PEOPLE),
    )


def _tells(word: Word) -> bool:
    if word.breaks or word.ordinal in (1, LAST) or (word.text in _LIGHT_KEYS and not word.concept):
        return False
    if word.concept or word.axes or word.digits:
        return True
    return not word.cues & _SPARE and (word.is_plain or word.is_time or bool(word.cues))


@lru_cache(maxsize=KNOWN_KEYS)
def kinship(first: frozenset[str], second: frozenset[str]) -> Kinship:
    """What two keys are to each other, by their words."""
    if first == second:
        return Kinship.SAME
    if not first or not second:
        return Kinship.NESTED
    if first.isdisjoint(second):
        return Kinship.NESTED if len(first) == len(second) == 1 and _is_compound(*first, *second) else Kinship.APART
    if first <= second or second <= first:
        return Kinship.NESTED
    return Kinship.CROSSED


def _is_compound(one: str, other: str) -> bool:
    """Whether one word ends with the other: Bienenvölker, Völker."""
    return min(len(one), len(other)) > 4 and (one.endswith(other) or other.endswith(one)) and "=" not in one + other


@lru_cache(maxsize=KNOWN_KEYS)
def votes_of(text: str) -> tuple[int, int]:
    """For how many of its words each language stands, and of how many."""
    tokens = [token for token in tokens_of(text) if token[0].isalpha()]
    return count_votes(tokens), len(tokens)


@lru_cache(maxsize=KNOWN_KEYS)
def entity_words(entity: str) -> frozenset[str]:
    """The words of an entity's name that tell it from others."""
    tokens = tokens_of(entity)
    told = frozenset(
        word.stem
        for language in range(len(LEXICONS))
        for word in words_of(tokens, language)
        if not word.breaks and word.text[0].isalnum() and word.text not in _GENERIC
    )
    return told or frozenset((entity,))


_GENERIC = frozenset(
    """
        ltd limited gmbh inc llc ag sa sarl sl plc co corp company ооо зао the der die das la le les el los
        l d s de of du des del mr mrs ms herr frau
    """.split()
)
