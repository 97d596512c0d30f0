"""Journals for measuring: what a company's agents would have written in eighteen months, in any number of facts.

A few entities and keys get most of the facts, most facts have a successor, and every thousandth value is long. The same
number of facts gives the same bytes.
"""

import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from cruxstore.facts.codec import encode_operation
from cruxstore.facts.decay import default_horizon
from cruxstore.facts.floats import round_to_f32
from cruxstore.facts.records import Delete, Fact, Horizon, Operation, Store, Supersede, Timestamp, token_count
from cruxstore.facts.times import format_timestamp, parse_timestamp
from cruxstore.newfacts import NewFact

TENANTS = {"default": 70, "acme": 20, "nordwind": 10}
MONTHS = 18
END = parse_timestamp("2026-11-30T06:00:00Z")

_SPAN_NS = MONTHS * 30 * 24 * 3600 * 1_000_000_000
_FACTS_PER_ENTITY = 8
_REPEATED = 0.62
_DELETED = 0.02
_LONG = 0.001
_WRITE_BYTES = 4 * 1024 * 1024

_KINDS = {
    "service:": 26,
    "customer:": 20,
    "incident:": 14,
    "project:": 12,
    "person:": 8,
    "runbook:": 6,
    "execplan:": 5,
    "__ops::": 4,
    "__agent::lark::": 3,
    "bench:": 2,
}
_ACTORS = {
    "deploy-bot": 18,
    "support-copilot": 15,
    "triage-7": 12,
    "contract-reader": 10,
    "roster-sync": 9,
    "edge-agent-3": 8,
    "bench-runner": 6,
    "research-2": 5,
    "inventory": 4,
    "policy-reader": 3,
    "release-notes": 2,
    "ops-night": 2,
    "curator": 1,
}
_KEYS = [
    "status",
    "owner",
    "deploy_gate",
    "retry_policy",
    "p95_ms",
    "max_batch",
    "root_cause",
    "price_plan",
    "renewal_date",
    "contact_preference",
    "support_sla",
    "data_region",
    "error_budget",
    "freeze_window",
    "step_1",
    "step_2",
    "step_3",
    "escalation_path",
    "notes",
    "database",
]
_FIRST = [
    "amber",
    "basalt",
    "cedar",
    "cobalt",
    "copper",
    "ember",
    "flint",
    "glacier",
    "hazel",
    "indigo",
    "juniper",
    "lunar",
    "maple",
    "misty",
    "ochre",
    "opal",
    "quartz",
    "rapid",
    "saffron",
    "silver",
    "slate",
    "solar",
    "tidal",
    "umber",
    "velvet",
    "willow",
    "winter",
    "zephyr",
]
_SECOND = [
    "anchor",
    "atlas",
    "beacon",
    "bridge",
    "canyon",
    "compass",
    "delta",
    "falcon",
    "ferry",
    "forge",
    "garden",
    "harbor",
    "island",
    "kestrel",
    "lantern",
    "ledger",
    "linden",
    "marsh",
    "meadow",
    "orchard",
    "otter",
    "pier",
    "quarry",
    "reef",
    "river",
    "sparrow",
    "spruce",
    "summit",
    "tower",
    "valley",
    "weaver",
    "wharf",
]
_PEOPLE = (
    "Ana López",
    "Tomasz Brandt",
    "Ilse de Wit",
    "Søren Quist",
    "Mei Nakadai",
    "Łukasz Kowal",
    "王芳",
    "Олена Шевчук",
)
_SENTENCES = {
    "Closed until change {n} has run a day in staging without an alert": 10,
    "Rolled back {n} minutes after the rollout; the threshold is {d} percent": 12,
    "{who} confirmed the renewal in writing, ticket {n}": 9,
    "The retry budget is {d} attempts over {m} minutes, then the dead-letter queue": 8,
    "Moved to the second region; failover took {d} minutes": 7,
    "{d} requests a second at the 95th percentile of {m} ms": 9,
    "Ask {who} before touching the connection pool": 6,
    "Partner plan from month {d}, invoices on day {m}": 6,
    "yes": 9,
    "no": 6,
    "{d}": 8,
    "The pager stays on {who} until the vendor patch {n} is out": 5,
    "Root cause: the index shard was sized for {m} clients and saw {n}": 5,
}
_CONFIDENCES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99, 1.0)


def write_journal(path: Path, facts: int, *, deleted: float = _DELETED) -> None:
    """Writes a journal with this many facts, a part of them deleted."""
    with path.open("wb", buffering=_WRITE_BYTES) as journal:
        for operation in operations(facts, deleted=deleted):
            journal.write(encode_operation(operation) + b"\n")


