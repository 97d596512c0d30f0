"""Whether the site can do its work now: one check a part, each ok or a code, never with content."""

import time
from collections.abc import Callable, Iterator

from django.db import DatabaseError
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from apps.facts.queries.readiness import (
    FileFigures,
    disk_trouble,
    file_figures,
    index_trouble,
    journal_trouble,
    ledger_trouble,
)
from apps.jobs.heartbeats import seconds_since_beat, silent_lanes
from apps.jobs.queries import queue_figures
from apps.jobs.rules import Lane
from cruxstore.door import Store

OK = "ok"
UNREACHABLE = "database_unreachable"


def checks(store: Store) -> dict[str, str]:
    """What each part answers: `ok`, or the code of what is wrong with it."""
    now_ns = time.time_ns()
    parts: dict[str, Callable[[], str]] = {
        "index": lambda: index_trouble(store, now_ns=now_ns),
        "workers": lambda: _worker_trouble(now_ns / 1e9),
        "journal": lambda: journal_trouble(store, now_ns=now_ns),
        "ledger": lambda: ledger_trouble(store),
        "disk": lambda: disk_trouble(store),
    }
    return {name: _checked(part) or OK for name, part in parts.items()}


def is_ready(found: dict[str, str]) -> bool:
    """Whether all of them are well."""
    return set(found.values()) == {OK}


def metrics(store: Store) -> bytes:
    """The figures of now in the form that Prometheus reads; they are the files' and the tables', not this process's."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures(store))
    return generate_latest(registry)


class _Figures(Collector):
    """Read anew at every question, so that all processes of the site answer the same."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def collect(self) -> Iterator[Metric]:
        found = checks(self._store)
        ready = GaugeMetricFamily("cruxweb_check_ok", "Whether a part of the site is well.", labels=["check"])
        for name, code in found.items():
            ready.add_metric([name], float(code == OK))
        yield ready
        yield GaugeMetricFamily("cruxweb_ready", "Whether all parts are well.", value=float(is_ready(found)))
        try:
            yield from _of_workers()
            yield from _of_files(file_figures(self._store, now_ns=time.time_ns()))
        except DatabaseError:
            return


def _of_workers() -> Iterator[Metric]:
    now = time.time()
    silent = GaugeMetricFamily("cruxweb_worker_lag_seconds", "How long a worker has been silent.", labels=["lane"])
    waiting = GaugeMetricFamily("cruxweb_queue_jobs", "How many jobs wait for a worker.", labels=["lane"])
    age = GaugeMetricFamily("cruxweb_queue_age_seconds", "How long the oldest of them has waited.", labels=["lane"])
    queues = queue_figures(now=now)
    for lane in Lane:
        seconds = seconds_since_beat(lane, now=now)
        if seconds is not None:
            silent.add_metric([lane.value], seconds)
        jobs, oldest = queues[lane]
        waiting.add_metric([lane.value], jobs)
        age.add_metric([lane.value], oldest)
    yield from (silent, waiting, age)


def _of_files(figures: FileFigures) -> Iterator[Metric]:
    for name, words, value in (
        ("cruxweb_journal_bytes", "How long the journal is.", figures.journal_bytes),
        ("cruxweb_ledger_bytes", "How long the ledger is.", figures.ledger_bytes),
        ("cruxweb_quarantines", "How many torn tails were set aside.", figures.quarantines),
        ("cruxweb_index_lag_bytes", "How much of the journal is not read yet.", figures.index_lag_bytes),
        ("cruxweb_index_lag_seconds", "How long the newest of it has waited.", figures.index_lag_seconds),
        ("cruxweb_disk_free_bytes", "What is free on the disk of the data folder.", figures.disk_free_bytes),
        ("cruxweb_disk_total_bytes", "How large that disk is.", figures.disk_total_bytes),
    ):
        yield GaugeMetricFamily(name, words, value=value)
    buckets, events = [], 0
    for most_ms, some in figures.readable:
        events += some
        buckets.append(("+Inf" if most_ms is None else f"{most_ms / 1000:g}", events))
    readable = HistogramMetricFamily(
        "cruxweb_write_to_readable_seconds", "How soon after it was written an event could be read."
    )
    readable.add_metric([], buckets, figures.readable_ms / 1000)
    yield readable


def _worker_trouble(now: float) -> str:
    silent = silent_lanes(now=now)
    return f"worker_silent_{'_and_'.join(silent)}" if silent else ""


def _checked(part: Callable[[], str]) -> str:
    try:
        return part()
    except DatabaseError:
        return UNREACHABLE
    except OSError:
        return "files_unreadable"
