"""The lock, syncs, atomic replacement and quarantine, on real files."""

import multiprocessing
import os
import signal
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from cruxstore import files
from cruxstore.errors import NetworkDiskError, StoreBusyError
from cruxstore.files import (
    LockState,
    StoreLock,
    disk_kind,
    quarantine_tail,
    read_lock_state,
    read_mount_list,
    read_mountinfo,
    refuse_network_disk,
    replace_file,
    tail_start,
)

LINUX_MOUNTS = r"""22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:26 / /mnt/team\040share rw,relatime shared:2 - nfs4 server:/share rw
31 22 0:27 / /home/ana/cloud rw,nosuid - fuse.rclone cloud: rw
"""
MAC_MOUNTS = """/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//ana@server/share on /Volumes/share (smbfs, nodev, nosuid, mounted by ana)
"""


@pytest.fixture
def lock(tmp_path: Path) -> StoreLock:
    return StoreLock(tmp_path / ".lock")


def test_a_second_thread_waits_and_then_says_busy(lock: StoreLock) -> None:
    refusals: list[StoreBusyError] = []

    def try_to_hold() -> None:
        try:
            with lock.hold(seconds=0.05):
                pass
        except StoreBusyError as error:
            refusals.append(error)

    with lock.hold():
        second = threading.Thread(target=try_to_hold)
        second.start()
        second.join()

    assert [error.code for error in refusals] == ["store_busy"]


def test_two_lock_objects_of_one_process_exclude_each_other(lock: StoreLock) -> None:
    other = StoreLock(lock.path)

    with lock.hold(), pytest.raises(StoreBusyError), other.hold(seconds=0.05):
        pass


def test_the_lock_of_a_killed_process_is_free_again(lock: StoreLock) -> None:
    context = multiprocessing.get_context("fork")
    held = context.Event()

    def hold_until_killed() -> None:
        with lock.hold():
            held.set()
            signal.pause()

    holder = context.Process(target=hold_until_killed)
    holder.start()
    held.wait(5)
    assert holder.pid is not None
    os.kill(holder.pid, signal.SIGKILL)
    holder.join()

    with lock.hold(seconds=1) as mine:
        assert mine.read() == LockState()


def test_a_lock_file_put_in_place_of_the_held_one_is_the_one_that_counts(lock: StoreLock) -> None:
    with lock.hold():
        lock.path.unlink()

        with StoreLock(lock.path).hold(seconds=1) as other:
            assert other.read() == LockState()


def test_the_state_is_written_in_place_so_a_full_disk_cannot_prevent_it(lock: StoreLock) -> None:
    with lock.hold() as held:
        before = lock.path.stat()
        held.write(LockState(epoch=3, busy=True, stopped="A sync failed." * 50))
        after = lock.path.stat()

    assert (after.st_ino, after.st_size) == (before.st_ino, before.st_size)
    assert read_lock_state(lock.path).epoch == 3
    assert read_lock_state(lock.path).stopped.startswith("A sync failed.")


def test_a_lock_file_that_cannot_be_read_counts_as_stopped(lock: StoreLock) -> None:
    lock.path.write_bytes(b"\xff\xfe nothing of ours")

    with lock.hold() as held:
        assert held.read().stopped


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/data", "ext4"),
        ("/mnt/team share/data", "nfs4"),
        ("/mnt/team", "ext4"),
        ("/home/ana/cloud", "fuse.rclone"),
    ],
)
def test_the_innermost_mount_tells_the_kind_of_disk(path: str, kind: str) -> None:
    assert disk_kind(Path(path), read_mountinfo(LINUX_MOUNTS)) == kind


def test_the_mount_list_of_macos_is_read_too() -> None:
    mounts = read_mount_list(MAC_MOUNTS)

    assert disk_kind(Path("/Users/ana/data"), mounts) == "apfs"
    assert disk_kind(Path("/Volumes/share/data"), mounts) == "smbfs"


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "smbfs", "smb3", "fuse.sshfs", "fuseblk", "macfuse"])
def test_a_network_disk_is_refused(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_mounts", lambda: [(Path("/"), "ext4"), (tmp_path.resolve(), kind)])

    with pytest.raises(NetworkDiskError):
        refuse_network_disk(tmp_path)


def test_a_local_disk_is_not_refused(tmp_path: Path) -> None:
    refuse_network_disk(tmp_path)


def test_a_replaced_file_is_for_its_owner_only_and_leaves_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "key"

    replace_file(path, b"first")
    replace_file(path, b"second")

    assert path.read_bytes() == b"second"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_refused_replacement_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"
    replace_file(path, b"first")

    def refuse(descriptor: int, content: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, b"second")

    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("length", [0, 1, 8191, 8192, 8193, 20_000])
def test_the_tail_starts_after_the_last_newline_however_far_back(length: int, tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"whole\n" + b"x" * length)

    with path.open("rb") as stream:
        assert tail_start(stream.fileno(), path.stat().st_size) == 6


def test_a_torn_tail_is_set_aside_byte_for_byte_and_cut(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_bytes(b'{"op":1}\n{"op":\xff')

    with path.open("rb+") as stream:
        aside = quarantine_tail(path, stream.fileno())

    assert aside is not None
    assert path.read_bytes() == b'{"op":1}\n'
    assert aside.read_bytes() == b'{"op":\xff'
    assert aside.name.startswith("facts.jsonl.torn.")
    assert len(aside.name) == len("facts.jsonl.torn.") + 32
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600


def test_a_whole_file_has_nothing_to_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_bytes(b"\n")

    with path.open("rb+") as stream:
        assert quarantine_tail(path, stream.fileno()) is None

    assert list(tmp_path.iterdir()) == [path]


def test_a_tail_too_long_to_copy_is_described(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_bytes(b"whole\n")
    length = files.CAPTURE_LIMIT_BYTES + 1
    with path.open("rb+") as stream:
        stream.truncate(6 + length)
        aside = quarantine_tail(path, stream.fileno())

    assert aside is not None
    assert aside.name.endswith(".metadata.json")
    assert orjson.loads(aside.read_bytes()) == {
        "schema_version": 1,
        "tail_start": 6,
        "tail_len": length,
        "capture_limit_bytes": 64 * 1024 * 1024,
        "reason": "oversized_unterminated_uncommitted_record",
    }
    assert path.read_bytes() == b"whole\n"


def test_a_tail_is_cut_only_after_its_copy_and_the_copys_name_are_durable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "facts.jsonl"
    order: list[str] = []
    path.write_bytes(b"torn")
    for name in ("write", "fdatasync", "fsync", "ftruncate"):
        monkeypatch.setattr(os, name, _noting(order, name))

    with path.open("rb+") as stream:
        quarantine_tail(path, stream.fileno())

    assert order == ["write", "fdatasync", "fsync", "ftruncate", "fdatasync", "fsync"]


def _noting(order: list[str], name: str) -> Callable[..., object]:
    real = getattr(os, name)

    def call(*arguments: object) -> object:
        order.append(name)
        return real(*arguments)

    return call
