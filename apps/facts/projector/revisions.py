"""What facts were before lines changed them: an answer as known earlier starts from the first change after it."""

from apps.facts.projector.rows import Row
from apps.facts.rules import line_place
from apps.facts.sql import SqlValue, execute_many

_INSERT = (
    "INSERT INTO facts_revision (fact, until, state, superseded_by, valid_from_us, valid_to_us)"
    " VALUES (%s, %s, %s, %s, %s, %s)"
)


class Revisions:
    """The changes of a batch, written at once."""

    def __init__(self) -> None:
        self._before: dict[tuple[int, int], tuple[SqlValue, ...]] = {}
        self._forgotten: set[int] = set()

    def keep(self, row: Row, state: int, line: int) -> None:
        """A line is about to change a row for the first time."""
        kept = (row.id, line_place(line), state, row.superseded_by, row.valid_from_us, row.valid_to_us)
        self._before.setdefault((row.id, line), kept)

    def forget(self, row_id: int) -> None:
        """A fact is gone for good, and so is what it was."""
        self._forgotten.add(row_id)

    def write(self) -> None:
        """Adds what was kept, and drops what facts were that are gone."""
        execute_many(_INSERT, [kept for (row_id, _), kept in self._before.items() if row_id not in self._forgotten])
        execute_many("DELETE FROM facts_revision WHERE fact = %s", [(row_id,) for row_id in self._forgotten])
