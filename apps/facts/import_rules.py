"""What of a file is new to a store, and in which acts it is written.

1. A chain (entity and key) in the file is a sequence of statements. The longest part of its beginning that the store's
   chain already ends with is there; the rest is new. So a file brings nothing twice, and an interrupted import goes on
   where it was.
2. A fact that the door would refuse is not stored; it is listed with the reason. So is one that would lay a secret
   open: what is private is not followed by a fact that all may read.
3. An act holds at most 1,000 facts and 8 MiB of text, and no chain twice.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from apps.facts.formats.vocabulary import Proposed
from cruxstore.errors import RefusedFactError
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Timestamp
from cruxstore.newfacts import NewFact, check_new_fact

ACT_FACTS = 1_000
ACT_BYTES = 8 * 1024 * 1024

Statement = tuple[str, int | None, int | None]
"""A value with the two ends of its validity in microseconds: what makes two statements of a chain the same."""


class OpenAfterPrivateError(RefusedFactError):
    """What is private would be followed by a fact that all may read."""

    code = "open_after_private"


@dataclass(frozen=True)
class Held:
    """What the store's chain holds: its statements that are not deleted, oldest first; is the newest private?"""

    statements: tuple[Statement, ...]
    is_private: bool


@dataclass(frozen=True)
class Refused:
    """A fact of the file that cannot be stored, and why."""

    line: int
    entity: str
    key: str
    code: str
    reason: str


@dataclass(frozen=True)
class Plan:
    """What an import would do: facts to store in file order, what is there already, what is refused."""

    new: tuple[Proposed, ...]
    known: tuple[Proposed, ...]
    refused: tuple[Refused, ...]

    @classmethod
    def of(
        cls,
        stated: Iterable[Proposed],
        held: Mapping[tuple[str, str], Held],
        privacy: PrivacyPolicy,
    ) -> "Plan":
        """Sorts a file's facts by what would happen to each; `held` has the chains that the store has."""
        allowed, refused = [], []
        for fact in stated:
            before = held.get((fact.entity, fact.key))
            try:
                check_new_fact(as_new_fact(fact, import_id=""), privacy)
                if before is not None and before.is_private and not _becomes_private(fact, privacy):
                    raise OpenAfterPrivateError("The version before is private, and a new one would be open to all.")
            except RefusedFactError as error:
                refused.append(Refused(fact.line, fact.entity, fact.key, error.code, str(error)))
            else:
                allowed.append(fact)
        chains: defaultdict[tuple[str, str], list[Statement]] = defaultdict(list)
        for fact in allowed:
            chains[fact.entity, fact.key].append(statement_of(fact))
        left = {
            chain: overlap(statements, held[chain].statements) if chain in held else 0
            for chain, statements in chains.items()
        }
        new, known = [], []
        for fact in allowed:
            chain = (fact.entity, fact.key)
            if left[chain] > 0:
                left[chain] -= 1
                known.append(fact)
            else:
                new.append(fact)
        return cls(new=tuple(new), known=tuple(known), refused=tuple(refused))


def overlap(stated: Sequence[Statement], held: Sequence[Statement]) -> int:
    """How many statements from the beginning of `stated` the chain `held` already ends with."""
    for length in range(min(len(stated), len(held)), 0, -1):
        if tuple(stated[:length]) == tuple(held[-length:]):
            return length
    return 0


def acts(facts: Iterable[Proposed]) -> Iterator[tuple[Proposed, ...]]:
    """The facts in the acts that store them, in order."""
    act: list[Proposed] = []
    chains: set[tuple[str, str]] = set()
    size = 0
    for fact in facts:
        length = len(fact.value.encode("utf-8", "surrogatepass"))
        if act and (len(act) == ACT_FACTS or size + length > ACT_BYTES or (fact.entity, fact.key) in chains):
            yield tuple(act)
            act, chains, size = [], set(), 0
        act.append(fact)
        chains.add((fact.entity, fact.key))
        size += length
    if act:
        yield tuple(act)


def statement_of(fact: Proposed) -> Statement:
    """What makes this fact the same as another of its chain."""
    return fact.value, _microseconds(fact.valid_from), _microseconds(fact.valid_to)


def as_new_fact(fact: Proposed, *, import_id: str) -> NewFact:
    """The fact as the door takes it, with where it came from under `_import`."""
    return NewFact(
        entity=fact.entity,
        key=fact.key,
        value=fact.value,
        confidence=fact.confidence,
        private=fact.is_private,
        horizon_class=fact.horizon_class,
        actor=fact.actor,
        source_receipt=fact.source_receipt,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        extra={"_import": {"id": import_id, **fact.provenance()}},
    )


def _becomes_private(fact: Proposed, privacy: PrivacyPolicy) -> bool:
    return fact.is_private or privacy.is_born_private(fact.entity)


def _microseconds(moment: Timestamp | None) -> int | None:
    return None if moment is None else moment.ns // 1000