def entity_name(kind: str, rank: int) -> str:
    """The entity of a kind at a rank, the most used one first; the same in journals of every size."""
    first, second = _FIRST[rank % len(_FIRST)], _SECOND[rank // len(_FIRST) % len(_SECOND)]
    return f"{kind}{first}-{second}" if rank < len(_FIRST) * len(_SECOND) else f"{kind}{first}-{second}-{rank}"


def change_number(fact: int) -> str:
    """A number that stands in the value of one fact only, counted from 0, the same in journals of every size."""
    return f"CHG-{fact:07d}"


def facts_to_store(facts: int) -> Iterator[NewFact]:
    """What as many facts would say to be stored, each under a key of its own."""
    for number, operation in enumerate(operations(facts, deleted=0)):
        if isinstance(operation, Store) and not operation.fact.private:
            fact = operation.fact
            yield NewFact(
                entity=fact.entity,
                key=f"{fact.key}_{number}",
                value=fact.value,
                confidence=fact.confidence,
                horizon_class=fact.horizon_class,
                actor=fact.actor,
            )


def operations(facts: int, *, deleted: float = _DELETED) -> Iterator[Operation]:
    """The lines of a journal with this many facts, a part of them deleted."""
    chance = random.Random(facts)
    pick = _Picker(chance, facts)
    heads: dict[tuple[str, str, str], tuple[str, int]] = {}
    for number in range(facts):
        at = END.ns - _SPAN_NS + _SPAN_NS * number // facts
        tenant, entity, key = pick.chain(heads)
        before = heads.get((tenant, entity, key))
        fact = _fact(pick, chance, number, at, (tenant, entity, key), before)
        heads[tenant, entity, key] = fact.fact_id, fact.version
        yield Store(fact)
        stamp = format_timestamp(at + 1000, zulu=False)
        if before is not None:
            yield Supersede(before[0], fact.fact_id, stamp)
        if chance.random() < deleted:
            del heads[tenant, entity, key]
            yield Delete(fact.fact_id, stamp)


def facts_after(facts: int, number: int) -> list[NewFact]:
    """What the same agents would state of one tenant next, each of another chain."""
    chance = random.Random(-facts)
    pick = _Picker(chance, facts)
    found: dict[tuple[str, str], NewFact] = {}
    while len(found) < number:
        _, entity, key = pick.chain({})
        fact = _fact(pick, chance, facts + len(found), END.ns, ("default", entity, key), None)
        if not fact.private:
            found[entity, key] = NewFact(entity=entity, key=key, value=fact.value, actor=fact.actor)
    return list(found.values())


class _Picker:
    """Draws from weighted lists quickly."""

    def __init__(self, chance: random.Random, facts: int) -> None:
        self._chance = chance
        self._entities = max(10, facts // _FACTS_PER_ENTITY // len(_KINDS))
        self._lists = {
            id(weights): (list(weights), list(accumulate(weights.values())))
            for weights in (TENANTS, _KINDS, _ACTORS, _SENTENCES)
        }
        self._recent: list[tuple[str, str, str]] = []

    def of(self, weights: dict[str, int]) -> str:
        """One of a weighted list."""
        names, sums = self._lists[id(weights)]
        return self._chance.choices(names, cum_weights=sums)[0]

    def chain(self, heads: dict[tuple[str, str, str], tuple[str, int]]) -> tuple[str, str, str]:
        """A chain: often one that has facts already, and of those the well-known ones more often."""
        if self._recent and self._chance.random() < _REPEATED:
            return self._recent[int(len(self._recent) * self._chance.random() ** 2)]
        rank = int(self._entities * self._chance.random() ** 3)
        chain = self.of(TENANTS), entity_name(self.of(_KINDS), rank), self._chance.choice(_KEYS)
        if chain not in heads:
            self._recent.append(chain)
        return chain


def _fact(
    pick: _Picker,
    chance: random.Random,
    number: int,
    at: int,
    chain: tuple[str, str, str],
    before: tuple[str, int] | None,
) -> Fact:
    tenant, entity, key = chain
    sentence = pick.of(_SENTENCES)
    value = sentence.format(
        n=change_number(number), d=chance.randrange(1, 40), m=chance.randrange(40, 400), who=chance.choice(_PEOPLE)
    )
    if chance.random() < _LONG:
        value = "\n".join([value] * 200)
    horizon = default_horizon(entity)
    if horizon is Horizon.NONE and entity.startswith(("service:", "customer:")):
        horizon = chance.choice((Horizon.VOLATILE, Horizon.MEDIUM, Horizon.STABLE, Horizon.NONE))
    return Fact(
        fact_id=f"f_{chance.getrandbits(128):032x}",
        tenant_hash=tenant,
        entity=entity,
        key=key,
        value=value,
        source_receipt=None,
        confidence=round_to_f32(chance.choice(_CONFIDENCES)),
        stored_at=Timestamp(format_timestamp(at, zulu=True), at),
        tokens=token_count(value),
        version=1 if before is None else before[1] + 1,
        supersedes=None if before is None else before[0],
        private=entity.startswith("__"),
        horizon_class=horizon,
        actor=pick.of(_ACTORS),
    )
