"""Runs real code in a child process that dies at a chosen system call, by SIGKILL or as if the power had gone.

steps of one act:   1 write texts   2 sync texts   3 write ledger   4 sync ledger   5 write facts   6 sync facts
killed_at(4, …):    texts durable, the event written but not synced, no line

The tests of faults take a sample; with EVERY_FAULT=1, as `make faults` sets it, they take all.
"""

import os
import pickle
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from cruxstore.door import Store
from cruxstore.ledger.events import leaf_hash
from cruxstore.lines import read_lines
from cruxstore.verifying import Verdict, verify_folder
from tests.cruxstore.stores import events_of, open_store, replay_of

EVERY_FAULT = os.environ.get("EVERY_FAULT") == "1"
STEPS = ("open", "write", "pwrite", "fsync", "fdatasync", "ftruncate", "replace")


class Death(StrEnum):
    """How the child dies at its step."""

    BEFORE = "before"
    HALF_WRITTEN = "half written"
    POWER_LOSS = "power loss"


@dataclass(frozen=True, slots=True)
class Ended:
    """What the child had acknowledged, and whether it came to its end before the step."""

    acknowledged: list[Any]
    is_finished: bool


def killed_at(step: int, death: Death, act: Callable[[Callable[[object], None]], None]) -> Ended:
    """Runs `act` in a child that dies at its step-th system call; what `act` acknowledges comes back."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        _run_and_die(step, death, act, write_end)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        acknowledged = _unpickle_all(pipe.read())
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return Ended(acknowledged, is_finished=False)
    assert os.waitstatus_to_exitcode(status) == 0, "the child failed by itself"
    return Ended(acknowledged, is_finished=True)


def copied(folder: Path, to: Path) -> Path:
    """A copy of a data folder in the place of an earlier one, settled."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to)
    # a copy has an inode of its own, which is recorded once: here, so that it is no part of the act
    settle(open_store(to))
    return to


def settle(store: Store) -> None:
    """Takes the lock and lets it go: what a crash has left is mended."""
    with store.writing():
        pass


def check_whole(store: Store) -> None:
    """The ledger is one chain without gaps, the journal has whole lines that break no rule, and all files agree."""
    lines = [line for _, line in read_lines(store.ledger_path)]
    events = events_of(store)
    assert [event.seq for event in events] == list(range(1, len(lines) + 1))
    assert [event.prev for event in events] == [None, *map(leaf_hash, lines[:-1])]
    replay = replay_of(store)
    # what a compaction folds says twice that it is retired, and its tombstones name nothing that is left
    assert {line.reason.code for line in replay.skipped} <= {"repeated_supersede"}
    assert {line.reason.code for line in replay.ignored} <= {"unknown_fact"}
    assert replay.torn_tail_bytes == 0
    assert store.settled_length() == store.journal_path.stat().st_size
    found = verify_folder(store.data_dir)
    assert (found.verdict, found.fault, found.notes) == (Verdict.INTACT, None, [])


def _run_and_die(step: int, death: Death, act: Callable[[Callable[[object], None]], None], pipe: int) -> None:
    write = os.write
    exit_code = 1
    try:
        doom = _Doom(step, death)
        doom.install()
        act(lambda what: _discard(write(pipe, pickle.dumps(what))))
        doom.lose_what_is_not_synced()
        exit_code = 0
    finally:
        os._exit(exit_code)


@dataclass(slots=True)
class _Doom:
    """Counts the system calls that change something, and dies at one of them."""

    step: int
    death: Death
    real: dict[str, Callable[..., Any]] = field(default_factory=dict)
    unsynced: dict[int, tuple[int, int]] = field(default_factory=dict)

    def install(self) -> None:
        for name in STEPS:
            self.real[name] = getattr(os, name)
            setattr(os, name, self._counting(name))

    def _counting(self, name: str) -> Callable[..., Any]:
        real = self.real[name]

        def call(*arguments: Any, **keywords: Any) -> Any:
            if name == "open" and not arguments[1] & os.O_CREAT:
                return real(*arguments, **keywords)
            self.step -= 1
            if self.step == 0:
                self._die(name, arguments)
            if name == "write":
                self._note_write(arguments[0])
            result = real(*arguments, **keywords)
            if name in ("fsync", "fdatasync"):
                self.unsynced.pop(os.fstat(arguments[0]).st_ino, None)
            return result

        return call

    def _note_write(self, descriptor: int) -> None:
        stat = os.fstat(descriptor)
        self.unsynced.setdefault(stat.st_ino, (descriptor, stat.st_size))

    def _die(self, name: str, arguments: tuple[Any, ...]) -> None:
        if name == "write" and self.death == Death.HALF_WRITTEN:
            descriptor, content = arguments
            self.real["write"](descriptor, content[: len(content) // 2])
        self.lose_what_is_not_synced()
        os.kill(os.getpid(), signal.SIGKILL)

    def lose_what_is_not_synced(self) -> None:
        """Cuts what only the system's cache held, where the power is to fail."""
        if self.death == Death.POWER_LOSS:
            for descriptor, durable in self.unsynced.values():
                self.real["ftruncate"](descriptor, durable)


def _unpickle_all(content: bytes) -> list[Any]:
    found = []
    while content:
        found.append(pickle.loads(content))
        content = content[len(pickle.dumps(found[-1])) :]
    return found


def _discard(written: int) -> None:
    assert written > 0
