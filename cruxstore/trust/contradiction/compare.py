"""What two statements are to each other, decided in this order.

1. Equal texts say the same. Statements of different things are unrelated, unless they name the same two things and
   exchange their roles.
2. Different versions, sensors, days or keys ("timeout in staging", "timeout in production") set statements apart, as
   does a past or a supposed state against a present one.
3. Dates, then numbers, then opposites and denial, then keys with a single value may contradict.
4. What is left says the same, says more, or is unrelated. Whoever is in doubt says unrelated.
"""

# ruff: noqa: SIM905 - lists of words read better as text

from collections.abc import Iterable, Sequence

from cruxstore.trust.contradiction.clauses import opposition
from cruxstore.trust.contradiction.dates import Fit, fit_days, fit_times, fit_weekdays
from cruxstore.trust.contradiction.fields import compare_fields
from cruxstore.trust.contradiction.lexicon import UNKNOWN
from cruxstore.trust.contradiction.numbers import COUNT, ORDINAL, RATIO, Agreement, Bound, Quantity, agreement
from cruxstore.trust.contradiction.roles import Order, order_of
from cruxstore.trust.contradiction.slots import DATED, MEASURED, PEOPLE, PREDICATES, SINGLE, Kinship, kinship
from cruxstore.trust.contradiction.statement import Statement
from cruxstore.trust.contradiction.text import stem
from cruxstore.trust.contradiction.verdicts import Detector, Relation, Verdict
from cruxstore.trust.contradiction.words.families import CONTINENTS, KINDS, REGIONS
from cruxstore.trust.contradiction.words.language import Cue

DETECTORS_VERSION = 2
"""Counts up where the same two statements may be judged anew."""

LONGEST_SLOT = 4
"""Of how many words a single value may be."""

_YES_OR_NO = frozenset(
    """
        on accept allow done paid pass present confirm signed encrypted work true needed required optional
        available keep locked
    """.split()
)
"""Axes whose first side answers yes."""

_COURSES = frozenset(("rise", "cheap", "more", "keep"))
LEAST_PARALLEL = 4
"""From how many words on sentences are compared place by place."""
_AND, _INDEFINITE = 1 << Cue.AND, 1 << Cue.PER
_DEFINITE = frozenset("the der die das le la l el los las".split())
_BEING = frozenset("is ist est es war was heisst — - : called".split())
SHORT = 3
"""Of how many words a value is that stands for itself."""
_CAUSE = "=cause"
_PLACE = "=place"
_KIND_OF = {
    text: (kind, name)
    for kind, members in KINDS.items()
    for name, words in members.items()
    for word in words.split()
    for text in (word, stem(word))
}
_UNRELATED = {detector: Verdict(Relation.UNRELATED, detector, "") for detector in Detector}


def compare(first: Statement, second: Statement) -> Verdict:
    """What two statements are to each other; the order of the two makes no difference but to the signal."""
    is_same_entity = first.names is second.names or first.names == second.names
    if first.text == second.text and is_same_entity and _is_one_text_enough(first, second):
        return Verdict(Relation.DUPLICATE, Detector.TEXT, "the same text")
    if first.has_relations and second.has_relations:
        order, word = order_of(first, second)
        if order == Order.OPPOSITE and fit_days(first.days, second.days) != Fit.CONFLICT:
            return Verdict(Relation.CONTRADICTION, Detector.ROLE_ORDER, f"“{word}” the other way round")
        if order == Order.SAME:
            return Verdict(Relation.DUPLICATE, Detector.ROLE_ORDER, f"“{word}” seen from both sides")
    if not is_same_entity:
        return _UNRELATED[Detector.ENTITY]
    kin = _kin(first, second)
    if kin > Kinship.NESTED and _ask_for_one_measure(first, second):
        kin = Kinship.NESTED
    if kin == Kinship.CROSSED or (kin == Kinship.APART and not _may_meet(first, second)):
        return _UNRELATED[Detector.SCOPE]
    if first.fields is not None and second.fields is not None:
        return compare_fields(first.fields, second.fields, is_same_key=kin <= Kinship.NESTED)
    verdict = _compare_values(first, second, kin)
    if verdict.relation == Relation.CONTRADICTION and _are_beside_each_other(first, second):
        return _UNRELATED[Detector.SCOPE]
    return verdict


