"""Roles that take two people: one proposes, another approves or refuses. There is no other way to them.

1. Who proposes looks after the tenant's people (and, for operator, the store), then and at the approval.
2. Who approves has the right to, is another person than who proposed, and not who receives the role.
3. People are compared, not sign-ins; admins are no exception. Refusing takes the right alone.
"""

import secrets

from apps.accounts.actions.people import actor_of, require_people_right
from apps.accounts.models import RoleProposal
from apps.accounts.projector import catch_up
from apps.accounts.queries import ProposalRow, get_person, get_proposal, principal_of_person, second_people
from apps.accounts.rules import (
    PROPOSED_ROLES,
    ROLE_WORDS,
    Principal,
    Right,
    Role,
    SecondPersonError,
    require,
    second_person_refusal,
)
from cruxstore.door import Store
from cruxstore.errors import CruxError
from cruxstore.ledger.events import Action


class ProposalMovedOnError(CruxError):
    """A proposal has been decided, or is there already."""

    code = "proposal_moved_on"


def propose_role(store: Store, *, principal: Principal, tenant: str, person_id: str, role: Role) -> ProposalRow:
    """Proposes a role for a person of the tenant; refused where nobody could approve it."""
    if role not in PROPOSED_ROLES:
        raise ProposalMovedOnError(f"The role {ROLE_WORDS[role].lower()} needs no second person.")
    require_people_right(principal, tenant, role)
    with store.writing() as door:
        catch_up(store)
        person = get_person(tenant, person_id)
        if role in person.roles:
            raise ProposalMovedOnError(f"{person.name} has this role already.")
        waiting = RoleProposal.objects.filter(
            tenant=tenant, person_id=person_id, role=role.value, state=RoleProposal.WAITING
        )
        if waiting.exists():
            raise ProposalMovedOnError(f"{person.name} is proposed for this role already.")
        if not second_people(tenant, first=principal.principal_id, receiver=person_id):
            raise SecondPersonError(
                "Nobody else could approve it. Invite a compliance officer first; they count when somebody else than "
                "you has confirmed them."
            )
        proposal_id = f"rp_{secrets.token_hex(16)}"
        door.record(
            actor_of(principal), tenant, Action.ROLE_PROPOSED, subjects=(proposal_id, person_id), code=role.value
        )
    catch_up(store)
    return get_proposal(tenant, proposal_id)


def approve_role(store: Store, *, principal: Principal, tenant: str, proposal_id: str) -> ProposalRow:
    """Approves what another person proposed; the role is given by it."""
    return _decide(store, principal, tenant, proposal_id, Action.ROLE_APPROVED)


def refuse_role(store: Store, *, principal: Principal, tenant: str, proposal_id: str) -> ProposalRow:
    """Refuses what was proposed; who proposed it withdraws it so."""
    return _decide(store, principal, tenant, proposal_id, Action.ROLE_REFUSED)


def _decide(store: Store, principal: Principal, tenant: str, proposal_id: str, action: Action) -> ProposalRow:
    require(principal, Right.APPROVE_ROLE, tenant)
    with store.writing() as door:
        catch_up(store)
        proposal = get_proposal(tenant, proposal_id)
        if proposal.state != RoleProposal.WAITING:
            raise ProposalMovedOnError(f"{proposal.decider_name} has decided on proposal {proposal.number} already.")
        if action is Action.ROLE_APPROVED:
            refusal = second_person_refusal(principal, first=proposal.proposer_id, receiver=proposal.person_id)
            if refusal:
                raise SecondPersonError(refusal)
            require_people_right(principal_of_person(proposal.proposer_id), tenant, proposal.role)
            get_person(tenant, proposal.person_id)
        door.record(
            actor_of(principal),
            tenant,
            action,
            subjects=(proposal_id, proposal.person_id),
            code=proposal.role.value,
        )
    catch_up(store)
    return get_proposal(tenant, proposal_id)
