"""What was believed of one key over both clocks."""

from apps.facts.belief_rules import (
    FOREVER,
    TOLERANCE_US,
    Standing,
    Version,
    bands_of,
    believed,
    findings_of,
    replacements_of,
    spans_at,
)
from apps.facts.rules import State

DAY = TOLERANCE_US


def version(
    name: str,
    place: int,
    *,
    start: int | None = None,
    end: int | None = None,
    supersedes: str | None = None,
    replaced: tuple[int, str] | None = None,
    stored: int | None = None,
    state: int = State.CURRENT,
) -> Version:
    """A fact that was stored at a place and, if so, replaced by another at a later one."""
    last = Standing(FOREVER, state, None, start, end)
    standings: tuple[Standing, ...] = (last,)
    if replaced is not None:
        at, successor = replaced
        standings = (
            Standing(at, State.CURRENT, None, start, end),
            Standing(FOREVER, State.SUPERSEDED, successor, start, end),
        )
    return Version(name, place, place, place, place if stored is None else stored, supersedes, standings)


def names(versions: tuple[Version, ...]) -> str:
    return "".join(one.fact_id for one in versions)


def table(versions: list[Version], key: int) -> list[tuple[int | None, int | None, str]]:
    return [(span.start_us, span.end_us, names(span.versions)) for span in spans_at(versions, key, {})]


LATE_MIDDLE = [
    version("A", 10, start=100, replaced=(20, "C")),
    version("C", 20, start=300, supersedes="A"),
    version("B", 30, start=200, end=300, supersedes="A"),
]


def test_a_change_learned_late_leaves_what_was_believed_before_it() -> None:
    chain = [version("A", 100, start=100, replaced=(200, "B")), version("B", 200, start=150, supersedes="A")]

    asked = [(120, 300), (149, 300), (150, 300), (160, 199), (160, 200), (99, 300), (120, 50)]

    assert [names(believed(chain, key, about, {})) for about, key in asked] == ["A", "A", "B", "A", "B", "", ""]


def test_a_correction_wipes_what_it_replaces_over_its_whole_span() -> None:
    chain = [version("A", 100, start=100, replaced=(200, "B")), version("B", 200, start=100, supersedes="A")]

    assert table(chain, 150) == [(None, 100, ""), (100, None, "A")]
    assert table(chain, 200) == [(None, 100, ""), (100, None, "B")]
    assert replacements_of(chain, 200, 200)[0].is_correction


def test_without_starts_each_version_holds_from_when_it_was_stored_and_the_first_for_ever_before() -> None:
    chain = [
        version("A", 10, replaced=(20, "B")),
        version("B", 20, supersedes="A", replaced=(30, "C")),
        version("C", 30, supersedes="B"),
    ]

    assert table(chain, 99) == [(None, 20, "A"), (20, 30, "B"), (30, None, "C")]
    assert table(chain, 25) == [(None, 20, "A"), (20, None, "B")]
    assert not replacements_of(chain, 99, 99)[0].is_correction


def test_an_end_and_a_deletion_leave_nothing_believed() -> None:
    assert table([version("A", 1, start=200, end=300)], 1) == [(None, 200, ""), (200, 300, "A"), (300, None, "")]
    assert table([version("A", 1, state=State.DELETED)], 1) == [(None, None, "")]
    assert table([version("A", 1, start=5, end=5)], 1) == [(None, None, "")]


def test_a_successor_elsewhere_retires_from_its_start_and_an_unknown_one_altogether() -> None:
    chain = [version("A", 1, replaced=(2, "X"))]

    assert [names(span.versions) for span in spans_at(chain, 2, {"X": 50})] == ["A", ""]
    assert [names(span.versions) for span in spans_at(chain, 2, {})] == [""]


def test_bands_begin_where_the_belief_changed() -> None:
    bands = bands_of(LATE_MIDDLE, [10, 15, 20, 30], {})

    assert [band.place for band in bands] == [10, 20, 30]
    assert [names(span.versions) for span in bands[1].spans] == ["", "A", "C"]


def test_overlaps_gaps_and_forks_are_found() -> None:
    overlapping = [version("A", 1, start=1, end=10), version("B", 2, start=5, end=8)]
    apart = [version("A", 1, start=1, end=3), version("B", 2, start=5)]

    found, missing = findings_of(overlapping, 9, {}), findings_of(apart, 9, {})
    forked = findings_of(LATE_MIDDLE, 30, {})

    assert [(span.start_us, span.end_us) for span in found.overlaps] == [(5, 8)]
    assert [(span.start_us, span.end_us) for span in missing.gaps] == [(3, 5)]
    assert [names(fork) for fork in forked.forks] == ["CB"]
    assert not found.gaps and not missing.overlaps


def test_times_that_are_noteworthy_are_marked() -> None:
    first = version("A", 1, stored=10 * DAY)

    def marks(start: int | None, stored: int) -> tuple[str, ...]:
        chain = [first, version("B", 2, start=start, stored=stored, supersedes="A")]
        return replacements_of(chain, 2, 20 * DAY)[0].marks

    assert marks(None, 11 * DAY) == ()
    assert marks(11 * DAY, 13 * DAY) == ("backdated",)
    assert marks(14 * DAY, 12 * DAY) == ("scheduled",)
    assert marks(9 * DAY, 10 * DAY) == ("late",)
    assert marks(None, 9 * DAY) == ("late", "clock skew")
    assert marks(None, 21 * DAY) == ("clock skew",)
