"""Prints a one-time link with which somebody who is locked out sets a new password."""

import json as json_text

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from apps.accounts.actions import offer_reset_to_locked_out
from apps.store import open_store
from cruxstore.errors import CruxError


class Command(BaseCommand):
    help = "Print a one-time link for a new password. Whoever uses it approves nothing until an admin has made another."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, username: str, json: bool, **options: object) -> None:
        try:
            link = offer_reset_to_locked_out(open_store(), username=username, now=timezone.now())
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        address = f"{settings.SITE_ADDRESS.geturl().rstrip('/')}/join/?key={link.secret}"
        told = {"address": address, "expires_at": link.expires_at.isoformat()}
        words = f"{address}\nIt works once, until {link.expires_at:%Y-%m-%d %H:%M} UTC."
        self.stdout.write(json_text.dumps(told) if json else words)
