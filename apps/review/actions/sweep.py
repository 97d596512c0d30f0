"""Taking back findings whose facts no longer stand: what a person has settled need not be shown again."""

from collections.abc import Collection, Iterable, Sequence

from django.db.models import Q

from apps.facts.queries.scanning import Ground, standing_ids
from apps.review.models import Finding, Signature
from apps.review.rules import EXPIRY_REASONS, Found

AT_ONCE = 500
NOT_OF_THE_SCAN = ("near_duplicate", "daemon_duplicate", "daemon_review", *EXPIRY_REASONS)


def sweep_all(ground: Ground) -> int:
    """Looks at every finding of the tenant; answers how many went."""
    gone, after = 0, 0
    while findings := list(Finding.objects.filter(tenant=ground.tenant, number__gt=after).order_by("number")[:AT_ONCE]):
        gone += _drop_settled(ground, findings)
        after = findings[-1].number
    return gone


def sweep_facts(ground: Ground, fact_ids: Sequence[str]) -> int:
    """Looks at the findings about these facts; answers how many went."""
    gone = 0
    for at in range(0, len(fact_ids), AT_ONCE):
        part = fact_ids[at : at + AT_ONCE]
        about = Q(first_id__in=part) | Q(second_id__in=part)
        gone += _drop_settled(ground, Finding.objects.filter(about, tenant=ground.tenant))
    return gone


def sweep_signatures(ground: Ground) -> None:
    """Drops every signature of the tenant whose fact no longer stands."""
    after = 0
    signed = Signature.objects.filter(tenant=ground.tenant).order_by("number").values_list("number", "fact_id")
    while rows := list(signed.filter(number__gt=after)[:AT_ONCE]):
        drop_signatures(ground, [fact_id for _, fact_id in rows])
        after = rows[-1][0]


def drop_signatures(ground: Ground, fact_ids: Sequence[str]) -> None:
    """Drops the signatures of those of these facts, some hundred at most, that no longer stand."""
    Signature.objects.filter(tenant=ground.tenant, fact_id__in=_not_standing(ground, fact_ids)).delete()


def sweep_unfound(ground: Ground, fact_ids: Sequence[str], found: Sequence[Found]) -> int:
    """Drops what the scan found about these facts before and, having looked at all their pairs, found no more."""
    again = {(each.first_id, each.second_id) for each in found}
    gone = 0
    for at in range(0, len(fact_ids), AT_ONCE):
        part = fact_ids[at : at + AT_ONCE]
        about = Q(first_id__in=part) | Q(second_id__in=part)
        others = Finding.objects.filter(about, tenant=ground.tenant).exclude(detector__in=NOT_OF_THE_SCAN)
        unfound = [each.number for each in others if (each.first_id, each.second_id) not in again]
        gone += Finding.objects.filter(number__in=unfound).delete()[0]
    return gone


def sweep_flips(ground: Ground, newest_ids: Sequence[str], found: Sequence[Found]) -> int:
    """Drops flips of chains, given by their newest facts, that were looked at again and flip no longer."""
    flipping = {each.second_id for each in found if each.detector == "flip"}
    gone = 0
    for at in range(0, len(newest_ids), AT_ONCE):
        quiet = [fact_id for fact_id in newest_ids[at : at + AT_ONCE] if fact_id not in flipping]
        gone += Finding.objects.filter(tenant=ground.tenant, detector="flip", second_id__in=quiet).delete()[0]
    return gone


def _drop_settled(ground: Ground, findings: Iterable[Finding]) -> int:
    """A finding stands while its newest fact does and, but for a flip, the other one too."""
    findings = list(findings)
    needed = {finding.number: _needed(finding) for finding in findings}
    fallen = set(_not_standing(ground, sorted({fact_id for ids in needed.values() for fact_id in ids})))
    settled = [number for number, ids in needed.items() if fallen.intersection(ids)]
    Finding.objects.filter(number__in=settled).delete()
    return len(settled)


def _needed(finding: Finding) -> tuple[str, ...]:
    if finding.detector == "flip":
        return (finding.second_id,)
    return tuple(filter(None, (finding.first_id, finding.second_id)))


def _not_standing(ground: Ground, fact_ids: Collection[str]) -> list[str]:
    standing = standing_ids(ground, list(fact_ids))
    return [fact_id for fact_id in fact_ids if fact_id not in standing]
