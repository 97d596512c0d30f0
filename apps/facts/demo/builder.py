"""Writes the story as the daemon would have written it: same operations, same order of lines, same bytes.

Nothing is random. Ids, seconds and fractions follow from what is told, so that the same day gives the same
bytes on every machine.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from apps.facts.demo.daemon import SECOND_CALL_NS, Daemon, Saying
from apps.facts.demo.days import StoryDays
from apps.facts.demo.excerpt import read_excerpt
from apps.facts.demo.marks import hex_id, number_below
from apps.facts.demo.series import read_series
from apps.facts.demo.story import Act, Kept, Story, Told, When, read_story
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.floats import round_to_f32
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Delete, Fact, Horizon, Store, Timestamp, token_count
from cruxstore.facts.times import DAY_NS, MINUTE_NS, SECOND_NS, format_timestamp, parse_timestamp, timestamp_from_ns

COMPACTED = When(-366, "04:00")
"""When the compaction ran that left the oldest lines."""

CUT_AT_BYTE = 171
"""How much of a line reached the disk on the night when it was full."""


def build_demo_journal(*, today: date, into: Path, now_ns: int | None = None) -> None:
    """Writes a new journal whose story ends at `now_ns`, or with the day before `today` (in UTC) when not given.

    Raises FileExistsError where the file is already there.
    """
    days = StoryDays(today)
    end_ns = days.midnight_ns(0) if now_ns is None else now_ns
    lines = _Scribe(days).write(read_story(), end_ns=end_ns)
    into.parent.mkdir(parents=True, exist_ok=True)
    with into.open("xb") as file:
        file.write(b"".join(line + b"\n" for line in lines))


def demo_fact_id(tenant: str, entity: str, key: str, when: When) -> str:
    """The id that a told fact has in every demo store, whatever the day on which it is made."""
    return f"f_{hex_id(tenant, entity, key, when.day, when.at)}"


@dataclass
class _Scribe:
    """Turns steps of the story into calls of the daemon, in the order of time."""

    days: StoryDays
    daemon: Daemon = field(default_factory=lambda: Daemon(PrivacyPolicy.from_environment({})))
    named: dict[str, Fact] = field(default_factory=dict)
    sources: dict[str, list[Fact]] = field(default_factory=dict)

    def write(self, story: Story, *, end_ns: int) -> list[bytes]:
        for kept in sorted(story.kept, key=lambda kept: self._ns(kept.when)):
            self.daemon.restore(self._kept_fact(kept))
        for name in story.tombstones:
            self.daemon.forget(self._ns(COMPACTED), f"f_{hex_id(name)}")
        for step in self._steps(story):
            # A step starts somewhere in its minute and may take most of the next.
            if self._ns(_when(step)) + 2 * MINUTE_NS > end_ns:
                break
            if isinstance(step, Act):
                self._do(step)
            else:
                self._tell(step)
        return self.daemon.lines

    def _steps(self, story: Story) -> list[tuple[Told, ...] | Act]:
        told = [*story.told, *read_series(), read_excerpt()]
        return sorted([*_batches(told), *story.acts], key=lambda step: self._ns(_when(step)))

    def _tell(self, batch: Sequence[Told]) -> None:
        sayings = [self._saying(told) for told in batch]
        at_ns = self._ns(batch[0].when)
        facts = [self.daemon.store(at_ns, sayings[0])] if len(batch) == 1 else self.daemon.store_batch(at_ns, sayings)
        for told, fact in zip(batch, facts, strict=True):
            if told.name is not None:
                self.named[told.name] = fact
            if told.valid is not None:
                self._set_validity(self.daemon.clock_ns + SECOND_CALL_NS, fact, told.valid)

    def _do(self, act: Act) -> None:
        at_ns = self._ns(act.when) + number_below(48 * SECOND_NS, act.kind, act.when)
        terms = act.terms
        match act.kind:
            case "clear_supersede":
                self.daemon.clear_supersede(at_ns, self.named[terms["fact"]])
            case "set_validity":
                self._set_validity(at_ns, self.named[terms["fact"]], terms["valid"])
            case "delete":
                self.daemon.delete(at_ns, self.named[terms["fact"]])
            case "consolidate":
                self._merge(act)
            case "consolidate_undo":
                self.daemon.undo_consolidation(at_ns, self.named[terms["name"]], self.sources[terms["name"]])
            case "hold":
                reason = self.days.spelled(terms["reason"])
                self.daemon.place_hold(
                    self._ns(act.when), terms["name"], act.tenant, terms["prefixes"], reason, terms["actor"]
                )
            case "release":
                self.daemon.release_hold(self._ns(act.when), terms["name"], terms["actor"])
            case "damage":
                self.daemon.write_damaged(self._damaged_line(act, at_ns))
            case unknown:
                raise ValueError(f"Nobody knows how to do {unknown}.")

    def _merge(self, act: Act) -> None:
        terms = act.terms
        saying = Saying(
            act.tenant,
            terms["entity"],
            terms["key"],
            terms["value"],
            terms["confidence"],
            terms["actor"],
            demo_fact_id(act.tenant, terms["entity"], terms["key"], act.when),
            horizon=terms["horizon"],
        )
        sources = [self.named[name] for name in terms["sources"]]
        self.named[terms["name"]] = self.daemon.consolidate(self._ns(act.when), saying, terms["name"], sources)
        self.sources[terms["name"]] = sources

    def _damaged_line(self, act: Act, at_ns: int) -> bytes:
        stamp = format_timestamp(at_ns, zulu=False)
        fact = self.named[act.terms["fact"]]
        match act.terms["how"]:
            case "cut short":
                return encode_operation(Store(fact))[:CUT_AT_BYTE]
            case "from a newer daemon":
                note = "read against the paper copy"
                return (
                    f'{{"op":"annotate","fact_id":"{fact.fact_id}","note":"{note}","annotated_at":"{stamp}"}}'.encode()
                )
            case "against a merge":
                return encode_operation(Delete(fact.fact_id, stamp))
            case unknown:
                raise ValueError(f"Nobody knows a line that is {unknown}.")

    def _set_validity(self, at_ns: int, fact: Fact, valid: Sequence[str]) -> None:
        valid_from, valid_to = valid
        self.daemon.set_validity(at_ns, fact, self._bound(valid_from), self._bound(valid_to))

    def _saying(self, told: Told) -> Saying:
        return Saying(
            told.tenant,
            told.entity,
            told.key,
            self.days.spelled(told.value),
            told.confidence,
            told.actor,
            demo_fact_id(told.tenant, told.entity, told.key, told.when),
            horizon=told.horizon,
            receipt=told.receipt,
            extra=told.extra,
            stamp=self._wrong_stamp(told),
        )

    def _wrong_stamp(self, told: Told) -> Timestamp | None:
        if told.clock is not None:
            return parse_timestamp(told.clock)
        if not told.skew_days:
            return None
        within = number_below(48 * SECOND_NS, "skewed", told.when)
        return timestamp_from_ns(self._ns(told.when) + told.skew_days * DAY_NS + within)

    def _kept_fact(self, kept: Kept) -> Fact:
        names = (kept.entity, kept.key)
        stored_ns = self._ns(kept.when) + number_below(48 * SECOND_NS, "second", *names)
        value = self.days.spelled(kept.value)
        return Fact(
            fact_id=demo_fact_id(kept.tenant, kept.entity, kept.key, kept.when),
            tenant_hash=kept.tenant,
            entity=kept.entity,
            key=kept.key,
            value=value,
            source_receipt=kept.receipt,
            confidence=round_to_f32(kept.confidence),
            stored_at=timestamp_from_ns(stored_ns),
            tokens=token_count(value),
            version=kept.version,
            supersedes=None if kept.supersedes is None else f"f_{hex_id(kept.supersedes)}",
            horizon_class=Horizon(kept.horizon),
            reverified_at=None if kept.reverified is None else self._within(kept.reverified, "verified", *names),
            actor=kept.actor,
            valid_from=self._bound(kept.valid[0]) if kept.valid else None,
            valid_to=self._bound(kept.valid[1]) if kept.valid else None,
            access_count=kept.reads,
            last_accessed_at=self._within(When(-367, "15:20"), "read", *names) if kept.reads else None,
        )

    def _within(self, when: When, *names: object) -> Timestamp:
        return timestamp_from_ns(self._ns(when) + number_below(48 * SECOND_NS, *names))

    def _bound(self, spec: str) -> Timestamp | None:
        return timestamp_from_ns(self.days.midnight_ns(spec)) if spec else None

    def _ns(self, when: When) -> int:
        return self.days.moment_ns(when.day, when.at)


def _batches(told: Iterable[Told]) -> Iterator[tuple[Told, ...]]:
    batches: dict[str, list[Told]] = {}
    for one in told:
        if one.batch is None:
            yield (one,)
        else:
            batches.setdefault(one.batch, []).append(one)
    yield from map(tuple, batches.values())


def _when(step: Sequence[Told] | Act) -> When:
    return step.when if isinstance(step, Act) else step[0].when
