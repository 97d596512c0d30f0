"""What waits for whom: who is told, who is not, and that it ends where it no longer holds."""

import shutil
from collections import namedtuple
from collections.abc import Callable

import pytest
from django.utils import timezone

from apps.accounts.actions import actor_of, approve_role, propose_role, retire_tenant, revoke_role
from apps.accounts.models import User
from apps.accounts.rules import Role
from apps.facts.actions.proof import start_verification
from apps.facts.tasks import run_verification_job
from apps.jobs.actions import enqueue, retry_job, set_aside_job
from apps.jobs.models import Job, Notice
from apps.jobs.queries import NoticeView, find_notices
from apps.jobs.rules import NOTICE_SENTENCES, JobState, Lane, NoticeKind
from apps.jobs.runs import run_queued
from cruxstore.door import Store
from cruxweb.notices import look_what_waits
from tests.conftest import MakePerson
from tests.people import principal, signed_in

Usage = namedtuple("Usage", ["total", "used", "free"])


@pytest.fixture(autouse=True)
def nobody_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """No messages: the table is the queue."""
    monkeypatch.setattr("apps.jobs.actions.wake", lambda lane: None)


@pytest.fixture(autouse=True)
def ample_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """A disk of which half is free, until a test says otherwise."""

    def leave(percent: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(100, 100 - percent, percent))

    leave(50)
    return leave


def notices(person: User, tenant: str = "default") -> list[NoticeView]:
    rights = principal(person)
    return find_notices(rights.principal_id, tenant, sees_store=rights.is_operator)


def inbox(person: User, tenant: str = "default") -> list[tuple[str, str]]:
    """What a person finds there: numbers, and the sentences about them."""
    return [(notice.subject, notice.sentence) for notice in notices(person, tenant)]


def stopped(tenant: str | None, *, state: JobState = JobState.DEAD) -> Job:
    """A job that a fault has stopped."""
    job = enqueue("import", tenant=tenant, started_by="p_1", arguments={}, title="Import of salaries.csv")
    Job.objects.filter(pk=job.pk).update(state=state.value, error="It stopped.", ended_at=timezone.now())
    return job


def test_a_proposal_is_told_to_who_could_be_the_second_person_and_to_nobody_else(
    store: Store, make_person: MakePerson, officer: User, curator: User, viewer: User, stranger: User
) -> None:
    admin = make_person("admin", Role.ADMIN)
    receiver = make_person("receiver", Role.OFFICER)
    foreign = make_person("foreign", Role.OFFICER, tenant="acme")
    made = propose_role(
        store, principal=principal(admin), tenant="default", person_id=receiver.person_id, role=Role.ADMIN
    )

    look_what_waits()

    sentence = NOTICE_SENTENCES[NoticeKind.SECOND_PERSON]
    assert inbox(officer) == [(f"Proposal {made.number}", sentence)]
    assert signed_in(officer).get(notices(officer)[0].address).status_code == 200
    for person in (admin, receiver, curator, viewer):
        assert inbox(person) == [], person
    assert inbox(stranger, "acme") == inbox(foreign, "acme") == []

    approve_role(store, principal=principal(officer), tenant="default", proposal_id=made.proposal_id)
    look_what_waits()
    assert inbox(officer) == []


def test_a_stopped_job_is_told_to_who_may_run_it_again(
    curator: User, operator: User, officer: User, viewer: User, stranger: User
) -> None:
    dead, failed = stopped("default"), stopped("default", state=JobState.FAILED)
    enqueue("import", tenant="default", started_by="p_1", arguments={})

    look_what_waits()

    sentence = NOTICE_SENTENCES[NoticeKind.DEAD_LETTER]
    told = [(str(dead), sentence), (str(failed), sentence)]
    assert inbox(curator) == inbox(operator) == told
    assert notices(curator)[0].address == f"/t/default/jobs/{dead.number}/"
    assert notices(curator)[0].since_at == Job.objects.get(pk=dead.pk).ended_at
    assert inbox(officer) == inbox(viewer) == inbox(stranger) == inbox(stranger, "acme") == []

    retry_job(dead.number)
    set_aside_job(failed.number)
    look_what_waits()
    assert inbox(curator) == []


def test_who_may_no_longer_steer_it_is_no_longer_told(store: Store, operator: User, curator: User) -> None:
    stopped("default")
    look_what_waits()
    assert len(inbox(curator)) == 1

    revoke_role(
        store, actor=actor_of(principal(operator)), tenant="default", person_id=curator.person_id, role=Role.CURATOR
    )
    look_what_waits()

    assert inbox(curator) == []
    assert len(inbox(operator)) == 1


