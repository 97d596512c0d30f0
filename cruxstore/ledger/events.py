"""What people and policies decided, one event a line, without a word of content.

    {"action":"fact.deleted","actor":{"id":"p_…","kind":"person"},"code":"","id":"e_…",
     "journal":{"adds":118,"bytes":4711,"generation":1,"inode":"262155","lines":12},
     "lines":["{\\"op\\":\\"delete\\",…}"],"outcome":"done","policy":null,"prev":"…","revision":null,"seq":7,
     "subjects":["f_…"],"tenant":"default","time":"2026-11-30T09:12:00.000000Z"}

- The bytes are canonical: keys sorted, nothing between tokens. `prev` is the RFC 9162 leaf hash of the line before.
- `journal` is the place where the event's own lines begin, and how many bytes they add.
- A line without content is copied whole; a line with a fact's text is named by operation, number of facts, length and
  keyed digest, and its fact ids are the last subjects, in order.
- A fact id that is not of our form stands as a salted commitment; the id itself is in the texts.
- `revision` is what the decider had seen of what the act touches, one for each, with blanks between them.
- `act` (digest of the caller's own name for the act), `asked` (keyed digest of what was asked under that name, and how
  many of the last subjects answer it), `texts`, `observed`, `rewrite` and `key` stand only where they say something.
- `key` names the public key that signs the checkpoints from this event on; all but the first are signed by the one
  before.
- An event with `rewrite` begins a generation: `journal` is where its journal ends, `observed` is all that stands there.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from cruxstore.errors import DamagedLedgerError
from cruxstore.lines import newest_line, read_lines

COMMITTED_ID = re.compile(r"c_[0-9a-f]{64}")
KEY_MARK = b'"key":{"public":"'
"""Stands in the lines of events that name a key and, as a quote in a string is escaped, in no others."""

_OWN_FACT_ID = re.compile(r"f_[0-9a-f]{32}")
_COPIED_ID = re.compile(r'"(f_[0-9a-f]{32}|c_[0-9a-f]{64})"')


class Action(StrEnum):
    """Everything that can have happened."""

    STORE_ADOPTED = "store.adopted"
    STORE_RESTORED = "store.restored"
    STORE_COMPACTED = "store.compacted"
    CONTINUITY_ACKNOWLEDGED = "continuity.acknowledged"
    KEY_ROTATED = "key.rotated"
    LINE_OBSERVED = "line.observed"
    ACT_VOIDED = "act.voided"
    FACT_STORED = "fact.stored"
    FACT_DELETED = "fact.deleted"
    FACT_SUPERSEDED = "fact.superseded"
    FACT_SUPERSEDE_CLEARED = "fact.supersede_cleared"
    FACT_VALIDITY_SET = "fact.validity_set"
    FACT_CONSOLIDATED = "fact.consolidated"
    FACT_CONSOLIDATION_UNDONE = "fact.consolidation_undone"
    FACT_HORIZON_SET = "fact.horizon_set"
    FACT_REVERIFIED = "fact.reverified"
    IMPORT_STARTED = "import.started"
    IMPORT_FINISHED = "import.finished"
    IMPORT_TAKEN_BACK = "import.taken_back"
    TENANT_CREATED = "tenant.created"
    TENANT_RENAMED = "tenant.renamed"
    TENANT_RETIRED = "tenant.retired"
    TENANT_REINSTATED = "tenant.reinstated"
    PERSON_CREATED = "person.created"
    PERSON_LINKED = "person.linked"
    PERSON_CONFIRMED = "person.confirmed"
    SIGN_IN_OFFERED = "sign_in.offered"
    SIGN_IN_OPENED = "sign_in.opened"
    ROLE_GRANTED = "role.granted"
    ROLE_REVOKED = "role.revoked"
    ROLE_PROPOSED = "role.proposed"
    ROLE_APPROVED = "role.approved"
    ROLE_REFUSED = "role.refused"
    TOKEN_MADE = "token.made"
    TOKEN_REVOKED = "token.revoked"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted: a person, an agent or the system, never taken from what they sent."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class JournalPlace:
    """A place in the journal, and how many bytes an event's own lines add there; the inode is of the file then."""

    generation: int = 0
    lines: int = 0
    bytes: int = 0
    inode: str = ""
    adds: int = 0


