"""A journal rewritten while everybody goes on writing: the long work beside it, a short moment under the lock.

    prepare   the plan and the draft, from the journal up to where it ended then
    follow    lines that were written meanwhile are added to the draft, as often as wanted
    finish    under the lock: the last of them, a last look, and what the receipt says

- A line written meanwhile that names a fact which is gone from the draft, that states a legal hold, or that nobody can
  read makes the draft worthless: RewriteOutdatedError, and the work begins anew. So does another generation.
- A process that dies leaves a draft without an event; the next rewrite removes it. With its event it is the journal,
  and the next holder of the lock puts it in place.
"""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson
from blake3 import blake3

from cruxstore.errors import DiskRefusedError, LineError, RewriteOutdatedError, UnknownSyncError
from cruxstore.facts.codec import decode_line
from cruxstore.facts.holds import is_hold_state
from cruxstore.facts.journal import is_blank
from cruxstore.facts.ownership import facts_of, named_ids
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Timestamp
from cruxstore.facts.rewrite import Chooser, RewriteReport, Upkeep, plan_rewrite, write_plan
from cruxstore.files import sync_data, sync_directory, write_all
from cruxstore.ledger.events import JournalPlace, Observed, Rewrite

DRAFT_NAME: Final = "facts.jsonl.rewrite-{token}"

_CHUNK_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Finished:
    """A draft that is the journal from now on: where it ends, what stands in it, and what its event and receipt say."""

    place: JournalPlace
    stock: Observed
    rewrite: Rewrite
    receipt: str


class Rewriting:
    """A new journal in the making; made by `Store.rewriting`, for one process at a time.

    `draft` is its file once `prepare` has returned, and has whole lines only.
    """

    def __init__(
        self,
        journal: Path,
        place: JournalPlace,
        *,
        key: bytes,
        privacy: PrivacyPolicy,
        upkeep: Mapping[str, Upkeep],
        at: Timestamp,
    ) -> None:
        self.draft = journal.with_name(DRAFT_NAME.format(token=secrets.token_hex(16)))
        self._journal = journal
        self._place = place
        self._privacy = privacy
        self._upkeep = upkeep
        self._at = at
        self._hasher = blake3(key=key)
        self._gone: frozenset[str] = frozenset()
        self._report: RewriteReport | None = None
        self._read_to = place.bytes
        self._is_finished = False
        self._added = 0
        self._bytes = 0

    def prepare(self, choose: Chooser | None = None) -> RewriteReport:
        """Writes the draft, by default a compaction's; RewriteRefusedError where the plan is refused: no draft then."""
        plan = plan_rewrite(
            self._journal,
            choose,
            privacy=self._privacy,
            upkeep=self._upkeep,
            until=self._place.bytes,
        )
        with disk_refusals("the new journal"):
            self._report = write_plan(plan, self.draft, at=self._at)
            self._hasher.update_mmap(self.draft)
        self._gone = plan.dropped | plan.removed
        self._bytes = self._report.new_bytes
        return self._report

    def follow(self, settled: int) -> int:
        """Adds the lines up to a place where whole acts end; answers how many bytes there were."""
        if settled <= self._read_to:
            return 0
        with self._journal.open("rb") as stream:
            if str(os.fstat(stream.fileno()).st_ino) != self._place.inode:
                raise RewriteOutdatedError("The journal was replaced while it was being rewritten.")
            stream.seek(self._read_to)
            text = stream.read(settled - self._read_to)
        for line in text.split(b"\n")[:-1]:
            self._refuse_outdated(line)
        with disk_refusals("the new journal"):
            descriptor = os.open(self.draft, os.O_WRONLY | os.O_APPEND)
            try:
                write_all(descriptor, text)
            finally:
                os.close(descriptor)
        self._hasher.update(text)
        self._added += text.count(b"\n")
        self._bytes += len(text)
        self._read_to = settled
        return len(text)

    def finish(self, place: JournalPlace) -> Finished:
        """The draft, complete and on the disk, given where the journal ends while its lock is held."""
        report = self._report
        if report is None:
            raise RuntimeError("prepare comes first")
        if (place.generation, place.inode) != (self._place.generation, self._place.inode):
            raise RewriteOutdatedError("The journal was replaced while it was being rewritten.")
        self.follow(place.bytes)
        with disk_refusals("the new journal"), self.draft.open("rb") as stream:
            sync_data(stream.fileno())
            inode = str(os.fstat(stream.fileno()).st_ino)
        self._is_finished = True
        lines = len(report.origins) + self._added
        return Finished(
            place=JournalPlace(generation=place.generation + 1, lines=lines, bytes=self._bytes, inode=inode),
            stock=Observed(lines=lines, bytes=self._bytes, digest=self._hasher.hexdigest()),
            rewrite=Rewrite(
                draft=self.draft.name,
                generation=place.generation,
                lines=place.lines,
                bytes=place.bytes,
                inode=place.inode,
                kept=len(report.kept_ids),
                folded=len(report.folded_ids),
                dropped=len(report.dropped_ids),
                removed=len(report.removed_ids),
            ),
            receipt=_receipt(report),
        )

    def discard(self) -> None:
        """Removes the draft, unless an event may name it already."""
        if not self._is_finished:
            self.draft.unlink(missing_ok=True)

    def _refuse_outdated(self, line: bytes) -> None:
        if is_blank(line):
            return
        try:
            operation = decode_line(line)
        except LineError as error:
            raise RewriteOutdatedError("A line that nobody can read was written meanwhile.") from error
        if not self._gone.isdisjoint(named_ids(operation)):
            raise RewriteOutdatedError("A fact that the rewrite drops was named meanwhile.")
        if any(map(is_hold_state, facts_of(operation))):
            raise RewriteOutdatedError("A legal hold was stated meanwhile.")


