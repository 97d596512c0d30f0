"""Moving from the file in the data folder to PostgreSQL: what no file can bring back is copied, the rest made again."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor

from apps.jobs.heartbeats import silent_lanes
from apps.jobs.rules import Lane
from cruxstore.errors import CruxError
from cruxweb.postgres.checks import refuse_other_order

SOURCE = "embedded"
"""What the file is called while it is read."""

CARRIED = (
    "accounts.User",
    "account.EmailAddress",
    "mfa.Authenticator",
    "sessions.Session",
    "usersessions.UserSession",
    "accounts.OneTimeLink",
    "accounts.OneTimeCode",
    "accounts.TokenSecret",
    "accounts.TokenReads",
    "facts.SavedView",
    "facts.Upload",
    "facts.ReadableTime",
    "jobs.Job",
    "jobs.Turn",
    "jobs.Notice",
)
"""What is ours alone, those first that others point to."""

MADE_AGAIN = frozenset(
    {
        # by the migrations, or never used here
        *("contenttypes.ContentType", "auth.Permission", "auth.Group", "auth.Group_permissions"),
        *("accounts.User_groups", "accounts.User_user_permissions", "account.EmailConfirmation"),
        # from the ledger
        *("accounts.Person", "accounts.Tenant", "accounts.RoleGrant", "accounts.RoleProposal", "accounts.Token"),
        *("accounts.Confirmation", "accounts.LedgerCursor"),
        # from journal and ledger
        *("facts.Build", "facts.IndexPointer", "facts.TenantNumber", "facts.Home", "facts.IndexedFact", "facts.Cell"),
        *("facts.Label", "facts.Name", "facts.FactLine", "facts.Revision", "facts.SettingRevision", "facts.LineBlock"),
        *("facts.LineNote", "facts.Consolidation", "facts.ForwardLink", "facts.Hold", "facts.HoldSweep"),
        *("facts.LedgerEvent", "facts.EventSubject", "facts.FactSetting"),
        # by the next scan
        *("review.Finding", "review.ScanState", "review.Signature", "review.SignatureBand"),
    }
)
"""What the files, or work over them, bring back."""

Progress = Callable[[int, int], None]


class CannotMoveError(CruxError):
    """The database cannot be moved as things are; nothing was changed."""

    code = "cannot_move"


def move_database(file: Path, *, progress: Progress = lambda done, total: None) -> dict[str, int]:
    """Copies what is ours alone from a file of SQLite into the empty database in use, all of it or nothing.

    Answers how many rows of each kind there were. CannotMoveError where the site runs, the file is of another program
    than this one, or the database is not PostgreSQL, not empty or orders texts in another way.
    """
    if connection.vendor != "postgresql":
        raise CannotMoveError("Set CRUXWEB_DATABASE_URL to the PostgreSQL database that everything is to move into.")
    if len(silent_lanes(now=time.time())) < len(Lane):
        raise CannotMoveError("The workers of this data folder run. Stop the site first, and wait half a minute.")
    refuse_other_order()
    with _opened(file):
        call_command("migrate", interactive=False, verbosity=0)
        for label in (*CARRIED, "facts.Build"):
            if _manager(label).using(DEFAULT_DB_ALIAS).exists():
                raise CannotMoveError(f"The database holds rows already ({label}). Move into an empty one.")
        # one look at the file, which nobody can change meanwhile
        with transaction.atomic(using=SOURCE), transaction.atomic():
            return _copy(progress)


def _copy(progress: Progress) -> dict[str, int]:
    counts = {label: _manager(label).using(SOURCE).count() for label in CARRIED}
    done, total = 0, sum(counts.values())
    for label in CARRIED:
        for row in _manager(label).using(SOURCE).order_by("pk").iterator(chunk_size=500):
            # raw, so that a row keeps the moments at which it was made
            row.save_base(raw=True, force_insert=True, using=DEFAULT_DB_ALIAS)
            done += 1
            progress(done, total)
    tables = [apps.get_model(label) for label in CARRIED]
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(sql)
    return counts


@contextmanager
def _opened(file: Path) -> Iterator[None]:
    if not file.is_file():
        raise CannotMoveError(f"There is no file {file}.")
    embedded = {"ENGINE": "django.db.backends.sqlite3", "NAME": file, "OPTIONS": {"transaction_mode": "IMMEDIATE"}}
    connections.settings[SOURCE] = connections.configure_settings({DEFAULT_DB_ALIAS: embedded})[DEFAULT_DB_ALIAS]
    try:
        executor = MigrationExecutor(connections[SOURCE])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CannotMoveError(
                f"{file} is of an older program. Run prepare once without CRUXWEB_DATABASE_URL, then move."
            )
        yield
    finally:
        connections[SOURCE].close()
        del connections[SOURCE]
        del connections.settings[SOURCE]


def _manager(label: str) -> models.Manager[models.Model]:
    manager: models.Manager[models.Model] = apps.get_model(label)._default_manager
    return manager
