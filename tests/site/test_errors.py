"""Every refusal has a status, a page, its sentence and its code."""

import pytest
from django.test import RequestFactory

from apps.accounts.queries import ANONYMOUS
from apps.facts.journal import JournalMovedError
from apps.jobs.actions import JobMovedOnError
from cruxstore import errors
from cruxweb.middleware import STATUSES, ErrorMiddleware, answer


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.NotFoundError("There is no such fact."), 404),
        (errors.NotPermittedError("This needs the role curator."), 403),
        (JobMovedOnError("Job J-1 has already ended."), 409),
        (errors.JournalNotOursError("The journal belongs to a daemon."), 409),
        (errors.VersionConflictError("Somebody has changed it since you looked.", current="f_1-l2"), 409),
        (errors.IdempotencyConflictError("Event 7 asked for something else."), 409),
        (errors.ConfidenceError("A confidence is a number from 0 to 1."), 422),
        (JournalMovedError("The journal cannot be read."), 503),
        (errors.StoreBusyError("Somebody else is writing."), 503),
        (errors.StoreStoppedError("A sync failed."), 503),
        (errors.CruxError("It was refused."), 400),
    ],
)
def test_a_refusal_is_answered_with_its_status_sentence_and_code(
    error: errors.CruxError, status: int, db: None
) -> None:
    request = RequestFactory().get("/")
    request.principal = ANONYMOUS  # type: ignore[attr-defined]

    page = answer(request, error)

    assert page.status_code == status
    assert str(error) in page.content.decode()
    assert error.code in page.content.decode()


def test_a_fault_of_the_program_is_left_to_django(db: None) -> None:
    middleware = ErrorMiddleware(lambda request: pytest.fail("not called"))

    assert middleware.process_exception(RequestFactory().get("/"), ValueError("x")) is None


def test_a_file_that_the_system_refuses_is_no_fault_of_the_program(db: None) -> None:
    request = RequestFactory().get("/")
    request.principal = ANONYMOUS  # type: ignore[attr-defined]
    middleware = ErrorMiddleware(lambda request: pytest.fail("not called"))

    page = middleware.process_exception(request, PermissionError(13, "Permission denied", "/data/facts.jsonl"))

    assert page is not None
    assert page.status_code == 503
    assert "A file of the store cannot be used: Permission denied." in page.text
    assert "/data" not in page.text


def test_the_narrower_kind_stands_before_the_wider() -> None:
    kinds = [kind for kind, _ in STATUSES]

    for place, kind in enumerate(kinds):
        assert not any(issubclass(later, kind) for later in kinds[place + 1 :])


def test_every_code_is_stable_and_its_own() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.CruxError)]
    codes = [kind.code for kind in kinds]

    assert len(set(codes)) == len(codes)
