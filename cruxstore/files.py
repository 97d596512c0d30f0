"""What every file of the data folder needs: the lock, syncs, atomic replacement, and quarantine of a torn tail."""

import fcntl
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from cruxstore.errors import NetworkDiskError, StoreBusyError

LOCK_SECONDS = 10.0
CAPTURE_LIMIT_BYTES = 64 * 1024 * 1024
SECRET_MODE = 0o600

_LOCK_BYTES = 512
_BLOCK_BYTES = 8 * 1024


@dataclass(frozen=True, slots=True)
class LockState:
    """What `.lock` tells every process: how often the store was reopened, whether a holder is or died in the middle of
    something, and why, if at all, every writer is stopped.
    """

    epoch: int = 0
    busy: bool = False
    stopped: str = ""


class HeldLock:
    """The lock while it is ours; only its holder may set or clear the stop flag, so the state is read once."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._state: LockState | None = None

    def read(self) -> LockState:
        """The state as the last holder left it, or as it was written since."""
        if self._state is None:
            self._state = _read_state(self._descriptor)
        return self._state

    def write(self, state: LockState) -> None:
        """Replaces the state in place: the room was taken when the file was made, so a full disk cannot prevent it."""
        self._state = None
        content = orjson.dumps({"epoch": state.epoch, "busy": state.busy, "stopped": state.stopped[:200]})
        os.pwrite(self._descriptor, content.ljust(_LOCK_BYTES - 1) + b"\n", 0)
        self._state = state


class StoreLock:
    """The one lock of a data folder.

    Held by at most one thread of one process at a time. Each acquisition opens the file anew, so two stores in one
    process exclude each other too, and the system lets go when a process dies. Whoever waits longer than the given
    seconds gets StoreBusyError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._threads = threading.Lock()

    @contextmanager
    def hold(self, seconds: float = LOCK_SECONDS) -> Iterator[HeldLock]:
        """Takes the lock for the length of a `with` block."""
        deadline = time.monotonic() + seconds
        if not self._threads.acquire(timeout=seconds):
            raise StoreBusyError("Another thread of this process is writing to the store. Try again.")
        try:
            descriptor = self._acquire(deadline)
            try:
                yield HeldLock(descriptor)
            finally:
                # a forked child may share the descriptor: closing alone would leave the lock with it
                fcntl.flock(descriptor, fcntl.LOCK_UN)
                os.close(descriptor)
        finally:
            self._threads.release()

    def _acquire(self, deadline: float) -> int:
        pause = 0.0005
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, SECRET_MODE)
            try:
                while not _try_flock(descriptor):
                    if time.monotonic() >= deadline:
                        raise StoreBusyError("Another process is writing to the store. Try again.")
                    time.sleep(pause)
                    pause = min(pause * 1.5, 0.002)
                held = os.fstat(descriptor)
                if _has_name(held, self.path):
                    if held.st_size == 0:
                        HeldLock(descriptor).write(LockState())
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)


def read_lock_state(path: Path) -> LockState:
    """The state of a lock that somebody else may hold."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return LockState()
    try:
        return _read_state(descriptor)
    finally:
        os.close(descriptor)


def sync_data(descriptor: int) -> None:
    """Returns when the file's content is on the disk itself, past its cache where the system allows to ask for that."""
    if sys.platform == "darwin":
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(descriptor)


def sync_directory(directory: Path) -> None:
    """Returns when the names in a directory are durable; needed after create and rename only."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Writes all of the content, however often the system takes only a part of it."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def replace_file(path: Path, content: bytes, *, mode: int = SECRET_MODE) -> None:
    """Puts a file in place durably: a reader, or whoever comes after a crash, finds the old content or the new."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(16)}.tmp")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        try:
            write_all(descriptor, content)
            sync_data(descriptor)
        finally:
            os.close(descriptor)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_directory(path.parent)


