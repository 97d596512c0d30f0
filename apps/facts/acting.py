"""The door with an index that is caught up: how an action about facts writes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from apps.facts.journal import JournalFile
from apps.facts.policies import Policies
from apps.facts.projector import IndexView, bring_up_to_date, caught_up_build, read_what_is_new
from cruxstore.door import Door, Store
from cruxstore.errors import IndexBehindError

LINES_UNDER_LOCK = 2_000
LINES_OF_AN_ACT = 4_000
WAIT_SECONDS = 10.0


@contextmanager
def acting(store: Store) -> Iterator[tuple[Door, IndexView]]:
    """The open door and the state as of now; what was written is in the index when the block has ended.

    IndexBehindError where more is missing than can be read under the lock.
    """
    policies = Policies.from_process()
    with store.writing() as door:
        build = caught_up_build(store, policies=policies) or _brought_up_to_date(store, policies)
        with JournalFile(store.journal_path) as journal:
            yield door, IndexView(build, journal, ledger=store.ledger_path)
    now_ns = time.time_ns()
    read_what_is_new(store, now_ns=now_ns, policies=policies, limit=LINES_OF_AN_ACT, wait_seconds=WAIT_SECONDS)


def _brought_up_to_date(store: Store, policies: Policies) -> int:
    now_ns = time.time_ns()
    lag = bring_up_to_date(store, now_ns=now_ns, policies=policies, limit=LINES_UNDER_LOCK, wait_seconds=WAIT_SECONDS)
    if not lag.build or lag.bytes_behind or lag.journal_replaced:
        raise IndexBehindError("The index has not read the whole journal yet. Try again in a minute.")
    return lag.build
