"""Markdown notes: the grammar of Basic Memory where a note follows it, else every bullet as a candidate.

    ---                                         front matter: title is the subject, type its type
    title: Tide gauge
    ---
    - [location] North pier #pier (since May)   fact: category, text with tags, context
    - part_of [[Harbour network]]               relation
    - [ ] replace the battery                   task, no fact

A note follows the grammar when one of its bullets has a category or a relation; its plain bullets then
state nothing, unless they carry a tag (category `Note`). In a note without grammar each bullet is a
candidate, with its headings as context. Code blocks hold no facts. The note's own times are kept beside
each fact, as they are not the fact's.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from apps.facts.formats.source import is_sound
from apps.facts.formats.tally import Tally
from apps.facts.formats.vocabulary import Proposed
from apps.facts.formats.wording import excerpt

_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*)")
_FENCE = re.compile(r"\s*(?:[-*+]\s+)?(`{3,}|~{3,})")
_MEMBER = re.compile(r"([A-Za-z_][\w -]*):(?:\s+(.*))?")
_TASK = re.compile(r"\[[ xX-]\](?:\s|$)")
_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)$")
_CATEGORY = re.compile(r"\[([^\[\]()]*)\]\s+(.+)", re.DOTALL)
_TARGET = re.compile(r"\[\[([^\[\]]+)\]\]")
_RELATION = re.compile(r'(?:"([^"]+)"|([^\s"\[]+))\s+\[\[([^\[\]]+)\]\](?:\s*\((.*)\))?\s*', re.DOTALL)
_TAG = re.compile(r"(?:^|\s)#([^\s#]+)")

_NOTE_MEMBERS = frozenset({"title", "type", "tags", "permalink", "created", "modified"})


@dataclass(frozen=True, slots=True)
class _Bullet:
    line: int
    text: str
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Note:
    members: dict[str, str]
    bullets: list[_Bullet]
    prose: list[int]


def is_note(lines: Sequence[str]) -> bool:
    """Whether a text has front matter of a note, or a bullet."""
    members, _ = _front_matter(lines)
    if members.keys() & _NOTE_MEMBERS:
        return True
    return any(_BULLET.fullmatch(line) for line in lines)


def read(lines: Sequence[str], tally: Tally, file_name: str) -> None:
    """Reads the facts and relations of one note."""
    note = _note(lines, tally)
    subject = note.members.get("title") or PurePosixPath(file_name.replace("\\", "/")).stem or "note"
    has_grammar = "permalink" in note.members or any(_follows_grammar(bullet.text) for bullet in note.bullets)
    entity_type = note.members.get("type") or ("note" if has_grammar else None)
    tally.declare(subject, line=1, entity_type=entity_type)
    extra: dict[str, object] = {
        f"note_{name}": value for name, value in note.members.items() if name != "title" and value
    }
    for bullet in note.bullets:
        path = " > ".join(bullet.headings)
        proposed = Proposed(subject, "", bullet.text, bullet.line, path, entity_type=entity_type, extra=extra)
        if has_grammar:
            _read_grammar(proposed, tally)
        else:
            _read_candidate(proposed, tally)
    for number in note.prose:
        text = lines[number - 1].strip()
        proposed = Proposed(subject, "", text, number, entity_type=entity_type, extra=extra)
        if not (has_grammar and _read_links(proposed, tally)):
            tally.ignore(number, "line of prose outside a bullet", example=text)


def _follows_grammar(text: str) -> bool:
    if _TASK.match(text) or _LINK.fullmatch(text):
        return False
    return bool(_CATEGORY.fullmatch(text) or _RELATION.fullmatch(text))


def _read_candidate(proposed: Proposed, tally: Tally) -> None:
    if _is_no_fact(proposed, tally):
        return
    tally.observe(proposed._replace(is_candidate=True), prefix="note")


def _read_grammar(proposed: Proposed, tally: Tally) -> None:
    if _is_no_fact(proposed, tally):
        return
    text = proposed.value
    relation = _RELATION.fullmatch(text)
    if relation is not None:
        related = proposed._replace(value="", extra=_with_context(proposed, relation[4] or ""))
        tally.relate(related, kind=relation[1] or relation[2], target=relation[3].strip())
        return
    category = _CATEGORY.fullmatch(text)
    found = _TAG.findall(text)
    if category is not None or found:
        name = (category[1].strip() if category else "") or "Note"
        body, context = _without_context(category[2] if category else text)
        extra = _with_context(proposed, context)
        tally.observe(proposed._replace(value=body, tags=tuple(found), extra=extra), prefix=name)
    has_links = _read_links(proposed, tally)
    if category is None and not found and not has_links:
        tally.ignore(proposed.line, "bullet without category, tag or link", example=text)


def _read_links(proposed: Proposed, tally: Tally) -> bool:
    targets = _TARGET.findall(proposed.value)
    for target in targets:
        tally.relate(proposed._replace(value=""), kind="links_to", target=target.strip())
    return bool(targets)


def _with_context(proposed: Proposed, context: str) -> dict[str, object]:
    return {**proposed.extra, "context": context} if context else dict(proposed.extra)


def _is_no_fact(proposed: Proposed, tally: Tally) -> bool:
    if _TASK.match(proposed.value):
        tally.ignore(proposed.line, "task", example=proposed.value)
        return True
    if _LINK.fullmatch(proposed.value):
        tally.ignore(proposed.line, "bare link", example=proposed.value)
        return True
    return False


def _without_context(text: str) -> tuple[str, str]:
    """A text and the context in brackets at its end; a text that is nothing else keeps it."""
    text = text.strip()
    start = text.rfind("(")
    if not text.endswith(")") or start < 1:
        return text, ""
    return text[:start].rstrip(), text[start + 1 : -1].strip()


def _note(lines: Sequence[str], tally: Tally) -> _Note:
    members, start = _front_matter(lines)
    note = _Note(members, [], [])
    headings: list[tuple[int, str]] = []
    fence = ""
    is_in_bullet = False
    for index in range(start, len(lines)):
        line = lines[index]
        if not is_sound(line):
            tally.fault(index + 1, f"not UTF-8: {excerpt(line)}")
            is_in_bullet = False
            continue
        mark = _FENCE.match(line)
        if fence or mark:
            fence = _next_fence(fence, mark[1] if mark else "", line)
            is_in_bullet = False
            continue
        bullet, heading = _BULLET.fullmatch(line), _HEADING.fullmatch(line)
        if heading is not None:
            depth = len(heading[1])
            headings = [
                *(kept for kept in headings if kept[0] < depth),
                (depth, heading[2].rstrip().rstrip("#").rstrip()),
            ]
        elif bullet is not None:
            note.bullets.append(_Bullet(index + 1, bullet[1].strip(), tuple(text for _, text in headings)))
        elif is_in_bullet and line[:1] in {" ", "\t"} and line.strip():
            last = note.bullets[-1]
            note.bullets[-1] = replace(last, text=f"{last.text}\n{line.strip()}")
        elif line.strip():
            note.prose.append(index + 1)
        is_in_bullet = bullet is not None or (is_in_bullet and line[:1] in {" ", "\t"} and bool(line.strip()))
    return note


def _next_fence(fence: str, mark: str, line: str) -> str:
    """The fence that is open after a line; empty when none is."""
    if not fence:
        return mark
    is_end = mark[:1] == fence[0] and len(mark) >= len(fence) and not line.strip().strip(fence[0])
    return "" if is_end else fence


def _front_matter(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """The scalar members and inline lists of the front matter, as written, and the index of the line after it."""
    if not lines or lines[0].rstrip() != "---":
        return {}, 0
    members: dict[str, str] = {}
    name = ""
    for index in range(1, len(lines)):
        line = lines[index].rstrip()
        if line == "---":
            return members, index + 1
        match = _MEMBER.fullmatch(line)
        if not is_sound(line):
            continue
        if match is not None:
            name = match[1].strip()
            members[name] = _unquoted(match[2] or "")
        elif name and line.lstrip().startswith("- "):
            members[name] = ", ".join(filter(None, [members[name], _unquoted(line.lstrip()[2:])]))
    return {}, 0


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text
