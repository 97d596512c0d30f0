import pytest
from django.db import IntegrityError, connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from apps.facts.sql import execute, execute_many, fetch

_INSERT = "INSERT INTO facts_tenantnumber (number, name) VALUES (%s, %s)"

pytestmark = pytest.mark.django_db


def test_a_percent_sign_that_is_no_place_is_written_twice() -> None:
    assert fetch("SELECT 'half %%s, 50 %%' = %s", ("half %s, 50 %",)) == [(1,)]


def test_what_was_written_is_answered_and_counted() -> None:
    execute_many(_INSERT, [(1, "default"), (2, "acme")])

    assert execute("UPDATE facts_tenantnumber SET name = %s WHERE number > %s", ("nordwind", 1)) == 1
    assert fetch("SELECT number, name FROM facts_tenantnumber ORDER BY number") == [(1, "default"), (2, "nordwind")]


def test_an_error_is_the_one_that_django_has_for_it() -> None:
    execute(_INSERT, (1, "default"))

    with pytest.raises(IntegrityError), transaction.atomic():
        execute(_INSERT, (1, "acme"))
    with pytest.raises(IntegrityError), transaction.atomic():
        execute_many(_INSERT, [(2, "acme"), (2, "nordwind")])

    assert fetch("SELECT name FROM facts_tenantnumber") == [("default",)]


def test_after_an_error_nothing_is_asked_until_the_transaction_has_ended() -> None:
    with transaction.atomic():
        with pytest.raises(IntegrityError), transaction.atomic(savepoint=False):
            execute_many(_INSERT, [(1, "default"), (1, "default")])

        with pytest.raises(TransactionManagementError):
            fetch("SELECT 1")
        transaction.set_rollback(True)


def test_whoever_listens_hears_every_statement() -> None:
    with CaptureQueriesContext(connection) as heard:
        fetch("SELECT number FROM facts_tenantnumber WHERE name = %s", ("default",))
        execute(_INSERT, (1, "default"))
        execute_many(_INSERT, [(2, "acme")])

    assert len(heard) == 3
