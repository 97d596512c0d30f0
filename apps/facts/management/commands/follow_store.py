"""Keeps the index as far as the files are, until stopped."""

import json
import time
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.facts.projector import bring_up_to_date
from apps.store import open_store
from cruxstore.errors import CruxError

LONGEST_PAUSE_SECONDS = 3600.0


class Command(BaseCommand):
    help = "Read what is new in journal and ledger as it comes. Stop it with Ctrl C; nothing is lost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="read what is there and stop")
        parser.add_argument("--every", type=float, default=1.0, help="seconds between two looks (default 1)")
        parser.add_argument("--json", action="store_true", help="print one JSON object for each change")

    def handle(self, *, once: bool, every: float, json: bool, **options: Any) -> None:
        if not 0 < every <= LONGEST_PAUSE_SECONDS:
            raise CommandError(f"--every is {every:g}; write seconds from 0.1 to {LONGEST_PAUSE_SECONDS:g}.")
        try:
            store = open_store()
            said = ""
            while True:
                lag = bring_up_to_date(store, now_ns=time.time_ns(), limit=None)
                text = _as_json(asdict(lag)) if json else f"Line {lag.lines:,}, {lag.bytes_behind:,} bytes to read"
                if text != said:
                    self.stdout.write(text)
                    said = text
                if once:
                    return
                time.sleep(every)
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        except KeyboardInterrupt:
            self.stderr.write("Stopped; the index keeps what it has read")


def _as_json(report: dict[str, object]) -> str:
    return json.dumps(report)
