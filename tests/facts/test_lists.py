"""Entities, overview, store and exports: what they say, and what they leave out."""

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.rules import Scope
from apps.facts.acting import acting
from apps.facts.answers import Count, FactFilter
from apps.facts.projector import bring_up_to_date
from apps.facts.queries import (
    export_facts,
    find_entities,
    get_entity,
    get_fact,
    overview,
    store_counts,
    store_status,
)
from apps.facts.queries.exports import count_left_out
from apps.store import open_store
from cruxstore.door import NewFact, Store
from cruxstore.errors import NotFoundError
from cruxstore.facts.codec import encode_fact
from cruxstore.facts.records import Delete, Fact, Horizon, SetValidity, Supersede
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.events import Actor
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored

STAMP = "2026-11-30T09:00:00+00:00"


@pytest.mark.django_db
def test_entities_are_listed_by_name_with_their_keys_and_facts(files: Files, reader: Scope) -> None:
    facts = [make_fact(n, entity=f"team:{n:02}", key=f"key {k}") for n in range(60) for k in range(1)]
    files.write(stored(*facts, make_fact(900, entity="team:00", key="other"), make_fact(901, entity="svc:a")))
    bring_up_to_date(files, now_ns=NOON_NS)

    first = find_entities(reader, store=files, now_ns=NOON_NS)
    second = find_entities(reader, after=first.next or "", store=files, now_ns=NOON_NS)
    back = find_entities(reader, before=second.previous or "", store=files, now_ns=NOON_NS)

    assert (first.count, first.rows[0].entity, first.rows[1].keys, first.rows[1].facts) == (
        Count(61),
        "svc:a",
        Count(2),
        Count(2),
    )
    assert [(kind.value, kind.count.value) for kind in first.kinds] == [("team:", 60), ("svc:", 1)]
    assert [row.entity for row in second.rows] == [f"team:{n:02}" for n in range(49, 60)]
    assert back.rows == first.rows
    of_a_kind = find_entities(reader, kind="svc:", store=files, now_ns=NOON_NS)
    assert [row.entity for row in of_a_kind.rows] == ["svc:a"]


@pytest.mark.django_db
def test_an_entity_of_private_facts_alone_is_its_owners_secret(files: Files, reader: Scope, owner: Scope) -> None:
    secret = make_fact(1, entity="__agent::lark::notes", private=True)
    files.write(stored(secret, make_fact(2, entity="plan:x", private=True), make_fact(3, entity="team:a")))
    bring_up_to_date(files, now_ns=NOON_NS)

    def names(scope: Scope) -> list[str]:
        return [row.entity for row in find_entities(scope, store=files, now_ns=NOON_NS).rows]

    assert names(reader) == ["team:a"]
    assert names(owner) == ["__agent::lark::notes", "team:a"]
    for entity in ("__agent::lark::notes", "plan:x", "missing"):
        with pytest.raises(NotFoundError, match="There is no such entity"):
            get_entity(reader, entity, store=files, now_ns=NOON_NS)
    assert get_entity(owner, "__agent::lark::notes", store=files, now_ns=NOON_NS).facts == Count(1)


