"""The detectors of contradictions over labelled pairs: how often they are right, and how far the two parts differ."""

from dataclasses import dataclass
from pathlib import Path

from cruxstore.trust.contradiction.measuring import Measured, Score, measure, read_pairs

PAIRS = Path(__file__).parents[3] / "tests" / "data" / "pairs"


@dataclass(frozen=True)
class Detected:
    """Precision and recall on the part the detectors were tuned on, and on the one held out."""

    tune: Measured
    held_out: Measured

    def report(self) -> dict[str, object]:
        """As the bench prints it: ours is the part of wrong pairs held out, the yardstick that of those tuned on."""
        ours, yardstick = self.held_out.errors, self.tune.errors
        return {
            "ours": round(ours, 6),
            "yardstick": round(yardstick, 6),
            "ratio": round(ours / yardstick, 3) if yardstick else None,
            "unit": "of all pairs",
            "n": self.tune.pairs + self.held_out.pairs,
            "tune": _figures(self.tune),
            "held_out": _figures(self.held_out),
            "gap": {
                name: round(told - held, 3)
                for (name, told), held in zip(
                    _figures(self.tune).items(), _figures(self.held_out).values(), strict=True
                )
            },
        }


def detect_pairs() -> Detected:
    """Measures both parts; of the held-out one, only totals are told."""
    return Detected(*(measure(read_pairs(PAIRS / f"{part}.jsonl")) for part in ("tune", "held_out")))


def _figures(measured: Measured) -> dict[str, float]:
    return {
        f"{name}_{figure}": round(value, 3)
        for name, score in (("contradictions", measured.contradictions), ("duplicates", measured.duplicates))
        for figure, value in _both(score).items()
    }


def _both(score: Score) -> dict[str, float]:
    return {"precision": score.precision, "recall": score.recall}
