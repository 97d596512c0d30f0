"""What operators do about the proof: a check, acknowledging that somebody else replaced the journal, a new key."""

from apps.accounts.actions import actor_of
from apps.accounts.rules import STORE, Principal, Right, require
from apps.jobs.actions import enqueue_once
from apps.jobs.models import Job
from cruxstore.door import Receipt, Store
from cruxstore.ledger.events import Action
from cruxstore.verifying import verify_folder

VERIFICATION = "verification"
"""The kind of job that checks all files."""


def start_verification(principal: Principal, *, since: str = "") -> Job | None:
    """Queues a check of all files, against the checkpoint of a day where one is named; None where one is under way."""
    require(principal, Right.OPERATE, STORE)
    return enqueue_once(
        VERIFICATION,
        tenant=None,
        started_by=principal.principal_id,
        arguments={"since": since},
        title="Verify the store",
        unit="bytes",
    )


def acknowledge_breaks(store: Store, principal: Principal, *, reason: str) -> Receipt | None:
    """Records that it is known why the continuity broke, each time it did; None where it never did."""
    require(principal, Right.OPERATE, STORE)
    breaks = verify_folder(store.data_dir, journal=None if store.is_owner else store.journal_path).breaks
    if not breaks:
        return None
    with store.writing() as door:
        action = Action.CONTINUITY_ACKNOWLEDGED
        return door.record(actor_of(principal), "", action, subjects=breaks, text=reason)


def rotate_key(store: Store, principal: Principal, *, reason: str) -> Receipt:
    """Makes a new key sign the ledger from now on."""
    require(principal, Right.OPERATE, STORE)
    with store.writing() as door:
        return door.rotate_key(actor_of(principal), reason=reason)
