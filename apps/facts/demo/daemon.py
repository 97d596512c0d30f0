"""The habits of the daemon that kept the demo's journal: what each call writes, in which order, with which stamps.

1. A fact's version and what it supersedes come from the last fact of its chain that is not deleted.
2. That one's retirement is a line of its own behind the store line, unless a live merge stands on it.
3. Facts of a batch are all made before any of them is remembered.
4. A merge retires its sources by its own line; taking it back deletes the merged fact and frees them.
5. A legal hold is a private fact that is stored again with each of its receipts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from apps.facts.demo.marks import hex_id, number_below
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.decay import default_horizon
from cruxstore.facts.floats import round_to_f32
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import (
    ClearSupersede,
    Consolidate,
    ConsolidateUndo,
    Delete,
    Fact,
    Horizon,
    Operation,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
    Timestamp,
    token_count,
)
from cruxstore.facts.times import SECOND_NS, format_timestamp, timestamp_from_ns

SECOND_CALL_NS = 1_700_000_000
"""How long an agent takes for the call that follows its store."""


@dataclass(frozen=True)
class Saying:
    """What an agent sends to be stored; `stamp` is set where its machine's clock was wrong."""

    tenant: str
    entity: str
    key: str
    value: str
    confidence: float
    actor: str | None
    fact_id: str
    horizon: str | None = None
    receipt: str | None = None
    private: bool = False
    extra: str | None = None
    stamp: Timestamp | None = None


@dataclass(frozen=True)
class Hold:
    """A legal hold as the daemon keeps it; the receipt of its release is absent while it binds."""

    name: str
    tenant: str
    prefixes: tuple[str, ...]
    reason: str
    placed_by: str
    placed_at: str

    @property
    def hold_id(self) -> str:
        """The daemon's number for it."""
        return f"lh_{hex_id('hold', self.tenant, self.name)}"


