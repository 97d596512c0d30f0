"""How often the detectors are right on labelled pairs, told in total only.

A held-out part stays worth something as long as nobody learns from its single pairs: so this tells counts, never pairs.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import orjson

from cruxstore.trust.contradiction.compare import compare
from cruxstore.trust.contradiction.statement import read_statement
from cruxstore.trust.contradiction.verdicts import Relation


class LabelledPair(NamedTuple):
    """Two facts, each as entity, key and value, and what a reader says that they are to each other."""

    first: tuple[str, str, str]
    second: tuple[str, str, str]
    label: Relation


class Score(NamedTuple):
    """Of the pairs said to be of one relation, how many are; of those that are, how many were said to be."""

    right: int
    said: int
    labelled: int

    @property
    def precision(self) -> float:
        """The part of what was said that is right; 1 where nothing was said."""
        return self.right / self.said if self.said else 1.0

    @property
    def recall(self) -> float:
        """The part of what is there that was said; 1 where there is nothing."""
        return self.right / self.labelled if self.labelled else 1.0


class Measured(NamedTuple):
    """How the detectors did on one part."""

    pairs: int
    contradictions: Score
    duplicates: Score

    @property
    def errors(self) -> float:
        """The part of all pairs that were wrongly said, or not said, to contradict each other."""
        score = self.contradictions
        return (score.said + score.labelled - 2 * score.right) / self.pairs


def read_pairs(path: Path) -> list[LabelledPair]:
    """The labelled pairs of a file, one JSON object a line."""
    pairs = []
    for line in path.read_bytes().splitlines():
        read = orjson.loads(line)
        first, second = ((read[side]["entity"], read[side]["key"], read[side]["value"]) for side in ("a", "b"))
        pairs.append(LabelledPair(first, second, Relation(read["label"])))
    return pairs


def measure(pairs: Iterable[LabelledPair]) -> Measured:
    """How the detectors do on these pairs."""
    judged = [
        (compare(read_statement(*pair.first), read_statement(*pair.second)).relation, pair.label) for pair in pairs
    ]
    return Measured(len(judged), _score(judged, Relation.CONTRADICTION), _score(judged, Relation.DUPLICATE))


def _score(judged: list[tuple[Relation, Relation]], relation: Relation) -> Score:
    return Score(
        right=sum(said == label == relation for said, label in judged),
        said=sum(said == relation for said, _ in judged),
        labelled=sum(label == relation for _, label in judged),
    )
