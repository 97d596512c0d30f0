"""Gives a person a role; admin and operator are proposed, and wait for a second person."""

import json as json_text

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.actions import actor_of, grant_role, propose_role, require_people_right
from apps.accounts.as_person import person_signed_in
from apps.accounts.queries import person_id_of
from apps.accounts.rules import PROPOSED_ROLES, Role
from apps.store import open_store
from cruxstore.errors import CruxError


class Command(BaseCommand):
    help = "Give a person a role, as the person of CRUXWEB_TOKEN. Admin and operator wait for a second person."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("role", choices=[role.value for role in Role])
        parser.add_argument("--tenant", default="default")
        parser.add_argument("--code", default="", help="a one-time code from the page of your tokens")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, username: str, role: str, tenant: str, code: str, json: bool, **options: object) -> None:
        asked = Role(role)
        try:
            store = open_store()
            principal = person_signed_in(store, code)
            person_id = person_id_of(username)
            if asked in PROPOSED_ROLES:
                made = propose_role(store, principal=principal, tenant=tenant, person_id=person_id, role=asked)
                told = {"proposal": made.number, "state": made.state}
                words = f"Proposal {made.number} waits for a second person"
            else:
                require_people_right(principal, tenant, asked)
                grant_role(store, actor=actor_of(principal), person_id=person_id, tenant=tenant, role=asked)
                told, words = {"state": "granted"}, f"{username} is {role} in {tenant}"
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        self.stdout.write(json_text.dumps(told) if json else words)
