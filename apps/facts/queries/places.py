"""Which place of the journal a moment stands for, and when a place was recorded.

1. Lines and events have one order: an event comes after the lines that were there when it was written, then its own.
2. A line of an act was recorded at its event; any other at its own stamp or, where that is later, at the first event
   that came after it; one without a stamp with the line before it. Nothing is recorded before what stands before it.
3. A moment stands for the longest beginning of that order with nothing recorded after the moment.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Max

from apps.facts.answers import KnownPlace
from apps.facts.clock_rules import BadMomentError, Mark
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.models import Build, LedgerEvent, LineBlock
from apps.facts.projector.builds import current_build, open_journal
from apps.facts.projector.line_times import stamp_of
from apps.facts.rules import BLOCK_LINES, block_of, epoch_us, moment_of
from cruxstore.errors import LineError
from cruxstore.facts.codec import decode_line


@dataclass(frozen=True, slots=True)
class _Order:
    """What is known of the order: the build that answers, its generation and where the ledger says that it begins."""

    build: Build
    generation: int
    first_seq: int

    def lines_before(self, event: LedgerEvent) -> int:
        """How many lines of this generation came before an event."""
        if event.generation > self.generation:
            return self.build.line
        return event.lines if event.generation == self.generation else 0

    def lines_with(self, event: LedgerEvent) -> int:
        """How many there are with the event's own; an act that was voided has none."""
        if event.generation != self.generation:
            return self.lines_before(event)
        following = LedgerEvent.objects.filter(seq=event.seq + 1).first()
        most = self.build.line if following is None else self.lines_before(following)
        return min(event.lines + event.own_lines, most)


def place_of(known: Mark | int, *, store: StoreFiles, now_us: int) -> KnownPlace:
    """The place that a moment stands for; one to come is now. BadMomentError where there is no such line or event."""
    order = _order()
    with open_journal(store) as journal:
        match known:
            case Mark("line", number):
                if not 1 <= number <= order.build.line:
                    raise BadMomentError(f"There is no line {number:,}. The last one is line {order.build.line:,}.")
                return _at_line(order, number, journal)
            case Mark(number=number):
                event = LedgerEvent.objects.filter(seq=number).first()
                if event is None:
                    count = LedgerEvent.objects.count()
                    raise BadMomentError(f"There is no event {number:,}. The last one is event {count:,}.")
                return _placed(order, order.lines_with(event), event.seq, epoch_us(event.at))
            case _:
                return _at_moment(order, min(known, now_us), journal)


def line_recorded_us(line: int, *, store: StoreFiles) -> int:
    """When a line was recorded."""
    with open_journal(store) as journal:
        return _at_line(_order(), line, journal).at_us


def _order() -> _Order:
    build = current_build()
    if build is None:
        raise BadMomentError("Nothing has been recorded yet.")
    first = LedgerEvent.objects.filter(generation=build.generation).order_by("lines", "seq").first()
    return _Order(build, build.generation, first.seq if first is not None and build.generation > 1 else 0)


def _placed(order: _Order, lines: int, events: int, at_us: int) -> KnownPlace:
    folded_by = order.first_seq if events < order.first_seq else None
    return KnownPlace(order.generation, lines, events, at_us, folded_by)


def _at_line(order: _Order, number: int, journal: JournalFile) -> KnownPlace:
    before = (
        LedgerEvent.objects.filter(generation=order.generation, lines__lt=number).order_by("-lines", "-seq").first()
    )
    covered = 0 if before is None else order.lines_with(before)
    at_us = 0 if before is None else epoch_us(before.at)
    if number > covered:
        stamp = _newest_stamp(order.build, covered + 1, number, journal)
        later = LedgerEvent.objects.filter(
            generation__gte=order.generation, seq__gt=0 if before is None else before.seq
        )
        covering = later.order_by("seq").first()
        at_us = max(at_us, stamp if covering is None else min(stamp, epoch_us(covering.at)))
    return _placed(order, number, 0 if before is None else before.seq, at_us)


def _at_moment(order: _Order, moment_us: int, journal: JournalFile) -> KnownPlace:
    following = LedgerEvent.objects.filter(at__gt=moment_of(moment_us)).order_by("seq").first()
    seq = LedgerEvent.objects.count() if following is None else following.seq - 1
    event = LedgerEvent.objects.filter(seq=seq).first()
    first = 1 + (0 if event is None else order.lines_with(event))
    last = order.build.line if following is None else order.lines_before(following)
    late = _first_stamped_after(order.build, first, last, moment_us, journal)
    return _placed(order, last if late is None else late - 1, seq, moment_us)


def _first_stamped_after(build: Build, first: int, last: int, moment_us: int, journal: JournalFile) -> int | None:
    """The first of these lines whose own stamp is later than a moment."""
    blocks = LineBlock.objects.filter(
        id__range=(block_of(build.number, first), block_of(build.number, last)), newest_us__gt=moment_us
    )
    for block in blocks.order_by("id").iterator():
        for number, stamp in _block_stamps(build, block, first, last, journal):
            if stamp > moment_us:
                return number
    return None


def _newest_stamp(build: Build, first: int, last: int, journal: JournalFile) -> int:
    """The newest stamp among these lines, 0 where none has one; only blocks at the edges are read line by line."""
    edges = block_of(build.number, first), block_of(build.number, last)
    inner = LineBlock.objects.filter(id__gt=edges[0], id__lt=edges[1]).aggregate(newest=Max("newest_us"))["newest"]
    stamps = [inner or 0]
    for block in LineBlock.objects.filter(id__in=edges, newest_us__gt=stamps[0]):
        if first <= _first_line(block) and _first_line(block) + BLOCK_LINES - 1 <= last:
            stamps.append(block.newest_us)
            continue
        stamps += [stamp for _, stamp in _block_stamps(build, block, first, last, journal)]
    return max(stamps)


def _block_stamps(
    build: Build, block: LineBlock, first: int, last: int, journal: JournalFile
) -> Iterator[tuple[int, int]]:
    """Those of these lines that are in a block and have a stamp."""
    following = LineBlock.objects.filter(id=block.id + 1, id__lt=block_of(build.number + 1, 1)).first()
    end = build.offset if following is None else following.offset
    for number, line in enumerate(journal.read(block.offset, end - block.offset).split(b"\n"), _first_line(block)):
        if not first <= number <= last:
            continue
        try:
            stamp = stamp_of(decode_line(line))
        except LineError:
            continue
        if stamp is not None:
            yield number, stamp


def _first_line(block: LineBlock) -> int:
    number: int = block.id & 0xFFFFFFFF
    return number * BLOCK_LINES + 1
