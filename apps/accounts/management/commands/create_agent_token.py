"""Makes a token with which an agent reads and proposes facts in one tenant."""

import json as json_text

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from apps.accounts.actions import SYSTEM, actor_of, make_agent_token
from apps.accounts.as_person import has_token, person_signed_in
from apps.accounts.projector import catch_up
from apps.accounts.rules import Right, require
from apps.store import open_store
from cruxstore.door import Store
from cruxstore.errors import CruxError
from cruxstore.ledger.events import Actor


class Command(BaseCommand):
    help = "Make an agent's token; it is printed once. --tool takes the personal token of an admin in CRUXWEB_TOKEN."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("agent", help="the name that the agent's facts carry")
        parser.add_argument("--tenant", default="default")
        parser.add_argument("--read", action="store_true", help="it reads facts")
        parser.add_argument("--propose", action="store_true", help="it proposes facts, which wait for a curator")
        parser.add_argument("--tool", action="store_true", help="it reports what it observed, so that its facts pass")
        parser.add_argument(
            "--entity-prefix",
            default="",
            help="only entities that begin with this, letter by letter: customer::4 begins customer::42 too",
        )
        parser.add_argument("--days", type=int, default=90, help="how long it is good for")
        parser.add_argument("--code", default="", help="a one-time code, where CRUXWEB_TOKEN is set")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, agent: str, tenant: str, tool: bool, days: int, json: bool, **options: str) -> None:
        try:
            store = open_store()
            catch_up(store)
            made = make_agent_token(
                store,
                actor=_actor(store, tenant, tool, options["code"]),
                tenant=tenant,
                agent=agent,
                may_read=bool(options["read"]),
                may_propose=bool(options["propose"]),
                is_tool=tool,
                entity_prefix=options["entity_prefix"],
                days=days,
                now=timezone.now(),
            )
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        told = {"token": made.text, "token_id": made.token_id, "expires_at": made.expires_at.isoformat()}
        words = f"{made.text}\nIt is shown once, and good until {made.expires_at:%Y-%m-%d}."
        self.stdout.write(json_text.dumps(told) if json else words)


def _actor(store: Store, tenant: str, tool: bool, code: str) -> Actor:
    """Setting up needs no name; what makes facts pass does."""
    if not has_token() and not tool:
        return SYSTEM
    principal = person_signed_in(store, code)
    require(principal, Right.MANAGE_TOKENS, tenant)
    return actor_of(principal)
