"""The key that signs checkpoints: made on first use, kept in `keys/`, named by the ledger from its first event on.

    keys/ledger-76e6fadbadcdf1e1.key        the first half of the fingerprint; in it the key, as hexadecimal digits

- An event names the public key with which the checkpoints from it on are signed. A later key is signed by the one
  before it, so that whoever knows one of them can follow to the next.
- The file is written before the event: a key that no event names has signed nothing.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cruxstore.errors import KeyMissingError, NoteError
from cruxstore.files import replace_file
from cruxstore.ledger.events import Event
from cruxstore.ledger.notes import Note, PublicKey, Signature, rotation_text

_SEED_BYTES = 32
_PATTERN = "ledger-*.key"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that can sign; never shown, logged or compared."""

    public: PublicKey
    _private: Ed25519PrivateKey

    @classmethod
    def of_seed(cls, name: str, seed: bytes) -> "SigningKey":
        """The key that these 32 bytes make."""
        private = Ed25519PrivateKey.from_private_bytes(seed)
        return cls(PublicKey(name, private.public_key().public_bytes_raw()), private)

    def sign(self, text: str) -> Note:
        """A note of the text with this signature alone."""
        return Note(text, (Signature(self.public.name, self.public.key_id, self._private.sign(text.encode())),))

    def sign_next(self, following: PublicKey) -> bytes:
        """The signature by which this key makes way for another."""
        return self._private.sign(rotation_text(self.public, following))

    def __repr__(self) -> str:
        return f"SigningKey({self.public.fingerprint})"


class Keys:
    """The signing keys of a folder; making one is for the holder of the lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, public: PublicKey) -> SigningKey | None:
        """The key behind a public one; None where its file is missing or holds another."""
        try:
            found = _read(self.path_of(public), public.name)
        except FileNotFoundError:
            return None
        return found if found.public == public else None

    def get(self, public: PublicKey) -> SigningKey:
        """The key behind a public one; KeyMissingError where it is not there."""
        found = self.find(public)
        if found is None:
            raise KeyMissingError(f"The ledger's key {self.path_of(public).name} is missing from {self.folder}.")
        return found

    def all(self, name: str) -> Iterator[SigningKey]:
        """Every key that is there, whether an event names it or not."""
        for path in sorted(self.folder.glob(_PATTERN)):
            yield _read(path, name)

    def make(self, name: str) -> SigningKey:
        """A new key, on the disk before it is answered."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        seed = os.urandom(_SEED_BYTES)
        made = SigningKey.of_seed(name, seed)
        replace_file(self.path_of(made.public), seed.hex().encode() + b"\n")
        return made

    def path_of(self, public: PublicKey) -> Path:
        """Where the key behind a public one is kept."""
        return self.folder / _PATTERN.replace("*", public.fingerprint[:16])


def named_key(event: Event) -> PublicKey:
    """The key that an event names."""
    if event.key is None:
        raise NoteError(f"Event {event.seq} names no key.")
    return PublicKey.parse(event.key.public)


def _read(path: Path, name: str) -> SigningKey:
    try:
        return SigningKey.of_seed(name, bytes.fromhex(path.read_text().strip()))
    except ValueError as error:
        raise KeyMissingError(f"{path.name} in {path.parent} is not a key.") from error
