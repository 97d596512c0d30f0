"""What was believed over both clocks: the map of one entity and key, and an entity at two moments."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.rules import Scope
from apps.facts.answers import (
    EXCERPT_CHARS,
    BeliefBand,
    BeliefFindings,
    BeliefMap,
    BeliefSpan,
    BelievedValue,
    Clocks,
    Deed,
    Difference,
    KeyDifference,
    ReplacedVersion,
)
from apps.facts.belief_rules import (
    FOREVER,
    Band,
    Replacement,
    Span,
    Standing,
    Version,
    bands_of,
    believed,
    findings_of,
    replacements_of,
)
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.models import IndexedFact, LedgerEvent, Revision
from apps.facts.projector import index_lag
from apps.facts.projector.builds import open_journal
from apps.facts.projector.settings import said_of
from apps.facts.queries.lens import effective_us, resolve
from apps.facts.queries.places import line_recorded_us
from apps.facts.queries.reading import read_fact
from apps.facts.queries.scoping import current_home, readable_rows
from apps.facts.queries.steps import changes_of, event_of, line_ends, line_of, place_text, steps_of
from apps.facts.rules import indexed, line_place, moment_of, unpack_cell, was_cut
from cruxstore.errors import NotFoundError

STORING = ("store", "store_batch", "replace_latest", "consolidate")
TELLING = (
    *STORING,
    "consolidate_undo",
    "set_validity",
    "delete",
    "supersede",
    "clear_supersede",
    "consolidation_provenance",
    "horizon",
    "verification",
)
"""Operations, those first that say most about what an act was for."""

MOST_VERSIONS = 100
MOST_BANDS = 40
MOST_FACTS = 2_000
MOST_DIFFERENT = 50


def get_belief(scope: Scope, entity: str, key: str, *, store: StoreFiles, now_ns: int) -> BeliefMap:
    """The belief about one entity and key; NotFoundError where the scope may read no fact of it."""
    rows = _rows_of(scope, entity, key, MOST_VERSIONS)
    if not rows:
        raise NotFoundError("There is no such entity and key.")
    chain = _Chain.of(rows)
    bands = bands_of(chain.versions, steps_of(rows), chain.outside)
    shown = bands[-MOST_BANDS:]
    with open_journal(store) as journal:
        values = _values(shown, chain, journal)
    letters = _letters(shown, values)
    deeds = _deeds(rows, [band.place for band in shown], store)
    found = findings_of(chain.versions, FOREVER - 1, chain.outside)
    current = believed(chain.versions, FOREVER - 1, now_ns // 1000, chain.outside)

    def span(one: Span) -> BeliefSpan:
        found = (letters[values[version.fact_id]] for version in one.versions)
        return BeliefSpan(_moment(one.start_us), _moment(one.end_us), tuple(dict.fromkeys(found)))

    return BeliefMap(
        entity=entity,
        key=key,
        values=tuple(
            BelievedValue(letter, value[:EXCERPT_CHARS], len(value) > EXCERPT_CHARS)
            for value, letter in letters.items()
        ),
        bands=tuple(BeliefBand(deeds[band.place], tuple(map(span, band.spans))) for band in shown),
        bands_are_capped=len(bands) > MOST_BANDS or len(rows) == MOST_VERSIONS,
        replacements=tuple(map(_replaced, replacements_of(chain.versions, FOREVER - 1, now_ns // 1000))),
        findings=BeliefFindings(
            overlaps=tuple(map(span, found.overlaps)),
            gaps=tuple(map(span, found.gaps)),
            forks=tuple(tuple(version.number for version in fork) for fork in found.forks),
        ),
        current_fact_id=(current or chain.versions)[-1].fact_id,
        lag=index_lag(store, now_ns=now_ns),
    )


def compare_moments(
    scope: Scope,
    entity: str,
    first: tuple[str, str],
    second: tuple[str, str],
    *,
    store: StoreFiles,
    now_ns: int,
) -> Difference:
    """Every key of an entity at two moments, each as known on and about; NotFoundError where it may not be read."""
    before, after = (resolve(*moment, store=store, now_ns=now_ns) for moment in (first, second))
    rows = _rows_of(scope, entity, "", MOST_FACTS)
    by_key: defaultdict[str, list[IndexedFact]] = defaultdict(list)
    for row in rows:
        by_key[row.key].append(row)
    if not by_key:
        raise NotFoundError("There is no such entity.")
    different = []
    for key in sorted(by_key):
        chain = _Chain.of(by_key[key])
        old, new = _believed(chain, before), _believed(chain, after)
        if old != new:
            different.append((by_key[key], chain, old, new))
    with open_journal(store) as journal:
        keys = tuple(
            _difference(some, chain, old, new, before, after, journal, store, now_ns)
            for some, chain, old, new in different[:MOST_DIFFERENT]
        )
    return Difference(
        entity=entity,
        first=before,
        second=after,
        keys=keys,
        same=len(by_key) - len(different),
        is_capped=len(different) > MOST_DIFFERENT or len(rows) == MOST_FACTS,
        lag=index_lag(store, now_ns=now_ns),
    )


@dataclass(frozen=True)
class _Chain:
    versions: tuple[Version, ...]
    rows: Mapping[str, IndexedFact]
    outside: Mapping[str, int]

    @classmethod
    def of(cls, rows: Sequence[IndexedFact]) -> "_Chain":
        """The versions with what they were over recorded time, and what retires them from other chains."""
        before: defaultdict[int, list[Standing]] = defaultdict(list)
        revisions = Revision.objects.filter(fact__in=[row.id for row in rows]).order_by("until", "id")
        for one in revisions:
            standing = Standing(one.until, one.state, one.superseded_by, one.valid_from_us, one.valid_to_us)
            before[one.fact].append(standing)
        versions = tuple(_version(row, before[row.id]) for row in rows)
        links = {one.superseded_by for version in versions for one in version.standings} - {None}
        inside = {row.fact_id for row in rows}
        others = IndexedFact.objects.defer("search_text").filter(fact_id__in=links - inside, home=rows[0].home)
        return cls(versions, {row.fact_id: row for row in rows}, {row.fact_id: effective_us(row) for row in others})


def _rows_of(scope: Scope, entity: str, key: str, most: int) -> list[IndexedFact]:
    """The newest facts of an entity (and key) that the scope may read, oldest first."""
    home = current_home(scope)
    if home is None:
        return []
    rows = readable_rows(scope).filter(home=home, entity=indexed(entity))
    if key:
        rows = rows.filter(key=indexed(key))
    return list(rows.order_by("-id")[:most])[::-1]


def _version(row: IndexedFact, before: Iterable[Standing]) -> Version:
    now = Standing(FOREVER, unpack_cell(row.cell).state, row.superseded_by, row.valid_from_us, row.valid_to_us)
    return Version(
        fact_id=row.fact_id,
        row_id=row.id,
        number=row.version,
        place=line_place(row.line_no),
        stored_us=row.stored_at_us,
        supersedes=row.supersedes,
        standings=(*before, now),
    )


def _believed(chain: _Chain, clocks: Clocks) -> tuple[Version, ...]:
    about_us = clocks.now_ns // 1000 if clocks.about_us is None else clocks.about_us
    return believed(chain.versions, _key(clocks), about_us, chain.outside)


def _key(clocks: Clocks) -> int:
    return FOREVER - 1 if clocks.known is None else clocks.known.key


def _difference(
    rows: Sequence[IndexedFact],
    chain: _Chain,
    old: tuple[Version, ...],
    new: tuple[Version, ...],
    before: Clocks,
    after: Clocks,
    journal: JournalFile,
    store: StoreFiles,
    now_ns: int,
) -> KeyDifference:
    about_us = after.now_ns // 1000 if after.about_us is None else after.about_us
    first, last = sorted((_key(before), _key(after)))
    answer, cause = believed(chain.versions, first, about_us, chain.outside), None
    for place in steps_of(rows):
        if first < place <= last:
            then = believed(chain.versions, place, about_us, chain.outside)
            answer, cause = (then, place) if then != answer else (answer, cause)
    replacement = None
    deed = None
    if cause is not None:
        deed = _deeds(rows, [cause], store)[cause]
        of_version = [
            one for one in replacements_of(chain.versions, cause, now_ns // 1000) if one.version.number == deed.version
        ]
        replacement = _replaced(of_version[-1]) if of_version and deed.op in STORING else None
    return KeyDifference(
        key=_exact_key(rows[-1], journal),
        before=tuple(_value(chain.rows[version.fact_id], journal)[:EXCERPT_CHARS] for version in old),
        after=tuple(_value(chain.rows[version.fact_id], journal)[:EXCERPT_CHARS] for version in new),
        deed=deed,
        replacement=replacement,
    )


def _values(bands: Iterable[Band], chain: _Chain, journal: JournalFile) -> dict[str, str]:
    """The value of every fact that is believed in one of the bands."""
    return {
        version.fact_id: _value(chain.rows[version.fact_id], journal)
        for band in bands
        for span in band.spans
        for version in span.versions
    }


def _letters(bands: Iterable[Band], values: Mapping[str, str]) -> dict[str, str]:
    """A letter for each value, in the order in which they came to be believed; after Z come AA, AB and so on."""
    letters: dict[str, str] = {}
    for band in bands:
        for span in band.spans:
            for version in span.versions:
                letters.setdefault(values[version.fact_id], _letter(len(letters)))
    return letters


def _letter(number: int) -> str:
    before, last = divmod(number, 26)
    return (_letter(before - 1) if before else "") + chr(ord("A") + last)


def _deeds(rows: Sequence[IndexedFact], places: Sequence[int], store: StoreFiles) -> dict[int, Deed]:
    """What was done at each of these places: the operation that says most about it."""
    by_id = {row.id: row for row in rows}
    changed = changes_of(rows)
    ends = line_ends(rows, changed)
    done: defaultdict[int, list[tuple[str, IndexedFact]]] = defaultdict(list)
    for row in rows:
        done[ends[row.line_no]].append((row.op, row))
    for line, op, row_id in changed:
        done[ends[line]].append((op, by_id[row_id]))
    for row in rows:
        for said in said_of([row.fact_id]).get(row.fact_id, ()):
            done[said.place].append(("horizon" if said.horizon else "verification", row))
    events = LedgerEvent.objects.in_bulk([seq for place in places if (seq := event_of(place))])
    return {place: _deed(place, done[place], events, store) for place in places}


def _deed(
    place: int, done: Sequence[tuple[str, IndexedFact]], events: Mapping[int, LedgerEvent], store: StoreFiles
) -> Deed:
    op, row = min(done, key=lambda one: TELLING.index(one[0]))
    event = events.get(event_of(place))
    return Deed(
        place=place_text(place),
        at=event.at if event is not None else moment_of(line_recorded_us(line_of(place), store=store)),
        op=op,
        version=row.version,
        actor_kind=event.actor_kind if event is not None else "agent",
        actor_id=event.actor_id if event is not None else row.actor if op in STORING else "",
    )


def _replaced(replacement: Replacement) -> ReplacedVersion:
    return ReplacedVersion(
        version=replacement.version.number,
        replaced=replacement.replaced.number,
        kind="correction" if replacement.is_correction else "change",
        marks=replacement.marks,
    )


def _value(row: IndexedFact, journal: JournalFile) -> str:
    fact = read_fact(row, journal)
    return fact.value if fact is not None else row.excerpt or ""


def _exact_key(row: IndexedFact, journal: JournalFile) -> str:
    fact = read_fact(row, journal) if was_cut(row.key) else None
    return row.key if fact is None else fact.key


def _moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else moment_of(microseconds)
