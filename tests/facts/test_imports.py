"""A file comes in once, says where it came from, and can be taken back whole."""

from collections.abc import Sequence
from datetime import UTC, datetime

import orjson
import pytest

from apps.accounts.models import User
from apps.facts.actions import (
    EmptyUploadError,
    NothingToImportError,
    UploadTooLargeError,
    keep_upload,
    open_import,
    run_import,
    take_back_import,
)
from apps.facts.queries.imports import find_imports, get_import, get_upload, preview, read_upload
from apps.facts.queries.standing import FactHeldError
from cruxstore.door import Store
from cruxstore.errors import NotFoundError, NotPermittedError
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.journal import replay_journal
from cruxstore.facts.records import Store as StoreOne
from cruxstore.ledger.events import Actor
from tests.facts.journals import make_fact
from tests.holds import place_hold
from tests.people import principal, scope

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
MEMORY = b"""{"type":"entity","name":"Harbour","entityType":"project","observations":["Started in May","Lead is Ines"]}
{"type":"relation","from":"Ines","to":"Harbour","relationType":"leads"}
not json
"""
TABLE = b"entity,key,value\nteam:a,lead,Ana\nteam:a,lead,Bea\nteam:b,lead,Cleo\n"


def bring(store: Store, user: User, data: bytes, *, name: str = "memory.jsonl") -> str:
    """Uploads and imports a file as this person; answers the import's id."""
    me = principal(user)
    upload = keep_upload(store, scope(user), principal=me, file_name=name, chunks=[data], limit_bytes=10**6, at=NOW)
    import_id = open_import(store, scope(user), principal=me, upload=upload, form="auto")
    run_import(store, scope(user), actor=Actor("person", me.principal_id), import_id=import_id, digest=upload.digest)
    return import_id


def live_values(store: Store) -> Sequence[tuple[str, str, str]]:
    """Entity, key and value of what counts now, from the journal itself."""
    state = replay_journal(store.journal_path, store.privacy).state
    return [
        (fact.entity, fact.key, fact.value)
        for fact in state.facts.values()
        if not fact.deleted and fact.superseded_by is None
    ]


def test_each_observation_and_relation_becomes_a_fact(store: Store, curator: User) -> None:
    bring(store, curator, MEMORY)

    values = live_values(store)
    assert {value for _, _, value in values} == {"Started in May", "Lead is Ines", "Harbour"}
    assert len({key for _, key, _ in values}) == 3


def test_a_fact_carries_where_it_came_from(store: Store, curator: User) -> None:
    import_id = bring(store, curator, MEMORY)

    line = orjson.loads(store.journal_path.read_bytes().splitlines()[0])
    assert line["facts"][0]["_import"] == {"id": import_id, "line": 1, "entity_type": "project"} | {
        key: value for key, value in line["facts"][0]["_import"].items() if key == "path"
    }


def test_a_batch_is_one_line(store: Store, curator: User) -> None:
    bring(store, curator, MEMORY)

    assert len(store.journal_path.read_bytes().splitlines()) == 1


def test_the_same_file_twice_stores_nothing_twice(store: Store, curator: User) -> None:
    bring(store, curator, MEMORY)
    before = store.journal_path.read_bytes()

    with pytest.raises(NothingToImportError):
        bring(store, curator, MEMORY)

    assert store.journal_path.read_bytes() == before


def test_a_longer_copy_of_a_file_brings_only_what_is_new(store: Store, curator: User) -> None:
    bring(store, curator, TABLE)

    bring(store, curator, TABLE + b"team:b,lead,Dora\n", name="later.csv")

    assert ("team:b", "lead", "Dora") in live_values(store)
    assert len(store.journal_path.read_bytes().splitlines()) == 5  # two acts, then one, with their supersedes


def test_two_values_of_one_key_are_a_chain(store: Store, curator: User) -> None:
    bring(store, curator, TABLE)

    assert sorted(live_values(store)) == [("team:a", "lead", "Bea"), ("team:b", "lead", "Cleo")]


def test_an_import_can_be_taken_back_whole(store: Store, curator: User) -> None:
    bring(store, curator, b"entity,key,value\nteam:a,lead,Zoe\n", name="first.csv")
    second = bring(store, curator, TABLE)

    deleted = take_back_import(store, scope(curator), principal=principal(curator), import_id=second)

    assert deleted == 3
    assert live_values(store) == [("team:a", "lead", "Zoe")]
    assert get_import(scope(curator), second, store=store).state == "taken_back"


def test_an_import_taken_back_can_come_in_again(store: Store, curator: User) -> None:
    first = bring(store, curator, MEMORY)
    take_back_import(store, scope(curator), principal=principal(curator), import_id=first)

    bring(store, curator, MEMORY)

    assert len(live_values(store)) == 3


