"""The words that the ledger points to: reasons, names, foreign ids. The one file that can be cut.

    {"kind":"reason","salt":"…","subjects":["e_…"],"text":"Entered twice","text_id":"t_…"}

The event holds the text's id and a salted commitment; without the line the commitment says nothing.
"""

import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path

import orjson

from cruxstore.errors import DamagedLedgerError, TextNotStorableError
from cruxstore.ledger.events import TextMark
from cruxstore.lines import find_line


@dataclass(frozen=True, slots=True)
class Text:
    """One text with the salt that its commitment needs; `subjects` are what it was said about."""

    text_id: str
    kind: str
    salt: str
    text: str
    subjects: tuple[str, ...]

    @property
    def mark(self) -> TextMark:
        """What an event keeps of it."""
        content = bytes.fromhex(self.salt) + self.kind.encode() + b"\0" + self.text.encode()
        return TextMark(text_id=self.text_id, commitment=f"c_{hashlib.sha256(content).hexdigest()}")


def new_text(kind: str, text: str, subjects: tuple[str, ...]) -> Text:
    """A text with a new id and salt, not yet written anywhere."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TextNotStorableError("A text holds a lone surrogate.") from error
    return Text(
        text_id=f"t_{secrets.token_hex(16)}", kind=kind, salt=secrets.token_hex(32), text=text, subjects=subjects
    )


def encode_text(text: Text) -> bytes:
    """The one line of a text, without its newline."""
    members = {
        "kind": text.kind,
        "salt": text.salt,
        "subjects": text.subjects,
        "text": text.text,
        "text_id": text.text_id,
    }
    return orjson.dumps(members, option=orjson.OPT_SORT_KEYS)


def decode_text(line: bytes) -> Text:
    """The text of a line; DamagedLedgerError where it is not one."""
    try:
        members = orjson.loads(line)
        return Text(
            text_id=members["text_id"],
            kind=members["kind"],
            salt=members["salt"],
            text=members["text"],
            subjects=tuple(members["subjects"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedLedgerError(f"A line of the texts is not a text: {type(error).__name__}.") from error


def find_text(path: Path, mark: TextMark) -> Text | None:
    """The text that a mark points to; None once it was erased. One that does not keep its commitment is damage."""
    # a quote inside a text is escaped, so that no text can contain this
    found = find_line(path, b'"text_id":"%b"' % mark.text_id.encode())
    if found is None:
        return None
    text = decode_text(found[1])
    if text.mark != mark:
        raise DamagedLedgerError(f"The text {mark.text_id} is not the one that its event commits to.")
    return text
