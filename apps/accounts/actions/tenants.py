"""Tenants: made, renamed, retired and reinstated by operators; found in the journal, adopted.

1. A tenant's name is what its facts carry; renaming changes only what people call it.
2. A retired tenant keeps everything; nobody gets in or writes there until it is reinstated.
3. One without people is adopted: an operator becomes its first admin, who invites the others.
"""

from apps.accounts.actions.people import TenantNameError, actor_of
from apps.accounts.models import RoleGrant, Tenant
from apps.accounts.projector import catch_up
from apps.accounts.queries import holders_of
from apps.accounts.rules import STORE, Principal, Right, Role, is_name, require
from cruxstore.door import Door, Store
from cruxstore.errors import CruxError, NotFoundError, TenantRetiredError
from cruxstore.ledger.events import Action, Actor


class TenantHasPeopleError(CruxError):
    """A tenant that is to be adopted has people already."""

    code = "tenant_has_people"


class TenantMovedOnError(CruxError):
    """A tenant is so already: retired, not retired, or called so."""

    code = "tenant_moved_on"


class FirstAdminError(CruxError):
    """Whoever is to be a tenant's first admin is no operator who can sign in."""

    code = "first_admin"


def create_tenant(store: Store, *, actor: Actor, name: str, first_admin: str = "") -> Tenant:
    """A new tenant with this exact name; facts that already carry the name belong to it.

    `first_admin` is the operator who becomes its admin; without one it waits for adoption.
    """
    if not is_name(name, 400):
        raise TenantNameError("A tenant needs a name of 1 to 400 characters.")
    with store.writing() as door:
        catch_up(store)
        if Tenant.objects.filter(name=name).exists():
            raise TenantNameError(f"There is already a tenant {name}.")
        if first_admin:
            _require_operator(first_admin)
        door.record(actor, name, Action.TENANT_CREATED, subjects=())
        if first_admin:
            _make_admin(door, actor, name, first_admin)
    catch_up(store)
    return Tenant.objects.get(name=name)


def adopt_tenant(store: Store, *, principal: Principal, name: str, first_admin: str) -> Tenant:
    """Gives a tenant without people its first admin, who is an operator; one that only facts name is made by it."""
    require(principal, Right.MANAGE_TENANTS)
    catch_up(store)
    if not Tenant.objects.filter(name=name).exists():
        return create_tenant(store, actor=actor_of(principal), name=name, first_admin=first_admin)
    with store.writing() as door:
        catch_up(store)
        tenant = get_tenant(name)
        if tenant.retired_at is not None:
            raise TenantRetiredError(f"{tenant.title} is retired. Reinstate it first.")
        if RoleGrant.objects.filter(tenant=name).exists():
            raise TenantHasPeopleError(f"{tenant.title} has people. Its admin can invite you.")
        _require_operator(first_admin)
        _make_admin(door, actor_of(principal), name, first_admin)
    catch_up(store)
    return get_tenant(name)


def rename_tenant(store: Store, *, principal: Principal, name: str, called: str) -> Tenant:
    """What people call a tenant from now on; its name in the journal, and its address, stay."""
    require(principal, Right.MANAGE_TENANTS)
    if not is_name(called, 400):
        raise TenantNameError("A tenant is called by 1 to 400 characters.")
    with store.writing() as door:
        catch_up(store)
        tenant = get_tenant(name)
        if called == tenant.title:
            raise TenantMovedOnError(f"It is called {called} already.")
        others = {word.casefold() for other in Tenant.objects.exclude(name=name) for word in (other.name, other.title)}
        if called.casefold() in others:
            raise TenantNameError(f"Another tenant is called {called}.")
        door.record(actor_of(principal), name, Action.TENANT_RENAMED, text=called)
    catch_up(store)
    return get_tenant(name)


def retire_tenant(store: Store, *, principal: Principal, name: str) -> Tenant:
    """Closes a tenant: its roles and tokens give nothing any more and nothing is written to it; all of it is kept."""
    return _open_or_close(store, principal, name, Action.TENANT_RETIRED)


def reinstate_tenant(store: Store, *, principal: Principal, name: str) -> Tenant:
    """Takes a retirement back: roles and tokens are what they were."""
    return _open_or_close(store, principal, name, Action.TENANT_REINSTATED)


def get_tenant(name: str) -> Tenant:
    """The tenant that facts carry by this name; NotFoundError where there is none."""
    tenant = Tenant.objects.filter(name=name).first()
    if tenant is None:
        raise NotFoundError("There is no such tenant.")
    return tenant


def _open_or_close(store: Store, principal: Principal, name: str, action: Action) -> Tenant:
    require(principal, Right.MANAGE_TENANTS)
    with store.writing() as door:
        catch_up(store)
        tenant = get_tenant(name)
        if (tenant.retired_at is not None) == (action is Action.TENANT_RETIRED):
            raise TenantMovedOnError(f"{tenant.title} is {'' if tenant.retired_at else 'not '}retired already.")
        door.record(actor_of(principal), name, action)
    catch_up(store)
    return get_tenant(name)


def _require_operator(person_id: str) -> None:
    if person_id not in holders_of(Role.OPERATOR, STORE):
        raise FirstAdminError("A tenant's first admin is an operator who can sign in. Choose one.")


def _make_admin(door: Door, actor: Actor, name: str, person_id: str) -> None:
    door.record(actor, name, Action.ROLE_GRANTED, subjects=(person_id,), code=Role.ADMIN.value)
