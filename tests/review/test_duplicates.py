"""Near-duplicates: what is close enough, that words which contradict are none, and that nothing is signed twice."""

import pytest

from apps.review.actions.duplicates import MOST_MEMBERS, scan_duplicates
from apps.review.actions.findings import ScanReport, ScanStep
from apps.review.models import Finding, ScanState, Signature, SignatureBand
from apps.review.shingles import bands_of, closeness, shingles, signatures
from cruxstore.facts.records import Delete
from tests.facts.journals import fact_id, make_fact
from tests.review.conftest import NOW, Journal, ground

STAMP = "2026-11-30T09:00:00+00:00"
TEXT = (
    "When the checkout pods restart one after the other the queue drains within a minute and nobody has to be told, "
    "unless the second region is being patched at the same time, in which case the pager goes to the night shift"
)
OTHER_TEXT = TEXT.replace("the night shift", "our night shift")
UNLIKE = (
    "Invoices of partner accounts leave on the third working day of a month, with the price list that was in force "
    "when the order came in, and a copy to whoever signed the order on their side"
)


def scan() -> ScanReport:
    return scan_duplicates(ground(), now=NOW)


def pairs() -> set[tuple[str, str]]:
    return set(Finding.objects.values_list("first_id", "second_id"))


def test_nearly_the_same_words_in_two_places_are_found(journal: Journal) -> None:
    journal.store(
        make_fact(1, TEXT, entity="runbook:checkout", key="restart"),
        make_fact(2, OTHER_TEXT, entity="service:checkout", key="notes"),
        make_fact(3, UNLIKE, entity="service:billing", key="notes"),
    )

    report = scan()

    assert list(Finding.objects.values_list("kind", "detector", "first_id", "second_id")) == [
        ("duplicate", "near_duplicate", fact_id(1), fact_id(2))
    ]
    assert (report.found, report.written) == (1, 1)


def test_short_values_and_private_facts_are_not_compared(journal: Journal) -> None:
    journal.store(
        make_fact(1, "eu-west", entity="a"),
        make_fact(2, "eu-west", entity="b"),
        make_fact(3, TEXT, entity="c", private=True),
        make_fact(4, TEXT, entity="d"),
    )

    assert scan().found == 0
    assert list(Signature.objects.values_list("fact_id", flat=True)) == [fact_id(4)]


def test_a_number_that_differs_in_the_same_words_is_no_duplicate(journal: Journal) -> None:
    longer = f"{TEXT}, and after 30 minutes the change is rolled back"
    journal.store(make_fact(1, longer, entity="a"), make_fact(2, longer.replace("30", "45"), entity="b"))

    report = scan()

    assert report.compared == 1
    assert pairs() == set()


def test_what_came_later_is_compared_with_what_was_signed_before(journal: Journal) -> None:
    journal.store(make_fact(1, TEXT, entity="a"))
    scan()
    journal.store(make_fact(2, TEXT, entity="b"), make_fact(3, TEXT, entity="a", key="other"))

    report = scan()

    assert pairs() == {(fact_id(1), fact_id(2)), (fact_id(1), fact_id(3)), (fact_id(2), fact_id(3))}
    assert Signature.objects.count() == 3
    assert report.known == 0
    assert scan().compared == 0


def test_a_text_that_was_deleted_is_not_compared_any_more(journal: Journal) -> None:
    journal.store(make_fact(1, TEXT, entity="a"))
    scan()
    journal.say(Delete(fact_id(1), STAMP))
    journal.store(make_fact(2, TEXT, entity="b"))

    assert scan().found == 0


@pytest.mark.parametrize("is_anew", [False, True], ids=["what is new", "everything"])
def test_nothing_is_kept_of_a_text_whose_fact_no_longer_stands(journal: Journal, is_anew: bool) -> None:
    journal.store(make_fact(1, TEXT, entity="a"), make_fact(2, UNLIKE, entity="b"))
    scan()
    journal.say(Delete(fact_id(1), STAMP))
    if is_anew:
        ScanState.objects.all().delete()

    scan()

    assert list(Signature.objects.values_list("fact_id", flat=True)) == [fact_id(2)]


def test_a_text_in_very_many_places_is_shown_with_some_of_them(journal: Journal) -> None:
    journal.store(*(make_fact(number, TEXT, entity=f"place:{number}") for number in range(1, 41)))

    scan()

    partners: dict[str, int] = {}
    for _, second in pairs():
        partners[second] = partners.get(second, 0) + 1
    assert len(partners) == 39
    assert max(partners.values()) == 3
    assert all(len(bytes(row.members)) <= 8 * MOST_MEMBERS for row in SignatureBand.objects.all())


@pytest.mark.parametrize("stop_after", range(3))
def test_a_scan_that_is_stopped_goes_on_where_it_stopped(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, stop_after: int
) -> None:
    monkeypatch.setattr("apps.review.actions.walking.ENTITIES_AT_ONCE", 1)
    journal.store(*(make_fact(number, TEXT, entity=f"place:{number}") for number in range(1, 5)))
    steps: list[ScanStep] = []

    def stop(step: ScanStep, report: ScanReport) -> bool:
        steps.append(step)
        return len(steps) <= stop_after

    scan_duplicates(ground(), now=NOW, step=stop)

    scan_duplicates(ground(), now=NOW, begin=steps[-1])

    assert len(pairs()) == 6
    assert Signature.objects.count() == 4


@pytest.mark.parametrize(
    ("value", "pieces"),
    [
        ("a bb c dd e ff", {b"a bb", b"bb c", b"c dd", b"dd e", b"e ff"}),
        ("restart the checkout pods", set()),
        (
            "一二三四五六七八九十甲乙丙丁戊己",
            {"一二三四五六七八九十甲乙丙丁戊己"[at : at + 3].encode() for at in range(14)},
        ),
        ("王芳在上海", set()),
        ("uninterruptedly", set()),
        ("", set()),
        (" … ", set()),
    ],
)
def test_shingles_are_pairs_of_words_or_threes_of_letters_and_none_of_what_says_little(
    value: str, pieces: set[bytes]
) -> None:
    assert shingles(value) == pieces


def test_closeness_estimates_the_share_of_common_shingles() -> None:
    words = [f"word{number}" for number in range(400)]
    one, other = shingles(" ".join(words)), shingles(" ".join(words[:200] + ["x"] * 3 + words[200:]))
    exact = len(one & other) / len(one | other)

    first, second = signatures([one, other])
    same, estimated = closeness([first, first], [first, second])

    assert same == 1
    assert abs(estimated - exact) < 0.15
    assert closeness([], []) == []


def test_bands_of_two_tenants_have_nothing_in_common() -> None:
    (signature,) = signatures([shingles(TEXT)])

    assert bands_of(signature, "default") == bands_of(signature, "default")
    assert not set(bands_of(signature, "default")) & set(bands_of(signature, "acme"))
    assert all(0 <= band < 1 << 63 for band in bands_of(signature, "default"))
