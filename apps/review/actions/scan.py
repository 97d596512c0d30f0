"""The consolidation scan of a tenant: it puts facts side by side for people, and changes none."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache, partial
from itertools import groupby

from apps.facts.answers import Scanned
from apps.facts.queries.scanning import (
    CHAIN_TAIL,
    MOST_KEYS,
    Ground,
    Touched,
    chain_rows,
    newest_of_keys,
    rows_of_entities,
)
from apps.review.actions.findings import ScanReport, ScanStep, Step, go_on, write_findings
from apps.review.actions.sweep import sweep_all, sweep_facts, sweep_flips, sweep_unfound
from apps.review.actions.walking import Write, walk
from apps.review.rules import Found, Kind, Pair, flip_of, opposed, pairs_of_heads, sentence_pairs
from cruxstore.trust.contradiction import Relation, Statement, compare, read_statement

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

    `begin` and `step` are as with `walk`; `report` is what the attempt before came to.
    """
    report = report or ScanReport()
    return walk(_Conflicts(ground, report, now), ground, report, now=now, begin=begin, step=step)


class _Conflicts:
    """The scan as it is walked."""

    name = "conflicts"

    def __init__(self, ground: Ground, report: ScanReport, now: datetime) -> None:
        self._ground = ground
        self._report = report
        self._now = now
        self._comparing = _Comparing(report)

    def among(self, entities: Sequence[str]) -> Iterator[Write]:
        found = list(self._comparing.among(rows_of_entities(self._ground, entities)))
        yield partial(write_findings, self._ground, found, self._report, now=self._now)

    def around(self, touched: Touched) -> Iterator[Write]:
        found = list(self._comparing.around(self._ground, touched))
        yield partial(self._write_around, sorted(touched.fact_ids), found)

    def clean_up(self) -> None:
        self._report.gone += sweep_all(self._ground)

    def _write_around(self, fact_ids: list[str], found: list[Found]) -> None:
        write_findings(self._ground, found, self._report, now=self._now)
        self._report.gone += sweep_facts(self._ground, fact_ids)
        self._report.gone += sweep_unfound(self._ground, fact_ids, found)
        self._report.gone += sweep_flips(self._ground, self._comparing.newest_ids, found)


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