def test_who_cannot_sign_in_is_not_told(curator: User) -> None:
    User.objects.filter(pk=curator.pk).update(is_active=False)
    stopped("default")

    look_what_waits()

    assert not Notice.objects.exists()


def test_a_stopped_job_of_the_store_is_told_to_operators_alone(operator: User, curator: User) -> None:
    job = stopped(None)

    look_what_waits()

    assert inbox(operator) == [(str(job), NOTICE_SENTENCES[NoticeKind.DEAD_LETTER])]
    assert inbox(operator, "acme") == inbox(operator)
    assert inbox(curator) == []
    assert notices(operator)[0].address == f"/t/default/jobs/{job.number}/"
    assert signed_in(operator).get(notices(operator)[0].address).status_code == 200


def test_who_operates_the_store_without_a_role_in_a_tenant_is_led_to_it(make_person: MakePerson) -> None:
    keeper = make_person("keeper", Role.OPERATOR)
    stopped(None)

    look_what_waits()

    assert [notice.address for notice in notices(keeper, "")] == ["/store/"]
    page = signed_in(keeper).get("/store/").text
    assert "What waits for you" in page and NOTICE_SENTENCES[NoticeKind.DEAD_LETTER] in page


def test_nobody_is_told_of_a_retired_tenant(store: Store, operator: User, stranger: User) -> None:
    stopped("acme")
    look_what_waits()
    assert len(inbox(stranger, "acme")) == 1

    retire_tenant(store, principal=principal(operator), name="acme")
    look_what_waits()

    assert inbox(stranger, "acme") == inbox(operator) == []


def test_a_check_that_found_a_fault_is_told_to_operators_until_one_finds_none(
    store: Store, operator: User, curator: User
) -> None:
    whole = store.texts_path.read_bytes()
    store.texts_path.write_bytes(whole.replace(b"Operator", b"Operetta"))
    assert store.texts_path.read_bytes() != whole

    def check() -> Job:
        job = start_verification(principal(operator))
        assert job is not None
        run_queued(Lane.LONG, {"verification": run_verification_job})
        return job

    job = check()
    look_what_waits()
    assert (str(job), NOTICE_SENTENCES[NoticeKind.VERIFICATION_FAILED]) in inbox(operator)
    assert inbox(curator) == []
    assert [notice.address for notice in notices(operator) if notice.subject == str(job)] == ["/store/proof/"]

    store.texts_path.write_bytes(whole)
    # one that is still to come says nothing yet
    start_verification(principal(operator))
    look_what_waits()
    assert str(job) in dict(inbox(operator))
    run_queued(Lane.LONG, {"verification": run_verification_job})
    look_what_waits()
    assert str(job) not in dict(inbox(operator))


def test_a_store_that_refuses_writes_is_told_to_operators(store: Store, operator: User, curator: User) -> None:
    key = next((store.data_dir / "keys").glob("journal-*.key"))
    key.rename(key.with_suffix(".elsewhere"))

    look_what_waits()

    assert inbox(operator) == [("Store", NOTICE_SENTENCES[NoticeKind.STORE_READ_ONLY])]
    assert inbox(operator, "acme") == inbox(operator)
    assert inbox(curator) == []

    key.with_suffix(".elsewhere").rename(key)
    look_what_waits()
    assert inbox(operator) == []


def test_a_disk_that_fills_up_is_told_to_operators_until_there_is_ample_room(
    operator: User, curator: User, ample_disk: Callable[[int], None]
) -> None:
    ample_disk(10)
    look_what_waits()
    assert inbox(operator) == []

    ample_disk(9)
    look_what_waits()
    assert inbox(operator) == [("Store", NOTICE_SENTENCES[NoticeKind.DISK_LOW])]
    assert inbox(curator) == []

    ample_disk(10)
    look_what_waits()
    assert len(inbox(operator)) == Notice.objects.count() == 1

    ample_disk(11)
    look_what_waits()
    assert inbox(operator) == []


def test_looking_twice_changes_nothing(curator: User, operator: User, ample_disk: Callable[[int], None]) -> None:
    stopped("default")
    ample_disk(5)
    look_what_waits()
    first = list(Notice.objects.order_by("number").values())

    look_what_waits()

    assert list(Notice.objects.order_by("number").values()) == first
    assert len(first) == 3


def test_a_notice_holds_no_word_of_anybodys(store: Store, curator: User, operator: User, officer: User) -> None:
    stopped("default")
    propose_role(store, principal=principal(operator), tenant="default", person_id=curator.person_id, role=Role.ADMIN)

    look_what_waits()

    held = repr(list(Notice.objects.values()))
    assert Notice.objects.count() == 3
    for word in ("salaries", "It stopped", "Curator", "curator", "Operator", "operator"):
        assert word not in held
