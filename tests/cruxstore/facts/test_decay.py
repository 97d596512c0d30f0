"""How confidence fades: every known pair of ages and answers, and the moment of going stale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.facts.decay import (
    DAY_MS,
    HOUR_MS,
    AnchorKind,
    DecayPolicy,
    Freshness,
    age_days,
    default_horizon,
    effective_confidence,
    freshness,
    freshness_of,
    horizon_from_words,
    reckon,
    salience_factor,
    stale_at_ms,
)
from cruxstore.facts.records import Horizon, is_valid_at
from cruxstore.facts.times import parse_timestamp, timestamp_from_ns
from tests.cruxstore.facts.made import fact

W = 1_700_000_000_000
FRESH, STALE, UNKNOWN = Freshness.FRESH, Freshness.STALE, Freshness.UNKNOWN
NONE, VOLATILE, MEDIUM, STABLE = Horizon.NONE, Horizon.VOLATILE, Horizon.MEDIUM, Horizon.STABLE
POLICY = DecayPolicy()
DECAYING = (VOLATILE, MEDIUM, STABLE)

KNOWN = [
    (NONE, 0, 1_000_000_000_000, FRESH),
    (NONE, 1, W, FRESH),
    (NONE, W + DAY_MS, W, FRESH),
    (VOLATILE, W, W + 23 * HOUR_MS, FRESH),
    (VOLATILE, W, W + 24 * HOUR_MS, FRESH),
    (VOLATILE, W, W + 24 * HOUR_MS + 1, STALE),
    (VOLATILE, W, W + 25 * HOUR_MS, STALE),
    (MEDIUM, W, W + 34 * DAY_MS, FRESH),
    (MEDIUM, W, W + 36 * DAY_MS, STALE),
    (STABLE, W, W + 300 * DAY_MS, FRESH),
    (STABLE, W, W + 400 * DAY_MS, STALE),
    *((horizon, W + DAY_MS, W, UNKNOWN) for horizon in DECAYING),
    *((horizon, written, W, UNKNOWN) for horizon in DECAYING for written in (0, -1)),
    *((horizon, W, 0, UNKNOWN) for horizon in DECAYING),
    (VOLATILE, 1_000_000_000_000, 1_000_086_400_001, STALE),
    (MEDIUM, 1_500_000_000_000, 1_503_456_000_001, STALE),
    (STABLE, 1_000_000_000_000, 1_031_536_000_001, STALE),
    (VOLATILE, 1, W, STALE),
]


@pytest.mark.parametrize(("horizon", "written_ms", "now_ms", "expected"), KNOWN)
def test_a_fact_is_fresh_stale_or_unknown(horizon: Horizon, written_ms: int, now_ms: int, expected: Freshness) -> None:
    stored = fact()._replace(horizon_class=horizon, stored_at=timestamp_from_ns(written_ms * 1_000_000))

    assert freshness_of(POLICY.threshold_ms(horizon), written_ms, now_ms) is expected
    assert freshness(stored, now_ms, POLICY) is expected
    assert reckon(stored, now_ms, POLICY).freshness is expected


def test_a_reverification_starts_the_age_anew() -> None:
    stored = fact(horizon_class="medium", stored_at="2026-01-01T00:00:00Z")
    reverified = fact(horizon_class="medium", stored_at="2026-01-01T00:00:00Z", reverified_at="2026-01-31T00:00:00Z")
    now_ms = stored.stored_at.ns // 1_000_000 + 50 * DAY_MS

    assert freshness(stored, now_ms, POLICY) is STALE
    assert freshness(reverified, now_ms, POLICY) is FRESH
    assert reckon(stored, now_ms, POLICY).anchor_kind is AnchorKind.STORED
    assert reckon(reverified, now_ms, POLICY).anchor_kind is AnchorKind.REVERIFIED


@pytest.mark.parametrize(("days", "count", "expected"), [(40, 0, STALE), (40, 1000, FRESH), (400, 1000, STALE)])
def test_with_salience_a_fact_asked_for_often_stays_fresh_longer(days: int, count: int, expected: Freshness) -> None:
    stored = fact(horizon_class="medium", access_count=count)
    now_ms = stored.stored_at.ns // 1_000_000 + days * DAY_MS

    assert freshness(stored, now_ms, DecayPolicy(has_salience=True)) is expected
    assert freshness(stored, now_ms, POLICY) is STALE


@pytest.mark.parametrize(
    ("count", "factor"),
    [
        (0, 1.0),
        (1, 1.1732867951399863),
        (2, 1.2746530721670275),
        (5, 1.4479398673070136),
        (10, 1.5994738181995927),
        (100, 2.1537801292103147),
        (1000, 2.727188694828805),
        (100_000, 3.8782338662300573),
        (162_754, 4.0),
        (2**32 - 1, 4.0),
    ],
)
def test_salience_grows_with_the_logarithm_of_the_count(count: int, factor: float) -> None:
    assert salience_factor(count) == pytest.approx(factor, rel=1e-15)


@pytest.mark.parametrize(
    ("count", "threshold_ms"),
    [(0, 3_024_000_000), (1, 3_548_019_268), (10, 4_836_808_826), (1000, 8_247_018_613), (10**9, 12_096_000_000)],
)
def test_the_threshold_with_salience_is_cut_to_milliseconds(count: int, threshold_ms: int) -> None:
    assert DecayPolicy(has_salience=True).threshold_ms(MEDIUM, count) == threshold_ms


@pytest.mark.parametrize(
    ("confidence", "state", "effective"),
    [
        (1.0, FRESH, 1.0),
        (0.8, FRESH, 0.8),
        (1.0, UNKNOWN, 1.0),
        (0.3, UNKNOWN, 0.3),
        (1.0, STALE, 0.5),
        (0.8, STALE, 0.4),
    ],
)
def test_only_a_stale_confidence_counts_half(confidence: float, state: Freshness, effective: float) -> None:
    assert effective_confidence(confidence, state) == effective


def test_the_effective_confidence_is_that_of_the_32_bit_number() -> None:
    assert reckon(fact(confidence=0.95), W, POLICY).effective == 0.949999988079071


@pytest.mark.parametrize(("anchor_ms", "now_ms", "days"), [(W, W + 5 * DAY_MS, 5), (0, W, None), (W + 1, W, None)])
def test_an_age_is_counted_in_whole_days(anchor_ms: int, now_ms: int, days: int | None) -> None:
    assert age_days(anchor_ms, now_ms) == days


@given(st.sampled_from(DECAYING), st.integers(1, 2 * W))
def test_a_fact_is_fresh_up_to_the_moment_it_goes_stale_and_not_after(horizon: Horizon, anchor_ms: int) -> None:
    last_ms = stale_at_ms(horizon, anchor_ms, POLICY)

    assert last_ms is not None
    assert freshness_of(POLICY.threshold_ms(horizon), anchor_ms, last_ms) is FRESH
    assert freshness_of(POLICY.threshold_ms(horizon), anchor_ms, last_ms + 1) is STALE


def test_a_fact_without_horizon_or_time_never_goes_stale() -> None:
    assert stale_at_ms(NONE, W, POLICY) is None
    assert stale_at_ms(VOLATILE, 0, POLICY) is None


def test_a_reckoning_is_itemised() -> None:
    stored = fact(horizon_class="volatile", confidence=0.5, stored_at="2026-03-01T08:15:30.0019Z")
    anchor_ms = 1_772_352_930_001

    reckoning = reckon(stored, anchor_ms + 30 * HOUR_MS, POLICY)

    assert (reckoning.horizon, reckoning.threshold_ms) == (VOLATILE, 24 * HOUR_MS)
    assert (reckoning.anchor_ms, reckoning.anchor_kind, reckoning.age_ms) == (
        anchor_ms,
        AnchorKind.STORED,
        30 * HOUR_MS,
    )
    assert (reckoning.freshness, reckoning.factor, reckoning.effective) == (STALE, 0.5, 0.25)
    assert reckoning.stale_at_ms == anchor_ms + 24 * HOUR_MS


def test_a_time_before_1970_is_cut_downwards() -> None:
    stored = fact(horizon_class="volatile", stored_at="1969-12-31T23:59:59.9999Z")

    assert reckon(stored, W, POLICY).anchor_ms == -1
    assert reckon(stored, W, POLICY).age_ms is None


def test_the_daemons_variables_set_the_thresholds() -> None:
    policy = DecayPolicy.from_environment(
        {
            "CORECRUXD_DECAY_VOLATILE_HOURS": " 48 ",
            "CORECRUXD_DECAY_MEDIUM_DAYS": "+7",
            "CORECRUXD_DECAY_STABLE_DAYS": "90",
            "CORECRUXD_MEMORY_SALIENCE": "1",
        }
    )

    assert policy == DecayPolicy(48 * HOUR_MS, 7 * DAY_MS, 90 * DAY_MS, has_salience=True)


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "ten", "1_0", "9223372036854775808", "9" * 5000, "٣"])
def test_a_variable_that_is_no_whole_number_above_0_changes_nothing(text: str) -> None:
    assert DecayPolicy.from_environment({"CORECRUXD_DECAY_VOLATILE_HOURS": text}) == POLICY


def test_a_huge_threshold_stays_within_64_bits() -> None:
    policy = DecayPolicy.from_environment({"CORECRUXD_DECAY_VOLATILE_HOURS": "9223372036854775807"})

    assert policy.volatile_ms == 2**63 - 1


@pytest.mark.parametrize(
    ("entity", "horizon"),
    [
        ("__ops::node-3", VOLATILE),
        ("__ops__::node-3", NONE),
        ("bench:io", STABLE),
        ("__bootstrap__::x", STABLE),
        ("execplan:x", MEDIUM),
        ("incident:x", MEDIUM),
        ("__candidate_fact__::x", MEDIUM),
        ("project:lark", NONE),
        ("Bench:io", NONE),
    ],
)
def test_the_entity_gives_a_horizon_where_the_writer_gave_none(entity: str, horizon: Horizon) -> None:
    assert default_horizon(entity) is horizon


@pytest.mark.parametrize(
    ("text", "horizon"),
    [
        ("a few HOURS", VOLATILE),
        ("stable", STABLE),
        ("frozen", STABLE),
        ("about a year", STABLE),
        ("architecture, a month", STABLE),
        ("two months", MEDIUM),
        ("weekly", MEDIUM),
        ("1 day", VOLATILE),
        ("2 days", VOLATILE),
        ("3 days", MEDIUM),
        ("daily?", NONE),
        ("some days", MEDIUM),
        ("9" * 5000 + " days", MEDIUM),
        ("", NONE),
        ("soon", NONE),
    ],
)
def test_words_give_a_horizon(text: str, horizon: Horizon) -> None:
    assert horizon_from_words(text) is horizon


@pytest.mark.parametrize(
    ("moment", "is_valid"),
    [
        ("2025-12-31T23:59:59.999999999Z", False),
        ("2026-01-01T00:00:00Z", True),
        ("2026-05-31T23:59:59.999999999Z", True),
        ("2026-06-01T00:00:00Z", False),
    ],
)
def test_a_fact_is_valid_from_its_start_up_to_its_end(moment: str, is_valid: bool) -> None:
    bounded = fact(valid_from="2026-01-01T00:00:00Z", valid_to="2026-06-01T00:00:00Z")

    assert is_valid_at(bounded, parse_timestamp(moment).ns) is is_valid
    assert is_valid_at(fact(), parse_timestamp(moment).ns)
