"""A rewritten journal is there as a whole or not at all."""

from pathlib import Path

import pytest

from cruxstore.errors import CompactionRefusedError
from cruxstore.facts.drafts import write_draft, write_rewrite


def test_a_rewrite_is_put_in_place_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(b"before\n")

    write_rewrite(path, [b"one", b"two"])

    assert path.read_bytes() == b"one\ntwo\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_rewrite_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(b"before\n")

    with pytest.raises(CompactionRefusedError):
        write_rewrite(path, failing_lines())

    assert path.read_bytes() == b"before\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_draft_tells_its_length(tmp_path: Path) -> None:
    path = tmp_path / "draft"

    assert write_draft(path, [b"one", b"two"]) == 8
    assert path.read_bytes() == b"one\ntwo\n"


def test_a_draft_never_writes_over_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "draft"
    path.write_bytes(b"before\n")

    with pytest.raises(FileExistsError):
        write_draft(path, [b"one"])

    assert path.read_bytes() == b"before\n"


def failing_lines() -> list[bytes]:
    raise CompactionRefusedError("No.")
