"""Every refusal becomes an answer in one table: error class -> HTTP status, with its sentence and stable code."""

import logging
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from redis.exceptions import RedisError

from apps.accounts.recent import SignInAgainError
from apps.facts.journal import JournalMovedError
from apps.jobs.actions import JobMovedOnError
from cruxstore.errors import (
    ActUnfinishedError,
    CruxError,
    DiskRefusedError,
    IdempotencyConflictError,
    IndexBehindError,
    JournalNotOursError,
    KeyMissingError,
    NotFoundError,
    NotPermittedError,
    RefusedFactError,
    StoreBrokenError,
    StoreBusyError,
    StoreStoppedError,
    VersionConflictError,
)


class CountingError(CruxError):
    """Attempts cannot be counted, so that none is allowed."""

    code = "counting_unavailable"


STATUSES: tuple[tuple[type[CruxError], int], ...] = (
    (NotFoundError, 404),
    (NotPermittedError, 403),
    (JobMovedOnError, 409),
    (JournalNotOursError, 409),
    (VersionConflictError, 409),
    (IdempotencyConflictError, 409),
    (RefusedFactError, 422),
    (ActUnfinishedError, 503),
    (CountingError, 503),
    (DiskRefusedError, 503),
    (IndexBehindError, 503),
    (JournalMovedError, 503),
    (KeyMissingError, 503),
    (StoreBrokenError, 503),
    (StoreBusyError, 503),
    (StoreStoppedError, 503),
    (CruxError, 400),
)


_log = logging.getLogger(__name__)


class ErrorMiddleware:
    """Answers a refusal raised by a view with its page; anything else is left to Django."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page of a refusal; a file of the store that the system refuses is one too."""
        if isinstance(error, OSError) and error.filename is not None:
            _log.exception("a file cannot be used")
            return answer(request, DiskRefusedError(f"A file of the store cannot be used: {error.strerror}."))
        if isinstance(error, RedisError):
            _log.exception("Redis cannot be used")
            return answer(request, CountingError("Attempts cannot be counted now, so that none is allowed. Try again."))
        if not isinstance(error, CruxError):
            return None
        return answer(request, error)


def answer(request: HttpRequest, error: CruxError) -> HttpResponse:
    """The error page for this refusal; the page to sign in on, where only that is missing."""
    if isinstance(error, SignInAgainError):
        messages.info(request, str(error))
        return redirect(error.address)
    status = next(status for kind, status in STATUSES if isinstance(error, kind))
    return render(request, f"{status}.html", {"error": error}, status=status)
