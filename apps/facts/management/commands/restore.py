"""Brings a backup back into an empty data folder."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.facts.actions.backups import restore_store
from cruxstore.backups.restoring import Plan, plan_restore
from cruxstore.errors import CruxError
from cruxstore.ledger.events import Event


class Command(BaseCommand):
    help = "Bring a backup back into an empty data folder, and build the index from it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="what `backup` wrote")
        parser.add_argument(
            "--since",
            type=Path,
            metavar="CHECKPOINT",
            help="a copy of a data folder's file checkpoint: where the backup is older, the store is only read",
        )
        parser.add_argument(
            "--accept-loss",
            default="",
            metavar="REASON",
            help="give up what the backup lacks; the reason goes into the ledger",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, folder: Path, since: Path | None, accept_loss: str, json: bool, **options: Any) -> None:
        journal = settings.OBSERVED_JOURNAL
        try:
            plan = plan_restore(folder, settings.DATA_DIR, journal=journal, since=since, accepted=accept_loss.strip())
            call_command("migrate", interactive=False, verbosity=0)
            event = restore_store(plan, journal=journal)
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        except OSError as error:
            raise CommandError(f"The restore was not finished: {error}. Do it again.") from error
        report = {"events": plan.verification.events, "read_only": event is None, "missing": plan.missing}
        self.stdout.write(_as_json(report) if json else _in_words(plan, event))


def _as_json(report: dict[str, object]) -> str:
    return json.dumps(report)


def _in_words(plan: Plan, event: Event | None) -> str:
    found = plan.verification
    words = f"Restored and verified: {found.events:,} events, {found.lines:,} lines of ours, {found.texts:,} texts."
    if event is None:
        return (
            f"{words}\nThe store is only read, for the backup is older than what is known: {plan.missing}\n"
            "Restore a newer backup over it, or give up what is missing with --accept-loss REASON."
        )
    return f"{words}\nRecorded as event {event.seq:,}: " + (
        "the loss was accepted." if event.code else "store.restored."
    )
