"""The list of entities, and one entity with its keys."""

from collections.abc import Sequence

from django.db.models import QuerySet

from apps.accounts.rules import Scope
from apps.facts.answers import (
    COUNT_CAP,
    Clocks,
    Count,
    EntitiesPage,
    EntityDetail,
    EntityKey,
    EntityRow,
    FacetValue,
)
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.models import IndexedFact, Name
from apps.facts.projector import index_lag
from apps.facts.projector.builds import open_journal
from apps.facts.queries.cube import TenantLabels
from apps.facts.queries.fact import holds_over
from apps.facts.queries.lens import holds_about, look_back, resolve
from apps.facts.queries.reading import links_outside, show_row
from apps.facts.queries.scoping import current_home, may_read, readable_rows, within
from apps.facts.queries.steps import steps_around, steps_of
from apps.facts.rules import CUT_MARK, State, indexed, moment_of, search_terms
from apps.facts.search import find_names
from apps.facts.sql import ALWAYS, Fragment, SqlValue, all_of, fetch, fetch_number, position
from cruxstore.errors import NotFoundError
from cruxstore.facts.privacy import AGENT_PREFIX, owner_of

PAGE_ENTITIES = 50
MOST_KEYS = 200
MOST_ROWS = 500
MOST_VERSIONS = 50
KEYS_CAP = 1_000
KINDS_CAP = 1_000
CURRENT = State.CURRENT.name.lower()

_KEYS = (
    "WITH RECURSIVE next(key, place) AS ("
    "SELECT min(f.key), 1 FROM facts_indexedfact f WHERE f.home = %s AND f.entity = %s AND {may_read}"
    " UNION ALL SELECT (SELECT min(f.key) FROM facts_indexedfact f"
    " WHERE f.home = %s AND f.entity = %s AND {may_read} AND f.key > next.key), next.place + 1"
    " FROM next WHERE next.key IS NOT NULL AND next.place <= %s)"
    " SELECT key FROM next WHERE key IS NOT NULL"
)


def find_entities(
    scope: Scope,
    *,
    q: str = "",
    kind: str = "",
    after: str = "",
    before: str = "",
    store: StoreFiles,
    now_ns: int,
) -> EntitiesPage:
    """Entities with at least one fact that the scope may read, in name order; `after` and `before` are names."""
    lag = index_lag(store, now_ns=now_ns)
    home = current_home(scope)
    if home is None:
        return EntitiesPage((), Count(0), (), None, None, lag)
    labels = TenantLabels.of(home)
    readable = _names_of(scope, home)
    searched = _searched(home, q)
    wanted = all_of(readable, searched, _of_kind(kind, labels))
    names, has_before, has_after = _page(wanted, after, before)
    return EntitiesPage(
        rows=tuple(_row(scope, home, name, labels) for name in names),
        count=_count(wanted, COUNT_CAP),
        kinds=_kinds(all_of(readable, searched), kind, labels),
        previous=names[0].text if has_before and names else None,
        next=names[-1].text if has_after and names else None,
        lag=lag,
    )


