"""An append-only file of lines: append many at once, read whole lines from an offset, find the newest, cut a torn tail.

{"a":1}\n{"b":2}\n{"c"
|        |        |
0        8        16: torn tail, no newline yet, belongs to nobody
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from cruxstore.errors import DiskRefusedError, UnknownSyncError
from cruxstore.files import quarantine_tail, sync_data, sync_directory, tail_start, write_all

_CHUNK_BYTES = 1024 * 1024


class LineFile:
    """One append-only file.

    - What `append` returned from is on the disk, in one piece.
    - After DiskRefusedError the file is as it was before the call.
    - After UnknownSyncError nobody knows what the disk holds: stop writing until the file has been read again.
    - A process that dies in `append` leaves a prefix of what it wrote; `repair` sets the torn part aside.
    - Reading needs no lock and sees whole lines only. `append` and `repair` are for the holder of the store's lock.
    """

    def __init__(self, path: Path, *, mode: int = 0o666) -> None:
        self.path = path
        self._mode = mode
        self._descriptor = -1
        self._held = (0, 0)

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the file; the next use opens it again."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def stat(self) -> os.stat_result:
        """The file that has the name now, made if there is none; a file put in its place since is noticed here."""
        if self._descriptor >= 0:
            try:
                named = os.stat(self.path)  # noqa: PTH116  on the path of every act
            except FileNotFoundError:
                pass
            else:
                if (named.st_dev, named.st_ino) == self._held:
                    return named
            self.close()
        self._descriptor = self._open()
        held = os.fstat(self._descriptor)
        self._held = held.st_dev, held.st_ino
        return held

    def append(self, lines: Sequence[bytes], *, is_looked_at: bool = False) -> int:
        """Adds lines, given without their newlines, in one write and syncs; answers the offset of the first.

        Whoever has asked `stat` just now says so.
        """
        if any(b"\n" in line for line in lines):
            raise ValueError("a line must not contain a newline")
        if not is_looked_at:
            self.stat()
        before = os.lseek(self._descriptor, 0, os.SEEK_END)
        try:
            write_all(self._descriptor, b"\n".join((*lines, b"")))
        except OSError as error:
            self._cut_back(before, error)
            raise DiskRefusedError(f"The disk refused a write to {self.path.name}: {error.strerror}.") from error
        self._sync()
        return before

    def sync(self) -> None:
        """Returns when everything written so far, by whomever, is on the disk."""
        self.stat()
        self._sync()

    def forget_cached(self) -> None:
        """Makes the next read come from the disk, where the system can: after a failed sync its cache may lie."""
        self.stat()
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(self._descriptor, 0, 0, os.POSIX_FADV_DONTNEED)

    def repair(self) -> Path | None:
        """Sets a torn tail aside and cuts it; answers where it went, None when there was none."""
        self.stat()
        try:
            return quarantine_tail(self.path, self._descriptor)
        except OSError as error:
            raise UnknownSyncError(f"A torn tail of {self.path.name} was not set aside: {error.strerror}.") from error

    def newest(self) -> tuple[int, bytes] | None:
        """The last whole line and its offset; None when there is no line."""
        size = self.stat().st_size
        return self.line_before(tail_start(self._descriptor, size))

    def line_before(self, end: int) -> tuple[int, bytes] | None:
        """The line whose newline stands just before an offset, and its own offset; None before the first."""
        if end == 0:
            return None
        start = tail_start(self._descriptor, end - 1)
        return start, os.pread(self._descriptor, end - 1 - start, start)

    def read(self, start: int, length: int) -> bytes:
        """Up to this many bytes from an offset on."""
        self.stat()
        return os.pread(self._descriptor, length, start)

    def _sync(self) -> None:
        try:
            sync_data(self._descriptor)
        except OSError as error:
            raise UnknownSyncError(f"A sync of {self.path.name} failed: {error.strerror}.") from error

    def _open(self) -> int:
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, self._mode)
        except FileExistsError:
            return os.open(self.path, os.O_RDWR | os.O_APPEND)
        sync_directory(self.path.parent)
        return descriptor

    def _cut_back(self, before: int, error: OSError) -> None:
        written_to = os.lseek(self._descriptor, 0, os.SEEK_CUR)
        if written_to == before:
            return
        try:
            if written_to != os.fstat(self._descriptor).st_size:
                raise UnknownSyncError(f"Somebody else wrote to {self.path.name} while the disk refused.") from error
            os.ftruncate(self._descriptor, before)
            sync_data(self._descriptor)
        except OSError as second:
            raise UnknownSyncError(
                f"A refused write to {self.path.name} was not cut back: {second.strerror}."
            ) from second


def read_lines(path: Path, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Each whole line from an offset on, with its own offset and without its newline; a torn tail is not answered."""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        return
    with stream:
        stream.seek(start)
        offset = start
        for line in stream:
            if not line.endswith(b"\n"):
                return
            yield offset, line[:-1]
            offset += len(line)


def torn_bytes(path: Path) -> int:
    """How many bytes stand after the last whole line; nothing where there is no file."""
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            return size - tail_start(stream.fileno(), size)
    except FileNotFoundError:
        return 0


def newest_line(path: Path) -> bytes | None:
    """The last whole line of a file that others may be writing to; None when there is no line or no file."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        end = tail_start(descriptor, os.fstat(descriptor).st_size)
        start = tail_start(descriptor, max(0, end - 1))
        return os.pread(descriptor, end - 1 - start, start) if end else None
    finally:
        os.close(descriptor)


def line_ending_at(path: Path, end: int) -> bytes:
    """The line whose newline stands just before an offset, without its newline; empty before the first."""
    with path.open("rb") as stream:
        start = tail_start(stream.fileno(), max(0, end - 1))
        return os.pread(stream.fileno(), max(0, end - 1 - start), start)


def find_line(path: Path, needle: bytes) -> tuple[int, bytes] | None:
    """The newest whole line that contains these bytes, and its offset; looks backwards from the end."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        end = tail_start(descriptor, os.fstat(descriptor).st_size)
        while end > 0:
            start = max(0, end - _CHUNK_BYTES)
            found = os.pread(descriptor, end - start + len(needle), start).rfind(needle)
            if found >= 0:
                return _line_around(descriptor, start + found)
            end = start
        return None
    finally:
        os.close(descriptor)


def _line_around(descriptor: int, offset: int) -> tuple[int, bytes]:
    start = tail_start(descriptor, offset)
    line = b""
    while b"\n" not in line:
        line += os.pread(descriptor, _CHUNK_BYTES, start + len(line))
    return start, line.partition(b"\n")[0]
