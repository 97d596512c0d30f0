"""The one-time link that makes the first person of an empty site."""

from django.core.signing import BadSignature, TimestampSigner

from apps.accounts.models import User
from cruxstore.errors import NotFoundError

_SIGNER = TimestampSigner(salt="cruxweb.set-up")


def make_set_up_token() -> str:
    """A token for the link; good for a day, and only while nobody can sign in."""
    return _SIGNER.sign("first")


def check_set_up_token(token: str) -> None:
    """Raises NotFoundError unless the token is ours, a day old at most, and nobody can sign in yet."""
    try:
        _SIGNER.unsign(token, max_age=24 * 3600)
    except BadSignature as error:
        raise NotFoundError("This set-up link is not valid. Start the program again to get a new one.") from error
    if User.objects.exists():
        raise NotFoundError("This set-up link was used. Sign in, or ask an admin of this site.")
