"""An act while it is put together: the journal's lines, the ledger's event, and the words for the texts."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from cruxstore.facts.codec import encode_operation
from cruxstore.facts.records import (
    ClearSupersede,
    Consolidate,
    ConsolidateUndo,
    Delete,
    Fact,
    SetValidity,
    Store,
    StoreBatch,
    Supersede,
)
from cruxstore.facts.times import format_timestamp
from cruxstore.ledger.events import Action, Actor, Asked, Event, JournalPlace, TextLine, draft_event, is_own_fact_id
from cruxstore.ledger.texts import Text, new_text
from cruxstore.recovery import line_digest

ContentFree = Delete | Supersede | ClearSupersede | SetValidity | ConsolidateUndo


class Act:
    """One act: `lines` and `texts` as they will be written, stamped with the moment of the act.

    `name` is what its caller calls it, if anything; `earlier` is the event of the same act where it happened before.
    """

    def __init__(
        self, actor: Actor, tenant: str, action: Action, *, now_ns: int, place: JournalPlace, name: str
    ) -> None:
        self.lines: list[bytes] = []
        self.texts: list[Text] = []
        self.asked = ""
        self.earlier: Event | None = None
        self.actor, self.tenant, self.action = actor, tenant, action
        self.now_ns, self.place, self.name = now_ns, place, name
        self._kept: list[str | TextLine] = []
        self._committed: dict[str, str] = {}
        self._revision: str | None = None

    @cached_property
    def stamp(self) -> str:
        """The moment of the act as operations spell it."""
        return format_timestamp(self.now_ns, zulu=False)

    def say(self, kind: str, words: str | None) -> None:
        """Adds words for the texts; None says nothing."""
        if words is not None:
            self.texts.append(new_text(kind, words, ()))

    def decide_on(self, revisions: Iterable[str]) -> None:
        """Keeps what the decider had seen of each thing that the act touches."""
        self._revision = " ".join(map(self._spelled, revisions))

    def name_of(self, fact_id: str) -> str:
        """A fact's id as the event may hold it: a foreign one becomes a commitment, and its text is added once."""
        if is_own_fact_id(fact_id):
            return fact_id
        if fact_id not in self._committed:
            text = new_text("fact_id", fact_id, ())
            self.texts.append(text)
            self._committed[fact_id] = text.mark.commitment
        return self._committed[fact_id]

    def add_facts(self, facts: tuple[Fact, ...], *, key: bytes) -> None:
        """Adds the line with the facts' text, of which the event keeps a digest."""
        if len(facts) == 1:
            self._add_with_text("store", 1, encode_operation(Store(facts[0])), key)
        else:
            self._add_with_text("store_batch", len(facts), encode_operation(StoreBatch(facts)), key)

    def add_merge(self, operation: Consolidate, *, key: bytes) -> None:
        """Adds the line with a canonical fact's text, of which the event keeps a digest."""
        self._add_with_text("consolidate", 1, encode_operation(operation), key)

    def add(self, operation: ContentFree) -> None:
        """Adds a line without content, which the event copies."""
        self.lines.append(encode_operation(operation))
        self._kept.append(encode_operation(self._with_names(operation)).decode())

    def event(self, subjects: tuple[str, ...], *, answers: int = 0, outcome: str = "done", code: str = "") -> Event:
        """The act's event, the last `answers` subjects being what its caller is told; its number comes when written."""
        return draft_event(
            now_ns=self.now_ns,
            actor=self.actor,
            tenant=self.tenant,
            action=self.action,
            journal=JournalPlace(
                self.place.generation,
                self.place.lines,
                self.place.bytes,
                self.place.inode,
                adds=sum(map(len, self.lines)) + len(self.lines),
            ),
            subjects=subjects,
            outcome=outcome,
            code=code,
            revision=self._revision,
            lines=tuple(self._kept),
            texts=tuple(text.mark for text in self.texts),
            act=self.name,
            asked=Asked(digest=self.asked, answers=answers) if self.asked else None,
        )

    def _add_with_text(self, op: str, facts: int, line: bytes, key: bytes) -> None:
        self.lines.append(line)
        self._kept.append(TextLine(op=op, facts=facts, length=len(line), digest=line_digest(line, key=key)))

    def _with_names(self, operation: ContentFree) -> ContentFree:
        match operation:
            case Supersede(fact_id, by_fact_id):
                return replace(operation, fact_id=self.name_of(fact_id), by_fact_id=self.name_of(by_fact_id))
            case ConsolidateUndo(canonical_id, restored):
                names = tuple(map(self.name_of, restored))
                return replace(operation, canonical_fact_id=self.name_of(canonical_id), restored_fact_ids=names)
            case Delete(fact_id) | ClearSupersede(fact_id) | SetValidity(fact_id):
                return replace(operation, fact_id=self.name_of(fact_id))

    def _spelled(self, revision: str) -> str:
        fact_id, _, change = revision.rpartition("-")
        return f"{self.name_of(fact_id)}-{change}" if revision else ""
