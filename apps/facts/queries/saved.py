"""Filters kept under a name: a person's own, and those shared in their tenant."""

from dataclasses import dataclass

from django.db.models import Q

from apps.accounts.queries import names_of
from apps.accounts.rules import Scope
from apps.facts.models import SavedView


@dataclass(frozen=True)
class ViewRow:
    """One saved view as its reader sees it."""

    number: int
    name: str
    query: str
    is_own: bool
    is_shared: bool
    owner: str


def saved_views(scope: Scope) -> tuple[ViewRow, ...]:
    """The reader's own views and the shared ones of the tenant, own ones first, by name; none for a bound scope."""
    if scope.is_bound:
        return ()
    kept = SavedView.objects.filter(Q(person_id=scope.principal_id) | Q(is_shared=True), tenant=scope.tenant)
    names = names_of({view.person_id for view in kept})
    rows = [
        ViewRow(
            number=view.pk,
            name=view.name,
            query=view.query,
            is_own=view.person_id == scope.principal_id,
            is_shared=view.is_shared,
            owner=names[view.person_id],
        )
        for view in kept
    ]
    return tuple(sorted(rows, key=lambda row: (not row.is_own, row.name.casefold())))
