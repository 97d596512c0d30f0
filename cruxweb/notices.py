"""What waits for whom, seen from the jobs, the people and the store; here, because it needs all of them."""

import logging
import smtplib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Tenant
from apps.accounts.projector import catch_up
from apps.accounts.queries import (
    MailReceiver,
    holders_of,
    mail_receivers,
    people_of,
    principal_of_person,
    second_people,
    tenants_of,
    waiting_proposals,
)
from apps.accounts.rules import STORE, MailWhen, Role
from apps.facts.actions.proof import VERIFICATION
from apps.facts.queries.readiness import is_disk_low, refuses_writes
from apps.jobs.notices import (
    Standing,
    claim_mail,
    is_noticed,
    mail_later,
    note_mailed,
    people_to_mail,
    reconcile_notices,
)
from apps.jobs.queries import find_newest_result, find_stopped_jobs
from apps.jobs.rules import NoticeKind, latest_morning
from apps.store import open_store
from cruxstore.door import Store
from cruxstore.errors import CruxError
from cruxstore.verification import Verdict
from cruxweb.job_access import may_steer
from cruxweb.mail import MailRefusedError, is_for_good, opened, send_notices

THE_STORE = "Store"
"""What a notice about the store itself has for a number."""

LEFT_ALONE = timedelta(hours=1)
"""How long an address that the mail server has refused for good is not tried again."""

_log = logging.getLogger(__name__)


def look_what_waits() -> None:
    """Makes everybody's notices agree with what stands now."""
    looked_at, store = timezone.now(), open_store()
    try:
        catch_up(store)
    except CruxError:
        _log.exception("the ledger cannot be followed")
    reconcile_notices(what_stands(store), looked_at=looked_at)


def what_stands(store: Store) -> list[Standing]:
    """All that waits for somebody, once for each person who can do something about it."""
    return [standing for producer in PRODUCERS for standing in producer(store)]


def mail_what_waits() -> None:
    """Mails what has come since the last time to everybody for whom mail is due, in one mail a person.

    MailRefusedError where the server did not take everything; that is due again in the next turn.
    """
    server, now = settings.MAIL_SERVER, timezone.now()
    if server is None:
        return
    waiting = people_to_mail(now=now)
    receivers = [one for one in mail_receivers() if one.person_id in waiting]
    due = [one for one in receivers if waiting[one.person_id] <= _due_until(one, now)]
    if not due:
        return
    refused = 0
    with opened(server) as connection:
        for receiver in due:
            notices = claim_mail(receiver.person_id, made_until=_due_until(receiver, now), now=now)
            if not notices:
                continue
            try:
                send_notices(connection, notices, sender=server.sender, receiver=receiver.email)
            except (smtplib.SMTPException, OSError) as error:
                _log.warning("a mail was not taken: %s", type(error).__name__)
                mail_later(notices, at=now + LEFT_ALONE if is_for_good(error) else now)
                refused += 1
            else:
                note_mailed(notices)
    if refused:
        raise MailRefusedError(f"The mail server did not take {refused} of {len(due)} mails; they are tried again.")


def _second_people(store: Store) -> Iterator[Standing]:
    """A role that somebody has proposed, for each who could approve it."""
    slugs = dict(Tenant.objects.values_list("name", "slug"))
    for proposal in waiting_proposals():
        for row in second_people(proposal.tenant, first=proposal.proposer_id, receiver=proposal.person_id):
            yield Standing(
                person_id=row.person_id,
                kind=NoticeKind.SECOND_PERSON,
                subject=f"Proposal {proposal.number}",
                tenant=proposal.tenant,
                address=reverse("people:proposal", args=(slugs[proposal.tenant], proposal.proposal_id)),
                since_at=proposal.proposed_at,
            )


def _dead_letters(store: Store) -> Iterator[Standing]:
    """A job that a fault stopped, for each who may run it again or set it aside."""
    slugs = dict(Tenant.objects.values_list("name", "slug"))
    steering: dict[str, list[str]] = {}
    for job in find_stopped_jobs():
        if job.tenant not in steering:
            steering[job.tenant] = _who_steers(job.tenant)
        for person_id in steering[job.tenant]:
            slug = slugs[job.tenant] if job.tenant else _first_tenant(person_id)
            yield Standing(
                person_id=person_id,
                kind=NoticeKind.DEAD_LETTER,
                subject=job.name,
                tenant=job.tenant,
                # who operates the store without a role in any tenant finds no page of jobs
                address=reverse("jobs:job", args=(slug, job.number)) if slug else reverse("store"),
                since_at=job.ended_at,
            )


def _failed_verification(store: Store) -> Iterator[Standing]:
    """A check of all files that found a fault and was followed by none that found none, for the operators."""
    newest = find_newest_result(VERIFICATION)
    if newest is not None and newest[1].get("verdict") == Verdict.BROKEN:
        job, _ = newest
        yield from _for_operators(NoticeKind.VERIFICATION_FAILED, job.name, reverse("proof"), job.ended_at)


def _read_only_store(store: Store) -> Iterator[Standing]:
    """A store that refuses every write, for the operators; one that is only observed is as it should be."""
    if refuses_writes(store):
        yield from _for_operators(NoticeKind.STORE_READ_ONLY, THE_STORE, reverse("store"))


def _low_disk(store: Store) -> Iterator[Standing]:
    """A disk that fills up, for the operators."""
    if is_disk_low(store, is_known=is_noticed(NoticeKind.DISK_LOW)):
        yield from _for_operators(NoticeKind.DISK_LOW, THE_STORE, reverse("store"))


PRODUCERS: tuple[Callable[[Store], Iterator[Standing]], ...] = (
    _second_people,
    _dead_letters,
    _failed_verification,
    _read_only_store,
    _low_disk,
)
"""Each answers what stands of its kind, from the truth and never from what was noticed before."""


def _for_operators(
    kind: NoticeKind, subject: str, address: str, since_at: datetime | None = None
) -> Iterator[Standing]:
    for person_id in sorted(holders_of(Role.OPERATOR, STORE)):
        yield Standing(person_id, kind, subject, STORE, address, since_at)


def _who_steers(tenant: str) -> list[str]:
    if not tenant:
        return sorted(holders_of(Role.OPERATOR, STORE))
    return [
        row.person_id
        for row in people_of(tenant)
        if row.can_sign_in and may_steer(principal_of_person(row.person_id), tenant, is_store_wide=False)
    ]


def _first_tenant(person_id: str) -> str:
    """Where somebody finds what is the whole store's; empty where they have a role in no tenant."""
    return next((tenant.slug for tenant in tenants_of(principal_of_person(person_id))), "")


def _due_until(receiver: MailReceiver, now: datetime) -> datetime:
    """What was made until then is to be mailed now."""
    return now if receiver.when is MailWhen.AT_ONCE else latest_morning(ZoneInfo(receiver.time_zone), now)
