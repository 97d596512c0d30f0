"""An act while it is put together: the journal's lines, the ledger's event, and the words for the texts."""

from dataclasses import replace

from cruxstore.errors import LineTooLongError
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.records import MAX_LINE_BYTES, ClearSupersede, Delete, Fact, Store, StoreBatch, Supersede
from cruxstore.ledger.events import Action, Actor, Event, JournalPlace, TextLine, draft_event, is_own_fact_id
from cruxstore.ledger.texts import Text, new_text
from cruxstore.recovery import line_digest


class Act:
    """One act: `lines` and `texts` as they will be written; `name` is what its caller calls it, if anything."""

    def __init__(
        self, actor: Actor, tenant: str, action: Action, *, now_ns: int, place: JournalPlace, name: str
    ) -> None:
        self.lines: list[bytes] = []
        self.texts: list[Text] = []
        self._kept: list[str | TextLine] = []
        self._actor, self._tenant, self._action = actor, tenant, action
        self._now_ns, self._place, self._name = now_ns, place, name

    def say(self, kind: str, words: str | None) -> None:
        """Adds words for the texts; None says nothing."""
        if words is not None:
            self.texts.append(new_text(kind, words, ()))

    def add_facts(self, facts: tuple[Fact, ...], *, key: bytes) -> None:
        """Adds the line with the facts' text, of which the event keeps a digest."""
        operation = Store(facts[0]) if len(facts) == 1 else StoreBatch(facts)
        line = encode_operation(operation)
        if len(line) > MAX_LINE_BYTES:
            raise LineTooLongError("The facts of one act take at most 64 MiB in the journal. Store fewer at once.")
        name = "store" if len(facts) == 1 else "store_batch"
        self._kept.append(TextLine(op=name, facts=len(facts), length=len(line), digest=line_digest(line, key=key)))
        self.lines.append(line)

    def add(self, operation: Delete | Supersede | ClearSupersede) -> str:
        """Adds a line without content, which the event copies; answers the fact's id as the event may hold it."""
        self.lines.append(encode_operation(operation))
        if is_own_fact_id(operation.fact_id):
            self._kept.append(self.lines[-1].decode())
            return operation.fact_id
        text = new_text("fact_id", operation.fact_id, ())
        self.texts.append(text)
        self._kept.append(encode_operation(replace(operation, fact_id=text.mark.commitment)).decode())
        return text.mark.commitment

    def event(self, subjects: tuple[str, ...], *, outcome: str, code: str) -> Event:
        """The act's event; its number is given when it is written."""
        return draft_event(
            now_ns=self._now_ns,
            actor=self._actor,
            tenant=self._tenant,
            action=self._action,
            journal=replace(self._place, adds=sum(len(line) + 1 for line in self.lines)),
            subjects=subjects,
            outcome=outcome,
            code=code,
            lines=tuple(self._kept),
            texts=tuple(text.mark for text in self.texts),
            act=self._name,
        )
