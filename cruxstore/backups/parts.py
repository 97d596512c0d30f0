"""What a backup consists of: its files, each with length and digest, named in `backup.json`, which is written last.

    {"format":1,"instance_id":"s_…","made_at":"2026-11-30T09:12:00+00:00","parts":[{"bytes":118,"digest":"…","name":"…"}]}

So a folder without `backup.json` is no backup, and a file that is missing or differs from it is found before any use.
"""

import hashlib
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import orjson

from cruxstore.errors import BackupDamagedError, FolderTooNewError
from cruxstore.files import SECRET_MODE, replace_file, sync_data, sync_directory, write_all

JOURNAL = "facts.jsonl"
LEDGER = "ledger.jsonl"
TEXTS = "texts.jsonl"
TABLES = "database.jsonl"
CHECKPOINT = "checkpoint"
DAILIES = "checkpoints"

_MANIFEST = "backup.json"
_FORMAT = 1
_CHUNK_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a backup by its place in it."""

    name: str
    bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Which store a backup was made of, when, and its files."""

    instance_id: str
    made_at: datetime
    parts: tuple[Part, ...]


def copy_part(
    stream: BinaryIO, folder: Path, name: str, *, length: int, mode: int = SECRET_MODE, tail: bytes = b""
) -> Part:
    """Copies the first bytes of a stream into a folder, `tail` after them; it has its name once all is on the disk.

    The part that is answered is what was copied, without the tail. A stream that ends early is BackupDamagedError.
    """
    target = folder / name
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(16)}.tmp")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    hasher, rest = hashlib.sha256(), length
    try:
        try:
            while rest and (chunk := stream.read(min(_CHUNK_BYTES, rest))):
                hasher.update(chunk)
                write_all(descriptor, chunk)
                rest -= len(chunk)
            if rest:
                raise BackupDamagedError(f"{name} ended {rest:,} bytes early while it was copied.")
            write_all(descriptor, tail)
            sync_data(descriptor)
        finally:
            os.close(descriptor)
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_directory(target.parent)
    return Part(name, length, hasher.hexdigest())


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Makes a folder with these files a backup."""
    members = {
        "format": _FORMAT,
        "instance_id": manifest.instance_id,
        "made_at": manifest.made_at.isoformat(),
        "parts": [{"bytes": part.bytes, "digest": part.digest, "name": part.name} for part in manifest.parts],
    }
    replace_file(folder / _MANIFEST, orjson.dumps(members) + b"\n")


def read_manifest(folder: Path) -> Manifest:
    """What a backup says of itself; BackupDamagedError where a folder is none."""
    try:
        members = orjson.loads((folder / _MANIFEST).read_bytes())
        if members["format"] > _FORMAT:
            raise FolderTooNewError(f"The backup {folder} was written by a newer program. Upgrade this one.")
        parts = tuple(Part(str(part["name"]), int(part["bytes"]), str(part["digest"])) for part in members["parts"])
        manifest = Manifest(str(members["instance_id"]), datetime.fromisoformat(members["made_at"]), parts)
    except FileNotFoundError as error:
        raise BackupDamagedError(f"{folder} is not a backup, or one that was never finished.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BackupDamagedError(f"{_MANIFEST} in {folder} cannot be read.") from error
    for part in manifest.parts:
        path = PurePosixPath(part.name)
        if path.is_absolute() or ".." in path.parts:
            raise BackupDamagedError(f"{_MANIFEST} names {part.name}, which is outside the backup.")
    return manifest


def check_parts(folder: Path, manifest: Manifest) -> None:
    """Raises BackupDamagedError, naming the first file that is missing or not as it was written."""
    for part in manifest.parts:
        if part_of(folder, part.name) != part:
            raise BackupDamagedError(f"{part.name} in {folder} is not as it was written.")


def part_of(folder: Path, name: str) -> Part | None:
    """A file as it stands; None where it is missing."""
    try:
        with (folder / name).open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            return Part(name, stream.tell(), digest)
    except FileNotFoundError:
        return None
