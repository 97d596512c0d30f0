"""Which version of a fact counts, and what its chain looked like."""

from collections.abc import Iterable

from cruxstore.facts.records import Fact


def fact_history(facts: Iterable[Fact], entity: str, key: str) -> list[Fact]:
    """A whole chain by version, deleted facts included; equal versions in the order in which they were stored."""
    chain = (fact for fact in facts if (fact.entity, fact.key) == (entity, key))
    return sorted(chain, key=lambda fact: fact.version)


def dedup_latest(facts: Iterable[Fact]) -> list[Fact]:
    """The highest version of each tenant, entity and key, in that order; of equal versions the first."""
    latest: dict[tuple[str, str, str], Fact] = {}
    for fact in facts:
        place = fact.tenant_hash, fact.entity, fact.key
        best = latest.get(place)
        if best is None or fact.version > best.version:
            latest[place] = fact
    return [latest[place] for place in sorted(latest)]


def latest_by_entity_prefix(facts: Iterable[Fact], prefix: str) -> list[Fact]:
    """The highest version that is not deleted of each chain under a prefix, by entity and key."""
    heads = dedup_latest(fact for fact in facts if not fact.deleted and fact.entity.startswith(prefix))
    return sorted(heads, key=lambda fact: (fact.entity, fact.key))


def live_entities(facts: Iterable[Fact]) -> list[str]:
    """The entities that have a fact that is not deleted, in order."""
    return sorted({fact.entity for fact in facts if not fact.deleted})
