"""Near-duplicates by MinHash: what of a text is hashed, and when two signatures are close enough.

    "restart the checkout pods one at a time"  ->  restart the, the checkout, checkout pods, …  ->  64 numbers

The numbers are cut into eight bands of eight. Texts that share nine shingles in ten agree in a band nearly always,
those that share half of them hardly ever; of those that do, the share of equal numbers estimates how much they share.
"""

import hashlib
import re
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from datasketch import MinHash  # type: ignore[import-untyped]  # it ships no types

HASHES = 64
BANDS = 8
CLOSE = 0.85
LEAST_PAIRS = 5
LEAST_LETTERS = 16
SEED = 1

_ROWS = HASHES // BANDS
_WORD = re.compile(r"\w+")
_UNSPACED = 3
_BAND_BYTES = 8


def shingles(value: str) -> set[bytes]:
    """What a folded value is made of; nothing where it says too little to be compared.

    Pairs of neighbouring words; in a script without spaces, every three letters.
    """
    words = _WORD.findall(value)
    if len(words) > LEAST_PAIRS:
        return {f"{one} {other}".encode() for one, other in pairwise(words)}
    text = "".join(words)
    if text.isascii() or len(text) < LEAST_LETTERS:
        return set()
    return {text[at : at + _UNSPACED].encode() for at in range(len(text) - _UNSPACED + 1)}


def signatures(values: Sequence[set[bytes]]) -> list[bytes]:
    """A signature for each set of shingles, none of them empty."""
    made = MinHash.bulk(map(list, values), num_perm=HASHES, seed=SEED, hashfunc=zlib.crc32)
    return [hashed.hashvalues.astype("<u4").tobytes() for hashed in made]


def bands_of(signature: bytes, tenant: str) -> list[int]:
    """The bands of a signature as numbers of 63 bits, of each tenant their own."""
    width = _ROWS * 4
    begun = hashlib.blake2b(tenant.encode(), digest_size=_BAND_BYTES)
    found = []
    for at in range(BANDS):
        digest = begun.copy()
        digest.update(b"\0%d" % at + signature[at * width : (at + 1) * width])
        found.append(int.from_bytes(digest.digest()) >> 1)
    return found


def closeness(ones: Sequence[bytes], others: Sequence[bytes]) -> list[float]:
    """How much of each text is alike the one in the same place, 0 to 1, as their signatures estimate it."""
    equal = _numbers(ones) == _numbers(others)
    return [float(share) for share in equal.mean(axis=1)]


def _numbers(signed: Sequence[bytes]) -> npt.NDArray[np.uint32]:
    return np.frombuffer(b"".join(signed), "<u4").reshape(-1, HASHES)
