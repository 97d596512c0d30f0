"""Readers of foreign memory files: bytes in, a `Reading` out; nothing here stores anything."""

from apps.facts.formats.detect import AUTO, FORMAT_NAMES, read_memory
from apps.facts.formats.vocabulary import (
    Encoding,
    Entity,
    Fault,
    Ignored,
    MemoryNotRecognisedError,
    Notice,
    Proposed,
    Reading,
    Relation,
    Repeat,
)

__all__ = [
    "AUTO",
    "FORMAT_NAMES",
    "Encoding",
    "Entity",
    "Fault",
    "Ignored",
    "MemoryNotRecognisedError",
    "Notice",
    "Proposed",
    "Reading",
    "Relation",
    "Repeat",
    "read_memory",
]
