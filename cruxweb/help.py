"""The manual as pages: Markdown files of docs/manual, rendered without any HTML of their own."""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from markdown_it import MarkdownIt

from cruxstore.errors import NotFoundError

TITLES = {
    "what-is-a-fact": "What a fact is",
    "tour": "A tour of the demo",
    "proof": "What the ledger proves",
    "glossary": "Glossary",
    "roles": "Roles",
    "keys": "Keys",
    "running": "Running, upgrading, backing up",
}
"""The pages in reading order."""


@dataclass(frozen=True)
class ManualPage:
    """One page of the manual; lead (all before its first heading) and body are HTML made from our own Markdown."""

    name: str
    title: str
    lead: str
    body: str
    headings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LinePiece:
    """A piece of a journal line, the glossary's word for it and what it says."""

    text: str
    word: str
    meaning: str

    @property
    def anchor(self) -> str:
        """Where the word stands in the glossary."""
        return anchor_of(self.word)


STORE_LINE = (
    LinePiece('{"op":"store","fact":{', "Operation", "This line stores one fact. Nine other operations exist."),
    LinePiece('"fact_id":"f_5d0c7be24a913f86b2e8d1740c6a9f35",', "Fact", "Its own number, made when it was stored."),
    LinePiece('"tenant_hash":"default",', "Tenant", "The partition that it belongs to and never leaves."),
    LinePiece('"entity":"service:checkout",', "Entity", "What the fact is about."),
    LinePiece('"key":"deploy_gate",', "Key", "Which property of the entity."),
    LinePiece('"value":"Open since 09:40",', "Value", "What is believed. Always text, of any length."),
    LinePiece(
        '"source_receipt":null,', "Receipt", "The number of what it was taken from; null where nothing was given."
    ),
    LinePiece('"confidence":0.9,', "Confidence", "How sure the writer was, from 0 to 1. Age is not in it yet."),
    LinePiece('"stored_at":"2026-11-30T07:41:00Z",', "Recorded time", "When it was written, in UTC."),
    LinePiece('"tokens":4,', "Value", "Its length: the bytes divided by four, rounded up."),
    LinePiece('"deleted":false,', "Delete", "Whether it is hidden. A deleted fact stays in the file."),
    LinePiece('"version":7,', "Version", "The seventh fact stored for this entity and key."),
    LinePiece(
        '"supersedes":"f_41d07e9a3c5b4e28a1f6620b8d94c7e3",', "Supersede", "The version before it, which it replaces."
    ),
    LinePiece('"private":false,', "Private fact", "Whether only its owner may read it."),
    LinePiece('"horizon_class":"volatile",', "Horizon", "How quickly it goes stale. Volatile: in a day."),
    LinePiece('"actor":"deploy-bot",', "Actor", "Who wrote it."),
    LinePiece(
        '"valid_from":"2026-11-30T07:40:00Z"}}', "Valid time", "Since when it holds; without an end it still does."
    ),
)
"""One line of the journal, cut into the pieces that the page explains."""


def manual_page(name: str) -> ManualPage:
    """The page of this name; an unknown one is refused before any file is looked for."""
    if name not in TITLES:
        raise NotFoundError("There is no such page in the manual.")
    path: Path = settings.BASE_DIR / "docs" / "manual" / f"{name}.md"
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(path.read_text())
    headings, title = [], TITLES[name]
    for token, inside in pairwise(tokens):
        if token.type == "heading_open" and token.tag != "h1":
            token.attrSet("id", anchor_of(inside.content))
            headings.append((anchor_of(inside.content), inside.content))
    if tokens and tokens[0].tag == "h1":
        title, tokens = tokens[1].content, tokens[3:]
    first = next((at for at, token in enumerate(tokens) if token.type == "heading_open"), len(tokens))
    lead, body = (
        markdown.renderer.render(part, markdown.options, {}).replace("<table>", '<table class="table">')
        for part in (tokens[:first], tokens[first:])
    )
    return ManualPage(name, title, lead, body, tuple(headings))


def anchor_of(heading: str) -> str:
    """`Recorded time` as recorded-time: the part of a glossary address behind the #."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")
