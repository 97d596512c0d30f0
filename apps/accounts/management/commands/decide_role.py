"""Approves or refuses a role that another person proposed."""

import json as json_text

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.actions import approve_role, refuse_role
from apps.accounts.as_person import person_signed_in
from apps.accounts.queries import find_proposal
from apps.store import open_store
from cruxstore.errors import CruxError


class Command(BaseCommand):
    help = "Approve or refuse a proposed role, as the person of CRUXWEB_TOKEN; who proposed it cannot approve it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int, help="the proposal's number")
        parser.add_argument("decision", choices=["approve", "refuse"])
        parser.add_argument("--tenant", default="default")
        parser.add_argument("--code", default="", help="a one-time code from the page of your tokens")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, number: int, decision: str, tenant: str, code: str, json: bool, **options: object) -> None:
        decide = approve_role if decision == "approve" else refuse_role
        try:
            store = open_store()
            principal = person_signed_in(store, code)
            proposal_id = find_proposal(tenant, number)
            decided = decide(store, principal=principal, tenant=tenant, proposal_id=proposal_id)
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        told = {"proposal": decided.number, "state": decided.state}
        self.stdout.write(json_text.dumps(told) if json else f"Proposal {decided.number} {decided.state}")
