"""How soon events could be read after they were written, counted in classes, for whoever watches the site."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime

from apps.facts.sql import execute_many

MOST_MS = (10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
"""The bounds of the classes; what took longer is in the last one, which has none."""

UNBOUNDED_MS = 1 << 62

_UPSERT = (
    "INSERT INTO facts_readabletime (most_ms, events, total_ms) VALUES (%s, %s, %s) ON CONFLICT (most_ms) DO UPDATE"
    " SET events = facts_readabletime.events + excluded.events,"
    " total_ms = facts_readabletime.total_ms + excluded.total_ms"
)


def note_readable(written_at: Iterable[datetime]) -> None:
    """Counts events that are being made readable now, in the transaction that does it."""
    now = datetime.now(UTC)
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for at in written_at:
        ms = max(0, round((now - at).total_seconds() * 1000))
        count = counts[next((most for most in MOST_MS if ms <= most), UNBOUNDED_MS)]
        count[0] += 1
        count[1] += ms
    execute_many(_UPSERT, [(most, events, total) for most, (events, total) in sorted(counts.items())])
