"""What the queries answer: values a page can show as they are, and the filter a page's address stands for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from apps.facts.rules import State, event_place, moment_of, value_part
from cruxstore.facts.decay import Reckoning
from cruxstore.facts.records import Fact

PAGE_ROWS = 25
EXCERPT_CHARS = 300
COUNT_CAP = 10_000

STATES = ("current", "superseded", "deleted")
FRESHNESSES = ("fresh", "stale", "unknown")
HORIZONS = ("volatile", "medium", "stable", "none")
MARKS = ("conflict", "held", "private")
SORTS = ("-recorded", "recorded", "-effective", "effective", "entity", "-entity")
OTHER = "*"
"""The facet value that gathers the kinds or actors beyond the first two hundred."""

FACET_LABELS = {
    "freshness": "Freshness",
    "state": "State",
    "kind": "Entity",
    "horizon": "Horizon",
    "actor": "Actor",
    "marks": "Marks",
}
VALUE_LABELS = {
    "fresh": "Fresh",
    "stale": "Stale",
    "unknown": "Unknown",
    "current": "Current",
    "superseded": "Superseded",
    "deleted": "Deleted",
    "conflict": "Conflict",
    "held": "Held",
    "private": "Private",
}


@dataclass(frozen=True)
class FactFilter:
    """Which facts, in which order, from where on; without states, all but the deleted.

    `known` and `about` are moments as `apps.facts.clock_rules` writes them, empty for now.
    """

    q: str = ""
    state: tuple[str, ...] = ()
    freshness: tuple[str, ...] = ()
    horizon: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    actor: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    entity: str = ""
    key: str = ""
    import_id: str = ""
    min_confidence: float | None = None
    known: str = ""
    about: str = ""
    sort: str = "-recorded"
    after: str = ""
    before: str = ""


@dataclass(frozen=True)
class Count:
    """How many; capped means at least this many, shown with a plus."""

    value: int
    is_capped: bool = False

    def __str__(self) -> str:
        return f"{self.value:,}+" if self.is_capped else f"{self.value:,}"


@dataclass(frozen=True)
class FacetValue:
    """One choice of a facet; `count` is what choosing it alone would show, the other facets as they are."""

    value: str
    label: str
    count: Count
    is_on: bool


@dataclass(frozen=True)
class Facet:
    """One dimension with its choices, the largest first where they have no order of their own."""

    name: str
    label: str
    values: tuple[FacetValue, ...]


@dataclass(frozen=True)
class FactRow:
    """A fact in a list. A stub shows owner and kind only: its entity, key, value and excerpt are empty."""

    fact_id: str
    entity: str
    key: str
    value_excerpt: str
    value_bytes: int
    is_cut: bool
    is_stub: bool
    is_unreadable: bool
    owner: str
    kind: str
    state: str
    freshness: str
    confidence: float
    effective: float
    stale_at: datetime | None
    horizon: str
    version: int
    actor: str
    recorded_at: datetime
    line_no: int
    marks: tuple[str, ...]
    supersedes: str
    superseded_by: str
    valid_from: datetime | None
    valid_to: datetime | None


@dataclass(frozen=True)
class Lag:
    """How far the index is behind its files; `state` is empty, indexing, building, current or behind.

    `build` is the number of the one that answers, 0 before the first.
    """

    state: str
    lines: int
    bytes_behind: int
    bytes_total: int
    to_sweep: int
    settings_changed: bool = False
    journal_replaced: bool = False
    build: int = 0

    @property
    def is_behind(self) -> bool:
        """Whether a page should say that it does not show everything yet."""
        return self.state in {"indexing", "behind"} or self.settings_changed or self.journal_replaced


@dataclass(frozen=True)
class KnownPlace:
    """How far the journal and the ledger count: so many lines and events of a generation, recorded until `at_us`.

    `folded_by` is the event that began the generation, where the moment asked for lies before it: no line is older.
    """

    generation: int
    lines: int
    events: int
    at_us: int
    folded_by: int | None = None

    @property
    def key(self) -> int:
        """The place in the order of lines and events; what came later is above it."""
        return event_place(self.lines, self.events)

    @property
    def at(self) -> datetime:
        """The moment of it."""
        return moment_of(self.at_us)


@dataclass(frozen=True)
class Clocks:
    """The two moments that a page answers for; None is now. `now_ns` is the moment at which ages are reckoned."""

    known: KnownPlace | None
    about_us: int | None
    now_ns: int

    @property
    def are_now(self) -> bool:
        """Whether nothing is asked but what is so now."""
        return self.known is None and self.about_us is None

    @property
    def about_at(self) -> datetime | None:
        """The moment that is asked about; None for now."""
        return None if self.about_us is None else moment_of(self.about_us)


@dataclass(frozen=True)
class Steps:
    """The nearest moments before and after at which something changed, as an address holds them; empty for none."""

    previous: str
    next: str


@dataclass(frozen=True)
class FactsPage:
    """One page of the list; `newer` and `older` are cursors for `before` and `after`, None at an end."""

    rows: tuple[FactRow, ...]
    count: Count
    total: Count
    facets: tuple[Facet, ...]
    newer: str | None
    older: str | None
    search_note: str
    clocks: Clocks
    steps: Steps
    lag: Lag


@dataclass(frozen=True)
class JournalLine:
    """What one journal line says about one fact: its own slice where the line holds other facts too."""

    line_no: int
    offset: int
    length: int
    op: str
    text: str
    is_cut: bool


@dataclass(frozen=True)
class HoldRow:
    """A legal hold that covers a fact."""

    hold_id: str
    is_active: bool
    entity_prefixes: tuple[str, ...]
    reason: str
    placed_at: str
    placed_by: str


@dataclass(frozen=True)
class EventRow:
    """A ledger event about something, without text."""

    seq: int
    event_id: str
    at: datetime
    action: str
    actor_kind: str
    actor_id: str
    outcome: str
    code: str


@dataclass(frozen=True)
class VersionRow:
    """One version of a chain, newest first; the value as far as a page shows it."""

    row: FactRow
    value: str
    is_cut: bool


@dataclass(frozen=True)
class ImportOrigin:
    """Where an imported fact stood in its file."""

    import_id: str
    line: int | None
    members: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FactDetail:
    """Everything about one fact; a stub has no fact, value, lines, versions or origin."""

    row: FactRow
    fact: Fact | None
    value: str
    value_is_cut: bool
    value_digest: str
    value_bytes: int
    reckoning: Reckoning | None
    versions: tuple[VersionRow, ...]
    versions_are_capped: bool
    lines: tuple[JournalLine, ...]
    lines_are_capped: bool
    holds: tuple[HoldRow, ...]
    events: tuple[EventRow, ...]
    origin: ImportOrigin | None
    clocks: Clocks
    steps: Steps
    lag: Lag


@dataclass(frozen=True)
class EntityRow:
    """An entity in the list: the beginning of its name, and what stands for it in an address."""

    entity: str
    address: str
    kind: str
    keys: Count
    facts: Count
    newest_at: datetime | None


@dataclass(frozen=True)
class EntitiesPage:
    """One page of entities in name order."""

    rows: tuple[EntityRow, ...]
    count: Count
    kinds: tuple[FacetValue, ...]
    previous: str | None
    next: str | None
    lag: Lag


@dataclass(frozen=True)
class EntityKey:
    """One key of an entity: what is current, and every version, newest first."""

    key: str
    current: tuple[FactRow, ...]
    history: tuple[FactRow, ...]
    history_is_capped: bool


@dataclass(frozen=True)
class EntityDetail:
    """An entity with its keys in order; of private facts that one may not read there is no trace."""

    entity: str
    kind: str
    keys: tuple[EntityKey, ...]
    keys_are_capped: bool
    facts: Count
    holds: tuple[HoldRow, ...]
    clocks: Clocks
    steps: Steps
    lag: Lag


@dataclass(frozen=True)
class LineNote:
    """A line that changed nothing: where it is, why, and its first characters (operators only)."""

    line_no: int
    offset: int
    length: int
    reason: str
    excerpt: str


@dataclass(frozen=True)
class Quarantine:
    """A tail that was set aside: its file's name and size."""

    name: str
    size_bytes: int
    set_aside_at: datetime


