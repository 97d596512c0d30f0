"""Row ids for new facts: ordinals that are never given twice in a build, even after a fact is gone."""

from apps.facts.rules import first_row
from apps.facts.sql import execute_many, fetch

_UPSERT = (
    "INSERT INTO facts_home (number, next_ordinal) VALUES (%s, %s)"
    " ON CONFLICT (number) DO UPDATE SET next_ordinal = excluded.next_ordinal"
)


class Ordinals:
    """The next ordinal of each home that a batch stores facts in."""

    def __init__(self) -> None:
        self._next: dict[int, int] = {}

    def next_row(self, home: int) -> int:
        """The row id of the home's next fact."""
        if home not in self._next:
            kept = fetch("SELECT next_ordinal FROM facts_home WHERE number = %s", (home,))
            self._next[home] = kept[0][0] if kept else 1
        ordinal = self._next[home]
        self._next[home] = ordinal + 1
        return first_row(home) | ordinal

    def write(self) -> None:
        """Keeps what was given."""
        execute_many(_UPSERT, list(self._next.items()))
