"""What somebody else did to a journal of ours is recorded, whether or not anybody writes."""

import time

from cruxstore.door import Store
from cruxstore.lines import torn_bytes
from cruxstore.recovery import is_as_recorded

WRITING_SECONDS = 2.0
"""How long a last line may stand without its end: until then, somebody is writing it."""


def record_foreign_lines(store: Store) -> bool:
    """Has foreign lines and a moved or replaced journal recorded, as the next writer would; answers whether it looked.

    A line that is being written is left alone. Raises what taking the lock raises.
    """
    if not store.is_owner or not store.is_adopted or is_as_recorded(store.journal_path, store.ledger_path):
        return False
    if torn_bytes(store.journal_path) and time.time() - store.journal_path.stat().st_mtime < WRITING_SECONDS:
        return False
    with store.writing():
        return True
