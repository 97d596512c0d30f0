"""Making a bundle: a part of the ledger with the proofs that it stands under a signed checkpoint."""

from collections.abc import Container
from itertools import islice
from pathlib import Path

from cruxstore.errors import BundleError
from cruxstore.ledger.bundle import Bundle, NextKey, Proven
from cruxstore.ledger.events import KEY_MARK, decode_event
from cruxstore.ledger.notes import Checkpoint
from cruxstore.ledger.signing import named_key
from cruxstore.ledger.tree import Tree, leaf_hash
from cruxstore.lines import read_lines


def make_bundle(
    ledger: Path, checkpoint: Checkpoint, *, first: int, last: int, earlier: Checkpoint | None = None
) -> Bundle:
    """The bundle of some events under a signed checkpoint; BundleError where it does not cover them."""
    if not 1 <= first <= last <= checkpoint.events:
        raise BundleError(f"The checkpoint covers the events 1 to {checkpoint.events:,}, not {first:,} to {last:,}.")
    found = _Read(ledger, checkpoint, range(first, last + 1))
    return Bundle(
        key=found.keys()[-1].public,
        checkpoint=checkpoint,
        earlier=earlier,
        consistency=found.consistency(earlier),
        events=found.proven(found.lines),
        keys=found.proven(found.named),
    )


def make_tenant_bundle(
    ledger: Path, checkpoint: Checkpoint, *, tenant: str, events: Container[int], earlier: Checkpoint | None = None
) -> Bundle:
    """The bundle of those of these events that are of one tenant, with no line of anybody else; BundleError for none.

    Whose an event is, its own line says.
    """
    if not tenant:
        raise BundleError("The bundle of a tenant needs one.")
    found = _Read(ledger, checkpoint, events)
    lines = {seq: line for seq, line in found.lines.items() if decode_event(line).tenant == tenant}
    if not lines:
        raise BundleError("None of these events is of this tenant and signed.")
    return Bundle(
        key=found.keys()[-1].public,
        checkpoint=checkpoint,
        earlier=earlier,
        consistency=found.consistency(earlier),
        events=found.proven(lines),
        tenant=tenant,
        next_keys=found.keys(),
    )


class _Read:
    """The ledger as far as a checkpoint covers it; BundleError where it is another one."""

    def __init__(self, ledger: Path, checkpoint: Checkpoint, events: Container[int]) -> None:
        self.lines: dict[int, bytes] = {}
        self.named: dict[int, bytes] = {}
        leaves = []
        for seq, (_, line) in enumerate(islice(read_lines(ledger), checkpoint.events), 1):
            leaves.append(leaf_hash(line))
            if seq in events:
                self.lines[seq] = line
            if KEY_MARK in line:
                self.named[seq] = line
        self._tree = Tree(leaves)
        if not self.named or (self._tree.size, self._tree.root()) != (checkpoint.events, checkpoint.root):
            raise BundleError("The ledger is not the one that the checkpoint covers.")

    def keys(self) -> tuple[NextKey, ...]:
        """All keys that sign it, in their order."""
        events = [decode_event(line) for line in self.named.values()]
        return tuple(
            NextKey(named_key(event), event.key.signature if event.key is not None else "") for event in events
        )

    def proven(self, lines: dict[int, bytes]) -> tuple[Proven, ...]:
        """These lines with the proof that each stands at its place."""
        return tuple(Proven(seq, line, tuple(self._tree.prove_inclusion(seq - 1))) for seq, line in lines.items())

    def consistency(self, earlier: Checkpoint | None) -> tuple[bytes, ...]:
        """The proof that an older checkpoint is the beginning."""
        if earlier is None:
            return ()
        if earlier.note is None:
            raise BundleError("The earlier checkpoint is not signed.")
        if earlier.events > self._tree.size or self._tree.root(earlier.events) != earlier.root:
            raise BundleError("The earlier checkpoint is not the beginning of this ledger.")
        return tuple(self._tree.prove_consistency(earlier.events))
