"""Records that arrive under a memory's name and hold no facts: conversations and logs of runs.

A conversation is evidence, and a run log needs a mapping that a curator chooses, so both are counted by
shape and nothing of them is taken.
"""

from collections.abc import Iterable

from apps.facts.formats.fields import Record
from apps.facts.formats.source import Row
from apps.facts.formats.tally import Tally
from apps.facts.formats.wording import keys_found

_CONVERSATIONS = (
    frozenset({"user", "assistant"}),
    frozenset({"role", "content"}),
    frozenset({"user", "text"}),
    frozenset({"sender", "text"}),
    frozenset({"speaker", "text"}),
    frozenset({"monologue"}),
    frozenset({"messages"}),
    frozenset({"chat_messages"}),
    frozenset({"mapping", "current_node"}),
)
_RUNS = (frozenset({"timestamp", "agent", "task"}), frozenset({"timestamp", "agent", "summary"}))


def is_conversation(record: Record) -> bool:
    """Whether a record is a turn or a whole conversation."""
    return any(keys <= record.keys() for keys in _CONVERSATIONS)


def is_run(record: Record) -> bool:
    """Whether a record says what an agent was given to do, and when."""
    return any(keys <= record.keys() for keys in _RUNS)


def read_conversations(rows: Iterable[Row], tally: Tally) -> None:
    """Counts the turns of a conversation by shape."""
    _count(rows, tally, "record of a conversation, which is evidence and no fact")


def read_runs(rows: Iterable[Row], tally: Tally) -> None:
    """Counts the records of a log by shape."""
    _count(rows, tally, "record of a run, an unknown shape for facts")


def _count(rows: Iterable[Row], tally: Tally, what: str) -> None:
    for row in rows:
        record = row.record
        is_known = isinstance(record, dict) and (is_conversation(record) or is_run(record))
        tally.ignore_shape(row, what=f"{what} ({keys_found(record)})" if is_known and isinstance(record, dict) else "")