@dataclass
class Daemon:
    """The lines so far and what is remembered of them; times never go back, whatever is asked for."""

    privacy: PrivacyPolicy
    lines: list[bytes] = field(default_factory=list)
    clock_ns: int = 0
    _chains: dict[tuple[str, str, str], list[Fact]] = field(default_factory=dict)
    _deleted: set[str] = field(default_factory=set)
    _merged: set[str] = field(default_factory=set)
    _holds: dict[str, Hold] = field(default_factory=dict)

    def restore(self, fact: Fact) -> None:
        """Takes over a fact from an older journal, as it stands there."""
        self.clock_ns = max(self.clock_ns, fact.stored_at.ns)
        self._remember(fact)
        self._write(Store(fact))

    def store(self, at_ns: int, saying: Saying) -> Fact:
        """Stores one fact and retires the version before it."""
        head = self._head(saying)
        fact = self._new_fact(saying, head, self._tick(at_ns, saying.fact_id))
        self._write(Store(fact))
        self._remember(fact)
        self._retire(head, fact)
        return fact

    def store_batch(self, at_ns: int, sayings: Sequence[Saying]) -> tuple[Fact, ...]:
        """Stores several facts in one line, then retires the versions before them."""
        heads = [self._head(saying) for saying in sayings]
        ns = self._tick(at_ns, *(saying.fact_id for saying in sayings))
        facts = tuple(
            self._new_fact(saying, head, ns + 2_300 * place)
            for place, (saying, head) in enumerate(zip(sayings, heads, strict=True))
        )
        self.clock_ns = facts[-1].stored_at.ns
        self._write(StoreBatch(facts))
        for fact, head in zip(facts, heads, strict=True):
            self._remember(fact)
            self._retire(head, fact)
        return facts

    def clear_supersede(self, at_ns: int, fact: Fact) -> None:
        """Brings a retired fact back; its successor stays too."""
        self._write(ClearSupersede(fact.fact_id, self._stamp(at_ns, "clear", fact.fact_id)))

    def set_validity(self, at_ns: int, fact: Fact, valid_from: Timestamp | None, valid_to: Timestamp | None) -> None:
        """Says when a fact held in the world."""
        self._write(SetValidity(fact.fact_id, valid_from, valid_to, self._stamp(at_ns, "validity", fact.fact_id)))

    def delete(self, at_ns: int, fact: Fact) -> None:
        """Hides a fact; the next one of its chain continues from the version before it."""
        self._deleted.add(fact.fact_id)
        self._write(Delete(fact.fact_id, self._stamp(at_ns, "delete", fact.fact_id)))

    def forget(self, at_ns: int, fact_id: str) -> None:
        """Writes the tombstone of a fact that no line of this journal holds any more."""
        self._write(Delete(fact_id, self._stamp(at_ns, "forget", fact_id)))

    def consolidate(self, at_ns: int, saying: Saying, merge_id: str, sources: Sequence[Fact]) -> Fact:
        """Merges facts of one entity and key into a new one."""
        made = replace(saying, receipt=f"consolidation:{merge_id}")
        fact = self._new_fact(made, self._head(saying), self._tick(at_ns, saying.fact_id))
        source_ids = tuple(source.fact_id for source in sources)
        self._remember(fact)
        self._merged.update(source_ids)
        self._write(Consolidate(fact, source_ids, self._stamp(self.clock_ns, "merge", fact.fact_id)))
        return fact

    def undo_consolidation(self, at_ns: int, merged: Fact, sources: Sequence[Fact]) -> None:
        """Takes a merge back: its sources live again."""
        source_ids = sorted(source.fact_id for source in sources)
        self._merged.difference_update(source_ids)
        self._deleted.add(merged.fact_id)
        self._write(ConsolidateUndo(merged.fact_id, tuple(source_ids), self._stamp(at_ns, "undo", merged.fact_id)))

    def place_hold(self, at_ns: int, name: str, tenant: str, prefixes: Sequence[str], reason: str, actor: str) -> None:
        """Places a legal hold: once with the receipt's own number, again with the signed record's."""
        placed_at = format_timestamp(self._tick(at_ns, "hold", name), zulu=False)
        hold = Hold(name, tenant, tuple(sorted(prefixes)), reason, actor, placed_at)
        self._holds[name] = hold
        self._store_hold(self.clock_ns, hold, actor, f"r_legal_hold_place_{hex_id('place', name)}", {})
        self._store_hold(self.clock_ns, hold, actor, f"obs_{hex_id('place', name)}", {})

    def release_hold(self, at_ns: int, name: str, actor: str) -> None:
        """Releases a hold; its facts stay, and so does the fact that it was there."""
        hold = self._holds[name]
        released_at = format_timestamp(self._tick(at_ns, "release", name), zulu=False)
        receipt = f"obs_{hex_id('release', name)}"
        release = {"released_at": released_at, "released_by": actor, "release_receipt_id": receipt}
        self._store_hold(self.clock_ns, hold, actor, f"obs_{hex_id('place', name)}", release)

    def write_damaged(self, line: bytes) -> None:
        """Puts a line into the file that no daemon of this age would have finished."""
        self.lines.append(line)

    def _store_hold(self, at_ns: int, hold: Hold, actor: str, place_receipt: str, release: dict[str, str]) -> None:
        state: dict[str, Any] = {
            "schema": "crux.legal_hold.v1",
            "hold_id": hold.hold_id,
            "tenant_id": hold.tenant,
            "entity_prefixes": hold.prefixes,
            "reason": hold.reason,
            "placed_at": hold.placed_at,
            "placed_by": hold.placed_by,
            "place_receipt_id": place_receipt,
            **release,
        }
        receipt = release.get("release_receipt_id", place_receipt)
        saying = Saying(
            hold.tenant,
            f"__legal_hold__::{hold.hold_id}",
            "state",
            orjson.dumps(state).decode(),
            1.0,
            actor,
            f"f_{hex_id('hold state', hold.name, receipt)}",
            horizon=Horizon.NONE,
            receipt=receipt,
            private=True,
        )
        self.store(at_ns, saying)

    def _new_fact(self, saying: Saying, head: Fact | None, ns: int) -> Fact:
        return Fact(
            fact_id=saying.fact_id,
            tenant_hash=saying.tenant,
            entity=saying.entity,
            key=saying.key,
            value=saying.value,
            source_receipt=saying.receipt,
            confidence=round_to_f32(saying.confidence),
            stored_at=saying.stamp or timestamp_from_ns(ns),
            tokens=token_count(saying.value),
            version=1 if head is None else head.version + 1,
            supersedes=None if head is None else head.fact_id,
            private=saying.private or self.privacy.is_born_private(saying.entity),
            horizon_class=default_horizon(saying.entity) if saying.horizon is None else Horizon(saying.horizon),
            actor=saying.actor,
            extra=None if saying.extra is None else saying.extra.encode(),
        )

    def _head(self, saying: Saying) -> Fact | None:
        chain = self._chains.get((saying.tenant, saying.entity, saying.key), [])
        return next((fact for fact in reversed(chain) if fact.fact_id not in self._deleted), None)

    def _remember(self, fact: Fact) -> None:
        self._chains.setdefault((fact.tenant_hash, fact.entity, fact.key), []).append(fact)

    def _retire(self, head: Fact | None, fact: Fact) -> None:
        if head is not None and head.fact_id not in self._merged:
            self._write(Supersede(head.fact_id, fact.fact_id, self._stamp(self.clock_ns, "retire", fact.fact_id)))

    def _tick(self, at_ns: int, *names: object) -> int:
        """The next instant: a few seconds into the minute asked for, and always after the one before."""
        wanted = at_ns + number_below(48 * SECOND_NS, "second", *names)
        self.clock_ns = wanted if wanted > self.clock_ns else self.clock_ns + 1 + number_below(900_000_000, *names)
        return self.clock_ns

    def _stamp(self, at_ns: int, *names: object) -> str:
        self.clock_ns = max(self.clock_ns, at_ns) + 40_000 + number_below(360_000, *names)
        return format_timestamp(self.clock_ns, zulu=False)

    def _write(self, operation: Operation) -> None:
        self.lines.append(encode_operation(operation))
