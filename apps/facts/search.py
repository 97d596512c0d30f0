"""Search: a table of the threes of the folded texts, and one of the ones and twos of the names, a pair per build.

- A term of three characters or more is looked up by some of its trigrams; the rows found are compared with the whole
  term, so that an answer is what a plain scan of the folded texts gives.
- Terms of one and two characters are looked up among the distinct entities and keys; values are compared only in the
  newest rows, and the answer says so.
- Whoever asks limits the rows to a home; which of them may be shown is the caller's condition.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.facts.rules import HIDING_MARK, build_of, first_row
from apps.facts.sql import ALWAYS, Fragment, all_of, dialect, execute, fetch_number, position

SHORT_WINDOW = 20_000
"""How many of the newest rows are compared where only their values could hold a short term."""

_TRIGRAM = 3
_MANY_NAMES = 5_000


@dataclass(frozen=True, slots=True)
class Found:
    """Where the matching rows are: a FROM clause with alias `f`, its conditions, newest first by `order`.

    With `count_from` there are so many that only those from that row on should be counted. Where no index leads there,
    `span` is the first and the last row to walk; whoever reads a part of it gives the database one bound a side, for of
    two it may take the wider one and read all in between.
    """

    source: str
    where: Fragment
    order: str
    note: str = ""
    count_from: int = 0
    span: tuple[int, int] | None = None


def create_tables(build: int) -> None:
    """Makes the search tables of a new build, in place of any that an emptied database left."""
    drop_tables(build)
    texts, grams = table_names(build)
    database = dialect()
    made = database.create_gram_table(texts, is_of_names=False), database.create_gram_table(grams, is_of_names=True)
    for sql in (*made[0], *made[1]):
        execute(sql)


def drop_tables(build: int) -> None:
    """Removes a build's search tables, at once and whole."""
    for table in table_names(build):
        execute(f"DROP TABLE IF EXISTS {table}")


def add_texts(build: int, rows: Sequence[tuple[int, str]]) -> None:
    """Makes the folded texts of new rows findable."""
    if rows:
        dialect().add_to_texts(_texts(build), rows)


def remove_texts(build: int, rows: Sequence[tuple[int, str]]) -> None:
    """Takes back exactly what `add_texts` was given."""
    if rows:
        dialect().remove_from_texts(_texts(build), rows)


def add_names(build: int, names: Sequence[tuple[int, str]]) -> None:
    """Makes folded entities and keys findable by one or two of their characters, in any place."""
    if names:
        dialect().add_to_names(_grams(build), names)


def table_names(build: int) -> tuple[str, str]:
    """The tables of a build: of texts, and of names."""
    return _texts(build), _grams(build)


def contains(term: str) -> Fragment:
    """The condition that a row's folded text holds a folded term."""
    return Fragment(f"{position('f.search_text', '%s')} > 0", (term,))


def find_rows(home: int, terms: Sequence[str], newest: int) -> Found:
    """The rows of a home that hold every term; `newest` is the home's highest row id."""
    if any(len(term) >= _TRIGRAM for term in terms):
        return _by_trigrams(home, terms)
    return _by_names(home, terms, newest)


def find_any(home: int, alternatives: Sequence[Sequence[str]]) -> Found:
    """The rows of a home whose folded text holds every part of any alternative, or may hide what it holds.

    Alternatives that hold no part of three characters make it a scan.
    """
    ways = [*alternatives, (HIDING_MARK,)]
    held = [all_of(ALWAYS, *(contains(part) for part in way)) for way in ways]
    compared = Fragment(f"({' OR '.join(one.sql for one in held)})", tuple(p for one in held for p in one.params))
    span = _rows(home)
    looked_up = [[part for part in way if len(part) >= _TRIGRAM] for way in ways]
    if not all(looked_up):
        return Found("facts_indexedfact f", compared, "f.id", span=span)
    return _looked_up(home, list(map(_threes, looked_up)), compared)


