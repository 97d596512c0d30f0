"""Turns ledger events about people and tenants into rows; the only writer of those rows."""

import re

from django.db import transaction

from apps.accounts.models import LedgerCursor, Person, RoleGrant, Tenant
from cruxstore.door import Store
from cruxstore.ledger.events import Action, Event

_WORD = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


def catch_up(store: Store) -> None:
    """Projects the events after the cursor; another store's rows are dropped first."""
    with transaction.atomic():
        cursor, _ = LedgerCursor.objects.select_for_update().get_or_create(pk=1)
        if cursor.instance_id != store.instance_id or cursor.offset > store.ledger_size():
            _start_over(cursor, store.instance_id)
        for event, end in store.events_from(cursor.offset):
            _project(store, event)
            cursor.offset = end
        cursor.save()


def _project(store: Store, event: Event) -> None:
    match event.action:
        case Action.TENANT_CREATED:
            _add_tenant(event.tenant)
        case Action.PERSON_CREATED:
            name = store.text_of(event) or event.subjects[0]
            Person.objects.update_or_create(person_id=event.subjects[0], defaults={"name": name[:200]})
        case Action.ROLE_GRANTED:
            RoleGrant.objects.get_or_create(person_id=event.subjects[0], tenant=event.tenant, role=event.code)
        case Action.ROLE_REVOKED:
            RoleGrant.objects.filter(person_id=event.subjects[0], tenant=event.tenant, role=event.code).delete()
        case _:
            pass


def _add_tenant(name: str) -> None:
    """The slug is the name where that is an address word, else t and the tenant's number."""
    if Tenant.objects.filter(name=name).exists():
        return
    number = Tenant.objects.count() + 1
    slug = name if _WORD.fullmatch(name) and not re.fullmatch(r"t\d+", name) else f"t{number}"
    Tenant.objects.create(number=number, name=name, slug=slug)


def _start_over(cursor: LedgerCursor, instance_id: str) -> None:
    for model in (Person, RoleGrant, Tenant):
        model.objects.all().delete()
    cursor.offset, cursor.instance_id = 0, instance_id
