"""What the journal cannot say of a fact, folded from events: its horizon, and when it was verified again.

The daemon forgets both when it restarts; here they last, whatever is restarted, rewritten or rebuilt.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from cruxstore.facts.records import Horizon, Timestamp
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Action, Event, JournalPlace

SETTING_ACTIONS = (Action.FACT_HORIZON_SET, Action.FACT_REVERIFIED)
RETIRING_ACTIONS = (Action.TENANT_RETIRED, Action.TENANT_REINSTATED)
"""What opens and closes a tenant; the newest of them counts."""

ForeignIds = Callable[[Event], Mapping[str, str]]
"""Answers the ids behind the commitments that stand in an event."""


@dataclass(frozen=True, slots=True)
class FactSetting:
    """The newest of each thing said of a fact; `seq` and `journal` are the newest event's number and place."""

    horizon: Horizon | None
    reverified_at: Timestamp | None
    seq: int
    journal: JournalPlace


def fact_settings(events: Iterable[Event], *, foreign_ids: ForeignIds = lambda event: {}) -> dict[str, FactSetting]:
    """The settings that events, oldest first, leave; None in one of them changes nothing about the fact."""
    settings: dict[str, FactSetting] = {}
    for event in events:
        if event.action not in SETTING_ACTIONS:
            continue
        name = event.subjects[-1]
        fact_id = name if name.startswith("f_") else foreign_ids(event).get(name, name)
        before = settings.get(fact_id)
        settings[fact_id] = _after(event, before)
    return settings


def retired_tenants(events: Iterable[Event]) -> frozenset[str]:
    """The tenants that events, oldest first, leave retired."""
    retired: set[str] = set()
    for event in events:
        if event.action is Action.TENANT_RETIRED:
            retired.add(event.tenant)
        elif event.action is Action.TENANT_REINSTATED:
            retired.discard(event.tenant)
    return frozenset(retired)


def _after(event: Event, before: FactSetting | None) -> FactSetting:
    horizon = before.horizon if before is not None else None
    reverified_at = before.reverified_at if before is not None else None
    if event.action == Action.FACT_HORIZON_SET:
        horizon = Horizon(event.code)
    else:
        reverified_at = parse_timestamp(event.time)
    return FactSetting(horizon=horizon, reverified_at=reverified_at, seq=event.seq, journal=event.journal)
