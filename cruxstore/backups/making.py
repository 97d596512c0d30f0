"""Making a backup beside a working store: short under the lock, the long copying outside it.

Journal, ledger and texts only grow, so that their first bytes up to a length noted under the lock are a state in which
every act is whole, however long copying takes and whatever is written meanwhile.
"""

import io
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from cruxstore.backups.parts import (
    CHECKPOINT,
    DAILIES,
    JOURNAL,
    LEDGER,
    TABLES,
    TEXTS,
    Manifest,
    Part,
    copy_part,
    part_of,
    write_manifest,
)
from cruxstore.door import Store
from cruxstore.errors import BackupDamagedError, BackupRefusedError
from cruxstore.folder import Folder
from cruxstore.ledger.checkpoint import Dailies
from cruxstore.verifying import Verdict, Verification, verify_folder


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished backup and what the check of it found."""

    manifest: Manifest
    verification: Verification


def back_up(store: Store, into: Path, *, tables: bytes, at: datetime) -> Backup:
    """Copies a store into a new folder and checks the copy; others may write meanwhile.

    - What was acknowledged before the call is in it; of what is acknowledged during the call, whole acts only.
    - `tables` is what the database alone has, read before the call.
    - An observed journal is a daemon's and not copied.
    - A folder that is not empty, or lies within the data folder, is BackupRefusedError and stays as it is.
    """
    _refuse_target(store, into)
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    parts = [copy_part(io.BytesIO(tables), into, TABLES, length=len(tables))]
    with ExitStack() as opened:
        growing: list[tuple[str, BinaryIO, int]] = []
        with store.writing() as door:
            place = door.settle()
            # opened here: a file put in its place later does not reach the copy
            for name, path in _growing(store):
                stream = opened.enter_context(path.open("rb"))
                length = place.bytes if name == JOURNAL else os.fstat(stream.fileno()).st_size
                growing.append((name, stream, length))
            parts += [_copy(store.data_dir, into, name) for name in _small(store.data_dir)]
            # those of later events would have the copy miss what it never had
            dailies = {path.name: path.read_bytes() for path in Dailies(store.data_dir / DAILIES).paths()}
        parts += [copy_part(stream, into, name, length=length) for name, stream, length in growing]
    parts += [
        copy_part(io.BytesIO(content), into, f"{DAILIES}/{day}", length=len(content))
        for day, content in dailies.items()
    ]
    parts += [_copy(store.data_dir, into, name) for name in _lasting(store)]
    parts += _vouch(store, into)
    verification = verify_folder(into, journal=None if store.is_owner else store.journal_path)
    if verification.verdict != Verdict.INTACT:
        raise BackupDamagedError(f"The copy does not verify, so it is no backup. {verification.trouble}")
    manifest = Manifest(store.instance_id, at, tuple(parts))
    write_manifest(into, manifest)
    return Backup(manifest, verification)


def _refuse_target(store: Store, into: Path) -> None:
    if into.resolve().is_relative_to(store.data_dir.resolve()):
        raise BackupRefusedError(f"{into} lies within the data folder and would be lost with it. Name another folder.")
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise BackupRefusedError(f"{into} is not an empty folder. Name a new one.")


def _growing(store: Store) -> Iterator[tuple[str, Path]]:
    """The files that only grow; under the lock they end with a whole act."""
    ours = [(LEDGER, store.ledger_path), (TEXTS, store.texts_path)]
    for name, path in [(JOURNAL, store.journal_path), *ours] if store.is_owner else ours:
        if path.exists():
            yield name, path


def _small(data_dir: Path) -> list[str]:
    return ["instance.json", *(f"keys/{path.name}" for path in sorted((data_dir / "keys").glob("*.key")))]


def _lasting(store: Store) -> list[str]:
    """Files that are written once and never changed."""
    uploads = sorted((store.data_dir / "uploads").glob("[!.]*"))
    return [path.name for path in store.quarantines()] + [f"uploads/{path.name}" for path in uploads]


def _copy(data_dir: Path, into: Path, name: str) -> Part:
    with (data_dir / name).open("rb") as stream:
        return copy_part(stream, into, name, length=os.fstat(stream.fileno()).st_size)


def _vouch(store: Store, into: Path) -> list[Part]:
    """Gives the copy a checkpoint for all of it, so that what is cut from it later is missed."""
    folder = Folder(into, journal=None if store.is_owner else store.journal_path)
    folder.vouch()
    for file in folder.files():
        file.close()
    part = part_of(into, CHECKPOINT)
    return [part] if part is not None else []
