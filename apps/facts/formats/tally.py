"""Adds up one file's statements: each fact once, everything else counted with its place and reason.

An observation's key is made of its own text, so that none retires another; where two statements
would still share a key, the later one's key also tells apart how they differ. An entity, key and
value row keeps its key: different values under one key are a chain, in the order of the file.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import blake3
import orjson

from apps.facts.formats.notices import (
    dangling_names,
    nameless_statements,
    silent_entities,
    similar_names,
    type_conflicts,
)
from apps.facts.formats.source import Row, Source, is_sound
from apps.facts.formats.vocabulary import Entity, Fault, Ignored, Notice, Proposed, Reading, Relation, Repeat
from apps.facts.formats.wording import excerpt, keys_found, kind_of_json, quoted
from cruxstore.facts.privacy import PrivacyPolicy, owner_of

DIGEST_CHARACTERS = 12
EXAMPLE_BYTES = 1_000
MAX_GROUPS = 200
MAX_VALUE_BYTES = 10 * 1024 * 1024
NO_SUBJECT = "memory"


def text_digest(text: str) -> str:
    """Twelve hexadecimal digits of a text's BLAKE3 digest, over its exact bytes."""
    return blake3.blake3(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_CHARACTERS]


class Tally:
    """Takes statements in file order; `finish` gives the reading. It never raises over what a file says."""

    def __init__(self, *, privacy: PrivacyPolicy, scope: str | None = None) -> None:
        self.privacy = privacy
        self.scope = scope
        self._facts: list[Proposed] = []
        self._latest: dict[tuple[str, str], int] = {}
        self._types: dict[str, dict[str, None]] = {}
        self._declared_at: dict[str, int] = {}
        self._without_texts: set[str] = set()
        self._without_subject: list[int] = []
        self._observations = 0
        self._relations: dict[tuple[str, str, str, str], Relation] = {}
        self._repeats: list[Repeat] = []
        self._faults: list[Fault] = []
        self._groups: dict[object, _Group] = {}
        self._notices: list[Notice] = []
        self._retracted: list[Proposed] = []

    def declare(self, name: str, *, line: int, entity_type: str | None = None) -> None:
        """The file has an entity of this name, once more perhaps, and perhaps of another type."""
        self._declared_at.setdefault(name, line)
        types = self._types.setdefault(name, {})
        if entity_type:
            types[entity_type] = None

    def subject(self, name: str | None, *, line: int) -> str:
        """The name that a statement is about; one name for all that name nothing, which is noticed."""
        if name is None:
            self._without_subject.append(line)
        return name or NO_SUBJECT

    def observe(self, proposed: Proposed, *, prefix: str = "observation", identity: str | None = None) -> bool:
        """A text about an entity; its key is the prefix and the digest of its identity, else of its text.

        Answers whether the text counts as stated; so does `state`.
        """
        digest = text_digest(proposed.value if identity is None else identity)
        proposed = proposed._replace(key=f"{prefix}:{digest}")
        if not proposed.value.strip():
            self.ignore(proposed.line, "empty text")
            return False
        if not self._is_stated(proposed):
            return False
        self._observations += 1
        self._add_apart(proposed, is_one_source=identity is not None)
        return True

    def relate(self, proposed: Proposed, *, kind: str, target: str) -> None:
        """The fact's entity relates to another; without a key and value of its own it gets the usual ones."""
        proposed = proposed if proposed.key else proposed._replace(key=f"{kind}:{target}", value=target)
        if not self._is_stated(proposed):
            return
        relation = Relation(proposed.entity, kind, target, proposed.line)
        self._relations.setdefault((proposed.entity, kind, target, proposed.key), relation)
        self._add_apart(proposed, is_one_source=False)

    def state(self, proposed: Proposed) -> bool:
        """A value under a key of the file's own; a new value follows the one before."""
        if not self._is_stated(proposed):
            return False
        self._observations += 1
        self._add(proposed)
        return True

    def retract(self, proposed: Proposed, *, what: str) -> None:
        """A fact that its source no longer holds; it is kept aside and counted under what happened to it."""
        self._retracted.append(proposed)
        self.ignore(proposed.line, what, example="" if proposed.is_private else proposed.value)

    def fault(self, line: int, reason: str) -> None:
        """A place that cannot be used, with the reason."""
        self._faults.append(Fault(line, reason))

    def ignore(self, line: int, what: str, *, example: str = "") -> None:
        """Something read and not taken; the same `what` is reported once, with a count."""
        self._group(("ignored", what), line, what, quoted(example) if example else "")

    def ignore_shape(self, row: Row, *, what: str = "") -> None:
        """A record of a shape that holds no facts; each shape is reported once, with a count and an example."""
        label = what or _shape_label(row)
        group = self._group(("shape", label), row.line, label, excerpt(b" ".join(row.raw[:EXAMPLE_BYTES].split())))
        group.distinct.add(blake3.blake3(row.raw).digest(8))

    def notice(self, kind: str, text: str, *, line: int) -> None:
        """Something a curator should know before importing."""
        self._notices.append(Notice(kind, text, line))

    def sound(self, rows: Iterable[Row | Fault]) -> Iterator[Row]:
        """The rows that could be read; the faults among them are counted."""
        for row in rows:
            if isinstance(row, Fault):
                self._faults.append(row)
            else:
                yield row

    def declare_silent(self, name: str) -> None:
        """A declared entity's row states nothing; another row of it may."""
        self._without_texts.add(name)

    def finish(self, source: Source, *, format_name: str) -> Reading:
        """Everything that was said, in file order."""
        relations = tuple(self._relations.values())
        dangling = tuple(
            relation
            for relation in relations
            if relation.source not in self._declared_at or relation.target not in self._declared_at
        )
        entities = tuple(Entity(name, tuple(self._types[name]), line) for name, line in self._declared_at.items())
        stated = {proposed.entity for proposed in self._facts}
        silent = [entity for entity in entities if entity.name in self._without_texts and entity.name not in stated]
        return Reading(
            format=format_name,
            file_name=source.file_name,
            digest=source.digest,
            encoding=source.encoding,
            entities=entities,
            observations=self._observations,
            relations=relations,
            dangling_relations=dangling,
            facts=tuple(sorted(self._facts, key=_line_of)),
            duplicates=tuple(self._repeats),
            malformed=tuple(sorted(self._faults, key=_line_of)),
            ignored=tuple(sorted((group.ignored() for group in self._groups.values()), key=_line_of)),
            notices=(
                *self._notices,
                *type_conflicts(entities),
                *similar_names(entities, relations),
                *dangling_names(entities, dangling),
                *silent_entities(silent),
                *nameless_statements(self._without_subject, name=NO_SUBJECT),
            ),
            retracted=tuple(self._retracted),
        )

    def _is_stated(self, proposed: Proposed) -> bool:
        reason = _unstorable(proposed)
        if reason:
            self.fault(proposed.line, f"{reason}: {excerpt(proposed.value)}")
            return False
        if proposed.is_private and owner_of(proposed.entity) is None:
            self.ignore(proposed.line, "private fact whose entity names no owner")
            return False
        if not proposed.is_private and self.privacy.is_create_reserved(proposed.entity):
            prefix = proposed.entity.partition("::")[0]
            self.ignore(proposed.line, "fact about an entity that is reserved for the daemon", example=prefix)
            return False
        return True

    def _add_apart(self, proposed: Proposed, *, is_one_source: bool) -> None:
        """Adds a fact that must retire no other, unless both come from one record of the source."""
        taken = self._latest.get((proposed.entity, proposed.key))
        while taken is not None and not is_one_source and not self._facts[taken].says_the_same(proposed):
            difference = orjson.dumps([proposed.key, proposed.value, *_differing(proposed)]).decode()
            proposed = proposed._replace(key=f"{proposed.key}:{text_digest(difference)}")
            taken = self._latest.get((proposed.entity, proposed.key))
        self._add(proposed)

    def _add(self, proposed: Proposed) -> None:
        name = (proposed.entity, proposed.key)
        taken = self._latest.get(name)
        if taken is not None and self._facts[taken].says_the_same(proposed):
            first = self._facts[taken].line
            self._repeats.append(Repeat(proposed.line, first, proposed.entity, proposed.key))
            return
        self._latest[name] = len(self._facts)
        self._facts.append(proposed)

    def _group(self, name: object, line: int, label: str, example: str) -> "_Group":
        if name not in self._groups and len(self._groups) >= MAX_GROUPS:
            name, label, example = "others", "record of one more unknown shape", ""
        group = self._groups.setdefault(name, _Group(line, label, example))
        group.count += 1
        return group