def is_comparable(first: Statement, second: Statement) -> bool:
    """Whether comparing can tell more than that the two are unrelated; costs next to nothing."""
    if first.names is not second.names and first.names != second.names:
        return first.has_relations and second.has_relations
    return (
        first.key == second.key
        or not first.content.isdisjoint(second.content)
        or not first.asked.isdisjoint(second.asked)
        or (bool(first.quantities) and bool(second.quantities))
        or not first.axes.isdisjoint(second.axes)
        or kinship(first.asked, second.asked) <= Kinship.NESTED
    )


def _is_one_text_enough(first: Statement, second: Statement) -> bool:
    """Whether equal texts say the same: under one key they do, under others where they are whole sentences."""
    return first.key == second.key or len(first.words) >= LEAST_PARALLEL or _kin(first, second) <= Kinship.NESTED


def _kin(first: Statement, second: Statement) -> Kinship:
    return Kinship.SAME if first.key == second.key else kinship(first.asked, second.asked)


def _are_beside_each_other(first: Statement, second: Statement) -> bool:
    """Whether each is of another room, relative, animal or environment."""
    if first.is_exclusive or second.is_exclusive or _PLACE in first.about.words | second.about.words:
        return False
    if min(len(first.words), len(second.words)) <= SHORT:
        return False
    mine, theirs = _kinds_in(first), _kinds_in(second)
    return any(names and theirs.get(kind) and names.isdisjoint(theirs[kind]) for kind, names in mine.items())


def _kinds_in(statement: Statement) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word in statement.words:
        told = _KIND_OF.get(word.text) or _KIND_OF.get(stem(word.text))
        if told is not None and word.stem not in statement.names:
            found.setdefault(told[0], set()).add(told[1])
    return found


def _may_meet(first: Statement, second: Statement) -> bool:
    """Whether values under different keys can be of one thing: they share a word, or one answers the other's key."""
    if not first.content.isdisjoint(second.content) or _answers(first, second) or _answers(second, first):
        return True
    if (first.polar and first.about.words <= second.content) or (second.polar and second.about.words <= first.content):
        return True
    if first.weekdays and first.weekdays == second.weekdays:
        return _names_itself(first) and _names_itself(second)
    return (
        not first.axes.isdisjoint(second.axes)
        and not first.content
        and not second.content
        and _names_itself(first)
        and _names_itself(second)
    )


def _ask_for_one_measure(first: Statement, second: Statement) -> bool:
    if len(first.quantities) != 1 or len(second.quantities) != 1:
        return False
    one, other = first.quantities[0].dimension, second.quantities[0].dimension
    if one != other and COUNT not in (one, other):
        return False
    asked = MEASURED.get((one if one != COUNT else other).split()[0], frozenset[str]())
    mine, theirs = first.about.words, second.about.words
    if mine.isdisjoint(asked) or theirs.isdisjoint(asked):
        return False
    return not (mine - asked - theirs and theirs - asked - mine)


def _names_itself(statement: Statement) -> bool:
    return any(word.stem in statement.names for word in statement.words)


def _answers(asking: Statement, telling: Statement) -> bool:
    asked = asking.about
    if not telling.axes.isdisjoint(asked.axes) or not telling.counted.isdisjoint(asked.words):
        return True
    return asked.is_rank and any(quantity.dimension == ORDINAL for quantity in telling.quantities)


