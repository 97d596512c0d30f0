"""Keeping a filter under a name."""

from apps.accounts.rules import Principal, Right, Scope, require
from apps.facts.models import SavedView
from cruxstore.errors import NotFoundError


def save_view(principal: Principal, scope: Scope, *, name: str, query: str, is_shared: bool) -> SavedView:
    """Keeps a filter under a name; the same name again replaces it. Sharing needs the right to."""
    if is_shared:
        require(principal, Right.SHARE_VIEW, scope.tenant)
    view, _ = SavedView.objects.update_or_create(
        tenant=scope.tenant,
        person_id=principal.principal_id,
        name=name,
        defaults={"query": query, "is_shared": is_shared},
    )
    return view


def forget_view(scope: Scope, number: int) -> None:
    """Removes one of the person's own views."""
    deleted, _ = SavedView.objects.filter(pk=number, tenant=scope.tenant, person_id=scope.principal_id).delete()
    if not deleted:
        raise NotFoundError("There is no such view of yours.")
