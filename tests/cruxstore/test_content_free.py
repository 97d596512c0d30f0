"""Whatever is stated, merged, deleted or given as a reason: not a word of it is in the ledger or in a log."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cruxstore.door import Door, NewFact, Store
from cruxstore.errors import CruxError
from cruxstore.facts.records import Horizon
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.bundle import encode_bundle
from cruxstore.ledger.bundling import make_bundle
from cruxstore.ledger.checkpoint import Slots
from cruxstore.ledger.events import Action
from cruxstore.replayed import StoreState
from cruxstore.verifying import Verdict, verify_folder
from tests.cruxstore.stores import ANA, actions_of, adopted_store, merge_of, view_of
from tests.cruxstore.test_every_mutator import READERS, prepared, public_methods

SECRET = "Zweibrücken"
SECRETS = (SECRET, SECRET.encode().hex(), SECRET.upper(), ascii(SECRET).strip("'"))
FOREIGN_ID = f"f_{SECRET}"
FOREIGN = (
    '{"op":"store","fact":{"fact_id":"ID","tenant_hash":"default","entity":"ID","key":"lead","value":"ID",'
    '"source_receipt":null,"confidence":1.0,"stored_at":"2026-01-01T00:00:00Z","tokens":1,"deleted":false,'
    '"version":1,"private":false,"horizon_class":"none"}}\n'
).replace('"ID"', f'"{FOREIGN_ID}"')

Mutation = Callable[[Door, StoreState], object]


def secret_fact(number: int = 0) -> NewFact:
    return NewFact(entity=f"team:{SECRET}", key=f"lead {SECRET} {number}", value=f"{SECRET} {number}", actor=SECRET)


def secret_facts() -> list[NewFact]:
    return [secret_fact(number) for number in range(3)]


def newest_ids(view: StoreState) -> list[str]:
    return [fact.fact_id for fact in view.facts.values() if not fact.deleted and fact.superseded_by is None]


WEAK = (0.4, 0.5)
MUTATIONS: dict[str, Mutation] = {
    "adopt": lambda door, view: door.adopt(ANA),
    "store_facts": lambda door, view: door.store_facts(
        ANA, "default", secret_facts(), view=view, reason=SECRET, act=SECRET
    ),
    "supersede": lambda door, view: door.supersede(
        ANA, "default", FOREIGN_ID, newest_ids(view)[-1], view=view, reason=SECRET, act=f"{SECRET}-1"
    ),
    "clear_supersede": lambda door, view: door.clear_supersede(
        ANA, "default", FOREIGN_ID, view=view, reason=SECRET, act=f"{SECRET}-2"
    ),
    "set_validity": lambda door, view: door.set_validity(
        ANA, "default", FOREIGN_ID, parse_timestamp("2026-01-01T00:00:00Z"), None, view=view, reason=SECRET
    ),
    "set_horizon": lambda door, view: door.set_horizon(
        ANA, "default", FOREIGN_ID, Horizon.STABLE, view=view, reason=SECRET
    ),
    "reverify": lambda door, view: door.reverify(ANA, "default", FOREIGN_ID, view=view, reason=SECRET),
    "consolidate": lambda door, view: door.consolidate(
        ANA,
        "default",
        replace(
            merge_of(*(fact.fact_id for fact in view.facts.values() if fact.confidence in WEAK), value=SECRET),
            consolidation_id=SECRET,
        ),
        view=view,
        read_fact=view.fact,
        reason=SECRET,
    ),
    "consolidate_undo": lambda door, view: door.consolidate_undo(
        ANA,
        "default",
        list(view.facts)[-1],
        [fact.fact_id for fact in view.facts.values() if fact.confidence in WEAK],
        view=view,
        reason=SECRET,
    ),
    "delete_facts": lambda door, view: door.delete_facts(
        ANA, "default", [FOREIGN_ID, newest_ids(view)[-1]], view=view, reason=SECRET
    ),
    "record": lambda door, view: door.record(ANA, "default", Action.PERSON_CREATED, text=SECRET, act=f"{SECRET}-3"),
    "rotate_key": lambda door, view: door.rotate_key(ANA, reason=SECRET),
    "compact": lambda door, view: door.compact(ANA, prepared(door), reason=SECRET),
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "facts.jsonl").write_text(FOREIGN)
    return adopted_store(tmp_path / "data")


def written_without_content(store: Store) -> bytes:
    """The ledger, its checkpoints, the lock, and all of it exported."""
    checkpoint = Slots(store.data_dir / "checkpoint").newest()
    assert checkpoint is not None
    bundle = make_bundle(store.ledger_path, checkpoint, first=1, last=checkpoint.events)
    paths = [store.ledger_path, store.data_dir / "checkpoint", store.data_dir / ".lock"]
    paths += list((store.data_dir / "checkpoints").glob("*"))
    return encode_bundle(bundle) + b"".join(path.read_bytes() for path in paths)


def test_every_mutator_of_the_door_is_among_these() -> None:
    assert public_methods() - READERS == MUTATIONS.keys()


def test_no_word_is_in_the_ledger_its_checkpoints_a_bundle_or_a_log(
    store: Store, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    with store.writing() as door:
        for number, confidence in enumerate(WEAK):
            weak = NewFact(entity="team:a", key="lead", value=f"{SECRET} {number}", confidence=confidence)
            door.store_facts(ANA, "default", [weak], view=view_of(store))
            if number == 0:
                # both count until they are merged
                first = list(view_of(store).facts)[-1]
        door.clear_supersede(ANA, "default", first, view=view_of(store))
    with store.journal_path.open("a") as journal:
        journal.write(FOREIGN.replace(FOREIGN_ID, f"{FOREIGN_ID}2"))
        journal.write(f"{SECRET} is no line of JSON\n")
    refused = []
    for name, mutate in MUTATIONS.items():
        if name == "compact":
            # a line that nobody can read is in its way
            continue
        with store.writing() as door:
            try:
                mutate(door, view_of(store))
            except CruxError as error:
                refused.append((name, str(error)))

    assert refused == []
    assert set(actions_of(store)) >= {
        Action.FACT_STORED,
        Action.FACT_SUPERSEDED,
        Action.FACT_CONSOLIDATED,
        Action.FACT_CONSOLIDATION_UNDONE,
        Action.FACT_DELETED,
        Action.LINE_OBSERVED,
    }
    written = written_without_content(store)
    printed = caplog.text + "".join(capfd.readouterr())
    for secret in SECRETS:
        assert secret.encode() not in written
        assert secret not in printed
    assert SECRET in store.texts_path.read_text()
    assert verify_folder(store.data_dir).verdict == Verdict.INTACT


def test_a_compaction_says_no_word_either(store: Store) -> None:
    with store.writing() as door:
        door.store_facts(ANA, "default", secret_facts(), view=view_of(store))
        door.delete_facts(ANA, "default", [FOREIGN_ID], view=view_of(store), reason=SECRET)
        MUTATIONS["compact"](door, view_of(store))

    written = written_without_content(store)
    assert not any(secret.encode() in written for secret in SECRETS)


def test_what_is_refused_says_no_word_to_the_log(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for fact in (
        replace(secret_fact(), confidence=2.0),
        replace(secret_fact(), key=f"{SECRET}\0"),
        replace(secret_fact(), value=f"{SECRET}\ud800"),
    ):
        with store.writing() as door, pytest.raises(CruxError):
            door.store_facts(ANA, "default", [fact], view=view_of(store))

    assert not any(secret in caplog.text for secret in SECRETS)
    assert not any(secret.encode() in store.ledger_path.read_bytes() for secret in SECRETS)


def test_all_texts_can_be_withheld_and_everything_still_verifies(store: Store) -> None:
    with store.writing() as door:
        MUTATIONS["record"](door, view_of(store))
        MUTATIONS["store_facts"](door, view_of(store))
    store.texts_path.write_bytes(b"")

    found = verify_folder(store.data_dir)

    assert (found.verdict, found.withheld_texts) == (Verdict.INTACT, 2)
