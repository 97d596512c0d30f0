"""What changes in the index while no line is written: facts go stale, and holds reach the facts they cover."""

from collections.abc import Sequence

from django.db import transaction

from apps.facts.journal import JournalFile
from apps.facts.models import HoldSweep
from apps.facts.projector.builds import build_rows
from apps.facts.projector.cells import CellCounts
from apps.facts.projector.holds import ActiveHolds
from apps.facts.projector.rows import Row, age_of, load_by_row_ids, load_rows, tenant_names, update_rows
from apps.facts.rules import HELD, cut, home_of, prefix_end, prefix_start
from apps.facts.sql import fetch, fetch_number


# `id + 0` keeps the planner from reading a build's rows by id instead of the few that are due
def count_due(build: int, now_ms: int, limit: int) -> int:
    """How many facts have changed their freshness since they were last counted, up to a limit."""
    return fetch_number(
        "SELECT count(*) FROM (SELECT 1 FROM facts_indexedfact"
        " WHERE due_at_ms IS NOT NULL AND due_at_ms <= %s AND id + 0 BETWEEN %s AND %s LIMIT %s) due",
        (now_ms, *build_rows(build), limit),
    )


def is_sweep_due(build: int, now_ms: int) -> bool:
    """Whether a fact has changed its freshness, or a mark of a hold is still to be set anew."""
    (found,) = fetch(
        "SELECT EXISTS (SELECT 1 FROM facts_holdsweep) OR EXISTS (SELECT 1 FROM facts_indexedfact"
        " WHERE due_at_ms IS NOT NULL AND due_at_ms <= %s AND id + 0 BETWEEN %s AND %s)",
        (now_ms, *build_rows(build)),
    )
    return bool(found[0])


def sweep_freshness(build: int, journal: JournalFile, now_ms: int, limit: int) -> int:
    """Counts up to this many facts anew whose freshness has changed; answers how many there were."""
    with transaction.atomic():
        due = fetch(
            "SELECT id FROM facts_indexedfact WHERE due_at_ms IS NOT NULL AND due_at_ms <= %s"
            " AND id + 0 BETWEEN %s AND %s ORDER BY due_at_ms LIMIT %s",
            (now_ms, *build_rows(build), limit),
        )
        _write_again(load_by_row_ids([row_id for (row_id,) in due], tenant_names(), journal), now_ms)
    return len(due)


def sweep_holds(build: int, journal: JournalFile, now_ms: int, limit: int) -> int:
    """Marks up to this many facts anew that a changed hold may cover; answers how many were looked at."""
    looked_at = 0
    homes = home_of(build, 0), home_of(build + 1, 0) - 1
    while looked_at < limit:
        with transaction.atomic():
            sweep = HoldSweep.objects.filter(home__range=homes).order_by("id").first()
            if sweep is None:
                break
            wanted = limit - looked_at
            rows = _rows_after(sweep, journal, wanted)
            _mark(rows, now_ms)
            if len(rows) < wanted:
                sweep.delete()
            else:
                last = rows[-1]
                sweep.after_entity, sweep.after_key, sweep.after_id = cut(last.entity), cut(last.key), last.id
                sweep.save()
            looked_at += len(rows)
    return looked_at


def _rows_after(sweep: HoldSweep, journal: JournalFile, limit: int) -> list[Row]:
    """The next rows after the sweep's place whose entity may start with the prefix, in index order."""
    first = prefix_start(sweep.prefix)
    end = prefix_end(sweep.prefix)
    below = "" if end is None else " AND entity < %s"
    where = f"home = %s AND entity >= %s{below} AND (entity, key, id) > (%s, %s, %s) ORDER BY entity, key, id LIMIT %s"
    bounds = [first] if end is None else [first, end]
    place = sweep.after_entity, sweep.after_key, sweep.after_id
    return load_rows(where, [sweep.home, *bounds, *place, limit], tenant_names(), journal)


def _mark(rows: Sequence[Row], now_ms: int) -> None:
    holds = ActiveHolds()
    changed = []
    for row in rows:
        is_held = holds.cover(row)
        if bool(row.marks & HELD) != is_held:
            row.marks ^= HELD
            changed.append(row)
    _write_again(changed, now_ms)


def _write_again(rows: Sequence[Row], now_ms: int) -> None:
    ages = {row.id: age_of(row, now_ms) for row in rows}
    cells = CellCounts()
    for row in rows:
        cells.move(row, ages[row.id])
    cells.write()
    update_rows(rows, ages)
