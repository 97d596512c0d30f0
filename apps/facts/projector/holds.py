"""Legal holds as their facts say them, and the mark on the facts they cover.

A hold that comes, changes or goes leaves a sweep behind: which prefixes to mark anew. Sweeps are worked off in bounded
steps, so that a hold over a whole tenant never holds up a page.
"""

from collections.abc import Iterable

from apps.facts.journal import JournalFile
from apps.facts.models import Hold, HoldSweep
from apps.facts.projector.rows import Row, TenantNames, load_rows
from apps.facts.projector.view import IndexView
from cruxstore.facts import holds as rules
from cruxstore.facts.holds import HOLD_KEY, HOLD_PREFIX, resolve_holds
from cruxstore.facts.records import Fact

_AFTER_PREFIX = HOLD_PREFIX[:-1] + chr(ord(HOLD_PREFIX[-1]) + 1)


class ActiveHolds:
    """The holds of the homes that rows are marked in, as the tables have them; whoever knows of none says so."""

    def __init__(self, *, is_any: bool = True) -> None:
        self._is_any = is_any
        self._by_home: dict[int, list[tuple[str, tuple[str, ...]]]] = {}

    def cover(self, row: Row) -> bool:
        """Whether a row must be marked: what a hold covers, and a deleted statement of an active hold itself."""
        if not self._is_any:
            return False
        holds = self._by_home.get(row.home)
        if holds is None:
            active = Hold.objects.filter(home=row.home, is_active=True)
            holds = [
                (hold_id, tuple(prefixes)) for hold_id, prefixes in active.values_list("hold_id", "entity_prefixes")
            ]
            self._by_home[row.home] = holds
        return any(_covers(row, hold_id, prefixes) for hold_id, prefixes in holds)


def states_hold(row: Row) -> bool:
    """Whether a row's fact states a hold."""
    return row.key == HOLD_KEY and row.entity.startswith(HOLD_PREFIX)


def resolve_again(rows: Iterable[Row], view: IndexView, journal: JournalFile) -> None:
    """Resolves the holds of every home in which one of these rows states a hold, and leaves sweeps for the changes."""
    for home in {row.home for row in rows if states_hold(row)}:
        before = {hold.hold_id: hold for hold in Hold.objects.filter(home=home)}
        resolved = resolve_holds(_statements(home, view.tenants, journal))
        for hold in resolved:
            _keep(home, hold, before.get(hold.hold_id))
        Hold.objects.filter(home=home).exclude(hold_id__in=[hold.hold_id for hold in resolved]).delete()


def _keep(home: int, hold: rules.Hold, before: Hold | None) -> None:
    prefixes = list(hold.entity_prefixes)
    if before is None or (before.is_active, before.entity_prefixes) != (hold.active, prefixes):
        marked = (
            set(prefixes or [""]) if before is None else set(prefixes or [""]) | set(before.entity_prefixes or [""])
        )
        HoldSweep.objects.bulk_create(HoldSweep(home=home, prefix=prefix) for prefix in sorted(marked | {hold.entity}))
    Hold.objects.update_or_create(
        home=home,
        hold_id=hold.hold_id,
        defaults={
            "is_active": hold.active,
            "entity_prefixes": prefixes,
            "reason": hold.reason,
            "placed_at": hold.placed_at.text,
            "placed_by": hold.placed_by,
        },
    )


def _statements(home: int, tenants: TenantNames, journal: JournalFile) -> list[Fact]:
    where = "home = %s AND entity >= %s AND entity < %s AND key = %s"
    rows = load_rows(where, (home, HOLD_PREFIX, _AFTER_PREFIX, HOLD_KEY), tenants, journal)
    facts = [(row, journal.fact(row.offset, row.length, row.fact_id)) for row in rows]
    return [fact._replace(tenant_hash=row.tenant_hash, deleted=row.deleted) for row, fact in facts]


def _covers(row: Row, hold_id: str, prefixes: tuple[str, ...]) -> bool:
    if not prefixes or row.entity.startswith(prefixes):
        return True
    return row.deleted and states_hold(row) and row.entity == HOLD_PREFIX + hold_id
