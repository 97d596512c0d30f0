"""Making a bundle: a part of the ledger with the proofs that it stands under a signed checkpoint."""

from pathlib import Path

from cruxstore.errors import BundleError
from cruxstore.ledger.bundle import Bundle, Proven
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
    leaves: list[bytes] = []
    lines: dict[int, bytes] = {}
    named: dict[int, bytes] = {}
    for seq, (_, line) in enumerate(read_lines(ledger), 1):
        if seq > checkpoint.events:
            break
        leaves.append(leaf_hash(line))
        if first <= seq <= last:
            lines[seq] = line
        if KEY_MARK in line:
            named[seq] = line
    tree = Tree(leaves)
    if not named or (tree.size, tree.root()) != (checkpoint.events, checkpoint.root):
        raise BundleError("The ledger is not the one that the checkpoint covers.")
    if earlier is not None and earlier.note is None:
        raise BundleError("The earlier checkpoint is not signed.")

    def proven(chosen: dict[int, bytes]) -> tuple[Proven, ...]:
        return tuple(Proven(seq, line, tuple(tree.prove_inclusion(seq - 1))) for seq, line in chosen.items())

    return Bundle(
        key=named_key(decode_event(named[max(named)])),
        checkpoint=checkpoint,
        earlier=earlier,
        consistency=tuple(tree.prove_consistency(earlier.events)) if earlier is not None else (),
        events=proven(lines),
        keys=proven(named),
    )
