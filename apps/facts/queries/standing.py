"""How a fact stands at this moment: what decides which acts are open, and the version that an act must have seen."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from apps.accounts.rules import Scope, require_within
from apps.facts.files import StoreFiles
from apps.facts.journal import JournalFile
from apps.facts.models import Hold, IndexedFact
from apps.facts.policies import Policies
from apps.facts.projector import IndexView
from apps.facts.projector.builds import current_build, open_journal
from apps.facts.queries.fact import find_row
from apps.facts.queries.reading import is_private, read_fact
from apps.facts.rules import HELD, State, unpack_cell
from cruxstore.errors import CruxError, IndexBehindError, NotFoundError
from cruxstore.facts.consolidation import FactReader
from cruxstore.facts.privacy import owner_of
from cruxstore.facts.records import Fact
from cruxstore.facts.state import RevisedView, chain_head, fact_revision, is_consolidation_source
from cruxstore.hiding import restored_without


class FactHeldError(CruxError):
    """A legal hold covers the fact, so that it must not be deleted."""

    code = "fact_held"


class HiddenChainError(CruxError):
    """What stands under the entity and key is private and not the writer's to see."""

    code = "chain_hidden"


class NotNewestError(CruxError):
    """Only the newest version of a chain can be corrected."""

    code = "not_newest"


@dataclass(frozen=True)
class Standing:
    """What a page must know to offer acts on a fact; `rivals` are the current facts of its chain, itself included."""

    revision: str
    is_newest: bool
    is_daemon_owned: bool
    is_source: bool
    merged: tuple[str, ...]
    rivals: tuple[str, ...]


@contextmanager
def looking(store: StoreFiles) -> Iterator[tuple[IndexView, JournalFile]]:
    """The state as it is indexed now, without the lock; IndexBehindError where nothing has been indexed."""
    build = current_build()
    if build is None:
        raise IndexBehindError("The index has not read the journal yet. Try again in a minute.")
    with open_journal(store) as journal:
        yield IndexView(build.number, journal, ledger=store.ledger_path), journal


def standing_of(scope: Scope, fact_id: str, *, store: StoreFiles) -> Standing:
    """How a fact that the scope may read stands; NotFoundError otherwise."""
    row = readable_row(scope, fact_id)
    chain = IndexedFact.objects.filter(home=row.home, entity=row.entity, key=row.key).order_by("-id")
    states = {one: unpack_cell(cell).state for one, cell in chain.values_list("fact_id", "cell")}
    newest = next((one for one, state in states.items() if state != State.DELETED), None)
    with looking(store) as (view, _):
        fact = view.fact(fact_id)
        if fact is None:
            raise NotFoundError("There is no such fact.")
        return Standing(
            revision=fact_revision(view, fact_id),
            is_newest=newest == fact_id,
            is_daemon_owned=Policies.from_process().privacy.is_daemon_owned(fact.entity),
            is_source=is_consolidation_source(fact, view),
            merged=() if fact.deleted else view.consolidation(fact_id) or (),
            rivals=tuple(one for one, state in states.items() if state == State.CURRENT),
        )


def readable_row(scope: Scope, fact_id: str) -> IndexedFact:
    """The row of a fact whose text the scope may read; NotFoundError alike for missing, foreign and private ones."""
    row = find_row(scope, fact_id)
    if not scope.may_read(private=is_private(row), owner=row.owner):
        raise NotFoundError("There is no such fact.")
    return row


def refuse_other_privacy(scope: Scope, entity: str, key: str, view: RevisedView) -> None:
    """Raises HiddenChainError where the writer could not read what they state or retire, or would lay a secret open.

    EntityOutsideError where the writer is bound to other entities.
    """
    require_within(scope, entity)
    owner = owner_of(entity)
    becomes_private = owner is not None or Policies.from_process().privacy.is_born_private(entity)
    head = chain_head(view, scope.tenant, entity, key)
    row = find_row(scope, head.fact_id) if head is not None else None
    is_hidden = not scope.may_read(private=becomes_private, owner=owner or "")
    if is_hidden or (row is not None and not scope.may_read(private=is_private(row), owner=row.owner)):
        raise HiddenChainError("Facts of this entity and key are private and not yours. Choose another.")
    if row is not None and is_private(row) and not becomes_private:
        raise HiddenChainError("The version before is private, and a new one would be open to all. Choose another key.")


def refuse_held(scope: Scope, fact_id: str) -> None:
    """Raises FactHeldError, naming the holds, where one covers the fact."""
    row = readable_row(scope, fact_id)
    active = Hold.objects.filter(home=row.home, is_active=True).order_by("placed_at", "hold_id")
    names = [
        hold.hold_id
        for hold in active
        if not hold.entity_prefixes or row.entity.startswith(tuple(hold.entity_prefixes))
    ]
    # the mark knows the whole of a long entity; the holds are ahead of it while a sweep is under way
    if names or unpack_cell(row.cell).marks & HELD:
        who = " and ".join(names) or "a hold"
        raise FactHeldError(f"Delete is refused while {who} {'bind' if len(names) > 1 else 'binds'} this fact.")


def refuse_restoring_outside(scope: Scope, fact_ids: Sequence[str], view: RevisedView) -> None:
    """Raises EntityOutsideError where facts that count again without these are of entities that a bound scope lacks."""
    for fact_id in restored_without(fact_ids, view) if scope.is_bound else ():
        if (fact := view.fact(fact_id)) is not None:
            require_within(scope, fact.entity)


def is_seen(scope: Scope, fact_id: str, view: RevisedView) -> bool:
    """Whether a fact is of an entity that is not absent for the scope."""
    fact = view.fact(fact_id)
    return fact is not None and scope.is_within(fact.entity)


def fact_reader(scope: Scope, journal: JournalFile) -> FactReader:
    """Answers whole records of the scope's tenant that it may read; None for all others."""

    def read(fact_id: str) -> Fact | None:
        try:
            row = readable_row(scope, fact_id)
        except NotFoundError:
            return None
        fact = read_fact(row, journal)
        return None if fact is None else fact._replace(private=is_private(row))

    return read
