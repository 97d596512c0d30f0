"""Everything an index holds, told without the numbers that only its build gave."""

from typing import Any

from apps.facts.models import (
    Build,
    Cell,
    Consolidation,
    FactLine,
    Hold,
    IndexedFact,
    Label,
    LineBlock,
    LineNote,
    Name,
    Revision,
    SettingRevision,
    TenantNumber,
)
from apps.facts.projector.builds import current_build
from apps.facts.rules import ORDINAL_MASK, unpack_cell

Content = dict[str, list[tuple[Any, ...]]]


def content_of_index() -> Content:
    """The rows of the build that answers, each table sorted."""
    build = current_build()
    assert build is not None
    tenants = dict(TenantNumber.objects.values_list("number", "name"))

    def tenant(home: int) -> str:
        return tenants[home & 0xFFFF] if home >> 16 == build.number else ""

    rows = [row for row in IndexedFact.objects.order_by("id") if tenant(row.home)]
    named = {row.id: row.fact_id for row in rows}
    return {
        "build": [(build.line, build.offset, build.facts, build.skipped, build.ignored, build.redundant)],
        "operations": sorted(build.operations.items()),
        "facts": [_fact(row, tenant(row.home)) for row in rows],
        "cells": sorted(
            (tenant(parts.home), *_parts(cell.id), cell.facts)
            for cell in Cell.objects.exclude(facts=0)
            if tenant((parts := unpack_cell(cell.id)).home)
        ),
        "labels": sorted(
            (tenant(label.home), label.dimension, label.number, label.text)
            for label in Label.objects.all()
            if tenant(label.home)
        ),
        "names": sorted(
            (tenant(name.home), name.role, name.text, name.kind, name.facts, name.private, name.newest & ORDINAL_MASK)
            for name in Name.objects.exclude(facts=0)
            if tenant(name.home)
        ),
        "lines": sorted(
            (named[line.fact], line.line_no, line.offset, line.length, line.op)
            for line in FactLine.objects.all()
            if line.fact in named
        ),
        "revisions": sorted(
            (
                named[one.fact],
                one.until,
                one.state,
                one.superseded_by or "",
                str(one.valid_from_us),
                str(one.valid_to_us),
            )
            for one in Revision.objects.all()
            if one.fact in named
        ),
        "setting revisions": sorted(
            (named[one.fact], one.until, one.horizon, one.anchor_ms, str(one.stale_at_ms))
            for one in SettingRevision.objects.all()
            if one.fact in named
        ),
        "blocks": [
            (block.id & 0xFFFFFFFF, block.offset, block.newest_us)
            for block in LineBlock.objects.order_by("id")
            if block.id >> 32 == build.number
        ],
        "notes": sorted(
            (note.sort, note.line_no, note.offset, note.length, note.reason)
            for note in LineNote.objects.filter(build=build.number)
        ),
        "consolidations": sorted(
            (one.canonical_id, tuple(one.source_ids)) for one in Consolidation.objects.filter(build=build.number)
        ),
        "holds": sorted(
            (tenant(hold.home), hold.hold_id, hold.is_active, tuple(hold.entity_prefixes), hold.reason)
            for hold in Hold.objects.all()
            if tenant(hold.home)
        ),
    }


def finished_builds() -> int:
    """How many builds have rows."""
    return Build.objects.count()


def _fact(row: IndexedFact, tenant: str) -> tuple[Any, ...]:
    omitted = {"_state", "id", "home", "stream", "cell"}
    columns = tuple(value for name, value in sorted(vars(row).items()) if name not in omitted)
    return (tenant, row.id & ORDINAL_MASK, row.stream & 15, *_parts(row.cell), *columns)


def _parts(cell: int) -> tuple[int, ...]:
    parts = unpack_cell(cell)
    return (parts.rollup, parts.kind, parts.actor, parts.state, parts.freshness, parts.horizon, parts.marks)
