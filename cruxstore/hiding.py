"""Which facts may be deleted, and what counts again when they are.

1. A fact of another tenant is as absent as a missing one; the daemon's own facts are the daemon's to delete.
2. A member of a consolidation goes or stays with it.
3. Where asked, a fact retired by a deleted one counts again, unless a living version follows it or it is deleted too.
"""

from collections.abc import Callable, Sequence

from cruxstore.changing import changeable_fact
from cruxstore.errors import ConsolidationMemberError
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.state import FactState, StateView, is_consolidation_source


def to_delete(fact_ids: Sequence[str], *, tenant: str, view: StateView, privacy: PrivacyPolicy) -> list[str]:
    """Those of these facts that are not deleted yet, each once; or the first refusal."""
    return [fact_id for fact_id in dict.fromkeys(fact_ids) if _is_to_delete(fact_id, tenant, view, privacy)]


def restored_without(fact_ids: Sequence[str], view: StateView) -> list[str]:
    """For each of these facts with no living successor, the newest living one before it that its chain had retired."""
    hidden = set(fact_ids)
    restored: dict[str, None] = {}
    for fact_id in fact_ids:
        state = view.fact(fact_id)
        if state is None or _next_living(state, hidden, view, lambda fact: fact.superseded_by) is not None:
            continue
        before = _next_living(state, hidden, view, lambda fact: fact.supersedes)
        if before is not None and before.superseded_by is not None:
            retired_by = view.fact(before.superseded_by)
            if retired_by is not None and (retired_by.deleted or retired_by.fact_id in hidden):
                restored[before.fact_id] = None
    return list(restored)


def _next_living(
    state: FactState, hidden: set[str], view: StateView, link: Callable[[FactState], str | None]
) -> FactState | None:
    """The first fact along a link that is neither hidden nor deleted; a circle ends the search."""
    seen = {state.fact_id}
    while (following := link(state)) is not None and following not in seen:
        seen.add(following)
        found = view.fact(following)
        if found is None:
            return None
        if not found.deleted and found.fact_id not in hidden:
            return found
        state = found
    return None


def _is_to_delete(fact_id: str, tenant: str, view: StateView, privacy: PrivacyPolicy) -> bool:
    state = changeable_fact(fact_id, tenant=tenant, view=view, privacy=privacy)
    if view.consolidation(fact_id) is not None or is_consolidation_source(state, view):
        raise ConsolidationMemberError("The fact belongs to a consolidation. Undo that first.")
    return not state.deleted
