"""Makes a tenant; facts in the journal that already carry its name belong to it."""

import json as json_text

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.actions import SYSTEM, create_tenant
from apps.store import open_store
from cruxstore.errors import CruxError


class Command(BaseCommand):
    help = "Make a tenant."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the tenant's name, exactly as facts carry it in tenant_hash")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, name: str, json: bool, **options: object) -> None:
        try:
            tenant = create_tenant(open_store(), actor=SYSTEM, name=name)
        except CruxError as error:
            raise CommandError(str(error)) from error
        made = {"number": tenant.number, "name": tenant.name, "address": f"/t/{tenant.slug}/"}
        self.stdout.write(
            json_text.dumps(made) if json else f"Tenant {tenant.name} made; its pages are under /t/{tenant.slug}/"
        )
