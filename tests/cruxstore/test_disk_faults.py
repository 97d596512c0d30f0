"""A disk that is full, fails to sync or keeps only a part of a line leaves every act done once or not at all."""

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cruxstore.door import Store
from cruxstore.errors import CruxError
from tests.cruxstore.faults import EVERY_FAULT, check_whole, copied, settle
from tests.cruxstore.operations import OPERATIONS, Named, compact, merge, retire, set_horizon, store_two
from tests.cruxstore.stores import mergeable_store, open_store, told

SAMPLE: tuple[Named, ...] = (store_two, retire, merge, set_horizon)
FILES = ("texts.jsonl", "ledger.jsonl", "facts.jsonl")


class Disk:
    """Counts writes or syncs, and refuses from one on; a full disk stays full, a failed sync fails once."""

    def __init__(self, calls: tuple[str, ...], at: int, *, keeps_half: bool = False) -> None:
        self.calls = calls
        self.left = at
        self.keeps_half = keeps_half
        self.has_failed = False

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in self.calls:
            patch.setattr(os, name, self._counting(getattr(os, name)))

    def _counting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(descriptor: int, *rest: Any) -> Any:
            self.left -= 1
            is_write = "write" in self.calls
            if self.left > 0 or (self.left < 0 and not is_write):
                return real(descriptor, *rest)
            self.has_failed = True
            if is_write and self.keeps_half and self.left == 0:
                return real(descriptor, rest[0][: len(rest[0]) // 2])
            raise OSError(errno.ENOSPC if is_write else errno.EIO, "The disk refuses")

        return call


FAULTS: dict[str, Callable[[int], Disk]] = {
    "full disk": lambda at: Disk(("write",), at),
    "disk full after half a line": lambda at: Disk(("write",), at, keeps_half=True),
    "failing sync": lambda at: Disk(("fsync", "fdatasync"), at),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on which every operation can be done."""
    return mergeable_store(tmp_path_factory.mktemp("folder") / "data").data_dir


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("act", (*OPERATIONS, compact) if EVERY_FAULT else (*SAMPLE, compact))
def test_an_act_refused_by_the_disk_at_every_step_is_done_once_or_not_at_all(
    act: Named, fault: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = _before_and_after(act, copied(folder, tmp_path / "copy"))

    for at in range(1, 100):
        store = open_store(copied(folder, tmp_path / "copy"))
        settle(store)
        disk, refusal = FAULTS[fault](at), None
        with monkeypatch.context() as patch:
            disk.install(patch)
            try:
                _do(act, store)
            except CruxError as error:
                refusal = error
        if store.stopped():
            store.reopen()
        settle(store)
        check_whole(store)
        assert told(store) in (before, after) if refusal else told(store) == after
        _do(act, store)
        check_whole(store)
        assert told(store) == after
        if not disk.has_failed:
            break

    assert at > 2


# never half, never lost in part, and the next act works
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("act", OPERATIONS if EVERY_FAULT else SAMPLE[:2])
def test_an_act_cut_at_every_byte_of_each_file_is_done_once_or_not_at_all(
    act: Named, name: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sync in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, sync, lambda descriptor: None)
    store = open_store(copied(folder, tmp_path / "copy"))
    contents, before = _contents(store), told(store)
    _do(act, store)
    done, after = _contents(store), told(store)
    # what was to be written after the file that is cut was not begun
    begun = {other: done[other] if FILES.index(other) < FILES.index(name) else contents[other] for other in FILES}
    begun["checkpoint"] = contents["checkpoint"]

    for length in range(len(contents[name]), len(done[name]), 1 if EVERY_FAULT else 53):
        for file, content in (begun | {name: done[name][:length]}).items():
            (store.data_dir / file).write_bytes(content)
        damaged = open_store(store.data_dir)
        settle(damaged)
        check_whole(damaged)
        assert told(damaged) in (before, after)
        _do(act, damaged)
        assert told(damaged) == after
        for aside in damaged.quarantines():
            aside.unlink()


def _before_and_after(act: Named, copy: Path) -> tuple[Sequence[object], Sequence[object]]:
    store = open_store(copy)
    before = told(store)
    _do(act, store)
    return before, told(store)


def _do(act: Named, store: Store) -> None:
    with store.writing() as door:
        act(door, store, "word", "a key")


def _contents(store: Store) -> dict[str, bytes]:
    return {name: (store.data_dir / name).read_bytes() for name in (*FILES, "checkpoint")}
