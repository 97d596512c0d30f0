"""The tree is that of RFC 9162: the reference's roots and proofs, and a naive implementation's for sizes 0 to 300."""

import hashlib
import random
from itertools import pairwise

import pytest

from cruxstore.errors import ProofError
from cruxstore.ledger.tree import Frontier, Tree, check_consistency, check_inclusion, leaf_hash

# the leaves and roots of the reference implementation of certificate transparency
REFERENCE_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
REFERENCE_ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
FIRST_OF_EIGHT = (
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
)
LINES = [b"line %d" % number for number in range(300)]
LEAVES = [leaf_hash(line) for line in LINES]
TREE = Tree(LEAVES)


def naive_root(lines: list[bytes]) -> bytes:
    """The definition of RFC 9162, section 2.1.1, word for word."""
    if not lines:
        return hashlib.sha256(b"").digest()
    if len(lines) == 1:
        return hashlib.sha256(b"\x00" + lines[0]).digest()
    k = max(1 << power for power in range(10) if 1 << power < len(lines))
    return hashlib.sha256(b"\x01" + naive_root(lines[:k]) + naive_root(lines[k:])).digest()


def sizes() -> list[int]:
    return sorted({1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 100, 255, 256, 257, 299, 300})


def one_bit_changed(proof: list[bytes]) -> list[bytes]:
    """The proof with a bit of it, chosen at random, the other way round."""
    chosen, bit = random.randrange(len(proof)), random.randrange(256)
    changed = int.from_bytes(proof[chosen]) ^ 1 << bit
    return [*proof[:chosen], changed.to_bytes(32), *proof[chosen + 1 :]]


@pytest.mark.parametrize("size", range(9))
def test_the_references_roots(size: int) -> None:
    leaves = [leaf_hash(line) for line in REFERENCE_LEAVES[:size]]

    assert Tree(leaves).root().hex() == REFERENCE_ROOTS[size]


def test_the_references_proofs() -> None:
    tree = Tree(leaf_hash(line) for line in REFERENCE_LEAVES)

    assert [node.hex() for node in tree.prove_inclusion(0)] == list(FIRST_OF_EIGHT)
    assert [node.hex() for node in tree.prove_consistency(1)] == list(FIRST_OF_EIGHT)
    assert [node.hex() for node in tree.prove_consistency(6)] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


def test_every_root_from_0_to_300_is_the_naive_one_however_the_tree_came_about() -> None:
    frontier = Frontier()
    for size in range(301):
        expected = naive_root(LINES[:size])
        assert frontier.root() == expected
        assert TREE.root(size) == expected
        assert Frontier(size, frontier.copy().hashes).root() == expected
        if size < 300:
            frontier.append(LEAVES[size])


@pytest.mark.parametrize("size", sizes())
def test_every_leaf_is_shown_to_be_where_it_is_and_nowhere_else(size: int) -> None:
    root = TREE.root(size)
    for place in range(size):
        proof = TREE.prove_inclusion(place, size)
        check_inclusion(LEAVES[place], place, size, proof, root)

        wrong = [
            (LEAVES[place - 1], place, size, proof, root),
            (LEAVES[place], place + 1, size, proof, root),
            (LEAVES[place], place, size + size, proof, root),
            (LEAVES[place], place, size, [*proof, root], root),
            (LEAVES[place], place, size, proof, TREE.root(size - 1)),
        ]
        if proof:
            wrong.append((LEAVES[place], place, size, one_bit_changed(proof), root))
            wrong.append((LEAVES[place], place, size, proof[:-1], root))
        for case in wrong[1 if size == 1 else 0 :]:
            with pytest.raises(ProofError):
                check_inclusion(*case)


@pytest.mark.parametrize("size", sizes())
def test_every_earlier_tree_is_shown_to_be_the_beginning_and_no_other_one(size: int) -> None:
    root = TREE.root(size)
    for earlier in range(size + 1):
        proof, before = TREE.prove_consistency(earlier, size), TREE.root(earlier)
        check_consistency(earlier, size, proof, earlier_root=before, root=root)

        changed = [[*proof, root]]
        if proof:
            changed += [one_bit_changed(proof), proof[:-1], proof[1:]]
        for wrong in changed:
            with pytest.raises(ProofError):
                check_consistency(earlier, size, wrong, earlier_root=before, root=root)
        with pytest.raises(ProofError):
            check_consistency(earlier, size, proof, earlier_root=LEAVES[1], root=root)


@pytest.mark.parametrize("size", [5, 8])
def test_every_single_bit_of_a_proof_counts(size: int) -> None:
    root = TREE.root(size)
    for place in range(size):
        proof = TREE.prove_inclusion(place, size)
        for chosen, node in enumerate(proof):
            for bit in range(256):
                wrong = [*proof]
                wrong[chosen] = (int.from_bytes(node) ^ 1 << bit).to_bytes(32)
                with pytest.raises(ProofError):
                    check_inclusion(LEAVES[place], place, size, wrong, root)


def test_what_a_tree_never_had_cannot_be_proved() -> None:
    for ask in (
        lambda: TREE.root(301),
        lambda: TREE.prove_inclusion(300),
        lambda: TREE.prove_inclusion(-1),
        lambda: TREE.prove_consistency(9, 8),
        lambda: check_inclusion(LEAVES[0], 0, 0, [], TREE.root(0)),
        lambda: check_consistency(3, 2, [], earlier_root=TREE.root(3), root=TREE.root(2)),
    ):
        with pytest.raises(ProofError):
            ask()


@pytest.mark.parametrize(("size", "hashes"), [(3, LEAVES[:1]), (0, LEAVES[:1]), (1, [b"short"]), (-1, LEAVES[:1])])
def test_subtrees_that_make_no_tree_are_refused(size: int, hashes: list[bytes]) -> None:
    with pytest.raises(ValueError, match="does not consist"):
        Frontier(size, hashes)


def test_all_roots_of_a_growing_tree_differ() -> None:
    roots = [TREE.root(size) for size in range(301)]

    assert all(earlier != later for earlier, later in pairwise(sorted(roots)))
