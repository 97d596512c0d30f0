"""Brings a memory file in, or says exactly what it would store."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from apps.accounts.models import Tenant
from apps.accounts.rules import Principal, Role, Scope, scope_of
from apps.facts.actions import keep_upload, open_import, run_import
from apps.facts.formats import AUTO, FORMAT_NAMES, read_memory
from apps.facts.import_rules import Plan
from apps.facts.models import IndexedFact
from apps.facts.queries.imports import Preview, preview_data
from apps.store import open_store
from cruxstore.door import Store
from cruxstore.errors import CruxError
from cruxstore.ledger.events import Actor

SHOWN_LINES = 20


class Command(BaseCommand):
    help = "Bring a memory file in. With --dry-run, say what would be stored, and change nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--tenant", required=True, help="the tenant whose memory it becomes")
        parser.add_argument("--format", default=AUTO, choices=[AUTO, *FORMAT_NAMES], help="default: by content")
        parser.add_argument("--dry-run", action="store_true", help="say what would be stored, and change nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, file: Path, tenant: str, format: str, dry_run: bool, **options: Any) -> None:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        principal = Principal(kind="system", principal_id="cli", name="cli", roles={tenant: frozenset({Role.CURATOR})})
        scope = scope_of(principal, tenant)
        try:
            store = open_store()
            if dry_run:
                report = self._preview(scope, store, data, file.name, format).summary()
            else:
                report = self._import(scope, store, principal, data, file.name, format, shows_bar=not options["json"])
        except CruxError as error:
            raise CommandError(f"{file.name}: {error} ({error.code})") from error
        self.stdout.write(json.dumps(report, ensure_ascii=False) if options["json"] else _in_words(report))

    def _preview(self, scope: Scope, store: Store, data: bytes, file_name: str, form: str) -> Preview:
        if _is_set_up():
            return preview_data(scope, data, file_name=file_name, store=store, form=form)
        reading = read_memory(data, file_name=file_name, format=form, privacy=store.privacy, scope=scope.tenant)
        return Preview(
            reading=reading, size_bytes=len(data), plan=Plan.of(reading.facts, {}, store.privacy), earlier=None
        )

    def _import(
        self,
        scope: Scope,
        store: Store,
        principal: Principal,
        data: bytes,
        file_name: str,
        form: str,
        *,
        shows_bar: bool,
    ) -> dict[str, object]:
        if not _is_set_up() or not Tenant.objects.filter(name=scope.tenant).exists():
            raise CommandError(f"There is no tenant {scope.tenant}. Make it with create_tenant.")
        summary = preview_data(scope, data, file_name=file_name, store=store, form=form).summary()
        if not summary["facts"]:
            return {**summary, "stored": 0}
        upload = keep_upload(
            store,
            scope,
            principal=principal,
            file_name=file_name,
            chunks=[data],
            limit_bytes=len(data),
            at=timezone.now(),
            form=form,
        )
        import_id = open_import(store, scope, principal=principal, upload=upload, form=form)
        with Progress(
            TextColumn("Storing facts"),
            BarColumn(),
            MofNCompleteColumn(),
            console=Console(stderr=True),
            disable=not shows_bar,
        ) as bar:
            task = bar.add_task("", total=None)
            imported = run_import(
                store,
                scope,
                actor=Actor(kind=principal.kind, id=principal.principal_id),
                import_id=import_id,
                digest=upload.digest,
                form=form,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        return {**summary, "stored": imported.stored}


def _is_set_up() -> bool:
    """Whether the database has its tables; a dry run does without."""
    return IndexedFact._meta.db_table in connection.introspection.table_names()


def _in_words(report: dict[str, Any]) -> str:
    lines = [
        f"Format {report['format']}: {report['entities']:,} entities, {report['observations']:,} observations,"
        f" {report['relations']:,} relations, {report['dangling_relations']:,} of them dangling",
        f"{report['facts']:,} facts to store, {report['duplicates']:,} repeated or there already",
    ]
    for name in ("malformed", "ignored"):
        lines.append(f"{len(report[name]):,} {name}" + (":" if report[name] else ""))
        lines += [f"  line {line}: {reason}" for line, reason in report[name][:SHOWN_LINES]]
        if len(report[name]) > SHOWN_LINES:
            lines.append(f"  and {len(report[name]) - SHOWN_LINES:,} more")
    if "stored" in report:
        lines.append(f"Stored {report['stored']:,} facts")
    return "\n".join(lines)
