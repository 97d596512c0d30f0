"""Where a person's mail goes; ours alone, in no file."""

from apps.accounts.models import User
from apps.accounts.queries import ids_of, resolved
from apps.accounts.rules import MailWhen


def mail_only_to(user: User) -> None:
    """Where mail is wanted through this sign-in, none goes to the same person's other sign-ins any more."""
    if user.mails == MailWhen.NEVER:
        return
    theirs = User.objects.filter(person_id__in=ids_of(resolved(user.person_id)))
    theirs.exclude(pk=user.pk).update(mails=MailWhen.NEVER.value)