def find_names(home: int, terms: Sequence[str]) -> Fragment:
    """The condition that a name, alias `n`, holds every folded term."""
    grams = {gram for term in terms for gram in _covering_grams(term)}
    found = dialect().has_ones_and_twos(_grams(build_of(home)), grams)
    return all_of(
        Fragment(f"n.id IN ({found.sql})", found.params),
        *(Fragment(f"{position('n.search_text', '%s')} > 0", (term,)) for term in terms),
    )


def _by_trigrams(home: int, terms: Sequence[str]) -> Found:
    threes = _threes(term for term in terms if len(term) >= _TRIGRAM)
    return _looked_up(home, [threes], all_of(*map(contains, terms)))


def _looked_up(home: int, ways: Sequence[set[str]], compared: Fragment) -> Found:
    """Rows that have all threes of one of these ways, and are then compared with the whole terms."""
    database, table = dialect(), _texts(build_of(home))
    row_id = f"s.{database.id_column}"
    return Found(
        source=f"{table} s JOIN facts_indexedfact f ON f.id = {row_id}",
        where=all_of(database.has_threes(table, "s", ways), compared),
        order=row_id,
        span=_rows(home),
    )


def _by_names(home: int, terms: Sequence[str], newest: int) -> Found:
    """Rows whose names hold the longest term, and the newest ones; every term is compared with the whole text."""
    start, end = _rows(home)
    window = max(start, newest - SHORT_WINDOW + 1)
    compared = [contains(term) for term in terms]
    named = find_names(home, terms[:1])
    if _are_many(home, named):
        count_from = window if window > start else 0
        return Found("facts_indexedfact f", all_of(*compared), "f.id", count_from=count_from, span=(start, end))
    union = Fragment(
        "SELECT id FROM facts_indexedfact WHERE id BETWEEN %s AND %s"
        " UNION SELECT e.id FROM facts_name n CROSS JOIN facts_indexedfact e"
        f" WHERE e.home = n.home AND e.entity = n.text AND n.home = %s AND n.role = 'e' AND {named.sql}"
        " UNION SELECT k.id FROM facts_name n CROSS JOIN facts_indexedfact k"
        f" WHERE k.home = n.home AND k.key = n.text AND n.home = %s AND n.role = 'k' AND {named.sql}",
        (window, end, home, *named.params, home, *named.params),
    )
    return Found(
        source="facts_indexedfact f",
        where=all_of(
            Fragment(f"f.id IN ({union.sql})", union.params),
            *compared,
        ),
        order="f.id",
        note=_window_note(newest - start, terms),
    )


def _are_many(home: int, named: Fragment) -> bool:
    """Whether more facts carry these names than are worth collecting: then the newest rows are full of them."""
    carried = fetch_number(
        f"SELECT sum(facts) FROM (SELECT n.facts FROM facts_name n WHERE n.home = %s AND {named.sql}"
        f" LIMIT {_MANY_NAMES}) few",
        (home, *named.params),
    )
    return carried > SHORT_WINDOW


def _window_note(rows: int, terms: Sequence[str]) -> str:
    if rows <= SHORT_WINDOW:
        return ""
    words = " and ".join(f"“{term}”" for term in terms)
    return f"Entities and keys were searched for {words} in full, values only in the newest {SHORT_WINDOW:,} facts."


def _threes(terms: Iterable[str]) -> set[str]:
    """What the table is asked for so that it answers every row that holds all of these terms."""
    return {gram for term in terms for gram in _spaced_trigrams(term)}


def _spaced_trigrams(term: str) -> set[str]:
    """Every third trigram and the last: they cover the term, and fewer lists have to be read."""
    return {term[start : start + _TRIGRAM] for start in (*range(0, len(term) - 2, _TRIGRAM), len(term) - _TRIGRAM)}


def _covering_grams(term: str) -> set[str]:
    return {term} if len(term) == 1 else {term[at : at + 2] for at in range(len(term) - 1)}


def _rows(home: int) -> tuple[int, int]:
    return first_row(home), first_row(home + 1) - 1


def _texts(build: int) -> str:
    return f"facts_texts_{build}"


def _grams(build: int) -> str:
    return f"facts_grams_{build}"
