"""What proves the ledger to a stranger: its head, the newest signed checkpoint, a check, and a bundle of events."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Min

from apps.facts.files import StoreFiles, is_observed
from apps.facts.models import LedgerEvent
from cruxstore.backups.parts import CHECKPOINT
from cruxstore.errors import BundleError, CruxError
from cruxstore.ledger.bundle import encode_bundle
from cruxstore.ledger.bundling import make_bundle
from cruxstore.ledger.checkpoint import Slots
from cruxstore.ledger.events import Event, decode_event, leaf_hash
from cruxstore.ledger.notes import Checkpoint
from cruxstore.lines import newest_line
from cruxstore.verifying import Verification, verify_folder

MOST_EVENTS = 10_000
"""How many events one bundle may hold: each brings its proof along, and the whole is made in memory."""


@dataclass(frozen=True)
class LedgerHead:
    """The newest event with its leaf hash, and what is signed; None where there is none, or none that can be read."""

    event: Event | None
    leaf: str
    checkpoint: Checkpoint | None

    @property
    def unsigned(self) -> int:
        """How many events no signature covers yet."""
        signed = 0 if self.checkpoint is None else self.checkpoint.events
        return 0 if self.event is None else max(0, self.event.seq - signed)


def ledger_head(store: StoreFiles) -> LedgerHead:
    """Where the ledger stands, from the files alone; the caller has checked that an operator asks."""
    checkpoint = signed_checkpoint(store)
    line = newest_line(store.ledger_path)
    try:
        return LedgerHead(None if line is None else decode_event(line), leaf_hash(line or b""), checkpoint)
    except CruxError:
        return LedgerHead(None, "", checkpoint)


def signed_checkpoint(store: StoreFiles) -> Checkpoint | None:
    """The newest checkpoint; None where nobody has signed one."""
    newest = Slots(store.data_dir / CHECKPOINT).newest()
    return None if newest is None or newest.note is None else newest


def verify_store(store: StoreFiles) -> Verification:
    """What a check of all files comes to; it reads every line, takes no lock and changes nothing."""
    return verify_folder(store.data_dir, journal=store.journal_path if is_observed(store) else None)


def find_range(since: datetime | None, until: datetime | None) -> tuple[int, int] | None:
    """The first and the last event of a span of time; as clocks are set back, some between may be of another."""
    found = LedgerEvent.objects.all()
    if since is not None:
        found = found.filter(at__gte=since)
    if until is not None:
        found = found.filter(at__lt=until)
    ends = found.aggregate(first=Min("seq"), last=Max("seq"))
    return None if ends["first"] is None else (ends["first"], ends["last"])


def export_bundle(store: StoreFiles, first: int, last: int) -> bytes:
    """These events with their proofs, as one file; BundleError where they are too many or not all signed."""
    checkpoint = signed_checkpoint(store)
    if checkpoint is None:
        raise BundleError("Nobody has signed a checkpoint yet.")
    if last - first >= MOST_EVENTS:
        raise BundleError(f"These are {last - first + 1:,} events. A bundle holds at most {MOST_EVENTS:,}.")
    return encode_bundle(make_bundle(store.ledger_path, checkpoint, first=first, last=last))