@dataclass(slots=True)
class _Group:
    line: int
    label: str
    example: str
    count: int = 0
    distinct: set[bytes] = field(default_factory=set)

    def ignored(self) -> Ignored:
        reason = f"{self.count:,} × {self.label}"
        if self.distinct and len(self.distinct) < self.count:
            reason += f", {len(self.distinct):,} of them distinct"
        if self.example:
            reason += f"; first: {self.example}"
        return Ignored(self.line, reason, self.count)


def _shape_label(row: Row) -> str:
    record = row.record
    if row.index is None and row.member and not isinstance(record, Mapping):
        return f"member {quoted(row.member)}, which holds no records"
    if not isinstance(record, Mapping):
        return f"{kind_of_json(record)} where a record belongs"
    kind = record.get("type")
    if isinstance(kind, str):
        return f"record of the unknown type {quoted(kind)} ({keys_found(record)})"
    return f"record of an unknown shape ({keys_found(record)})"


def _unstorable(proposed: Proposed) -> str:
    if not proposed.entity:
        return "no entity is named"
    if not proposed.key:
        return "no key is named"
    if "\x00" in proposed.entity or "\x00" in proposed.key:
        return "an entity or key with a NUL character"
    if not all(map(is_sound, (proposed.entity, proposed.key, proposed.value, proposed.actor or ""))):
        return "text that is not valid Unicode"
    if len(proposed.value) > MAX_VALUE_BYTES // 4 and len(proposed.value.encode()) > MAX_VALUE_BYTES:
        return "a text of more than 10 MiB"
    start, end = proposed.valid_from, proposed.valid_to
    if start is not None and end is not None and end.ns <= start.ns:
        return "validity that ends before it starts"
    if not 0.0 <= proposed.confidence <= 1.0:
        return "a confidence that is not from 0 to 1"
    return ""


def _differing(proposed: Proposed) -> tuple[object, ...]:
    return (
        proposed.confidence,
        proposed.horizon_class,
        proposed.is_private,
        proposed.actor,
        proposed.valid_from and proposed.valid_from.ns,
        proposed.valid_to and proposed.valid_to.ns,
    )


def _line_of(item: Proposed | Fault | Ignored) -> int:
    return item.line
