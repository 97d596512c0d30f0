"""Compacting the journal: long work beside everybody, a moment under the lock, and the index switched with it."""

import secrets
import time

from apps.accounts.rules import STORE, Principal, Right, require
from apps.facts.projector import bring_up_to_date
from apps.facts.projector.catching_up import Progress
from apps.facts.projector.next_build import NextBuild
from apps.jobs.actions import enqueue
from apps.jobs.models import Job
from cruxstore.door import Receipt, Store
from cruxstore.errors import RewriteOutdatedError
from cruxstore.ledger.events import Actor

ATTEMPTS = 3
FOLLOWED_BYTES = 64 * 1024
"""How much may be left to add under the lock."""


def start_compaction(principal: Principal, *, reason: str) -> Job:
    """Queues a compaction; for operators."""
    require(principal, Right.OPERATE, STORE)
    arguments = {"reason": reason, "act": f"compaction {secrets.token_hex(16)}"}
    return enqueue("compaction", tenant=None, started_by=principal.principal_id, arguments=arguments, unit="bytes")


def compact_store(
    store: Store, *, actor: Actor, reason: str | None = None, act: str = "", progress: Progress | None = None
) -> Receipt:
    """Rewrites the journal to its current state, keeping what holds cover, and switches the index to it.

    Where something is written meanwhile that does not fit, the work begins anew, three times at most. The caller has
    checked that an operator asks. The same act again answers what it came to.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return _compact(store, actor, reason, act, progress)
        except RewriteOutdatedError:
            continue
    return _compact(store, actor, reason, act, progress)


def _compact(store: Store, actor: Actor, reason: str | None, act: str, progress: Progress | None) -> Receipt:
    with store.rewriting() as rewriting:
        # asked while nobody else can rewrite: the index below is of this draft and no other
        with store.writing() as door:
            earlier = door.find_act(act) if act else None
        if earlier is not None:
            return Receipt(earlier)
        rewriting.prepare()
        with NextBuild.of(store, now_ns=time.time_ns(), begins_generation=True) as index:
            index.read(rewriting.draft, progress)
            while rewriting.follow(store.settled_length()) > FOLLOWED_BYTES:
                index.read(rewriting.draft)
            index.read(rewriting.draft)
            with store.writing() as door:
                receipt = door.compact(actor, rewriting, reason=reason, act=act)
                index.switch()
    bring_up_to_date(store, now_ns=time.time_ns())
    return receipt
