"""Readiness and figures: each part is well or says why in a code, and none of it says anything of content."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from django.db import OperationalError, connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from apps.accounts.actions import SYSTEM
from apps.facts.acting import acting
from apps.facts.models import LedgerEvent
from apps.facts.projector import bring_up_to_date
from apps.jobs.actions import enqueue
from apps.jobs.broker import app
from apps.jobs.heartbeats import beat
from apps.jobs.rules import SILENT_AFTER, Lane
from cruxstore.door import NewFact, Store
from cruxstore.ledger.events import Action
from cruxweb import health

WELL = {"index": "ok", "workers": "ok", "journal": "ok", "ledger": "ok", "disk": "ok"}


@pytest.fixture
def site(store: Store) -> Store:
    """A store with a fact in its index, and workers that live."""
    with acting(store) as (door, view):
        door.store_facts(SYSTEM, "default", [NewFact("team:rosebud", "lead", "Wendeltreppe")], view=view)
    for lane in Lane:
        beat(lane)
    return store


def answer() -> tuple[int, dict[str, str]]:
    """Status and checks of the page."""
    asked = Client().get("/readyz")
    return asked.status_code, asked.json()["checks"]


def figures(**headers: str) -> dict[str, float]:
    """Every sample by its name and labels."""
    asked = Client().get("/metrics", headers=headers)
    assert asked.status_code == 200
    return {
        f"{sample.name}{{{','.join(sample.labels.values())}}}" if sample.labels else sample.name: sample.value
        for family in text_string_to_metric_families(asked.content.decode())
        for sample in family.samples
    }


def grow_old(path: Path) -> None:
    """Makes a file one of an hour ago."""
    an_hour_ago = time.time() - 3600
    os.utime(path, (an_hour_ago, an_hour_ago))


def test_a_site_that_does_its_work_is_ready(site: Store) -> None:
    asked = Client().get("/readyz")

    assert asked.status_code == 200
    assert asked.json() == {"status": "ready", "checks": WELL}


def test_a_worker_that_is_silent_is_named_by_its_lane(site: Store) -> None:
    silent = time.time() - 2 * SILENT_AFTER.total_seconds()
    os.utime(site.data_dir / "broker" / "long.alive", (silent, silent))

    assert answer() == (503, WELL | {"workers": "worker_silent_long"})

    shutil.rmtree(site.data_dir / "broker")
    assert answer() == (503, WELL | {"workers": "worker_silent_long_and_short"})


def test_an_index_that_has_not_read_what_is_there_for_long_is_behind(site: Store) -> None:
    with site.writing() as door:
        door.record(SYSTEM, "default", Action.TENANT_CREATED, text="sea")
    grow_old(site.ledger_path)

    assert answer() == (503, WELL | {"ledger": "ledger_behind"})

    bring_up_to_date(site, now_ns=time.time_ns())
    assert answer() == (200, WELL)


def test_a_line_that_somebody_else_wrote_makes_it_red_before_and_after_it_is_recorded(site: Store) -> None:
    with site.journal_path.open("ab") as journal:
        journal.write(b"{}\n")
    grow_old(site.journal_path)

    assert answer() == (503, WELL | {"index": "index_behind", "journal": "journal_foreign"})

    with site.writing():
        pass
    bring_up_to_date(site, now_ns=time.time_ns())
    assert answer() == (503, WELL | {"journal": "journal_foreign"})


def test_a_journal_that_somebody_replaced_is_red_until_an_operator_acknowledges_it(site: Store) -> None:
    with site.writing() as door:
        door.record(SYSTEM, "default", Action.TENANT_CREATED, text="sea")
    other = site.data_dir / "other"
    other.write_bytes(b"")
    other.rename(site.journal_path)
    with site.writing():
        pass
    bring_up_to_date(site, now_ns=time.time_ns(), limit=None)

    assert answer() == (503, WELL | {"journal": "continuity_broken"})

    event = LedgerEvent.objects.get(code="journal_replaced")
    with site.writing() as door:
        action = Action.CONTINUITY_ACKNOWLEDGED
        door.record(SYSTEM, "", action, subjects=(event.event_id,), text="we moved it")
    bring_up_to_date(site, now_ns=time.time_ns())
    assert answer() == (200, WELL)


def test_a_store_in_which_something_is_missing_says_what(site: Store) -> None:
    key = next((site.data_dir / "keys").glob("journal-*.key"))
    key.rename(key.with_suffix(".elsewhere"))

    assert answer() == (503, WELL | {"journal": "key_missing"})


def test_a_disk_that_is_nearly_full_is_red(site: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        total: int
        used: int
        free: int

    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(100, 96, 4))

    assert answer() == (503, WELL | {"disk": "disk_full"})


def test_without_a_database_it_says_so_instead_of_failing(site: Store) -> None:
    with unreachable():
        status, found = answer()

    assert status == 503
    assert {found["index"], found["ledger"]} == {"database_unreachable"}
    assert (found["workers"], found["disk"]) == ("ok", "ok")


def test_the_figures_are_those_of_files_and_tables(site: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "send_task", lambda *args, **options: None)
    enqueue("import", tenant="default", started_by="p_ana", arguments={"import_id": "i_1"})

    found = figures()

    assert found["cruxweb_ready"] == 1
    assert found["cruxweb_check_ok{journal}"] == 1
    assert found["cruxweb_journal_bytes"] == site.journal_path.stat().st_size
    assert found["cruxweb_ledger_bytes"] == site.ledger_path.stat().st_size
    assert found["cruxweb_index_lag_bytes"] == found["cruxweb_index_lag_seconds"] == found["cruxweb_quarantines"] == 0
    assert (found["cruxweb_queue_jobs{long}"], found["cruxweb_queue_jobs{short}"]) == (1, 0)
    assert 0 <= found["cruxweb_queue_age_seconds{long}"] < 60
    assert 0 <= found["cruxweb_worker_lag_seconds{short}"] < 60
    assert 0 < found["cruxweb_disk_free_bytes"] <= found["cruxweb_disk_total_bytes"]


def test_how_soon_acts_can_be_read_is_counted_once_for_all_processes(site: Store) -> None:
    before = figures()

    with acting(site) as (door, view):
        door.store_facts(SYSTEM, "default", [NewFact("team:b", "lead", "Ana")], view=view)

    after = figures()
    assert after["cruxweb_write_to_readable_seconds_count"] == before["cruxweb_write_to_readable_seconds_count"] + 1
    assert after["cruxweb_write_to_readable_seconds_bucket{+Inf}"] == after["cruxweb_write_to_readable_seconds_count"]
    spent = after["cruxweb_write_to_readable_seconds_sum"] - before["cruxweb_write_to_readable_seconds_sum"]
    assert 0 < spent < 30


def test_nothing_of_a_fact_a_person_or_a_tenant_is_in_either(site: Store, make_person: object) -> None:
    assert callable(make_person)
    make_person("zebedee")
    content = Client().get("/metrics").content + Client().get("/readyz").content

    for word in (b"rosebud", b"lead", b"Wendeltreppe", b"default", b"acme", b"zebedee", str(site.data_dir).encode()):
        assert word not in content


def test_without_a_token_this_host_alone_may_see_the_figures_and_not_through_a_proxy(site: Store) -> None:
    assert Client(REMOTE_ADDR="::1").get("/metrics").status_code == 200
    assert Client(REMOTE_ADDR="192.0.2.7").get("/metrics").status_code == 403
    for name in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"):
        assert Client().get("/metrics", headers={name: "192.0.2.7"}).status_code == 403


def test_with_a_token_whoever_shows_it_may(site: Store, settings: Settings) -> None:
    settings.METRICS_TOKEN = "figures-please"

    assert Client().get("/metrics").status_code == 403
    assert Client().get("/metrics", headers={"Authorization": "Bearer figures-pleas"}).status_code == 403
    shown = Client(REMOTE_ADDR="192.0.2.7").get("/metrics", headers={"Authorization": "Bearer figures-please"})
    assert shown.status_code == 200


def test_figures_without_a_database_say_that_the_site_is_not_ready(site: Store) -> None:
    with unreachable():
        found = figures()

    assert found["cruxweb_ready"] == 0
    assert found["cruxweb_check_ok{index}"] == 0
    assert health.UNREACHABLE not in found


@contextmanager
def unreachable() -> Iterator[None]:
    """While the block runs, the database answers nothing."""

    def refuse(*arguments: object) -> None:
        raise OperationalError("refused")

    with connection.execute_wrapper(refuse):
        yield
