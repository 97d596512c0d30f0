"""A journal to be scanned, which nobody of ours writes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from apps.accounts.rules import Scope
from apps.facts.projector import bring_up_to_date
from apps.facts.queries.scanning import Ground
from cruxstore.facts.records import Fact, Operation
from tests.facts.journals import Files, stored

NOW = datetime(2026, 12, 1, 3, tzinfo=UTC)
NOW_NS = int(NOW.timestamp()) * 1_000_000_000


def ground() -> Ground:
    """What a scan of default stands on."""
    return Ground.of(Scope(tenant="default", principal_id="schedule"))


class Journal(Files):
    """A journal that is indexed as it grows."""

    def store(self, *facts: Fact) -> None:
        """Adds facts, each with a line of its own."""
        self.say(*stored(*facts))

    def say(self, *operations: Operation | bytes) -> None:
        """Adds lines."""
        self.append(operations)
        bring_up_to_date(self, now_ns=NOW_NS, limit=None)


@pytest.fixture
def journal(tmp_path: Path, transactional_db: None) -> Journal:
    """An empty one."""
    return Journal(tmp_path)
