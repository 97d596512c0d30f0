"""What can be done about people: each act is an event in the ledger, then projected."""

import re
import secrets
import unicodedata
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
    """A user name is taken, or has characters that it cannot have."""

    code = "username"


class PersonNameError(CruxError):
    """A person's name is empty, too long, or no text."""

    code = "person_name"


class WeakPasswordError(CruxError):
    """The password is too easy to guess."""

    code = "weak_password"


class AlreadySetUpError(CruxError):
    """The one-time set-up link was used."""

    code = "already_set_up"


def create_tenant(store: Store, *, actor: Actor, name: str) -> Tenant:
    """A new tenant with this exact name; facts that already carry the name belong to it."""
    if not _is_name(name, 400):
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
    roles = list(roles)
    _check_username(username)
    if not _is_name(name, 200):
        raise PersonNameError("A person needs a name of 1 to 200 characters.")
    if password is not None and not is_demo:
        _check_password(password)
    person_id = f"p_{secrets.token_hex(16)}"
    with store.writing() as door:
        catch_up(store)
        _check_tenants(tenant for tenant, _ in roles)
        door.record(actor, STORE, Action.PERSON_CREATED, subjects=(person_id,), text=name)
        for tenant, role in roles:
            door.record(actor, tenant, Action.ROLE_GRANTED, subjects=(person_id,), code=role.value)
    catch_up(store)
    return add_sign_in(person_id=person_id, username=username, password=password, is_demo=is_demo)


def add_sign_in(*, person_id: str, username: str, password: str | None, is_demo: bool = False) -> User:
    """One more way to sign in for a known person, such as one whose sign-in went with a lost database."""
    _check_username(username)
    return User.objects.create_user(username, password, person_id=person_id, is_demo=is_demo)


def grant_role(store: Store, *, actor: Actor, person_id: str, tenant: str, role: Role) -> None:
    """Gives a person a role; operator takes the tenant STORE."""
    with store.writing() as door:
        catch_up(store)
        _check_tenants([tenant])
        door.record(actor, tenant, Action.ROLE_GRANTED, subjects=(person_id,), code=role.value)
    catch_up(store)


def revoke_role(store: Store, *, actor: Actor, person_id: str, tenant: str, role: Role) -> None:
    """Takes a role back at once."""
    with store.writing() as door:
        door.record(actor, tenant, Action.ROLE_REVOKED, subjects=(person_id,), code=role.value)
    catch_up(store)


def set_up(store: Store, *, username: str, name: str, password: str, tenant: str) -> User:
    """The first who signs in to a site: curator and admin of a tenant, which is made if need be, and operator."""
    if User.objects.exists():
        raise AlreadySetUpError("This site has people already. An admin of it can add you.")
    _check_password(password)
    catch_up(store)
    if not Tenant.objects.filter(name=tenant).exists():
        create_tenant(store, actor=SYSTEM, name=tenant)
    roles = [(tenant, Role.CURATOR), (tenant, Role.ADMIN), (STORE, Role.OPERATOR)]
    return create_person(store, actor=SYSTEM, username=username, name=name, password=password, roles=roles)


def _is_name(text: str, most: int) -> bool:
    """Whether a text is one that people can be shown; a command's argument may be bytes that are none."""
    return bool(text.strip()) and len(text) <= most and not re.search("[\ud800-\udfff]", text)


def _check_username(username: str) -> None:
    """Refuses what looks like a user name that is taken: by case or by width, signing in tells none of them apart."""
    if not re.fullmatch(r"[\w.@+-]{1,150}", username) or unicodedata.normalize("NFKC", username) != username:
        raise UsernameError(f"The user name {username!r} has characters that a user name cannot have.")
    taken = {name.casefold() for name in User.objects.values_list("username", flat=True)}
    if username.casefold() in taken:
        raise UsernameError(f"The user name {username} is taken, perhaps with other capital letters.")


def _check_tenants(tenants: Iterable[str]) -> None:
    for tenant in tenants:
        if tenant != STORE and not Tenant.objects.filter(name=tenant).exists():
            raise TenantNameError(f"There is no tenant {tenant}. Make it with create_tenant.")


def _check_password(password: str) -> None:
    try:
        validate_password(password)
    except ValidationError as error:
        raise WeakPasswordError(" ".join(error.messages)) from error
