"""What the store holds of given chains, and which facts an import brought; for whoever is about to write."""

from collections.abc import Iterable

from django.db.models import QuerySet

from apps.accounts.rules import Scope
from apps.facts.answers import COUNT_CAP, Count
from apps.facts.import_rules import Statement
from apps.facts.journal import JournalFile
from apps.facts.models import IndexedFact, TenantNumber
from apps.facts.projector import IndexView
from apps.facts.projector.builds import current_build
from apps.facts.rules import FreshnessCode, State, home_of, pack_stream
from cruxstore.door import Store


def held_statements(
    scope: Scope, chains: Iterable[tuple[str, str]], *, store: Store
) -> dict[tuple[str, str], list[Statement]]:
    """Each chain's statements that are not deleted, oldest first; private ones too, since a writer must know them."""
    build = current_build()
    if build is None:
        return {}
    with JournalFile(store.journal_path) as journal:
        view = IndexView(build.number, journal)
        held = {}
        for entity, key in chains:
            statements = []
            for fact_id in view.chain(scope.tenant, entity, key):
                row = view.fact(fact_id)
                if row is not None and not row.deleted:
                    fact = journal.fact(row.offset, row.length, fact_id)
                    statements.append((fact.value, row.valid_from_us, row.valid_to_us))
            if statements:
                held[entity, key] = statements
        return held


def import_fact_ids(scope: Scope, import_id: str, *, limit: int) -> list[str]:
    """The newest facts of an import that are not deleted."""
    return list(_live_facts(scope, import_id).order_by("-id").values_list("fact_id", flat=True)[:limit])


def count_import_facts(scope: Scope, import_id: str) -> Count:
    """How many facts of an import are not deleted."""
    found = _live_facts(scope, import_id).values("id")[: COUNT_CAP + 1].count()
    return Count(min(found, COUNT_CAP), is_capped=found > COUNT_CAP)


def _live_facts(scope: Scope, import_id: str) -> QuerySet[IndexedFact]:
    build = current_build()
    number = TenantNumber.objects.filter(name=scope.tenant).values_list("number", flat=True).first()
    if build is None or number is None:
        return IndexedFact.objects.none()
    home = home_of(build.number, number)
    live = [
        pack_stream(home, state, freshness)
        for state in (State.CURRENT, State.SUPERSEDED)
        for freshness in FreshnessCode
    ]
    return IndexedFact.objects.filter(home=home, import_id=import_id, stream__in=live)