@dataclass(frozen=True)
class StoreCounts:
    """What anyone in a tenant may know about the store: their tenant's numbers and the index position."""

    facts: Count
    by_state: Mapping[str, int]
    private: Count
    entities: Count
    lag: Lag


@dataclass(frozen=True)
class ForeignWrite:
    """What somebody else did to a journal of ours: the event that records it, what it was, and how many lines came."""

    seq: int
    at: datetime
    cause: str
    lines: int


@dataclass(frozen=True)
class StoreStatus:
    """The whole store, for operators."""

    journal_path: str
    is_observed: bool
    size_bytes: int
    generation: int
    build: int
    lines: int
    facts: int
    facts_by_state: Mapping[str, int]
    tenants: Mapping[str, int]
    operations: Mapping[str, int]
    skipped: tuple[LineNote, ...]
    skipped_count: int
    ignored: tuple[LineNote, ...]
    ignored_count: int
    redundant: tuple[LineNote, ...]
    redundant_count: int
    torn_tail_bytes: int
    foreign_writes: tuple[ForeignWrite, ...]
    foreign_write_count: int
    has_unrecorded: bool
    quarantines: tuple[Quarantine, ...]
    ledger_bytes: int
    ledger_events: int
    settings: Mapping[str, str]
    lag: Lag


