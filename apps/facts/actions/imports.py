"""Bringing a file in and taking it back."""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from blake3 import blake3

from apps.accounts.rules import Principal, Right, Scope, require, require_within
from apps.facts.acting import acting
from apps.facts.formats import AUTO, read_memory
from apps.facts.import_rules import Plan, acts, as_new_fact
from apps.facts.models import Upload
from apps.facts.queries.chains import held_chains, import_fact_ids, refuse_held_import, stored_by_import
from apps.facts.queries.imports import (
    DIGEST_MARK,
    find_import_of,
    get_import,
    get_own_upload,
    get_upload,
    plan_reading,
    read_upload,
    upload_path,
)
from apps.jobs.actions import enqueue
from apps.jobs.models import Job
from cruxstore.door import Store
from cruxstore.errors import CruxError, JournalNotOursError, NotFoundError
from cruxstore.files import replace_file
from cruxstore.ledger.events import Action, Actor

TAKE_BACK_FACTS = 1_000


class EmptyUploadError(CruxError):
    """The file holds nothing."""

    code = "upload_empty"


class UploadTooLargeError(CruxError):
    """The file is larger than the page takes."""

    code = "upload_too_large"


class NothingToImportError(CruxError):
    """Everything in the file is in the store already, or none of it is a fact."""

    code = "nothing_to_import"


class ImportRunningError(CruxError):
    """The import has not ended yet."""

    code = "import_running"


@dataclass(frozen=True)
class Imported:
    """How an import ended: facts stored now, and facts that were there already."""

    stored: int
    known: int
    refused: int


Progress = Callable[[int, int], None]


def keep_upload(
    store: Store,
    scope: Scope,
    *,
    principal: Principal,
    file_name: str,
    chunks: Iterable[bytes],
    limit_bytes: int,
    at: datetime,
    form: str = AUTO,
) -> Upload:
    """Keeps a file that can be read under its digest in the data folder; the same file again is the same upload."""
    require(principal, Right.IMPORT, scope.tenant)
    received = bytearray()
    for chunk in chunks:
        received += chunk
        if len(received) > limit_bytes:
            raise UploadTooLargeError(
                f"The file is larger than {limit_bytes // 2**20} MiB. Bring it in with the command import_facts."
            )
    if not received:
        raise EmptyUploadError("The file is empty.")
    data = bytes(received)
    read_memory(data, file_name=file_name, format=form, privacy=store.privacy, scope=scope.tenant)
    digest = blake3(data).hexdigest()
    path = upload_path(store, digest)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    if not path.exists():
        replace_file(path, data)
    upload, _ = Upload.objects.update_or_create(
        tenant=scope.tenant,
        digest=digest,
        defaults={
            "file_name": file_name[:400],
            "size_bytes": len(data),
            "uploaded_by": principal.principal_id,
            "uploaded_at": at,
        },
    )
    return upload


def require_ours(store: Store) -> None:
    """Raises JournalNotOursError where a daemon's journal is only read: nothing can be brought in."""
    if not store.is_owner:
        raise JournalNotOursError("The journal belongs to a daemon and is only read here.")


def start_import(store: Store, scope: Scope, *, principal: Principal, digest: str, form: str = AUTO) -> tuple[str, Job]:
    """Records the import of one's own upload and queues the work; answers the import's id and its job."""
    upload = get_own_upload(scope, digest)
    import_id = open_import(store, scope, principal=principal, upload=upload, form=form)
    job = enqueue(
        "import",
        tenant=scope.tenant,
        started_by=principal.principal_id,
        arguments={"import_id": import_id, "digest": digest, "form": form},
        title="Import",
        unit="facts",
    )
    return import_id, job


def open_import(store: Store, scope: Scope, *, principal: Principal, upload: Upload, form: str) -> str:
    """Records that an import starts; refuses where the file would bring nothing."""
    require(principal, Right.IMPORT, scope.tenant)
    require_ours(store)
    reading = read_upload(scope, upload, store=store, form=form)
    earlier = find_import_of(scope, upload.digest, store=store)
    if not plan_reading(scope, reading, earlier, store=store).new:
        raise NothingToImportError("The file brings nothing new: its facts are in the store already, or it has none.")
    import_id = f"i_{secrets.token_hex(16)}"
    with acting(store) as (door, view):
        door.record(
            Actor(kind=principal.kind, id=principal.principal_id),
            scope.tenant,
            Action.IMPORT_STARTED,
            subjects=(import_id, f"{DIGEST_MARK}{upload.digest}"),
            code=reading.format,
            text=upload.file_name,
            view=view,
        )
    return import_id


def run_import(
    store: Store,
    scope: Scope,
    *,
    actor: Actor,
    import_id: str,
    digest: str,
    form: str = AUTO,
    progress: Progress = lambda done, total: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Imported:
    """Stores what of the file is new, act by act; stopped and run again it goes on where it was.

    The counts are of the whole import, whichever attempt stored a fact.
    """
    reading = read_upload(scope, get_upload(scope, digest), store=store, form=form)
    plan = plan_reading(scope, reading, None, store=store)
    done, total = len(plan.known), len(plan.new) + len(plan.known)
    for fact in plan.new:
        require_within(scope, fact.entity)
    for act in acts(plan.new):
        if is_cancelled():
            return _imported(scope, import_id, done, plan)
        with acting(store) as (door, view):
            held = held_chains(scope, dict.fromkeys((fact.entity, fact.key) for fact in act), store=store)
            still_new = Plan.of(act, held, store.privacy).new
            if still_new:
                facts = [as_new_fact(fact, import_id=import_id) for fact in still_new]
                door.store_facts(actor, scope.tenant, facts, view=view, subjects=(import_id,))
        done += len(act)
        progress(done, total)
    with acting(store) as (door, _):
        finished = f"import finished {import_id}"
        door.record(actor, scope.tenant, Action.IMPORT_FINISHED, subjects=(import_id,), act=finished)
    return _imported(scope, import_id, total, plan)


def _imported(scope: Scope, import_id: str, done: int, plan: Plan) -> Imported:
    stored = stored_by_import(scope, import_id)
    return Imported(stored=stored, known=done - stored, refused=len(plan.refused))


def take_back_import(store: Store, scope: Scope, *, principal: Principal, import_id: str) -> int:
    """Deletes every fact of an import and lets what they had replaced count again; answers how many were deleted."""
    require(principal, Right.TAKE_BACK, scope.tenant)
    require_ours(store)
    row = get_import(scope, import_id, store=store)
    if row.state == "running":
        raise ImportRunningError("The import is still running. Cancel its job first.")
    if row.state == "taken_back":
        raise NotFoundError("The import was taken back already.")
    actor = Actor(kind=principal.kind, id=principal.principal_id)
    refuse_held_import(scope, import_id)
    deleted = 0
    while fact_ids := import_fact_ids(scope, import_id, limit=TAKE_BACK_FACTS):
        with acting(store) as (door, view):
            refuse_held_import(scope, import_id, among=fact_ids)
            receipt = door.delete_facts(
                actor, scope.tenant, fact_ids, view=view, subjects=(import_id,), restores_replaced=True
            )
        deleted += len(receipt.fact_ids)
    with acting(store) as (door, _):
        door.record(actor, scope.tenant, Action.IMPORT_TAKEN_BACK, subjects=(import_id,))
    return deleted
