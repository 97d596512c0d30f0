"""The first person of a site."""

from apps.accounts.actions.people import SYSTEM, AlreadySetUpError, check_password, create_person
from apps.accounts.actions.tenants import create_tenant
from apps.accounts.models import Tenant, User
from apps.accounts.projector import catch_up
from apps.accounts.rules import STORE, Role
from cruxstore.door import Store


def set_up(store: Store, *, username: str, name: str, password: str, tenant: str) -> User:
    """The first who signs in to a site: curator and admin of a tenant, which is made if need be, and operator."""
    if User.objects.exists():
        raise AlreadySetUpError("This site has people already. An admin of it can add you.")
    check_password(password)
    catch_up(store)
    if not Tenant.objects.filter(name=tenant).exists():
        create_tenant(store, actor=SYSTEM, name=tenant)
    roles = [(tenant, Role.CURATOR), (tenant, Role.ADMIN), (STORE, Role.OPERATOR)]
    return create_person(store, actor=SYSTEM, username=username, name=name, password=password, roles=roles)
