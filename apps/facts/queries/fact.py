"""One fact with everything that is known about it."""

from collections.abc import Iterator
from dataclasses import replace

import orjson
from blake3 import blake3
from django.db.models import QuerySet

from apps.accounts.rules import Scope
from apps.facts.answers import (
    Clocks,
    EventRow,
    FactDetail,
    FactRow,
    HoldRow,
    ImportOrigin,
    JournalLine,
    Lag,
    Steps,
    VersionRow,
)
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.models import EventSubject, FactLine, Hold, IndexedFact, LedgerEvent
from apps.facts.policies import Policies
from apps.facts.projector import index_lag
from apps.facts.projector.builds import open_journal
from apps.facts.projector.settings import said_of
from apps.facts.queries.lens import look_back, resolve
from apps.facts.queries.reading import is_private, links_outside, read_fact, read_rows, show_row
from apps.facts.queries.scoping import current_home, readable_rows
from apps.facts.queries.steps import steps_around, steps_of
from apps.facts.rules import HELD, unpack_cell
from cruxstore.errors import NotFoundError
from cruxstore.facts.codec import decode_line, fact_slices
from cruxstore.facts.decay import reckon
from cruxstore.facts.holds import HOLD_PREFIX
from cruxstore.facts.records import Fact, SetValidity, Supersede
from cruxstore.facts.times import timestamp_from_ns

SHOWN_VALUE_CHARS = 20_000
SHOWN_LINE_BYTES = 8_000
MOST_VERSIONS = 200
MOST_LINES = 200
MOST_EVENTS = 200
ELIDED = b"\xe2\x80\xa6"
"""Stands where a line holds other facts than the one asked for."""


