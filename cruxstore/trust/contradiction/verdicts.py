"""What two statements are to each other, which detector says so, and by what sign."""

from enum import StrEnum
from typing import NamedTuple


class Relation(StrEnum):
    """What two statements are to each other; in doubt they are unrelated."""

    CONTRADICTION = "contradiction"
    REFINEMENT = "refinement"
    DUPLICATE = "duplicate"
    UNRELATED = "unrelated"


class Detector(StrEnum):
    """What decided a verdict."""

    TEXT = "text"
    ENTITY = "entity"
    SCOPE = "scope"
    FIELDS = "fields"
    NUMBERS = "numbers"
    DATES = "dates"
    NEGATION = "negation"
    ANTONYM = "antonym"
    SLOT = "slot"
    ROLE_ORDER = "role_order"
    WORDS = "words"


class Verdict(NamedTuple):
    """What two statements are to each other; `signal` says in a few words what stands against what."""

    relation: Relation
    detector: Detector
    signal: str
