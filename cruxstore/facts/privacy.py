"""Which entities are private from birth, which belong to the daemon, and who owns a private one.

A prefix is matched letter by letter against the stored entity. Being private can be forced, never taken back: what is
the daemon's or an agent's own stays private whatever the settings share.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

AGENT_PREFIX: Final = "__agent::"

DAEMON_OWNED_PREFIXES: Final = (
    "__action_enrichment_receipt__::",
    "__answer_replay_capsule__::",
    "__bootstrap__::",
    "__candidate_fact__::",
    "__consolidation_review__::",
    "__constraints__::",
    "__coord__::",
    "__dossier__::",
    "__engram__::",
    "__extension__::",
    "__extension_grant__::",
    "__gpu1_receipt__::",
    "__incident__::",
    "__legal_hold__::",
    "__legal_hold_receipt__::",
    "__memory_pin::",
    "__mint_request__::",
    "__ops::",
    "__ops__::",
    "__orchestrator_receipt__::",
    "__passport__::",
    "__plane__::",
    "__plane_layer__::",
    "__project__::",
    "__project_layer__::",
    "__project_repo_link__::",
    "__rcx_publish__::",
    "__repo_codegraph_ids__::",
    "__repo_extdeps__::",
    "__repo_registry__::",
    "__repo_scan__::",
    "__result_envelope__::",
    "__result_envelope_incident__::",
    "__reverify_receipts__::",
    "__session_binding__::",
    "__storybook__::",
    "__sync__::",
    "__sync_tombstone__::",
    "__sync_wipe_receipt__::",
    "__tenant_metadata__::",
    "__work__::",
    "__work_comment__::",
    "__work_gate__::",
    "__work_transition__::",
    "__workbench__::",
    "__workspace_scan__::",
    "console:page:",
    "console:tileboard:",
    "console:tiledesign:",
    "console:workspace:",
)

BORN_PRIVATE_PREFIXES: Final = (
    *DAEMON_OWNED_PREFIXES,
    AGENT_PREFIX,
    "__ax__::",
    "__ax_session::",
    "__infra__::",
    "__tenant__::",
    "__tenant_mirror__::",
    "__workspace__::",
    "decisions::",
    "github::",
)

_FIRST_LETTERS: Final = frozenset(prefix[:1] for prefix in BORN_PRIVATE_PREFIXES)
_NEVER_SHARED: Final = (*DAEMON_OWNED_PREFIXES, AGENT_PREFIX)


@dataclass(frozen=True, slots=True)
class PrivacyPolicy:
    """The settings in force: prefixes that are private besides the usual ones, and prefixes shared after all."""

    added_prefixes: tuple[str, ...] = ()
    shared_prefixes: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """The policy that the daemon's own variables ask for."""
        return cls(
            added_prefixes=_prefixes(environment.get("CORECRUXD_ALWAYS_PRIVATE_PREFIXES", "")),
            shared_prefixes=_prefixes(environment.get("CORECRUXD_SHARE_PREFIXES_OVERRIDE", "")),
        )

    def is_born_private(self, entity: str) -> bool:
        """Whether a fact about this entity is private whatever its writer said."""
        if entity.startswith(BORN_PRIVATE_PREFIXES) or entity.startswith(self.added_prefixes):
            return entity.startswith(_NEVER_SHARED) or not entity.startswith(self.shared_prefixes)
        return False

    def first_letters(self) -> frozenset[str]:
        """How every entity begins that is private from birth or reserved; for all others neither need be asked."""
        return _FIRST_LETTERS.union(prefix[:1] for prefix in self.added_prefixes)

    def is_daemon_owned(self, entity: str) -> bool:
        """Whether only the daemon itself may write, delete or retire facts about this entity."""
        return entity.startswith(DAEMON_OWNED_PREFIXES)

    def is_create_reserved(self, entity: str) -> bool:
        """Whether a client must not name this entity when it stores a fact."""
        return entity.startswith(_NEVER_SHARED)


def owner_of(entity: str) -> str | None:
    """Whose private fact this is: `alice` of `__agent::alice::project:lark`; None where no owner is named."""
    if not entity.startswith(AGENT_PREFIX):
        return None
    owner, separator, _ = entity.removeprefix(AGENT_PREFIX).partition("::")
    return owner if owner and separator else None


def logical_entity(entity: str) -> str:
    """What the owner of a private entity calls it: `project:lark` for `__agent::alice::project:lark`."""
    owner = owner_of(entity)
    return entity if owner is None else entity.removeprefix(private_entity(owner, ""))


def private_entity(owner: str, entity: str) -> str:
    """Under which name an owner's private facts about an entity are stored."""
    return f"{AGENT_PREFIX}{owner}::{entity}"


def _prefixes(text: str) -> tuple[str, ...]:
    return tuple(prefix for item in text.split(",") if (prefix := item.strip()))
