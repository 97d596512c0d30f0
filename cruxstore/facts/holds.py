"""Legal holds as the journal states them, resolved so that damage never lifts one.

A hold is the fact `__legal_hold__::<hold id>`, key `state`, its value a JSON record. Its newest version that can be
read counts, over all versions, deleted and superseded ones included. Where none can be read, the hold is active and
covers its whole tenant.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from cruxstore.errors import LineError
from cruxstore.facts.members import MemberError, Members
from cruxstore.facts.records import Fact, Timestamp
from cruxstore.facts.scan import scan_object

HOLD_PREFIX: Final = "__legal_hold__::"
HOLD_KEY: Final = "state"
HOLD_SCHEMA: Final = "crux.legal_hold.v1"

_KNOWN_KEYS: Final = frozenset(
    {
        "schema",
        "hold_id",
        "tenant_id",
        "entity_prefixes",
        "reason",
        "placed_at",
        "placed_by",
        "place_receipt_id",
        "released_at",
        "released_by",
        "release_receipt_id",
    }
)


@dataclass(frozen=True, slots=True)
class Hold:
    """One legal hold; active until it says when it was released, and over a whole tenant when it names no prefix.

    `is_readable` is False where no version could be read, so that the hold covers all that it might cover.
    """

    hold_id: str
    tenant: str
    entity_prefixes: tuple[str, ...]
    reason: str
    placed_at: Timestamp
    placed_by: str
    place_receipt_id: str
    released_at: Timestamp | None = None
    released_by: str | None = None
    release_receipt_id: str | None = None
    is_readable: bool = True

    @property
    def active(self) -> bool:
        """Whether the hold still binds."""
        return self.released_at is None

    @property
    def entity(self) -> str:
        """The entity under which the journal keeps the hold itself."""
        return f"{HOLD_PREFIX}{self.hold_id}"

    def covers(self, tenant: str, entity: str) -> bool:
        """Whether facts of a tenant about an entity must be kept because of this hold."""
        if not self.active or tenant != self.tenant:
            return False
        return not self.entity_prefixes or entity.startswith(self.entity_prefixes)

    def covers_fact(self, fact: Fact) -> bool:
        """Whether this very fact must be kept: what the hold covers, and a deleted statement of the hold itself."""
        if self.covers(fact.tenant_hash, fact.entity):
            return True
        return self.active and fact.deleted and is_hold_state(fact) and _hold_key(fact) == (self.tenant, self.hold_id)


def is_hold_state(fact: Fact) -> bool:
    """Whether a fact states a legal hold."""
    return fact.key == HOLD_KEY and fact.entity.startswith(HOLD_PREFIX)


def resolve_holds(facts: Iterable[Fact]) -> list[Hold]:
    """The holds that these facts state, by the time they were placed; give it every fact, deleted ones too."""
    versions: defaultdict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        if is_hold_state(fact):
            versions[_hold_key(fact)].append(fact)
    holds = [_resolve(rows) for rows in versions.values()]
    return sorted(holds, key=lambda hold: (hold.placed_at.ns, hold.hold_id, hold.tenant))


def clean_prefixes(prefixes: Iterable[str]) -> tuple[str, ...]:
    """Entity prefixes as a hold keeps them: trimmed, without empty ones, sorted, each once."""
    return tuple(sorted({prefix.strip() for prefix in prefixes} - {""}))


def _hold_key(fact: Fact) -> tuple[str, str]:
    return fact.tenant_hash, fact.entity.removeprefix(HOLD_PREFIX)


def _resolve(rows: list[Fact]) -> Hold:
    newest_first = sorted(rows, key=lambda row: (row.version, row.stored_at.ns, row.fact_id), reverse=True)
    return next(_readable(newest_first), None) or _assumed(newest_first[0])


def _readable(rows: list[Fact]) -> Iterator[Hold]:
    return (hold for row in rows if (hold := _read(row)) is not None)


def _assumed(row: Fact) -> Hold:
    """The widest hold that an unreadable statement can have meant."""
    return Hold(
        hold_id=row.entity.removeprefix(HOLD_PREFIX),
        tenant=row.tenant_hash,
        entity_prefixes=(),
        reason="",
        placed_at=row.stored_at,
        placed_by=row.actor or "unresolved",
        place_receipt_id=row.source_receipt or row.fact_id,
        is_readable=False,
    )


def _read(row: Fact) -> Hold | None:
    """The hold that a fact states; None when it is no whole record, or one of another hold or tenant."""
    try:
        record = Members.of(scan_object(row.value.encode()), _KNOWN_KEYS)
        hold = Hold(
            hold_id=record.text("hold_id"),
            tenant=record.text("tenant_id"),
            entity_prefixes=clean_prefixes(record.texts("entity_prefixes") if "entity_prefixes" in record else ()),
            reason=record.text("reason"),
            placed_at=record.time("placed_at"),
            placed_by=record.text("placed_by"),
            place_receipt_id=record.text("place_receipt_id"),
            released_at=record.time_or_none("released_at"),
            released_by=record.text_or_none("released_by"),
            release_receipt_id=record.text_or_none("release_receipt_id"),
        )
        is_ours = (hold.tenant, hold.hold_id) == _hold_key(row) and record.text("schema") == HOLD_SCHEMA
    except (LineError, MemberError):
        return None
    return hold if is_ours else None
