"""The stop flag: once nobody knows what the disk holds, no process writes until the store has been reopened."""

from collections.abc import Iterator
from contextlib import contextmanager

from cruxstore.errors import StoreStoppedError, UnknownSyncError
from cruxstore.files import HeldLock, LockState


@contextmanager
def stopping(held: HeldLock) -> Iterator[None]:
    """Sets the flag for every process where a sync in this block fails."""
    try:
        yield
    except UnknownSyncError as error:
        held.write(LockState(epoch=held.read().epoch, busy=True, stopped=str(error)))
        raise StoreStoppedError(f"{error} Nobody may write until the store has been reopened.") from error


def refuse_if_stopped(reason: str) -> None:
    """Raises StoreStoppedError with the reason for which the flag was set, if it was."""
    if reason:
        raise StoreStoppedError(f"{reason} Nobody may write until the store has been reopened.")
