"""Typed readers of the environment; a wrong value stops the start with one sentence."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

LIBPQ_OPTIONS = ("host", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout", "application_name")
"""What may stand behind the question mark of a database's address."""


def read_text(name: str, default: str) -> str:
    """The variable's text, or the default where it is absent or blank."""
    return os.environ.get(name, "").strip() or default


def read_flag(name: str, default: bool) -> bool:
    """A yes or no: 1, true, yes, on or 0, false, no, off."""
    text = read_text(name, str(default)).lower()
    if text in {"1", "true", "yes", "on"}:
        return True
    if text in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {text!r}; write 1 or 0.")


def read_port(name: str, default: int) -> int:
    """A TCP port."""
    text = read_text(name, str(default))
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise ImproperlyConfigured(f"{name} is {text!r}; write a port from 1 to 65535.")
    return int(text)


def read_path(name: str, default: Path) -> Path:
    """An absolute path; a leading ~ is the home folder."""
    return Path(read_text(name, str(default))).expanduser().absolute()


def read_site_address(name: str, default: str) -> SplitResult:
    """The address people type, with scheme and host and nothing behind."""
    text = read_text(name, default)
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured(f"{name} is {text!r}; write an address such as https://memory.example.org.")
    return parts


@dataclass(frozen=True)
class IdentityProvider:
    """Where people may sign in instead of here, by OpenID Connect."""

    address: SplitResult
    client_id: str
    secret: str
    name: str

    @property
    def origin(self) -> str:
        """Scheme and host, for the content security policy."""
        return f"{self.address.scheme}://{self.address.netloc}"


def read_identity_provider() -> IdentityProvider | None:
    """The OpenID Connect provider; None where no address is set, and half a one stops the start."""
    text = read_text("CRUXWEB_OIDC_URL", "")
    if not text:
        return None
    address = urlsplit(text)
    is_local = address.hostname in {"localhost", "127.0.0.1"}
    if not address.hostname or (address.scheme != "https" and not is_local):
        raise ImproperlyConfigured(f"CRUXWEB_OIDC_URL is {text!r}; write an https address.")
    client_id, secret = read_text("CRUXWEB_OIDC_CLIENT_ID", ""), read_text("CRUXWEB_OIDC_SECRET", "")
    if not (client_id and secret):
        raise ImproperlyConfigured("CRUXWEB_OIDC_URL also needs CRUXWEB_OIDC_CLIENT_ID and CRUXWEB_OIDC_SECRET.")
    return IdentityProvider(address, client_id, secret, read_text("CRUXWEB_OIDC_NAME", str(address.hostname)))


def read_journal(name: str) -> Path | None:
    """None where this program owns the journal; the observed file's path for `observe:/path`."""
    text = read_text(name, "owner")
    if text == "owner":
        return None
    kind, _, path = text.partition(":")
    if kind != "observe" or not path.startswith("/"):
        raise ImproperlyConfigured(f"{name} is {text!r}; write owner, or observe: and an absolute path.")
    return Path(path)


@dataclass(frozen=True)
class Database:
    """A PostgreSQL database: where it is, who signs in, and what libpq is told besides."""

    host: str
    port: str
    name: str
    user: str
    password: str
    options: Mapping[str, str]


def read_database_url(name: str) -> Database | None:
    """The PostgreSQL database; None where the variable is absent, for the file in the data folder."""
    text = read_text(name, "")
    if not text:
        return None
    # what is wrong is not repeated: the value may hold a password
    wrong = ImproperlyConfigured(f"{name} is not an address of PostgreSQL; write postgres://user:password@host/name.")
    try:
        parts = urlsplit(text)
        port = parts.port
        options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
    except ValueError as error:
        raise wrong from error
    database = unquote(parts.path.removeprefix("/"))
    if parts.scheme not in {"postgres", "postgresql"} or not database or "/" in database or parts.fragment:
        raise wrong
    if unknown := sorted(options.keys() - set(LIBPQ_OPTIONS)):
        raise ImproperlyConfigured(f"{name} holds {unknown[0]!r}; behind ? write only {', '.join(LIBPQ_OPTIONS)}.")
    return Database(
        host=options.pop("host", "") or unquote(parts.hostname or ""),
        port=str(port or ""),
        name=database,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        options=options,
    )


def read_redis_url(name: str) -> str:
    """The address of a Redis database; empty where the variable is absent."""
    text = read_text(name, "")
    if not text:
        return ""
    parts = urlsplit(text)
    if parts.scheme not in {"redis", "rediss"} or not parts.hostname:
        raise ImproperlyConfigured(f"{name} is not an address of Redis; write redis://host:6379/0.")
    return text


@dataclass(frozen=True)
class MailServer:
    """Who takes the site's mail: TLS from the start or not, who signs in there, and whom the mail is from."""

    host: str
    port: int
    has_tls: bool
    user: str
    password: str = field(repr=False)
    sender: str


def read_mail_server() -> MailServer | None:
    """The SMTP server; None where no address is set, and half a one stops the start."""
    text = read_text("CRUXWEB_SMTP_URL", "")
    if not text:
        return None
    # what is wrong is not repeated: the value may hold a password
    wrong = ImproperlyConfigured(
        "CRUXWEB_SMTP_URL is not an address of a mail server; write smtp://user:password@host:587 or smtps://host."
    )
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise wrong from error
    has_tls = parts.scheme == "smtps"
    if not (has_tls or parts.scheme == "smtp") or not parts.hostname or parts.path.strip("/"):
        raise wrong
    if parts.query or parts.fragment or port == 0 or bool(parts.username) != bool(parts.password):
        raise wrong
    sender = read_text("CRUXWEB_MAIL_FROM", "")
    try:
        validate_email(sender)
    except ValidationError as error:
        raise ImproperlyConfigured(
            f"CRUXWEB_MAIL_FROM is {sender!r}; write the address that mail is from, such as cruxweb@example.org."
        ) from error
    return MailServer(
        host=parts.hostname,
        port=port or (465 if has_tls else 587),
        has_tls=has_tls,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        sender=sender,
    )


def read_secret_key(name: str, kept_in: Path) -> str:
    """The variable, or a key made once and kept with mode 0600 in the data folder."""
    given = read_text(name, "")
    if given:
        return given
    if not kept_in.exists():
        try:
            kept_in.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ImproperlyConfigured(f"The folder {kept_in.parent} cannot be made: {error.strerror}.") from error
        partial = kept_in.with_name(f"{kept_in.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(partial, kept_in)
        except FileExistsError:
            pass  # another process was first; its key counts
        finally:
            partial.unlink()
    return kept_in.read_text()
