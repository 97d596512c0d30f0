"""Notes, checkpoints and keys are those of C2SP, and every byte of them counts."""

from dataclasses import replace

import pytest

from cruxstore.errors import NoteError, SignatureError
from cruxstore.ledger.notes import Checkpoint, PublicKey, decode_checkpoint, decode_note
from cruxstore.ledger.signing import SigningKey

NAME = "cruxweb/s_0123456789abcdef0123456789abcdef"
KEY = SigningKey.of_seed(NAME, bytes(range(32)))
SEVENTH = Checkpoint(
    events=7,
    head="ab" * 32,
    ledger_bytes=3120,
    generation=1,
    journal_bytes=4711,
    origin=NAME,
    root=bytes(range(32)),
    time="2026-11-30T09:12:00.000000Z",
)
# the example of the note package that defined the format
NEUMANN = PublicKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
NEUMANNS = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
).encode()


def signed(checkpoint: Checkpoint = SEVENTH, key: SigningKey = KEY) -> Checkpoint:
    return replace(checkpoint, note=key.sign(checkpoint.text))


def encoded(checkpoint: Checkpoint) -> bytes:
    assert checkpoint.note is not None
    return checkpoint.note.encode()


def test_the_formats_own_example_checks() -> None:
    note = decode_note(NEUMANNS)

    note.check(NEUMANN)
    assert note.encode() == NEUMANNS
    assert NEUMANN.text == "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"


def test_a_checkpoint_is_read_as_it_was_written() -> None:
    checkpoint = decode_checkpoint(encoded(signed()))

    assert checkpoint == signed()
    assert checkpoint.note is not None
    checkpoint.note.check(KEY.public)
    assert encoded(checkpoint).startswith(f"{NAME}\n7\nAAECAwQF".encode())


def test_every_byte_of_a_checkpoint_counts() -> None:
    content = encoded(signed())
    for place in range(len(content)):
        changes = [content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :] for bit in (1, 4, 0x80)]
        changes += [content[:place] + content[place + 1 :], content[:place] + b"0" + content[place:], content[:place]]
        for changed in changes:
            if changed == content:
                continue
            with pytest.raises((NoteError, SignatureError)):
                note = decode_checkpoint(changed).note
                assert note is not None
                note.check(KEY.public)


def test_another_key_did_not_sign_it() -> None:
    note = signed().note
    assert note is not None
    for key in (SigningKey.of_seed(NAME, bytes(32)), SigningKey.of_seed("other", bytes(range(32)))):
        with pytest.raises(SignatureError):
            note.check(key.public)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff", b"a\n\n", b"a\n\nb\n", b"a\nb\n", NEUMANNS])
def test_what_is_no_checkpoint_is_refused(content: bytes) -> None:
    with pytest.raises(NoteError):
        decode_checkpoint(content)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        KEY.public.text[:-4],
        KEY.public.text.replace("+", "-", 1),
        KEY.public.text.replace(NAME, "other"),
        KEY.public.text.replace("+A", "+B"),
        f"+{KEY.public.text}",
    ],
)
def test_what_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        PublicKey.parse(text)


def test_a_public_key_is_read_as_it_was_written() -> None:
    assert PublicKey.parse(f"{KEY.public.text}\n") == KEY.public
    assert len(KEY.public.fingerprint) == 64
