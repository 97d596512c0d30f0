"""Values that are JSON objects, compared name by name."""

# ruff: noqa: SIM905 - lists of words read better as text

from cruxstore.trust.contradiction.verdicts import Detector, Relation, Verdict

LONGEST_SCALAR = 60
_PASSING = frozenset(
    """
        note notes comment comments description updated updated_at timestamp created created_at time
        date_checked last_seen
    """.split()
)


def compare_fields(first: dict[str, str], second: dict[str, str], *, is_same_key: bool) -> Verdict:
    """What two objects say of each other: a name with two values is a contradiction, more names a refinement."""
    shared = [name for name in first if name in second]
    differing = [
        name for name in shared if first[name] != second[name] and _number(first[name]) != _number(second[name])
    ]
    telling = [name for name in differing if _is_single(name, first[name], second[name])]
    if telling and is_same_key:
        name = telling[0]
        return Verdict(Relation.CONTRADICTION, Detector.FIELDS, f"{name} {first[name]} against {second[name]}")
    if differing or not shared or not is_same_key:
        return Verdict(Relation.UNRELATED, Detector.FIELDS, "")
    if len(first) == len(second) == len(shared):
        return Verdict(Relation.DUPLICATE, Detector.FIELDS, f"the same {len(shared)} names")
    if len(shared) in (len(first), len(second)):
        return Verdict(Relation.REFINEMENT, Detector.FIELDS, f"{len(first)} names against {len(second)}")
    return Verdict(Relation.UNRELATED, Detector.FIELDS, "")


def _is_single(name: str, one: str, other: str) -> bool:
    if not one or not other or "," in one or "," in other or name.rsplit(" ", 1)[-1] in _PASSING:
        return False
    return max(len(one), len(other)) <= LONGEST_SCALAR and one.count(" ") + other.count(" ") < 4


def _number(scalar: str) -> float | str:
    try:
        return float(scalar)
    except ValueError:
        return scalar
