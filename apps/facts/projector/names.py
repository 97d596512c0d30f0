"""The distinct entities and keys of each tenant, how many facts carry them, and their short grams."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from apps.facts import search
from apps.facts.projector.rows import Row
from apps.facts.rules import cut, fold, searched_part
from apps.facts.sql import execute_many, fetch, fetch_number

_NUMBER_BITS = 48
_INSERT = (
    "INSERT INTO facts_name (id, home, role, text, search_text, kind, facts, private, newest)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
_UPDATE = (
    "UPDATE facts_name SET facts = facts + %s, private = private + %s,"
    " newest = CASE WHEN newest < %s THEN %s ELSE newest END WHERE id = %s"
)
_NEWEST = {
    role: (
        "UPDATE facts_name SET newest = COALESCE((SELECT MAX(id) FROM facts_indexedfact"
        f" WHERE home = %s AND {column} = %s), 0) WHERE home = %s AND role = %s AND text = %s"
    )
    for role, column in (("e", "entity"), ("k", "key"))
}
_CHUNK = 300


@dataclass(slots=True)
class _Count:
    exact: str
    kind: int
    facts: int = 0
    private: int = 0
    newest: int = 0
    has_lost: bool = False


class NameCounts:
    """What a batch changes in the names, written at once."""

    def __init__(self, build: int) -> None:
        self._build = build
        self._counts: defaultdict[tuple[int, str], dict[str, _Count]] = defaultdict(dict)

    def count(self, rows: Iterable[Row], sign: int) -> None:
        """Rows came (1) or are gone for good (-1)."""
        for row in rows:
            for role, text, kind in (("e", row.entity, row.kind), ("k", row.key, 0)):
                counts = self._counts[row.home, role]
                name = cut(text)
                count = counts.get(name)
                if count is None:
                    count = counts[name] = _Count(text, kind)
                count.facts += sign
                count.private += sign * row.private
                if sign > 0:
                    if row.id > count.newest:
                        count.newest = row.id
                else:
                    count.has_lost = True

    def write(self) -> None:
        """Adds the changes, and makes new names findable."""
        known_ids = _known([(home, role, name) for (home, role), counts in self._counts.items() for name in counts])
        next_id = 0
        for (home, role), counts in self._counts.items():
            updates, inserts, grams = [], [], []
            for name, count in counts.items():
                known_id = known_ids.get((home, role, name))
                if known_id is not None:
                    updates.append((count.facts, count.private, count.newest, count.newest, known_id))
                    continue
                next_id = next_id or self._highest_id() + 1
                text = fold(searched_part(count.exact))
                inserts.append((next_id, home, role, name, text, count.kind, count.facts, count.private, count.newest))
                grams.append((next_id, text))
                next_id += 1
            execute_many(_UPDATE, updates)
            execute_many(_INSERT, inserts)
            lost = [(home, name, home, role, name) for name, count in counts.items() if count.has_lost]
            execute_many(_NEWEST[role], lost)
            search.add_names(self._build, grams)

    def _highest_id(self) -> int:
        first = self._build << _NUMBER_BITS
        end = first + (1 << _NUMBER_BITS)
        return fetch_number("SELECT MAX(id) FROM facts_name WHERE id >= %s AND id < %s", (first, end)) or first


def _known(names: list[tuple[int, str, str]]) -> dict[tuple[int, str, str], int]:
    """The ids of names by home, role and text, of those that are there."""
    known: dict[tuple[int, str, str], int] = {}
    for start in range(0, len(names), _CHUNK):
        chunk = names[start : start + _CHUNK]
        rows = fetch(
            f"WITH wanted(home, role, text) AS (VALUES {', '.join(['(%s, %s, %s)'] * len(chunk))})"
            " SELECT n.home, n.role, n.text, n.id FROM wanted CROSS JOIN facts_name n"
            " WHERE n.home = wanted.home AND n.role = wanted.role AND n.text = wanted.text",
            [part for name in chunk for part in name],
        )
        known.update(((home, role, text), name_id) for home, role, text, name_id in rows)
    return known
