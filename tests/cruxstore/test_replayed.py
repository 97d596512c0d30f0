"""The state of a store in memory keeps the contract of every view."""

import pytest

from cruxstore.replayed import read_state
from tests.cruxstore.state_view_contract import StateViewContract, ViewOf


class TestStoreState(StateViewContract):
    @pytest.fixture
    def look(self) -> ViewOf:
        return read_state
