"""What templates need to know of a person's rights."""

from apps.accounts.request import Request
from apps.accounts.rules import Right, can
from apps.facts.presentation.acts import NOT_OURS


def rights_of(request: Request) -> dict[str, bool | str]:
    """What of facts this person may do here, for templates; `not_ours` says why nobody writes to the journal."""
    tenant = request.tenant.name
    return {
        "may_export": can(request.principal, Right.EXPORT, tenant),
        "may_import": can(request.principal, Right.IMPORT, tenant),
        "may_state": can(request.principal, Right.STATE, tenant),
        "not_ours": "" if request.store.is_owner else NOT_OURS,
        "may_share": can(request.principal, Right.SHARE_VIEW, tenant),
    }
