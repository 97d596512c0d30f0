"""The figures: each function measures one, ours and its yardstick taking turns."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from apps.facts.bench.acts import BATCH_ACTS, BATCH_FACTS, SINGLE_ACTS, append_batches, append_singles
from apps.facts.bench.compacting import wait_against_compaction
from apps.facts.bench.detecting import Detected, detect_pairs
from apps.facts.bench.folder import Folder, measure_acts, prepare_folder
from apps.facts.bench.mixes import clock_paths, mixed_paths, page_paths, search_paths
from apps.facts.bench.rewrites import compact
from apps.facts.bench.server import Server, serving, start
from apps.facts.bench.verifying import verify_events

SMALL = 10_000
"""The number of facts that pages at N are compared with."""

REQUESTS = 240
MEMORY_REQUESTS = 500
STARTS = 5

Say = Callable[[str], None]


@dataclass(frozen=True)
class Figure:
    """One line of the bench: smaller ratios are better."""

    ours: float
    yardstick: float
    unit: str
    n: int

    def report(self) -> dict[str, object]:
        """The figure as the bench prints it."""
        return {
            "ours": round(self.ours, 6),
            "yardstick": round(self.yardstick, 6),
            "ratio": round(self.ours / self.yardstick, 3),
            "unit": self.unit,
            "n": self.n,
        }


class Folders:
    """The data folders of one run, made when a figure first needs them."""

    def __init__(self, root: Path, facts: int, say: Say) -> None:
        self.facts = facts
        self.say = say
        self._root = root
        self._made: dict[int, Folder] = {}

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """An empty folder beside the others, gone with the block."""
        with tempfile.TemporaryDirectory(dir=self._root) as path:
            yield Path(path)

    def with_facts(self, facts: int) -> Folder:
        """The folder with this many facts, its index built."""
        if facts not in self._made:
            self.say(f"making a folder of {facts:,} facts")
            folder = prepare_folder(self._root / str(facts), facts, with_yardstick=facts == self.facts)
            self._made[facts] = folder
        return self._made[facts]


def index_build(folders: Folders) -> Figure:
    """Building the index from the journal, against inserting the same rows."""
    folder = folders.with_facts(folders.facts)
    return Figure(folder.build_seconds, folder.yardstick_seconds, "s", folders.facts)


def facts_page(folders: Folders) -> Figure:
    """The 95th percentile of the facts page with two filters, by effective confidence, against the same at 10,000."""
    return _compare_pages(folders, page_paths())


def facts_search(folders: Folders) -> Figure:
    """The 95th percentile of searches on the facts page, against the same at 10,000."""
    return _compare_pages(folders, search_paths())


def two_clock_page(folders: Folders) -> Figure:
    """The 95th percentile of the facts page as known on a line about a day, against the same page now."""
    folder = folders.with_facts(folders.facts)
    pairs = clock_paths(folder.facts)
    with serving(folder) as server:
        for plain, _ in pairs:
            server.read(plain)
        taken = [tuple(map(server.seconds_for, pair)) for pair in islice(cycle(pairs), REQUESTS)]
    return Figure(_p95(then for _, then in taken), _p95(now for now, _ in taken), "s", folders.facts)


def web_memory(folders: Folders) -> Figure:
    """Resident bytes of a web process after 500 mixed requests, against the same on an empty store."""
    ours = _memory_after_requests(folders.with_facts(folders.facts))
    return Figure(ours, _memory_after_requests(folders.with_facts(0)), "bytes", folders.facts)


def start_up(folders: Folders) -> Figure:
    """From starting the process to the first page, against the same at 10,000; the middle of some starts."""
    large, small = folders.with_facts(folders.facts), folders.with_facts(SMALL)
    seconds: dict[int, list[float]] = {large.facts: [], small.facts: []}
    for _ in range(STARTS):
        for folder in (large, small):
            seconds[folder.facts].append(_seconds_to_start(folder))
    ours, yardstick = (statistics.median(seconds[folder.facts]) for folder in (large, small))
    return Figure(ours, yardstick, "s", folders.facts)


def append_single(folders: Folders) -> Figure:
    """Acts of one fact through the door, without an index, against the same bytes to the same files, synced."""
    with folders.scratch() as root:
        return Figure(*append_singles(root), "s", SINGLE_ACTS)


def append_batch(folders: Folders) -> Figure:
    """Acts of a thousand facts, against the same bytes built with `orjson` and written to the same files, synced."""
    with folders.scratch() as root:
        return Figure(*append_batches(root), "s", BATCH_ACTS * BATCH_FACTS)


def ledger_verify(folders: Folders) -> Figure:
    """Verifying a store of as many events, its journal included, against hashing and parsing the same lines."""
    with folders.scratch() as root:
        return Figure(*verify_events(root, folders.facts), "s", folders.facts)


def act(folders: Folders) -> Figure:
    """Acts of one fact with their index rows, against those two writes and one commit of the same rows."""
    ours, yardstick = measure_acts(folders.with_facts(folders.facts))
    return Figure(ours, yardstick, "s", folders.facts)


def compaction(folders: Folders) -> Figure:
    """Compacting a journal with a fifth of its facts dead, against the same file through `orjson`."""
    with folders.scratch() as root:
        return Figure(*compact(root, folders.facts), "s", folders.facts)


def compaction_lock(folders: Folders) -> Figure:
    """The longest wait of somebody who stores a fact every 50 ms while the store is compacted, against all of that."""
    return Figure(*wait_against_compaction(folders.with_facts(folders.facts)), "s", folders.facts)


def detectors(folders: Folders) -> Detected:
    """The detectors of contradictions on labelled pairs: the part held out, against the part they were tuned on."""
    return detect_pairs()


MEASURES: dict[str, Callable[[Folders], Figure | Detected]] = {
    "index_build": index_build,
    "facts_page": facts_page,
    "facts_search": facts_search,
    "two_clock_page": two_clock_page,
    "web_memory": web_memory,
    "start": start_up,
    "append_single": append_single,
    "append_batch": append_batch,
    "ledger_verify": ledger_verify,
    "compaction": compaction,
    "detectors": detectors,
    # then what leaves the folder changed
    "act": act,
    # last: it leaves another journal in the folder
    "compaction_lock": compaction_lock,
}


def _compare_pages(folders: Folders, paths: Sequence[str]) -> Figure:
    large, small = folders.with_facts(folders.facts), folders.with_facts(SMALL)
    with serving(large) as ours, serving(small) as yardstick:
        servers = (ours, yardstick)
        for path in paths:
            _ask(servers, path)
        taken = [_ask(servers, path) for path in islice(cycle(paths), REQUESTS)]
    return Figure(_p95(own for own, _ in taken), _p95(other for _, other in taken), "s", folders.facts)


def _ask(servers: tuple[Server, Server], path: str) -> tuple[float, float]:
    return servers[0].seconds_for(path), servers[1].seconds_for(path)


def _p95(seconds: Iterable[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1]


def _memory_after_requests(folder: Folder) -> float:
    with serving(folder) as server:
        for path in islice(cycle(mixed_paths()), MEMORY_REQUESTS):
            server.read(path)
        return float(server.resident_bytes())


def _seconds_to_start(folder: Folder) -> float:
    started = time.perf_counter()
    server = start(folder)
    seconds = time.perf_counter() - started
    server.process.terminate()
    server.process.wait()
    return seconds
