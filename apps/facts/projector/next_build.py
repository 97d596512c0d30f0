"""The index of a journal that is about to take the place of the one that answers, so that nobody waits for it.

1. It is read beside the index that answers, which goes on being brought up to date: the lock on the index is taken for
   a batch at a time.
2. When the journal has its name, what is left is read and the pointer is set; only that happens under the store's lock.

A process that dies in between leaves it to whoever brings the index up to date next, if the journal got its name.
"""

from pathlib import Path

from apps.facts.files import StoreFiles
from apps.facts.models import Build, LedgerEvent
from apps.facts.policies import Policies
from apps.facts.projector.builds import prepare_build, switch_to
from apps.facts.projector.catching_up import Progress, fold_settings_after, index_lock, read_on
from apps.facts.projector.ledger import follow_ledger
from cruxstore.errors import IndexBehindError

LINES_AT_ONCE = 2_500
WAIT_SECONDS = 60.0


class NextBuild:
    """The index of a draft of the journal; one at a time, for whoever holds the right to rewrite."""

    def __init__(self, store: StoreFiles, *, now_ns: int, policies: Policies | None = None) -> None:
        self._store = store
        self._now_ns = now_ns
        self._policies = policies or Policies.from_process()
        self._events = LedgerEvent.objects.count()
        self._build = prepare_build(store, self._policies.digest(), now_ns)

    def read(self, draft: Path, progress: Progress | None = None) -> None:
        """Projects what is new in the draft, a batch at a time."""
        while not self._read(draft, progress):
            pass

    def switch(self) -> None:
        """Makes this the index that answers; the draft has become the journal."""
        with index_lock(self._store.data_dir, WAIT_SECONDS) as is_ours:
            if not is_ours:
                raise IndexBehindError(
                    "Another process holds the index. It will switch by itself when it has caught up."
                )
            path = self._store.journal_path
            read_on(self._build, path, path.stat().st_size, self._policies, self._now_ns, None)
            follow_ledger(self._store, None, decay=self._policies.decay, now_ms=self._now_ns // 1_000_000)
            switch_to(self._build, self._now_ns)
            # events written while the draft was read found no journal to fold into
            fold_settings_after(self._events, self._store, self._policies, self._now_ns)

    def discard(self) -> None:
        """Leaves it to be removed, if it does not answer."""
        Build.objects.filter(pk=self._build.pk, state=Build.State.PREPARED).update(state=Build.State.RETIRED)

    def _read(self, draft: Path, progress: Progress | None) -> bool:
        with index_lock(self._store.data_dir, WAIT_SECONDS) as is_ours:
            if not is_ours:
                raise IndexBehindError("Another process holds the index. Try again in a minute.")
            size = draft.stat().st_size
            return read_on(self._build, draft, size, self._policies, self._now_ns, LINES_AT_ONCE, progress)
