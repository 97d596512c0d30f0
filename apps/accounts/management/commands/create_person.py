"""Makes a person with a sign-in and roles; the password is read from the terminal or standard input."""

import getpass
import json
import sys

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.actions import SYSTEM, create_person
from apps.accounts.rules import STORE, Role
from apps.store import open_store
from cruxstore.errors import CruxError


class Command(BaseCommand):
    help = "Make a person with a sign-in and roles. The password is asked for, or read from standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--name", required=True, help="the name that pages and the ledger show")
        parser.add_argument("--tenant", default="default")
        parser.add_argument(
            "--role",
            action="append",
            required=True,
            choices=[role.value for role in Role],
            help="once for each role; operator is for the whole store",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, username: str, name: str, tenant: str, role: list[str], **options: object) -> None:
        roles = [(STORE if word == Role.OPERATOR else tenant, Role(word)) for word in role]
        try:
            user = create_person(
                open_store(), actor=SYSTEM, username=username, name=name, password=_read_password(), roles=roles
            )
        except CruxError as error:
            raise CommandError(str(error)) from error
        made = {"person_id": user.person_id, "username": username, "tenant": tenant, "roles": role}
        words = f"{name} can sign in as {username}: {', '.join(role)} in {tenant}"
        self.stdout.write(json.dumps(made) if options["json"] else words)


def _read_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    return getpass.getpass("Password: ")