def get_fact(
    scope: Scope, fact_id: str, *, store: StoreFiles, now_ns: int, known: str = "", about: str = ""
) -> FactDetail:
    """The fact with versions, lines, holds and events, as known on one moment and about another.

    NotFoundError alike for a missing and a foreign one, and for one that was not recorded yet.
    """
    row = find_row(scope, fact_id)
    clocks = resolve(known, about, store=store, now_ns=now_ns)
    if clocks.known is not None and row.line_no > clocks.known.lines:
        raise NotFoundError(f"This fact was not recorded yet: it came with line {row.line_no:,}.")
    lag = index_lag(store, now_ns=now_ns)
    with open_journal(store) as journal:
        own = read_fact(row, journal) if scope.may_read(private=is_private(row), owner=row.owner) else None
        shown = read_rows([row.id], scope, journal, clocks.now_ns, clocks=clocks)[0]
        holds = holds_over(scope, row, shown.entity or row.entity)
        if own is None:
            return _without_text(shown, holds, clocks, lag)
        fact = _as_it_stands(row, own, shown, journal, clocks)
        versions, versions_are_capped = _versions(row, scope, journal, clocks)
        lines, lines_are_capped = _lines(row, scope, journal, clocks)
    return FactDetail(
        row=shown,
        fact=fact,
        value=fact.value[:SHOWN_VALUE_CHARS],
        value_is_cut=len(fact.value) > SHOWN_VALUE_CHARS,
        value_digest=blake3(fact.value.encode()).hexdigest(),
        value_bytes=row.value_bytes,
        reckoning=reckon(fact, clocks.now_ns // 1_000_000, Policies.from_process().decay),
        versions=versions,
        versions_are_capped=versions_are_capped,
        lines=lines,
        lines_are_capped=lines_are_capped,
        holds=holds,
        events=events_about(scope, fact_id, clocks=clocks),
        origin=_origin(fact),
        clocks=clocks,
        steps=steps_around(steps_of([row]), clocks),
        lag=lag,
    )


def read_line(scope: Scope, fact_id: str, line_no: int, *, store: StoreFiles) -> bytes:
    """The exact bytes of what one line says about a fact; NotFoundError where it says nothing one may read."""
    row = find_row(scope, fact_id)
    if not scope.may_read(private=is_private(row), owner=row.owner):
        raise NotFoundError("There is no such line of this fact.")
    with open_journal(store) as journal:
        if line_no == row.line_no:
            return journal.read(row.offset, row.length)
        line = FactLine.objects.filter(fact=row.id, line_no=line_no).first()
        if line is not None:
            return _without_facts(journal.read(line.offset, line.length), scope)
        for _, text in _retiring_lines(row, FactLine.objects.filter(line_no=line_no), journal):
            return text
    raise NotFoundError("There is no such line of this fact.")


def find_row(scope: Scope, fact_id: str) -> IndexedFact:
    """The row of a fact of this tenant; NotFoundError alike for a missing and a foreign one."""
    home = current_home(scope)
    row = None
    if home is not None:
        row = IndexedFact.objects.defer("search_text").filter(fact_id=fact_id, home=home).first()
    if row is None or not scope.is_within(row.entity):
        raise NotFoundError("There is no such fact.")
    return row


def holds_over(scope: Scope, row: IndexedFact, entity: str) -> tuple[HoldRow, ...]:
    """The active holds that cover a row, by the time they were placed; a hold's own words are the officers'."""
    if not unpack_cell(row.cell).marks & HELD:
        return ()
    active = Hold.objects.filter(home=row.home, is_active=True).order_by("placed_at", "hold_id")
    return tuple(_shown_hold(hold, scope, entity) for hold in active if _covers(hold, entity))


def events_about(scope: Scope, subject: str, *, clocks: Clocks | None = None) -> tuple[EventRow, ...]:
    """The newest ledger events of the tenant about something, newest first; none that were not recorded yet.

    For a bound scope, about a fact that is not absent for it.
    """
    if scope.is_bound:
        try:
            find_row(scope, subject)
        except NotFoundError:
            return ()
    about = EventSubject.objects.filter(subject=subject)
    if clocks is not None and clocks.known is not None:
        about = about.filter(seq__lte=clocks.known.events)
    seqs = about.order_by("-seq").values_list("seq", flat=True)[:MOST_EVENTS]
    events = LedgerEvent.objects.filter(seq__in=list(seqs), tenant=scope.tenant).order_by("-seq")
    return tuple(
        EventRow(
            seq=event.seq,
            event_id=event.event_id,
            at=event.at,
            action=event.action,
            actor_kind=event.actor_kind,
            actor_id=event.actor_id,
            outcome=event.outcome,
            code=event.code,
        )
        for event in events
    )


def _without_text(shown: FactRow, holds: tuple[HoldRow, ...], clocks: Clocks, lag: Lag) -> FactDetail:
    return FactDetail(
        row=shown,
        fact=None,
        value="",
        value_is_cut=False,
        value_digest="",
        value_bytes=0,
        reckoning=None,
        versions=(),
        versions_are_capped=False,
        lines=(),
        lines_are_capped=False,
        holds=tuple(replace(hold, reason="", placed_by="", entity_prefixes=()) for hold in holds),
        events=(),
        origin=None,
        clocks=clocks,
        steps=Steps("", ""),
        lag=lag,
    )


def _as_it_stands(row: IndexedFact, fact: Fact, shown: FactRow, journal: JournalFile, clocks: Clocks) -> Fact:
    """The fact as replay and events leave it: both have changed what its own line says."""
    valid_from, valid_to = fact.valid_from, fact.valid_to
    changed = _changes(row, clocks).filter(op="set_validity").order_by("-line_no").first()
    if changed is not None:
        operation = decode_line(journal.read(changed.offset, changed.length))
        if isinstance(operation, SetValidity):
            valid_from, valid_to = operation.valid_from, operation.valid_to
    horizon, reverified_at = fact.horizon_class, fact.reverified_at
    for said in said_of([row.fact_id]).get(row.fact_id, ()):
        if clocks.known is None or said.place <= clocks.known.key:
            horizon = said.horizon or horizon
            reverified_at = reverified_at if said.horizon else timestamp_from_ns(said.at_us * 1000)
    return fact._replace(
        private=is_private(row),
        deleted=shown.state == "deleted",
        supersedes=shown.supersedes or None,
        superseded_by=shown.superseded_by or None,
        valid_from=valid_from,
        valid_to=valid_to,
        horizon_class=horizon,
        reverified_at=reverified_at,
    )


def _changes(row: IndexedFact, clocks: Clocks) -> QuerySet[FactLine]:
    """The later lines that had changed a fact by then."""
    return _known_lines(clocks).filter(fact=row.id)


def _known_lines(clocks: Clocks) -> QuerySet[FactLine]:
    lines = FactLine.objects.all()
    return lines if clocks.known is None else lines.filter(line_no__lte=clocks.known.lines)


def _versions(
    row: IndexedFact, scope: Scope, journal: JournalFile, clocks: Clocks
) -> tuple[tuple[VersionRow, ...], bool]:
    """What of the chain the scope may read, newest first."""
    chain = readable_rows(scope).filter(home=row.home, entity=row.entity, key=row.key)
    if clocks.known is not None:
        chain = chain.filter(line_no__lte=clocks.known.lines)
    rows = list(chain.order_by("-id")[: MOST_VERSIONS + 1])
    look_back(rows, clocks)
    outside = links_outside(scope, [one.superseded_by for one in rows])
    versions = []
    for one in rows[:MOST_VERSIONS]:
        fact = read_fact(one, journal) if one.excerpt is None else None
        shown = show_row(one, scope, journal, clocks.now_ns, fact=fact, elsewhere=outside)
        value = fact.value if fact is not None else shown.value_excerpt
        versions.append(
            VersionRow(
                row=shown,
                value=value[:SHOWN_VALUE_CHARS],
                is_cut=len(value) > SHOWN_VALUE_CHARS or (fact is None and shown.is_cut),
            )
        )
    return tuple(versions), len(rows) > MOST_VERSIONS


def _lines(
    row: IndexedFact, scope: Scope, journal: JournalFile, clocks: Clocks
) -> tuple[tuple[JournalLine, ...], bool]:
    """The lines about a fact in file order: its own, later changes, and the one that retired its predecessor."""
    later = list(_changes(row, clocks).order_by("line_no", "id")[: MOST_LINES + 1])
    shown = [_shown_line(row.line_no, row.op, row.offset, journal.read(row.offset, row.length))]
    for line in later[:MOST_LINES]:
        text = _without_facts(journal.read(line.offset, line.length), scope)
        shown.append(_shown_line(line.line_no, line.op, line.offset, text))
    shown += [
        _shown_line(line.line_no, line.op, line.offset, text)
        for line, text in _retiring_lines(row, _known_lines(clocks), journal)
    ]
    return tuple(sorted(shown, key=lambda line: line.line_no)), len(later) > MOST_LINES


def _retiring_lines(
    row: IndexedFact, lines: QuerySet[FactLine], journal: JournalFile
) -> Iterator[tuple[FactLine, bytes]]:
    """Those of some lines by which a fact retired its predecessor."""
    before = IndexedFact.objects.filter(fact_id=row.supersedes, home=row.home).values_list("id", flat=True).first()
    if row.supersedes is None or before is None:
        return
    for line in lines.filter(fact=before, op="supersede")[:MOST_LINES]:
        text = journal.read(line.offset, line.length)
        operation = decode_line(text)
        if isinstance(operation, Supersede) and operation.by_fact_id == row.fact_id:
            yield line, text


def _shown_line(line_no: int, op: str, offset: int, text: bytes) -> JournalLine:
    return JournalLine(
        line_no=line_no,
        offset=offset,
        length=len(text),
        op=op,
        text=text[:SHOWN_LINE_BYTES].decode(errors="ignore"),
        is_cut=len(text) > SHOWN_LINE_BYTES,
    )


def _without_facts(line: bytes, scope: Scope) -> bytes:
    """A line with the facts in it taken out: whoever may read one fact need not be one who may read another.

    Nor does it name a successor whose entity is absent.
    """
    operation = decode_line(line) if scope.is_bound else None
    if isinstance(operation, Supersede) and links_outside(scope, [operation.by_fact_id]):
        return ELIDED
    kept, end = [], 0
    for start, length in fact_slices(line):
        kept.append(line[end:start])
        end = start + length
    return ELIDED.join([*kept, line[end:]])


def _shown_hold(hold: Hold, scope: Scope, entity: str) -> HoldRow:
    """A hold is stated by a private fact: others than its readers learn of it what the held fact itself shows."""
    is_readable = scope.may_read(private=True, owner="")
    prefixes = [prefix for prefix in hold.entity_prefixes if is_readable or entity.startswith(prefix)]
    return HoldRow(
        hold_id=hold.hold_id,
        is_active=hold.is_active,
        entity_prefixes=tuple(prefixes),
        reason=hold.reason if is_readable else "",
        placed_at=hold.placed_at,
        placed_by=hold.placed_by if is_readable else "",
    )


def _covers(hold: Hold, entity: str) -> bool:
    return (
        not hold.entity_prefixes
        or entity.startswith(tuple(hold.entity_prefixes))
        or entity == HOLD_PREFIX + hold.hold_id
    )


def _origin(fact: Fact) -> ImportOrigin | None:
    """Where an import found the fact, from the member that imports add to it."""
    if fact.extra is None or b'"_import"' not in fact.extra:
        return None
    try:
        origin = orjson.loads(b"{%b}" % fact.extra).get("_import")
    except orjson.JSONDecodeError:
        return None
    if not isinstance(origin, dict) or not isinstance(origin.get("id"), str):
        return None
    line = origin.get("line")
    return ImportOrigin(
        import_id=origin["id"],
        line=line if isinstance(line, int) else None,
        members={name: str(member) for name, member in origin.items() if name not in {"id", "line"}},
    )
