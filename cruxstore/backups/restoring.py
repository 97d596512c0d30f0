"""The way back from a backup: looked at first, with nothing changed, then done with the ledger as the last file.

Until the ledger has its name, the checkpoint that was put there first vouches for more than there is: whoever opens the
folder may read it and not write, and the same restore can simply be done again. A ledger that is older than a
checkpoint known from elsewhere stays that way until a backup that has the rest is restored over it, or the loss is
accepted; the event `store.restored` stands in a ledger from the moment on from which it may be written to.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from cruxstore.backups.parts import (
    CHECKPOINT,
    DAILIES,
    JOURNAL,
    LEDGER,
    TABLES,
    TEXTS,
    Manifest,
    check_parts,
    copy_part,
    read_manifest,
)
from cruxstore.errors import BackupDamagedError, NoteError, RestoreRefusedError
from cruxstore.files import LockState, StoreLock, refuse_network_disk, sync_directory
from cruxstore.folder import Folder
from cruxstore.ledger.chain import Chain, place_after
from cruxstore.ledger.checkpoint import Dailies, Slots, read_checkpoint
from cruxstore.ledger.events import Action, Actor, Event, draft_event
from cruxstore.ledger.notes import Checkpoint
from cruxstore.ledger.texts import Text, encode_text, new_text
from cruxstore.recovery import missing_under
from cruxstore.verifying import Verdict, Verification, verify_folder
from cruxstore.vouching import Vouching

LOSS_ACCEPTED = "loss_accepted"

# what may lie in an empty data folder: the site's own key and index, the lock, and what an older store is known by
_SPARE = {"secret_key", ".lock", CHECKPOINT, DAILIES, "lost+found", ".gitkeep", ".DS_Store"}
_SPARE_PREFIXES = ("index.", ".index")
_JOURNAL_MODE = 0o666
_CHUNK_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Plan:
    """A restore that may be done: what of, where to, and what the backup lacks of what is known to have been."""

    source: Path
    data_dir: Path
    manifest: Manifest
    verification: Verification
    guard: Checkpoint | None
    missing: str
    accepted: str

    @property
    def is_read_only(self) -> bool:
        """Whether the restored store will wait for what is missing."""
        return bool(self.missing) and not self.accepted


def plan_restore(
    source: Path, data_dir: Path, *, journal: Path | None = None, since: Path | None = None, accepted: str = ""
) -> Plan:
    """Looks at backup and folder; RestoreRefusedError or BackupDamagedError where it cannot be done. Changes nothing.

    `since` is a copy of a checkpoint file; one that lies in the folder is known anyway. `accepted` is the reason for
    which what is missing is given up.
    """
    manifest = read_manifest(source)
    if absent := {LEDGER, TEXTS, TABLES} - {part.name for part in manifest.parts}:
        raise BackupDamagedError(f"The backup {source} has no {min(absent)}.")
    check_parts(source, manifest)
    _refuse_target(source, data_dir, journal)
    own, verification = Slots(source / CHECKPOINT).newest(), verify_folder(source, journal=journal)
    if verification.verdict != Verdict.INTACT:
        raise BackupDamagedError(f"The backup {source} does not verify. {verification.trouble}")
    known = _known(data_dir, since)
    lacking = missing_under(known, ledger=source / LEDGER, journal=None) if known is not None else None
    missing = str(lacking or "")
    if accepted and not missing:
        raise RestoreRefusedError("Nothing is known to be missing, so there is no loss to accept.")
    return Plan(source, data_dir, manifest, verification, known if missing else own, missing, accepted)


def restore(
    plan: Plan, *, journal: Path | None = None, actor: Actor, now_ns: int, load_tables: Callable[[bytes], None]
) -> Event | None:
    """Does what was planned; answers the event of it, None where the store waits for what is missing.

    `load_tables` gets what the database alone had, once all files but the ledger are there. Whatever raises leaves a
    folder that is only read, and over which the same can be restored again.
    """
    plan.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    refuse_network_disk(plan.data_dir)
    with StoreLock(plan.data_dir / ".lock").hold() as held:
        _refuse_target(plan.source, plan.data_dir, journal)
        if plan.guard is not None:
            Slots(plan.data_dir / CHECKPOINT).start_from(plan.guard)
        reason = new_text("reason", plan.accepted, ()) if plan.accepted else None
        for part in plan.manifest.parts:
            if part.name not in (LEDGER, CHECKPOINT, TABLES):
                tail = encode_text(reason) + b"\n" if part.name == TEXTS and reason is not None else b""
                _copy(plan, part.name, part.name, tail=tail)
        load_tables((plan.source / TABLES).read_bytes())
        event = _put_ledger(plan, actor=actor, now_ns=now_ns, reason=reason)
        # every open store looks at the files anew, and none is stopped by what happened to the folder before
        held.write(LockState(epoch=held.read().epoch + 1))
    return event


def awaits_more(data_dir: Path, *, journal: Path | None = None) -> bool:
    """Whether a folder lacks what it is known to have had, so that it is only read."""
    return Folder(data_dir, journal=journal).broken() != ""


def _put_ledger(plan: Plan, *, actor: Actor, now_ns: int, reason: Text | None) -> Event | None:
    draft = f".{LEDGER}.restoring"
    _copy(plan, LEDGER, draft)
    event = None
    if not plan.is_read_only:
        chain = Chain(plan.data_dir / draft)
        vouching, name = Vouching(plan.data_dir, chain), f"cruxweb/{plan.manifest.instance_id}"
        event = vouching.append(_restored(plan, chain.newest(), actor, now_ns, reason), name=name)
        if reason is not None:
            # before the ledger has its name: the loss is given up only together with the event that says so
            vouching.start_anew(event)
        chain.file.close()
    (plan.data_dir / draft).replace(plan.data_dir / LEDGER)
    sync_directory(plan.data_dir)
    return event


def _restored(plan: Plan, newest: Event | None, actor: Actor, now_ns: int, reason: Text | None) -> Event:
    place = place_after(newest)
    own_journal = plan.data_dir / JOURNAL
    if place.generation > 0 and own_journal.exists():
        place = replace(place, inode=str(own_journal.stat().st_ino))
    return draft_event(
        now_ns=now_ns,
        actor=actor,
        tenant="",
        action=Action.STORE_RESTORED,
        journal=place,
        code=LOSS_ACCEPTED if plan.accepted else "",
        texts=(reason.mark,) if reason is not None else (),
    )


def _copy(plan: Plan, name: str, to: str, *, tail: bytes = b"") -> None:
    part = next(part for part in plan.manifest.parts if part.name == name)
    mode = {"mode": _JOURNAL_MODE} if name == JOURNAL else {}
    with (plan.source / name).open("rb") as stream:
        copied = copy_part(stream, plan.data_dir, to, length=part.bytes, tail=tail, **mode)
    if copied.digest != part.digest:
        raise BackupDamagedError(f"{name} in {plan.source} changed while it was read.")


def _known(data_dir: Path, since: Path | None) -> Checkpoint | None:
    there = Slots(data_dir / CHECKPOINT).newest()
    try:
        given = read_checkpoint(since) if since is not None else None
    except NoteError as error:
        raise RestoreRefusedError(f"{since} is not a checkpoint.") from error
    known = (there, given, *Dailies(data_dir / DAILIES).read())
    return max(filter(None, known), key=lambda checkpoint: checkpoint.events, default=None)


def _refuse_target(source: Path, data_dir: Path, journal: Path | None) -> None:
    """A folder may be restored into while it is empty, or while it is only read and the backup has all that it has."""
    if not data_dir.exists():
        return
    if source.resolve().is_relative_to(data_dir.resolve()):
        raise RestoreRefusedError(f"{source} lies within the data folder. Move the backup elsewhere first.")
    names = {path.name for path in data_dir.iterdir()} - _SPARE
    if not {name for name in names if not name.startswith(_SPARE_PREFIXES)}:
        return
    if not awaits_more(data_dir, journal=journal):
        raise RestoreRefusedError(f"{data_dir} is not empty. Restore into an empty folder.")
    for name in (LEDGER, JOURNAL):
        if not _begins_with(source / name, data_dir / name):
            raise RestoreRefusedError(
                f"{name} in {data_dir} has what the backup lacks. Move everything but the file checkpoint elsewhere."
            )


def _begins_with(longer: Path, shorter: Path) -> bool:
    if not shorter.exists() or shorter.stat().st_size == 0:
        return True
    if not longer.exists():
        return False
    with longer.open("rb") as whole, shorter.open("rb") as start:
        while chunk := start.read(_CHUNK_BYTES):
            if whole.read(len(chunk)) != chunk:
                return False
    return True
