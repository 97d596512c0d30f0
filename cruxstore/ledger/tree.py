"""The Merkle tree of RFC 9162 over the ledger's lines: one hash fixes all of them and their order.

    leaf = SHA-256(00 || line)        node = SHA-256(01 || left || right)

           root(7)                    the left part of a tree is the largest power of two below its size;
         /        \\                   the frontier of seven leaves is [a, b, g]: all that is needed to grow
        a          .
      /   \\       / \\
     .     .     b   g
    0 1   2 3   4 5  6
"""

import hashlib
from collections.abc import Iterable, Sequence

from cruxstore.errors import ProofError

HASH_BYTES = 32


def leaf_hash(line: bytes) -> bytes:
    """The hash of a line without its newline."""
    return hashlib.sha256(b"\0" + line).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees, each given by its own."""
    return hashlib.sha256(b"\1" + left + right).digest()


class Frontier:
    """A tree that only grows, kept as the roots of its complete subtrees, the largest first."""

    __slots__ = ("hashes", "size")

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        self.size = size
        self.hashes = list(hashes)
        if size < 0 or len(self.hashes) != size.bit_count() or any(len(kept) != HASH_BYTES for kept in self.hashes):
            raise ValueError(f"a tree of {size} leaves does not consist of {len(self.hashes)} subtrees")

    def append(self, leaf: bytes) -> None:
        """Adds a leaf, given by its hash, behind all others."""
        size, hashes = self.size, self.hashes
        while size & 1:
            leaf = hashlib.sha256(b"\1" + hashes.pop() + leaf).digest()
            size >>= 1
        hashes.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """The hash of the whole tree; of an empty one, that of nothing."""
        if not self.hashes:
            return hashlib.sha256().digest()
        root = self.hashes[-1]
        for left in reversed(self.hashes[:-1]):
            root = node_hash(left, root)
        return root

    def copy(self) -> "Frontier":
        """Another of the same leaves, which grows by itself."""
        return Frontier(self.size, self.hashes)


class Tree:
    """All of a tree, from the hashes of its leaves: roots of any earlier size, and proofs."""

    def __init__(self, leaves: Iterable[bytes]) -> None:
        level = list(leaves)
        self.size = len(level)
        # of every level the complete subtrees only
        self._levels = [level]
        while len(level) > 1:
            level = [node_hash(level[place], level[place + 1]) for place in range(0, len(level) - 1, 2)]
            self._levels.append(level)

    def root(self, size: int | None = None) -> bytes:
        """The root that the tree had at a size, by default now."""
        size = self._checked(self.size if size is None else size)
        return self._subtree(0, size) if size else Frontier().root()

    def prove_inclusion(self, place: int, size: int | None = None) -> list[bytes]:
        """The hashes that lead from the leaf at a place, counted from zero, to the root of a size."""
        size = self._checked(self.size if size is None else size)
        if not 0 <= place < size:
            raise ProofError(f"A tree of {size:,} leaves has none at place {place:,}.")
        proof, start = [], 0
        while size > 1:
            left = _left(size)
            if place < left:
                proof.append(self._subtree(start + left, size - left))
                size = left
            else:
                proof.append(self._subtree(start, left))
                start, place, size = start + left, place - left, size - left
        return proof[::-1]

    def prove_consistency(self, earlier: int, size: int | None = None) -> list[bytes]:
        """The hashes that show the tree of an earlier size to be the beginning of the one of a size."""
        size = self._checked(self.size if size is None else size)
        if not 0 <= earlier <= size:
            raise ProofError(f"A tree of {size:,} leaves never had {earlier:,} before.")
        if earlier in (0, size):
            return []
        proof, start, is_whole = [], 0, True
        while earlier != size:
            left = _left(size)
            if earlier <= left:
                proof.append(self._subtree(start + left, size - left))
                size = left
            else:
                proof.append(self._subtree(start, left))
                start, earlier, size, is_whole = start + left, earlier - left, size - left, False
        return (proof if is_whole else [*proof, self._subtree(start, size)])[::-1]

    def _checked(self, size: int) -> int:
        if not 0 <= size <= self.size:
            raise ProofError(f"The tree has {self.size:,} leaves and never had {size:,}.")
        return size

    def _subtree(self, start: int, size: int) -> bytes:
        height = size.bit_length() - 1
        if size == 1 << height:
            return self._levels[height][start >> height]
        left = _left(size)
        return node_hash(self._subtree(start, left), self._subtree(start + left, size - left))


def check_inclusion(leaf: bytes, place: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Raises ProofError where a leaf is not shown to stand at a place of the tree with this size and root."""
    if not 0 <= place < size:
        raise ProofError(f"A tree of {size:,} leaves has none at place {place:,}.")
    here, last, reached = place, size - 1, leaf
    for other in proof:
        if last == 0 or len(other) != HASH_BYTES:
            raise ProofError("The proof of inclusion is too long.")
        if here & 1 or here == last:
            reached = node_hash(other, reached)
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            reached = node_hash(reached, other)
        here, last = here >> 1, last >> 1
    if last != 0 or reached != root:
        raise ProofError(f"The proof does not lead from the leaf at place {place:,} to the root.")


def check_consistency(earlier: int, size: int, proof: Sequence[bytes], *, earlier_root: bytes, root: bytes) -> None:
    """Raises ProofError where a tree is not shown to be the beginning of another."""
    if not 0 <= earlier <= size:
        raise ProofError(f"A tree of {size:,} leaves never had {earlier:,} before.")
    if earlier in (0, size):
        same = earlier_root == (root if earlier else Frontier().root())
        if proof or not same:
            raise ProofError("Trees of the same size, or an empty one, need no proof but the same root.")
        return
    rest = list(proof)
    if any(len(other) != HASH_BYTES for other in rest):
        raise ProofError("The proof of consistency holds what is no hash.")
    if earlier & (earlier - 1) == 0:
        rest.insert(0, earlier_root)
    if not rest:
        raise ProofError("The proof of consistency is empty.")
    here, last = earlier - 1, size - 1
    while here & 1:
        here, last = here >> 1, last >> 1
    before = after = rest[0]
    for other in rest[1:]:
        if last == 0:
            raise ProofError("The proof of consistency is too long.")
        if here & 1 or here == last:
            before, after = node_hash(other, before), node_hash(other, after)
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            after = node_hash(after, other)
        here, last = here >> 1, last >> 1
    if last != 0 or (before, after) != (earlier_root, root):
        raise ProofError(f"The tree of {earlier:,} leaves is not shown to be the beginning of that of {size:,}.")


def _left(size: int) -> int:
    """The largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1
