"""The scan for near-duplicates: texts that say the same in other places, found by their signatures."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeVar

from apps.facts.answers import Scanned
from apps.facts.queries.scanning import Ground, Touched, current_rows, rows_of_facts
from apps.facts.sql import execute_many, fetch, places
from apps.review.actions.findings import ScanReport, ScanStep, Step, go_on, write_findings
from apps.review.actions.sweep import drop_signatures, sweep_signatures
from apps.review.actions.walking import Write, walk
from apps.review.rules import Found, Kind
from apps.review.shingles import CLOSE, bands_of, closeness, shingles, signatures
from cruxstore.trust.contradiction import Relation, compare, read_statement

FACTS_AT_ONCE = 500
MOST_MEMBERS = 20
"""How many of the newest signatures of a band are compared: a text in hundreds of places is shown with some of them."""
MOST_COMPARED = 20
MOST_PARTNERS = 3

T = TypeVar("T")

_ID_BYTES = 8
_INSERT = "INSERT INTO review_signature (tenant, fact_id, hashes) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_JOIN_BAND = (
    "INSERT INTO review_signatureband (band, members) VALUES (%s, %s)"
    " ON CONFLICT (band) DO UPDATE SET members = excluded.members"
)


class _Signed(NamedTuple):
    """A fact's signature, as it is being compared."""

    number: int
    fact_id: str
    hashes: bytes


def scan_duplicates(
    ground: Ground,
    *,
    now: datetime,
    begin: ScanStep | None = None,
    report: ScanReport | None = None,
    step: Step = go_on,
) -> ScanReport:
    """Signs what is new and compares it with what shares a band; a fact that has a signature is known already.

    `begin` and `step` are as with `walk`; `report` is what the attempt before came to.
    """
    report = report or ScanReport()
    return walk(_Duplicates(ground, report, now), ground, report, now=now, begin=begin, step=step)


class _Duplicates:
    """The scan as it is walked."""

    name = "duplicates"

    def __init__(self, ground: Ground, report: ScanReport, now: datetime) -> None:
        self._ground = ground
        self._report = report
        self._now = now

    def among(self, entities: Sequence[str]) -> Iterator[Write]:
        for part in list(_parts(current_rows(self._ground, entities))):
            yield self._signing(part)

    def around(self, touched: Touched) -> Iterator[Write]:
        for part in _parts(sorted(touched.fact_ids)):
            drop_signatures(self._ground, part)
            yield self._signing([row for row in rows_of_facts(self._ground, part) if row.is_current])

    def clean_up(self) -> None:
        sweep_signatures(self._ground)

    def _signing(self, facts: Sequence[Scanned]) -> Write:
        return partial(_take_in, self._ground, _sign(self._ground, facts), self._report, now=self._now)


def _sign(ground: Ground, facts: Sequence[Scanned]) -> list[tuple[Scanned, bytes]]:
    """The signatures of facts that have none and say enough to be compared."""
    known = {signed.fact_id for signed in _signatures_of(ground, [fact.fact_id for fact in facts])}
    told = [(fact, pieces) for fact in facts if fact.fact_id not in known and (pieces := shingles(fact.value))]
    hashes = signatures([pieces for _, pieces in told])
    return [(fact, made) for (fact, _), made in zip(told, hashes, strict=True)]


def _take_in(ground: Ground, signed: Sequence[tuple[Scanned, bytes]], report: ScanReport, *, now: datetime) -> None:
    """Writes signatures, compares them with those that came before, and writes what is alike."""
    by_id = {fact.fact_id: fact for fact, _ in signed}
    execute_many(_INSERT, [(ground.tenant, fact.fact_id, hashes) for fact, hashes in signed])
    new = _signatures_of(ground, list(by_id))
    close = _close_ones(new, _join_bands(ground, new), report)
    others = {pair.older.fact_id for pair in close} - by_id.keys()
    by_id.update((fact.fact_id, fact) for fact in rows_of_facts(ground, sorted(others)) if fact.is_current)
    write_findings(ground, _found(close, by_id), report, now=now)


