"""The index keeps the contract of every view that the door takes."""

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from apps.facts.journal import JournalFile
from apps.facts.projector import IndexView, bring_up_to_date
from apps.facts.projector.builds import current_build
from cruxstore.door import Store
from tests.cruxstore.state_view_contract import StateViewContract, ViewOf


@pytest.mark.django_db(transaction=True)
class TestIndexView(StateViewContract):
    @pytest.fixture
    def look(self) -> Iterator[ViewOf]:
        with ExitStack() as opened:

            def look(store: Store) -> IndexView:
                bring_up_to_date(store, now_ns=time.time_ns())
                build = current_build()
                assert build is not None
                journal = opened.enter_context(JournalFile(store.journal_path))
                return IndexView(build.number, journal, ledger=store.ledger_path)

            yield look
