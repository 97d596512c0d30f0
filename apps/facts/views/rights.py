"""What templates need to know of a person's rights."""

from apps.accounts.request import Request
from apps.accounts.rules import Right, can


def rights_of(request: Request) -> dict[str, bool]:
    """What of facts this person may do here, for templates: nothing is offered that would be refused."""
    tenant = request.tenant.name
    return {
        "may_export": can(request.principal, Right.EXPORT, tenant),
        "may_import": can(request.principal, Right.IMPORT, tenant),
        "may_share": can(request.principal, Right.SHARE_VIEW, tenant),
    }
