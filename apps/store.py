"""The store as this site is set up; entry points open it here and pass it on."""

from django.conf import settings
from django.db import connection

from cruxstore.door import Store


def open_store(*, is_demo: bool = False) -> Store:
    """The store in the data folder; taking its lock inside a database transaction is refused."""
    return Store.open(
        settings.DATA_DIR,
        journal=settings.OBSERVED_JOURNAL,
        forbidden_now=lambda: connection.in_atomic_block,
        is_demo=is_demo,
    )
