"""Lists of facts that go on where the page before ended, whatever was stored or deleted meanwhile.

A list is newest first, its cursor `<ms>:<fact_id>` the last row's place; the row itself may be gone. An export is
oldest first, its cursor the last fact's id, which must still be in it. Neither holds deleted or private facts.
"""

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from cruxstore.errors import BadCursorError, BlankQueryError, UnknownCursorError
from cruxstore.facts.blanks import is_blank_text
from cruxstore.facts.decay import milliseconds
from cruxstore.facts.recall.terms import contains_any_case
from cruxstore.facts.records import Fact


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What is listed: by prefix, by one text that entity, key or value must hold, and stored by a moment."""

    limit: int
    cursor: str | None = None
    query: str | None = None
    entity_prefix: str | None = None
    stored_until_ms: int | None = None
    include_superseded: bool = True


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page; the totals count what the pages hold together, and what is not deleted at all."""

    rows: tuple[Fact, ...]
    next_cursor: str | None
    total_visible: int
    total_nondeleted: int

    @property
    def has_more(self) -> bool:
        """Whether a page follows."""
        return self.next_cursor is not None


@dataclass(frozen=True, slots=True)
class ExportPage:
    """One page of an export."""

    rows: tuple[Fact, ...]
    next_cursor: str | None

    @property
    def has_more(self) -> bool:
        """Whether a page follows."""
        return self.next_cursor is not None


def list_page(
    query: ListQuery, facts: Iterable[Fact], *, is_visible: Callable[[Fact], bool] = lambda fact: True
) -> ListPage:
    """A page of what the asker may see, read once; raises BadCursorError and BlankQueryError."""
    if query.query is not None and is_blank_text(query.query):
        raise BlankQueryError("The search is empty. Type a word, or leave the search out.")
    start = None if query.cursor is None else parse_list_cursor(query.cursor)
    totals = {"visible": 0, "nondeleted": 0}

    def behind_cursor() -> Iterator[Fact]:
        for fact in facts:
            totals["nondeleted"] += not fact.deleted
            if fact.deleted or fact.private or not is_visible(fact) or not _is_listed(fact, query):
                continue
            totals["visible"] += 1
            if start is None or _list_place(fact) < start:
                yield fact

    found = heapq.nlargest(query.limit + 1, behind_cursor(), key=_list_place)
    rows = tuple(found[: query.limit])
    return ListPage(
        rows=rows,
        next_cursor=list_cursor(rows[-1]) if rows and len(found) > query.limit else None,
        total_visible=totals["visible"],
        total_nondeleted=totals["nondeleted"],
    )


def list_cursor(fact: Fact) -> str:
    """The cursor that goes on behind a fact."""
    return f"{milliseconds(fact.stored_at)}:{fact.fact_id}"


def parse_list_cursor(cursor: str) -> tuple[int, str]:
    """The millisecond and the id behind which a list goes on; raises BadCursorError."""
    stamp, separator, fact_id = cursor.partition(":")
    digits = stamp.removeprefix("-")
    if not separator or not (digits.isdigit() and digits.isascii()) or len(digits) > 19:
        raise BadCursorError("The list's cursor cannot be read. Start at the first page.")
    return int(stamp), fact_id


def export_page(
    facts: Collection[Fact], *, limit: int, cursor: str | None = None, since_ns: int | None = None
) -> ExportPage:
    """A page of what the asker may see, from a moment on; raises UnknownCursorError."""
    exported = [fact for fact in facts if _is_exported(fact, since_ns)]
    if cursor is not None:
        last = next((fact for fact in exported if fact.fact_id == cursor), None)
        if last is None:
            raise UnknownCursorError("The export no longer holds the fact that its cursor names. Start it again.")
        exported = [fact for fact in exported if _export_place(fact) > _export_place(last)]
    found = heapq.nsmallest(limit + 1, exported, key=_export_place)
    rows = tuple(found[:limit])
    return ExportPage(rows, rows[-1].fact_id if rows and len(found) > limit else None)


def _list_place(fact: Fact) -> tuple[int, str]:
    return milliseconds(fact.stored_at), fact.fact_id


def _export_place(fact: Fact) -> tuple[int, str]:
    return fact.stored_at.ns, fact.fact_id


def _is_listed(fact: Fact, query: ListQuery) -> bool:
    if fact.superseded_by is not None and not query.include_superseded:
        return False
    if query.entity_prefix is not None and not fact.entity.startswith(query.entity_prefix):
        return False
    if query.stored_until_ms is not None and milliseconds(fact.stored_at) > query.stored_until_ms:
        return False
    return query.query is None or contains_any_case(query.query, fact.entity, fact.key, fact.value)


def _is_exported(fact: Fact, since_ns: int | None) -> bool:
    return not fact.deleted and not fact.private and (since_ns is None or fact.stored_at.ns >= since_ns)
