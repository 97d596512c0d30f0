"""Where events stand among the lines of a journal that is only observed: they say how many bytes there were then.

An observed journal is of the generation that its build calls it; an event about a file that is no longer there came
before all lines of the one that is.
"""

import os

from apps.facts.files import StoreFiles, is_observed
from apps.facts.models import Build, LineBlock
from apps.facts.projector.builds import is_read_from, sight
from apps.facts.rules import BLOCK_LINES, block_of
from cruxstore.ledger.events import Event

_CHUNK_BYTES = 1024 * 1024


def place_of_event(event: Event, store: StoreFiles) -> tuple[int, int]:
    """The generation that an event was written in, and how many of its lines came before."""
    place = event.journal
    if place.generation or not is_observed(store):
        return place.generation, place.lines
    build = _build_of(place.inode)
    if build is not None and place.bytes:
        return build.generation, _lines_at(build, place.bytes, store)
    newest = Build.objects.exclude(state=Build.State.RETIRED).order_by("-generation").first()
    if newest is not None and not newest.offset:
        return newest.generation, 0
    return (build.generation, 0) if build is not None else (0, 0)


def is_unread(event: Event, store: StoreFiles) -> bool:
    """Whether an event is about a journal of which not a line has been read yet; it has no place until one has."""
    place = event.journal
    if place.generation or not place.bytes or not is_observed(store) or _build_of(place.inode) is not None:
        return False
    now = sight(store.journal_path)
    return now.inode == place.inode and now.whole > 0


def _build_of(inode: str) -> Build | None:
    builds = Build.objects.exclude(state=Build.State.RETIRED).exclude(inode="").filter(inode=inode)
    return builds.order_by("-generation", "-number").first()


def _lines_at(build: Build, size: int, store: StoreFiles) -> int:
    """How many whole lines there were when the journal was so many bytes long."""
    lines, start = build.line, build.offset
    if size < build.offset:
        blocks = LineBlock.objects.filter(
            id__range=(block_of(build.number, 1), block_of(build.number, build.line)), offset__lte=size
        )
        block = blocks.order_by("-id").first()
        lines, start = (0, 0) if block is None else ((block.id & 0xFFFFFFFF) * BLOCK_LINES, block.offset)
    return lines + _newlines(build, start, size, store)


def _newlines(build: Build, start: int, end: int, store: StoreFiles) -> int:
    try:
        descriptor = os.open(store.journal_path, os.O_RDONLY)
    except FileNotFoundError:
        return 0
    found = 0
    try:
        if is_read_from(build, descriptor):
            while start < end and (chunk := os.pread(descriptor, min(_CHUNK_BYTES, end - start), start)):
                found += chunk.count(b"\n")
                start += len(chunk)
    finally:
        os.close(descriptor)
    return found
