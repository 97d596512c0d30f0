"""In a journal of ours, what somebody else writes is shown at once, and recorded though nobody of ours writes."""

import os
import shutil
from pathlib import Path

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.accounts.rules import Scope
from apps.facts import tasks
from apps.facts.actions.noticing import record_foreign_lines
from apps.facts.answers import FactFilter
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import find_facts, store_status
from cruxstore.door import Store
from tests.cruxstore.stores import START_NS, lead, put
from tests.facts.journals import lines_of, make_fact, stored

READER = Scope(tenant="default", principal_id="p_reader")
NAMES = ["Ana", "Ben", "Cem"]


def append(store: Store, content: bytes, *, seconds_ago: float = 0) -> None:
    """Somebody else writes to the journal."""
    with store.journal_path.open("ab") as journal:
        journal.write(content)
    if seconds_ago:
        at = store.journal_path.stat().st_mtime - seconds_ago
        os.utime(store.journal_path, (at, at))


def values(store: Store) -> list[str]:
    bring_up_to_date(store, now_ns=START_NS)
    page = find_facts(READER, FactFilter(sort="recorded"), store=store, now_ns=START_NS)
    return [row.value_excerpt for row in page.rows]


def noticed(store: Store) -> list[tuple[str, int]]:
    bring_up_to_date(store, now_ns=START_NS)
    return [(one.cause, one.lines) for one in store_status(store=store, now_ns=START_NS).foreign_writes]


def test_foreign_lines_are_shown_on_the_next_page_and_recorded_by_whoever_follows(store: Store) -> None:
    put(store, lead("Ana"))
    append(store, lines_of(stored(make_fact(1, "foreign"), make_fact(2, "other", key="k"))))

    assert values(store) == ["Ana", "foreign", "other"]
    assert store_status(store=store, now_ns=START_NS).has_unrecorded
    tasks.follow()

    assert noticed(store) == [("foreign_lines", 2)]
    assert not store_status(store=store, now_ns=START_NS).has_unrecorded
    assert not record_foreign_lines(store)


@pytest.mark.parametrize(
    ("how", "cause", "lines"), [("moved", "journal_moved", 0), ("replaced", "journal_replaced", 1)]
)
def test_a_journal_under_another_inode_is_noticed_read_and_recorded(
    store: Store, tmp_path: Path, how: str, cause: str, lines: int
) -> None:
    for name in NAMES:
        put(store, lead(name))
    assert values(store) == NAMES
    other = tmp_path / "other.jsonl"
    if how == "moved":
        shutil.copy(store.journal_path, other)
    else:
        other.write_bytes(lines_of(stored(make_fact(1, "another journal"))))
    other.replace(store.journal_path)

    assert values(store) == (NAMES if how == "moved" else ["another journal"])
    assert record_foreign_lines(store)

    assert noticed(store) == [(cause, lines)]
    assert values(store) == (NAMES if how == "moved" else ["another journal"])


def test_a_line_that_somebody_is_writing_is_left_alone_for_two_seconds(store: Store) -> None:
    put(store, lead("Ana"))
    append(store, b'{"op":"sto')
    assert not record_foreign_lines(store)
    assert store.journal_path.read_bytes().endswith(b'{"op":"sto')

    append(store, b"", seconds_ago=2)
    assert record_foreign_lines(store)

    assert store.journal_path.read_bytes().endswith(b"\n")
    assert [path.read_bytes() for path in store.quarantines() if path.suffix != ".json"] == [b'{"op":"sto']


def test_the_store_page_says_what_somebody_else_wrote(store: Store, operator: User, client: Client) -> None:
    client.force_login(operator)
    assert "Written by nobody else" in client.get("/store/").text
    append(store, lines_of(stored(make_fact(1, "foreign"))))
    assert "The journal is not as the ledger left it" in client.get("/store/").text
    tasks.follow()

    page = client.get("/store/").text

    assert "Written by somebody else: 1 time" in page
    assert "Lines were added" in page
