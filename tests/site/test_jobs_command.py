"""Long work on the command line."""

import json
from io import StringIO
from threading import Timer

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from apps.accounts.actions import make_personal_token
from apps.accounts.models import User
from apps.jobs.actions import enqueue
from apps.jobs.models import Job
from cruxstore.door import Store
from tests.people import principal


def become(monkeypatch: pytest.MonkeyPatch, store: Store, person: User) -> None:
    """Puts a token of this person into the environment."""
    made = make_personal_token(store, principal=principal(person), name="shell", days=1, now=timezone.now())
    monkeypatch.setenv("CRUXWEB_TOKEN", made.text)


def told(*arguments: str, **options: object) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("jobs", *arguments, stdout=out, tenant="default", **options)
    return out.getvalue()


@pytest.fixture
def job(store: Store) -> Job:
    return enqueue("import", tenant="default", started_by="p_1", arguments={}, title="Import of a.jsonl", unit="facts")


def test_the_list_is_that_of_the_persons_tenant(
    monkeypatch: pytest.MonkeyPatch, store: Store, curator: User, stranger: User, job: Job
) -> None:
    enqueue("rebuild_index", tenant=None, started_by="p_1", arguments={})
    become(monkeypatch, store, curator)

    assert [each["number"] for each in json.loads(told(json=True))] == [job.number]
    assert f"J-{job.number}  queued     Import of a.jsonl, 0 facts" in told()
    become(monkeypatch, store, stranger)
    with pytest.raises(CommandError, match="not_permitted"):
        told()


def test_a_job_is_followed_until_it_ends(
    monkeypatch: pytest.MonkeyPatch, store: Store, curator: User, job: Job
) -> None:
    become(monkeypatch, store, curator)

    def end() -> None:
        Job.objects.filter(number=job.number).update(
            state="finished", done=7, total=7, counts={"stored": 7}, ended_at=timezone.now()
        )
        connection.close()

    later = Timer(0.7, end)
    later.start()
    answer = json.loads(told(str(job.number), follow=True, json=True))
    later.join()

    assert (answer["state"], answer["done"], answer["counts"]) == ("finished", 7, {"stored": 7})


def test_a_job_is_steered_by_who_may(
    monkeypatch: pytest.MonkeyPatch, store: Store, curator: User, viewer: User, job: Job
) -> None:
    become(monkeypatch, store, viewer)
    with pytest.raises(CommandError, match="not_permitted"):
        told(str(job.number), do="cancel")
    assert Job.objects.get().state == "queued"

    become(monkeypatch, store, curator)
    told(str(job.number), do="cancel")
    assert Job.objects.get().state == "cancelled"
    with pytest.raises(CommandError, match="job_moved_on"):
        told(str(job.number), do="cancel")
    told(str(job.number), do="again")
    assert Job.objects.get().state == "queued"


def test_a_dead_job_ends_the_command_with_an_error(
    monkeypatch: pytest.MonkeyPatch, store: Store, curator: User, job: Job
) -> None:
    Job.objects.update(state="dead", error="It stopped.", ended_at=timezone.now())
    become(monkeypatch, store, curator)

    with pytest.raises(CommandError, match="It stopped"):
        told(str(job.number), follow=True)


def test_without_a_number_there_is_nothing_to_follow(store: Store) -> None:
    with pytest.raises(CommandError, match="Say which job"):
        told(follow=True)
