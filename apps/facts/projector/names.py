"""The distinct entities and keys of each tenant, how many facts carry them, and their short grams."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Max

from apps.facts import search
from apps.facts.models import Name
from apps.facts.projector.rows import Row
from apps.facts.rules import cut, fold, searched_part
from apps.facts.sql import execute_many

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
_CHUNK = 500


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
                    count.newest = max(count.newest, row.id)
                else:
                    count.has_lost = True

    def write(self) -> None:
        """Adds the changes, and makes new names findable."""
        next_id = self._highest_id() + 1
        for (home, role), counts in self._counts.items():
            known = _known(home, role, list(counts))
            updates, inserts, grams = [], [], []
            for name, count in counts.items():
                if name in known:
                    updates.append((count.facts, count.private, count.newest, count.newest, known[name]))
                    continue
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
        highest = Name.objects.filter(id__gte=first, id__lt=first + (1 << _NUMBER_BITS)).aggregate(Max("id"))["id__max"]
        return highest or first


def _known(home: int, role: str, names: list[str]) -> dict[str, int]:
    known: dict[str, int] = {}
    for start in range(0, len(names), _CHUNK):
        rows = Name.objects.filter(home=home, role=role, text__in=names[start : start + _CHUNK])
        known.update(rows.values_list("text", "id"))
    return known
