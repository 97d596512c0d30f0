"""Numbers for the kinds and actors of a tenant, in the order in which they appear; those after the 200th share one."""

from collections import defaultdict

from apps.facts.models import Label
from apps.facts.rules import LABELS, OTHER_LABEL
from apps.facts.sql import fetch

_OF_HOME = "SELECT dimension, text, number FROM facts_label WHERE home = %s"


class Labels:
    """The labels of the homes that a batch stores facts in; a new one is written when it is numbered."""

    def __init__(self) -> None:
        self._numbers: defaultdict[tuple[int, str], dict[str, int]] = defaultdict(dict)
        self._read: set[int] = set()

    def number(self, home: int, dimension: str, text: str) -> int:
        """The number of a label, OTHER_LABEL where all numbers are taken."""
        if home not in self._read:
            self._read.add(home)
            for known_in, known_text, given in fetch(_OF_HOME, (home,)):
                self._numbers[home, known_in][known_text] = given
        known = self._numbers[home, dimension]
        number = known.get(text)
        if number is not None:
            return number
        if len(known) >= LABELS:
            return OTHER_LABEL
        known[text] = len(known) + 1
        Label.objects.create(home=home, dimension=dimension, number=known[text], text=text)
        return known[text]