@dataclass(frozen=True, slots=True)
class TextLine:
    """A journal line with content, named without it: its facts are the event's last subjects."""

    op: str
    facts: int
    length: int
    digest: str


@dataclass(frozen=True, slots=True)
class TextMark:
    """A text that the event points to, fixed by a salted commitment."""

    text_id: str
    commitment: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked under a caller's own name for an act: its keyed digest, and how many last subjects answer it."""

    digest: str
    answers: int


@dataclass(frozen=True, slots=True)
class Observed:
    """Lines that were there without an act of ours: how many, how long, and their keyed digest."""

    lines: int
    bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What a rewritten journal takes the place of, under which name it lay before, and what became of the facts."""

    draft: str
    generation: int
    lines: int
    bytes: int
    inode: str
    kept: int
    folded: int
    dropped: int
    removed: int

    @property
    def replaced(self) -> JournalPlace:
        """Where the journal before ended."""
        return JournalPlace(self.generation, self.lines, self.bytes, self.inode)


@dataclass(frozen=True, slots=True)
class NamedKey:
    """A public key, and the signature of the key before it; empty for a ledger's first."""

    public: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the ledger."""

    seq: int
    event_id: str
    time: str
    tenant: str
    actor: Actor
    action: Action
    subjects: tuple[str, ...]
    outcome: str
    code: str
    revision: str | None
    policy: str | None
    lines: tuple[str | TextLine, ...]
    journal: JournalPlace
    prev: str | None
    texts: tuple[TextMark, ...] = ()
    act: str = ""
    asked: Asked | None = None
    observed: Observed | None = None
    rewrite: Rewrite | None = None
    key: NamedKey | None = None

    @property
    def at(self) -> datetime:
        """When it was decided."""
        return datetime.fromisoformat(self.time)

    @property
    def fact_ids(self) -> tuple[str, ...]:
        """The facts it is about, each once, foreign ids as commitments: from its subjects and its copied lines."""
        named = [subject for subject in self.subjects if _COPIED_ID.fullmatch(f'"{subject}"')]
        for line in self.lines:
            if isinstance(line, str):
                named += _COPIED_ID.findall(line)
        return tuple(dict.fromkeys(named))


def draft_event(
    *,
    now_ns: int,
    actor: Actor,
    tenant: str,
    action: Action,
    journal: JournalPlace,
    subjects: tuple[str, ...] = (),
    outcome: str = "done",
    code: str = "",
    revision: str | None = None,
    lines: tuple[str | TextLine, ...] = (),
    texts: tuple[TextMark, ...] = (),
    act: str = "",
    asked: Asked | None = None,
    observed: Observed | None = None,
) -> Event:
    """An event before it is written: its number, its id and what it follows are given by the ledger."""
    return Event(
        seq=0,
        event_id="",
        time=event_time(now_ns),
        tenant=tenant,
        actor=actor,
        action=action,
        subjects=subjects,
        outcome=outcome,
        code=code,
        revision=revision,
        policy=None,
        lines=lines,
        journal=journal,
        prev=None,
        texts=texts,
        act=act_digest(act),
        asked=asked,
        observed=observed,
    )


def numbered_event(event: Event, *, seq: int, event_id: str, prev: str | None) -> Event:
    """An event with what the ledger gives it."""
    # spelled out, as `replace` takes three times as long and every act comes this way
    return Event(
        seq,
        event_id,
        event.time,
        event.tenant,
        event.actor,
        event.action,
        event.subjects,
        event.outcome,
        event.code,
        event.revision,
        event.policy,
        event.lines,
        event.journal,
        prev,
        event.texts,
        event.act,
        event.asked,
        event.observed,
        event.rewrite,
        event.key,
    )


def encode_event(event: Event) -> bytes:
    """The one line of an event, without its newline."""
    members: dict[str, object] = {
        "action": event.action.value,
        "actor": {"id": event.actor.id, "kind": event.actor.kind},
        "code": event.code,
        "id": event.event_id,
        "journal": {
            "adds": event.journal.adds,
            "bytes": event.journal.bytes,
            "generation": event.journal.generation,
            "inode": event.journal.inode,
            "lines": event.journal.lines,
        },
        "lines": [line if isinstance(line, str) else _text_line_members(line) for line in event.lines],
        "outcome": event.outcome,
        "policy": event.policy,
        "prev": event.prev,
        "revision": event.revision,
        "seq": event.seq,
        "subjects": event.subjects,
        "tenant": event.tenant,
        "time": event.time,
    }
    if event.act:
        members["act"] = event.act
    if event.asked is not None:
        members["asked"] = {"answers": event.asked.answers, "digest": event.asked.digest}
    if event.texts:
        members["texts"] = [{"commitment": mark.commitment, "id": mark.text_id} for mark in event.texts]
    if event.observed is not None:
        members["observed"] = {
            "bytes": event.observed.bytes,
            "digest": event.observed.digest,
            "lines": event.observed.lines,
        }
    if event.rewrite is not None:
        members["rewrite"] = asdict(event.rewrite)
    if event.key is not None:
        members["key"] = asdict(event.key)
    return orjson.dumps(members, option=orjson.OPT_SORT_KEYS)


def decode_event(line: bytes) -> Event:
    """The event of a line; DamagedLedgerError where it is not one."""
    try:
        return _event_of(orjson.loads(line))
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedLedgerError(f"A ledger line is not an event: {type(error).__name__}.") from error


def newest_event(path: Path) -> Event | None:
    """The last event of a ledger that others may be writing to; None where there is none."""
    newest = newest_line(path)
    return _remembered_event(newest) if newest is not None else None


def read_events(path: Path, start: int = 0) -> Iterator[tuple[Event, int]]:
    """Each event from a byte offset on, with the offset of the one after it."""
    for offset, line in read_lines(path, start):
        yield decode_event(line), offset + len(line) + 1


def leaf_hash(line: bytes) -> str:
    """The RFC 9162 leaf hash of a line without its newline."""
    return hashlib.sha256(b"\0" + line).hexdigest()


def act_digest(act: str) -> str:
    """What an event keeps of a caller's own name for an act; empty for an act without one."""
    # half of a surrogate pair has a digest too: a name is never shown again
    return hashlib.sha256(act.encode("utf-8", "surrogatepass")).hexdigest() if act else ""


