"""What a daemon has already put into the file for review: near-duplicates it saw, and its consolidation reviews.

    __candidate_fact__::neardup-<fact_id>-<similar_to>                       a pair by its name
    __consolidation_review__::run_…   review   {"candidates": [{"fact_ids": […]}], …}      pairs by their ids

Only ids are taken over; a pair of which a side no longer stands is left out.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import combinations
from typing import Any

import orjson

from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile, JournalMovedError
from apps.facts.projector.builds import open_journal
from apps.facts.queries.scanning import Ground, rows_of_facts, rows_under
from apps.facts.rules import State
from apps.review.actions.findings import ScanReport, write_findings
from apps.review.rules import Found, Kind

CANDIDATES = "__candidate_fact__::neardup-"
REVIEWS = "__consolidation_review__::run_"
REVIEW_SCHEMA = "crux.consolidation_review.v1"
NEWEST_REVIEWS = 50
MOST_SIDES = 10

_PAIR = re.compile(r"(.+)-(f_[0-9a-f]{32})", re.DOTALL)


def take_over_findings(ground: Ground, report: ScanReport, *, store: StoreFiles, now: datetime) -> None:
    """Writes the daemon's own findings beside ours; a pair that we found too keeps our word for it."""
    with open_journal(store) as journal:
        found = [*_candidates(ground), *_reviewed(ground, journal)]
    ids = sorted({fact_id for each in found for fact_id in (each.first_id, each.second_id)})
    order = {fact.fact_id: fact.row_id for fact in rows_of_facts(ground, ids) if fact.is_current}
    standing = [each for each in found if each.first_id in order and each.second_id in order]
    write_findings(ground, [_oldest_first(each, order) for each in standing], report, now=now)


def _oldest_first(found: Found, order: dict[str, int]) -> Found:
    first_id, second_id = sorted((found.first_id, found.second_id), key=order.__getitem__)
    return found._replace(first_id=first_id, second_id=second_id)


def _candidates(ground: Ground) -> Iterator[Found]:
    for row in rows_under(ground, CANDIDATES):
        pair = _PAIR.fullmatch(row.entity.removeprefix(CANDIDATES))
        if pair is not None and row.state == State.CURRENT:
            yield Found(Kind.DUPLICATE, "daemon_duplicate", pair[2], pair[1])


def _reviewed(ground: Ground, journal: JournalFile) -> Iterator[Found]:
    for row in rows_under(ground, REVIEWS)[-NEWEST_REVIEWS:]:
        for candidate in _review(journal, row.offset, row.length).get("candidates", []):
            fact_ids = candidate.get("fact_ids") if isinstance(candidate, dict) else None
            if isinstance(fact_ids, list) and all(isinstance(fact_id, str) for fact_id in fact_ids):
                for first, second in combinations(fact_ids[:MOST_SIDES], 2):
                    yield Found(Kind.CONTRADICTION, "daemon_review", first, second)


def _review(journal: JournalFile, offset: int, length: int) -> dict[str, Any]:
    """The body of a review; an empty one where it is of another shape, or cannot be read now."""
    try:
        body = orjson.loads(journal.fact(offset, length).value)
    except (JournalMovedError, orjson.JSONDecodeError):
        return {}
    is_review = isinstance(body, dict) and body.get("schema") == REVIEW_SCHEMA
    return body if is_review and isinstance(body.get("candidates", []), list) else {}