def get_entity(
    scope: Scope, entity: str, *, store: StoreFiles, now_ns: int, known: str = "", about: str = ""
) -> EntityDetail:
    """The entity's keys with current values and history, as known on one moment and about another.

    NotFoundError where none of its facts may be read, or none was recorded yet.
    """
    home = current_home(scope)
    name = None if home is None else Name.objects.filter(home=home, role="e", text=indexed(entity), facts__gt=0).first()
    if home is None or name is None or not scope.is_within(name.text):
        raise NotFoundError("There is no such entity.")
    clocks = resolve(known, about, store=store, now_ns=now_ns)
    keys = find_keys(scope, home, name.text, MOST_KEYS)
    if not keys:
        raise NotFoundError("There is no such entity.")
    rows = readable_rows(scope).filter(home=home, entity=name.text).order_by("-id")
    versions = max(2, min(MOST_VERSIONS, MOST_ROWS // max(1, len(keys))))
    chains = [_chain(rows.filter(key=key), clocks, versions) for key in keys[:MOST_KEYS]]
    with open_journal(store) as journal:
        shown = tuple(_key(chain, versions, scope, journal, clocks) for chain in chains if chain)
    if not shown:
        raise NotFoundError("There is no such entity, or nothing of it was recorded by then.")
    exact = shown[0].history[0].entity
    newest = list(rows[:MOST_ROWS])
    return EntityDetail(
        entity=exact,
        kind=TenantLabels.of(home).kinds.get(name.kind, ""),
        keys=shown,
        keys_are_capped=len(keys) > MOST_KEYS,
        facts=_count_facts(scope, name) if clocks.known is None else Count(sum(map(len, chains))),
        holds=holds_over(scope, newest[0], exact),
        clocks=clocks,
        steps=steps_around(steps_of(newest), clocks),
        lag=index_lag(store, now_ns=now_ns),
    )


def find_keys(scope: Scope, home: int, entity: str, cap: int) -> list[str]:
    """The distinct keys of an indexed entity that the scope may read, in order; one more than the cap where more."""
    readable = may_read(scope)
    params = (home, entity, *readable.params, home, entity, *readable.params, cap)
    return [key for (key,) in fetch(_KEYS.format(may_read=readable.sql), params)]


def _chain(chain: QuerySet[IndexedFact], clocks: Clocks, versions: int) -> list[IndexedFact]:
    """The newest versions of a key by then, one more than are shown where there are more."""
    if clocks.known is not None:
        chain = chain.filter(line_no__lte=clocks.known.lines)
    rows = list(chain.order_by("-id")[: versions + 1])
    look_back(rows, clocks)
    return rows


def _key(rows: Sequence[IndexedFact], versions: int, scope: Scope, journal: JournalFile, clocks: Clocks) -> EntityKey:
    """One key with its versions, which the scope may read."""
    outside = links_outside(scope, [row.superseded_by for row in rows])
    shown = [(row, show_row(row, scope, journal, clocks.now_ns, elsewhere=outside)) for row in rows[:versions]]
    return EntityKey(
        key=shown[0][1].key,
        current=tuple(one for row, one in shown if one.state == CURRENT and holds_about(row, clocks)),
        history=tuple(one for _, one in shown),
        history_is_capped=len(rows) > versions,
    )


def _count_facts(scope: Scope, name: Name) -> Count:
    """The facts of an entity that the scope may read."""
    return Count(name.facts if _sees_all(scope, name) else name.facts - name.private)


def _sees_all(scope: Scope, name: Name) -> bool:
    """Whether the scope may read every fact of an entity: the private ones have one owner."""
    return name.private == 0 or scope.may_read(private=True, owner=owner_of(name.text) or "")


def _names_of(scope: Scope, home: int) -> Fragment:
    """Entities, alias `n`, with a public fact, and those whose private ones the scope may read."""
    allowed, params = ["n.facts > n.private"], list[SqlValue]()
    for owner in sorted(scope.owner_names):
        start = f"{AGENT_PREFIX}{owner}::"
        allowed.append(f"substr(n.text, 1, {len(start)}) = %s")
        params.append(start)
    if scope.sees_ownerless_private:
        length = len(AGENT_PREFIX)
        colons = position(f"substr(n.text, {length + 1})", "'::'")
        # without a name before its next two colons, an agent's entity has no owner
        allowed.append(f"substr(n.text, 1, {length}) <> %s OR {colons} <= 1")
        params.append(AGENT_PREFIX)
    readable = Fragment(f"n.home = %s AND n.role = 'e' AND n.facts > 0 AND ({' OR '.join(allowed)})", (home, *params))
    return all_of(readable, within(scope, "n.text"))


def _searched(home: int, q: str) -> Fragment:
    terms = search_terms(q)
    return find_names(home, terms) if terms else ALWAYS


def _of_kind(kind: str, labels: TenantLabels) -> Fragment:
    if not kind:
        return ALWAYS
    number = next((number for number, text in labels.kinds.items() if text == kind), None)
    if number is None:
        return Fragment(f"n.kind = 0 AND substr(n.text, 1, {len(kind)}) = %s", (kind,))
    return Fragment("n.kind = %s", (number,))


def _page(wanted: Fragment, after: str, before: str) -> tuple[list[Name], bool, bool]:
    backwards = bool(before)
    place = before or after
    beyond = "1 = 1" if not place else f"n.text {'<' if backwards else '>'} %s"
    names = list(
        Name.objects.raw(
            f"SELECT n.* FROM facts_name n WHERE {wanted.sql} AND {beyond}"
            f" ORDER BY n.text{' DESC' if backwards else ''} LIMIT {PAGE_ENTITIES + 1}",
            (*wanted.params, *((indexed(place),) if place else ())),
        )
    )
    is_more, names = len(names) > PAGE_ENTITIES, names[:PAGE_ENTITIES]
    if backwards:
        return names[::-1], is_more, True
    return names, bool(after), is_more


def _row(scope: Scope, home: int, name: Name, labels: TenantLabels) -> EntityRow:
    keys = len(find_keys(scope, home, name.text, KEYS_CAP))
    rows = readable_rows(scope)
    rows = rows.filter(id=name.newest) if _sees_all(scope, name) else rows.filter(home=home, entity=name.text)
    newest = rows.order_by("-id").values_list("stored_at_us", flat=True).first()
    return EntityRow(
        entity=name.text.partition(CUT_MARK)[0],
        address=name.text,
        kind=labels.kinds.get(name.kind, ""),
        keys=Count(min(keys, KEYS_CAP), is_capped=keys > KEYS_CAP),
        facts=_count_facts(scope, name),
        newest_at=None if newest is None else moment_of(newest),
    )


def _kinds(wanted: Fragment, chosen: str, labels: TenantLabels) -> tuple[FacetValue, ...]:
    counts = {
        text: _count(all_of(wanted, Fragment("n.kind = %s", (number,))), KINDS_CAP)
        for number, text in labels.kinds.items()
        if text
    }
    return tuple(
        FacetValue(text, text, count, text == chosen)
        for text, count in sorted(counts.items(), key=lambda item: (-item[1].value, item[0]))
        if count.value
    )


def _count(wanted: Fragment, cap: int) -> Count:
    found = fetch_number(
        f"SELECT count(*) FROM (SELECT 1 FROM facts_name n WHERE {wanted.sql} LIMIT {cap + 1}) few", wanted.params
    )
    return Count(min(found, cap), is_capped=found > cap)
