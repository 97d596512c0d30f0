"""Row ids for new facts: ordinals that are never given twice in a build, even after a fact is gone."""

from apps.facts.models import Home
from apps.facts.rules import first_row


class Ordinals:
    """The next ordinal of each home that a batch stores facts in."""

    def __init__(self) -> None:
        self._next: dict[int, int] = {}

    def next_row(self, home: int) -> int:
        """The row id of the home's next fact."""
        if home not in self._next:
            kept = Home.objects.filter(number=home).first()
            self._next[home] = 1 if kept is None else kept.next_ordinal
        ordinal = self._next[home]
        self._next[home] = ordinal + 1
        return first_row(home) | ordinal

    def write(self) -> None:
        """Keeps what was given."""
        Home.objects.bulk_create(
            [Home(number=home, next_ordinal=ordinal) for home, ordinal in self._next.items()],
            update_conflicts=True,
            unique_fields=["number"],
            update_fields=["next_ordinal"],
        )
