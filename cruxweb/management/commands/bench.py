"""Measures how fast the index and its pages are."""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.facts.bench.acts import act_with_rows
from apps.facts.bench.compacting import compact_here, keep_writing
from apps.facts.bench.folder import prepare_here
from apps.facts.bench.measures import MEASURES, Folders
from apps.review.bench import scan_here, scan_measures

FIGURES = {**MEASURES, **scan_measures()}


class Command(BaseCommand):
    help = f"Measure figures next to their yardsticks: {', '.join(FIGURES)}. Without names, all of them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME")
        parser.add_argument("--facts", type=int, default=1_000_000, help="the size that figures are measured at")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
        parser.add_argument("--act", action="store_true", help=argparse.SUPPRESS)
        parser.add_argument("--scan", action="store_true", help=argparse.SUPPRESS)
        parser.add_argument("--keep-writing", action="store_true", help=argparse.SUPPRESS)
        parser.add_argument("--compact", action="store_true", help=argparse.SUPPRESS)
        parser.add_argument("--with-yardstick", action="store_true", help=argparse.SUPPRESS)

    def handle(self, *, names: list[str], facts: int, prepare: bool, with_yardstick: bool, **options: Any) -> None:
        if prepare:
            self.stdout.write(json.dumps(prepare_here(facts, with_yardstick=with_yardstick)))
            return
        if options["act"]:
            self.stdout.write(json.dumps(act_with_rows()))
            return
        if options["scan"]:
            self.stdout.write(json.dumps(scan_here()))
            return
        if options["keep_writing"] or options["compact"]:
            self.stdout.write(str(keep_writing() if options["keep_writing"] else compact_here()))
            return
        unknown = sorted(set(names) - set(FIGURES))
        if unknown:
            raise CommandError(f"There is no figure {', '.join(unknown)}. There are {', '.join(FIGURES)}.")
        figures = {}
        with tempfile.TemporaryDirectory(prefix="cruxweb-bench-") as root:
            folders = Folders(Path(root), facts, self._say)
            for name in names or list(FIGURES):
                self._say(f"measuring {name}")
                figures[name] = FIGURES[name](folders).report()
                if not options["json"]:
                    self.stdout.write(_in_words(name, figures[name]))
        if options["json"]:
            self.stdout.write(json.dumps(figures))

    def _say(self, text: str) -> None:
        self.stderr.write(text)


def _in_words(name: str, figure: dict[str, object]) -> str:
    return (
        f"{name}: {figure['ours']} {figure['unit']} against {figure['yardstick']} {figure['unit']},"
        f" ratio {figure['ratio']} at {figure['n']:,} facts"
    )
