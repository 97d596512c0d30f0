"""Confidence as the format knows it: a 32-bit number and its shortest decimal."""

import math
import struct
from functools import lru_cache

_F32 = struct.Struct("<f")


def round_to_f32(number: float) -> float:
    """The nearest 32-bit number; one beyond their range becomes infinite."""
    return number if number == 0 else _round(number)


def f32_text(number: float) -> str:
    """The shortest decimal that reads back as the same 32-bit number; `null` when it has none."""
    if number == 0:
        return "-0.0" if math.copysign(1, number) < 0 else "0.0"
    return _text(number)


@lru_cache(maxsize=4096)
def _round(number: float) -> float:
    try:
        rounded: float = _F32.unpack(_F32.pack(number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return rounded


@lru_cache(maxsize=4096)
def _text(number: float) -> str:
    if not math.isfinite(number):
        return "null"
    return _place_point(_shortest(number))


def _shortest(number: float) -> str:
    """Scientific notation with as few digits as tell the number from its neighbours."""
    spelled = f"{number:.8e}"
    for places in range(8):
        shorter = f"{number:.{places}e}"
        if _round(float(shorter)) == number:
            return shorter
    return spelled


def _place_point(scientific: str) -> str:
    mantissa, _, exponent_text = scientific.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    digits = mantissa.lstrip("-").replace(".", "").rstrip("0")
    exponent = int(exponent_text)
    if not -6 <= exponent < 13:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{rest}e{exponent}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    return f"{sign}{whole}.{digits[exponent + 1 :] or '0'}"
