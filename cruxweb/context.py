"""What surrounds every page: who looks, at which tenant, and the sections that exist for them."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from apps.accounts.models import Tenant, User
from apps.accounts.queries import ANONYMOUS, role_words, tenants_of
from apps.accounts.rules import Principal, Right, can


@dataclass(frozen=True)
class Section:
    """One entry of the navigation."""

    name: str
    icon: str
    address: str
    is_current: bool


@dataclass(frozen=True)
class Frame:
    """The top bar and the navigation of one page; `elsewhere` is where people may also sign in, if anywhere."""

    principal: Principal
    roles: str
    tenant: Tenant | None
    tenants: tuple[Tenant, ...]
    groups: tuple[tuple[Section, ...], ...]
    theme: str
    has_keys: bool
    is_demo: bool
    elsewhere: str


def frame(request: HttpRequest) -> dict[str, Any]:
    """The frame as `frame`; on pages outside a tenant it stays in the tenant last used."""
    principal: Principal = getattr(request, "principal", ANONYMOUS)
    user = getattr(request, "user", None)
    tenants = tuple(tenants_of(principal)) if principal.principal_id else ()
    tenant = getattr(request, "tenant", None) or _last_used(request, tenants)
    store = getattr(request, "store", None)
    return {
        "frame": Frame(
            principal=principal,
            roles=role_words(principal, tenant.name if tenant else ""),
            tenant=tenant,
            tenants=tenants,
            groups=_groups(request, principal, tenant),
            theme=user.theme if isinstance(user, User) else "",
            has_keys=user.has_keys if isinstance(user, User) else True,
            is_demo=bool(getattr(store, "is_demo", False)),
            elsewhere=settings.IDENTITY_PROVIDER.name if settings.IDENTITY_PROVIDER else "",
        )
    }


def _last_used(request: HttpRequest, tenants: tuple[Tenant, ...]) -> Tenant | None:
    if not tenants:
        return None
    slug = request.session.get("tenant")
    return next((tenant for tenant in tenants if tenant.slug == slug), tenants[0])


def _groups(request: HttpRequest, principal: Principal, tenant: Tenant | None) -> tuple[tuple[Section, ...], ...]:
    here = getattr(request.resolver_match, "view_name", "") if request.resolver_match else ""

    def section(name: str, icon: str, view: str, own: set[str], *arguments: str) -> Section:
        return Section(name, icon, reverse(view, args=arguments), here == view or here in own)

    groups = []
    if tenant is not None:
        slug = tenant.slug
        groups.append([section("Overview", "overview", "facts:overview", set(), slug)])
        of_facts = {"facts:fact", "facts:value", "facts:views", "facts:state"}
        groups.append(
            [
                section("Facts", "facts", "facts:list", of_facts, slug),
                section("Entities", "entities", "facts:entities", {"facts:entity"}, slug),
                section("Findings", "conflict", "review:findings", set(), slug),
            ]
        )
    kept = []
    if tenant is not None and can(principal, Right.IMPORT, tenant.name):
        own = {"facts:import_new", "facts:import_preview", "facts:import", "facts:import_take_back"}
        kept.append(section("Imports", "import", "facts:imports", own, tenant.slug))
    if tenant is not None:
        kept.append(section("Jobs", "jobs", "jobs:list", {"jobs:job", "jobs:timetable"}, tenant.slug))
    if principal.is_operator:
        kept.append(section("Store", "store", "store", {"compact", "proof", "bundle"}))
        own = {"tenant", "tenant_new", "tenant_adopt", "tenant_rename", "tenant_retire", "tenant_reinstate"}
        kept.append(section("Tenants", "entities", "tenants", own))
    elif tenant is not None:
        kept.append(section("Store", "store", "facts:counts", set(), tenant.slug))
    if tenant is not None and can(principal, Right.SEE_LEDGER, tenant.name):
        kept.append(section("Ledger", "ledger", "facts:ledger", {"facts:bundle"}, tenant.slug))
    if tenant is not None and can(principal, Right.SEE_PEOPLE, tenant.name):
        own = {
            "people:invite",
            "people:person",
            "people:proposal",
            "people:link",
            "people:roles",
            "people:same",
            "people:confirm",
        }
        kept.append(section("People", "people", "people:list", own, tenant.slug))
    if tenant is not None and can(principal, Right.MANAGE_TOKENS, tenant.name):
        kept.append(section("Tokens", "key", "agent_tokens", set(), tenant.slug))
    if kept:
        groups.append(kept)
    return tuple(tuple(group) for group in groups)