def _signatures_of(ground: Ground, fact_ids: Sequence[str]) -> list[_Signed]:
    if not fact_ids:
        return []
    rows = fetch(
        "SELECT number, fact_id, hashes FROM review_signature"
        f" WHERE tenant = %s AND fact_id IN ({places(fact_ids)}) ORDER BY number",
        (ground.tenant, *fact_ids),
    )
    return [_Signed(number, fact_id, bytes(hashes)) for number, fact_id, hashes in rows]


def _join_bands(ground: Ground, new: Sequence[_Signed]) -> dict[int, Counter[int]]:
    """Puts signatures into their bands; answers for each in how many of them which earlier ones are too."""
    bands = {signed.number: bands_of(signed.hashes, ground.tenant) for signed in new}
    members: dict[int, list[int]] = {}
    for part in _parts(band for own in bands.values() for band in own):
        rows = fetch(f"SELECT band, members FROM review_signatureband WHERE band IN ({places(part)})", part)
        members.update((band, _unpack(bytes(packed))) for band, packed in rows)
    shared: dict[int, Counter[int]] = {}
    for number, own in bands.items():
        shared[number] = Counter()
        for band in own:
            before = members.setdefault(band, [])
            shared[number].update(before)
            members[band] = [*before[1 - MOST_MEMBERS :], number]
    execute_many(_JOIN_BAND, [(band, _pack(numbers)) for band, numbers in members.items()])
    return shared


class _Close(NamedTuple):
    """Two signatures that are nearly the same."""

    older: _Signed
    newer: _Signed


def _close_ones(new: Sequence[_Signed], shared: dict[int, Counter[int]], report: ScanReport) -> list[_Close]:
    """For each new signature the few that are most like it, if they are like enough."""
    known = {signed.number: signed for signed in new}
    wanted = sorted(
        {other for found in shared.values() for other, _ in found.most_common(MOST_COMPARED)} - known.keys()
    )
    for part in _parts(wanted):
        rows = fetch(f"SELECT number, fact_id, hashes FROM review_signature WHERE number IN ({places(part)})", part)
        known.update((number, _Signed(number, fact_id, bytes(hashes))) for number, fact_id, hashes in rows)
    pairs = [
        _Close(known[other], signed)
        for signed in new
        for other, _ in shared[signed.number].most_common(MOST_COMPARED)
        if other in known
    ]
    report.compared += len(pairs)
    likeness = closeness([pair.older.hashes for pair in pairs], [pair.newer.hashes for pair in pairs])
    alike = sorted(
        (-share, pair.older.number, pair) for share, pair in zip(likeness, pairs, strict=True) if share >= CLOSE
    )
    partners: Counter[int] = Counter()
    chosen = []
    for _, _, pair in alike:
        if partners[pair.newer.number] < MOST_PARTNERS:
            partners[pair.newer.number] += 1
            chosen.append(pair)
    return chosen


def _found(close: Sequence[_Close], facts: Mapping[str, Scanned]) -> Iterator[Found]:
    for older, newer in close:
        if older.fact_id in facts and _says_the_same(facts[older.fact_id], facts[newer.fact_id]):
            yield Found(Kind.DUPLICATE, "near_duplicate", older.fact_id, newer.fact_id)


def _says_the_same(one: Scanned, other: Scanned) -> bool:
    """Nearly the same words may still contradict each other: another number, a not. Of one key, that is a conflict."""
    if (one.entity, one.key) == (other.entity, other.key):
        return False
    # under one name, so that the values alone are judged
    verdict = compare(read_statement("", "", one.value), read_statement("", "", other.value))
    return verdict.relation != Relation.CONTRADICTION


def _parts(values: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(values)
    while part := list(islice(rest, FACTS_AT_ONCE)):
        yield part


def _pack(numbers: Sequence[int]) -> bytes:
    return b"".join(number.to_bytes(_ID_BYTES) for number in numbers)


def _unpack(members: bytes) -> list[int]:
    return [int.from_bytes(members[at : at + _ID_BYTES]) for at in range(0, len(members), _ID_BYTES)]
