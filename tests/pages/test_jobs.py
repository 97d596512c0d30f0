"""Long work as pages."""

from django.test import Client
from django.utils import timezone

from apps.jobs.actions import enqueue
from apps.jobs.models import Job

JOBS = "/t/default/jobs/"


def test_a_job_is_listed_and_followed_until_it_ends(as_curator: Client) -> None:
    job = enqueue("import", tenant="default", started_by="p_1", arguments={}, title="Import of memory.jsonl")

    queued = as_curator.get(f"{JOBS}{job.number}/").text
    as_curator.post(f"{JOBS}{job.number}/cancel/")
    cancelled = as_curator.get(f"{JOBS}{job.number}/").text

    assert "Import of memory.jsonl" in as_curator.get(JOBS).text
    assert "Waits for a worker" in queued and 'hx-trigger="every 2s"' in queued
    assert "Cancelled" in cancelled and "hx-trigger" not in cancelled


def test_a_viewer_follows_jobs_but_does_not_steer_them(as_viewer: Client) -> None:
    job = enqueue("import", tenant="default", started_by="p_1", arguments={})

    assert f"Cancel {'J-'}{job.number}" not in as_viewer.get(f"{JOBS}{job.number}/").text
    assert as_viewer.post(f"{JOBS}{job.number}/cancel/").status_code == 403


def test_a_job_of_another_tenant_or_of_the_store_does_not_exist(as_curator: Client, as_operator: Client) -> None:
    foreign = enqueue("import", tenant="acme", started_by="p_1", arguments={})
    wide = enqueue("rebuild_index", tenant=None, started_by="p_1", arguments={})

    assert as_curator.get(f"{JOBS}{foreign.number}/").status_code == 404
    assert as_curator.get(f"{JOBS}{wide.number}/").status_code == 404
    assert as_operator.get(f"{JOBS}{wide.number}/").status_code == 200


def test_an_ended_job_is_not_cancelled_again(as_curator: Client) -> None:
    job = enqueue("import", tenant="default", started_by="p_1", arguments={})
    as_curator.post(f"{JOBS}{job.number}/cancel/")

    answer = as_curator.post(f"{JOBS}{job.number}/cancel/")

    assert answer.status_code == 409
    assert "has already ended" in answer.text


def test_htmx_gets_the_job_alone(as_curator: Client) -> None:
    job = enqueue("import", tenant="default", started_by="p_1", arguments={})

    answer = as_curator.get(f"{JOBS}{job.number}/", headers={"HX-Request": "true"})

    assert "<html" not in answer.text
    assert 'data-said="J-' in answer.text


def test_a_dead_job_stands_first_and_is_run_again_or_set_aside(as_curator: Client) -> None:
    dead = enqueue("import", tenant="default", started_by="p_1", arguments={}, title="Import of old.jsonl")
    enqueue("import", tenant="default", started_by="p_1", arguments={}, title="Import of new.jsonl")
    Job.objects.filter(number=dead.number).update(state="dead", error="It stopped.", ended_at=timezone.now())

    listed = as_curator.get(JOBS).text
    page = as_curator.get(f"{JOBS}{dead.number}/").text
    as_curator.post(f"{JOBS}{dead.number}/set-aside/")

    assert listed.index("old.jsonl") < listed.index("new.jsonl")
    assert f"Run J-{dead.number} again" in page and f"Set J-{dead.number} aside" in page
    assert Job.objects.get(number=dead.number).state == "cancelled"
    assert as_curator.post(f"{JOBS}{dead.number}/set-aside/").status_code == 409


def test_the_timetable_says_what_runs_when_and_runs_it_now(as_operator: Client, as_viewer: Client) -> None:
    page = as_operator.get(f"{JOBS}timetable/").text

    assert "the day&#x27;s checkpoint" in page and "at 00:05 UTC" in page and "every 5 s" in page
    started = as_operator.post(f"{JOBS}timetable/checkpoint/run/")
    assert Job.objects.get().kind == "checkpoint"
    assert started.headers["Location"] == f"{JOBS}{Job.objects.get().number}/"
    assert as_operator.post(f"{JOBS}timetable/checkpoint/run/").status_code == 409
    assert as_operator.post(f"{JOBS}timetable/nothing/run/").status_code == 404
    assert "Run now" not in as_viewer.get(f"{JOBS}timetable/").text
    assert as_viewer.post(f"{JOBS}timetable/checkpoint/run/").status_code == 403


def test_an_operator_rebuilds_the_index_and_watches_it_on_the_store_page(as_operator: Client) -> None:
    as_operator.post("/store/rebuild/")
    as_operator.post("/store/rebuild/")

    job = Job.objects.get()
    assert (job.kind, job.tenant) == ("rebuild_index", "")
    page = as_operator.get("/store/").text
    assert f"Last rebuild of the index, J-{job.number}" in page and 'hx-trigger="every 2s"' in page
    part = as_operator.get("/store/?kind=rebuild_index", headers={"HX-Request": "true"}).text
    assert "<html" not in part and f"J-{job.number}" in part
