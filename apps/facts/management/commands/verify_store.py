"""Checks that journal, ledger and texts agree; or lets writers go on after a failed sync."""

import json
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.store import open_store
from cruxstore.errors import CruxError
from cruxstore.verifying import Verdict, Verification, verify_folder

EXIT_CODES = {Verdict.BROKEN: 1, Verdict.UNCHECKED: 2}


class Command(BaseCommand):
    help = "Check that journal, ledger and texts agree; changes nothing. Exit 0: intact, 1: broken, 2: could not check."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--reopen",
            action="store_true",
            help="after a failed sync, read the ends of all files again and let writers go on",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, reopen: bool, json: bool, **options: Any) -> None:
        if reopen:
            self._reopen(json)
        else:
            self._verify(json)

    def _reopen(self, as_json: bool) -> None:
        try:
            store = open_store()
            reason = store.stopped()
            store.reopen()
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        words = f"Writers go on. They had been stopped: {reason}" if reason else "No writer was stopped."
        self.stdout.write(_as_json({"reopened": True, "stopped": reason}) if as_json else words)

    def _verify(self, as_json: bool) -> None:
        found = verify_folder(settings.DATA_DIR, journal=settings.OBSERVED_JOURNAL)
        self.stdout.write(_as_json({"verdict": found.verdict, **asdict(found)}) if as_json else _in_words(found))
        if found.fault is not None:
            raise CommandError(f"Broken. {found.trouble}", returncode=EXIT_CODES[found.verdict])
        if found.unchecked:
            raise CommandError(f"Could not check. {found.unchecked}", returncode=EXIT_CODES[found.verdict])


def _as_json(report: dict[str, object]) -> str:
    return json.dumps(report)


def _in_words(found: Verification) -> str:
    ended = f"Ended generations: {found.ended_events:,} events, their lines withheld."
    return "\n".join(
        [
            f"Ledger: {found.events:,} events.",
            f"Journal: {found.lines:,} lines of ours in this generation, {found.foreign_lines:,} of others.",
            f"Texts: {found.texts:,}, {found.withheld_texts:,} withheld.",
            *([ended] if found.ended_events else []),
            *found.notes,
            *(["Intact."] if found.verdict == Verdict.INTACT else []),
        ]
    )
