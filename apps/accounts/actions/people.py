"""People, and the roles that one person alone gives and takes."""

import re
import secrets
import unicodedata
from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from apps.accounts.models import Person, RoleGrant, Tenant, User
from apps.accounts.projector import catch_up
from apps.accounts.queries import holders_of, principal_of_person, resolved, roles_of
from apps.accounts.rules import (
    COMMAND_LINE,
    PROPOSED_ROLES,
    ROLE_WORDS,
    STORE,
    Principal,
    Right,
    Role,
    SecondPersonError,
    can_manage,
    is_name,
    require,
)
from cruxstore.door import Store
from cruxstore.errors import CruxError, NotFoundError, NotPermittedError, TenantRetiredError
from cruxstore.ledger.events import Action, Actor

SYSTEM = Actor(kind="system", id=COMMAND_LINE)


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


class LastHolderError(CruxError):
    """The last admin of a tenant, or the last operator, would be gone."""

    code = "last_holder"


class SamePersonError(CruxError):
    """A person cannot be linked to themself, or to one who is linked already."""

    code = "same_person"


class AlreadySetUpError(CruxError):
    """The one-time set-up link was used."""

    code = "already_set_up"


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
    """A person with one sign-in and these roles (tenant, role); operator takes the tenant STORE.

    Admin and operator are given so only while nobody has them: later ones are proposed and approved.
    """
    check_username(username)
    if password is not None and not is_demo:
        check_password(password)
    person_id = add_person(store, actor=actor, name=name, roles=roles)
    return add_sign_in(person_id=person_id, username=username, password=password, is_demo=is_demo)


def add_person(store: Store, *, actor: Actor, name: str, roles: Iterable[tuple[str, Role]]) -> str:
    """A person with these roles who cannot sign in yet; answers their id."""
    roles = list(roles)
    if not is_name(name, 200):
        raise PersonNameError("A person needs a name of 1 to 200 characters.")
    person_id = f"p_{secrets.token_hex(16)}"
    with store.writing() as door:
        catch_up(store)
        _check_tenants(tenant for tenant, _ in roles)
        for tenant, role in roles:
            _refuse_second(role, tenant)
        door.record(actor, STORE, Action.PERSON_CREATED, subjects=(person_id,), text=name)
        for tenant, role in roles:
            door.record(actor, tenant, Action.ROLE_GRANTED, subjects=(person_id,), code=role.value)
    catch_up(store)
    return person_id


def add_sign_in(
    *,
    person_id: str,
    username: str,
    password: str | None,
    is_demo: bool = False,
    opened_by: str = "",
    opened_at: datetime | None = None,
) -> User:
    """One more way to sign in for a known person, such as one whose sign-in went with a lost database."""
    check_username(username)
    return User.objects.create_user(
        username, password, person_id=person_id, is_demo=is_demo, opened_by=opened_by, opened_at=opened_at
    )


def grant_role(store: Store, *, actor: Actor, person_id: str, tenant: str, role: Role) -> None:
    """Gives a person a role (operator takes the tenant STORE); SecondPersonError where it takes two people."""
    with store.writing() as door:
        catch_up(store)
        _check_tenants([tenant])
        _refuse_second(role, tenant)
        door.record(actor, tenant, Action.ROLE_GRANTED, subjects=(_known(person_id),), code=role.value)
    catch_up(store)


def revoke_role(store: Store, *, actor: Actor, person_id: str, tenant: str, role: Role) -> None:
    """Takes a role back at once; LastHolderError for the last admin of a tenant and the last operator."""
    with store.writing() as door:
        catch_up(store)
        _refuse_last(person_id, tenant, role)
        door.record(actor, tenant, Action.ROLE_REVOKED, subjects=(person_id,), code=role.value)
    catch_up(store)


def link_people(store: Store, *, principal: Principal, kept: str, joined: str) -> None:
    """Says that two people are one: the sign-ins of `joined` become those of `kept`, its roles end.

    Whoever says so looks after both of them in every tenant where they have a role.
    """
    with store.writing() as door:
        catch_up(store)
        if kept == joined or resolved(kept) != kept or resolved(joined) != joined:
            raise SamePersonError("These are one person already.")
        for person_id in (_known(kept), _known(joined)):
            require_care(principal, person_id)
        for tenant, roles in roles_of(joined).items():
            for role in roles:
                _refuse_last(joined, tenant, role)
        door.record(actor_of(principal), STORE, Action.PERSON_LINKED, subjects=(kept, joined))
    catch_up(store)


def require_care(principal: Principal, person_id: str) -> None:
    """Raises NotPermittedError unless every role of this person is one that the principal may give."""
    if not can_manage(principal, roles_of(person_id)):
        raise NotPermittedError(
            f"{principal_of_person(person_id).name} has roles that are not in your care. "
            "Somebody who looks after all of them can do this."
        )


def require_people_right(principal: Principal, tenant: str, role: Role) -> None:
    """Raises NotPermittedError unless the principal may give and take this role."""
    require(principal, Right.MANAGE_PEOPLE, tenant)
    if role is Role.OPERATOR:
        require(principal, Right.OPERATE)


def place_of(role: Role, tenant: str) -> str:
    """Where a role is held: operator for the whole store, the others in the tenant."""
    return STORE if role is Role.OPERATOR else tenant


def actor_of(principal: Principal) -> Actor:
    """The principal as the ledger names them."""
    return Actor(kind=principal.kind, id=principal.principal_id)


def check_username(username: str) -> None:
    """Refuses what looks like a user name that is taken: by case or by width, signing in tells none of them apart."""
    if not re.fullmatch(r"[\w.@+-]{1,150}", username) or unicodedata.normalize("NFKC", username) != username:
        raise UsernameError(f"The user name {username!r} has characters that a user name cannot have.")
    taken = {name.casefold() for name in User.objects.values_list("username", flat=True)}
    if username.casefold() in taken:
        raise UsernameError(f"The user name {username} is taken, perhaps with other capital letters.")


def _known(person_id: str) -> str:
    if not Person.objects.filter(person_id=person_id).exists():
        raise NotFoundError("There is no such person.")
    return person_id


def _refuse_second(role: Role, tenant: str) -> None:
    """The first admin of a tenant, and the first operator, come from who sets the site up."""
    if role in PROPOSED_ROLES and holders_of(role, tenant):
        raise SecondPersonError(
            f"The role {ROLE_WORDS[role].lower()} is given by two people: one proposes it, another approves."
        )


def _refuse_last(person_id: str, tenant: str, role: Role) -> None:
    if (
        role not in PROPOSED_ROLES
        or not RoleGrant.objects.filter(person_id=person_id, tenant=tenant, role=role.value).exists()
    ):
        return
    if not holders_of(role, tenant) - {person_id}:
        of = "the store" if role is Role.OPERATOR else f"{tenant}"
        raise LastHolderError(
            f"{principal_of_person(person_id).name} is the last {ROLE_WORDS[role].lower()} of {of}. Make another first."
        )


def _check_tenants(tenants: Iterable[str]) -> None:
    for tenant in tenants:
        if tenant == STORE:
            continue
        known = Tenant.objects.filter(name=tenant).first()
        if known is None:
            raise TenantNameError(f"There is no tenant {tenant}. Make it with create_tenant.")
        if known.retired_at is not None:
            raise TenantRetiredError(f"{known.title} is retired: nobody gets a role there until it is reinstated.")


def check_password(password: str) -> None:
    try:
        validate_password(password)
    except ValidationError as error:
        raise WeakPasswordError(" ".join(error.messages)) from error
