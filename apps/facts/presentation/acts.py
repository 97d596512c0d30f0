"""What can be done with a fact and why not, what an act will write, and what changed while somebody typed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import orjson

from apps.accounts.rules import Principal, Right, can
from apps.facts.answers import FactRow, HoldRow
from apps.facts.presentation.differences import Word, word_difference
from apps.facts.queries.plans import Plan
from apps.facts.queries.standing import Standing

NOT_OURS = "The journal belongs to a daemon and is only read here."

DEEDS = {
    "fact.stored": "stated a new version",
    "fact.deleted": "deleted it",
    "fact.superseded": "retired it",
    "fact.supersede_cleared": "let it count again",
    "fact.validity_set": "set its validity",
    "fact.consolidated": "consolidated it",
    "fact.consolidation_undone": "undid its consolidation",
    "fact.horizon_set": "set its horizon",
    "fact.reverified": "verified it again",
    "line.observed": "added a line to the journal",
}


@dataclass(frozen=True)
class Offer:
    """A button of a fact's page: the view it leads to, its words and key, and why not, where it cannot be done."""

    view: str
    words: str
    key: str = ""
    reason: str = ""
    is_danger: bool = False

    @property
    def address(self) -> str:
        """The view as templates name it."""
        return f"facts:{self.view}"


@dataclass(frozen=True)
class Change:
    """What somebody did while a form was open: the version that stands now, and how its value differs."""

    who: str
    deed: str
    at: datetime | None
    row: FactRow | None
    words: tuple[Word, ...] | None
    is_first_sight: bool


def offers(
    row: FactRow,
    standing: Standing,
    holds: Iterable[HoldRow],
    *,
    principal: Principal,
    tenant: str,
    is_owner: bool,
) -> tuple[Offer, ...]:
    """What this person's roles have for a fact, in the order of its page; each with what stands in its way."""
    not_ours = "" if is_owner else NOT_OURS
    daemons = "It belongs to the daemon." if standing.is_daemon_owned else ""
    deleted = "It is deleted." if row.state == "deleted" else ""
    retired = "A newer version counts." if row.state == "superseded" else ""
    older = "" if standing.is_newest else "A newer version stands."
    merged = "It belongs to a consolidation. Undo that first." if standing.merged or standing.is_source else ""
    names = [hold.hold_id for hold in holds]
    held = f"Refused while {' and '.join(names)} {'binds' if len(names) == 1 else 'bind'} this fact." if names else ""
    found = []
    if can(principal, Right.CHANGE, tenant):
        found.append(Offer("fact_verify", "Verify again", "V", daemons or deleted or retired))
        found.append(Offer("fact_horizon", "Set horizon", "H", daemons or deleted or retired))
    if can(principal, Right.STATE, tenant):
        found.append(Offer("fact_correct", "Correct", "", not_ours or daemons or deleted or older))
    if can(principal, Right.CHANGE, tenant):
        found.append(Offer("fact_validity", "Set validity", "", not_ours or daemons or deleted))
    if can(principal, Right.CONSOLIDATE, tenant) and len(standing.rivals) > 1:
        found.append(Offer("fact_consolidate", "Consolidate", "", not_ours or daemons))
    if can(principal, Right.CONSOLIDATE, tenant) and standing.merged:
        found.append(Offer("fact_unmerge", "Undo consolidation", "", not_ours or retired))
    if can(principal, Right.DELETE, tenant):
        reason = not_ours or daemons or deleted or held or merged
        found.append(Offer("fact_delete", "Delete", "", reason, is_danger=True))
    return tuple(found)


def reasons(found: Iterable[Offer]) -> tuple[tuple[str, str], ...]:
    """Each reason once, with the acts that it stands in the way of."""
    told: dict[str, list[str]] = {}
    for offer in found:
        if offer.reason:
            told.setdefault(offer.reason, []).append(offer.words)
    return tuple((_joined(words), reason) for reason, words in told.items())


def event_text(plan: Plan, principal: Principal, tenant: str) -> str:
    """What is known of an act's event before it is written, spelled as the ledger spells it."""
    members = {
        "action": plan.action.value,
        "actor": {"id": principal.principal_id, "kind": principal.kind},
        "code": plan.code,
        "revision": plan.revision,
        "subjects": plan.subjects,
        "tenant": tenant,
    }
    return orjson.dumps(members, option=orjson.OPT_SORT_KEYS).decode()


def changed_value(before: FactRow | None, value: str) -> tuple[Word, ...] | None:
    """How a new value differs from the one that it follows; None where that one is not whole on a page."""
    if before is None or before.is_stub or before.is_cut or before.is_unreadable:
        return None
    return word_difference(before.value_excerpt, value)


def _joined(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
