"""What each operation on a fact writes, and what it refuses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cruxstore.door import NewFact, Store
from cruxstore.errors import (
    ConfidenceError,
    ConsolidationMemberError,
    CruxError,
    JournalNotOursError,
    NotAdoptedError,
    ReservedEntityError,
    SupersedeRefusedError,
    TargetHighConfidenceError,
    TextNotStorableError,
    UndoSourceMismatchError,
    ValidityError,
)
from cruxstore.facts.codec import decode_line, encode_operation
from cruxstore.facts.records import (
    ClearSupersede,
    Consolidate,
    ConsolidateUndo,
    Fact,
    Horizon,
    SetValidity,
    Supersede,
    Timestamp,
)
from cruxstore.facts.records import Store as StoreLine
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Action, TextLine, event_time
from cruxstore.lines import read_lines
from tests.cruxstore.operations import OPERATIONS, Named, store_one
from tests.cruxstore.operations import merge as merge_two
from tests.cruxstore.stores import (
    ANA,
    TickingClock,
    actions_of,
    adopted_store,
    delete,
    events_of,
    lead,
    lose_end,
    merge,
    merge_of,
    mergeable_store,
    open_store,
    put,
    replay_of,
    two_to_merge,
    values_in_use,
    view_of,
    weak,
)

NEW_YEAR = parse_timestamp("2026-01-01T00:00:00Z")
JUNE = parse_timestamp("2026-06-01T00:00:00Z")
NOBODY = "f_" + "00" * 16


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return adopted_store(tmp_path / "data")


@pytest.fixture
def foreign(tmp_path: Path) -> Store:
    """A store with two facts of one chain whose ids are not of our form, and one of them needs escapes."""
    data_dir = tmp_path / "foreign"
    data_dir.mkdir()
    facts = (
        Fact(fact_id, "default", "team:a", "lead", fact_id, None, 0.5, NEW_YEAR, 1)
        for fact_id in ('f_"old\\"\n', "f_legacy_0001")
    )
    (data_dir / "facts.jsonl").write_bytes(b"".join(encode_operation(StoreLine(fact)) + b"\n" for fact in facts))
    return adopted_store(data_dir)


def journal_lines(store: Store) -> list[bytes]:
    return [line for _, line in read_lines(store.journal_path)]


def supersede(store: Store, fact_id: str, by_fact_id: str, *, tenant: str = "default") -> None:
    with store.writing() as door:
        door.supersede(ANA, tenant, fact_id, by_fact_id, view=view_of(store))


def clear(store: Store, fact_id: str) -> None:
    with store.writing() as door:
        door.clear_supersede(ANA, "default", fact_id, view=view_of(store))


def set_validity(store: Store, fact_id: str, start: Timestamp | None, end: Timestamp | None) -> None:
    with store.writing() as door:
        door.set_validity(ANA, "default", fact_id, start, end, view=view_of(store))


def undo(store: Store, canonical_id: str, source_ids: Sequence[str]) -> tuple[str, ...]:
    with store.writing() as door:
        return door.consolidate_undo(ANA, "default", canonical_id, source_ids, view=view_of(store)).fact_ids


def test_superseding_retires_one_fact_in_favour_of_another(store: Store) -> None:
    first, second = put(store, lead("Ana")).fact_ids[0], put(store, NewFact("team:b", "lead", "Ben")).fact_ids[0]

    with store.writing() as door:
        receipt = door.supersede(ANA, "default", first, second, view=view_of(store), reason="moved")

    operation = decode_line(journal_lines(store)[-1])
    assert isinstance(operation, Supersede)
    assert (operation.fact_id, operation.by_fact_id) == (first, second)
    assert receipt.fact_ids == (first,)
    assert receipt.event.action == Action.FACT_SUPERSEDED
    assert receipt.event.lines == (journal_lines(store)[-1].decode(),)
    assert receipt.event.fact_ids == (first, second)
    assert store.text_of(receipt.event) == "moved"
    assert values_in_use(store) == ["Ben"]


def test_clearing_brings_a_retired_fact_back(store: Store) -> None:
    first = put(store, lead("Ana")).fact_ids[0]
    put(store, lead("Ben"))

    clear(store, first)

    assert isinstance(decode_line(journal_lines(store)[-1]), ClearSupersede)
    assert actions_of(store)[-1] == Action.FACT_SUPERSEDE_CLEARED
    assert values_in_use(store) == ["Ana", "Ben"]


@pytest.mark.parametrize(
    ("start", "end"),
    [(NEW_YEAR, JUNE), (NEW_YEAR, None), (None, JUNE), (None, None)],
    ids=["both", "from", "to", "none"],
)
def test_both_bounds_of_a_validity_are_replaced_and_an_absent_one_is_open(
    start: Timestamp | None, end: Timestamp | None, store: Store
) -> None:
    fact_id = put(store, NewFact("e", "k", "v", valid_from=NEW_YEAR, valid_to=JUNE)).fact_ids[0]

    set_validity(store, fact_id, start, end)

    assert isinstance(decode_line(journal_lines(store)[-1]), SetValidity)
    assert (view_of(store).facts[fact_id].valid_from, view_of(store).facts[fact_id].valid_to) == (start, end)
    assert events_of(store)[-1].action == Action.FACT_VALIDITY_SET


@pytest.mark.parametrize("end", [NEW_YEAR, parse_timestamp("2025-12-31T23:59:59.999999999Z")])
def test_a_validity_that_ends_as_it_starts_or_before_is_refused(end: Timestamp, store: Store) -> None:
    fact_id = put(store, lead("Ana")).fact_ids[0]

    _refuses(store, ValidityError, lambda: set_validity(store, fact_id, NEW_YEAR, end))


def test_a_merge_is_one_line_whose_text_the_event_does_not_hold(store: Store) -> None:
    first, second = two_to_merge(store)

    receipt = merge(store, first, second)

    operation = decode_line(journal_lines(store)[-1])
    assert isinstance(operation, Consolidate)
    assert operation.superseded_fact_ids == (first, second)
    assert operation.canonical.source_receipt == "consolidation:week-10"
    assert receipt.fact_ids == (operation.canonical.fact_id,)
    line = receipt.event.lines[0]
    assert isinstance(line, TextLine)
    assert (line.op, line.facts) == ("consolidate", 1)
    assert receipt.event.subjects == (first, second, operation.canonical.fact_id)
    assert b"Ana or Anna" not in store.ledger_path.read_bytes()
    assert values_in_use(store) == ["Ana or Anna"]


def test_a_merge_is_refused_by_the_guards_of_the_format(store: Store) -> None:
    certain = put(store, lead("Ana")).fact_ids[0]

    _refuses(store, TargetHighConfidenceError, lambda: merge(store, certain))


def test_a_merge_taken_back_leaves_what_was_there_before(store: Store) -> None:
    first, second = two_to_merge(store)
    canonical = merge(store, first, second).fact_ids[0]

    restored = undo(store, canonical, [second, first])

    assert isinstance(decode_line(journal_lines(store)[-1]), ConsolidateUndo)
    assert restored == tuple(sorted((first, second)))
    assert actions_of(store)[-1] == Action.FACT_CONSOLIDATION_UNDONE
    assert canonical in events_of(store)[-1].fact_ids
    assert values_in_use(store) == ["Ana", "Anna"]


def test_an_undo_needs_exactly_the_facts_that_were_merged(store: Store) -> None:
    first, second = two_to_merge(store)
    canonical = merge(store, first, second).fact_ids[0]

    _refuses(store, UndoSourceMismatchError, lambda: undo(store, canonical, [first]))


def test_what_was_taken_back_already_is_an_event_without_a_line(store: Store) -> None:
    first, second = two_to_merge(store)
    canonical = merge(store, first, second).fact_ids[0]
    undo(store, canonical, [first, second])
    lines = journal_lines(store)

    restored = undo(store, canonical, [first, second])

    assert restored == ()
    assert journal_lines(store) == lines
    assert events_of(store)[-1].lines == ()


def test_members_of_a_merge_are_neither_retired_nor_brought_back_alone(store: Store) -> None:
    first, second = two_to_merge(store)
    canonical = merge(store, first, second).fact_ids[0]
    other = put(store, NewFact("team:b", "lead", "Ben")).fact_ids[0]

    _refuses(store, ConsolidationMemberError, lambda: supersede(store, first, other))
    _refuses(store, ConsolidationMemberError, lambda: clear(store, first))
    undo(store, canonical, [first, second])
    supersede(store, first, other)

    assert replay_of(store).skipped == []


def test_what_is_so_already_gets_no_second_line(store: Store) -> None:
    first, second = put(store, lead("Ana")).fact_ids[0], put(store, lead("Ben")).fact_ids[0]
    lines = journal_lines(store)

    supersede(store, first, second)
    clear(store, second)

    assert journal_lines(store) == lines
    assert [event.lines for event in events_of(store)[-2:]] == [(), ()]


def test_a_fact_is_not_retired_by_itself_by_a_deleted_one_or_in_a_circle(store: Store) -> None:
    first, second = put(store, lead("Ana")).fact_ids[0], put(store, lead("Ben")).fact_ids[0]
    gone = put(store, NewFact("team:b", "lead", "Cem")).fact_ids[0]
    delete(store, [gone])

    _refuses(store, SupersedeRefusedError, lambda: supersede(store, second, second))
    _refuses(store, SupersedeRefusedError, lambda: supersede(store, second, first))
    _refuses(store, SupersedeRefusedError, lambda: supersede(store, second, gone))


def test_horizon_and_reverification_are_events_without_lines_that_last(store: Store) -> None:
    fact_id = put(store, lead("Ana")).fact_ids[0]
    lines = journal_lines(store)

    with store.writing() as door:
        set_to = door.set_horizon(ANA, "default", fact_id, Horizon.VOLATILE, view=view_of(store), reason="moves")
        verified = door.reverify(ANA, "default", fact_id, view=view_of(store))

    assert journal_lines(store) == lines
    assert (set_to.event.action, set_to.event.code) == (Action.FACT_HORIZON_SET, "volatile")
    assert store.text_of(set_to.event) == "moves"
    fact = view_of(open_store(store.data_dir)).facts[fact_id]
    assert fact.horizon_class == Horizon.VOLATILE
    assert fact.reverified_at == parse_timestamp(verified.event.time)


def test_the_newest_horizon_and_the_newest_look_count(store: Store) -> None:
    fact_id, other = put(store, lead("Ana"), NewFact("team:b", "lead", "Ben")).fact_ids
    clock = TickingClock()
    with store.writing() as door:
        for horizon in (Horizon.STABLE, Horizon.NONE):
            door.set_horizon(ANA, "default", fact_id, horizon, view=view_of(store))
        for _ in range(2):
            verified = door.reverify(ANA, "default", other, view=view_of(store))

    settings = store.fact_settings()

    assert (settings[fact_id].horizon, settings[fact_id].reverified_at) == (Horizon.NONE, None)
    assert (settings[other].horizon, settings[other].reverified_at) == (None, parse_timestamp(verified.event.time))
    assert verified.event.time > event_time(clock())


def test_every_operation_names_a_foreign_id_by_a_commitment_only(foreign: Store) -> None:
    old, legacy = view_of(foreign).facts
    with foreign.writing() as door:
        door.set_horizon(ANA, "default", old, Horizon.STABLE, view=view_of(foreign))
        door.reverify(ANA, "default", legacy, view=view_of(foreign))
    set_validity(foreign, old, NEW_YEAR, None)
    canonical = merge(foreign, old, legacy).fact_ids[0]
    undo(foreign, canonical, [legacy, old])
    supersede(foreign, old, legacy)
    clear(foreign, old)
    delete(foreign, [old, legacy])

    assert b"old" not in foreign.ledger_path.read_bytes()
    assert b"legacy" not in foreign.ledger_path.read_bytes()
    assert foreign.fact_settings().keys() == {old, legacy}
    assert replay_of(foreign).skipped == []


@pytest.mark.parametrize("operation", ["set_validity", "consolidate_undo", "supersede", "clear_supersede"])
def test_a_missing_line_about_foreign_ids_is_appended_as_it_was(operation: str, foreign: Store) -> None:
    old, legacy = view_of(foreign).facts
    if operation == "consolidate_undo":
        canonical = merge(foreign, old, legacy).fact_ids[0]
    if operation == "clear_supersede":
        supersede(foreign, old, legacy)
    before = foreign.journal_path.stat().st_size
    match operation:
        case "set_validity":
            set_validity(foreign, old, None, JUNE)
        case "consolidate_undo":
            undo(foreign, canonical, [old, legacy])
        case "supersede":
            supersede(foreign, old, legacy)
        case _:
            clear(foreign, old)
    whole = foreign.journal_path.read_bytes()
    lose_end(foreign, foreign.journal_path, before)

    with open_store(foreign.data_dir).writing():
        pass

    assert foreign.journal_path.read_bytes() == whole


def test_every_line_written_comes_back_byte_for_byte(store: Store) -> None:
    first, second = two_to_merge(store)
    set_validity(store, first, NEW_YEAR, JUNE)
    undo(store, merge(store, first, second).fact_ids[0], [first, second])
    supersede(store, first, second)

    for line in journal_lines(store):
        assert encode_operation(decode_line(line)) == line
    assert replay_of(store).skipped == []


@pytest.mark.parametrize("operation", ["supersede", "by", "clear", "validity", "merge", "undo", "horizon", "reverify"])
def test_another_tenants_fact_is_as_absent_as_a_missing_one(operation: str, store: Store) -> None:
    mine = put(store, weak("Ana")).fact_ids[0]
    theirs = put(store, weak("Ben"), tenant="acme").fact_ids[0]

    foreign = _refuses(store, CruxError, lambda: _do(operation, store, mine, theirs))
    missing = _refuses(store, CruxError, lambda: _do(operation, store, mine, NOBODY))

    assert type(foreign) is type(missing)
    assert foreign.code in ("not_found", "target_not_found")
    assert str(foreign).replace(theirs, "") == str(missing).replace(NOBODY, "")


@pytest.mark.parametrize("operation", ["supersede", "clear", "validity", "horizon", "reverify"])
def test_the_daemons_own_facts_are_not_changed(operation: str, tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    hold = Fact("f_hold", "default", "__legal_hold__::lh_1", "state", "{}", None, 1.0, NEW_YEAR, 1)
    (data_dir / "facts.jsonl").write_bytes(encode_operation(StoreLine(hold)) + b"\n")
    store = adopted_store(data_dir)
    mine = put(store, weak("Ana")).fact_ids[0]

    _refuses(store, ReservedEntityError, lambda: _do(operation, store, mine, "f_hold"))


@pytest.mark.parametrize("operation", ["supersede", "clear", "validity", "merge", "undo"])
def test_what_needs_a_line_is_refused_before_the_takeover_and_to_an_observer(operation: str, tmp_path: Path) -> None:
    journal = tmp_path / "daemon" / "facts.jsonl"
    journal.parent.mkdir()
    journal.write_bytes(b"")

    with pytest.raises(NotAdoptedError):
        _do(operation, open_store(tmp_path / "new"), NOBODY, NOBODY)
    with pytest.raises(JournalNotOursError):
        _do(operation, open_store(tmp_path / "observer", journal=journal), NOBODY, NOBODY)


def test_an_observer_sets_horizons_and_verifies_again(store: Store, tmp_path: Path) -> None:
    fact_id = put(store, lead("Ana")).fact_ids[0]
    observer = open_store(tmp_path / "observer", journal=store.journal_path)

    for operation in ("horizon", "reverify"):
        _do(operation, observer, fact_id, fact_id)

    assert view_of(observer).facts[fact_id].horizon_class == Horizon.STABLE
    assert view_of(observer).facts[fact_id].reverified_at is not None


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_lone_surrogate_is_refused_wherever_it_stands(operation: Named, tmp_path: Path) -> None:
    store = mergeable_store(tmp_path / "data")

    def act(name: str) -> None:
        with store.writing() as door:
            operation(door, store, "half of a pair: \ud800", name)

    for name in ("", "a key", "\udfff"):
        _refuses(store, TextNotStorableError, partial(act, name))


@pytest.mark.parametrize("operation", [store_one, merge_two])
def test_a_value_may_hold_nul_and_comes_back_with_it(operation: Named, tmp_path: Path) -> None:
    store = mergeable_store(tmp_path / "data")

    with store.writing() as door:
        fact_id = operation(door, store, "a\0b", "a\0key").fact_ids[0]

    assert view_of(open_store(store.data_dir)).facts[fact_id].value == "a\0b"
    assert replay_of(store).skipped == []


@pytest.mark.parametrize("confidence", [-0.1, 1.0000001, math.nan, math.inf, 1e39])
def test_a_merge_with_a_confidence_that_is_none_is_refused(confidence: float, store: Store) -> None:
    request = replace(merge_of(*two_to_merge(store)), confidence=confidence)

    def act() -> None:
        with store.writing() as door:
            view = view_of(store)
            door.consolidate(ANA, "default", request, view=view, read_fact=view.fact)

    _refuses(store, ConfidenceError, act)


def test_validity_can_be_given_at_birth(store: Store) -> None:
    started = put(store, NewFact("team:a", "lead", "Ana", valid_from=NEW_YEAR)).fact_ids[0]
    ended = put(store, NewFact("team:b", "lead", "Ben", valid_to=JUNE)).fact_ids[0]

    facts = view_of(store).facts
    assert (facts[started].valid_from, facts[started].valid_to) == (NEW_YEAR, None)
    assert (facts[ended].valid_from, facts[ended].valid_to) == (None, JUNE)


def _do(operation: str, store: Store, mine: str, other: str) -> None:
    """One operation on `other`, with a fact of ours where it needs one."""
    with store.writing() as door:
        view = view_of(store)
        match operation:
            case "supersede":
                door.supersede(ANA, "default", other, mine, view=view)
            case "by":
                door.supersede(ANA, "default", mine, other, view=view)
            case "clear":
                door.clear_supersede(ANA, "default", other, view=view)
            case "validity":
                door.set_validity(ANA, "default", other, None, None, view=view)
            case "horizon":
                door.set_horizon(ANA, "default", other, Horizon.STABLE, view=view)
            case "reverify":
                door.reverify(ANA, "default", other, view=view)
            case "undo":
                door.consolidate_undo(ANA, "default", other, [mine], view=view)
    if operation == "merge":
        merge(store, mine, other)


def _refuses(store: Store, error: type[CruxError], act: Callable[[], object]) -> CruxError:
    """The act is refused, and every file is as it was before."""
    files = (store.journal_path, store.ledger_path, store.texts_path)
    before = [path.read_bytes() for path in files]

    with pytest.raises(error) as refusal:
        act()

    assert [path.read_bytes() for path in files] == before
    return refusal.value
