"""Numbers for the kinds and actors of a tenant, in the order in which they appear; those after the 200th share one."""

from apps.facts.models import Label
from apps.facts.rules import LABELS, OTHER_LABEL


class Labels:
    """The labels of the homes that a batch stores facts in; a new one is written when it is numbered."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], dict[str, int]] = {}

    def number(self, home: int, dimension: str, text: str) -> int:
        """The number of a label, OTHER_LABEL where all numbers are taken."""
        known = self._numbers.get((home, dimension))
        if known is None:
            kept = Label.objects.filter(home=home, dimension=dimension)
            known = self._numbers[home, dimension] = dict(kept.values_list("text", "number"))
        number = known.get(text)
        if number is not None:
            return number
        if len(known) >= LABELS:
            return OTHER_LABEL
        known[text] = len(known) + 1
        Label.objects.create(home=home, dimension=dimension, number=known[text], text=text)
        return known[text]
