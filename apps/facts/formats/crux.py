"""A Crux journal: the facts that its lines leave, with their older versions, by the store's own replay.

    {"op":"store","fact":{"fact_id":"f_…","tenant_hash":"default","entity":"project:lark",…}}

A deleted fact is retracted, and so is a superseded one that no later fact of its chain follows, as it
would come back as the current one. Tenants are never mixed: of several, one has to be chosen. An
unterminated last line counts for nothing, as in the journal itself.
"""

from collections.abc import Iterable, Iterator

import orjson

from apps.facts.formats.fields import Record, first_text
from apps.facts.formats.source import Row
from apps.facts.formats.tally import Tally
from apps.facts.formats.vocabulary import MemoryNotRecognisedError, Proposed
from apps.facts.formats.wording import counted, excerpt, listed
from cruxstore.errors import LineError
from cruxstore.facts.codec import decode_line
from cruxstore.facts.journal import MemoryState
from cruxstore.facts.privacy import owner_of
from cruxstore.facts.records import Fact
from cruxstore.facts.replay import Inserted, apply

OPERATIONS = frozenset(
    {"store", "replace_latest", "store_batch", "delete", "supersede", "clear_supersede", "set_validity"}
    | {"consolidate", "consolidation_provenance", "consolidate_undo"}
)


def is_operation(record: Record) -> bool:
    """Whether a record is an operation of a journal."""
    return first_text(record, ("op",)) in OPERATIONS


def read(rows: Iterable[Row], tally: Tally) -> None:
    """Reads a journal's lines and takes what stands after the last one."""
    state, lines = _replay(rows, tally)
    facts = _of_one_tenant(state.facts.values(), lines, tally)
    current_beside = 0
    for fact, has_later in _with_later(facts):
        proposed = _proposed(fact, lines[fact.fact_id], tally)
        if fact.deleted:
            tally.retract(proposed, what="fact that the journal has deleted")
        elif fact.superseded_by is not None and not has_later:
            tally.retract(proposed, what="fact that the journal has superseded by one outside its chain")
        else:
            current_beside += fact.superseded_by is None and has_later
            if tally.state(proposed):
                tally.declare(fact.entity, line=proposed.line)
    if current_beside:
        number = counted(current_beside, "older fact is", "older facts are")
        text = f"{number} current in the journal beside a newer one of the same entity and key, which retires it here."
        tally.notice("retired-here", text, line=1)


def _replay(rows: Iterable[Row], tally: Tally) -> tuple[MemoryState, dict[str, int]]:
    """The state after the last line, and the line on which each fact stands."""
    state = MemoryState()
    lines: dict[str, int] = {}
    for row in rows:
        if not row.is_terminated:
            tally.fault(row.line, f"a torn last line, which the journal does not count: {excerpt(row.raw)}")
            continue
        try:
            operation = decode_line(row.raw)
        except LineError as error:
            tally.fault(row.line, f"{error.sentence.rstrip('.')}: {excerpt(row.raw)}")
            continue
        outcome = apply(operation, state, tally.privacy)
        if outcome.skipped is not None and not outcome.is_redundant:
            tally.ignore(row.line, f"line that breaks a rule ({outcome.skipped.sentence.rstrip('.')})")
        if outcome.ignored is not None:
            tally.ignore(row.line, f"line without effect ({outcome.ignored.sentence.rstrip('.')})")
        lines.update((effect.fact.fact_id, row.line) for effect in outcome.effects if isinstance(effect, Inserted))
        state.absorb(outcome.effects)
    state.clean_links()
    return state, lines


def _of_one_tenant(facts: Iterable[Fact], lines: dict[str, int], tally: Tally) -> list[Fact]:
    """The facts of the tenant that was asked for, or of the only one; raises where a choice is missing."""
    held = list(facts)
    tenants = sorted({fact.tenant_hash for fact in held if not fact.deleted})
    if len(tenants) < 2:
        return held
    if tally.scope not in tenants:
        raise MemoryNotRecognisedError(
            f"The journal holds the facts of {counted(len(tenants), 'tenant')}, {listed(tenants)}, "
            "which are never mixed; choose one of them."
        )
    for fact in held:
        if fact.tenant_hash != tally.scope and not fact.deleted:
            tally.ignore(lines[fact.fact_id], f"fact of the tenant “{excerpt(fact.tenant_hash)}”")
    return [fact for fact in held if fact.tenant_hash == tally.scope]


def _with_later(facts: list[Fact]) -> Iterator[tuple[Fact, bool]]:
    """Each fact, and whether a later one of its chain is taken too."""
    taken: set[tuple[str, str]] = set()
    answers: list[tuple[Fact, bool]] = []
    for fact in reversed(facts):
        chain = (fact.entity, fact.key)
        answers.append((fact, chain in taken))
        if not fact.deleted and fact.superseded_by is None:
            taken.add(chain)
    return reversed(answers)


def _proposed(fact: Fact, line: int, tally: Tally) -> Proposed:
    return Proposed(
        fact.entity,
        fact.key,
        fact.value,
        line,
        confidence=fact.confidence,
        horizon_class=fact.horizon_class,
        is_private=fact.private and not _is_private_by_name(fact.entity, tally),
        actor=fact.actor,
        source_receipt=fact.source_receipt,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        recorded_at=fact.stored_at.text,
        scope=fact.tenant_hash,
        extra=_extra(fact),
    )


def _is_private_by_name(entity: str, tally: Tally) -> bool:
    """Whether the store makes the fact private unasked; it refuses to be asked where no owner is named."""
    return owner_of(entity) is None and tally.privacy.is_born_private(entity)


def _extra(fact: Fact) -> dict[str, object]:
    extra: dict[str, object] = {"fact_id": fact.fact_id, "version": fact.version}
    if fact.reverified_at is not None:
        extra["reverified_at"] = fact.reverified_at.text
    if fact.extra is not None:
        extra["members"] = orjson.loads(b"{%b}" % fact.extra)
    return extra
