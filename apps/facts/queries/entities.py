"""The list of entities, and one entity with its keys."""

from apps.accounts.rules import Scope
from apps.facts.answers import EntitiesPage, EntityDetail
from apps.facts.files import StoreFiles


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
    """Entities with at least one fact that the scope may read, in name order."""
    raise NotImplementedError


def get_entity(scope: Scope, entity: str, *, store: StoreFiles, now_ns: int) -> EntityDetail:
    """The entity's keys with current values and history; NotFoundError where none of its facts may be read."""
    raise NotImplementedError
