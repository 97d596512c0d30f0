"""The story as values: what was told, when and by whom, and what was done to it afterwards.

The files under `story/` are read here; `story/README.md` says how they are written.
"""

import copy
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.facts.demo.marks import number_below

STORY = Path(__file__).parent / "story"


@dataclass(frozen=True)
class When:
    """A minute of the story."""

    day: int
    at: str


@dataclass(frozen=True)
class Told:
    """One fact as an agent told it; `name` is how acts refer to it, `batch` joins facts told in one line.

    `skew_days` is how far the teller's clock was ahead; `clock` replaces its stamp altogether.
    """

    tenant: str
    entity: str
    key: str
    when: When
    actor: str | None
    confidence: float
    value: str
    horizon: str | None = None
    name: str | None = None
    receipt: str | None = None
    batch: str | None = None
    valid: tuple[str, str] | None = None
    extra: str | None = None
    skew_days: int = 0
    clock: str | None = None


@dataclass(frozen=True)
class Kept:
    """A fact that a compaction before the story left, with what it folded into it."""

    tenant: str
    entity: str
    key: str
    when: When
    actor: str | None
    confidence: float
    value: str
    horizon: str
    receipt: str | None
    version: int
    supersedes: str | None
    reverified: When | None
    reads: int
    valid: tuple[str, str] | None


@dataclass(frozen=True)
class Act:
    """Something done to told facts: `kind` is the table's name in the file, `terms` the rest of the table."""

    tenant: str
    kind: str
    when: When
    terms: Mapping[str, Any]


@dataclass(frozen=True)
class Story:
    """Everything that is told; nothing in it is a date yet."""

    kept: tuple[Kept, ...]
    tombstones: tuple[str, ...]
    told: tuple[Told, ...]
    acts: tuple[Act, ...]


def read_story(folder: Path = STORY) -> Story:
    """The story of every tenant that has a folder, in the order of the files' names."""
    kept: list[Kept] = []
    tombstones: list[str] = []
    told: list[Told] = []
    acts: list[Act] = []
    for path in sorted(folder.glob("*/*.toml")):
        tenant = path.parent.name
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        match path.name:
            case "acts.toml":
                acts += _acts(tenant, tables)
            case "before.toml":
                kept += [_kept(tenant, row) for row in tables["kept"]]
                tombstones += [row["name"] for row in tables["tombstone"]]
            case "documents.toml":
                told += _documents(tenant, tables)
            case _:
                told += _told(tenant, tables)
    return Story(tuple(kept), tuple(tombstones), tuple(told), tuple(acts))


def _told(tenant: str, tables: Mapping[str, Any]) -> Iterator[Told]:
    for entity, keys in tables.items():
        for key, table in keys.items():
            for day, at, actor, confidence, value, *rest in table["told"]:
                options = rest[0] if rest else {}
                yield Told(
                    tenant,
                    entity,
                    key,
                    When(day, at),
                    actor,
                    confidence,
                    value,
                    horizon=table.get("horizon"),
                    name=options.get("as"),
                    receipt=options.get("receipt") or _receipt(actor, day, entity, key),
                    batch=options.get("batch"),
                    valid=_bounds(options),
                    extra=options.get("extra"),
                )


def _documents(tenant: str, tables: Mapping[str, Any]) -> Iterator[Told]:
    for entity, keys in tables.items():
        for key, table in keys.items():
            document = json.loads(table["start"])
            for day, at, actor, confidence, path, value in table["changed"]:
                document = _changed(document, path, value)
                text = json.dumps(document, ensure_ascii=False)
                yield Told(tenant, entity, key, When(day, at), actor, confidence, text, horizon=table.get("horizon"))


def _changed(document: Any, path: list[str | int], value: Any) -> Any:
    if not path:
        return document
    changed = copy.deepcopy(document)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return changed


def _kept(tenant: str, row: Mapping[str, Any]) -> Kept:
    return Kept(
        tenant,
        row["entity"],
        row["key"],
        When(row["day"], row["at"]),
        row.get("actor"),
        row["confidence"],
        row["value"],
        horizon=row["horizon"],
        receipt=row.get("receipt"),
        version=row.get("version", 1),
        supersedes=row.get("supersedes"),
        reverified=When(*row["reverified"]) if "reverified" in row else None,
        reads=row.get("reads", 0),
        valid=_bounds(row),
    )


def _acts(tenant: str, tables: Mapping[str, Any]) -> Iterator[Act]:
    for kind, rows in tables.items():
        for row in rows:
            yield Act(tenant, kind, When(row["day"], row["at"]), row)


def _receipt(actor: str, day: int, entity: str, key: str) -> str | None:
    # Those who read documents name the receipt of the document; its numbers grow by some 126 a day.
    if actor not in ("contract-reader", "policy-reader"):
        return None
    return f"crx_{50_100 + 126 * day + number_below(100, 'receipt', entity, key, day):05d}"


def _bounds(row: Mapping[str, Any]) -> tuple[str, str] | None:
    if "valid" not in row:
        return None
    valid_from, valid_to = row["valid"]
    return valid_from, valid_to
