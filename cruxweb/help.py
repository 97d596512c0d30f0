"""The manual as pages: Markdown files of docs/manual, rendered without any HTML of their own."""

import re
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from markdown_it import MarkdownIt

from cruxstore.errors import NotFoundError

TITLES = {
    "what-is-a-fact": "What a fact is",
    "tour": "A tour of the demo",
    "glossary": "Glossary",
    "roles": "Roles",
    "keys": "Keys",
}
"""The pages in reading order."""


@dataclass(frozen=True)
class ManualPage:
    """One page of the manual: its body is HTML made here from our own Markdown."""

    name: str
    title: str
    body: str
    headings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LinePiece:
    """A piece of a journal line, the glossary term behind it and what it says."""

    text: str
    term: str
    meaning: str


STORE_LINE = (
    LinePiece('{"op":"store","fact":{', "operation", "The operation. This line stores one fact; nine others exist."),
    LinePiece(
        '"fact_id":"f_5d0c7be24a913f86b2e8d1740c6a9f35",', "fact", "The fact's own number, made when it was stored."
    ),
    LinePiece('"tenant_hash":"default",', "tenant", "The tenant: the partition that it belongs to and never leaves."),
    LinePiece('"entity":"service:checkout",', "entity", "The entity: what the fact is about."),
    LinePiece('"key":"deploy_gate",', "key", "The key: which property of the entity."),
    LinePiece('"value":"Open since 09:40",', "value", "The value: what is believed. Always text, of any length."),
    LinePiece(
        '"source_receipt":null,', "source", "Where it came from, as a receipt number; null where nothing was given."
    ),
    LinePiece('"confidence":0.9,', "confidence", "The confidence as stated, from 0 to 1. Age is not in it yet."),
    LinePiece('"stored_at":"2026-11-30T07:41:00Z",', "recorded-time", "The recorded time: when it was written."),
    LinePiece('"tokens":4,', "value", "The length of the value in bytes, divided by four and rounded up."),
    LinePiece('"deleted":false,', "delete", "Whether it was deleted. A deleted fact stays in the file."),
    LinePiece('"version":7,', "version", "The seventh fact stored for this entity and key."),
    LinePiece(
        '"supersedes":"f_41d07e9a3c5b4e28a1f6620b8d94c7e3",', "supersede", "The version before it, which it replaces."
    ),
    LinePiece('"private":false,', "private-fact", "Whether only its owner may read it."),
    LinePiece('"horizon_class":"volatile",', "horizon", "The horizon: how quickly it goes stale. Volatile: in a day."),
    LinePiece('"actor":"deploy-bot",', "actor", "Who wrote it."),
    LinePiece(
        '"valid_from":"2026-11-30T07:40:00Z"}}',
        "valid-time",
        "The valid time: since when it holds in the world. Without an end it still does.",
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
    headings = []
    body = []
    title = TITLES[name]
    for at, token in enumerate(tokens):
        inside = tokens[at + 1].content if token.type == "heading_open" else ""
        if token.type == "heading_open" and token.tag != "h1":
            token.attrSet("id", anchor_of(inside))
            headings.append((anchor_of(inside), inside))
        elif token.type == "heading_open":
            title = inside
    is_title = False
    for token in tokens:
        if token.tag == "h1":
            is_title = token.type == "heading_open"
        elif not is_title:
            body.append(token)
    html = markdown.renderer.render(body, markdown.options, {})
    return ManualPage(name, title, html.replace("<table>", '<table class="table">'), tuple(headings))


def anchor_of(heading: str) -> str:
    """`Recorded time` as recorded-time: the part of a glossary address behind the #."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")
