"""What the door writes, in which order, and what it refuses."""

import math
import os
import stat
import threading
from pathlib import Path

import orjson
import pytest

from cruxstore.door import NewFact, Store
from cruxstore.errors import (
    ConfidenceError,
    ConsolidationMemberError,
    CruxError,
    FolderTooNewError,
    JournalNotOursError,
    LineTooLongError,
    LockInTransactionError,
    NotAdoptedError,
    NotFoundError,
    OwnerlessPrivateError,
    RefusedFactError,
    RepeatedKeyError,
    ReservedEntityError,
    TextNotStorableError,
    TooManyFactsError,
    ValidityError,
)
from cruxstore.facts.codec import decode_line, encode_operation
from cruxstore.facts.records import Consolidate, Fact, Horizon, StoreBatch, Supersede
from cruxstore.facts.times import parse_timestamp
from cruxstore.folder import FOLDER_FORMAT
from cruxstore.ledger.events import Action, TextLine, decode_event
from cruxstore.lines import newest_line, read_lines
from tests.cruxstore.stores import (
    ANA,
    actions_of,
    adopted_store,
    delete,
    events_of,
    lead,
    open_store,
    put,
    replay_of,
    values_in_use,
    view_of,
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return adopted_store(tmp_path / "data")


def journal_lines(store: Store) -> list[bytes]:
    return [line for _, line in read_lines(store.journal_path)]


def test_a_fact_is_one_event_and_one_line(store: Store) -> None:
    receipt = put(store, lead("Ana"))

    fact = view_of(store).facts[receipt.fact_ids[0]]
    assert (fact.entity, fact.key, fact.value, fact.version, fact.supersedes) == ("team:a", "lead", "Ana", 1, None)
    assert (fact.tokens, fact.confidence, fact.private, fact.horizon_class) == (1, 1.0, False, Horizon.NONE)
    assert actions_of(store) == [Action.STORE_ADOPTED, Action.FACT_STORED]
    assert receipt.event == events_of(store)[-1]
    assert receipt.event.subjects == receipt.fact_ids
    assert receipt.event.journal.bytes == 0
    assert receipt.event.journal.adds == store.journal_path.stat().st_size


def test_a_new_version_retires_the_one_before_in_the_same_act(store: Store) -> None:
    first = put(store, lead("Ana"))
    second = put(store, lead("Ben"))

    old, new = view_of(store).facts[first.fact_ids[0]], view_of(store).facts[second.fact_ids[0]]
    assert (new.version, new.supersedes) == (2, old.fact_id)
    assert old.superseded_by == new.fact_id
    operation = decode_line(journal_lines(store)[-1])
    assert isinstance(operation, Supersede)
    assert second.event.lines[-1] == journal_lines(store)[-1].decode()
    assert second.event.fact_ids == (new.fact_id, old.fact_id)


def test_a_batch_is_one_line_however_many_facts(store: Store) -> None:
    receipt = put(store, *[NewFact("team:a", f"member {number}", "x") for number in range(1000)])

    operation = decode_line(journal_lines(store)[0])
    assert isinstance(operation, StoreBatch)
    assert [fact.fact_id for fact in operation.facts] == list(receipt.fact_ids)
    assert len(set(receipt.fact_ids)) == 1000
    assert len(journal_lines(store)) == 1


def test_every_line_written_comes_back_byte_for_byte(store: Store) -> None:
    first = put(store, lead('Ana "A." \0 López \u2028'), NewFact("bench:io", "p99", "12", confidence=0.1))
    put(store, lead("Ben"), NewFact("a", "b", "c", extra={"_import": {"id": "i_1", "line": 3}}))
    delete(store, first.fact_ids)

    for line in journal_lines(store):
        assert encode_operation(decode_line(line)) == line


def test_an_event_holds_no_content(store: Store) -> None:
    secrets = ["s3cret-entity", "s3cret-key", "s3cret-value", "s3cret-actor", "s3cret-receipt", "s3cret-reason"]
    entity, key, value, actor, receipt, reason = secrets
    with store.writing() as door:
        stored = door.store_facts(
            ANA,
            "default",
            [NewFact(entity, key, value, actor=actor, source_receipt=receipt, extra={"_import": {"path": "s3cret"}})],
            view=view_of(store),
            reason=reason,
            act="s3cret-act",
        )
        door.delete_facts(ANA, "default", stored.fact_ids, view=view_of(store), reason=reason)

    assert b"s3cret" not in store.ledger_path.read_bytes()
    assert store.text_of(stored.event) == reason


def test_a_foreign_id_stands_in_the_ledger_as_a_commitment_only(tmp_path: Path) -> None:
    store = _store_with_a_foreign_fact(tmp_path / "data", "f_legacy_0001")

    stored = put(store, NewFact("team:a", "lead", "Ben"))
    deleted = delete(store, ["f_legacy_0001"])

    assert b"f_legacy_0001" not in store.ledger_path.read_bytes()
    assert b'"supersede","fact_id":"f_legacy_0001"' in store.journal_path.read_bytes()
    assert view_of(store).facts["f_legacy_0001"].deleted
    assert store.foreign_ids(deleted.event) == {deleted.event.subjects[0]: "f_legacy_0001"}
    assert "f_legacy_0001" in store.foreign_ids(stored.event).values()
    assert stored.event.journal.adds == deleted.event.journal.bytes - stored.event.journal.bytes


def test_the_digest_of_a_line_needs_the_generations_key(store: Store) -> None:
    put(store, lead("Ana"))
    key = store.data_dir / "keys" / "journal-1.key"

    line = events_of(store)[-1].lines[0]

    assert isinstance(line, TextLine)
    assert (line.op, line.facts, line.length) == ("store", 1, len(journal_lines(store)[0]))
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700


def test_the_order_is_text_then_event_then_lines_each_synced(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, lead("Ana"))
    names = {path.stat().st_ino: path.name for path in (store.texts_path, store.ledger_path, store.journal_path)}
    order: list[tuple[str, str]] = []
    write, sync = os.write, os.fdatasync

    def noting_write(descriptor: int, content: memoryview) -> int:
        order.append(("write", names[os.fstat(descriptor).st_ino]))
        return write(descriptor, content)

    def noting_sync(descriptor: int) -> None:
        order.append(("sync", names[os.fstat(descriptor).st_ino]))
        sync(descriptor)

    monkeypatch.setattr(os, "write", noting_write)
    monkeypatch.setattr(os, "fdatasync", noting_sync)
    with store.writing() as door:
        door.store_facts(ANA, "default", [lead("Ben")], view=view_of(store), reason="promoted")

    assert order == [
        (act, name) for name in ("texts.jsonl", "ledger.jsonl", "facts.jsonl") for act in ("write", "sync")
    ]


def test_a_delete_hides_and_keeps_the_line(store: Store) -> None:
    receipt = put(store, lead("Ana"))

    deleted = delete(store, receipt.fact_ids)

    assert view_of(store).facts[receipt.fact_ids[0]].deleted
    assert deleted.event.lines == (journal_lines(store)[-1].decode(),)
    assert deleted.fact_ids == receipt.fact_ids


def test_what_is_deleted_already_gets_no_second_line(store: Store) -> None:
    first = put(store, lead("Ana"))
    delete(store, first.fact_ids)
    second = put(store, lead("Ben"))

    deleted = delete(store, [*first.fact_ids, *second.fact_ids])

    assert deleted.fact_ids == second.fact_ids
    assert len(deleted.event.lines) == 1


def test_a_store_takes_up_the_version_after_a_deleted_head(store: Store) -> None:
    put(store, lead("Ana"))
    delete(store, put(store, lead("Ben")).fact_ids)

    third = put(store, lead("Cem"))

    assert view_of(store).facts[third.fact_ids[0]].version == 2


def test_an_act_without_lines_is_only_an_event(store: Store) -> None:
    with store.writing() as door:
        receipt = door.record(ANA, "", Action.PERSON_CREATED, subjects=["p_ben"], code="x", text="Ben")

    assert receipt.event == events_of(store)[-1]
    assert (receipt.event.subjects, receipt.event.code) == (("p_ben",), "x")
    assert store.text_of(receipt.event) == "Ben"
    assert store.journal_path.stat().st_size == 0


@pytest.mark.parametrize(
    ("fact", "error"),
    [
        (NewFact("e", "k", "v", confidence=1.0000001), ConfidenceError),
        (NewFact("e", "k", "v", confidence=-0.1), ConfidenceError),
        (NewFact("e", "k", "v", confidence=math.nan), ConfidenceError),
        (NewFact("e", "k", "v", confidence=math.inf), ConfidenceError),
        (NewFact("e", "k", "v", confidence=1e39), ConfidenceError),
        (NewFact("__legal_hold__::lh_1", "state", "v"), ReservedEntityError),
        (NewFact("console:page:1", "state", "v"), ReservedEntityError),
        (NewFact("__agent::ana::note", "k", "v"), ReservedEntityError),
        (NewFact("e", "k", "v", private=True), OwnerlessPrivateError),
        (NewFact("__agent::ana", "k", "v", private=True), OwnerlessPrivateError),
        (NewFact("__legal_hold__::lh_1", "state", "v", private=True), OwnerlessPrivateError),
        (NewFact("e\0", "k", "v"), TextNotStorableError),
        (NewFact("e", "k\0", "v"), TextNotStorableError),
        (NewFact("\ud800", "k", "v"), TextNotStorableError),
        (NewFact("e", "k\udfff", "v"), TextNotStorableError),
        (NewFact("e", "k", "v\ud800"), TextNotStorableError),
        (NewFact("e", "k", "v", actor="\ud800"), TextNotStorableError),
        (NewFact("e", "k", "v", source_receipt="\ud800"), TextNotStorableError),
        (NewFact("e", "k", "v", extra={"_import": "\ud800"}), TextNotStorableError),
        (NewFact("e", "k", "v", extra={"value": "another"}), RefusedFactError),
        (
            NewFact(
                "e",
                "k",
                "v",
                valid_from=parse_timestamp("2026-01-01T00:00:00Z"),
                valid_to=parse_timestamp("2026-01-01T00:00:00Z"),
            ),
            ValidityError,
        ),
    ],
)
def test_a_refused_fact_changes_nothing(fact: NewFact, error: type[CruxError], store: Store) -> None:
    before = _bytes_of(store)

    with pytest.raises(error) as refusal:
        put(store, lead("Ana"), fact)

    assert refusal.type is error
    assert _bytes_of(store) == before
    put(store, lead("Ana"))


@pytest.mark.parametrize(
    "fact",
    [
        NewFact("e", "k", "v", confidence=0.0),
        NewFact("e", "k", "v", confidence=1.0),
        NewFact("e", "k", "a\0b"),
        NewFact("", "", ""),
        NewFact("__agent::ana::note", "k", "v", private=True),
        NewFact("__legal_holds::x", "k", "v"),
        NewFact("e", "k", "v", valid_from=parse_timestamp("2026-01-01T00:00:00Z")),
        NewFact(
            "e",
            "k",
            "v",
            valid_from=parse_timestamp("2026-01-01T00:00:00Z"),
            valid_to=parse_timestamp("2026-01-01T00:00:00.000000001Z"),
        ),
    ],
)
def test_what_is_just_allowed_is_stored_as_stated(fact: NewFact, store: Store) -> None:
    receipt = put(store, fact)

    stored = view_of(store).facts[receipt.fact_ids[0]]
    assert (stored.entity, stored.key, stored.value, stored.private) == (
        fact.entity,
        fact.key,
        fact.value,
        fact.private,
    )
    assert (stored.valid_from, stored.valid_to) == (fact.valid_from, fact.valid_to)
    assert replay_of(store).skipped == []


def test_the_same_entity_and_key_twice_in_one_act_is_refused(store: Store) -> None:
    with pytest.raises(RepeatedKeyError):
        put(store, lead("Ana"), lead("Ben"))

    assert journal_lines(store) == []


def test_more_than_a_thousand_facts_in_one_act_are_refused(store: Store) -> None:
    with pytest.raises(TooManyFactsError):
        put(store, *[NewFact("e", str(number), "v") for number in range(1001)])


def test_a_line_over_64_mib_is_refused(store: Store) -> None:
    half = "x" * (32 * 1024 * 1024)

    with pytest.raises(LineTooLongError):
        put(store, NewFact("e", "a", half), NewFact("e", "b", half))

    assert journal_lines(store) == []
    put(store, NewFact("e", "a", half))


def test_confidence_is_kept_to_32_bits(store: Store) -> None:
    put(store, NewFact("e", "k", "v", confidence=0.1))

    assert b'"confidence":0.1,' in journal_lines(store)[0]


@pytest.mark.parametrize(
    ("entity", "horizon", "is_private"),
    [
        ("bench:io", Horizon.STABLE, False),
        ("incident:7", Horizon.MEDIUM, False),
        ("team:a", Horizon.NONE, False),
        ("decisions::x", Horizon.NONE, True),
        ("__tenant__::x", Horizon.NONE, True),
    ],
)
def test_horizon_and_privacy_follow_from_the_entity(
    entity: str, horizon: Horizon, is_private: bool, store: Store
) -> None:
    receipt = put(store, NewFact(entity, "k", "v"))

    fact = view_of(store).facts[receipt.fact_ids[0]]
    assert (fact.horizon_class, fact.private) == (horizon, is_private)


def test_a_stated_horizon_wins(store: Store) -> None:
    receipt = put(store, NewFact("bench:io", "k", "v", horizon_class=Horizon.VOLATILE))

    assert view_of(store).facts[receipt.fact_ids[0]].horizon_class == Horizon.VOLATILE


def test_equal_names_in_two_tenants_are_two_chains(store: Store) -> None:
    put(store, lead("Ana"), tenant="default")
    other = put(store, lead("Ben"), tenant="acme")

    assert view_of(store).facts[other.fact_ids[0]].version == 1
    assert values_in_use(store) == ["Ana", "Ben"]


def test_another_tenants_fact_is_as_absent_as_a_missing_one(store: Store) -> None:
    mine = put(store, lead("Ana")).fact_ids
    theirs = put(store, lead("Ben"), tenant="acme").fact_ids

    with pytest.raises(NotFoundError) as foreign:
        delete(store, [*mine, *theirs])
    with pytest.raises(NotFoundError) as missing:
        delete(store, [*mine, "f_" + "00" * 16])

    assert str(foreign.value) == str(missing.value)
    assert values_in_use(store) == ["Ana", "Ben"]


def test_the_daemons_own_facts_cannot_be_deleted(tmp_path: Path) -> None:
    store = _store_with_a_foreign_fact(tmp_path / "data", "f_hold", entity="__legal_hold__::lh_1")

    with pytest.raises(ReservedEntityError):
        delete(store, ["f_hold"])


def test_members_of_a_consolidation_are_neither_deleted_nor_retired_alone(tmp_path: Path) -> None:
    store = _store_with_a_foreign_fact(tmp_path / "data", "f_source")
    source = view_of(store).facts["f_source"]
    canonical = source._replace(fact_id="f_canonical", key="merged", version=1, supersedes=None)
    line = encode_operation(Consolidate(canonical, ("f_source",), "2026-01-02T00:00:00+00:00"))
    with store.journal_path.open("ab") as journal:
        journal.write(line + b"\n")

    for fact_id in ("f_source", "f_canonical"):
        with pytest.raises(ConsolidationMemberError):
            delete(store, [fact_id])
    put(store, NewFact("team:a", "lead", "Ben"))

    assert view_of(store).facts["f_source"].superseded_by == "f_canonical"
    assert replay_of(store).skipped == []


def test_the_lock_is_refused_inside_a_database_transaction(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data", forbidden_now=lambda: True)

    with pytest.raises(LockInTransactionError), store.writing():
        pass


def test_a_door_is_of_no_use_after_its_lock(store: Store) -> None:
    with store.writing() as door:
        pass

    with pytest.raises(RuntimeError):
        door.record(ANA, "", Action.TENANT_CREATED)


def test_nothing_is_stored_before_the_journal_is_taken_over(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")

    with store.writing() as door, pytest.raises(NotAdoptedError):
        door.store_facts(ANA, "default", [lead("Ana")], view=view_of(adopted_store(tmp_path / "other")))

    assert not store.is_adopted


def test_taking_over_an_existing_journal_notes_its_length_and_digest_once(tmp_path: Path) -> None:
    store = _store_with_a_foreign_fact(tmp_path / "data", "f_old")

    with store.writing() as door:
        assert door.adopt(ANA) is None

    adopted = events_of(store)[0]
    assert adopted.observed is not None
    assert (adopted.observed.lines, adopted.observed.bytes) == (1, store.journal_path.stat().st_size)
    assert (adopted.journal.generation, adopted.journal.lines) == (1, 1)
    assert store.is_adopted
    assert len(events_of(store)) == 1


def test_a_torn_tail_is_set_aside_when_a_journal_is_taken_over(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    (data_dir / "facts.jsonl").write_bytes(b'{"op":"store","fact":')

    store = adopted_store(data_dir)

    assert store.journal_path.read_bytes() == b""
    assert [path.read_bytes() for path in store.quarantines()] == [b'{"op":"store","fact":']


def test_people_can_be_recorded_before_the_journal_is_taken_over(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")
    with store.writing() as door:
        door.record(ANA, "", Action.PERSON_CREATED, subjects=["p_ana"])
        door.adopt(ANA)

    put(store, lead("Ana"))

    assert actions_of(store) == [Action.PERSON_CREATED, Action.STORE_ADOPTED, Action.FACT_STORED]


def test_an_observer_records_but_writes_no_lines(tmp_path: Path) -> None:
    journal = tmp_path / "daemon" / "facts.jsonl"
    journal.parent.mkdir()
    journal.write_bytes(b"{}\n{to")
    store = open_store(tmp_path / "data", journal=journal)

    with store.writing() as door:
        door.record(ANA, "", Action.PERSON_CREATED, subjects=["p_ana"])
        with pytest.raises(JournalNotOursError):
            door.store_facts(ANA, "default", [lead("Ana")], view=view_of(adopted_store(tmp_path / "other")))
        with pytest.raises(JournalNotOursError):
            door.adopt(ANA)

    assert journal.read_bytes() == b"{}\n{to"
    assert store.settled_length() == 6
    assert sorted(path.name for path in journal.parent.iterdir()) == ["facts.jsonl"]


def test_an_act_is_found_again_by_its_callers_name(store: Store) -> None:
    receipt = put(store, lead("Ana"), act="import:i_1:0")

    with store.writing() as door:
        assert door.find_act("import:i_1:0") == receipt.event
        assert door.find_act("import:i_1:1") is None


def test_the_folder_keeps_its_instance_id(store: Store) -> None:
    again = open_store(store.data_dir)

    assert again.instance_id == store.instance_id
    assert again.instance_id.startswith("s_")
    assert not again.is_demo


def test_only_a_folder_made_as_a_demo_is_one(tmp_path: Path) -> None:
    made = Store.open(tmp_path / "demo", is_demo=True)
    plain = Store.open(tmp_path / "plain")

    again = Store.open(tmp_path / "plain", is_demo=True)

    assert made.is_demo
    assert Store.open(tmp_path / "demo").is_demo
    assert not plain.is_demo
    assert not again.is_demo


def test_opening_a_folder_does_not_wait_for_its_writer(store: Store) -> None:
    with store.writing():
        assert Store.open(store.data_dir).instance_id == store.instance_id


def test_what_a_deleted_fact_had_retired_counts_again_where_asked(store: Store) -> None:
    put(store, lead("Ana"))
    taken_back = [put(store, lead(value)).fact_ids[0] for value in ("Bea", "Cleo")]

    with store.writing() as door:
        door.delete_facts(ANA, "default", taken_back, view=view_of(store), restores_replaced=True)

    assert values_in_use(store) == ["Ana"]


def test_what_a_living_version_follows_is_not_restored(store: Store) -> None:
    put(store, lead("Ana"))
    middle = put(store, lead("Bea")).fact_ids[0]
    put(store, lead("Cleo"))

    with store.writing() as door:
        door.delete_facts(ANA, "default", [middle], view=view_of(store), restores_replaced=True)

    assert values_in_use(store) == ["Cleo"]


def test_a_chain_deleted_in_two_acts_restores_the_one_before_it(store: Store) -> None:
    put(store, lead("Ana"))
    for fact_id in [put(store, lead(value)).fact_ids[0] for value in ("Bea", "Cleo")]:
        with store.writing() as door:
            door.delete_facts(ANA, "default", [fact_id], view=view_of(store), restores_replaced=True)

    assert values_in_use(store) == ["Ana"]


def test_a_newer_programs_folder_is_refused(store: Store) -> None:
    newer = {"format": FOLDER_FORMAT + 1, "instance_id": "i_1"}
    (store.data_dir / "instance.json").write_bytes(orjson.dumps(newer))

    with pytest.raises(FolderTooNewError):
        open_store(store.data_dir)


def test_the_first_act_in_an_older_programs_folder_says_that_it_is_this_ones_now(store: Store) -> None:
    path = store.data_dir / "instance.json"
    ours = path.read_bytes()
    path.write_bytes(ours.replace(b'"format":%d' % FOLDER_FORMAT, b'"format":1'))

    older = open_store(store.data_dir)

    assert path.read_bytes() != ours  # who only reads changes nothing
    with older.writing():
        pass
    assert path.read_bytes() == ours
    assert older.instance_id == store.instance_id


def test_our_own_files_are_for_their_owner_only(store: Store) -> None:
    with store.writing() as door:
        door.record(ANA, "", Action.PERSON_CREATED, text="Ana")

    for path in (store.ledger_path, store.texts_path, store.data_dir / "instance.json", store.data_dir / ".lock"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name


def test_what_a_reader_may_see_ends_before_a_half_written_act(store: Store) -> None:
    put(store, lead("Ana"))
    settled = store.settled_length()
    put(store, lead("Ben"))
    whole = store.journal_path.read_bytes()

    for length in range(settled, len(whole)):
        store.journal_path.write_bytes(whole[:length])
        assert store.settled_length() == settled
    store.journal_path.write_bytes(whole)
    assert store.settled_length() == len(whole)


def test_threads_of_one_store_take_turns(store: Store) -> None:
    def store_ten(writer: int) -> None:
        for number in range(10):
            put(store, NewFact(f"writer:{writer}", f"{number}", "v"), lead(f"{writer}.{number}"))

    writers = [threading.Thread(target=store_ten, args=(writer,)) for writer in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    facts = view_of(store).facts.values()
    assert sorted(fact.version for fact in facts if fact.key == "lead") == list(range(1, 41))
    assert [event.seq for event in events_of(store)] == list(range(1, 42))
    assert replay_of(store).skipped == []


def test_an_event_after_the_newest_continues_the_chain_for_a_second_store(store: Store) -> None:
    other = open_store(store.data_dir)

    put(store, lead("Ana"))
    put(other, lead("Ben"))
    put(store, lead("Cem"))

    assert values_in_use(store) == ["Cem"]
    newest = newest_line(store.ledger_path)
    assert newest is not None
    assert decode_event(newest).seq == 4


def _bytes_of(store: Store) -> list[bytes]:
    return [path.read_bytes() for path in (store.journal_path, store.ledger_path, store.texts_path)]


def _store_with_a_foreign_fact(data_dir: Path, fact_id: str, *, entity: str = "team:a") -> Store:
    fact = Fact(
        fact_id=fact_id,
        tenant_hash="default",
        entity=entity,
        key="lead",
        value="Ana",
        source_receipt=None,
        confidence=1.0,
        stored_at=parse_timestamp("2026-01-01T00:00:00Z"),
        tokens=1,
    )
    data_dir.mkdir()
    (data_dir / "facts.jsonl").write_bytes(encode_operation(StoreBatch((fact,))) + b"\n")
    return adopted_store(data_dir)
