"""What a check of a data folder comes to, and how it is told."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """What a check comes to."""

    INTACT = "intact"
    BROKEN = "broken"
    UNCHECKED = "could not check"

    @property
    def exit_code(self) -> int:
        """What a command answers."""
        return list(Verdict).index(self)


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that is wrong: in which file, at which line and byte, and what; where it is a hash, both."""

    file: str
    line: int
    byte: int
    sentence: str
    code: str = ""
    expected: str = ""
    found: str = ""


@dataclass(slots=True)
class Verification:
    """What was looked at and found; `lines` counts ours in the current generation, `unchecked` says what stopped it.

    `since` is how many events a kept checkpoint covers, where they are shown to be the beginning. `signed_events` are
    covered by the newest checkpoint, whose key has this fingerprint. `code` is the stable name of what makes the store
    unfit to be written to: `key_missing`, `rolled_back`, `continuity_broken`. `breaks` are the events before which
    somebody else replaced the journal, as far as nobody has acknowledged that.
    """

    events: int = 0
    lines: int = 0
    foreign_lines: int = 0
    ended_events: int = 0
    texts: int = 0
    withheld_texts: int = 0
    signed_events: int = 0
    checkpoints: int = 0
    since: int = 0
    root: str = ""
    key: str = ""
    fingerprint: str = ""
    notes: list[str] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)
    code: str = ""
    unchecked: str = ""
    fault: Fault | None = None

    @property
    def verdict(self) -> Verdict:
        """Broken where there is a fault; else whether everything could be looked at."""
        if self.fault is not None:
            return Verdict.BROKEN
        return Verdict.UNCHECKED if self.unchecked else Verdict.INTACT

    @property
    def trouble(self) -> str:
        """What is wrong and where, or what stopped the check; empty where all is intact."""
        if self.fault is None:
            return self.unchecked
        return f"{self.fault.file}, line {self.fault.line:,}, byte {self.fault.byte:,}: {self.fault.sentence}"

    def members(self) -> dict[str, object]:
        """All of it, for JSON."""
        return {"verdict": self.verdict.value, **asdict(self)}

    @classmethod
    def of_members(cls, members: Mapping[str, Any]) -> "Verification":
        """What `members` told of."""
        known = {name: members[name] for name in cls.__slots__ if name in members}
        if known.get("fault") is not None:
            known["fault"] = Fault(**known["fault"])
        return cls(**known)

    def words(self) -> Iterator[str]:
        """All of it but the trouble, a line each."""
        if self.fault is None:
            yield f"Ledger: {self.events:,} events, {self.signed_events:,} of them under a signed checkpoint."
        else:
            yield f"Ledger: {self.events:,} events read."
        if self.fingerprint:
            yield f"Signed by the key with the fingerprint {self.fingerprint}:"
            yield f"  {self.key}"
        yield f"Journal: {self.lines:,} lines of ours in this generation, {self.foreign_lines:,} of others."
        yield f"Texts: {self.texts:,}, {self.withheld_texts:,} withheld."
        if self.since:
            yield f"The {self.since:,} events of the kept checkpoint are the beginning of this ledger."
        if self.ended_events:
            yield f"Ended generations: {self.ended_events:,} events, their lines withheld."
        yield from self.notes
        if self.verdict == Verdict.INTACT:
            yield "Intact."
