"""Nobody overwrites what they have not seen: the version a writer expects against the one that stands.

    f_0a1b…-l12     the fact as journal line 12 left it; of a chain, its head
    f_0a1b…-e7      the fact as event 7 left it
    (empty)         there is none yet

The refusal names the version that stands and, where the ledger tells, who made it.
"""

import re
from collections.abc import Iterator
from itertools import islice

from cruxstore.errors import VersionConflictError
from cruxstore.ledger.chain import Chain
from cruxstore.ledger.events import Event

_CHANGE = re.compile(r"(?P<kind>[le])(?P<number>\d+)(?:g(?P<generation>\d+))?\Z", re.ASCII)
_EVENTS_LOOKED_AT = 10_000


def check_expected(expected: str, current: str, chain: Chain) -> None:
    """Raises VersionConflictError where the version that stands is not the one expected."""
    if expected == current:
        return
    event = _who_changed(current, chain)
    if event is None:
        raise VersionConflictError("It has changed since you looked. Look again, then decide.", current=current)
    raise VersionConflictError(
        "Somebody has changed it since you looked. Look again, then decide.",
        current=current,
        actor_kind=event.actor.kind,
        actor_id=event.actor.id,
        action=event.action.value,
        at=event.time,
    )


def _who_changed(revision: str, chain: Chain) -> Event | None:
    change = _CHANGE.search(revision)
    if change is None:
        return None
    number, generation = int(change["number"]), int(change["generation"] or 1)
    for event in _newest_first(chain):
        if change["kind"] == "e":
            if event.seq <= number:
                return event if event.seq == number else None
        elif event.journal.generation == generation and _covers(event, number):
            return event
    return None


def _newest_first(chain: Chain) -> Iterator[Event]:
    return islice(chain.backwards(), _EVENTS_LOOKED_AT)


def _covers(event: Event, line: int) -> bool:
    if event.observed is not None:
        return event.journal.lines - event.observed.lines < line <= event.journal.lines
    return event.journal.lines < line <= event.journal.lines + len(event.lines)
