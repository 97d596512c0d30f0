"""Where a scope's facts are in the index, and which of them it may read."""

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Substr
from django.db.models.lookups import Exact

from apps.accounts.rules import Scope
from apps.facts.models import IndexedFact, TenantNumber
from apps.facts.projector.builds import current_build
from apps.facts.rules import PRIVATE, home_of, prefix_end, prefix_start
from apps.facts.sql import ALWAYS, Fragment, all_of, places


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
    rows = IndexedFact.objects.defer("search_text").annotate(private=F("cell").bitand(PRIVATE)).filter(allowed)
    return rows_within(scope, rows)


def rows_within(scope: Scope, rows: QuerySet[IndexedFact]) -> QuerySet[IndexedFact]:
    """Those of some facts whose entity is not absent for the scope."""
    if not scope.is_bound:
        return rows
    begins = Q()
    for prefix in scope.prefixes:
        begins |= Q(Exact(Substr("entity", 1, len(prefix)), Value(prefix)))
    return rows.filter(begins)


def may_read(scope: Scope) -> Fragment:
    """The condition that the text of a fact, alias `f`, may be shown; the rules of `Scope.may_read` and `is_within`."""
    allowed = [f"(f.cell & {PRIVATE}) = 0"]
    owners = sorted(scope.owner_names)
    if owners:
        allowed.append(f"f.owner IN ({places(owners)})")
    if scope.sees_ownerless_private:
        allowed.append("f.owner = ''")
    return all_of(Fragment(f"({' OR '.join(allowed)})", tuple(owners)), within(scope))


def within(scope: Scope, column: str = "f.entity") -> Fragment:
    """The condition that an entity is not absent; of ALWAYS where the scope is not bound.

    A token's prefix is short enough for every index text to hold the whole of it.
    """
    if not scope.is_bound:
        return ALWAYS
    begins = [f"substr({column}, 1, {len(prefix)}) = %s" for prefix in scope.prefixes]
    return Fragment(f"({' OR '.join(begins)})", scope.prefixes)


def places_within(scope: Scope, home: int) -> Fragment:
    """Where a bound scope's rows of a home are, alias `f`, for an index to lead there."""
    ranges = [
        Fragment("(f.entity >= %s AND f.entity < %s)", (prefix_start(prefix), prefix_end(prefix)))
        for prefix in scope.prefixes
    ]
    where = " OR ".join(one.sql for one in ranges)
    return Fragment(f"f.home = %s AND ({where})", (home, *(param for one in ranges for param in one.params)))
