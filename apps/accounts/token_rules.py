"""How a token is spelled, and how the ledger holds what it was given.

crux_0123456789abcdef0123456789abcdef_<secret>      the token, shown once
read propose tool until 2027-02-28T09:12:00+00:00   what it was given
"""

import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime

from blake3 import blake3

_SPELLED = re.compile(r"crux_([0-9a-f]{32})_([A-Za-z0-9_-]{43})")


@dataclass(frozen=True)
class TokenGrant:
    """What a token may do, and until when."""

    expires_at: datetime
    may_read: bool = False
    may_propose: bool = False
    is_tool: bool = False

    def encode(self) -> str:
        """The grant without a word of content."""
        words = {"read": self.may_read, "propose": self.may_propose, "tool": self.is_tool}
        return " ".join([*(word for word, given in words.items() if given), "until", self.expires_at.isoformat()])

    @classmethod
    def decode(cls, text: str) -> "TokenGrant":
        """The grant of an event."""
        given, _, until = text.rpartition("until ")
        words = given.split()
        return cls(datetime.fromisoformat(until), "read" in words, "propose" in words, "tool" in words)


@dataclass(frozen=True)
class SpelledToken:
    """A token as a program sends it: which it is, and the secret that proves it."""

    token_id: str
    secret: str

    @classmethod
    def new(cls) -> "SpelledToken":
        """A new one, with 256 bits that nobody can guess."""
        return cls(f"k_{secrets.token_hex(16)}", secrets.token_urlsafe(32))

    @classmethod
    def read(cls, text: str) -> "SpelledToken | None":
        """The token in a text; None where it is none."""
        found = _SPELLED.fullmatch(text)
        return cls(f"k_{found[1]}", found[2]) if found else None

    def __str__(self) -> str:
        return f"crux_{self.token_id.removeprefix('k_')}_{self.secret}"

    @property
    def digest(self) -> str:
        """All that is kept of the secret."""
        return blake3(self.secret.encode()).hexdigest()

    def is_proved_by(self, digest: str) -> bool:
        """Whether this is the secret with that digest; takes as long for a near miss as for a far one."""
        return hmac.compare_digest(self.digest, digest)
