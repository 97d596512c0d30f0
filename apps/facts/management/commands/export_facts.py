"""Writes a tenant's facts to a file."""

import json
import sys
import time
from pathlib import Path
from typing import Any, Literal

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.rules import Scope
from apps.facts.answers import FRESHNESSES, SORTS, STATES, FactFilter
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import export_facts
from apps.facts.queries.exports import count_left_out
from apps.facts.queries.scoping import current_home
from apps.store import open_store
from cruxstore.errors import CruxError


class Command(BaseCommand):
    help = "Write a tenant's facts as safe CSV or as exact JSONL. Private facts are left out, and counted."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="where to; - is the standard output")
        parser.add_argument("--tenant", required=True, help="whose facts")
        parser.add_argument("--form", choices=["csv", "jsonl"], default="jsonl")
        parser.add_argument("--q", default="", help="only facts that hold these words")
        parser.add_argument("--entity", default="", help="only facts about this entity")
        parser.add_argument("--state", action="append", default=[], choices=STATES, help="default: all but deleted")
        parser.add_argument("--freshness", action="append", default=[], choices=FRESHNESSES)
        parser.add_argument("--known", default="", help="as known on this instant, or at “line 12” or “event 3”")
        parser.add_argument("--about", default="", help="about this instant")
        parser.add_argument("--sort", default="-recorded", choices=SORTS)
        parser.add_argument("--json", action="store_true", help="report as one JSON object on the standard error")

    def handle(self, *, file: Path, tenant: str, form: Literal["csv", "jsonl"], **options: Any) -> None:
        scope = Scope(tenant=tenant, principal_id="cli")
        chosen = FactFilter(
            q=options["q"],
            entity=options["entity"],
            state=tuple(options["state"]),
            freshness=tuple(options["freshness"]),
            sort=options["sort"],
            known=options["known"],
            about=options["about"],
        )
        try:
            store = open_store()
            bring_up_to_date(store, now_ns=time.time_ns(), limit=None, wait_seconds=60.0)
            if current_home(scope) is None:
                raise CommandError(f"There are no facts of a tenant {tenant}.")
            now_ns = time.time_ns()
            left_out = count_left_out(scope, chosen, store=store, now_ns=now_ns)
            size = 0
            chunks = export_facts(scope, chosen, form=form, store=store, now_ns=now_ns)
            with sys.stdout.buffer if str(file) == "-" else file.open("wb") as output:
                for chunk in chunks:
                    output.write(chunk)
                    size += len(chunk)
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        report = {"bytes": size, "left_out_private": left_out}
        words = f"Wrote {size:,} bytes; private facts left out: {left_out:,}"
        self.stderr.write(json.dumps(report) if options["json"] else words)
