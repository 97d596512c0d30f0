"""What the bench tells of the detectors of contradictions."""

from apps.facts.bench.detecting import Detected, detect_pairs
from cruxstore.trust.contradiction.measuring import Measured, Score


def test_both_parts_are_told_with_the_gap_between_them() -> None:
    tune = Measured(200, Score(70, 70, 80), Score(20, 20, 40))
    held_out = Measured(100, Score(30, 32, 40), Score(8, 8, 20))

    report = Detected(tune, held_out).report()

    assert (report["ours"], report["yardstick"], report["ratio"], report["n"]) == (0.12, 0.05, 2.4, 300)
    assert report["gap"] == {
        "contradictions_precision": 0.062,
        "contradictions_recall": 0.125,
        "duplicates_precision": 0.0,
        "duplicates_recall": 0.1,
    }


def test_all_labelled_pairs_are_measured() -> None:
    detected = detect_pairs()

    assert (detected.tune.pairs, detected.held_out.pairs) == (200, 100)
    assert (detected.tune.contradictions.labelled, detected.held_out.contradictions.labelled) == (80, 40)