def tail_start(descriptor: int, size: int) -> int:
    """Where the last unterminated line begins; equal to the size when the file ends with a newline."""
    end = size
    while end > 0:
        start = max(0, end - _BLOCK_BYTES)
        newline = os.pread(descriptor, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def quarantine_tail(path: Path, descriptor: int) -> Path | None:
    """Sets a torn tail aside byte for byte, then cuts it off; None when the file ends with a whole line.

    In this order: copy synced, directory synced, cut, cut synced. A tail over 64 MiB is described, not copied.
    """
    size = os.fstat(descriptor).st_size
    start = tail_start(descriptor, size)
    if start == size:
        return None
    aside = path.with_name(f"{path.name}.torn.{secrets.token_hex(16)}")
    if size - start > CAPTURE_LIMIT_BYTES:
        aside = aside.with_name(f"{aside.name}.metadata.json")
        _write_new(aside, _oversized_marker(start, size - start))
    else:
        _write_new(aside, os.pread(descriptor, size - start, start))
    sync_directory(path.parent)
    os.ftruncate(descriptor, start)
    sync_data(descriptor)
    sync_directory(path.parent)
    return aside


def refuse_network_disk(directory: Path) -> None:
    """Raises NetworkDiskError where locks and syncs cannot be relied on: NFS, CIFS and FUSE."""
    kind = disk_kind(directory.resolve(), _mounts())
    if re.match(r"nfs|cifs|smb|fuse|macfuse|osxfuse", kind):
        raise NetworkDiskError(f"The data folder {directory} is on {kind}. Move it to a local disk.")


def disk_kind(path: Path, mounts: list[tuple[Path, str]]) -> str:
    """The file system of the innermost mount that holds a path; empty when none does."""
    innermost, kind = Path(), ""
    for point, name in mounts:
        if path.is_relative_to(point) and len(point.parts) >= len(innermost.parts):
            innermost, kind = point, name
    return kind


def read_mountinfo(text: str) -> list[tuple[Path, str]]:
    """Mount points and kinds from Linux's table; `36 35 98:0 /root /mnt rw,noatime master:1 - ext4 /dev/sda rw`."""
    mounts = []
    for line in text.splitlines():
        place, _, device = line.partition(" - ")
        point = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), place.split(" ")[4])
        mounts.append((Path(point), device.split(" ")[0]))
    return mounts


def read_mount_list(text: str) -> list[tuple[Path, str]]:
    """Mount points and kinds from what `mount` prints on macOS; `/dev/disk1s1 on / (apfs, local, journaled)`."""
    found = re.findall(r"^.+? on (/.*) \(([^,)]+)", text, re.MULTILINE)
    return [(Path(point), kind) for point, kind in found]


def _mounts() -> list[tuple[Path, str]]:
    table = Path("/proc/self/mountinfo")
    if table.exists():
        return read_mountinfo(table.read_text(errors="surrogateescape"))
    listing = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False)
    return read_mount_list(listing.stdout)


def _read_state(descriptor: int) -> LockState:
    """Content that cannot be read counts as stopped."""
    content = os.pread(descriptor, _LOCK_BYTES, 0).strip(b" \n\0")
    if not content:
        return LockState()
    try:
        state = orjson.loads(content)
        return LockState(epoch=int(state["epoch"]), busy=bool(state["busy"]), stopped=str(state["stopped"]))
    except (ValueError, KeyError, TypeError):
        return LockState(stopped="The lock file cannot be read.")


def _try_flock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _has_name(held: os.stat_result, path: Path) -> bool:
    try:
        named = os.stat(path)  # noqa: PTH116  on the path of every act
    except FileNotFoundError:
        return False
    return (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, SECRET_MODE)
    try:
        write_all(descriptor, content)
        sync_data(descriptor)
    finally:
        os.close(descriptor)


def _oversized_marker(start: int, length: int) -> bytes:
    marker = {
        "schema_version": 1,
        "tail_start": start,
        "tail_len": length,
        "capture_limit_bytes": CAPTURE_LIMIT_BYTES,
        "reason": "oversized_unterminated_uncommitted_record",
    }
    return orjson.dumps(marker) + b"\n"
