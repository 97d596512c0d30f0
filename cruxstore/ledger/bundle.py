"""A part of the ledger in one file that proves itself to a stranger who noted the key before.

    {"checkpoint": "cruxweb/s_0123…\\n7\\n…",                  signed; the tree that everything below stands in
     "consistency": ["9hOe…="], "earlier": "…",               an older signed checkpoint is the beginning of that tree
     "events": [{"line": "{\\"action\\":…}", "proof": ["…"]}],   each line, and that it stands at its place
     "first": 5, "format": 1, "key": "cruxweb/s_0123…+…",
     "keys": [{"line": "…", "proof": ["…"], "seq": 1}]}        the events that named the keys, from the noted one on

One of a single tenant shows nobody else's lines, not even those that named the keys; of others it holds hashes alone:

    {"checkpoint": …, "consistency": …, "earlier": …, "format": 2, "key": …, "tenant": "acme",
     "events": [{"line": "…", "proof": ["…"], "seq": 5}, {…, "seq": 9}],
     "keys": [{"public": "cruxweb/s_0123…+…", "signature": ""}, {"public": "…", "signature": "…"}]}

- The bytes are canonical, so that every one of them counts. Without an older checkpoint `earlier` is empty.
- The key in it is for reading only: what it proves, it proves to whoever says which key they noted.
- Checking needs nothing but Python and `cryptography`.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cruxstore.errors import BundleError, NoteError, ProofError, SignatureError
from cruxstore.ledger.notes import (
    Checkpoint,
    PublicKey,
    check_rotation,
    decode_base64,
    decode_checkpoint,
    encode_base64,
)
from cruxstore.ledger.tree import check_consistency, check_inclusion, leaf_hash

_FORMAT = 1
_TENANT_FORMAT = 2


@dataclass(frozen=True, slots=True)
class Proven:
    """A line and the hashes that lead from it to the root; its event's number is where it stands, counted from 1."""

    seq: int
    line: bytes
    proof: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class NextKey:
    """A key of the ledger and what the one before it signed; the first has no one before it."""

    public: PublicKey
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bundle holds, not yet checked; one of a single tenant has `next_keys` instead of `keys`."""

    key: PublicKey
    checkpoint: Checkpoint
    earlier: Checkpoint | None
    consistency: tuple[bytes, ...]
    events: tuple[Proven, ...]
    keys: tuple[Proven, ...] = ()
    tenant: str = ""
    next_keys: tuple[NextKey, ...] = ()


def encode_bundle(bundle: Bundle) -> bytes:
    """The one file of a bundle."""
    members: dict[str, Any] = {
        "checkpoint": _text_of(bundle.checkpoint),
        "consistency": _encode_hashes(bundle.consistency),
        "earlier": _text_of(bundle.earlier),
        "key": bundle.key.text,
    }
    if bundle.tenant:
        members |= {
            "events": [_placed_members_of(proven) for proven in bundle.events],
            "format": _TENANT_FORMAT,
            "keys": [{"public": key.public.text, "signature": key.signature} for key in bundle.next_keys],
            "tenant": bundle.tenant,
        }
    else:
        members |= {
            "events": [_members_of(proven) for proven in bundle.events],
            "first": bundle.events[0].seq if bundle.events else 0,
            "format": _FORMAT,
            "keys": [_placed_members_of(proven) for proven in bundle.keys],
        }
    return (json.dumps(members, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n").encode()


def decode_bundle(content: bytes) -> Bundle:
    """The bundle of a file, not yet checked; BundleError where it is none, or spelled in any other way."""
    try:
        members = json.loads(content)
        if members["format"] not in (_FORMAT, _TENANT_FORMAT):
            raise BundleError("The bundle was made by another version of this program.")
        is_of_tenant = members["format"] == _TENANT_FORMAT
        bundle = Bundle(
            key=PublicKey.parse(members["key"]),
            checkpoint=decode_checkpoint(members["checkpoint"].encode()),
            earlier=decode_checkpoint(members["earlier"].encode()) if members["earlier"] else None,
            consistency=tuple(map(decode_base64, members["consistency"])),
            **(_decode_tenants(members) if is_of_tenant else _decode_whole(members)),
        )
        encoded = encode_bundle(bundle)
    except json.JSONDecodeError as error:
        raise BundleError(f"The bundle cannot be read from character {error.pos:,} on.") from error
    except (NoteError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = str(error) if isinstance(error, NoteError) else type(error).__name__
        raise BundleError(f"The bundle is not one that this program makes: {reason}") from error
    if encoded != content:
        places = (at for at, (one, other) in enumerate(zip(encoded, content, strict=False)) if one != other)
        at = next(places, min(len(encoded), len(content)))
        raise BundleError(f"The bundle is spelled differently from byte {at:,} on.")
    return bundle


def check_bundle(bundle: Bundle, key: PublicKey) -> Iterator[int]:
    """The number of each event, shown to stand there in a tree that the noted key, or one it led to, has signed.

    SignatureError where the checkpoints are not so signed; ProofError, naming the event, for whatever else.
    """
    checkpoint = bundle.checkpoint
    if bundle.tenant:
        next_keys = _follow_signed(bundle.next_keys, key)
        _check_signed_by_one(checkpoint, next_keys[-1:], bundle.key)
        if bundle.earlier is not None:
            _check_signed_by_one(bundle.earlier, next_keys, None)
    else:
        keys = _follow(bundle.keys, checkpoint, key)
        _check_signed(checkpoint, keys, bundle.key)
        if bundle.earlier is not None:
            _check_signed(bundle.earlier, keys, None)
    if bundle.earlier is not None:
        check_consistency(
            bundle.earlier.events,
            checkpoint.events,
            bundle.consistency,
            earlier_root=bundle.earlier.root,
            root=checkpoint.root,
        )
    elif bundle.consistency:
        raise ProofError("There is a proof of consistency, but no earlier checkpoint.")
    before = 0
    for proven in bundle.events:
        event = _check_included(proven, checkpoint)
        if bundle.tenant and event.get("tenant") != bundle.tenant:
            raise ProofError(f"Event {proven.seq:,}: the line says another tenant.")
        if proven.seq <= before:
            raise ProofError(f"Event {proven.seq:,} stands after event {before:,}.")
        before = proven.seq
        yield proven.seq


def _follow(proven: Sequence[Proven], checkpoint: Checkpoint, noted: PublicKey) -> list[tuple[int, PublicKey]]:
    """The keys from the noted one on, each with the number of the event that named it."""
    named = [(one.seq, _check_included(one, checkpoint).get("key") or {}) for one in proven]
    try:
        keys = [(seq, PublicKey.parse(key.get("public", ""))) for seq, key in named]
    except NoteError as error:
        raise ProofError(f"An event that should name a key does not: {error}") from error
    for ((_, before), (_, following)), (_, key) in zip(pairwise(keys), named[1:], strict=True):
        check_rotation(before, following, key["signature"])
    place = next((place for place, (_, key) in enumerate(keys) if key == noted), None)
    if place is None:
        raise SignatureError(f"This ledger was never signed by the key {noted.fingerprint}.")
    return keys[place:]


def _follow_signed(next_keys: Sequence[NextKey], noted: PublicKey) -> list[PublicKey]:
    """The keys from the noted one on, each signed by the one before it."""
    for place, key in enumerate(next_keys):
        if place:
            check_rotation(next_keys[place - 1].public, key.public, key.signature)
        elif key.signature:
            raise ProofError("The first key is signed by none before it.")
    keys = [key.public for key in next_keys]
    if noted not in keys:
        raise SignatureError(f"This ledger was never signed by the key {noted.fingerprint}.")
    return keys[keys.index(noted) :]


def _check_signed_by_one(checkpoint: Checkpoint, keys: Sequence[PublicKey], said: PublicKey | None) -> None:
    if said is not None and said not in keys:
        raise SignatureError("The key in the bundle is not the one that signs the ledger.")
    named = {by.key_id for by in checkpoint.note.signatures} if checkpoint.note is not None else set()
    key = next((key for key in keys if key.key_id in named), None)
    if key is None or checkpoint.note is None:
        raise SignatureError(f"The checkpoint of event {checkpoint.events:,} is not signed by a key that counts.")
    try:
        checkpoint.note.check(key)
    except SignatureError as error:
        raise SignatureError(f"The checkpoint of event {checkpoint.events:,}: {error}") from error


def _check_signed(checkpoint: Checkpoint, keys: list[tuple[int, PublicKey]], said: PublicKey | None) -> None:
    key = next((key for seq, key in reversed(keys) if seq <= checkpoint.events), None)
    if key is None or checkpoint.note is None:
        raise SignatureError(f"The checkpoint of event {checkpoint.events:,} is older than the noted key.")
    if said is not None and said != key:
        raise SignatureError("The key in the bundle is not the one that signs the ledger.")
    try:
        checkpoint.note.check(key)
    except SignatureError as error:
        raise SignatureError(f"The checkpoint of event {checkpoint.events:,}: {error}") from error


def _check_included(proven: Proven, checkpoint: Checkpoint) -> dict[str, Any]:
    try:
        check_inclusion(leaf_hash(proven.line), proven.seq - 1, checkpoint.events, proven.proof, checkpoint.root)
        event: dict[str, Any] = json.loads(proven.line)
    except (ProofError, ValueError) as error:
        raise ProofError(f"Event {proven.seq:,}: {error}") from error
    if event.get("seq") != proven.seq:
        raise ProofError(f"Event {proven.seq:,}: the line says another number.")
    return event


def _text_of(checkpoint: Checkpoint | None) -> str:
    return checkpoint.note.encode().decode() if checkpoint is not None and checkpoint.note is not None else ""


def _members_of(proven: Proven) -> dict[str, Any]:
    return {"line": proven.line.decode(), "proof": _encode_hashes(proven.proof)}


def _placed_members_of(proven: Proven) -> dict[str, Any]:
    return _members_of(proven) | {"seq": proven.seq}


def _decode_whole(members: dict[str, Any]) -> dict[str, Any]:
    return {
        "events": tuple(_proven(event, seq) for seq, event in enumerate(members["events"], members["first"])),
        "keys": tuple(_proven(event, event["seq"]) for event in members["keys"]),
    }


def _decode_tenants(members: dict[str, Any]) -> dict[str, Any]:
    if not (isinstance(members["tenant"], str) and members["tenant"] and members["events"] and members["keys"]):
        raise BundleError("The bundle of a tenant says neither whose it is nor anything else.")
    return {
        "events": tuple(_proven(event, event["seq"]) for event in members["events"]),
        "next_keys": tuple(NextKey(PublicKey.parse(key["public"]), key["signature"]) for key in members["keys"]),
        "tenant": members["tenant"],
    }


def _proven(members: dict[str, Any], seq: int) -> Proven:
    return Proven(seq, members["line"].encode(), tuple(map(decode_base64, members["proof"])))


def _encode_hashes(hashes: Sequence[bytes]) -> list[str]:
    return list(map(encode_base64, hashes))
