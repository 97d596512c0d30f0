"""Where a scope's facts are in the index, and which of them it may read."""

from django.db.models import F, Q, QuerySet

from apps.accounts.rules import Scope
from apps.facts.models import IndexedFact, TenantNumber
from apps.facts.projector.builds import current_build
from apps.facts.rules import PRIVATE, home_of
from apps.facts.sql import Fragment, places


def current_home(scope: Scope) -> int | None:
    """The scope's tenant in the build that answers; None where nothing of it has been indexed."""
    build = current_build()
    number = TenantNumber.objects.filter(name=scope.tenant).values_list("number", flat=True).first()
    return None if build is None or number is None else home_of(build.number, number)


def readable_rows(scope: Scope) -> QuerySet[IndexedFact]:
    """Facts whose text the scope may read, of any home: under a name, no others may be counted or listed."""
    allowed = Q(private=0) | Q(owner__in=scope.owner_names)
    if scope.sees_ownerless_private:
        allowed |= Q(owner="")
    return IndexedFact.objects.defer("search_text").annotate(private=F("cell").bitand(PRIVATE)).filter(allowed)


def may_read(scope: Scope) -> Fragment:
    """The condition that the text of a fact, alias `f`, may be shown; the same rule as `Scope.may_read`."""
    allowed = [f"(f.cell & {PRIVATE}) = 0"]
    owners = sorted(scope.owner_names)
    if owners:
        allowed.append(f"f.owner IN ({places(owners)})")
    if scope.sees_ownerless_private:
        allowed.append("f.owner = ''")
    return Fragment(f"({' OR '.join(allowed)})", tuple(owners))
