"""What events say of facts that no line says, folded into rows: horizon and re-verification.

A row always starts from what its own line says, so that it comes out the same whichever of line and event is read
first. Events of earlier generations came before every line of this one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from apps.facts.journal import JournalFile, JournalMovedError
from apps.facts.models import Build, FactSetting, LedgerEvent
from apps.facts.projector.builds import current_build
from apps.facts.projector.cells import CellCounts
from apps.facts.projector.rows import Row, age_of, load_by_fact_ids, tenant_names, update_rows
from apps.facts.rules import HORIZON_CODES, epoch_us, event_place, first_row, home_of
from apps.facts.sql import execute_many, fetch, places
from cruxstore.facts.decay import DecayPolicy, milliseconds, stale_at_ms
from cruxstore.facts.records import Fact, Horizon

_INSERT = "INSERT INTO facts_settingrevision (fact, until, horizon, anchor_ms, stale_at_ms) VALUES (%s, %s, %s, %s, %s)"
_CHUNK = 500


class Said(NamedTuple):
    """One event's word on a fact; without a horizon it says that the fact was verified again."""

    seq: int
    place: int
    horizon: Horizon | None
    at_us: int


def said_of(fact_ids: Sequence[str], generation: int | None = None) -> dict[str, list[Said]]:
    """What events say of these facts, oldest first, placed in a generation, by default the one that answers."""
    said: defaultdict[str, list[Said]] = defaultdict(list)
    if not FactSetting.objects.exists():
        return said
    if generation is None:
        generation = answering_generation()
    for start in range(0, len(fact_ids), _CHUNK):
        chunk = fact_ids[start : start + _CHUNK]
        rows = fetch(
            "SELECT s.fact_id, s.seq, s.horizon, e.generation, e.lines FROM facts_factsetting s"
            f" JOIN facts_ledgerevent e ON e.seq = s.seq WHERE s.fact_id IN ({places(chunk)}) ORDER BY s.seq",
            chunk,
        )
        moments = dict(LedgerEvent.objects.filter(seq__in=[row[1] for row in rows]).values_list("seq", "at"))
        for fact_id, seq, horizon, its_generation, lines in rows:
            place = event_place(lines if its_generation == generation else 0, seq)
            said[fact_id].append(Said(seq, place, Horizon(horizon) if horizon else None, epoch_us(moments[seq])))
    return said


class Settings:
    """Folds what was said into the rows of a batch, and writes what they were before."""

    def __init__(self, policy: DecayPolicy) -> None:
        self._policy = policy
        self._before: list[tuple[int, int, int, int, int | None]] = []

    def fold(self, row: Row, fact: Fact, said: Iterable[Said]) -> None:
        """A row as events leave it, from what its line says."""
        horizon, anchor_ms = fact.horizon_class, milliseconds(fact.reverified_at or fact.stored_at)
        stale_at = stale_at_ms(horizon, anchor_ms, self._policy, access_count=fact.access_count)
        for one in said:
            self._before.append((row.id, one.place, HORIZON_CODES[horizon], anchor_ms, stale_at))
            if one.horizon is not None:
                horizon = one.horizon
            else:
                anchor_ms = one.at_us // 1000
            stale_at = stale_at_ms(horizon, anchor_ms, self._policy, access_count=fact.access_count)
        row.horizon, row.anchor_ms, row.stale_at_ms = HORIZON_CODES[horizon], anchor_ms, stale_at

    def write(self) -> None:
        """Keeps what the rows were."""
        execute_many(_INSERT, self._before)


def forget_settings(row_ids: Iterable[int]) -> None:
    """Drops what events changed of rows that are gone, or that are about to be folded again."""
    execute_many("DELETE FROM facts_settingrevision WHERE fact = %s", [(row_id,) for row_id in row_ids])


def fold_again(fact_ids: Sequence[str], policy: DecayPolicy, journal: JournalFile, now_ms: int) -> None:
    """Folds what events say of facts into the rows that are there, in every build that may answer."""
    tenants = tenant_names()
    settings, cells = Settings(policy), CellCounts()
    changed: list[Row] = []
    for build in Build.objects.exclude(state=Build.State.RETIRED):
        said = said_of(fact_ids, build.generation)
        span = first_row(home_of(build.number, 0)), first_row(home_of(build.number + 1, 0)) - 1
        for row in load_by_fact_ids(fact_ids, span, tenants, journal):
            try:
                fact = journal.fact(row.offset, row.length, row.fact_id)
            except JournalMovedError:
                continue  # the build is of a journal that was replaced, and is being replaced itself
            settings.fold(row, fact, said[row.fact_id])
            changed.append(row)
    ages = {row.id: age_of(row, now_ms) for row in changed}
    for row in changed:
        cells.move(row, ages[row.id])
    cells.write()
    update_rows(changed, ages)
    forget_settings(ages)
    settings.write()


def answering_generation() -> int:
    """The generation of the journal that answers; 0 before there is one."""
    build = current_build()
    return 0 if build is None else build.generation
