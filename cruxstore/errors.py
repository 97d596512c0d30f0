"""Every refusal of the store: a small tree, each class one sentence and one stable code."""


class CruxError(Exception):
    """The store refused; nothing was changed."""

    code = "refused"


class StoreBusyError(CruxError):
    """Another process held the lock for too long."""

    code = "store_busy"


class NotFoundError(CruxError):
    """There is no such thing, or it is not yours to see."""

    code = "not_found"


class NotPermittedError(CruxError):
    """The role that this needs is missing."""

    code = "not_permitted"


class TenantRetiredError(CruxError):
    """The tenant is retired: what it holds is kept, and nothing is written to it."""

    code = "tenant_retired"


class IndexBehindError(CruxError):
    """The index has too many lines to catch up within a request."""

    code = "index_behind"


class NetworkDiskError(CruxError):
    """The data folder is on a file system whose locks and syncs cannot be relied on."""

    code = "network_disk"


class FolderTooNewError(CruxError):
    """The data folder was written by a newer program than this one."""

    code = "folder_too_new"


class LockInTransactionError(CruxError):
    """The store's lock was asked for inside a database transaction."""

    code = "lock_in_transaction"


class DiskRefusedError(CruxError):
    """The disk refused a write, and the file is as it was before."""

    code = "disk_refused"


class UnknownSyncError(CruxError):
    """A sync failed, so that nobody knows what the disk holds."""

    code = "sync_unknown"


class StoreStoppedError(CruxError):
    """Writing is stopped for every process since a failed sync, until the store is reopened."""

    code = "store_stopped"


class ActUnfinishedError(CruxError):
    """The decision is recorded but its lines are not; the next writer finishes or voids it."""

    code = "act_unfinished"


class DamagedLedgerError(CruxError):
    """A line of the ledger or of the texts is not what this program writes."""

    code = "ledger_damaged"


class ProofError(CruxError):
    """A proof does not show what it is said to show."""

    code = "proof_wrong"


class BundleError(CruxError):
    """A file is no bundle of the ledger, or one cannot be made as asked."""

    code = "bundle_unreadable"


class NoteError(CruxError):
    """A text is not a signed note, a checkpoint or a public key as C2SP has them."""

    code = "note_unreadable"


class SignatureError(CruxError):
    """Something is not signed by the key that it should be signed by."""

    code = "signature_wrong"


class KeyMissingError(CruxError):
    """The ledger names a key that the folder lacks."""

    code = "key_missing"


class NotAdoptedError(CruxError):
    """The journal has not been taken over yet."""

    code = "not_adopted"


class JournalNotOursError(CruxError):
    """The journal belongs to a daemon and is only read here."""

    code = "journal_not_ours"


class RefusedFactError(CruxError):
    """A fact as stated cannot be stored; its subclasses say why."""

    code = "fact_refused"


class ConfidenceError(RefusedFactError):
    """A confidence is not a number from 0 to 1."""

    code = "confidence_out_of_range"


class ValidityError(RefusedFactError):
    """A fact would stop being valid before it starts."""

    code = "validity_reversed"


class ReservedEntityError(RefusedFactError):
    """The entity's prefix is reserved for the daemon."""

    code = "reserved_entity_prefix"


class OwnerlessPrivateError(RefusedFactError):
    """A fact asks to be private but its entity names no owner."""

    code = "private_without_owner"


class TextNotStorableError(RefusedFactError):
    """A text holds what the journal cannot: a lone surrogate, or U+0000 in an entity or key."""

    code = "text_not_storable"


class RepeatedKeyError(RefusedFactError):
    """One act states the same entity and key twice."""

    code = "key_repeated"


class TooManyFactsError(RefusedFactError):
    """One act holds at most 1,000 facts."""

    code = "too_many_facts"


class LineTooLongError(RefusedFactError):
    """A line would be longer than 64 MiB."""

    code = "line_too_long"


class QueryError(CruxError):
    """A question cannot be answered as asked; its subclasses say why."""

    code = "query_refused"


class BlankQueryError(QueryError):
    """A search holds nothing but blanks."""

    code = "query_blank"


class BadCursorError(QueryError):
    """A page is to start at a cursor that cannot be read."""

    code = "cursor_unreadable"


class UnknownCursorError(BadCursorError):
    """A page is to start behind a fact that is not there, or no longer."""

    code = "cursor_unknown"


class AggregateError(QueryError):
    """A figure is asked for without what it is reckoned from."""

    code = "aggregate_incomplete"


class ConsolidationMemberError(CruxError):
    """A fact belongs to a consolidation, so it cannot be deleted, retired or brought back by itself."""

    code = "consolidation_member"


class SupersedeRefusedError(CruxError):
    """A fact cannot be retired in favour of the one named."""

    code = "supersede_refused"


class VersionConflictError(CruxError):
    """What was to be changed has been changed since the writer looked.

    `current` is its version now; the rest says who did what and when, and is empty where the ledger does not tell.
    """

    code = "version_conflict"

    def __init__(
        self, sentence: str, *, current: str, actor_kind: str = "", actor_id: str = "", action: str = "", at: str = ""
    ) -> None:
        super().__init__(sentence)
        self.current = current
        self.actor_kind = actor_kind
        self.actor_id = actor_id
        self.action = action
        self.at = at


