"""Everything a person can do with facts; each act checks the right, and writes through the door."""

from apps.facts.actions.facts import (
    Asked,
    correct_fact,
    delete_fact,
    merge_facts,
    set_horizon,
    set_validity,
    state_fact,
    undo_merge,
    verify_again,
)
from apps.facts.actions.imports import (
    EmptyUploadError,
    Imported,
    ImportRunningError,
    NothingToImportError,
    UploadTooLargeError,
    keep_upload,
    open_import,
    require_ours,
    run_import,
    start_import,
    take_back_import,
)
from apps.facts.actions.saved import forget_view, save_view

__all__ = [
    "Asked",
    "EmptyUploadError",
    "ImportRunningError",
    "Imported",
    "NothingToImportError",
    "UploadTooLargeError",
    "correct_fact",
    "delete_fact",
    "forget_view",
    "keep_upload",
    "merge_facts",
    "open_import",
    "require_ours",
    "run_import",
    "save_view",
    "set_horizon",
    "set_validity",
    "start_import",
    "state_fact",
    "take_back_import",
    "undo_merge",
    "verify_again",
]
