"""Notices are made to agree with what stands, again and again, so that none is lost and none is made twice."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from apps.jobs.models import Notice
from apps.jobs.queries import NoticeView, notice_view
from apps.jobs.rules import NoticeKind
from cruxstore.errors import NotFoundError

MAIL_TAKES = timedelta(minutes=5)
"""How long whoever is about to mail something has for it; after that another may."""

KEPT = timedelta(days=90)
"""How long a notice that has ended is kept."""

Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Standing:
    """What should be a notice now; without a moment at which it began, it began when it is first seen."""

    person_id: str
    kind: NoticeKind
    subject: str
    tenant: str
    address: str
    since_at: datetime | None = None

    @property
    def key(self) -> Key:
        """What no two notices that stand have in common."""
        return (self.person_id, self.kind.value, self.subject, self.tenant)


def reconcile_notices(standing: Iterable[Standing], *, looked_at: datetime) -> None:
    """Makes what is missing and ends what no longer holds; `looked_at` is when the looking at what stands began.

    What ended and began again is a new notice, unread and not mailed, also where nobody looked in between. What ended
    long ago is forgotten.
    """
    now = timezone.now()
    wanted = {each.key: each for each in standing}
    with transaction.atomic():
        # somebody who looked later may know better; what still holds is made in the next turn
        settled = {_key(notice) for notice in Notice.objects.filter(ended_at__gte=looked_at)}
        for notice in _standing():
            each = wanted.get(_key(notice))
            if each is None or each.since_at not in (None, notice.since_at):
                _standing().filter(pk=notice.pk).update(ended_at=now)
            else:
                del wanted[each.key]
                if notice.address != each.address:
                    _standing().filter(pk=notice.pk).update(address=each.address)
        new = [each for each in wanted.values() if each.key not in settled]
        Notice.objects.bulk_create((_made(each, now) for each in new), ignore_conflicts=True)
        Notice.objects.filter(ended_at__lt=now - KEPT).delete()


def is_noticed(kind: NoticeKind) -> bool:
    """Whether a notice of this kind stands."""
    return _standing().filter(kind=kind).exists()


def see_notice(person_id: str, number: int) -> None:
    """Takes a notice out of a person's inbox; what it is about stays. NotFoundError where it is not theirs."""
    theirs = Notice.objects.filter(person_id=person_id, number=number)
    if not theirs.exists():
        raise NotFoundError("There is no such notice.")
    theirs.filter(seen_at=None).update(seen_at=timezone.now())


def people_to_mail(*, now: datetime) -> dict[str, datetime]:
    """For whom something stands that has been neither seen nor mailed, and when the oldest of it was made."""
    return dict(_to_mail(now).values_list("person_id").annotate(oldest=Min("made_at")))


def claim_mail(person_id: str, *, made_until: datetime, now: datetime) -> list[NoticeView]:
    """What is to be mailed to a person of all that was made until then; for MAIL_TAKES nobody else mails it."""
    with transaction.atomic():
        due = list(_to_mail(now).select_for_update().filter(person_id=person_id, made_at__lte=made_until))
        Notice.objects.filter(pk__in=[notice.pk for notice in due]).update(mailing_until=now + MAIL_TAKES)
    return [notice_view(notice) for notice in sorted(due, key=lambda notice: (notice.since_at, notice.number))]


def note_mailed(notices: Iterable[NoticeView]) -> None:
    """These have been mailed and are not mailed again."""
    _of(notices).update(mailed_at=timezone.now(), mailing_until=None)


def mail_later(notices: Iterable[NoticeView], *, at: datetime) -> None:
    """These could not be mailed; they are due again then."""
    _of(notices).update(mailing_until=at)


def _standing() -> QuerySet[Notice]:
    return Notice.objects.filter(ended_at=None)


def _to_mail(now: datetime) -> QuerySet[Notice]:
    free = Q(mailing_until=None) | Q(mailing_until__lte=now)
    return _standing().filter(free, seen_at=None, mailed_at=None)


def _of(notices: Iterable[NoticeView]) -> QuerySet[Notice]:
    return Notice.objects.filter(pk__in=[notice.number for notice in notices])


def _key(notice: Notice) -> Key:
    return (notice.person_id, notice.kind, notice.subject, notice.tenant)


def _made(each: Standing, now: datetime) -> Notice:
    return Notice(
        person_id=each.person_id,
        kind=each.kind.value,
        subject=each.subject,
        tenant=each.tenant,
        address=each.address,
        since_at=each.since_at or now,
        made_at=now,
    )
