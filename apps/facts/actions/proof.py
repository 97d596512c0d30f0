"""What operators do about the proof: acknowledging that somebody else replaced the journal, and a new key."""

from apps.accounts.actions import actor_of
from apps.accounts.rules import STORE, Principal, Right, require
from cruxstore.door import Receipt, Store
from cruxstore.ledger.events import Action
from cruxstore.verifying import verify_folder


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
