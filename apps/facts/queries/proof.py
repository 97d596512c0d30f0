"""What proves the ledger to a stranger: its head, the newest signed checkpoint, a check, and a bundle of events."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db.models import Max, Min

from apps.facts.files import StoreFiles, is_observed
from apps.facts.models import LedgerEvent
from cruxstore.backups.parts import CHECKPOINT, DAILIES
from cruxstore.errors import BundleError, CruxError, KeyMissingError, NoteError, NotFoundError
from cruxstore.ledger.bundle import encode_bundle
from cruxstore.ledger.bundling import make_bundle, make_tenant_bundle
from cruxstore.ledger.checkpoint import Dailies, Slots
from cruxstore.ledger.events import Event, decode_event, leaf_hash
from cruxstore.ledger.notes import Checkpoint, PublicKey, decode_checkpoint
from cruxstore.ledger.signing import Keys
from cruxstore.lines import newest_line
from cruxstore.verifying import Verification, Watch, verify_folder

KEYS = "keys"
KEPT_ROWS = 31
"""How many kept checkpoints a page lists."""

MOST_EVENTS = 10_000
"""How many events one bundle may hold: each brings its proof along, and the whole is made in memory."""


@dataclass(frozen=True)
class LedgerHead:
    """The newest event with its leaf hash, and what is signed, by which key.

    None where there is none, or none that can be read.
    """

    event: Event | None
    leaf: str
    checkpoint: Checkpoint | None
    key: PublicKey | None

    @property
    def unsigned(self) -> int:
        """How many events no signature covers yet."""
        signed = 0 if self.checkpoint is None else self.checkpoint.events
        return 0 if self.event is None else max(0, self.event.seq - signed)


@dataclass(frozen=True)
class Kept:
    """The last checkpoint of a day; None where what is kept cannot be read."""

    day: str
    checkpoint: Checkpoint | None


@dataclass(frozen=True)
class KeptPage:
    """Days in a row, and the one before which the next page begins; empty on the last."""

    rows: tuple[Kept, ...]
    before: str


def ledger_head(store: StoreFiles) -> LedgerHead:
    """Where the ledger stands, from the files alone; the caller has checked that an operator asks."""
    checkpoint = signed_checkpoint(store)
    key = signing_key(store, checkpoint) if checkpoint is not None else None
    line = newest_line(store.ledger_path)
    try:
        return LedgerHead(None if line is None else decode_event(line), leaf_hash(line or b""), checkpoint, key)
    except CruxError:
        return LedgerHead(None, "", checkpoint, key)


def signed_checkpoint(store: StoreFiles) -> Checkpoint | None:
    """The newest checkpoint; None where nobody has signed one."""
    newest = Slots(store.data_dir / CHECKPOINT).newest()
    return None if newest is None or newest.note is None else newest


def signing_key(store: StoreFiles, checkpoint: Checkpoint) -> PublicKey | None:
    """The key that signed a checkpoint, to be noted elsewhere; None where it is not in the folder."""
    signed = {by.key_id for by in checkpoint.note.signatures} if checkpoint.note is not None else set()
    try:
        keys = [key.public for key in Keys(store.data_dir / KEYS).all(checkpoint.origin)]
    except KeyMissingError:
        # a file there holds no key: a check of all files says so
        return None
    return next((key for key in keys if key.key_id in signed), None)


def kept_checkpoints(store: StoreFiles, *, before: str = "") -> KeptPage:
    """The last checkpoint of each day, newest first; only those of days before one, where one is given."""
    days = [path for path in reversed(_dailies(store)) if not before or path.name < before]
    rows = tuple(_kept(path) for path in days[:KEPT_ROWS])
    return KeptPage(rows, rows[-1].day if len(days) > KEPT_ROWS else "")


def read_kept(store: StoreFiles, day: str) -> bytes:
    """The checkpoint of a day as a file; NotFoundError where none is kept."""
    for path in _dailies(store):
        if path.name == day:
            return path.read_bytes()
    raise NotFoundError("No checkpoint of that day is kept.")


def get_kept(store: StoreFiles, day: str) -> Checkpoint:
    """The checkpoint of a day; NotFoundError where none is kept, NoteError where it cannot be read."""
    return decode_checkpoint(read_kept(store, day))


def verify_store(store: StoreFiles, *, since: str = "", watch: Watch | None = None) -> Verification:
    """What a check of all files comes to; it reads every line, takes no lock and changes nothing.

    With a day, the checkpoint kept of it has to be the beginning of the ledger.
    """
    journal = store.journal_path if is_observed(store) else None
    kept = get_kept(store, since) if since else None
    return verify_folder(store.data_dir, journal=journal, since=kept, watch=watch)


def find_range(since: datetime | None, until: datetime | None) -> tuple[int, int] | None:
    """The first and the last event of a span of time; as clocks are set back, some between may be of another."""
    found = LedgerEvent.objects.all()
    if since is not None:
        found = found.filter(at__gte=since)
    if until is not None:
        found = found.filter(at__lt=until)
    ends = found.aggregate(first=Min("seq"), last=Max("seq"))
    return None if ends["first"] is None else (ends["first"], ends["last"])


def find_tenants_events(
    tenant: str,
    *,
    first: int | None = None,
    last: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[int]:
    """The numbers of a tenant's events, between two numbers or moments; the caller has checked who may see them."""
    found = LedgerEvent.objects.filter(tenant=tenant)
    if first is not None:
        found = found.filter(seq__range=(first, last or first))
    if since is not None:
        found = found.filter(at__gte=since)
    if until is not None:
        found = found.filter(at__lt=until)
    return list(found.order_by("seq").values_list("seq", flat=True)[: MOST_EVENTS + 1])


def export_bundle(store: StoreFiles, first: int, last: int, *, earlier: str = "") -> bytes:
    """These events with their proofs, as one file; BundleError where they are too many or not all signed.

    With a day, also the proof that the checkpoint kept of it is the beginning.
    """
    checkpoint = _newest_signed(store)
    if last - first >= MOST_EVENTS:
        raise BundleError(f"These are {last - first + 1:,} events. A bundle holds at most {MOST_EVENTS:,}.")
    kept = get_kept(store, earlier) if earlier else None
    return encode_bundle(make_bundle(store.ledger_path, checkpoint, first=first, last=last, earlier=kept))


def export_tenant_bundle(store: StoreFiles, tenant: str, events: list[int], *, earlier: str = "") -> bytes:
    """Those of these events that are the tenant's, with no line of anybody else, as one file; BundleError as above."""
    checkpoint = _newest_signed(store)
    if not events:
        raise BundleError("Nothing was decided there.")
    if len(events) > MOST_EVENTS:
        raise BundleError(f"These are more than {MOST_EVENTS:,} events, and a bundle holds no more.")
    if events[-1] > checkpoint.events:
        raise BundleError(f"Event {events[-1]:,} is not signed yet.")
    kept = get_kept(store, earlier) if earlier else None
    chosen = frozenset(events)
    return encode_bundle(make_tenant_bundle(store.ledger_path, checkpoint, tenant=tenant, events=chosen, earlier=kept))


def _newest_signed(store: StoreFiles) -> Checkpoint:
    checkpoint = signed_checkpoint(store)
    if checkpoint is None:
        raise BundleError("Nobody has signed a checkpoint yet.")
    return checkpoint


def _dailies(store: StoreFiles) -> list[Path]:
    return Dailies(store.data_dir / DAILIES).paths()


def _kept(path: Path) -> Kept:
    try:
        return Kept(path.name, decode_checkpoint(path.read_bytes()))
    except NoteError:
        return Kept(path.name, None)
