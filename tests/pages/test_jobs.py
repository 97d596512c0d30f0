"""Long work as pages."""

from django.test import Client

from apps.jobs.actions import enqueue

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
