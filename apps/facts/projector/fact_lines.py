"""Which later lines changed which facts."""

from apps.facts.sql import execute_many
from cruxstore.facts.journal import JournalLine

_INSERT = 'INSERT INTO facts_factline (fact, line_no, "offset", length, op) VALUES (%s, %s, %s, %s, %s)'


class FactLines:
    """The lines of a batch by the facts that they changed, written at once."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, int, int, int, str]] = []
        self._forgotten: set[int] = set()

    def add(self, row_id: int, line: JournalLine, op: str) -> None:
        """A line changed a fact."""
        self._lines.append((row_id, line.number, line.offset, line.length, op))

    def forget(self, row_id: int) -> None:
        """A fact is gone for good, and so is what changed it."""
        self._forgotten.add(row_id)

    def write(self) -> None:
        """Adds the lines, and drops those of facts that are gone."""
        execute_many(_INSERT, [line for line in self._lines if line[0] not in self._forgotten])
        execute_many("DELETE FROM facts_factline WHERE fact = %s", [(row_id,) for row_id in self._forgotten])
