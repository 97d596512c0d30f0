"""A search finds what a plain scan of the folded texts finds, in any script."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.rules import Scope
from apps.facts import search
from apps.facts.answers import FactFilter
from apps.facts.models import Build, TenantNumber
from apps.facts.projector import bring_up_to_date
from apps.facts.projector.builds import remove_retired
from apps.facts.queries import find_entities, find_facts
from apps.facts.rules import fold, search_terms, search_text
from cruxstore.facts.records import Fact
from tests.facts.journals import NOON_NS, Files, fact_id, make_fact, stored

READER = Scope(tenant="default", principal_id="p_reader")

WORDS = (
    "deploy gate",
    "王芳",
    "データ基盤",
    "데이터",
    "Straße",
    "STRASSE",
    "ẞ",
    "İstanbul",
    "ısı",
    "cafe\u0301",
    "café",
    "Ａ１ ｆｕｌｌ",
    "a1 full",
    "ﬁne",
    "👩‍👩‍👧",
    "🚀x",
    'quo"ted',
    "it's",
    "100%",
    "under_score",
    "back\\slash",
    "(AND) OR NOT *",
    "nul\0nul",
    "क्षि",
    "ab",
    "Li",
    "x",
)
texts = st.lists(st.sampled_from(WORDS), min_size=0, max_size=4).map(" ".join) | st.text(
    alphabet="abAB ßẞIİıé\u0301王芳ﬁＡ👩\u200d\0\"'%_", max_size=8
)
searched = (
    st.sampled_from(WORDS)
    | st.tuples(st.sampled_from(WORDS), st.integers(0, 3), st.integers(1, 5)).map(lambda t: t[0][t[1] : t[1] + t[2]])
    | st.lists(st.sampled_from(WORDS), min_size=2, max_size=2).map(" ".join)
    | st.text(alphabet="abAB ßẞIİıé\u0301王芳ﬁＡ👩\0\"'%_", min_size=1, max_size=5)
)


def plain_scan(facts: list[Fact], q: str) -> set[str]:
    """Every fact that holds every word of a search, found by looking at all of them."""
    texts = {fact.fact_id: search_text(fact.entity, fact.key, fact.value) for fact in facts}
    return {found for found, text in texts.items() if all(term in text for term in search_terms(q))}


def found_by(files: Files, q: str, scope: Scope = READER) -> set[str]:
    """The facts on all pages of a search."""
    found: set[str] = set()
    after = ""
    while True:
        page = find_facts(scope, FactFilter(q=q, after=after), store=files, now_ns=NOON_NS)
        found |= {row.fact_id for row in page.rows}
        if page.older is None:
            return found
        after = page.older


@pytest.mark.django_db
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=8),
    asked=st.lists(searched, min_size=3, max_size=8),
)
def test_a_search_finds_what_a_plain_scan_finds(parts: list[tuple[str, str, str]], asked: list[str]) -> None:
    facts = [
        make_fact(number, value, entity=f"e:{entity}", key=key) for number, (entity, key, value) in enumerate(parts)
    ]
    with TemporaryDirectory() as folder:
        files = Files(Path(folder), instance_id=folder)
        files.write(stored(*facts))
        Build.objects.update(state=Build.State.RETIRED)
        remove_retired(100_000)
        TenantNumber.objects.all().delete()
        bring_up_to_date(files, now_ns=NOON_NS)

        for q in asked:
            if search_terms(q):
                assert found_by(files, q) == plain_scan(facts, q), q


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("王芳", "王芳 leads it"),
        ("Li", "ask li"),
        ("cafe\u0301", "café"),
        ("STRASSE", "Straße"),
        ("a1", "Ａ１"),
        ("🚀", "ship 🚀 now"),
        ("gate open", "open: the gate"),
        ("\0", "a\0b"),
    ],
)
def test_other_spellings_of_a_word_find_it(files: Files, asked: str, value: str) -> None:
    files.write(stored(make_fact(1, value), make_fact(2, "nothing of it")))
    bring_up_to_date(files, now_ns=NOON_NS)

    assert found_by(files, asked) == {fact_id(1)}


@pytest.mark.django_db
def test_short_words_are_found_in_every_name_but_only_in_the_newest_values(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "SHORT_WINDOW", 2)
    files.write(
        stored(
            make_fact(1, "zz in an old value"),
            make_fact(2, "old", entity="team:zz"),
            make_fact(3, "old", key="zz"),
            make_fact(4, "new zz"),
            make_fact(5, "new"),
        )
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    page = find_facts(READER, FactFilter(q="zz"), store=files, now_ns=NOON_NS)

    assert {row.fact_id for row in page.rows} == {fact_id(2), fact_id(3), fact_id(4)}
    assert page.search_note == ("Entities and keys were searched for “zz” in full, values only in the newest 2 facts.")


@pytest.mark.django_db
def test_a_private_fact_is_found_by_its_owner_alone(files: Files, owner: Scope) -> None:
    files.write(stored(make_fact(1, "rosebud", entity="__agent::lark::notes", private=True), make_fact(2, "rosebud")))
    bring_up_to_date(files, now_ns=NOON_NS)

    assert found_by(files, "rosebud") == {fact_id(2)}
    assert found_by(files, "rosebud", owner) == {fact_id(1), fact_id(2)}
    assert found_by(files, "lark") == set()


@pytest.mark.django_db
def test_a_search_says_nothing_about_another_tenant(files: Files, neighbour: Scope) -> None:
    files.write(stored(make_fact(1, "rosebud")))
    bring_up_to_date(files, now_ns=NOON_NS)

    page = find_facts(neighbour, FactFilter(q="rosebud"), store=files, now_ns=NOON_NS)

    assert (page.rows, page.count.value, page.facets) == ((), 0, ())


@pytest.mark.django_db
def test_entities_are_found_by_any_part_of_their_name(files: Files) -> None:
    files.write(
        stored(make_fact(1, entity="team:Müller"), make_fact(2, entity="team:ops"), make_fact(3, entity="王芳"))
    )
    bring_up_to_date(files, now_ns=NOON_NS)

    def names(q: str) -> list[str]:
        return [row.entity for row in find_entities(READER, q=q, store=files, now_ns=NOON_NS).rows]

    assert names("mu\u0308ll") == ["team:Müller"]
    assert names("芳") == ["王芳"]
    assert names("team") == ["team:Müller", "team:ops"]
    assert names("m o") == ["team:ops"]


def test_only_the_first_64_kib_of_a_value_are_searched() -> None:
    text = search_text("e", "k", "ü" * 40_000)

    assert len(text.split("\n")[2].encode()) == 64 * 1024


def test_folding_long_text_takes_no_longer_than_reading_it() -> None:
    started = time.perf_counter()

    fold("é" * 65_536)

    assert time.perf_counter() - started < 1
