"""The promises of an append-only line file, on real files with a disk that refuses and a sync that fails."""

import os
from pathlib import Path

import pytest

from cruxstore.errors import DiskRefusedError, UnknownSyncError
from cruxstore.lines import LineFile, find_line, newest_line, read_lines


@pytest.fixture
def file(tmp_path: Path) -> LineFile:
    return LineFile(tmp_path / "lines.jsonl")


def test_lines_come_back_whole_with_their_offsets(file: LineFile) -> None:
    first = file.append([b"one", b"", b"three"])
    second = file.append([b"four"])

    assert (first, second) == (0, 11)
    assert list(read_lines(file.path)) == [(0, b"one"), (4, b""), (5, b"three"), (11, b"four")]
    assert list(read_lines(file.path, 5)) == [(5, b"three"), (11, b"four")]
    assert len(list(read_lines(file.path))) == 4


def test_a_torn_tail_is_nobodys_line_until_it_is_set_aside(file: LineFile) -> None:
    file.append([b"one"])
    with file.path.open("ab") as stream:
        stream.write(b"to")

    assert list(read_lines(file.path)) == [(0, b"one")]
    assert file.newest() == (0, b"one")
    assert newest_line(file.path) == b"one"

    aside = file.repair()

    assert aside is not None
    assert aside.read_bytes() == b"to"
    assert file.path.read_bytes() == b"one\n"


def test_a_line_must_not_contain_a_newline(file: LineFile) -> None:
    with pytest.raises(ValueError, match="newline"):
        file.append([b"one\ntwo"])

    assert not file.path.exists() or file.path.read_bytes() == b""


def test_many_lines_are_one_write(file: LineFile, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    write = os.write

    def count(descriptor: int, content: memoryview) -> int:
        calls.append(len(content))
        return write(descriptor, content)

    monkeypatch.setattr(os, "write", count)
    file.append([b"x" * 100] * 1000)

    assert calls == [101_000]


def test_a_short_write_is_continued(file: LineFile, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: write(descriptor, content[:3]))

    file.append([b"one", b"two"])

    assert file.path.read_bytes() == b"one\ntwo\n"


@pytest.mark.parametrize("room", [0, 1, 5])
def test_a_full_disk_leaves_the_file_as_it_was(room: int, file: LineFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.append([b"one"])

    with monkeypatch.context() as patched:
        _fill_disk_after(patched, room)
        with pytest.raises(DiskRefusedError):
            file.append([b"a longer line"])

    assert file.path.read_bytes() == b"one\n"
    file.append([b"two"])
    assert file.path.read_bytes() == b"one\ntwo\n"


def test_a_refused_write_that_cannot_be_cut_back_is_unknown(file: LineFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, length: int) -> None:
        raise OSError(5, "Input/output error")

    _fill_disk_after(monkeypatch, 2)
    monkeypatch.setattr(os, "ftruncate", refuse)

    with pytest.raises(UnknownSyncError):
        file.append([b"one"])


def test_foreign_bytes_behind_a_refused_write_are_not_cut(file: LineFile, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write

    def write_a_part_then_refuse(descriptor: int, content: memoryview) -> int:
        if file.path.stat().st_size:
            raise OSError(28, "No space left on device")
        written = write(descriptor, content[:2])
        with file.path.open("ab") as stream:
            stream.write(b"foreign\n")
            stream.flush()
        return written

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write_a_part_then_refuse)
        with pytest.raises(UnknownSyncError):
            file.append([b"one"])

    assert file.path.read_bytes() == b"onforeign\n"


def test_a_failed_sync_is_unknown(file: LineFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    file.append([b"one"])
    monkeypatch.setattr(os, "fdatasync", fail)

    with pytest.raises(UnknownSyncError):
        file.append([b"two"])


def test_a_file_put_in_its_place_is_the_one_that_is_written(file: LineFile, tmp_path: Path) -> None:
    file.append([b"one"])
    other = tmp_path / "other"
    other.write_bytes(b"another\n")
    other.replace(file.path)

    offset = file.append([b"two"])

    assert offset == 8
    assert file.path.read_bytes() == b"another\ntwo\n"


def test_a_foreign_line_is_appended_after_never_overwritten(file: LineFile) -> None:
    file.append([b"one"])
    with file.path.open("ab") as stream:
        stream.write(b"foreign\n")

    file.append([b"two"])

    assert file.path.read_bytes() == b"one\nforeign\ntwo\n"


@pytest.mark.parametrize("padding", [0, 10, 1024 * 1024 - 5, 1024 * 1024])
def test_the_newest_line_with_a_word_is_found_across_block_borders(padding: int, file: LineFile) -> None:
    file.append([b"needle old", b"needle new", b"x" * padding, b"last"])

    assert find_line(file.path, b"needle") == (11, b"needle new")
    assert find_line(file.path, b"haystack") is None


def test_a_file_that_nobody_uses_any_more_is_let_go(tmp_path: Path) -> None:
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208  a count of descriptors, not of files

    for number in range(20):
        LineFile(tmp_path / str(number)).append([b"one"])

    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_nothing_is_found_where_there_is_no_file(tmp_path: Path) -> None:
    assert find_line(tmp_path / "none", b"x") is None
    assert newest_line(tmp_path / "none") is None
    assert list(read_lines(tmp_path / "none")) == []


def _fill_disk_after(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    write, left = os.write, [room]

    def write_what_fits(descriptor: int, content: memoryview) -> int:
        if left[0] == 0:
            raise OSError(28, "No space left on device")
        written = write(descriptor, content[: left[0]])
        left[0] -= written
        return written

    monkeypatch.setattr(os, "write", write_what_fits)