def put_in_place(draft: Path, journal: Path, *, length: int, replaced: JournalPlace) -> None:
    """Makes a draft the journal, durably; where that was done before, nothing is done.

    What somebody else wrote behind the journal that it takes the place of comes along.
    """
    if not draft.exists():
        return
    descriptor = os.open(draft, os.O_WRONLY | os.O_APPEND)
    try:
        # an earlier attempt may have added what follows already
        os.ftruncate(descriptor, length)
        for chunk in _after(journal, replaced):
            write_all(descriptor, chunk)
        with _unknown_syncs(draft):
            sync_data(descriptor)
    finally:
        os.close(descriptor)
    draft.replace(journal)
    with _unknown_syncs(journal):
        sync_directory(journal.parent)


@contextmanager
def disk_refusals(name: str) -> Iterator[None]:
    """What the system refuses in this block is DiskRefusedError: nothing that counts has been written yet."""
    try:
        yield
    except OSError as error:
        raise DiskRefusedError(f"The disk refused a write to {name}: {error.strerror}.") from error


@contextmanager
def _unknown_syncs(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnknownSyncError(f"A sync of {path.name} failed: {error.strerror}.") from error


def drafts(folder: Path) -> Iterator[Path]:
    """The drafts that lie in a folder."""
    return folder.glob(DRAFT_NAME.format(token="*"))


def _after(journal: Path, place: JournalPlace) -> Iterator[bytes]:
    with suppress(FileNotFoundError), journal.open("rb") as stream:
        if str(os.fstat(stream.fileno()).st_ino) == place.inode:
            stream.seek(place.bytes)
            while chunk := stream.read(_CHUNK_BYTES):
                yield chunk


def _receipt(report: RewriteReport) -> str:
    members = {
        "dropped_lines": report.dropped_lines,
        "rule_breaking": [line.number for line in report.rule_breaking],
        "approved_lines": [(line.number, line.digest) for line in report.approved_lines],
    }
    return orjson.dumps(members).decode()
