"""The consolidation scan of a tenant: it puts facts side by side for people, and changes none."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import groupby

from django.db import transaction

from apps.facts.answers import Scanned
from apps.facts.queries.scanning import (
    CHAIN_TAIL,
    MOST_KEYS,
    Ground,
    Position,
    Touched,
    chain_rows,
    count_entities,
    newest_of_keys,
    next_entities,
    rows_of_entities,
    scan_position,
    touched_since,
)
from apps.review.actions.findings import ScanReport, ScanStep, Step, go_on, last_scan, remember_scan, write_findings
from apps.review.actions.sweep import sweep_all, sweep_facts, sweep_flips, sweep_unfound
from apps.review.rules import Found, Kind, Pair, flip_of, opposed, pairs_of_heads, sentence_pairs
from cruxstore.trust.contradiction import DETECTORS_VERSION, Relation, Statement, compare, read_statement

SCAN = "conflicts"
ENTITIES_AT_ONCE = 200
KNOWN_STATEMENTS = 4_096


def scan_tenant(
    ground: Ground,
    *,
    now: datetime,
    begin: ScanStep | None = None,
    report: ScanReport | None = None,
    step: Step = go_on,
) -> ScanReport:
    """Compares what is new since the last scan with what stands beside it; everything, where nothing was scanned yet.

    Between batches `step` is told where the scan stands and says whether to go on; given back as `begin`, it goes on
    from there unless another index answers by now. What was found is written before.
    """
    if begin is not None and begin.home != ground.home:
        begin = None
    report = report or ScanReport()
    position = begin.position if begin is not None else scan_position()
    if position is None:
        return report
    last = last_scan(ground, SCAN, DETECTORS_VERSION)
    if last is not None and last.generation == position.generation and begin is None:
        touched = touched_since(ground, last.lines)
        comparing = _Comparing(report)
        found = list(comparing.around(ground, touched))
        with transaction.atomic():
            write_findings(ground, found, report, now=now)
            report.gone += sweep_facts(ground, sorted(touched.fact_ids))
            report.gone += sweep_unfound(ground, sorted(touched.fact_ids), found)
            report.gone += sweep_flips(ground, comparing.newest_ids, found)
        remember_scan(ground, SCAN, DETECTORS_VERSION, position, now=now)
        return report
    if _scan_all(ground, position, begin, report, step, now=now):
        report.gone += sweep_all(ground)
        remember_scan(ground, SCAN, DETECTORS_VERSION, position, now=now)
    return report


def _scan_all(
    ground: Ground,
    position: Position,
    begin: ScanStep | None,
    report: ScanReport,
    step: Step,
    *,
    now: datetime,
) -> bool:
    after, done = (begin.after, begin.done) if begin is not None else (0, 0)
    total = count_entities(ground)
    comparing = _Comparing(report)
    while entities := next_entities(ground, after=after, limit=ENTITIES_AT_ONCE):
        rows = rows_of_entities(ground, [text for _, text in entities])
        found = list(comparing.among(rows))
        after, done = entities[-1][0], done + len(entities)
        with transaction.atomic():
            write_findings(ground, found, report, now=now)
            goes_on = step(ScanStep(ground.home, position, after, done, total), report)
        if not goes_on:
            return False
    return True


class _Comparing:
    """Facts side by side: what each pair amounts to. A statement is read once while it is likely to come again."""

    def __init__(self, report: ScanReport) -> None:
        self.newest_ids: list[str] = []
        """The newest facts of the chains that were looked at around what is new."""
        self._report = report
        self._read = lru_cache(maxsize=KNOWN_STATEMENTS)(read_statement)

    def among(self, rows: Iterable[Scanned]) -> Iterator[Found]:
        """What all facts of some entities say, given by entity, key and order of recording."""
        for _, of_entity in groupby(rows, key=lambda row: row.entity):
            newest_ones = []
            for _, of_key in groupby(of_entity, key=lambda row: row.key):
                versions = list(deque(of_key, maxlen=CHAIN_TAIL))
                yield from self._of_chain(versions, _always)
                if versions[-1].is_current:
                    newest_ones.append(versions[-1])
            if len(newest_ones) > 1:
                yield from self._judged(sentence_pairs(newest_ones[-MOST_KEYS:], _always))

    def around(self, ground: Ground, touched: Touched) -> Iterator[Found]:
        """The same, only for pairs of which one side is new or was changed."""

        def is_new(row: Scanned) -> bool:
            return row.fact_id in touched.fact_ids

        for _, of_chain in groupby(chain_rows(ground, touched.chains), key=_chain):
            versions = list(of_chain)
            self.newest_ids.append(versions[-1].fact_id)
            yield from self._of_chain(versions, is_new)
        entities = list(dict.fromkeys(entity for entity, _ in touched.chains))
        for _, of_entity in groupby(newest_of_keys(ground, entities), key=lambda row: row.entity):
            yield from self._judged(sentence_pairs(list(of_entity), is_new))

    def _of_chain(self, versions: Sequence[Scanned], is_new: Callable[[Scanned], bool]) -> Iterator[Found]:
        if len(versions) < 2:
            return
        if (flip := flip_of(versions)) is not None:
            yield flip
        heads = [row for row in versions if row.is_current]
        if len(heads) > 1:
            pairs = (pair for pair in pairs_of_heads(heads) if is_new(pair.first) or is_new(pair.second))
            yield from self._judged(pairs, is_same_key=True)

    def _judged(self, pairs: Iterable[Pair], *, is_same_key: bool = False) -> Iterator[Found]:
        for pair in pairs:
            self._report.compared += 1
            kind, detector = self._judge(pair, is_same_key=is_same_key)
            if kind is not None:
                yield Found(kind, detector, pair.first.fact_id, pair.second.fact_id)

    def _judge(self, pair: Pair, *, is_same_key: bool) -> tuple[Kind | None, str]:
        if is_same_key and opposed(pair.first, pair.second):
            return Kind.CONTRADICTION, "polarity"
        verdict = compare(self._statement(pair.first), self._statement(pair.second))
        if verdict.relation == Relation.CONTRADICTION:
            return Kind.CONTRADICTION, verdict.detector.value
        if verdict.relation == Relation.DUPLICATE:
            return Kind.DUPLICATE, verdict.detector.value
        if not is_same_key:
            return None, ""
        if verdict.relation == Relation.REFINEMENT:
            return Kind.UPDATE, verdict.detector.value
        return Kind.OVERLAP, "two_heads"

    def _statement(self, fact: Scanned) -> Statement:
        return self._read(fact.entity, fact.key, fact.value)


def _chain(row: Scanned) -> tuple[str, str]:
    return row.entity, row.key


def _always(row: Scanned) -> bool:
    return True
