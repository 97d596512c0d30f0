"""Long work on facts, as the workers run it."""

import time
from contextlib import suppress

from apps.accounts.rules import Scope
from apps.facts.actions import run_import
from apps.facts.actions.compaction import compact_store
from apps.facts.actions.noticing import record_foreign_lines
from apps.facts.projector import bring_up_to_date, rebuild
from apps.facts.queries.proof import verify_store
from apps.jobs.models import Job
from apps.jobs.runs import JobRun
from apps.store import open_store
from cruxstore.errors import StoreBrokenError, StoreBusyError, StoreStoppedError
from cruxstore.ledger.events import Actor


def run_import_job(run: JobRun) -> None:
    """Stores what a file brings; goes on where an earlier attempt stopped."""
    counts = run_import(
        open_store(),
        Scope(tenant=run.tenant, principal_id=run.started_by),
        actor=Actor(kind="person", id=run.started_by),
        import_id=run.arguments["import_id"],
        digest=run.arguments["digest"],
        form=run.arguments["form"],
        progress=run.progress,
        is_cancelled=run.is_cancelled,
    )
    run.progress(
        run.total,
        counts={"stored": counts.stored, "known": counts.known, "refused": counts.refused},
        checkpoint=run.checkpoint,
    )


def run_rebuild_job(run: JobRun) -> None:
    """Builds the index anew beside the one that answers."""
    rebuild(open_store(), now_ns=time.time_ns(), progress=run.progress)


def run_compaction_job(run: JobRun) -> None:
    """Compacts the journal; begins anew where an earlier attempt came to nothing, and never does it twice."""
    receipt = compact_store(
        open_store(),
        actor=Actor(kind="person", id=run.started_by),
        reason=run.arguments.get("reason"),
        act=run.arguments["act"],
        progress=run.progress,
    )
    rewrite = receipt.event.rewrite
    if rewrite is not None:
        counts = {"kept": rewrite.kept, "folded": rewrite.folded, "dropped": rewrite.dropped}
        run.progress(run.total, counts=counts, checkpoint=run.checkpoint)
    # the reason stands in the texts from now on, where it can be erased
    Job.objects.filter(number=run.number).update(arguments={"act": run.arguments["act"]})


def run_verification_job(run: JobRun) -> None:
    """Checks all files, and keeps what it came to; a check that was ended comes to nothing."""

    def watch(done: int, total: int) -> bool:
        run.progress(done, total)
        return not run.is_cancelled()

    found = verify_store(open_store(), since=run.arguments["since"], watch=watch)
    if not run.is_cancelled():
        counts = {"events": found.events, "lines": found.lines, "texts": found.texts, "checkpoints": found.checkpoints}
        run.progress(run.total, counts=counts, checkpoint=found.members())


def run_checkpoint_job(run: JobRun) -> None:
    """Vouches for what the files hold; the newest checkpoint of a day is kept when the next one is signed."""
    store = open_store()
    with store.writing():
        run.progress(store.ledger_size())
    run.progress(store.ledger_size(), store.ledger_size(), checkpoint=run.checkpoint)


def follow() -> None:
    """Reads what is new in journal and ledger and lets facts grow stale, unless another process is at it.

    Lines of somebody else are recorded; where writing is refused, pages say so, and the reading goes on.
    """
    store = open_store()
    with suppress(StoreBrokenError, StoreBusyError, StoreStoppedError):
        record_foreign_lines(store)
    bring_up_to_date(store, now_ns=time.time_ns(), limit=None)
