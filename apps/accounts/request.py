"""The request as views see it, after the middleware."""

from typing import TYPE_CHECKING

from django.http import HttpRequest

from apps.accounts.models import Tenant
from apps.accounts.rules import Principal, Scope
from cruxstore.door import Store

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails


class Request(HttpRequest):
    """What the middleware adds; `tenant` and `scope` exist in views under /t/… only."""

    htmx: "HtmxDetails"
    principal: Principal
    store: Store
    tenant: Tenant
    scope: Scope