def test_an_import_with_a_held_fact_stays_whole(store: Store, curator: User) -> None:
    import_id = bring(store, curator, TABLE)
    place_hold(store, "team:b")
    before = live_values(store)

    with pytest.raises(FactHeldError):
        take_back_import(store, scope(curator), principal=principal(curator), import_id=import_id)

    assert live_values(store) == before
    assert get_import(scope(curator), import_id, store=store).state == "finished"


def test_an_import_that_stopped_goes_on_where_it_was(store: Store, curator: User) -> None:
    me = principal(curator)
    upload = keep_upload(
        store, scope(curator), principal=me, file_name="t.csv", chunks=[TABLE], limit_bytes=10**6, at=NOW
    )
    import_id = open_import(store, scope(curator), principal=me, upload=upload, form="auto")
    actor = Actor("person", me.principal_id)
    answers = iter([False, True])
    run_import(
        store,
        scope(curator),
        actor=actor,
        import_id=import_id,
        digest=upload.digest,
        is_cancelled=lambda: next(answers),
    )

    rest = run_import(store, scope(curator), actor=actor, import_id=import_id, digest=upload.digest)

    assert (rest.stored, rest.known) == (3, 0)
    assert sorted(live_values(store)) == [("team:a", "lead", "Bea"), ("team:b", "lead", "Cleo")]


def test_the_page_of_an_import_names_file_person_and_count(store: Store, curator: User) -> None:
    import_id = bring(store, curator, MEMORY)

    row = get_import(scope(curator), import_id, store=store)

    assert (row.file_name, row.state, row.started_by, row.stored.value) == ("memory.jsonl", "finished", "Curator", 3)
    assert [listed.import_id for listed in find_imports(scope(curator), store=store)] == [import_id]


def test_the_ledger_holds_no_file_name(store: Store, curator: User) -> None:
    bring(store, curator, MEMORY)

    assert b"memory.jsonl" not in store.ledger_path.read_bytes()
    assert b"Ines" not in store.ledger_path.read_bytes()


def test_a_preview_says_what_would_happen_and_changes_nothing(store: Store, curator: User) -> None:
    upload = keep_upload(
        store,
        scope(curator),
        principal=principal(curator),
        file_name="m.jsonl",
        chunks=[MEMORY],
        limit_bytes=10**6,
        at=NOW,
    )
    before = store.ledger_path.read_bytes(), store.journal_path.read_bytes()

    answer = preview(scope(curator), upload, store=store)

    assert len(answer.plan.new) == 3
    assert [fault.line for fault in answer.reading.malformed] == [3]
    assert (store.ledger_path.read_bytes(), store.journal_path.read_bytes()) == before


def test_an_upload_of_another_tenant_is_as_absent_as_a_missing_one(store: Store, curator: User, stranger: User) -> None:
    import_id = bring(store, curator, MEMORY)
    digest = get_import(scope(curator), import_id, store=store).digest

    with pytest.raises(NotFoundError):
        get_upload(scope(stranger, "acme"), digest)
    with pytest.raises(NotFoundError):
        get_import(scope(stranger, "acme"), import_id, store=store)


def test_a_viewer_can_neither_bring_nor_take_back(store: Store, curator: User, viewer: User) -> None:
    import_id = bring(store, curator, MEMORY)

    with pytest.raises(NotPermittedError):
        bring(store, viewer, TABLE)
    with pytest.raises(NotPermittedError):
        take_back_import(store, scope(viewer), principal=principal(viewer), import_id=import_id)


@pytest.mark.parametrize(("data", "error"), [(b"", EmptyUploadError), (b"x" * 2_000_000, UploadTooLargeError)])
def test_a_wrong_upload_is_kept_nowhere(store: Store, curator: User, data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        bring(store, curator, data)

    assert not list((store.data_dir / "uploads").glob("*"))


def test_an_upload_is_readable_by_nobody_else(store: Store, curator: User) -> None:
    import_id = bring(store, curator, MEMORY)
    digest = get_import(scope(curator), import_id, store=store).digest

    path = store.data_dir / "uploads" / digest
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_upload(scope(curator), get_upload(scope(curator), digest), store=store).digest == digest


def test_a_file_does_not_lay_open_what_is_private(store: Store, curator: User) -> None:
    private = make_fact(1, "Ana", entity="team:a", key="lead", private=True)
    with store.journal_path.open("ab") as journal:
        journal.write(encode_operation(StoreOne(private)) + b"\n")

    bring(store, curator, TABLE)

    assert live_values(store) == [("team:a", "lead", "Ana"), ("team:b", "lead", "Cleo")]
