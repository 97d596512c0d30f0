"""What is read of a single value: numbers, dates, denial and language."""

import pytest

from cruxstore.trust.contradiction import Statement, read_statement
from cruxstore.trust.contradiction.lexicon import LANGUAGES, UNKNOWN
from cruxstore.trust.contradiction.numbers import Bound
from cruxstore.trust.contradiction.text import fold, plain, stem, tokens_of


def read(value: str, key: str = "note") -> Statement:
    return read_statement("thing", key, value)


@pytest.mark.parametrize(
    ("value", "dimension", "low"),
    [
        ("The path is 2 km long.", "length", 2000),
        ("53 000 ₽", "money rub", 53_000),
        ("Die Halle hat 1.200 m².", "area", 1200),
        ("El depósito tiene mil quinientos litros.", "volume", 1500),
        ("На проект ушло полтора часа.", "time", 5400),
        ("Le prêt dure quarante-huit heures.", "time", 172_800),
        ("It holds twenty-five litres.", "volume", 25),
        ("Das sind fünfundzwanzig Liter.", "volume", 25),
        ("€3.5k", "money eur", 3500),
        ("35 тыс. рублей", "money rub", 35_000),
        ("−18 °C", "temperature", -18),
        ("212 °F", "temperature", 100),
        ("The table has 1.5 million rows.", "count", 1_500_000),
        ("a dozen levels", "count", 12),
        ("5 %", "ratio", 0.05),
        ("vingt-deux vaches", "count", 22),
        ("The crossing takes an hour and a half.", "time", 5400),
    ],
)
def test_a_number_is_read_with_its_unit_however_it_is_spelled(value: str, dimension: str, low: float) -> None:
    (quantity,) = read(value).quantities

    assert quantity.dimension == dimension
    assert quantity.low == pytest.approx(low)


@pytest.mark.parametrize(
    ("value", "bound"),
    [
        ("at most 4 bar", Bound.UPPER),
        ("mindestens 4 bar", Bound.LOWER),
        ("jusqu'à 4 bar", Bound.UPPER),
        ("más de 4 bar", Bound.LOWER),
        ("не более 4 бар", Bound.UPPER),
        ("The pump must not go above 4 bar.", Bound.UPPER),
        ("about 4 bar", Bound.RANGE),
        ("4 bar", Bound.EXACT),
    ],
)
def test_words_before_a_number_bound_it(value: str, bound: Bound) -> None:
    assert [quantity.bound for quantity in read(value).quantities] == [bound]


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("14 March 1990", (1990, 3, 14)),
        ("Sept 3rd, 2025", (2025, 9, 3)),
        ("2026-03-21", (2026, 3, 21)),
        ("5. Dezember 2026", (2026, 12, 5)),
        ("05.12.2026 ist der Termin.", (2026, 12, 5)),
        ("le 1er mai", (0, 5, 1)),
        ("La cita es el 18/04/2026.", (2026, 4, 18)),
        ("с 6 октября 2026 года", (2026, 10, 6)),
        ("2026年4月10日", (2026, 4, 10)),
    ],
)
def test_a_day_is_read_however_it_is_spelled(value: str, day: tuple[int, int, int]) -> None:
    (found,) = read(value).days

    assert (found.year, found.months, found.day) == (day[0], 1 << (day[1] - 1), day[2])


def test_a_period_has_two_days_and_a_clock_its_times() -> None:
    assert [day.day for day in read("vom 4. bis 8. Mai").days] == [4, 8]
    assert read("22:00–07:00").times == (1320, 420)
    assert read("Quiet hours begin at 11 pm and end at 7 am.").times == (1380, 420)
    assert read("7 bis 18 Uhr", "Öffnungszeiten").times == (420, 1080)


@pytest.mark.parametrize(
    "value",
    [
        "The door is not locked.",
        "Nobody has the key.",
        "Die Tür ist nicht abgeschlossen.",
        "Sie hat keinen Schlüssel.",
        "La porte n'est jamais fermée.",
        "Il n'y a aucun parking.",
        "La sala no tiene ventanas.",
        "Никто не приходит.",
        "Radek nie bierze dyżurów.",
        "Il gatto non mangia pesce.",
    ],
)
def test_a_denial_is_noticed_in_each_language(value: str) -> None:
    assert any(clause.is_denied for clause in read(value).clauses)


@pytest.mark.parametrize(
    "value",
    [
        "Not only the blue team uses it.",
        "nicht mehr als drei Versuche",
        "She takes the 07:42 and no other train.",
        "No pasar nunca de 4 bar.",
        "Le garage n'accepte que les cartes.",
    ],
)
def test_what_only_bounds_or_narrows_down_denies_nothing(value: str) -> None:
    assert not any(clause.is_denied for clause in read(value).clauses)


def test_without_denies_what_follows_and_not_what_stands_before() -> None:
    before, after = read("The parcel ships without a power adapter.").clauses

    assert not before.is_denied
    assert after.is_denied and after.content == {stem("power"), stem("adapter")}


def test_words_of_the_entitys_own_name_tell_nothing() -> None:
    statement = read_statement("Kestrel sensor kit", "box", "The Kestrel kit is blue.")

    assert not statement.content & {stem("kestrel"), stem("kit")}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("The service runs behind the proxy.", "en"),
        ("Der Dienst läuft hinter dem Proxy.", "de"),
        ("Le service tourne derrière le proxy.", "fr"),
        ("El servicio está detrás del proxy.", "es"),
        ("Сервис работает за прокси.", "ru"),
        ("Il gatto non mangia mai il pesce della vicina.", "it"),
    ],
)
def test_the_language_is_the_one_that_knows_most_words(value: str, name: str) -> None:
    assert LANGUAGES[read(value, "x").language].name == name


def test_a_text_of_no_known_language_is_of_none() -> None:
    assert read("Atölye kredi kartı kabul ediyor", "ödeme").language == UNKNOWN
    assert read("佐伯さんは卵を食べない", "食事").language == UNKNOWN


@pytest.mark.parametrize(
    "value",
    ["Größe: 3 m³, STRASSE", "½ Liter für Ⅻ", "ﬁne № 5 — İstanbul", "ΑΣ ας", "e\u0301tude", "\ud800 lone"],
)
def test_folded_and_raw_texts_are_read_alike(value: str) -> None:
    folded = fold(value)

    assert fold(folded) == folded
    assert read_statement("Größe", "Maß", value) == read_statement(fold("Größe"), fold("Maß"), folded)


@pytest.mark.parametrize(
    "forms",
    [
        "retry retries retried",
        "allergy allergies allergic",
        "approval approve approved",
        "deliver delivers delivery deliveries",
        "calibrate calibrated calibration",
        "Regal Regale Regalen",
        "ouvert ouverte ouvertes",
        "persona personas",
        "сменная сменной",
        "батарея батареи",
    ],
)
def test_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(plain(fold(form))) for form in forms.split()}) == 1


def test_an_identifier_is_one_token() -> None:
    assert tokens_of("v-7 in eu-west-1, series 2.x") == ["v-7", "in", "eu-west-1", ",", "series", "2.x"]


@pytest.mark.parametrize(
    "value", ["", " ", "{", "{}", "[1, 2]", "0", "-", "," * 900, "a" * 100_000, "{" * 5_000, "1" * 5_000]
)
def test_any_text_can_be_read(value: str) -> None:
    assert read(value).text == fold(value)