def _compare_values(first: Statement, second: Statement, kin: Kinship) -> Verdict:
    is_same_key = kin <= Kinship.NESTED
    spare = first.about.words | second.about.words if is_same_key else frozenset[str]()
    mine, theirs = first.content - second.content - spare, second.content - first.content - spare
    my_axes, their_axes = first.axes, second.axes
    my_own, their_own = my_axes - their_axes - first.about.axes.keys(), their_axes - my_axes - second.about.axes.keys()
    is_apart = bool((mine or my_own) and (theirs or their_own))
    days = fit_days(first.days, second.days)
    weekdays = fit_weekdays(first.weekdays, second.weekdays)
    times = fit_times(first.times, second.times)
    counted, signal = _numbers(first, second, kin)
    if _are_placed_apart(first, second) and is_same_key and not first.about.is_many:
        if not (mine or theirs or my_own or their_own or first.days or second.days or first.times or second.times):
            ones = [
                quantity.shown
                for each in (first, second)
                for quantity in each.quantities
                if quantity.dimension == ORDINAL
            ]
            return Verdict(Relation.CONTRADICTION, Detector.NUMBERS, " against ".join(ones[:2]))
        return _UNRELATED[Detector.SCOPE]
    if _are_two_labels(first, second, kin) and not (mine or theirs or my_own or their_own):
        shown = f"{_shown(first, first.identifiers)} against {_shown(second, second.identifiers)}"
        return Verdict(Relation.CONTRADICTION, Detector.SLOT, shown)
    if _are_identified_apart(first, second) or first.is_past != second.is_past:
        return _single(first, second, kin, spare) or _UNRELATED[Detector.SCOPE]
    if first.is_hedged != second.is_hedged:
        return _UNRELATED[Detector.SCOPE]
    if days == Fit.CONFLICT and (_is_ever_since(first) or _is_ever_since(second)):
        days = Fit.UNCLEAR
    if Fit.CONFLICT in (days, weekdays):
        if (
            is_apart
            or (counted != Agreement.EQUAL and first.quantities and second.quantities)
            or (first.role != second.role and first.role and second.role)
        ):
            return _UNRELATED[Detector.SCOPE]
        if _is_about_dates(first, second, kin) if days == Fit.CONFLICT else _is_about_weekdays(first, second, kin):
            return Verdict(Relation.CONTRADICTION, Detector.DATES, f"{_when(first)} against {_when(second)}")
        return _UNRELATED[Detector.SCOPE]
    if times == Fit.CONFLICT and (not is_same_key or _are_of_two_sides(first, second)):
        return _UNRELATED[Detector.SCOPE]
    is_contrast = _are_parallel(first, second) or (
        is_apart and _is_contrast(first, second, mine | my_own, theirs | their_own)
    )
    if times == Fit.CONFLICT and is_same_key and not is_contrast and not first.about.is_many:
        return Verdict(Relation.CONTRADICTION, Detector.DATES, f"{_when(first)} against {_when(second)}")
    if counted == Agreement.APART and _denies_anything(first) != _denies_anything(second) and _name_versions(first):
        return _UNRELATED[Detector.SCOPE]
    if counted == Agreement.APART:
        if is_contrast or (is_apart and not is_same_key) or _are_of_two_sides(first, second):
            return _UNRELATED[Detector.SCOPE]
        return Verdict(Relation.CONTRADICTION, Detector.NUMBERS, signal)
    if first.language == second.language == UNKNOWN:
        return _alike(first, second, kin, mine, theirs, counted, days, weekdays, times, signal)
    is_one_day = Fit.EQUAL in (days, weekdays) and _names_itself(first) and _names_itself(second)
    against = _opposed(first, second, spare, is_same_key=is_same_key or is_one_day)
    if against is not None:
        return against
    return _single(first, second, kin, spare) or _alike(
        first, second, kin, mine, theirs, counted, days, weekdays, times, signal
    )


def _numbers(first: Statement, second: Statement, kin: Kinship) -> tuple[Agreement | None, str]:
    """What the numbers of two statements are to each other; none where none can be put side by side."""
    if not first.quantities or not second.quantities:
        return None, ""
    pairs = [
        (one, other)
        for one in first.quantities
        for other in second.quantities
        if _are_of_one_kind(one, other, first, second, kin)
    ]
    if not pairs:
        return None, ""
    ones, others = {id(one) for one, _ in pairs}, {id(other) for _, other in pairs}
    if len(pairs) > len(ones) and len(ones) == len(others):
        in_order = zip(
            [one for one in first.quantities if id(one) in ones],
            [other for other in second.quantities if id(other) in others],
            strict=True,
        )
        pairs = [(one, other) for one, other in in_order if _are_of_one_kind(one, other, first, second, kin)]
    is_limit = first.about.is_limit or second.about.is_limit
    found = [
        (_agree(one, other, is_limit=is_limit, is_age=first.about.is_age or second.about.is_age), one, other)
        for one, other in pairs
    ]
    apart = [(one, other) for agreed, one, other in found if agreed == Agreement.APART]
    if apart and (len(ones) == len(others) == len(pairs)):
        one, other = apart[0]
        return Agreement.APART, f"{one.shown} against {other.shown}"
    settled = [(agreed, one, other) for agreed, one, other in found if agreed != Agreement.APART]
    if not settled:
        return None, ""
    kinds = {agreed for agreed, _, _ in settled}
    _, one, other = settled[0]
    shown = f"{one.shown} and {other.shown}"
    if Agreement.OVERLAP in kinds or {Agreement.NARROWER, Agreement.WIDER} <= kinds:
        return Agreement.OVERLAP, shown
    if kinds == {Agreement.EQUAL}:
        is_all = len(first.quantities) == len(second.quantities) == len(settled)
        return (Agreement.EQUAL if is_all else Agreement.OVERLAP), shown
    return (kinds - {Agreement.EQUAL}).pop(), shown


