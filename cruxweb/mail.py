"""Mail that says that something waits: our number, a sentence, the way there, and how to have no more of it."""

import smtplib
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from apps.jobs.queries import NoticeView
from cruxstore.errors import CruxError
from cruxweb.environment import MailServer

PATIENCE_SECONDS = 10
"""How long one answer of the mail server may take; the worker that waits has other work to do."""

THIS_HOST = frozenset({"localhost", "127.0.0.1", "::1"})


class MailRefusedError(CruxError):
    """Mail could not be sent; nothing is lost by it."""

    code = "mail_refused"


@contextmanager
def opened(server: MailServer) -> Iterator[smtplib.SMTP]:
    """A connection to the mail server, encrypted and signed in; MailRefusedError where there is none to be had."""
    try:
        connection = _connected(server)
    except (smtplib.SMTPException, OSError) as error:
        raise MailRefusedError(
            f"The mail server cannot be used ({type(error).__name__}); what is due is tried again."
        ) from error
    with connection:
        yield connection


def send_notices(connection: smtplib.SMTP, notices: Sequence[NoticeView], *, sender: str, receiver: str) -> None:
    """One mail about all of them; whatever smtplib raises where the server does not take it."""
    mail = EmailMessage()
    mail["From"], mail["To"] = sender, receiver
    many = f"{len(notices)} things wait" if len(notices) > 1 else "Something waits"
    mail["Subject"] = f"{many} for you"
    mail["Date"] = format_datetime(timezone.now())
    # the name of this host is nobody's business
    mail["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(_text(notices))
    connection.send_message(mail)


def is_for_good(error: Exception) -> bool:
    """Whether the server has said that it will never take this mail to this address."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError | smtplib.SMTPNotSupportedError) and (
        not isinstance(error, smtplib.SMTPResponseException) or error.smtp_code >= 500
    )


def _connected(server: MailServer) -> smtplib.SMTP:
    encrypted = ssl.create_default_context()
    if server.has_tls:
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=PATIENCE_SECONDS, context=encrypted
        )
        is_private = True
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=PATIENCE_SECONDS)
        is_private = server.host in THIS_HOST
    try:
        connection.ehlo()
        if not is_private and connection.has_extn("starttls"):
            connection.starttls(context=encrypted)
            is_private = True
        if server.user:
            if not is_private:
                raise smtplib.SMTPNotSupportedError("no encryption offered, so that no password is sent")
            connection.login(server.user, server.password)
    except BaseException:
        connection.close()
        raise
    return connection


def _text(notices: Sequence[NoticeView]) -> str:
    site = settings.SITE_ADDRESS.geturl().rstrip("/")
    parts = [f"{notice.subject}: {notice.sentence}\n{site}{notice.address}\n" for notice in notices]
    return "\n".join([*parts, f"To have no more of this mail: {site}{reverse('settings')}\n"])
