"""Confirming a person: somebody else than who let them in says that they are who they are said to be.

1. Who has had a link to a sign-in may be behind it, so that they cannot have its person as their second one.
2. Somebody who could be that second person themself takes this back by confirming; a link made later counts again.
3. A sign-in opened from the command line stays closed to approvals until another link was made for it.
"""

from apps.accounts.actions.people import actor_of
from apps.accounts.projector import catch_up
from apps.accounts.queries import get_person, openers_of
from apps.accounts.rules import Principal, Right, SecondPersonError, require, second_person_refusal
from cruxstore.door import Store
from cruxstore.errors import CruxError
from cruxstore.ledger.events import Action


class NothingToConfirmError(CruxError):
    """Nobody who let this person in has to be made up for."""

    code = "nothing_to_confirm"


def confirm_person(store: Store, *, principal: Principal, tenant: str, person_id: str) -> None:
    """Says that a person of the tenant is not who let them in; for all of those whom the principal could approve."""
    require(principal, Right.APPROVE_ROLE, tenant)
    with store.writing() as door:
        catch_up(store)
        person = get_person(tenant, person_id)
        openers = openers_of(person_id)
        if not openers:
            raise NothingToConfirmError(f"{person.name} needs no confirmation.")
        refusals = {opener: second_person_refusal(principal, first=opener, receiver=person_id) for opener in openers}
        confirmed = sorted(opener for opener, refusal in refusals.items() if not refusal)
        if not confirmed:
            raise SecondPersonError("Who let them in, or was let in by them too, cannot confirm; another person does.")
        door.record(actor_of(principal), tenant, Action.PERSON_CONFIRMED, subjects=(person_id, *confirmed))
    catch_up(store)
