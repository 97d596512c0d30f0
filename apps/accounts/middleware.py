"""Puts the principal, the store and (inside a tenant) the tenant and scope on every request."""

import logging
import zoneinfo
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.projector import catch_up
from apps.accounts.queries import ANONYMOUS, find_tenant, principal_of
from apps.accounts.request import Request
from apps.accounts.rules import scope_of
from apps.store import open_store
from cruxstore.door import Store
from cruxstore.errors import CruxError

_log = logging.getLogger(__name__)


class PrincipalMiddleware:
    """Every view finds `request.principal` and `request.store`; under /t/… also the tenant and the scope.

    What a person was shown is kept in no cache, so that nobody who comes after them sees it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._stores: dict[Path, Store] = {}
        self._followed: dict[Path, int] = {}

    def __call__(self, request: Request) -> HttpResponse:
        user = request.user
        request.store = self._store()
        request.principal = ANONYMOUS
        if isinstance(user, User):
            self._follow(request.store)
            request.principal = principal_of(user)
        zone = user.time_zone if isinstance(user, User) else "UTC"
        with timezone.override(zoneinfo.ZoneInfo(zone)):
            answer = self.get_response(request)
        if request.user.is_authenticated:
            answer.headers.setdefault("Cache-Control", "private, no-store")
        return answer

    def process_view(
        self,
        request: Request,
        view: Callable[..., HttpResponse],
        arguments: tuple[Any, ...],
        names: dict[str, Any],
    ) -> None:
        """Takes `tenant` out of the address; a foreign tenant answers like a missing one."""
        if "tenant" not in names:
            return
        slug = names.pop("tenant")
        if not request.user.is_authenticated:
            return
        tenant = find_tenant(request.principal, slug)
        if tenant is None:
            raise Http404
        if request.session.get("tenant") != slug:
            request.session["tenant"] = slug
        request.tenant = tenant
        request.scope = scope_of(request.principal, tenant.name)

    def _follow(self, store: Store) -> None:
        """Roles are those of the ledger, also beside a database that is older than it.

        Where the ledger cannot be read on, nobody writes; pages are shown with the roles known until there.
        """
        size = store.ledger_size()
        if self._followed.get(store.data_dir) == size:
            return
        self._followed[store.data_dir] = size
        try:
            catch_up(store)
        except CruxError:
            _log.exception("the ledger cannot be followed")

    def _store(self) -> Store:
        """The data folder, opened by the first request of this process."""
        folder: Path = settings.DATA_DIR
        if folder not in self._stores:
            self._stores[folder] = open_store()
        return self._stores[folder]
