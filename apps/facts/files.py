"""What a query needs to know of the store: where its files are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from cruxstore.ledger.events import Event


class StoreFiles(Protocol):
    """The places of a store's files; `cruxstore.door.Store` has them."""

    @property
    def data_dir(self) -> Path:
        """Our own folder, with lock, ledger and texts."""
        ...

    @property
    def journal_path(self) -> Path:
        """The journal, ours or observed."""
        ...

    @property
    def ledger_path(self) -> Path:
        """The ledger."""
        ...

    @property
    def instance_id(self) -> str:
        """Which store this is; an index of another one is dropped."""
        ...

    def foreign_ids(self, event: Event) -> Mapping[str, str]:
        """For the commitments that stand in an event in place of fact ids not of our form: the ids."""
        ...


def is_observed(store: StoreFiles) -> bool:
    """Whether the journal is a daemon's, which is only read here."""
    return store.journal_path.parent != store.data_dir
