"""Backing the whole store up, and restoring it: the data folder and what the database alone has."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import orjson
from allauth.mfa.models import Authenticator
from django.core import serializers
from django.core.serializers.base import DeserializationError
from django.db import models, transaction

from apps.accounts.actions import SYSTEM
from apps.accounts.models import TokenReads, TokenSecret, User
from apps.accounts.projector import catch_up
from apps.facts.models import SavedView, Upload
from apps.facts.projector import rebuild
from apps.store import open_store
from cruxstore.backups.making import Backup, back_up
from cruxstore.backups.restoring import Plan, awaits_more, restore
from cruxstore.door import Store
from cruxstore.errors import BackupDamagedError, RestoreRefusedError
from cruxstore.ledger.events import Event

OURS_ALONE: tuple[type[models.Model], ...] = (User, Authenticator, TokenSecret, TokenReads, SavedView, Upload)
"""What no file of the data folder can bring back; jobs and sessions are left to end with their store."""


def back_up_store(store: Store, into: Path) -> Backup:
    """Copies the data folder and what the database alone has, sign-ins and secrets of tokens too; checks the copy."""
    # before the files: whoever can sign in, and whatever was uploaded, is in the files copied after
    tables = _export_tables()
    return back_up(store, into, tables=tables, at=datetime.now(UTC))


def restore_store(plan: Plan, *, journal: Path | None) -> Event | None:
    """Does what was planned and builds the index; answers `store.restored`, None where the store is only read.

    A database with sign-ins in it is refused, unless its data folder is known to have lost something.
    """
    if User.objects.exists() and not awaits_more(plan.data_dir, journal=journal):
        raise RestoreRefusedError("The database has sign-ins already. Restore beside an empty one.")
    now_ns = time.time_ns()
    event = restore(plan, journal=journal, actor=SYSTEM, now_ns=now_ns, load_tables=_load_tables)
    store = open_store()
    catch_up(store)
    rebuild(store, now_ns=now_ns)
    return event


def _export_tables() -> bytes:
    with transaction.atomic():
        rows: Iterator[models.Model] = chain.from_iterable(
            model._default_manager.order_by("pk").iterator() for model in OURS_ALONE
        )
        # not through Django's JSON, which cuts microseconds off
        return b"".join(orjson.dumps(row) + b"\n" for row in serializers.serialize("python", rows))


def _load_tables(content: bytes) -> None:
    with transaction.atomic():
        for model in OURS_ALONE:
            model._default_manager.all().delete()
        try:
            rows = [orjson.loads(line) for line in content.splitlines()]
            for row in serializers.deserialize("python", rows):
                if type(row.object) not in OURS_ALONE:
                    raise BackupDamagedError(
                        f"The backup has rows of {row.object._meta.label}, which belong to no backup."
                    )
                row.save()
        except (ValueError, DeserializationError) as error:
            raise BackupDamagedError(f"The rows of the database cannot be read: {error}") from error
