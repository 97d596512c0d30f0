"""Makes a backup that verifies itself, beside a working site."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.facts.actions.backups import back_up_store
from apps.store import open_store
from cruxstore.errors import CruxError


class Command(BaseCommand):
    help = "Copy the data folder, its keys and what the database alone has into a new folder, and check the copy."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a new or empty folder outside the data folder")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, folder: Path, json: bool, **options: Any) -> None:
        try:
            made = back_up_store(open_store(), folder)
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        except OSError as error:
            raise CommandError(f"The backup was not finished: {error.strerror}. Remove {folder}.") from error
        found, size = made.verification, sum(part.bytes for part in made.manifest.parts)
        report = {"folder": str(folder), "files": len(made.manifest.parts), "bytes": size, **asdict(found)}
        words = (
            f"Copied {len(made.manifest.parts):,} files, {size:,} bytes. The copy was verified: "
            f"{found.events:,} events, {found.lines:,} lines of ours, {found.foreign_lines:,} of others, "
            f"{found.texts:,} texts. Intact."
        )
        self.stdout.write(_as_json(report) if json else words)


def _as_json(report: dict[str, object]) -> str:
    return json.dumps(report)
