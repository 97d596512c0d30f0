"""A rewritten journal on its way to the disk: written beside, synced, and only then put in place."""

import secrets
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from cruxstore.files import sync_data, sync_directory

_BUFFER_BYTES = 1024 * 1024
_BATCH_LINES = 256


def write_draft(path: Path, lines: Iterable[bytes]) -> int:
    """Makes a new file of these lines, synced, and answers its length; when anything fails there is no file."""
    try:
        with path.open("xb", buffering=_BUFFER_BYTES) as stream:
            rest = iter(lines)
            while batch := list(islice(rest, _BATCH_LINES)):
                stream.write(b"\n".join(batch) + b"\n")
            stream.flush()
            sync_data(stream.fileno())
            return stream.tell()
    except FileExistsError:
        raise
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def write_rewrite(path: Path, lines: Iterable[bytes]) -> None:
    """Puts a file of these lines in place at once and durably; when anything fails, what was there stays."""
    draft = path.with_name(f"{path.name}.compact-{secrets.token_hex(16)}.tmp")
    write_draft(draft, lines)
    try:
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_directory(path.parent)
