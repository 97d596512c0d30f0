"""Whether the files and their index can be relied on now, in words without content, and in numbers."""

import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from apps.facts.answers import Lag
from apps.facts.models import EventSubject, LedgerEvent, ReadableTime
from apps.facts.projector import index_lag
from apps.facts.projector.builds import standing_builds
from apps.facts.projector.ledger import has_new_events
from apps.facts.projector.readable import MOST_MS, UNBOUNDED_MS
from apps.facts.queries.status import find_quarantines
from cruxstore.door import Store
from cruxstore.errors import CruxError
from cruxstore.ledger.events import Action
from cruxstore.recovery import is_as_recorded

BEHIND_SECONDS = 30
"""How long something new may stand in a file before a site that has not read it is not ready."""

FOREIGN_HOURS = 1
"""How long lines that somebody else wrote are worth a warning after they have been recorded."""

LEAST_FREE = 0.05
"""The part of the disk below which acts are about to be refused."""

LOW_FREE = 0.1
"""The part of the disk below which somebody is told."""

AMPLE_FREE = 0.11
"""The part above which nobody need know any more: a disk at the edge is no news every minute."""

BREAKS = ("journal_replaced", "journal_cut")


@dataclass(frozen=True)
class FileFigures:
    """Sizes, and how far the index is behind them; `readable` is how many events could be read within so many
    milliseconds of being written, the last without a bound, and `readable_ms` is what all took together.
    """

    journal_bytes: int
    ledger_bytes: int
    quarantines: int
    index_lag_bytes: int
    index_lag_seconds: float
    disk_total_bytes: int
    disk_free_bytes: int
    readable: tuple[tuple[int | None, int], ...]
    readable_ms: int


def index_trouble(store: Store, *, now_ns: int) -> str:
    """Why pages do not show what is in the files; empty where they do, or will in a moment."""
    lag = index_lag(store, now_ns=now_ns)
    if lag.state == "indexing":
        return "index_missing"
    if lag.journal_replaced:
        return "index_of_another_journal"
    return "index_behind" if _lag_seconds(store, lag) > BEHIND_SECONDS else ""


def journal_trouble(store: Store, *, now_ns: int) -> str:
    """Why nothing may be written, or what somebody else did to a journal of ours."""
    try:
        if store.stopped():
            return "store_stopped"
        if trouble := store.trouble():
            return trouble.code
        if not store.is_owner:
            return "" if store.journal_path.exists() else "journal_missing"
        if store.is_adopted and not is_as_recorded(store.journal_path, store.ledger_path):
            return "journal_foreign"
    except CruxError as error:
        return error.code
    except OSError:
        return "journal_unreadable"
    observed = LedgerEvent.objects.filter(action=Action.LINE_OBSERVED.value)
    acknowledged = LedgerEvent.objects.filter(action=Action.CONTINUITY_ACKNOWLEDGED.value).values("seq")
    known = EventSubject.objects.filter(seq__in=acknowledged).values("subject")
    if observed.filter(code__in=BREAKS).exclude(event_id__in=known).exists():
        return "continuity_broken"
    since = datetime.fromtimestamp(now_ns / 1e9, UTC) - timedelta(hours=FOREIGN_HOURS)
    return "journal_foreign" if observed.exclude(code__in=BREAKS).filter(at__gte=since).exists() else ""


def refuses_writes(store: Store) -> bool:
    """Whether nobody can write to the store, whatever they ask for."""
    return bool(store.stopped()) or store.trouble() is not None


def ledger_trouble(store: Store) -> str:
    """Why decisions are not shown."""
    if not has_new_events(store, standing_builds().ledger):
        return ""
    try:
        age = time.time() - store.ledger_path.stat().st_mtime
    except FileNotFoundError:
        return "ledger_missing"
    return "ledger_behind" if age > BEHIND_SECONDS else ""


def disk_trouble(store: Store) -> str:
    """Whether the disk is about to be full."""
    usage = shutil.disk_usage(store.data_dir)
    return "disk_full" if usage.free < usage.total * LEAST_FREE else ""


def is_disk_low(store: Store, *, is_known: bool) -> bool:
    """Whether somebody should make room on the disk; where that is known already, until there is ample."""
    usage = shutil.disk_usage(store.data_dir)
    return usage.free < usage.total * (AMPLE_FREE if is_known else LOW_FREE)


def file_figures(store: Store, *, now_ns: int) -> FileFigures:
    """The numbers of now."""
    lag = index_lag(store, now_ns=now_ns)
    usage = shutil.disk_usage(store.data_dir)
    classes = {row.most_ms: row for row in ReadableTime.objects.all()}
    return FileFigures(
        journal_bytes=lag.bytes_total,
        ledger_bytes=store.ledger_size(),
        quarantines=len(find_quarantines(store.journal_path)),
        index_lag_bytes=lag.bytes_behind,
        index_lag_seconds=_lag_seconds(store, lag),
        disk_total_bytes=usage.total,
        disk_free_bytes=usage.free,
        readable=tuple(
            (None if most == UNBOUNDED_MS else most, classes[most].events if most in classes else 0)
            for most in (*MOST_MS, UNBOUNDED_MS)
        ),
        readable_ms=_total_ms(classes.values()),
    )


def _lag_seconds(store: Store, lag: Lag) -> float:
    """How long the newest of what has not been read has waited; 0 where all has been read."""
    if not lag.bytes_behind and not lag.journal_replaced:
        return 0.0
    try:
        return max(0.0, time.time() - store.journal_path.stat().st_mtime)
    except FileNotFoundError:
        return 0.0


def _total_ms(rows: Iterable[ReadableTime]) -> int:
    return sum(row.total_ms for row in rows)
