"""What two statements are to each other, detector by detector and language by language."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxstore.trust.contradiction import Detector, Relation, Verdict, compare, is_comparable, read_statement
from cruxstore.trust.contradiction.measuring import LabelledPair, measure, read_pairs

PAIRS = Path(__file__).parents[2] / "data" / "pairs"
C, R, D, U = Relation.CONTRADICTION, Relation.REFINEMENT, Relation.DUPLICATE, Relation.UNRELATED


def judged(entity: str, key: str, one: str, other: str, *, other_key: str = "") -> Verdict:
    return compare(read_statement(entity, key, one), read_statement(entity, other_key or key, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Water boils at 100 degrees at sea level.", "Water does not boil at 100 degrees at sea level."),
        ("The daytime sky looks blue.", "The daytime sky does not look blue."),
        ("Everest is the highest mountain.", "Everest is not the highest mountain."),
        ("The planet circles its star.", "The planet never circles its star."),
        ("The library opens before nine.", "The library does not open before nine."),
        ("Water boils at 100 °C.", "Water boils at 50 °C."),
        ("The bridge is 1200 m long.", "The bridge is 800 m long."),
        ("Gold is heavier than aluminium.", "Gold is lighter than aluminium."),
    ],
)
def test_the_eight_plain_contradictions_are_found(one: str, other: str) -> None:
    assert judged("note", "fact", one, other).relation == C


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("note", "The heart has four chambers."), ("note", "The heart has four chambers.")),
        (("France", "The capital of France is Paris."), ("Italy", "The capital of Italy is Rome.")),
        (("gold", "Gold melts at 1064 °C."), ("silver", "Silver melts at 962 °C.")),
        (("solar system", "The solar system has eight planets."), ("galaxy", "The galaxy has 100 billion stars.")),
        (("heart", "The heart has four chambers."), ("heart", "The heart pumps blood through the body.")),
        (("light", "Light travels at 299792 km/s."), ("light", "Light travels at about 300000 km/s.")),
        (("festival", "The festival takes place in Graz."), ("festival", "The festival drew 40,000 visitors.")),
    ],
)
def test_the_seven_that_only_look_like_it_are_none(first: tuple[str, str], second: tuple[str, str]) -> None:
    one, other = (read_statement(entity, "fact", value) for entity, value in (first, second))

    assert compare(one, other).relation != C


@pytest.mark.parametrize(
    ("key", "one", "other", "relation", "detector"),
    [
        ("revenue", "Revenue was 5 million in 2023.", "Revenue was 6 million in 2024.", U, Detector.SCOPE),
        ("volume", "1,000 litres", "1000 litres", D, Detector.NUMBERS),
        ("score", "100", "100.0", D, Detector.NUMBERS),
        ("length", "2 km", "2000 m", D, Detector.NUMBERS),
        ("planets", "There are eight planets.", "There are nine planets.", C, Detector.NUMBERS),
        ("capital", "The capital is Paris.", "The capital is Lyon.", C, Detector.SLOT),
        ("cards", "The shop accepts cards.", "The shop refuses cards.", C, Detector.ANTONYM),
        ("drug", "The drug is hardly effective.", "The drug is effective.", C, Detector.ANTONYM),
        ("age", "Alice is older than Bob.", "Bob is older than Alice.", C, Detector.ROLE_ORDER),
        ("Tor", "Das Tor ist bewacht.", "Das Tor ist nicht bewacht.", C, Detector.NEGATION),
    ],
)
def test_what_plain_overlap_gets_wrong_is_right(
    key: str, one: str, other: str, relation: Relation, detector: Detector
) -> None:
    assert judged("note", key, one, other)[:2] == (relation, detector)


@pytest.mark.parametrize(
    ("key", "one", "other", "detector"),
    [
        ("timeout", "The timeout is 45 seconds.", "90 s", Detector.NUMBERS),
        ("Zahlungsziel", "30 Tage", "Die Firma zahlt innerhalb von 14 Tagen.", Detector.NUMBERS),
        ("contenance", "30 000 litres", "On peut y mettre 3 m³ d'eau.", Detector.NUMBERS),
        ("aforo", "La sala admite 80 personas.", "Caben ciento veinte personas.", Detector.NUMBERS),
        ("бюджет", "Бюджет — 2 млн рублей.", "На проект выделили 3 млн рублей.", Detector.NUMBERS),
        ("limit", "at most 500 messages", "The queue holds up to 800 messages.", Detector.NUMBERS),
        ("frequency", "Backups run daily.", "Backups run once a week.", Detector.NUMBERS),
        ("Geburtstag", "29. Juli", "27.07.", Detector.DATES),
        ("end date", "The sprint ends on 12 June.", "2026-06-19", Detector.DATES),
        ("début", "Le cours commence le 9 janvier.", "16/01/2027", Detector.DATES),
        ("fecha", "La cita será el 18/04/2026.", "8 de abril de 2026", Detector.DATES),
        ("открытие", "Выставка откроется 5 мая.", "12 мая", Detector.DATES),
        ("Zeitraum", "Die Wartung dauert vom 11. bis zum 15. Mai.", "vom 4. bis 8. Mai", Detector.DATES),
        ("quiet hours", "22:00–07:00", "They begin at 11 pm and end at 7 am.", Detector.DATES),
        ("pets", "She doesn't have any pets.", "She has a cat.", Detector.NEGATION),
        ("Führerschein", "Er hat einen Führerschein.", "Er hat keinen Führerschein.", Detector.NEGATION),
        ("thé", "Elle ne boit jamais de thé.", "Elle boit du thé tous les matins.", Detector.NEGATION),
        ("café", "Toma café con azúcar.", "Toma el café sin azúcar.", Detector.NEGATION),
        ("рыба", "Она ест рыбу.", "Рыбу она не ест.", Detector.NEGATION),
        ("surface", "The path is paved.", "unpaved", Detector.NEGATION),
        ("flag", "enabled", "off", Detector.ANTONYM),
        ("Stellung", "Das Ventil ist offen.", "geschlossen", Detector.ANTONYM),
        ("dimanche", "La boutique est ouverte le dimanche.", "Le dimanche, elle est fermée.", Detector.ANTONYM),
        ("ventas", "Las ventas subieron.", "Las ventas bajaron.", Detector.ANTONYM),
        ("насос", "Насос исправен.", "Насос сломан.", Detector.ANTONYM),
        ("entrada", "La entrada es gratuita.", "La entrada cuesta 5 €.", Detector.ANTONYM),
        ("paid", "no", "The bill has been settled.", Detector.ANTONYM),
        ("manager", "Ana reports to Kofi Mensah.", "Her manager is Priya Nair.", Detector.SLOT),
        ("Chef", "Tarek berichtet an Frau Lenz.", "Sein Chef ist Herr Bohm.", Detector.SLOT),
        ("chef de projet", "Le chef de projet est Luc Vidal.", "Inès Caron", Detector.SLOT),
        ("rama por defecto", "principal", "develop", Detector.SLOT),
        ("руководитель", "Начальник — Инна Рощина.", "Подчиняется Савелию Дымову.", Detector.SLOT),
        ("registrar", "The registrar is Gandi.", "Namecheap", Detector.SLOT),
        ("export", "Only admins can export reports.", "Editors can export reports as well.", Detector.SLOT),
        ("Alter", "Mia ist älter als Ole.", "Ole ist älter als Mia.", Detector.ROLE_ORDER),
        ("priorité", "Le délai passe avant le prix.", "Le prix passe avant le délai.", Detector.ROLE_ORDER),
        ("tea", "She prefers green tea to black tea.", "She prefers black tea to green tea.", Detector.ROLE_ORDER),
        ("config", '{"port": 5432, "tls": true}', '{"port": 5433, "tls": true}', Detector.FIELDS),
        ("retries", "Calls are retried five times.", '{"max_retries": 3}', Detector.NUMBERS),
    ],
)
def test_a_contradiction_is_found_by_its_detector(key: str, one: str, other: str, detector: Detector) -> None:
    verdict = judged("it", key, one, other)

    assert verdict[:2] == (C, detector)
    assert "against" in verdict.signal or "other way round" in verdict.signal


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("timeout", "The connect timeout is 5 s.", "The read timeout is 90 s."),
        ("visits", "She visited Oslo on 4 March.", "She visited Bergen on 9 May."),
        ("Allergien", "Er verträgt keine Nüsse.", "Er verträgt keine Milch."),
        ("Sport", "Jonas spielt Tennis.", "Jonas spielt kein Golf."),
        ("tools", "We use Bazel.", "We do not use Gradle."),
        ("state", "The lamp was off in May.", "The lamp was on in June."),
        ("horaires", "La boutique est ouverte le samedi.", "La boutique est fermée le dimanche."),
        ("версии", "Версия 3 умеет печатать.", "Версия 2 не умеет печатать."),
        ("door", "The front door is locked.", "The back door is unlocked."),
        ("disks", "disk A is full", "disk B is empty"),
        ("rooms", "The Leeds office has eleven desks.", "The Turin office has four desks."),
        ("Arbeit", "Petra arbeitete früher bei Zeiss.", "Petra arbeitet nicht bei Zeiss."),
        ("likes", "Mia doesn't like horror films.", "Mia likes films."),
        ("age", "Tom is older than Sven.", "Sven is younger than Tom."),
        ("nodes", "at least 10 nodes", "12 nodes"),
        ("duration", "less than an hour", "45 minutes"),
        ("idiomas", "Habla inglés.", "Habla gallego."),
        ("visites", "Il est venu le 3 mai.", "Il est venu le 9 juin."),
        ("horario", "Abre a las 8:00.", "Cierra a las 20:00."),
        ("pressure", "1.5 bar when cold", "2 bar when hot"),
        ("move", "We might move to Ghent.", "We are not moving to Ghent."),
    ],
)
def test_what_can_both_be_true_is_no_contradiction(key: str, one: str, other: str) -> None:
    assert judged("it", key, one, other).relation != C


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("temperature", "−18 °C", "minus 18 degrees Celsius"),
        ("montant", "1 450,00 €", "1450 euros"),
        ("Datum", "5. Dezember 2026", "05.12.2026"),
        ("état", "en marche", "activé"),
        ("congés", "Il est fermé en août.", "En août, il n'est pas ouvert."),
        ("commission", "0.05", "a commission of 5 %"),
        ("languages", "Norwegian, Farsi", "Farsi and Norwegian"),
        ("size", "2 TB", "2,000 GB"),
    ],
)
def test_the_same_in_other_words_is_a_duplicate(key: str, one: str, other: str) -> None:
    assert judged("it", key, one, other).relation == D


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("birthday", "March 1990", "14 March 1990"),
        ("Termin", "22. Oktober 2026", "im Herbst 2026"),
        ("replicas", "more than one replica", "3"),
        ("Sitz", "Das Team sitzt in Kassel.", "Das Team sitzt in Kassel, im Altbau am Bahnhof."),
    ],
)
def test_more_of_the_same_is_a_refinement(key: str, one: str, other: str) -> None:
    assert judged("it", key, one, other).relation == R


def test_statements_of_different_things_are_unrelated_unless_they_exchange_their_roles() -> None:
    one = read_statement("pump P-2", "state", "P-2 is off.")
    other = read_statement("pump P-3", "state", "P-3 is on.")
    jorun = read_statement("Jorun Hallet", "reports to", "Jorun reports to Matthis Eck.")
    matthis = read_statement("Matthis Eck", "reports to", "Matthis reports to Jorun Hallet.")

    assert compare(one, other)[:2] == (U, Detector.ENTITY)
    assert not is_comparable(one, other)
    assert compare(jorun, matthis)[:2] == (C, Detector.ROLE_ORDER)
    assert is_comparable(jorun, matthis)


def test_keys_that_ask_for_different_things_are_unrelated() -> None:
    assert judged("api", "timeout in staging", "120 s", "30 s", other_key="timeout in production").relation == U
    assert judged("survey", "rate 2024", "38 %", "41 %", other_key="rate 2025").relation == U
    assert judged("api", "timeout", "120 s", "30 s", other_key="retry delay").relation == U


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("食事", "佐伯さんは毎朝卵を食べる。", "佐伯さんは卵を食べない。"),
        ("ödeme", "Atölye kredi kartı kabul ediyor.", "Atölyede kredi kartı geçmiyor."),
        ("σημείωση", "Η πόρτα είναι ανοιχτή.", "Η πόρτα δεν είναι ανοιχτή."),
    ],
)
def test_where_the_language_is_not_known_nothing_is_said_but_of_equal_texts(key: str, one: str, other: str) -> None:
    assert judged("it", key, one, other).relation == U
    assert judged("it", key, one, one).relation == D


def test_a_sentence_says_the_same_under_any_key_and_a_single_word_only_under_its_own() -> None:
    sentence = "Recordings are deleted after thirty days."

    assert judged("it", "notes", sentence, sentence, other_key="retention")[:2] == (D, Detector.TEXT)
    assert judged("it", "front door", "open", "open", other_key="window").relation != D


def test_a_signal_says_what_stands_against_what() -> None:
    assert judged("it", "length", "1,200 m", "800 m").signal == "1,200 m against 800 m"
    assert judged("it", "paid", "yes", "no").signal == "yes against no"
    assert judged("it", "gate", "open", "closed").signal == "open against closed"


def test_the_order_of_two_statements_makes_no_difference() -> None:
    statements = [
        (read_statement(*pair.first), read_statement(*pair.second)) for pair in read_pairs(PAIRS / "tune.jsonl")
    ]

    assert [compare(one, other)[:2] for one, other in statements] == [
        compare(other, one)[:2] for one, other in statements
    ]


def test_what_is_not_comparable_is_unrelated_or_says_the_same_by_numbers_alone() -> None:
    statements = [read_statement("it", pair.first[1], pair.first[2]) for pair in read_pairs(PAIRS / "tune.jsonl")]

    for one, other in itertools.combinations(statements[::4], 2):
        if not is_comparable(one, other):
            assert compare(one, other).relation == U, (one.text, other.text)


SAYING = "the not no open closed 5 km 3 May 2026 more than without a half is ne pas que kein nicht до не , . - % €"
WORDS = st.sampled_from(SAYING.split())
VALUES = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join))


@given(VALUES, VALUES)
def test_any_two_texts_can_be_compared_and_a_text_never_contradicts_itself(one: str, other: str) -> None:
    first, second = read_statement("it", "key", one), read_statement("it", "key", other)

    assert compare(first, second).relation in Relation
    assert compare(first, first).relation == D


def test_precision_and_recall_are_counted_over_all_pairs() -> None:
    right = LabelledPair(("a", "length", "2 km"), ("a", "length", "3 km"), C)
    missed = LabelledPair(("a", "x", "qwerty"), ("a", "x", "asdf"), C)
    wrong = LabelledPair(("a", "length", "2 km"), ("a", "length", "3 km"), U)

    measured = measure([right, missed, wrong])

    assert (measured.pairs, measured.contradictions) == (3, (1, 2, 2))
    assert (measured.contradictions.precision, measured.contradictions.recall) == (0.5, 0.5)
    assert measured.errors == pytest.approx(2 / 3)


def test_the_part_that_was_tuned_on_keeps_its_figures() -> None:
    measured = measure(read_pairs(PAIRS / "tune.jsonl"))

    assert measured.contradictions.precision >= 0.95
    assert measured.contradictions.recall >= 0.8
    assert measured.duplicates.precision >= 0.95


def test_the_part_held_out_keeps_the_figures_that_were_measured() -> None:
    """0.95 and 0.8 are aimed at (docs/detectors.md); this keeps what there is."""
    measured = measure(read_pairs(PAIRS / "held_out.jsonl"))

    assert measured.contradictions.precision >= 0.9
    assert measured.contradictions.recall >= 0.675
    assert measured.duplicates.precision >= 0.95


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("paint", "The hall is painted white.", "The bathroom is painted blue."),
        ("Fenster", "Das Küchenfenster ist offen.", "Das Badfenster ist geschlossen."),
        ("sports", "Her son plays tennis.", "Her brother does not play tennis."),
        ("délai", "En production le délai est de 10 s.", "En recette le délai est de 60 s."),
        ("floors", "The ground floor is open.", "The first floor is closed."),
        ("wheel", "The front tyre is new.", "The back tyre is worn."),
        ("город", "Лида живёт в Сибири.", "Лида живёт в Томске."),
        ("приём", "В кабинете 3 есть весы.", "В кабинете 8 нет весов."),
    ],
)
def test_what_is_beside_or_around_another_thing_does_not_contradict_it(key: str, one: str, other: str) -> None:
    assert judged("it", key, one, other).relation != C


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("birthplace", "Leeds", "Nora was born in Hull."),
        ("lieu de naissance", "Nantes", "Nora est née à Brest."),
        ("coffee", "Nora loves coffee.", "Nora can't stand coffee."),
        ("conducir", "A Nora le encanta conducir.", "Nora odia conducir."),
        ("решение", "Заявка одобрена.", "Комиссия отклонила заявку."),
        ("Zustand", "Die Heizung ist an.", "Die Heizung ist ausgeschaltet."),
    ],
)
def test_families_of_words_are_known_in_each_main_language(key: str, one: str, other: str) -> None:
    assert judged("Nora", key, one, other).relation == C


def test_a_rent_and_a_rent_a_month_are_one_sum() -> None:
    assert judged("flat", "rent", "1,200 €", "The rent is 1,450 euros a month.", other_key="monthly rent").relation == C
    assert judged("flat", "rent", "1,200 €", "The rent is 1,200 euros a month.").relation != C


@pytest.mark.parametrize("spoken", ["a las 7 de la tarde", "7 pm", "7 Uhr abends"])
def test_a_time_of_the_afternoon_is_read_as_such(spoken: str) -> None:
    assert read_statement("it", "hora", spoken).times == (19 * 60,)


def test_the_pairs_that_were_tuned_on_later_keep_their_figures() -> None:
    measured = measure(read_pairs(PAIRS / "tune_more.jsonl"))

    assert measured.contradictions.precision >= 0.95
    assert measured.contradictions.recall >= 0.9
