"""Checks that journal, ledger and texts agree; or lets writers go on after a failed sync."""

import json
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.as_person import person_signed_in
from apps.facts.actions.proof import acknowledge_breaks, rotate_key
from apps.store import open_store
from cruxstore.errors import CruxError, NoteError
from cruxstore.ledger.checkpoint import read_checkpoint
from cruxstore.ledger.notes import PublicKey, read_key
from cruxstore.verifying import Verdict, verify_folder

EXIT_UNCHECKED = 2


class Command(BaseCommand):
    help = (
        "Check journal, ledger, texts and checkpoints; changes nothing. Exit 0: intact, 1: broken, 2: could not check."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--reopen",
            action="store_true",
            help="after a failed sync, read the ends of all files again and let writers go on",
        )
        parser.add_argument("--key", type=_key, metavar="PUB", help="the ledger's key as noted elsewhere, or its file")
        parser.add_argument("--since", type=Path, metavar="CHECKPOINT", help="a checkpoint that was kept elsewhere")
        parser.add_argument(
            "--acknowledge",
            metavar="REASON",
            help="record, as the person of CRUXWEB_TOKEN, that it is known why the continuity broke",
        )
        parser.add_argument("--rotate-key", metavar="REASON", help="make a new key sign the ledger, likewise")
        parser.add_argument("--code", default="", help="a one-time code from the page of your tokens")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(
        self,
        *,
        reopen: bool,
        key: PublicKey | None,
        since: Path | None,
        acknowledge: str | None,
        rotate_key: str | None,
        code: str,
        json: bool,
        **options: Any,
    ) -> None:
        if reopen:
            return self._reopen(json)
        if acknowledge or rotate_key:
            self._record(acknowledge, rotate_key, code)
        self._verify(key, since, json)

    def _record(self, acknowledge: str | None, rotate: str | None, code: str) -> None:
        try:
            store = open_store()
            principal = person_signed_in(store, code)
            if acknowledge:
                acknowledge_breaks(store, principal, reason=acknowledge)
            if rotate:
                rotate_key(store, principal, reason=rotate)
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error

    def _reopen(self, as_json: bool) -> None:
        try:
            store = open_store()
            reason = store.stopped()
            store.reopen()
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        words = f"Writers go on. They had been stopped: {reason}" if reason else "No writer was stopped."
        self.stdout.write(_as_json({"reopened": True, "stopped": reason}) if as_json else words)

    def _verify(self, key: PublicKey | None, since: Path | None, as_json: bool) -> None:
        try:
            kept = read_checkpoint(since) if since is not None else None
        except (NoteError, OSError) as error:
            raise CommandError(f"Could not check. {since} is not a checkpoint.", returncode=EXIT_UNCHECKED) from error
        found = verify_folder(settings.DATA_DIR, journal=settings.OBSERVED_JOURNAL, key=key, since=kept)
        self.stdout.write(_as_json(found.members()) if as_json else "\n".join(found.words()))
        if found.trouble:
            words = "Broken" if found.verdict == Verdict.BROKEN else "Could not check"
            raise CommandError(f"{words}. {found.trouble}", returncode=found.verdict.exit_code)


def _as_json(report: dict[str, object]) -> str:
    return json.dumps(report)


def _key(text: str) -> PublicKey:
    """A key, or the file in which it is kept."""
    try:
        return read_key(text)
    except NoteError as error:
        raise ArgumentTypeError(str(error)) from error
