"""What kinds of findings and their detectors are called on pages."""

from collections.abc import Mapping

from apps.review.queries.findings import FindingRow
from apps.review.rules import Kind
from cruxstore.trust.contradiction import compare, read_statement

KIND_WORDS: Mapping[Kind, str] = {
    Kind.CONTRADICTION: "Contradiction",
    Kind.DUPLICATE: "Duplicate",
    Kind.UPDATE: "Update",
    Kind.OVERLAP: "Two at once",
    Kind.EXPIRY: "May go",
}

_OF_OURS: Mapping[str, str] = {
    "polarity": "One says yes, the other no",
    "flip": "A value is back that another writer had replaced",
    "two_heads": "Two current values of one key hold at the same time",
    "near_duplicate": "Nearly the same words in two places",
    "daemon_duplicate": "The daemon took them for near-duplicates",
    "daemon_review": "The daemon listed them as opposed",
    "stale_past_horizon": "Stale, past its horizon",
    "low_confidence": "Stated with less than 0.3",
    "stale_and_low_confidence": "Stale, and stated with less than 0.3",
}
_OF_TEXT = {
    Kind.CONTRADICTION: "They say different things",
    Kind.DUPLICATE: "They say the same",
    Kind.UPDATE: "One says more",
}


def reason_of(row: FindingRow) -> str:
    """Why the facts were put side by side; what stands against what is read from their texts now."""
    if row.detector in _OF_OURS or row.second is None:
        return _OF_OURS.get(row.detector, row.detector)
    verdict = compare(*(read_statement(side.entity, side.key, side.value_excerpt) for side in (row.first, row.second)))
    return f"{_OF_TEXT[row.kind]}: {verdict.signal}" if verdict.signal else _OF_TEXT[row.kind]
