"""The kept counters: how many facts are in each cell, and in each roll-up of cells."""

from collections import Counter

from apps.facts.projector.rows import NEW, Row, cell_of
from apps.facts.rules import Age, rollups_of
from apps.facts.sql import execute_many

_UPSERT = (
    "INSERT INTO facts_cell (id, facts) VALUES (%s, %s)"
    " ON CONFLICT (id) DO UPDATE SET facts = facts_cell.facts + excluded.facts"
)


class CellCounts:
    """What a batch changes in the counters, written at once."""

    def __init__(self) -> None:
        self._moved: Counter[int] = Counter()

    def move(self, row: Row, age: Age) -> None:
        """Puts a row into the cell it belongs in now."""
        cell = cell_of(row, age.freshness)
        if cell != row.cell:
            self._moved[cell] += 1
            self.drop(row)
            row.cell = cell

    def drop(self, row: Row) -> None:
        """Takes a row out of its cell."""
        if row.cell != NEW:
            self._moved[row.cell] -= 1

    def write(self) -> None:
        """Adds the changes to the counters."""
        changes: Counter[int] = Counter()
        for cell, facts in self._moved.items():
            for counted in rollups_of(cell):
                changes[counted] += facts
        execute_many(_UPSERT, sorted((cell, facts) for cell, facts in changes.items() if facts))