def _are_of_one_kind(one: Quantity, other: Quantity, first: Statement, second: Statement, kin: Kinship) -> bool:
    if one.dimension == ORDINAL or other.dimension == ORDINAL:
        is_placed = first.about.is_rank or second.about.is_rank or (first.about.is_dated and second.about.is_dated)
        return one.dimension == other.dimension and is_placed and not first.weekdays
    one, other = (
        _as_paid(one, other) if kin <= Kinship.NESTED and (first.about.words & second.about.words) else (one, other)
    )
    if one.dimension != other.dimension:
        if (one.dimension == COUNT and one.is_bare) or (other.dimension == COUNT and other.is_bare):
            bare, measured = (one, other) if one.dimension == COUNT else (other, one)
            return kin <= Kinship.NESTED and not measured.dimension.startswith(COUNT) and bare.is_bare
        return False
    if one.dimension != COUNT:
        return kin <= Kinship.NESTED or _say_one_thing(first, second)
    if one.nouns and other.nouns:
        return bool(
            one.nouns & other.nouns
            or (one.nouns & (second.content | second.about.words) and other.nouns & (first.content | first.about.words))
            or (
                kin <= Kinship.NESTED
                and len(first.quantities) == len(second.quantities) == 1
                and (one.nouns & first.about.words or other.nouns & second.about.words)
                and not first.about.is_many
            )
        )
    if kin <= Kinship.NESTED:
        return True
    return bool(one.nouns & second.about.words or other.nouns & first.about.words)


def _say_one_thing(first: Statement, second: Statement) -> bool:
    shared = first.content & second.content
    if not first.content and not second.content:
        return not first.axes.isdisjoint(second.axes)
    return len(shared) > 1 or (bool(shared) and (first.content <= second.content or second.content <= first.content))


def _as_paid(one: Quantity, other: Quantity) -> tuple[Quantity, Quantity]:
    """Sums of money of which one says how often it is paid: both by what is paid once."""
    if one.dimension == other.dimension or not one.dimension.startswith("money"):
        return one, other
    if one.dimension.removesuffix("/time") != other.dimension.removesuffix("/time"):
        return one, other
    ones, others = (
        each._replace(
            dimension=each.dimension.removesuffix("/time"), low=each.low / each.factor, high=each.high / each.factor
        )
        if each.dimension.endswith("/time")
        else each
        for each in (one, other)
    )
    return ones, others


def _agree(one: Quantity, other: Quantity, *, is_limit: bool, is_age: bool) -> Agreement | None:
    one, other = _as_paid(one, other)
    if one.dimension != other.dimension:
        bare, measured = (one, other) if one.dimension == COUNT else (other, one)
        readings = (
            {bare.low * measured.factor, bare.low} if measured.dimension == RATIO else {bare.low * measured.factor}
        )
        if any(measured.low - 1e-9 <= reading <= measured.high + 1e-9 for reading in readings):
            if measured.low == measured.high:
                return Agreement.EQUAL
            return Agreement.NARROWER if bare is one else Agreement.WIDER
        return (
            Agreement.APART if is_age or measured.dimension == RATIO or measured.dimension.startswith("money") else None
        )
    if is_limit and Bound.EXACT in (one.bound, other.bound):
        one, other = _at_its_bound(one), _at_its_bound(other)
    agreed = agreement(one, other)
    if is_limit and one.bound == other.bound and one.bound in (Bound.LOWER, Bound.UPPER) and agreed != Agreement.EQUAL:
        return Agreement.APART
    return agreed


