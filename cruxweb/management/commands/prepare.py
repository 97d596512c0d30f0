"""Brings database, data folder and static files to where the site can start; harmless when repeated."""

import datetime
import fcntl
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.actions import SYSTEM, add_sign_in, create_person, create_tenant
from apps.accounts.models import Person, Tenant, User
from apps.accounts.projector import catch_up
from apps.accounts.rules import STORE, Role
from apps.accounts.set_up import make_set_up_token
from apps.facts.demo.builder import build_demo_journal
from apps.facts.demo.people import PEOPLE, TENANTS
from apps.facts.projector import bring_up_to_date
from apps.jobs.rules import SCHEDULE
from apps.jobs.timetable import start_now
from apps.store import open_store
from cruxstore.door import Store
from cruxstore.errors import CruxError
from cruxweb.postgres.checks import refuse_other_folder, refuse_other_order
from cruxweb.timetable import TIMETABLE

# what a data folder may hold and still count as empty: a settings reader and the file system made them
NOT_CONTENT = {"secret_key", "lost+found", ".gitkeep", ".DS_Store", ".prepare.lock"}


class Command(BaseCommand):
    help = "Set up the database, the data folder and the static files; fill an empty folder with the demo store."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reset-demo", action="store_true", help="make the demo store anew, only in a demo folder")

    def handle(self, *, reset_demo: bool, **options: Any) -> None:
        try:
            with _alone(settings.DATA_DIR):
                self._prepare(reset_demo=reset_demo)
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be used: {error.strerror}.") from error

    def _prepare(self, *, reset_demo: bool) -> None:
        if reset_demo:
            self._empty_demo_folder()
        is_demo = _is_empty(settings.DATA_DIR) and settings.DEMO and settings.OBSERVED_JOURNAL is None
        call_command("collectstatic", interactive=False, verbosity=0)
        store = open_store(is_demo=is_demo)
        refuse_other_order()
        call_command("migrate", interactive=False, verbosity=0)
        refuse_other_folder(store)
        call_command("createcachetable", verbosity=0)
        is_new_demo = store.is_demo and not store.journal_path.exists()
        if is_new_demo:
            self._write_demo_journal()
        if store.is_owner:
            with store.writing() as door:
                door.adopt(SYSTEM)
        catch_up(store)
        if store.is_demo:
            self._make_demo_people(store)
        bring_up_to_date(store, now_ns=time.time_ns(), limit=None)
        if is_new_demo:
            _queue_first_scans()
        self._say_who_can_sign_in(store)

    def _write_demo_journal(self) -> None:
        now = datetime.datetime.now(datetime.UTC)
        now_ns = int(now.timestamp()) * 1_000_000_000
        build_demo_journal(today=now.date(), into=settings.DATA_DIR / "facts.jsonl", now_ns=now_ns)

    def _make_demo_people(self, store: Store) -> None:
        for tenant in TENANTS:
            if not Tenant.objects.filter(name=tenant).exists():
                create_tenant(store, actor=SYSTEM, name=tenant)
        for person in PEOPLE:
            if User.objects.filter(username=person.username).exists():
                continue
            known = Person.objects.exclude(person_id__in=User.objects.values("person_id")).filter(name=person.name)
            if (before := known.first()) is not None:
                add_sign_in(
                    person_id=before.person_id, username=person.username, password=person.password, is_demo=True
                )
                continue
            create_person(
                store,
                actor=SYSTEM,
                username=person.username,
                name=person.name,
                password=person.password,
                roles=[(STORE if role == Role.OPERATOR else person.tenant, Role(role)) for role in person.roles],
                is_demo=True,
            )

    def _say_who_can_sign_in(self, store: Store) -> None:
        if store.is_demo:
            self.stdout.write("This is a demo folder. Sign in with any of these:")
            for person in PEOPLE:
                roles = f"{', '.join(person.roles)} of {person.tenant}"
                self.stdout.write(f"  {person.username:<10} {person.password:<16} {roles}")
        elif not User.objects.exists():
            address = settings.SITE_ADDRESS.geturl().rstrip("/")
            self.stdout.write(f"Nobody can sign in yet. Open this once: {address}/set-up/{make_set_up_token()}/")

    def _empty_demo_folder(self) -> None:
        if _is_empty(settings.DATA_DIR):
            return
        if not open_store().is_demo:
            raise CommandError(f"{settings.DATA_DIR} is not a demo folder; nothing was changed.")
        for path in settings.DATA_DIR.iterdir():
            if path.name not in NOT_CONTENT:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _queue_first_scans() -> None:
    """What would run in the night runs as soon as the workers do, so that the demo has something to decide on."""
    for daily in TIMETABLE.daily:
        for tenant in TENANTS:
            if not daily.is_store_wide:
                start_now(daily, tenant, started_by=SCHEDULE)


def _is_empty(folder: Path) -> bool:
    return not {path.name for path in folder.iterdir()} - NOT_CONTENT


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One at a time: another one that prepares the same folder is waited for."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".prepare.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
