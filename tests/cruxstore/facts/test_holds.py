"""Legal holds resolved from the journal: the newest statement that can be read counts, and damage never lifts one."""

from pathlib import Path
from typing import Any

import pytest

from cruxstore.facts.holds import Hold, clean_prefixes, resolve_holds
from tests.cruxstore.facts.made import ABSENT, delete_line, fact, hold_line, replayed, store_line, supersede_line

RELEASE: dict[str, Any] = {
    "released_at": "2026-04-01T00:00:00Z",
    "released_by": "operator",
    "release_receipt_id": "r_2",
}


def holds(tmp_path: Path, *lines: bytes) -> list[Hold]:
    return resolve_holds(replayed(tmp_path, *lines).state.facts.values())


def test_a_hold_is_what_its_fact_says(tmp_path: Path) -> None:
    [hold] = holds(tmp_path, hold_line("f_1", "lh_1", tenant="acme"), store_line("f_2"))

    assert (hold.hold_id, hold.tenant, hold.active, hold.is_readable) == ("lh_1", "acme", True, True)
    assert (hold.entity_prefixes, hold.reason, hold.placed_by) == (("customer::",), "contract dispute", "operator")
    assert (hold.placed_at.text, hold.place_receipt_id) == ("2026-03-01T00:00:00Z", "r_1")
    assert hold.entity == "__legal_hold__::lh_1"


def test_a_release_in_the_newest_version_lifts_the_hold(tmp_path: Path) -> None:
    [hold] = holds(tmp_path, hold_line("f_1", "lh_1"), hold_line("f_2", "lh_1", version=2, **RELEASE))

    assert not hold.active
    assert (hold.released_by, hold.release_receipt_id) == ("operator", "r_2")
    assert not hold.covers("default", "customer::1")


def test_the_newest_version_counts_even_if_deleted_or_superseded(tmp_path: Path) -> None:
    placed, released = hold_line("f_1", "lh_1"), hold_line("f_2", "lh_1", version=2, **RELEASE)

    [deleted] = holds(tmp_path, placed, released, delete_line("f_2"))
    [superseded] = holds(tmp_path, placed, released, supersede_line("f_2", "f_1"))

    assert not deleted.active
    assert not superseded.active


def test_deleting_a_hold_does_not_lift_it_and_its_statement_must_be_kept(tmp_path: Path) -> None:
    replay = replayed(tmp_path, hold_line("f_1", "lh_1"), delete_line("f_1"))

    [hold] = resolve_holds(replay.state.facts.values())

    assert hold.active
    assert hold.covers_fact(replay.state.facts["f_1"])


def test_versions_tie_by_time_then_by_id(tmp_path: Path) -> None:
    by_id = (hold_line("f_2", "lh_1", reason="second"), hold_line("f_1", "lh_1", reason="first"))

    [hold] = holds(tmp_path, *by_id)

    assert hold.reason == "second"


UNREADABLE: list[dict[str, Any]] = [
    *(
        {key: ABSENT}
        for key in ("schema", "hold_id", "tenant_id", "reason", "placed_at", "placed_by", "place_receipt_id")
    ),
    {"schema": "crux.legal_hold.v2"},
    {"hold_id": "lh_2"},
    {"tenant_id": "acme"},
    {"reason": None},
    {"entity_prefixes": "customer::"},
    {"entity_prefixes": [1]},
    {"placed_at": "yesterday"},
    {"released_at": "soon"},
    {"released_at": 1},
]


@pytest.mark.parametrize("changes", UNREADABLE)
def test_a_newest_statement_that_cannot_be_read_does_not_hide_an_older_one(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    damaged = hold_line("f_2", "lh_1", version=2, **(RELEASE | changes))

    [hold] = holds(tmp_path, hold_line("f_1", "lh_1"), damaged)

    assert hold.active
    assert hold.entity_prefixes == ("customer::",)


@pytest.mark.parametrize("value", ["", "{", "[]", '"lh_1"', '{"hold_id":"lh_1","hold_id":"lh_1"}'])
def test_a_hold_that_nobody_can_read_covers_its_whole_tenant(tmp_path: Path, value: str) -> None:
    state = {"entity": "__legal_hold__::lh_1", "key": "state", "tenant_hash": "acme"}

    [hold] = holds(tmp_path, store_line("f_1", **state, value=value, actor="p_legal", source_receipt="r_9"))

    assert (hold.active, hold.is_readable, hold.entity_prefixes) == (True, False, ())
    assert (hold.placed_by, hold.place_receipt_id, hold.placed_at.text) == ("p_legal", "r_9", "2026-03-01T08:15:30Z")
    assert hold.covers("acme", "anything")


def test_a_hold_that_nobody_can_read_is_signed_by_what_its_fact_has(tmp_path: Path) -> None:
    [hold] = holds(tmp_path, store_line("f_1", entity="__legal_hold__::lh_1", key="state", value="?"))

    assert (hold.placed_by, hold.place_receipt_id) == ("unresolved", "f_1")


def test_another_tenant_cannot_release_a_hold(tmp_path: Path) -> None:
    ours = hold_line("f_1", "lh_1")
    theirs = hold_line("f_2", "lh_1", tenant="acme", version=9, **RELEASE)

    found = {hold.tenant: hold.active for hold in holds(tmp_path, ours, theirs)}

    assert found == {"default": True, "acme": False}


def test_other_facts_about_holds_are_no_holds(tmp_path: Path) -> None:
    receipt = store_line("f_1", entity="__legal_hold_receipt__::r_1", key="receipt")
    note = store_line("f_2", entity="__legal_hold__::lh_1", key="note")

    assert holds(tmp_path, receipt, note) == []


@pytest.mark.parametrize(
    ("prefixes", "tenant", "entity", "is_covered"),
    [
        (["customer::4"], "default", "customer::42::billing", True),
        (["customer::4"], "default", "Customer::42", False),
        (["customer::4"], "default", "__agent::alice::customer::42", False),
        (["customer::4"], "acme", "customer::42", False),
        (["a:", "b:"], "default", "b:x", True),
        ([], "default", "anything", True),
        ([""], "default", "anything", True),
        ([" customer:: "], "default", "customer::1", True),
        (ABSENT, "default", "anything", True),
    ],
)
def test_a_hold_covers_by_tenant_and_prefix(
    tmp_path: Path, prefixes: Any, tenant: str, entity: str, is_covered: bool
) -> None:
    [hold] = holds(tmp_path, hold_line("f_1", "lh_1", entity_prefixes=prefixes))

    assert hold.covers(tenant, entity) is is_covered
    assert hold.covers_fact(fact(tenant_hash=tenant, entity=entity)) is is_covered


def test_holds_are_listed_by_the_time_they_were_placed_then_by_id(tmp_path: Path) -> None:
    found = holds(
        tmp_path,
        hold_line("f_1", "lh_c", placed_at="2026-03-02T00:00:00Z"),
        hold_line("f_2", "lh_b"),
        hold_line("f_3", "lh_a", placed_at="2026-03-01T01:00:00+01:00"),
    )

    assert [hold.hold_id for hold in found] == ["lh_a", "lh_b", "lh_c"]


def test_prefixes_are_trimmed_sorted_and_kept_once() -> None:
    assert clean_prefixes([" b:", "a:", "", "  ", "a:"]) == ("a:", "b:")