@pytest.mark.django_db
def test_an_entity_shows_what_is_current_and_what_was(files: Files, reader: Scope) -> None:
    files.write(
        [
            *stored(make_fact(1, "old"), make_fact(2, "new", version=2, supersedes=1)),
            Supersede(fact_id(1), fact_id(2), STAMP),
            *stored(make_fact(3, "x", key="a"), make_fact(4, "hidden", key="a", private=True)),
        ]
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    detail = get_entity(reader, "service:checkout", store=files, now_ns=NOON_NS)

    assert [(key.key, [row.value_excerpt for row in key.current]) for key in detail.keys] == [
        ("a", ["x"]),
        ("deploy_gate", ["new"]),
    ]
    assert [row.value_excerpt for row in detail.keys[1].history] == ["new", "old"]
    assert detail.facts == Count(3)


@pytest.mark.django_db
def test_the_overview_tells_what_has_changed_since_yesterday(files: Files, reader: Scope) -> None:
    yesterday = parse_timestamp("2026-11-29T09:00:00Z")
    soon = parse_timestamp("2026-11-29T15:00:00Z")
    files.write(
        stored(
            make_fact(1, key="a", horizon=Horizon.VOLATILE, stored_at=yesterday),
            make_fact(2, key="b", horizon=Horizon.VOLATILE, stored_at=soon),
            make_fact(3, "yes", key="c", actor="triage"),
            make_fact(4, "no", key="c", actor="triage"),
            make_fact(5, key="d", actor=None),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    told = overview(reader, store=files, now_ns=NOON_NS)

    assert (told.total, told.new, told.stale, told.conflicts) == (Count(5), Count(4), Count(1), Count(2))
    assert {(one.name, one.count.value) for one in told.new_by_actor} == {("triage", 2), ("deploy-bot", 1), ("", 1)}
    assert [row.fact_id for row in told.newly_stale_rows] == [fact_id(1)]
    assert [row.fact_id for row in told.going_stale_rows] == [fact_id(2)]
    assert {row.fact_id for row in told.conflict_rows} == {fact_id(3), fact_id(4)}
    assert [row.fact_id for row in told.newest] == [fact_id(n) for n in (5, 4, 3, 2, 1)]


@pytest.mark.django_db
def test_the_store_tells_every_line_that_changed_nothing(files: Files, reader: Scope) -> None:
    files.write(
        [
            *stored(make_fact(1), make_fact(1), make_fact(2, superseded_by=3)),
            b'{"op":"forget"}',
            Supersede(fact_id(2), fact_id(3), STAMP),
            Supersede(fact_id(1), fact_id(9), STAMP),
            Delete(fact_id(8), STAMP),
            b"",
        ]
    )
    with files.journal_path.open("ab") as journal:
        journal.write(b'{"op":"sto')
    (files.data_dir / "facts.jsonl.torn.0123").write_bytes(b"torn")
    bring_up_to_date(files, now_ns=NOON_NS)

    told = store_status(store=files, now_ns=NOON_NS)
    counts = store_counts(reader, store=files, now_ns=NOON_NS)

    assert [(note.line_no, note.excerpt[:15]) for note in told.skipped] == [
        (6, '{"op":"supersed'),
        (4, '{"op":"forget"}'),
    ]
    assert [note.line_no for note in told.ignored] == [7, 2]
    assert [note.line_no for note in told.redundant] == [5]
    assert (told.skipped_count, told.ignored_count, told.redundant_count) == (2, 2, 1)
    assert (told.lines, told.facts, told.torn_tail_bytes) == (8, 2, 10)
    assert [(one.name, one.size_bytes) for one in told.quarantines] == [("facts.jsonl.torn.0123", 4)]
    assert told.facts_by_state == {"current": 1, "superseded": 1, "deleted": 0}
    assert (told.tenants, counts.facts, counts.by_state["superseded"]) == ({"default": 2}, Count(2), 1)


def exported(scope: Scope, files: Files, form: str, chosen: FactFilter | None = None) -> bytes:
    chunks: Iterator[bytes] = export_facts(
        scope,
        chosen or FactFilter(sort="recorded"),
        form="csv" if form == "csv" else "jsonl",
        store=files,
        now_ns=NOON_NS,
    )
    return b"".join(chunks)


@pytest.mark.django_db
def test_an_export_as_jsonl_has_the_exact_bytes_of_each_fact(files: Files, reader: Scope) -> None:
    facts = [make_fact(n, "é\u2028\0", key=str(n)) for n in range(1200)]
    odd = (
        b'{"op":"store", "fact": {"value":"spaced", '
        + encode_fact(make_fact(5000, key="z"))[1:].replace(b'"value":"yes",', b"")
        + b"}"
    )
    files.write([*stored(*facts), odd])
    bring_up_to_date(files, now_ns=NOON_NS, limit=None)

    lines = exported(reader, files, "jsonl").split(b"\n")

    assert lines[:1200] == [encode_fact(fact) for fact in facts]
    assert lines[1200] == odd[len(b'{"op":"store", "fact": ') : -1]
    assert exported(reader, files, "jsonl", FactFilter(q="spaced")).count(b"\n") == 1


@pytest.mark.django_db
def test_an_export_as_csv_is_safe_in_a_spreadsheet(files: Files, reader: Scope) -> None:
    values = ["=1+1", "+1", "-1", "@a", "\tx", "\rx", 'quo"ted, and\nlines', "plain"]
    files.write(stored(*(make_fact(n, value, key=str(n)) for n, value in enumerate(values))))
    bring_up_to_date(files, now_ns=NOON_NS)

    text = exported(reader, files, "csv").decode()

    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["value"] for row in rows] == ["'=1+1", "'+1", "'-1", "'@a", "'\tx", "'\rx", *values[6:]]
    assert text.startswith("fact_id,entity,key,value,")
    assert text.count("\r\n") == 1 + len(values)


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_an_export_leaves_stubs_out_and_counts_them(files: Files, reader: Scope, owner: Scope, form: str) -> None:
    secret = make_fact(1, "a secret", entity="__agent::lark::notes", private=True)
    files.write(stored(secret, make_fact(2, "in the open")))
    bring_up_to_date(files, now_ns=NOON_NS)

    assert b"secret" not in exported(reader, files, form)
    assert b"in the open" in exported(reader, files, form)
    assert b"secret" in exported(owner, files, form)
    assert count_left_out(reader, FactFilter(), store=files, now_ns=NOON_NS) == 1
    assert count_left_out(owner, FactFilter(), store=files, now_ns=NOON_NS) == 0


@pytest.mark.django_db
def test_what_an_export_leaves_out_is_counted_as_both_clocks_ask(files: Files, reader: Scope, owner: Scope) -> None:
    secrets = [make_fact(n, entity=f"__agent::lark::{n}", private=True, confidence=n / 10) for n in range(1, 7)]
    ended = parse_timestamp("2026-06-01T00:00:00Z")
    files.write([*stored(*secrets), *stored(make_fact(9, "in the open"))])
    files.append([Delete(fact_id(1), "2026-11-30T09:00:00+00:00")])
    files.append([SetValidity(fact_id(2), None, ended, "2026-11-30T09:00:00+00:00")])
    bring_up_to_date(files, now_ns=NOON_NS)

    def left_out(scope: Scope = reader, **chosen: Any) -> int:
        return count_left_out(scope, FactFilter(**chosen), store=files, now_ns=NOON_NS)

    assert left_out() == 5
    assert left_out(state=("deleted",)) == 1
    assert left_out(known="line 3") == 3
    assert left_out(known="line 7") == 6
    assert left_out(known="line 7", about="2026-07-01T00:00:00Z") == 6
    assert left_out(about="2026-07-01T00:00:00Z") == 4
    assert left_out(about="2026-05-01T00:00:00Z") == 5
    assert left_out(min_confidence=0.45) == 2
    assert left_out(known="line 7", min_confidence=0.45) == 2
    assert left_out(marks=("private",)) == 5
    assert left_out(marks=("held",)) == 0
    assert left_out(q="agent") == left_out(owner) == left_out(owner, known="line 3") == 0


def written(store: Store, *facts: Fact) -> None:
    with store.journal_path.open("ab") as journal:
        journal.write(b"".join(b'{"op":"store","fact":' + encode_fact(fact) + b"}\n" for fact in facts))


@pytest.mark.django_db(transaction=True)
def test_the_commands_rebuild_follow_and_export(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    written(store, make_fact(1, "one"), make_fact(2, "two", key="b"))
    target = store.data_dir / "out.jsonl"

    call_command("follow_store", "--once", "--json")
    call_command("rebuild_index", "--json")
    call_command("export_facts", str(target), "--tenant", "default", "--sort", "recorded")

    followed, rebuilt = capsys.readouterr().out.strip().split("\n")
    assert '"state": "current"' in followed
    assert '"facts": 2' in rebuilt
    assert target.read_bytes().count(b"\n") == 2
    with pytest.raises(CommandError, match="There are no facts of a tenant nobody"):
        call_command("export_facts", str(target), "--tenant", "nobody")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_facts", str(store.data_dir / "no" / "folder"), "--tenant", "default")


@pytest.mark.django_db(transaction=True)
def test_a_fact_stored_by_the_door_comes_with_its_ledger_event(store: Store, reader: Scope) -> None:
    with acting(store) as (door, view):
        receipt = door.store_facts(Actor("person", "p_ana"), "default", [NewFact("team:a", "lead", "Ana")], view=view)
    bring_up_to_date(store, now_ns=NOON_NS)

    (event,) = get_fact(reader, receipt.fact_ids[0], store=open_store(), now_ns=NOON_NS).events

    assert (event.action, event.actor_id, event.outcome) == ("fact.stored", "p_ana", "done")
