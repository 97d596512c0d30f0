"""What a scan makes of facts, decided from values alone.

1. A scan only finds: nothing it says changes a fact.
2. Every finding is of one kind, says which detector found it, and names both sides; one that is about a single fact
   (expiry) has no second.
3. A pair is looked at only where one side is new since the last scan. It is found once, by the first detector that
   finds it.
4. Facts of one entity and key that are current at once are compared with each other. Across keys only sentences are,
   and only where a key does not say what its value is about (`notes`, `observation:3f2a`): else the key is the subject.
5. A chain flips where one writer brings back the value that another had replaced.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from apps.facts.answers import Scanned
from cruxstore.facts.contradictions import polarity_of

EXPIRY_REASONS = ("stale_past_horizon", "low_confidence", "stale_and_low_confidence")
LOW_CONFIDENCE = 0.3
PROTECTED_CONFIDENCE = 0.99
FEW = 24
CROWD = 30
MOST_PARTNERS = 5
LEAST_SHARED = 3
SHARED_PART = 0.6
MOST_HEADS = 50
"""How many current facts of one entity and key are compared with each other, the newest."""

_OPEN_KEY = re.compile(r"\d|note|observation|remark|comment|memo|summary|description|fact|text|about", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}|\d+")


class Kind(StrEnum):
    """What a finding says of its sides."""

    CONTRADICTION = "contradiction"
    DUPLICATE = "duplicate"
    UPDATE = "update"
    OVERLAP = "overlap"
    EXPIRY = "expiry"


class Pair(NamedTuple):
    """Two facts to be compared; the second is the newer one."""

    first: Scanned
    second: Scanned


class Found(NamedTuple):
    """A finding before it is written: ids alone."""

    kind: Kind
    detector: str
    first_id: str
    second_id: str


def flip_of(versions: Sequence[Scanned]) -> Found | None:
    """What the last three versions of a chain say: one writer wrote a, another b, and a is back."""
    if len(versions) < 3:
        return None
    before, between, newest = versions[-3:]
    is_back = before.search_text == newest.search_text != between.search_text
    if not is_back or between.actor in (before.actor, newest.actor) or not newest.is_current:
        return None
    return Found(Kind.CONTRADICTION, "flip", between.fact_id, newest.fact_id)


def pairs_of_heads(heads: Sequence[Scanned]) -> Iterator[Pair]:
    """The current facts of one entity and key that hold at the same time, each with each."""
    for first, second in combinations(heads[-MOST_HEADS:], 2):
        if overlap(first, second):
            yield Pair(first, second)


def overlap(one: Scanned, other: Scanned) -> bool:
    """Whether both hold at some moment: intervals are closed at their start and open at their end."""
    starts = [fact.valid_from_us for fact in (one, other) if fact.valid_from_us is not None]
    ends = [fact.valid_to_us for fact in (one, other) if fact.valid_to_us is not None]
    return not starts or not ends or max(starts) < min(ends)


def opposed(first: Scanned, second: Scanned) -> bool:
    """Whether one says yes and the other no, by the daemon's own rule."""
    ways = {polarity_of(first.value), polarity_of(second.value)}
    return None not in ways and len(ways) == 2


def is_sentence(value: str) -> bool:
    """Whether a value says enough by itself to be compared with one under another key."""
    return value.count(" ") >= 3 and not value.startswith(("{", "["))


def sentence_pairs(heads: Sequence[Scanned], newest: Callable[[Scanned], bool]) -> Iterator[Pair]:
    """Sentences of one entity under different keys that share enough words to be about one thing, one side being new.

    A word that many of them hold tells nothing; each new one is paired with at most a few, those that share the most.
    """
    if not any(is_open_key(fact.key) for fact in heads):
        return
    told = [(fact, told_words(value)) for fact in heads if is_sentence(value := fact.value)]
    if len(told) < 2:
        return
    new = [newest(fact) for fact, _ in told]
    partners = _partners_of_few if len(told) <= FEW else _partners_of_many
    for at, others in partners([words for _, words in told], new):
        fact, words = told[at]
        for other, shared in others:
            partner, partner_words = told[other]
            is_enough = shared >= LEAST_SHARED and shared >= SHARED_PART * min(len(words), len(partner_words))
            is_open = is_open_key(fact.key) or is_open_key(partner.key)
            if is_enough and is_open and overlap(fact, partner):
                yield Pair(*sorted((fact, partner)))


def _partners_of_few(
    told: Sequence[frozenset[str]], new: Sequence[bool]
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """For each new one, how many words it shares with those before it and with the old ones; the most first."""
    for at, words in enumerate(told):
        if new[at]:
            others = (other for other in range(len(told)) if other < at or not new[other])
            shared = [(other, len(words & told[other])) for other in others]
            shared.sort(key=lambda pair: -pair[1])
            yield at, shared[:MOST_PARTNERS]


def _partners_of_many(
    told: Sequence[frozenset[str]], new: Sequence[bool]
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The same by way of the words that not too many hold."""
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for at, words in enumerate(told):
        for word in words:
            holders[word].append(at)
    for at, words in enumerate(told):
        if new[at]:
            shared: Counter[int] = Counter()
            for word in words:
                if len(others := holders[word]) <= CROWD:
                    # of two new ones the later one looks at the earlier
                    shared.update(other for other in others if other < at or not new[other])
            yield at, shared.most_common(MOST_PARTNERS)


def is_open_key(key: str) -> bool:
    """Whether a key leaves open what its value is about: it is numbered, or a word for any remark."""
    return _OPEN_KEY.search(key) is not None


def told_words(value: str) -> frozenset[str]:
    """The words of a value that tell something: those of four letters and more, and numbers."""
    return frozenset(_WORD.findall(value))


def once(found: Iterable[Found]) -> Iterator[Found]:
    """Each pair as it was found first."""
    seen = set()
    for each in found:
        if (each.first_id, each.second_id) not in seen:
            seen.add((each.first_id, each.second_id))
            yield each


def expiry_reason(*, is_stale: bool, confidence: float) -> str:
    """Why a fact may have had its day, in the daemon's words."""
    stale, unsure, both = EXPIRY_REASONS
    if not is_stale:
        return unsure
    return both if confidence < LOW_CONFIDENCE else stale


def is_protected(*, has_receipt: bool, confidence: float, is_pinned: bool) -> bool:
    """Whether a public fact is never proposed to go."""
    return has_receipt or confidence >= PROTECTED_CONFIDENCE or is_pinned
