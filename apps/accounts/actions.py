"""What can be done about people: each act is an event in the ledger, then projected."""

import re
import secrets
from collections.abc import Iterable

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from apps.accounts.models import Tenant, User
from apps.accounts.projector import catch_up
from apps.accounts.rules import STORE, Role
from cruxstore.door import Store
from cruxstore.errors import CruxError
from cruxstore.ledger.events import Action, Actor

SYSTEM = Actor(kind="system", id="cli")


class TenantNameError(CruxError):
    """A tenant's name is empty, too long, or already taken."""

    code = "tenant_name"


class UsernameError(CruxError):
    """A user name is taken or has characters other than letters, digits, dot, dash and underscore."""

    code = "username"


class WeakPasswordError(CruxError):
    """The password is too easy to guess."""

    code = "weak_password"


class AlreadySetUpError(CruxError):
    """The one-time set-up link was used."""

    code = "already_set_up"


def create_tenant(store: Store, *, actor: Actor, name: str) -> Tenant:
    """A new tenant with this exact name; facts that already carry the name belong to it."""
    if not name.strip() or len(name) > 400:
        raise TenantNameError("A tenant needs a name of 1 to 400 characters.")
    with store.writing() as door:
        catch_up(store)
        if Tenant.objects.filter(name=name).exists():
            raise TenantNameError(f"There is already a tenant {name}.")
        door.record(actor, name, Action.TENANT_CREATED, subjects=())
    catch_up(store)
    return Tenant.objects.get(name=name)


def create_person(
    store: Store,
    *,
    actor: Actor,
    username: str,
    name: str,
    password: str | None,
    roles: Iterable[tuple[str, Role]],
    is_demo: bool = False,
) -> User:
    """A person with one sign-in and these roles (tenant, role); operator takes the tenant STORE."""
    if not re.fullmatch(r"[\w.@+-]{1,150}", username) or User.objects.filter(username=username).exists():
        raise UsernameError(f"The user name {username} is taken or has characters that a user name cannot have.")
    if password is not None and not is_demo:
        _check_password(password)
    person_id = f"p_{secrets.token_hex(16)}"
    with store.writing() as door:
        door.record(actor, STORE, Action.PERSON_CREATED, subjects=(person_id,), text=name)
        for tenant, role in roles:
            door.record(actor, tenant, Action.ROLE_GRANTED, subjects=(person_id,), code=role.value)
    catch_up(store)
    return User.objects.create_user(username, password, person_id=person_id, is_demo=is_demo)


def grant_role(store: Store, *, actor: Actor, person_id: str, tenant: str, role: Role) -> None:
    """Gives a person a role; operator takes the tenant STORE."""
    with store.writing() as door:
        door.record(actor, tenant, Action.ROLE_GRANTED, subjects=(person_id,), code=role.value)
    catch_up(store)


def revoke_role(store: Store, *, actor: Actor, person_id: str, tenant: str, role: Role) -> None:
    """Takes a role back at once."""
    with store.writing() as door:
        door.record(actor, tenant, Action.ROLE_REVOKED, subjects=(person_id,), code=role.value)
    catch_up(store)


def set_up(store: Store, *, username: str, name: str, password: str, tenant: str) -> User:
    """The first person of an empty site: curator and admin of a new tenant, and operator."""
    if User.objects.exists():
        raise AlreadySetUpError("This site has people already. An admin of it can add you.")
    _check_password(password)
    create_tenant(store, actor=SYSTEM, name=tenant)
    roles = [(tenant, Role.CURATOR), (tenant, Role.ADMIN), (STORE, Role.OPERATOR)]
    return create_person(store, actor=SYSTEM, username=username, name=name, password=password, roles=roles)


def _check_password(password: str) -> None:
    try:
        validate_password(password)
    except ValidationError as error:
        raise WeakPasswordError(" ".join(error.messages)) from error
