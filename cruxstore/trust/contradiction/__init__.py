"""Whether two facts contradict each other, say the same, or one says more: by rules and word lists, nothing learned.

first = read_statement("staging", "timeout", "30 s")
second = read_statement("staging", "timeout", "The timeout is two minutes.")
compare(first, second).relation  # Relation.CONTRADICTION, decided by Detector.NUMBERS
"""

from cruxstore.trust.contradiction.compare import DETECTORS_VERSION, compare, is_comparable
from cruxstore.trust.contradiction.statement import Statement, read_statement
from cruxstore.trust.contradiction.verdicts import Detector, Relation, Verdict

__all__ = [
    "DETECTORS_VERSION",
    "Detector",
    "Relation",
    "Statement",
    "Verdict",
    "compare",
    "is_comparable",
    "read_statement",
]
