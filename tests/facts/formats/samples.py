"""Invented memory files, and the short way to read one."""

from pathlib import Path

from apps.facts.formats import Proposed, Reading, read_memory

SAMPLES = Path(__file__).parents[2] / "data" / "imports"


def read_sample(name: str) -> Reading:
    """What a sample file says."""
    return read_memory((SAMPLES / name).read_bytes(), file_name=name)


def read_text(text: str, *, file_name: str = "memory.jsonl") -> Reading:
    """What a short text says."""
    return read_memory(text.encode(), file_name=file_name)


def faults(reading: Reading) -> list[int]:
    """The lines that could not be read."""
    return [fault.line for fault in reading.malformed]


def notices(reading: Reading) -> list[str]:
    """The kinds of notice."""
    return [notice.kind for notice in reading.notices]


def stated(reading: Reading) -> list[tuple[str, str]]:
    """Entity and value of every fact, in order."""
    return [(fact.entity, fact.value) for fact in reading.facts]


def fact_with(reading: Reading, value: str) -> Proposed:
    """The one fact with this value."""
    (found,) = (fact for fact in reading.facts if fact.value == value)
    return found
