"""Confidences as 32-bit numbers and their shortest decimals."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.facts.floats import f32_text, round_to_f32


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1.0"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (0.95, "0.95"),
        (0.1, "0.1"),
        (1 / 3, "0.33333334"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (-0.25, "-0.25"),
        (100.0, "100.0"),
        (16777216.0, "16777216.0"),
        (123.5, "123.5"),
        (9.999999e12, "9999999000000.0"),
        (1e13, "1e13"),
        (2.5e13, "2.5e13"),
        (3.4028234663852886e38, "3.4028235e38"),
        (1e-45, "1e-45"),
        (math.inf, "null"),
        (-math.inf, "null"),
        (math.nan, "null"),
    ],
)
def test_a_confidence_is_spelled(number: float, text: str) -> None:
    assert f32_text(round_to_f32(number)) == text


def test_a_number_beyond_32_bits_becomes_infinite() -> None:
    assert round_to_f32(1e39) == math.inf
    assert round_to_f32(-1e39) == -math.inf


def test_the_sign_of_zero_is_kept_after_the_other_zero_was_seen() -> None:
    assert math.copysign(1, round_to_f32(0.0)) == 1
    assert math.copysign(1, round_to_f32(-0.0)) == -1


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_spelling_reads_back_as_the_same_number_and_none_is_shorter(number: float) -> None:
    text = f32_text(number)
    digits = len(text.lstrip("-").partition("e")[0].replace(".", "").strip("0"))

    assert round_to_f32(float(text)) == number
    assert digits == 0 or all(round_to_f32(float(f"{number:.{fewer}e}")) != number for fewer in range(digits - 1))


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-3e38, max_value=3e38))
def test_rounding_is_to_the_nearest(number: float) -> None:
    assert round_to_f32(number) == struct.unpack("<f", struct.pack("<f", number))[0]
