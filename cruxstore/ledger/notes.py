"""Signed notes and checkpoints as C2SP has them: a text, a blank line, signatures; of a checkpoint the first lines are
origin, tree size and root.

    cruxweb/s_0123…                                          the ledger's name, which is also its key's
    7                                                        events
    9hOeWk7p…=                                               the root of their tree
    generation 1                                             and where everything ended when it was signed
    head 76e6…                                               the leaf hash of the newest event
    journal_bytes 4711
    ledger_bytes 3120
    time 2026-11-30T09:12:00.000000Z                         of the newest event

    — cruxweb/s_0123… 4aBc…=                                 key id and signature

A public key as text is `cruxweb/s_0123…+e1a0b2c3+AXy…=`: name, key id, and the byte 01 before the key's own 32.
"""

import base64
import binascii
import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from cruxstore.errors import NoteError, SignatureError

_ED25519 = b"\x01"
_KEY_BYTES = 32
_ID_BYTES = 4
_SIGNATURE_BYTES = 64
_SIGNED_BY = "— "
_NAME = re.compile(r"[^\s+]+")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
_LINES = ("generation", "head", "journal_bytes", "ledger_bytes", "time")


@dataclass(frozen=True, slots=True)
class PublicKey:
    """What a signature is checked with, by name and its 32 bytes."""

    name: str
    raw: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes that stand before a signature by this key."""
        return _key_id(self.name, self.raw)

    @property
    def fingerprint(self) -> str:
        """What a person notes, to know the key again: the SHA-256 of its bytes."""
        return hashlib.sha256(self.raw).hexdigest()

    @property
    def text(self) -> str:
        """The key as C2SP spells it."""
        return f"{self.name}+{self.key_id.hex()}+{encode_base64(_ED25519 + self.raw)}"

    @classmethod
    def parse(cls, text: str) -> "PublicKey":
        """The key of such a text; NoteError where it is none."""
        name, _, rest = text.strip().partition("+")
        key_id, _, encoded = rest.partition("+")
        content = decode_base64(encoded)
        if _NAME.fullmatch(name) is None or content[:1] != _ED25519 or len(content) != 1 + _KEY_BYTES:
            raise NoteError("A public key has a name, an id and a key of Ed25519.")
        key = cls(name, content[1:])
        if key.key_id.hex() != key_id:
            raise NoteError("The id in the public key is not that of the key.")
        return key

    def check(self, signature: bytes, message: bytes) -> None:
        """Raises SignatureError where a message was not signed by this key."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except (InvalidSignature, ValueError) as error:
            raise SignatureError(f"The signature is not by the key {self.fingerprint}.") from error


@dataclass(frozen=True, slots=True)
class Signature:
    """One line below a note."""

    name: str
    key_id: bytes
    content: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A text, with its last newline, and who signed it."""

    text: str
    signatures: tuple[Signature, ...]

    def encode(self) -> bytes:
        """The note as it is kept and given away."""
        lines = (f"{_SIGNED_BY}{by.name} {encode_base64(by.key_id + by.content)}\n" for by in self.signatures)
        return f"{self.text}\n{''.join(lines)}".encode()

    def check(self, key: PublicKey) -> None:
        """Raises SignatureError where the key did not sign it."""
        for by in self.signatures:
            if (by.name, by.key_id) == (key.name, key.key_id):
                return key.check(by.content, self.text.encode())
        raise SignatureError(f"It is not signed by the key {key.fingerprint}.")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The size and root of the ledger's tree, and where ledger and journal ended then; `note` is the signed text.

    One without a note was written by an older program: nobody signed it, and its root is not known.
    """

    events: int
    head: str
    ledger_bytes: int
    generation: int
    journal_bytes: int
    origin: str = ""
    root: bytes = b""
    time: str = ""
    note: Note | None = None

    @property
    def text(self) -> str:
        """What is signed."""
        return (
            f"{self.origin}\n{self.events}\n{encode_base64(self.root)}\n"
            f"generation {self.generation}\nhead {self.head}\njournal_bytes {self.journal_bytes}\n"
            f"ledger_bytes {self.ledger_bytes}\ntime {self.time}\n"
        )


def decode_note(content: bytes) -> Note:
    """The note of these bytes, which are all of it; NoteError where it is none."""
    try:
        text, blank, below = content.decode().rpartition("\n\n")
    except UnicodeDecodeError as error:
        raise NoteError("A note is UTF-8.") from error
    note = Note(f"{text}\n", tuple(map(_decode_signature, below.splitlines())))
    # whatever else one could write for the same is refused, so that every byte counts
    if not blank or not note.signatures or note.encode() != content:
        raise NoteError("A note is a text, a blank line and signatures.")
    return note


def decode_checkpoint(content: bytes) -> Checkpoint:
    """The checkpoint of a note, its signature not yet checked; NoteError where it is none."""
    note = decode_note(content)
    lines = note.text.splitlines()
    if len(lines) != 3 + len(_LINES):
        raise NoteError("A checkpoint has other lines than these.")
    origin, events, root = lines[:3]
    said = dict(zip(_LINES, (line.partition(" ")[2] for line in lines[3:]), strict=True))
    checkpoint = Checkpoint(
        events=_number(events),
        head=said["head"],
        ledger_bytes=_number(said["ledger_bytes"]),
        generation=_number(said["generation"]),
        journal_bytes=_number(said["journal_bytes"]),
        origin=origin,
        root=decode_base64(root),
        time=said["time"],
        note=note,
    )
    if checkpoint.text != note.text:
        raise NoteError("A checkpoint has other lines than these.")
    return checkpoint


def rotation_text(before: PublicKey, following: PublicKey) -> bytes:
    """What a key signs to make way for another."""
    return f"cruxweb: the next key\n{before.text}\n{following.text}\n".encode()


def check_rotation(before: PublicKey, following: PublicKey, signature: str) -> None:
    """Raises SignatureError where a key did not sign the one that is to follow it."""
    try:
        before.check(decode_base64(signature), rotation_text(before, following))
    except (NoteError, SignatureError) as error:
        raise SignatureError(f"The key {following.fingerprint} is not signed by the one before it.") from error


def read_key(text: str) -> PublicKey:
    """The public key that is given as text or as the name of a file with it; NoteError where it is neither."""
    with suppress(NoteError):
        return PublicKey.parse(text)
    try:
        return PublicKey.parse(Path(text).read_text())
    except (OSError, ValueError) as error:
        raise NoteError("This is neither a public key nor a file with one.") from error


def encode_base64(content: bytes) -> str:
    """Bytes as notes spell them."""
    return base64.b64encode(content).decode()


def decode_base64(text: str) -> bytes:
    """The bytes so spelled; NoteError for any other spelling."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteError("What should be base64 is not.") from error
    if encode_base64(content) != text:
        raise NoteError("What should be base64 is not.")
    return content


@lru_cache(maxsize=64)
def _key_id(name: str, raw: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + raw).digest()[:_ID_BYTES]


def _decode_signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_SIGNED_BY).partition(" ")
    content = decode_base64(encoded)
    if _NAME.fullmatch(name) is None or len(content) != _ID_BYTES + _SIGNATURE_BYTES:
        raise NoteError("A line below a note is not a signature.")
    return Signature(name, content[:_ID_BYTES], content[_ID_BYTES:])


def _number(text: str) -> int:
    if _NUMBER.fullmatch(text) is None:
        raise NoteError("What should be a number is not.")
    return int(text)