def _at_its_bound(quantity: Quantity) -> Quantity:
    """What is said of a limit is the limit: "up to 630 kg" where 400 kg is allowed."""
    if quantity.bound == Bound.UPPER:
        return quantity._replace(low=quantity.high, bound=Bound.EXACT)
    return quantity._replace(high=quantity.low, bound=Bound.EXACT) if quantity.bound == Bound.LOWER else quantity


def _are_identified_apart(first: Statement, second: Statement) -> bool:
    if first.identifiers and second.identifiers and first.identifiers.isdisjoint(second.identifiers):
        return True
    return _are_placed_apart(first, second)


def _are_placed_apart(first: Statement, second: Statement) -> bool:
    """Whether they are of another floor, or of another Friday of the month."""
    if first.about.is_rank or second.about.is_rank or (first.about.is_dated and second.about.is_dated):
        return False
    ones = {quantity.low for quantity in first.quantities if quantity.dimension == ORDINAL}
    others = {quantity.low for quantity in second.quantities if quantity.dimension == ORDINAL}
    return bool(ones and others) and ones.isdisjoint(others)


def _is_about_dates(first: Statement, second: Statement, kin: Kinship) -> bool:
    if first.about.is_many or second.about.is_many:
        return False
    if kin <= Kinship.NESTED and (first.about.is_dated or second.about.is_dated):
        return True
    if first.hints & second.hints & DATED or (kin <= Kinship.NESTED and len(first.days) == len(second.days) == 2):
        return True
    spare = first.about.words
    is_dates_alone = all(
        not each.content - spare
        and not each.times
        and not each.quantities
        and not any(clause.axes for clause in each.clauses)
        for each in (first, second)
    )
    return is_dates_alone and kin == Kinship.SAME and not first.key.endswith("s")


def _is_about_weekdays(first: Statement, second: Statement, kin: Kinship) -> bool:
    return kin <= Kinship.NESTED and (
        first.about.is_dated or second.about.is_dated or first.is_exclusive or second.is_exclusive
    )