@dataclass(frozen=True)
class CompactionOutlook:
    """What a compaction does to the whole store: facts folded to one line each, facts dropped, history that goes.

    `later_lines` changed facts after they were stored; a `refusal` says why nothing can be done.
    """

    lines: int
    size_bytes: int
    folded: int
    dropped: int
    later_lines: int
    holds: int
    skipped_lines: int
    refusal: str


@dataclass(frozen=True)
class NamedCount:
    """A name and how many."""

    name: str
    count: Count


@dataclass(frozen=True)
class Overview:
    """What a curator wants at nine in the morning; `since` is where "new" begins."""

    since: datetime
    total: Count
    new: Count
    new_by_actor: tuple[NamedCount, ...]
    newly_stale: Count
    newly_stale_rows: tuple[FactRow, ...]
    stale: Count
    conflicts: Count
    conflict_rows: tuple[FactRow, ...]
    held: Count
    private: Count
    going_stale: Count
    going_stale_rows: tuple[FactRow, ...]
    newest: tuple[FactRow, ...]
    lag: Lag


@dataclass(frozen=True)
class Deed:
    """What was done at a place: an operation of the format (or horizon, verification) on a version, and by whom."""

    place: str
    at: datetime
    op: str
    version: int
    actor_kind: str
    actor_id: str


@dataclass(frozen=True)
class BelievedValue:
    """A value that was believed at some time, under the letter that stands for it."""

    letter: str
    value: str
    is_cut: bool


@dataclass(frozen=True)
class BeliefSpan:
    """A stretch of valid time and the letters of what is believed in it; None is open."""

    starts_at: datetime | None
    ends_at: datetime | None
    letters: tuple[str, ...]


@dataclass(frozen=True)
class BeliefBand:
    """What was believed from a deed on, over all of valid time."""

    deed: Deed
    spans: tuple[BeliefSpan, ...]


@dataclass(frozen=True)
class ReplacedVersion:
    """How a version replaced another, `correction` or `change`, and what is noteworthy about its times."""

    version: int
    replaced: int
    kind: str
    marks: tuple[str, ...]


@dataclass(frozen=True)
class BeliefFindings:
    """What is odd about a belief as known now: several values at once, none between others, versions that fork."""

    overlaps: tuple[BeliefSpan, ...]
    gaps: tuple[BeliefSpan, ...]
    forks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class KeyDifference:
    """A key at two moments: the values believed, and the last deed between them that changed the second answer."""

    key: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    deed: Deed | None
    replacement: ReplacedVersion | None

    @property
    def sign(self) -> str:
        """+ for what appeared, − for what went, ± for what changed."""
        return "+" if not self.before else "−" if not self.after else "±"


@dataclass(frozen=True)
class Difference:
    """An entity at two moments: the keys that differ, and how many do not."""

    entity: str
    first: Clocks
    second: Clocks
    keys: tuple[KeyDifference, ...]
    same: int
    is_capped: bool
    lag: Lag


@dataclass(frozen=True)
class BeliefMap:
    """One entity and key over both clocks, the oldest band first; `places` are the moments to snap to."""

    entity: str
    key: str
    values: tuple[BelievedValue, ...]
    bands: tuple[BeliefBand, ...]
    bands_are_capped: bool
    replacements: tuple[ReplacedVersion, ...]
    findings: BeliefFindings
    current_fact_id: str
    lag: Lag


class Scanned(NamedTuple):
    """One fact as a scan sees it; `entity` and `key` as the index holds them, very long ones cut."""

    row_id: int
    fact_id: str
    entity: str
    key: str
    actor: str
    state: int
    search_text: str
    valid_from_us: int | None
    valid_to_us: int | None

    @property
    def is_current(self) -> bool:
        """Whether it is neither superseded nor deleted."""
        return self.state == State.CURRENT

    @property
    def value(self) -> str:
        """Its value, folded."""
        return value_part(self.search_text, self.entity, self.key)
