"""What a reading of a foreign memory file consists of: values only, the same for every format."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from cruxstore.errors import CruxError
from cruxstore.facts.records import Horizon, Timestamp


class MemoryNotRecognisedError(CruxError):
    """A file is no memory that can be read here; the sentence names what was found in it."""

    code = "import_not_recognised"


# A named tuple, as a file may state a million facts and each is made twice: as read, and with its key.
class Proposed(NamedTuple):
    """One fact that a file states, and where it stands there.

    `said_at` and `recorded_at` are the file's own texts, None where it gives none. `scope` is the
    tenant or group that the file assigns. A candidate is a text without a grammar, worth a look first.
    """

    entity: str
    key: str
    value: str
    line: int
    path: str = ""
    entity_type: str | None = None
    confidence: float = 1.0
    horizon_class: Horizon | None = None
    is_private: bool = False
    actor: str | None = None
    source_receipt: str | None = None
    valid_from: Timestamp | None = None
    valid_to: Timestamp | None = None
    said_at: str | None = None
    recorded_at: str | None = None
    tags: tuple[str, ...] = ()
    scope: str | None = None
    is_candidate: bool = False
    extra: Mapping[str, object] = MappingProxyType({})

    def says_the_same(self, other: "Proposed") -> bool:
        """Whether storing both would say one thing twice, wherever and whenever each was written."""
        return self._statement() == other._statement()

    def provenance(self) -> dict[str, object]:
        """What the file says about the fact beside the fact itself, as JSON values; nothing empty."""
        members: dict[str, object] = {
            "line": self.line,
            "path": self.path,
            "said_at": self.said_at,
            "recorded_at": self.recorded_at,
            "entity_type": self.entity_type,
            "tags": list(self.tags),
            "scope": self.scope,
            "candidate": self.is_candidate,
            "extra": dict(self.extra),
        }
        return {name: member for name, member in members.items() if member}

    def _statement(self) -> tuple[object, ...]:
        return (
            self.entity,
            self.key,
            self.value,
            self.confidence,
            self.horizon_class,
            self.is_private,
            self.actor,
            self.valid_from and self.valid_from.ns,
            self.valid_to and self.valid_to.ns,
        )


@dataclass(frozen=True, slots=True)
class Entity:
    """A name that the file declares, with every type it is given, in the order of the file."""

    name: str
    types: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Relation:
    """Two names and how the first relates to the second."""

    source: str
    kind: str
    target: str
    line: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """A statement that stood in the file before, at `first_line`; it is not stored again."""

    line: int
    first_line: int
    entity: str
    key: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A place that could not be read, and why, with the first characters of what stands there."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """What was read and deliberately not taken: one entry per kind, with its count and first line."""

    line: int
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a curator should know before importing; `kind` is stable, `text` is a sentence."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the file is written; `line_ends` is lf, crlf, mixed or none."""

    has_bom: bool
    line_ends: str
    ends_with_newline: bool
    lines: int


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one file says: what would be stored, in file order, and everything that would not.

    `observations` counts every stated text, repeats included; `facts` holds each statement once.
    `relations` are distinct; a dangling one has an end that the file never declares.
    `retracted` are facts that the source itself has deleted or retired; they are never stored.
    """

    format: str
    file_name: str
    digest: str
    encoding: Encoding
    entities: tuple[Entity, ...]
    observations: int
    relations: tuple[Relation, ...]
    dangling_relations: tuple[Relation, ...]
    facts: tuple[Proposed, ...]
    duplicates: tuple[Repeat, ...]
    malformed: tuple[Fault, ...]
    ignored: tuple[Ignored, ...]
    notices: tuple[Notice, ...]
    retracted: tuple[Proposed, ...]

    @property
    def self_relations(self) -> tuple[Relation, ...]:
        """The relations from a name to itself."""
        return tuple(relation for relation in self.relations if relation.source == relation.target)

    def summary(self) -> dict[str, object]:
        """The counts that a dry run prints, as JSON values."""
        return {
            "format": self.format,
            "entities": len(self.entities),
            "observations": self.observations,
            "relations": len(self.relations),
            "dangling_relations": len(self.dangling_relations),
            "facts": len(self.facts),
            "duplicates": len(self.duplicates),
            "malformed": [[fault.line, fault.reason] for fault in self.malformed],
            "ignored": [[ignored.line, ignored.reason] for ignored in self.ignored],
        }