def _is_contrast(first: Statement, second: Statement, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether the words that differ stand at one place of like sentences: the Leeds office, the Turin office."""
    places = _places(first, mine)
    return any(
        before in places[0] or (after in places[1] and after)
        for before, after in zip(*_places(second, theirs), strict=True)
    )


def _are_two_labels(first: Statement, second: Statement, kin: Kinship) -> bool:
    """Whether each gives another zone where the key asks for the zone."""
    if kin > Kinship.NESTED or not first.about.is_label or first.about.is_many or second.about.is_many:
        return False
    if _denies_anything(first) or _denies_anything(second):
        return False
    return len(first.identifiers) == len(second.identifiers) == 1 and first.identifiers != second.identifiers


def _name_versions(statement: Statement) -> bool:
    """Whether its numbers look like those of versions: TLS 1.3."""
    return any(
        each.dimension == COUNT and each.low != int(each.low)
        for each in statement.quantities
        if each.bound == Bound.EXACT
    )


def _denies_anything(statement: Statement) -> bool:
    return any(clause.is_denied for clause in statement.clauses)


def _is_ever_since(statement: Statement) -> bool:
    """Whether it has not been so since some day."""
    return statement.role == "start" and _denies_anything(statement)


def _are_parallel(first: Statement, second: Statement) -> bool:
    """Whether like sentences say it of different things: a rye loaf costs so much, a wheat loaf so much."""
    if len(first.words) != len(second.words) or len(first.words) < LEAST_PARALLEL:
        return False
    alike, differing = 0, 0
    for one, other in zip(first.words, second.words, strict=True):
        if one is other or (one.is_time and other.is_time):
            alike += 1
        elif one.is_plain and other.is_plain and one.stem != other.stem and not (one.unit or other.unit):
            differing += 1
    return differing > 0 and alike * 2 >= len(first.words)


def _places(statement: Statement, stems: frozenset[str]) -> tuple[list[str], list[str]]:
    words = statement.words
    before, after = [], []
    for at, word in enumerate(words):
        if word.stem in stems or any(axis in stems for axis, _ in word.axes):
            before.append(words[at - 1].text if at else "^")
            after.append(words[at + 1].stem if at + 1 < len(words) and words[at + 1].is_plain else "")
    return before, after


def _opposed(first: Statement, second: Statement, spare: frozenset[str], *, is_same_key: bool) -> Verdict | None:
    if first.polar and second.polar:
        if first.polar == second.polar or not is_same_key:
            return None
        return Verdict(Relation.CONTRADICTION, Detector.NEGATION, f"{first.text} against {second.text}")
    for polar, other in ((first, second), (second, first)):
        if polar.polar and not _share_an_axis(first, second):
            return _opposed_to_word(polar, other, is_same_key=is_same_key)
    paid = _price_of_free(first, second) if is_same_key or first.content & second.content else ""
    if paid:
        return Verdict(Relation.CONTRADICTION, Detector.ANTONYM, paid)
    if len(first.identifiers & second.identifiers) > 1:
        return None
    against = opposition(
        first, second, spare, frozenset({**first.about.axes, **second.about.axes}), is_same_key=is_same_key
    )
    if against is None:
        return None
    if against.axis:
        return Verdict(
            Relation.CONTRADICTION,
            Detector.ANTONYM,
            f"{_side(first, against.axis)} against {_side(second, against.axis)}",
        )
    said = " ".join(_spelled(first, against.denied) or _spelled(second, against.denied)) or "it"
    is_first = any(clause.is_denied and against.denied <= clause.content for clause in first.clauses)
    return Verdict(
        Relation.CONTRADICTION,
        Detector.NEGATION,
        f"not {said} against {said}" if is_first else f"{said} against not {said}",
    )


def _price_of_free(first: Statement, second: Statement) -> str:
    for one, other in ((first, second), (second, first)):
        if ("free", 1) in _stance(one)[1]:
            for quantity in other.quantities:
                if (
                    quantity.dimension.startswith("money")
                    and quantity.low > 0
                    and not other.content - one.content - other.about.words
                ):
                    return f"{_side(one, 'free')} against {quantity.shown}"
    return ""


def _opposed_to_word(polar: Statement, other: Statement, *, is_same_key: bool) -> Verdict | None:
    """`yes` or `no` against a sentence: it says or denies what its key names."""
    for clause in other.clauses:
        for axis, pole in clause.axes.items():
            asked = polar.about.axes.get(axis) or (
                1 if is_same_key and axis in _YES_OR_NO and not clause.content - polar.about.words else 0
            )
            if asked and pole:
                is_against = asked * polar.polar != (-pole if clause.is_denied else pole)
                return (
                    Verdict(Relation.CONTRADICTION, Detector.ANTONYM, f"{polar.text} against {_side(other, axis)}")
                    if is_against
                    else None
                )
        named = clause.content & polar.about.words
        is_asked = clause.content <= polar.about.words if is_same_key else polar.about.words <= clause.content
        if named and is_asked and not clause.axes and clause.is_denied == (polar.polar > 0):
            return Verdict(Relation.CONTRADICTION, Detector.NEGATION, f"{polar.text} against {other.text}")
    return None


def _single(first: Statement, second: Statement, kin: Kinship, spare: frozenset[str]) -> Verdict | None:
    """A contradiction of two values where the key, or a sentence, says that there is one."""
    is_only = first.is_exclusive or second.is_exclusive
    asked = first.about.words | second.about.words
    is_single = (
        kin <= Kinship.NESTED
        and ((is_only and _CAUSE in asked) or first.about.is_single or second.about.is_single)
        and not (first.about.is_many or second.about.is_many)
    )
    is_single = (
        is_single
        or _is_defined(first, second, kin)
        or (kin <= Kinship.NESTED and bool(first.hints & second.hints & PREDICATES))
    )
    if (not is_single and not is_only) or first.is_past != second.is_past:
        return None
    if any(clause.is_denied for each in (first, second) for clause in each.clauses):
        return None
    if first.language == second.language == UNKNOWN and first.key != second.key:
        return None
    one = (first.content | first.identifiers) - spare - _asked(first, second)
    other = (second.content | second.identifiers) - spare - _asked(first, second)
    if not one or not other or min(len(one), len(other)) > LONGEST_SLOT:
        return None
    if not is_single:
        return _only_one(first, second, kin, one, other)
    if _may_lie_in(first, second):
        return None
    shared = one & other
    if shared and not ((first.about.is_of_people or second.about.is_of_people) and len(one) == len(other) == 2):
        return None
    if one <= other or other <= one or _are_spelled_alike(one - other, other - one):
        return None
    return Verdict(Relation.CONTRADICTION, Detector.SLOT, f"{_shown(first, one)} against {_shown(second, other)}")


def _may_lie_in(first: Statement, second: Statement) -> bool:
    """Whether one names a part of the world that may hold what the other names: Galicia, Vigo."""
    mine, theirs = ({word.text for word in each.words} for each in (first, second))
    if not CONTINENTS.isdisjoint(mine | theirs):
        return True
    return REGIONS.isdisjoint(mine) != REGIONS.isdisjoint(theirs)


def _is_defined(first: Statement, second: Statement, kin: Kinship) -> bool:
    """Whether a sentence says that there is one: the registrar is so-and-so."""
    if kin > Kinship.NESTED or first.about.is_many or second.about.is_many or first.quantities or second.quantities:
        return False
    if first.days or second.days or first.times or second.times or first.key != second.key or first.key.endswith("s"):
        return False
    return any(
        _defines(one) and (_defines(other) or len(other.words) <= SHORT)
        for one, other in ((first, second), (second, first))
    )


def _defines(statement: Statement) -> bool:
    words = statement.words
    for at, word in enumerate(words):
        if word.text not in _BEING or not at:
            continue
        if words[at - 1].text in statement.key_texts and not any(other.cues & _INDEFINITE for other in words[:at]):
            return True
        following = words[at + 1 : at + 4]
        if not following or following[0].text not in _DEFINITE:
            continue
        if any(other.text in statement.key_texts for other in following):
            return True
    return False


def _asked(first: Statement, second: Statement) -> frozenset[str]:
    asked = (first.about.words | second.about.words) & SINGLE | first.hints & second.hints & PREDICATES
    return asked | PEOPLE if asked & PEOPLE else asked


def _only_one(
    first: Statement, second: Statement, kin: Kinship, one: frozenset[str], other: frozenset[str]
) -> Verdict | None:
    shared, mine, theirs = one & other, one - other, other - one
    if first.is_exclusive != second.is_exclusive and shared and not (mine and theirs):
        more, rest = (second, theirs) if first.is_exclusive else (first, mine)
        if 0 < len(rest) <= 2 and any(word.cues & _AND for word in more.words):
            return Verdict(
                Relation.CONTRADICTION,
                Detector.SLOT,
                f"only {_shown(first, one)} against {_shown(second, other)}"
                if first.is_exclusive
                else f"{_shown(first, one)} against only {_shown(second, other)}",
            )
    if not mine or not theirs or max(len(mine), len(theirs)) > 2 or _are_spelled_alike(mine, theirs):
        return None
    if not shared and kin > Kinship.NESTED:
        return None
    return Verdict(Relation.CONTRADICTION, Detector.SLOT, f"{_shown(first, mine)} against {_shown(second, theirs)}")


def _are_spelled_alike(mine: Iterable[str], theirs: Iterable[str]) -> bool:
    others = list(theirs)
    return any(
        word[:4] == other[:4] or word in other or other in word
        for word in mine
        for other in others
        if len(word) > 2 < len(other) and word.isalpha() and other.isalpha()
    )


def _alike(
    first: Statement,
    second: Statement,
    kin: Kinship,
    mine: frozenset[str],
    theirs: frozenset[str],
    counted: Agreement | None,
    days: Fit,
    weekdays: Fit,
    times: Fit,
    signal: str,
) -> Verdict:
    """What two statements are that do not contradict each other."""
    if kin > Kinship.NESTED and len(first.content & second.content) < 2:
        return _UNRELATED[Detector.WORDS]
    if (mine and theirs) or (first.identifiers - second.identifiers and second.identifiers - first.identifiers):
        return _UNRELATED[Detector.WORDS]
    more, less = _count_of_marks(first, second, mine, theirs, counted, days, weekdays, times)
    if counted == Agreement.OVERLAP or Fit.UNCLEAR in (days, weekdays, times) or (more and less):
        return _UNRELATED[Detector.WORDS]
    is_meeting = (
        not first.content.isdisjoint(second.content)
        or counted is not None
        or Fit.NONE not in (days,)
        or weekdays
        or times
        or _share_a_side(first, second)
    )
    if not is_meeting:
        return _UNRELATED[Detector.WORDS]
    detector = (
        Detector.NUMBERS if counted is not None else Detector.DATES if days or weekdays or times else Detector.WORDS
    )
    if not more and not less:
        if not _stand_together(first, second):
            return _UNRELATED[Detector.WORDS]
        return Verdict(Relation.DUPLICATE, detector, signal or "the same in other words")
    if (
        UNKNOWN in (first.language, second.language)
        and detector == Detector.WORDS
        and first.language == second.language
    ):
        return _UNRELATED[Detector.WORDS]
    return Verdict(Relation.REFINEMENT, detector, "one says more than the other")


def _count_of_marks(
    first: Statement,
    second: Statement,
    mine: frozenset[str],
    theirs: frozenset[str],
    counted: Agreement | None,
    days: Fit,
    weekdays: Fit,
    times: Fit,
) -> tuple[int, int]:
    """How much the first says that the second does not, and the other way round."""
    more, less = len(mine), len(theirs)
    more += counted == Agreement.NARROWER
    less += counted == Agreement.WIDER
    for fit in (days, weekdays, times):
        more += fit == Fit.NARROWER
        less += fit == Fit.WIDER
    for one, other in ((first.quantities, second.quantities), (first.days, second.days), (first.times, second.times)):
        more += len(one) > len(other)
        less += len(other) > len(one)
    more += bool(first.weekdays and not second.weekdays) + len(first.identifiers - second.identifiers)
    less += bool(second.weekdays and not first.weekdays) + len(second.identifiers - first.identifiers)
    return more, less


def _stance(statement: Statement) -> tuple[bool, frozenset[tuple[str, int]]]:
    sides = frozenset(
        (axis, -pole if clause.is_denied else pole)
        for clause in statement.clauses
        for axis, pole in clause.axes.items()
        if pole
    )
    return (not sides and any(clause.is_denied for clause in statement.clauses)), sides


def _stand_together(first: Statement, second: Statement) -> bool:
    """Whether they take the same sides, or, where there are none, both deny it or neither."""
    (is_denied, sides), (is_other_denied, other_sides) = _stance(first), _stance(second)
    shared = first.axes & second.axes
    if shared:
        return {side for side in sides if side[0] in shared} == {side for side in other_sides if side[0] in shared}
    return is_denied == is_other_denied and sides == other_sides


def _share_an_axis(first: Statement, second: Statement) -> bool:
    return not first.axes.isdisjoint(second.axes)


def _are_of_two_sides(first: Statement, second: Statement) -> bool:
    """Whether each number is of another side: when hot, when cold; but not what rises by one and falls by another."""
    return any(
        pole * other == -1
        for axis, pole in _stance(first)[1]
        if axis not in _COURSES
        for name, other in _stance(second)[1]
        if name == axis
    )


def _share_a_side(first: Statement, second: Statement) -> bool:
    return not _stance(first)[1].isdisjoint(_stance(second)[1])


def _side(statement: Statement, axis: str) -> str:
    for word in statement.words:
        if any(name == axis for name, _ in word.axes):
            is_denied = any(clause.is_denied and axis in clause.axes for clause in statement.clauses)
            return f"not {word.text}" if is_denied else word.text
    return axis


def _spelled(statement: Statement, stems: frozenset[str]) -> Sequence[str]:
    return list(dict.fromkeys(word.text for word in statement.words if word.stem in stems))[:4]


def _shown(statement: Statement, stems: frozenset[str]) -> str:
    return " ".join(_spelled(statement, stems)) or " ".join(sorted(stems))


def _when(statement: Statement) -> str:
    if statement.days:
        return " to ".join(dict.fromkeys(day.shown for day in statement.days))
    if statement.times:
        return " to ".join(f"{minutes // 60:02}:{minutes % 60:02}" for minutes in statement.times)
    return " ".join(word.text for word in statement.words if word.weekday >= 0)
