"""Turns ledger events about people and tenants into rows; the only writer of those rows.

What an older database still believes of sign-ins is put right by them too.
"""

import re

from django.db import transaction
from django.db.models import Q

from apps.accounts.models import (
    Confirmation,
    LedgerCursor,
    OneTimeLink,
    Person,
    RoleGrant,
    RoleProposal,
    Tenant,
    Token,
    User,
)
from apps.accounts.rules import STORE, Role
from apps.accounts.token_rules import TokenGrant
from cruxstore.door import Store
from cruxstore.ledger.events import Action, Event

_WORD = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


def catch_up(store: Store) -> None:
    """Projects the events after the cursor; another store's rows are dropped first."""
    if LedgerCursor.objects.filter(instance_id=store.instance_id, offset=store.ledger_size()).exists():
        return
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
        case Action.TENANT_RENAMED:
            called = store.text_of(event) or ""
            Tenant.objects.filter(name=event.tenant).update(called="" if called == event.tenant else called)
        case Action.TENANT_RETIRED:
            Tenant.objects.filter(name=event.tenant, retired_at=None).update(retired_at=event.at)
        case Action.TENANT_REINSTATED:
            Tenant.objects.filter(name=event.tenant).update(retired_at=None)
        case Action.PERSON_CREATED:
            name = store.text_of(event) or event.subjects[0]
            Person.objects.update_or_create(person_id=event.subjects[0], defaults={"name": name[:200]})
        case Action.PERSON_LINKED:
            _link(event)
        case Action.PERSON_CONFIRMED:
            person_id, *openers = event.subjects
            for opener in openers:
                Confirmation.objects.update_or_create(
                    person_id=person_id, opener=opener, defaults={"confirmed_at": event.at}
                )
        case Action.SIGN_IN_OPENED:
            used = OneTimeLink.objects.filter(digest__startswith=event.subjects[1].removeprefix("l_"), used_at=None)
            used.update(used_at=event.at)
        case Action.ROLE_GRANTED:
            RoleGrant.objects.get_or_create(person_id=event.subjects[0], tenant=event.tenant, role=event.code)
        case Action.ROLE_PROPOSED:
            _propose(event)
        case Action.ROLE_APPROVED:
            _decide(event, RoleProposal.APPROVED)
            place = STORE if event.code == Role.OPERATOR else event.tenant
            RoleGrant.objects.get_or_create(person_id=event.subjects[1], tenant=place, role=event.code)
        case Action.ROLE_REFUSED:
            _decide(event, RoleProposal.REFUSED)
        case Action.ROLE_REVOKED:
            RoleGrant.objects.filter(person_id=event.subjects[0], tenant=event.tenant, role=event.code).delete()
        case Action.TOKEN_MADE:
            _add_token(store, event)
        case Action.TOKEN_REVOKED:
            Token.objects.filter(token_id=event.subjects[0], revoked_at=None).update(revoked_at=event.at)
        case _:
            pass


def _add_tenant(name: str) -> None:
    """The slug is the name where that is an address word, else t and the tenant's number."""
    if Tenant.objects.filter(name=name).exists():
        return
    number = Tenant.objects.count() + 1
    slug = name if _WORD.fullmatch(name) and not re.fullmatch(r"t\d+", name) else f"t{number}"
    Tenant.objects.create(number=number, name=name, slug=slug)


def _link(event: Event) -> None:
    """The roles of the person who was taken for another one end; who said so might be behind their sign-ins."""
    kept, joined = event.subjects
    since = Q(opened_at=None) | Q(opened_at__lt=event.at)
    User.objects.filter(since, person_id=joined).update(opened_by=event.actor.id, opened_at=event.at)
    Person.objects.filter(Q(person_id=joined) | Q(same_as=joined)).update(same_as=kept)
    RoleGrant.objects.filter(person_id=joined).delete()


def _propose(event: Event) -> None:
    proposal_id, person_id = event.subjects
    RoleProposal.objects.get_or_create(
        proposal_id=proposal_id,
        defaults={
            "number": RoleProposal.objects.count() + 1,
            "tenant": event.tenant,
            "person_id": person_id,
            "role": event.code,
            "proposed_by": event.actor.id,
            "proposed_at": event.at,
        },
    )


def _decide(event: Event, state: str) -> None:
    RoleProposal.objects.filter(proposal_id=event.subjects[0]).update(
        state=state, decided_by=event.actor.id, decided_at=event.at
    )


def _add_token(store: Store, event: Event) -> None:
    """The grant stands in the code; its words (name and entity prefix) in the texts."""
    grant = TokenGrant.decode(event.code)
    words = store.text_of(event)
    name, _, prefix = (words or "").partition("\n")
    Token.objects.update_or_create(
        token_id=event.subjects[0],
        defaults={
            "kind": Token.PERSONAL if len(event.subjects) > 1 else Token.AGENT,
            "tenant": event.tenant,
            "person_id": event.subjects[1] if len(event.subjects) > 1 else "",
            "name": name,
            "entity_prefix": prefix,
            "may_read": grant.may_read,
            "may_propose": grant.may_propose,
            "is_tool": grant.is_tool,
            "made_by": event.actor.id,
            "made_at": event.at,
            "expires_at": grant.expires_at,
            "revoked_at": None if words is not None else event.at,
        },
    )


def _start_over(cursor: LedgerCursor, instance_id: str) -> None:
    for model in (Confirmation, Person, RoleGrant, RoleProposal, Tenant, Token):
        model.objects.all().delete()
    cursor.offset, cursor.instance_id = 0, instance_id