class IdempotencyConflictError(CruxError):
    """An act of this name was done before, and asked for something else."""

    code = "idempotency_conflict"


class StoreBrokenError(CruxError):
    """Something that was written and checked is missing, so that the store is only read until it is back."""

    code = "store_broken"


class RolledBackError(StoreBrokenError):
    """The ledger is older than a checkpoint that is known, so that the store is only read until the rest is back."""

    code = "rolled_back"


class ConsolidationRefusedError(CruxError):
    """Facts cannot be merged, or a merge cannot be taken back, as asked; its subclasses say why."""

    code = "consolidation_refused"


class NoTargetsError(ConsolidationRefusedError):
    """A merge names no facts to merge."""

    code = "no_targets"


class MissingConsolidationIdError(ConsolidationRefusedError):
    """A merge has no id of its own."""

    code = "missing_consolidation_id"


class ConsolidationTargetError(ConsolidationRefusedError):
    """One of the facts to merge stands in the way; names it."""

    code = "target_refused"

    def __init__(self, fact_id: str, sentence: str) -> None:
        super().__init__(sentence)
        self.fact_id = fact_id


class DuplicateTargetError(ConsolidationTargetError):
    """A fact is to be merged with itself."""

    code = "duplicate_target"


class TargetNotFoundError(ConsolidationTargetError):
    """A fact to merge, or a merge to take back, is unknown or belongs to another tenant."""

    code = "target_not_found"


class TargetDeletedError(ConsolidationTargetError):
    """A fact to merge is deleted."""

    code = "target_deleted"


class TargetAlreadySupersededError(ConsolidationTargetError):
    """A fact to merge has been retired already."""

    code = "target_already_superseded"


class TargetPinnedError(ConsolidationTargetError):
    """A fact to merge is among those that whoever asked wants protected."""

    code = "target_pinned"


class TargetDaemonOwnedError(ConsolidationTargetError):
    """A fact to merge is the daemon's own."""

    code = "target_daemon_owned"


class TargetPrivateError(ConsolidationTargetError):
    """A fact to merge is private."""

    code = "target_private"


class TargetReceiptLinkedError(ConsolidationTargetError):
    """A fact to merge is backed by a receipt."""

    code = "target_receipt_linked"


class TargetHighConfidenceError(ConsolidationTargetError):
    """A fact to merge is too certain to be replaced."""

    code = "target_high_confidence"


class TargetOutsideEntityKeyError(ConsolidationTargetError):
    """A fact to merge is about another entity or key."""

    code = "target_outside_entity_key"


class ImplicitPriorNotTargetError(ConsolidationTargetError):
    """The newest fact of the chain would be retired without being named."""

    code = "implicit_prior_not_target"


class NoUndoSourcesError(ConsolidationRefusedError):
    """Taking back a merge names no facts to bring back."""

    code = "no_undo_sources"


class NotConsolidationCanonicalError(ConsolidationRefusedError):
    """A fact is not the result of a merge."""

    code = "not_consolidation_canonical"


class CanonicalSupersededError(ConsolidationRefusedError):
    """The result of a merge has been retired since by a newer fact."""

    code = "canonical_superseded"


class UndoSourceMismatchError(ConsolidationRefusedError):
    """The facts to bring back are not exactly those that were merged, or are not as the merge left them."""

    code = "undo_source_mismatch"


class LineError(CruxError):
    """A line, or a fact in it, is not what the format allows; says where and why.

    `code` is stable, the sentence is for people, and `byte` counts from the start of what was read.
    """

    code = "line_unreadable"

    def __init__(self, code: str, sentence: str, byte: int = 0) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.byte = byte


class BadTimestampError(CruxError):
    """A text names no instant, or one outside the years 0000 to 9999."""

    code = "bad_timestamp"


class UnreadableJournalError(CruxError):
    """A journal cannot be read: it is missing, not a file, or holds a line that nobody can read."""

    code = "journal_unreadable"


class CompactionRefusedError(CruxError):
    """A journal must not be compacted as it is; nothing was written."""

    code = "compaction_refused"


class HeldError(CompactionRefusedError):
    """What a compaction would drop is under a legal hold; names the holds."""

    code = "held"

    def __init__(self, sentence: str, hold_ids: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.hold_ids = hold_ids


class RewriteRefusedError(CompactionRefusedError):
    """A rewrite would lose what nobody approved; its plan lists the lines and facts."""

    code = "rewrite_refused"


class RewriteOutdatedError(CruxError):
    """Something was written while a rewrite was being prepared that it does not fit any more; nothing was changed."""

    code = "rewrite_outdated"


class RewriteRunningError(CruxError):
    """Another process is rewriting the journal."""

    code = "rewrite_running"


class BackupRefusedError(CruxError):
    """A backup cannot be made where it was asked for; what is there stays."""

    code = "backup_refused"


class BackupDamagedError(CruxError):
    """A folder is no backup, or one of its files is not as it was written."""

    code = "backup_damaged"


class RestoreRefusedError(CruxError):
    """A backup cannot be restored where it was asked for; what is there stays."""

    code = "restore_refused"


class UnwritableFileError(CruxError):
    """A file that was to be written cannot be, or must not be; what was there stays."""

    code = "file_unwritable"
