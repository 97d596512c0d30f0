"""Typed readers of the environment; a wrong value stops the start with one sentence."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured


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
