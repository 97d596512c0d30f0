"""Builds the index anew from journal and ledger."""

import json
import time
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from apps.facts.projector import rebuild
from apps.facts.projector.builds import current_build
from apps.store import open_store
from cruxstore.errors import CruxError


class Command(BaseCommand):
    help = "Build the index anew from the journal and the ledger. Pages are answered from the old one meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, json: bool, **options: Any) -> None:
        started = time.monotonic()
        try:
            store = open_store()
            with Progress(
                TextColumn("Reading the journal"),
                BarColumn(),
                DownloadColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                disable=json,
            ) as bar:
                task = bar.add_task("", total=None)
                lag = rebuild(
                    store,
                    now_ns=time.time_ns(),
                    progress=lambda done, total: bar.update(task, completed=done, total=total),
                )
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        build = current_build()
        facts = 0 if build is None else build.facts
        skipped = 0 if build is None else build.skipped
        seconds = round(time.monotonic() - started, 3)
        self.stdout.write(
            _as_json({**asdict(lag), "facts": facts, "skipped": skipped, "seconds": seconds})
            if json
            else f"Indexed {facts:,} facts from {lag.lines:,} lines in {seconds:,} s; {skipped:,} lines were skipped"
        )


def _as_json(report: dict[str, object]) -> str:
    return json.dumps(report)
