"""One-time links: how a person comes to a sign-in without mail. Who makes one hands it over in their own way."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.mfa.models import Authenticator
from blake3 import blake3
from django.db import transaction

from apps.accounts.actions.people import (
    SYSTEM,
    actor_of,
    add_person,
    add_sign_in,
    check_password,
    check_username,
    require_care,
    require_people_right,
)
from apps.accounts.models import OneTimeLink, Person, User
from apps.accounts.projector import catch_up
from apps.accounts.queries import PersonRow, get_person, person_id_of, principal_of_person
from apps.accounts.rules import PROPOSED_ROLES, STORE, Principal, Role, SecondPersonError
from cruxstore.door import Door, Store
from cruxstore.errors import CruxError, NotFoundError
from cruxstore.ledger.events import Action, Actor

GOOD_FOR = timedelta(days=3)


class NoRoleError(CruxError):
    """Somebody is invited without a role, so that they could see nothing."""

    code = "no_role"


@dataclass(frozen=True)
class MadeLink:
    """A link while it can still be shown: its secret is kept nowhere."""

    secret: str
    person_id: str
    person_name: str
    kind: str
    username: str
    expires_at: datetime


@dataclass(frozen=True)
class OpenLink:
    """What a link that still works is for."""

    kind: str
    person_name: str
    username: str
    expires_at: datetime

    @property
    def is_reset(self) -> bool:
        """Whether it sets a new password instead of making a sign-in."""
        return self.kind == OneTimeLink.RESET


def invite(store: Store, *, principal: Principal, tenant: str, name: str, roles: list[Role], now: datetime) -> MadeLink:
    """A new person with these roles in a tenant, and the link with which they choose how to sign in."""
    if not roles:
        raise NoRoleError("Choose at least one role; without one there is nothing to see.")
    for role in roles:
        require_people_right(principal, tenant, role)
        if role in PROPOSED_ROLES:
            raise SecondPersonError("Invite with another role first, then propose this one.")
    person_id = add_person(store, actor=actor_of(principal), name=name, roles=[(tenant, role) for role in roles])
    with store.writing() as door:
        link = _make(door, actor_of(principal), person_id, kind=OneTimeLink.INVITATION, now=now)
    catch_up(store)
    return link


def offer_sign_in(store: Store, *, principal: Principal, tenant: str, person_id: str, now: datetime) -> MadeLink:
    """A link with which a person of the tenant gets a sign-in, another one if there are some."""
    with store.writing() as door:
        person = _in_care(store, principal, tenant, person_id)
        kind = OneTimeLink.SECOND if person.sign_ins else OneTimeLink.INVITATION
        link = _make(door, actor_of(principal), person_id, kind=kind, now=now)
    catch_up(store)
    return link


def offer_reset(
    store: Store, *, principal: Principal, tenant: str, person_id: str, username: str, now: datetime
) -> MadeLink:
    """A link with which a person of the tenant sets a new password for one sign-in; its second factors go."""
    with store.writing() as door:
        person = _in_care(store, principal, tenant, person_id)
        if username not in {sign_in.username for sign_in in person.sign_ins}:
            raise NotFoundError("This person has no such sign-in.")
        link = _make(door, actor_of(principal), person_id, kind=OneTimeLink.RESET, now=now, username=username)
    catch_up(store)
    return link


def offer_reset_to_locked_out(store: Store, *, username: str, now: datetime) -> MadeLink:
    """The same from the command line, for somebody whom nobody else can let in."""
    with store.writing() as door:
        catch_up(store)
        person_id = person_id_of(username)
        link = _make(door, SYSTEM, person_id, kind=OneTimeLink.RESET, now=now, username=username)
    catch_up(store)
    return link


def read_link(secret: str, *, now: datetime) -> OpenLink:
    """What a link is for; NotFoundError alike where it is unknown, used or too old."""
    link = _usable(secret, now)
    name = Person.objects.filter(person_id=link.person_id).values_list("name", flat=True).first()
    return OpenLink(link.kind, name or "", link.username, link.expires_at)


def use_link(store: Store, secret: str, *, username: str, password: str, now: datetime) -> User:
    """Opens the sign-in that a link is for, once; a refused user name or password leaves the link as it was."""
    check_password(password)
    with store.writing() as door:
        catch_up(store)
        link = _usable(secret, now)
        if link.kind != OneTimeLink.RESET:
            check_username(username)
        actor = Actor(kind="person", id=link.person_id)
        door.record(actor, STORE, Action.SIGN_IN_OPENED, subjects=(link.person_id, link.link_id), code=link.kind)
        with transaction.atomic():
            OneTimeLink.objects.filter(digest=link.digest).update(used_at=now)
            user = (
                _reset(link, password, now) if link.kind == OneTimeLink.RESET else _open(link, username, password, now)
            )
    catch_up(store)
    return user


def _in_care(store: Store, principal: Principal, tenant: str, person_id: str) -> PersonRow:
    catch_up(store)
    person = get_person(tenant, person_id)
    require_people_right(principal, tenant, Role.VIEWER)
    require_care(principal, person_id)
    return person


def _make(door: Door, actor: Actor, person_id: str, *, kind: str, now: datetime, username: str = "") -> MadeLink:
    secret = secrets.token_urlsafe(32)
    OneTimeLink.objects.filter(expires_at__lt=now - GOOD_FOR).delete()
    link = OneTimeLink.objects.create(
        digest=_digest(secret),
        kind=kind,
        person_id=person_id,
        username=username,
        made_by=actor.id,
        expires_at=now + GOOD_FOR,
    )
    door.record(actor, STORE, Action.SIGN_IN_OFFERED, subjects=(person_id, link.link_id), code=kind)
    return MadeLink(secret, person_id, principal_of_person(person_id).name, kind, username, link.expires_at)


def _open(link: OneTimeLink, username: str, password: str, now: datetime) -> User:
    return add_sign_in(
        person_id=link.person_id, username=username, password=password, opened_by=link.made_by, opened_at=now
    )


def _reset(link: OneTimeLink, password: str, now: datetime) -> User:
    user = User.objects.get(username=link.username)
    user.set_password(password)
    user.opened_by, user.opened_at = link.made_by, now
    user.save()
    Authenticator.objects.filter(user=user).delete()
    return user


def _usable(secret: str, now: datetime) -> OneTimeLink:
    link = OneTimeLink.objects.filter(digest=_digest(secret), used_at=None, expires_at__gt=now).first()
    if link is None:
        raise _gone()
    return link


def _gone() -> NotFoundError:
    return NotFoundError("This link was used, or is too old. Ask for a new one.")


def _digest(secret: str) -> str:
    return blake3(secret.encode("utf-8", "surrogatepass")).hexdigest()
