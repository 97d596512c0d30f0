"""The journal's bytes for whoever knows where they stand."""

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from cruxstore.errors import CruxError, LineError
from cruxstore.facts.codec import decode_fact
from cruxstore.facts.records import Fact


class JournalMovedError(CruxError):
    """The journal no longer holds what the index says; it was replaced and is being read again."""

    code = "journal_moved"


class JournalFile:
    """One opened journal; it keeps reading the same file when another one takes the name.

    Whoever knows which file it must be says so: one that is not accepted is never read.
    """

    def __init__(self, path: Path, *, accepts: Callable[[int], bool] = lambda descriptor: True) -> None:
        self._path = path
        self._accepts = accepts
        self._descriptor = -1
        self._is_accepted = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._is_accepted = False

    @property
    def inode(self) -> str:
        """Which file it is; empty where there is none."""
        try:
            return str(os.fstat(self._opened()).st_ino)
        except FileNotFoundError:
            return ""

    def read(self, offset: int, length: int) -> bytes:
        """Exactly these bytes; JournalMovedError where the file is shorter or gone."""
        try:
            text = os.pread(self._opened(), length, offset)
        except OSError as error:
            raise JournalMovedError("The journal cannot be read.") from error
        if len(text) < length:
            raise JournalMovedError("The journal is shorter than the index says.")
        return text

    def _opened(self) -> int:
        if self._descriptor < 0:
            self._descriptor = os.open(self._path, os.O_RDONLY)
        if not self._is_accepted:
            if not self._accepts(self._descriptor):
                raise JournalMovedError("The journal was replaced and is being read again.")
            self._is_accepted = True
        return self._descriptor

    def fact(self, offset: int, length: int, fact_id: str | None = None) -> Fact:
        """The fact in a slice; JournalMovedError where there is none, or not the one expected."""
        try:
            fact = decode_fact(self.read(offset, length))
        except LineError as error:
            raise JournalMovedError("The journal does not hold a fact where the index says.") from error
        if fact_id is not None and fact.fact_id != fact_id:
            raise JournalMovedError("The journal holds another fact where the index says.")
        return fact
