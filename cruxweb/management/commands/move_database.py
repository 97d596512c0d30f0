"""Moves what the database alone has from the file in the data folder to PostgreSQL, and builds the index there."""

import json
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from apps.accounts.projector import catch_up
from apps.facts.projector import bring_up_to_date
from apps.store import open_store
from cruxstore.errors import CruxError
from cruxweb.moving import move_database


class Command(BaseCommand):
    help = (
        "With CRUXWEB_DATABASE_URL set and the site stopped: copy what is ours alone from the file in the data folder"
        " into that empty database, and build the index there."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="the file; by default index.sqlite3 in the data folder")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, file: Path | None, json: bool, **options: Any) -> None:
        try:
            store = open_store()
            with _bar(shown=not json) as bar:
                rows, lines = bar.add_task("Copying", total=None), bar.add_task("Reading the journal", total=None)
                counts = move_database(
                    file or settings.DATA_DIR / "index.sqlite3",
                    progress=lambda done, total: bar.update(rows, completed=done, total=total),
                )
                catch_up(store)
                lag = bring_up_to_date(
                    store,
                    now_ns=time.time_ns(),
                    limit=None,
                    progress=lambda done, total: bar.update(lines, completed=done, total=total),
                )
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        moved = sum(counts.values())
        self.stdout.write(
            _as_json({"moved": counts, "lines": lag.lines})
            if json
            else f"Moved {moved:,} rows and indexed {lag.lines:,} lines. The file stays as it is; nothing reads it now."
        )


def _bar(*, shown: bool) -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True), disable=not shown)


def _as_json(report: dict[str, object]) -> str:
    return json.dumps(report)
