"""Numbers that look drawn but follow from names: ids, fractions of a second, readings."""

from blake3 import blake3


def hex_id(*names: object) -> str:
    """32 hex digits in the shape of a random UUID, the same for the same names."""
    digits = list(_digest(*names).hex())
    digits[12] = "4"
    digits[16] = "89ab"[int(digits[16], 16) % 4]
    return "".join(digits)


def number_below(limit: int, *names: object) -> int:
    """A whole number from 0 up to, not including, the limit; the same for the same names."""
    return int.from_bytes(_digest(*names)[:8]) % limit


def noise(*names: object) -> float:
    """A number in [-1, 1); the same for the same names."""
    return int.from_bytes(_digest(*names)[:6]) / 2**47 - 1


def _digest(*names: object) -> bytes:
    return blake3("\0".join(map(str, names)).encode()).digest(length=16)
