"""The Markdown export of mem0's coding plug-in: blocks of `key: value` between `---` lines, then a text.

    ---
    id: 7b1e
    created_at: 2026-04-11T08:00:00Z
    categories: architecture
    ---
    Prices are stored in cents.

A `---` inside a text begins no block: a block is only what holds `key: value` lines with an id.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.facts.formats.fields import UnusableFieldError, confidence, first_text, rest, tags, validity
from apps.facts.formats.source import is_sound
from apps.facts.formats.tally import Tally
from apps.facts.formats.times import time_text
from apps.facts.formats.vocabulary import Proposed
from apps.facts.formats.wording import excerpt

_RULE = "---"
_MEMBER = re.compile(r"([A-Za-z_][\w-]*):(?: (.*))?")
_EXPORT_NAME = re.compile(r"mem0-export-(.+)-\d{4}-\d\d-\d\d\.md", re.IGNORECASE)
_SUBJECTS = ("user_id", "project", "agent_id")
_KNOWN = frozenset({"created_at", "confidence", "categories", "type", "expiration_date", *_SUBJECTS})
_BLOCK_MEMBERS = frozenset({"created_at", "type", "confidence", "branch", "files", "categories"})


@dataclass(frozen=True, slots=True)
class _Block:
    line: int
    members: dict[str, str]
    body: list[str]


def is_export(lines: Sequence[str]) -> bool:
    """Whether a text begins with a block that has an id."""
    start = next((index for index, line in enumerate(lines) if line.strip()), 0)
    header = _header(lines, start)
    return header is not None and "id" in header[0] and bool(header[0].keys() & _BLOCK_MEMBERS)


def read(lines: Sequence[str], tally: Tally, file_name: str) -> None:
    """Reads one memory a block; the subject is the project that the file's name gives."""
    match = _EXPORT_NAME.fullmatch(file_name)
    project = match[1] if match else None
    for block in _blocks(lines, tally):
        _memory(block, tally, project=project)


def _memory(block: _Block, tally: Tally, *, project: str | None) -> None:
    text = "\n".join(block.body).strip("\n")
    if not block.members.get("id"):
        tally.fault(block.line, f"a block without an id: {excerpt(text)}")
        return
    if not is_sound(text) or not all(map(is_sound, block.members.values())):
        tally.fault(block.line, f"not UTF-8 within the block: {excerpt(text)}")
        return
    subject = tally.subject(first_text(block.members, _SUBJECTS) or project, line=block.line)
    try:
        _, valid_to = validity(block.members, (), ("expiration_date",))
        stated = confidence(block.members.get("confidence"))
    except UnusableFieldError as error:
        tally.fault(block.line, f"{error}: {excerpt(text)}")
        return
    tally.declare(subject, line=block.line)
    tally.observe(
        Proposed(
            subject,
            "",
            text,
            block.line,
            confidence=stated,
            valid_to=valid_to,
            recorded_at=time_text(block.members.get("created_at")),
            tags=tags(block.members.get("categories")),
            extra=rest(block.members, _KNOWN) | _kind(block.members),
        ),
        prefix="memory",
        identity=block.members["id"],
    )


def _kind(members: dict[str, str]) -> dict[str, object]:
    return {"type": members["type"]} if members.get("type") else {}


def _blocks(lines: Sequence[str], tally: Tally) -> Iterator[_Block]:
    block: _Block | None = None
    index = 0
    while index < len(lines):
        header = _header(lines, index)
        if header is None:
            if block is not None:
                block.body.append(lines[index])
            elif lines[index].strip():
                tally.ignore(index + 1, "line before the first block", example=lines[index])
            index += 1
            continue
        if block is not None:
            yield block
        members, after = header
        block = _Block(index + 1, members, [])
        index = after
    if block is not None:
        yield block


def _header(lines: Sequence[str], start: int) -> tuple[dict[str, str], int] | None:
    """The members of the block that begins at a line, and where its text begins; None where none begins."""
    if start >= len(lines) or lines[start].rstrip() != _RULE:
        return None
    members: dict[str, str] = {}
    for index in range(start + 1, len(lines)):
        line = lines[index].rstrip()
        if line == _RULE:
            is_block = "id" in members or len(members.keys() & _BLOCK_MEMBERS) > 1
            return (members, index + 1) if is_block else None
        match = _MEMBER.fullmatch(line)
        if match is None:
            return None
        members[match[1]] = match[2] or ""
    return None