def is_own_fact_id(fact_id: str) -> bool:
    """Whether a fact id is of the form that we and the daemon make, so that it says nothing by itself."""
    return _OWN_FACT_ID.fullmatch(fact_id) is not None


def event_time(now_ns: int) -> str:
    """The spelling of a moment in an event: UTC, six digits, Z."""
    seconds, rest = divmod(now_ns, 1_000_000_000)
    return f"{_second_text(seconds)}.{rest // 1000:06d}Z"


@lru_cache(maxsize=16)
def _second_text(seconds: int) -> str:
    """Remembered, as the acts of one second are neighbours."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


@lru_cache(maxsize=8)
def _remembered_event(line: bytes) -> Event:
    """Remembered, as one act asks for it several times."""
    return decode_event(line)


def _text_line_members(line: TextLine) -> dict[str, object]:
    return {"bytes": line.length, "digest": line.digest, "facts": line.facts, "op": line.op}


def _event_of(members: dict[str, Any]) -> Event:
    journal, actor = members["journal"], members["actor"]
    asked, observed, rewrite = members.get("asked"), members.get("observed"), members.get("rewrite")
    key = members.get("key")
    return Event(
        seq=members["seq"],
        event_id=members["id"],
        time=members["time"],
        tenant=members["tenant"],
        actor=Actor(kind=actor["kind"], id=actor["id"]),
        action=Action(members["action"]),
        subjects=tuple(members["subjects"]),
        outcome=members["outcome"],
        code=members["code"],
        revision=members["revision"],
        policy=members["policy"],
        lines=tuple(_line_of(line) for line in members["lines"]),
        journal=JournalPlace(
            generation=journal["generation"],
            lines=journal["lines"],
            bytes=journal["bytes"],
            inode=journal["inode"],
            adds=journal["adds"],
        ),
        prev=members["prev"],
        texts=tuple(TextMark(text_id=mark["id"], commitment=mark["commitment"]) for mark in members.get("texts", ())),
        act=members.get("act", ""),
        asked=Asked(**asked) if asked is not None else None,
        observed=Observed(**observed) if observed is not None else None,
        rewrite=Rewrite(**rewrite) if rewrite is not None else None,
        key=NamedKey(**key) if key is not None else None,
    )


def _line_of(line: str | dict[str, Any]) -> str | TextLine:
    if isinstance(line, str):
        return line
    return TextLine(op=line["op"], facts=line["facts"], length=line["bytes"], digest=line["digest"])
