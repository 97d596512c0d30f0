"""What the store holds of given chains, and which facts an import brought; for whoever is about to write."""

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from apps.accounts.rules import Scope
from apps.facts.answers import COUNT_CAP, Count
from apps.facts.import_rules import Held, Statement
from apps.facts.journal import JournalFile
from apps.facts.models import Hold, IndexedFact, TenantNumber
from apps.facts.projector import IndexView
from apps.facts.projector.builds import current_build, open_journal
from apps.facts.projector.rows import Row
from apps.facts.queries.scoping import rows_within
from apps.facts.queries.standing import FactHeldError
from apps.facts.rules import HELD, FreshnessCode, State, home_of, pack_stream, unpack_cell
from cruxstore.door import Store


def held_chains(scope: Scope, chains: Iterable[tuple[str, str]], *, store: Store) -> dict[tuple[str, str], Held]:
    """What the store has of each chain, where it has any; private facts too, since a writer must know them."""
    build = current_build()
    if build is None:
        return {}
    with open_journal(store) as journal:
        view = IndexView(build.number, journal)
        held = {}
        for entity, key in (chain for chain in chains if scope.is_within(chain[0])):
            rows = [view.fact(fact_id) for fact_id in view.chain(scope.tenant, entity, key)]
            living = [row for row in rows if row is not None and not row.deleted]
            if living:
                statements = (_statement_of(row, journal) for row in living)
                held[entity, key] = Held(tuple(statements), is_private=living[-1].private)
        return held


def import_fact_ids(scope: Scope, import_id: str, *, limit: int) -> list[str]:
    """The newest facts of an import that are not deleted."""
    return list(_live_facts(scope, import_id).order_by("-id").values_list("fact_id", flat=True)[:limit])


def refuse_held_import(scope: Scope, import_id: str, *, among: Sequence[str] | None = None) -> None:
    """Raises FactHeldError, with how many, where an active hold covers living facts of an import (or these of them)."""
    home = _home(scope)
    holds = [] if home is None else list(Hold.objects.filter(home=home, is_active=True))
    prefixes = tuple(prefix for hold in holds for prefix in hold.entity_prefixes)
    covers_all = any(not hold.entity_prefixes for hold in holds)
    facts = _live_facts(scope, import_id)
    if among is not None:
        facts = facts.filter(fact_id__in=among)
    # the mark knows the whole of a long entity; the holds are ahead of it while a sweep is under way
    held = sum(
        covers_all or entity.startswith(prefixes) or bool(unpack_cell(cell).marks & HELD)
        for entity, cell in facts.values_list("entity", "cell").iterator()
    )
    if held:
        raise FactHeldError(f"Legal holds bind {held:,} of its facts, so the import stays as it is.")


def count_import_facts(scope: Scope, import_id: str) -> Count:
    """How many facts of an import are not deleted."""
    found = _live_facts(scope, import_id).values("id")[: COUNT_CAP + 1].count()
    return Count(min(found, COUNT_CAP), is_capped=found > COUNT_CAP)


def stored_by_import(scope: Scope, import_id: str) -> int:
    """How many facts an import has stored, whatever became of them since."""
    home = _home(scope)
    return 0 if home is None else rows_within(scope, IndexedFact.objects.filter(home=home, import_id=import_id)).count()


def _statement_of(row: Row, journal: JournalFile) -> Statement:
    fact = journal.fact(row.offset, row.length, row.fact_id)
    return fact.value, row.valid_from_us, row.valid_to_us


def _live_facts(scope: Scope, import_id: str) -> QuerySet[IndexedFact]:
    home = _home(scope)
    if home is None:
        return IndexedFact.objects.none()
    live = [
        pack_stream(home, state, freshness)
        for state in (State.CURRENT, State.SUPERSEDED)
        for freshness in FreshnessCode
    ]
    return rows_within(scope, IndexedFact.objects.filter(home=home, import_id=import_id, stream__in=live))


def _home(scope: Scope) -> int | None:
    build = current_build()
    number = TenantNumber.objects.filter(name=scope.tenant).values_list("number", flat=True).first()
    return None if build is None or number is None else home_of(build.number, number)
