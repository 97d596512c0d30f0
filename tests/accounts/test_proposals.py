"""Admin and operator take two people, whoever they are and wherever they act."""

import pytest
from django.core import serializers
from django.utils import timezone

from apps.accounts.actions import (
    SYSTEM,
    LastHolderError,
    NothingToConfirmError,
    ProposalMovedOnError,
    approve_role,
    confirm_person,
    create_person,
    grant_role,
    invite,
    link_people,
    offer_reset,
    propose_role,
    refuse_role,
    revoke_role,
    use_link,
)
from apps.accounts.models import Confirmation, LedgerCursor, Person, RoleGrant, RoleProposal, Tenant, User
from apps.accounts.projector import catch_up
from apps.accounts.queries import principal_of_person, second_people
from apps.accounts.rules import STORE, Right, Role, SecondPersonError, can
from cruxstore.door import Store
from cruxstore.errors import NotPermittedError
from cruxstore.ledger.events import Action
from tests.conftest import MakePerson
from tests.people import principal

PASSWORD = "a long enough phrase"


def proposed(store: Store, by: User, receiver: User, role: Role = Role.ADMIN) -> str:
    """A proposal that waits."""
    made = propose_role(store, principal=principal(by), tenant="default", person_id=receiver.person_id, role=role)
    return made.proposal_id


def test_what_one_person_proposes_another_approves(store: Store, admin: User, officer: User, curator: User) -> None:
    proposal_id = proposed(store, admin, curator)

    assert not can(principal(curator), Right.MANAGE_PEOPLE, "default")
    decided = approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposal_id)

    assert decided.state == "approved"
    assert can(principal(curator), Right.MANAGE_PEOPLE, "default")
    actions = [event.action for event, _ in store.events_from(0)]
    assert actions[-2:] == [Action.ROLE_PROPOSED, Action.ROLE_APPROVED]


def test_who_proposed_does_not_approve_admin_or_not(store: Store, admin: User, officer: User, curator: User) -> None:
    proposal_id = proposed(store, admin, curator)

    with pytest.raises(SecondPersonError, match="You proposed it"):
        approve_role(store, principal=principal(admin), tenant="default", proposal_id=proposal_id)

    assert not can(principal(curator), Right.MANAGE_PEOPLE, "default")


def test_nobody_approves_what_is_about_themselves(
    store: Store, admin: User, officer: User, make_person: MakePerson
) -> None:
    make_person("officer2", Role.OFFICER)
    proposal_id = proposed(store, admin, officer)

    with pytest.raises(SecondPersonError, match="about you"):
        approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposal_id)


def test_another_sign_in_of_the_same_person_is_no_second_person(
    store: Store, admin: User, officer: User, curator: User
) -> None:
    proposal_id = proposed(store, admin, curator)
    link_people(store, principal=principal(admin), kept=admin.person_id, joined=officer.person_id)

    assert principal(officer).principal_id == admin.person_id
    with pytest.raises(SecondPersonError, match="You proposed it"):
        approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposal_id)


def test_whose_link_the_proposer_had_in_their_hands_is_no_second_person(
    store: Store, admin: User, officer: User, curator: User
) -> None:
    proposal_id = proposed(store, admin, curator)
    link = offer_reset(
        store,
        principal=principal(admin),
        tenant="default",
        person_id=officer.person_id,
        username="officer",
        now=timezone.now(),
    )
    use_link(store, link.secret, username="", password=PASSWORD, now=timezone.now())

    with pytest.raises(SecondPersonError, match="has had a link"):
        approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposal_id)


@pytest.fixture
def invited_officer(store: Store, admin: User) -> User:
    """A compliance officer whom the admin has invited, and nobody has confirmed."""
    link = invite(
        store, principal=principal(admin), tenant="default", name="Guest", roles=[Role.OFFICER], now=timezone.now()
    )
    return use_link(store, link.secret, username="guest", password=PASSWORD, now=timezone.now())


def confirm(store: Store, by: User, person: User) -> None:
    """Somebody says that this person is who they are said to be."""
    confirm_person(store, principal=principal(by), tenant="default", person_id=person.person_id)


def test_who_invited_somebody_does_not_have_them_as_a_second_person(
    store: Store, admin: User, officer: User, curator: User, invited_officer: User
) -> None:
    proposal_id = proposed(store, admin, curator)

    with pytest.raises(SecondPersonError, match="has had a link"):
        approve_role(store, principal=principal(invited_officer), tenant="default", proposal_id=proposal_id)

    assert not can(principal(curator), Right.MANAGE_PEOPLE, "default")
    assert [row.name for row in second_people("default", first=admin.person_id)] == ["Officer"]


def test_two_whom_one_admin_invited_do_not_make_two_people(
    store: Store, admin: User, curator: User, invited_officer: User
) -> None:
    link = invite(
        store, principal=principal(admin), tenant="default", name="More", roles=[Role.OFFICER], now=timezone.now()
    )
    more = use_link(store, link.secret, username="more", password=PASSWORD, now=timezone.now())

    for by in (admin, more, invited_officer):
        with pytest.raises(SecondPersonError):
            confirm(store, by, invited_officer)
    with pytest.raises(SecondPersonError, match="Nobody else could approve"):
        proposed(store, admin, curator)


def test_who_was_confirmed_by_somebody_else_is_a_second_person(
    store: Store, admin: User, officer: User, curator: User, invited_officer: User
) -> None:
    proposal_id = proposed(store, admin, curator)

    confirm(store, officer, invited_officer)

    approve_role(store, principal=principal(invited_officer), tenant="default", proposal_id=proposal_id)
    assert can(principal(curator), Right.MANAGE_PEOPLE, "default")
    event = next(event for event, _ in store.events_from(0) if event.action is Action.PERSON_CONFIRMED)
    assert event.subjects == (invited_officer.person_id, admin.person_id)


def test_a_link_after_the_confirmation_counts_again(
    store: Store, admin: User, officer: User, curator: User, invited_officer: User
) -> None:
    confirm(store, officer, invited_officer)
    with pytest.raises(NothingToConfirmError):
        confirm(store, officer, invited_officer)
    link = offer_reset(
        store,
        principal=principal(admin),
        tenant="default",
        person_id=invited_officer.person_id,
        username="guest",
        now=timezone.now(),
    )
    use_link(store, link.secret, username="", password=PASSWORD, now=timezone.now())

    assert principal(invited_officer).opened_by == {admin.person_id}
    catch_up_from_the_start(store)
    assert principal(invited_officer).opened_by == {admin.person_id}


def test_confirmations_are_rebuilt_from_the_ledger(
    store: Store, admin: User, officer: User, invited_officer: User
) -> None:
    confirm(store, officer, invited_officer)

    catch_up_from_the_start(store)

    assert principal_of_person(invited_officer.person_id).opened_by == frozenset()


def test_only_who_approves_confirms(store: Store, admin: User, curator: User, invited_officer: User) -> None:
    with pytest.raises(NotPermittedError):
        confirm(store, curator, invited_officer)


def catch_up_from_the_start(store: Store) -> None:
    """Projects the whole ledger anew beside the sign-ins that there are."""
    for model in (Confirmation, Person, RoleGrant, RoleProposal, Tenant, LedgerCursor):
        model.objects.all().delete()
    catch_up(store)


def test_a_sign_in_linked_to_an_officer_is_no_second_person_to_who_linked_it(
    store: Store, admin: User, officer: User, curator: User
) -> None:
    proposal_id = proposed(store, admin, curator)
    link = invite(
        store, principal=principal(admin), tenant="default", name="Nobody", roles=[Role.VIEWER], now=timezone.now()
    )
    invented = use_link(store, link.secret, username="nobody", password=PASSWORD, now=timezone.now())
    link_people(store, principal=principal(admin), kept=officer.person_id, joined=link.person_id)

    with pytest.raises(SecondPersonError, match="has had a link"):
        approve_role(store, principal=principal(invented), tenant="default", proposal_id=proposal_id)


def test_a_curator_neither_proposes_nor_approves(store: Store, admin: User, officer: User, curator: User) -> None:
    proposal_id = proposed(store, admin, curator)

    with pytest.raises(NotPermittedError):
        proposed(store, curator, officer)
    with pytest.raises(NotPermittedError):
        approve_role(store, principal=principal(curator), tenant="default", proposal_id=proposal_id)


def test_where_nobody_could_approve_nothing_is_proposed(store: Store, admin: User, curator: User) -> None:
    before = store.ledger_path.read_bytes()

    with pytest.raises(SecondPersonError, match="Invite a compliance officer"):
        proposed(store, admin, curator)

    assert store.ledger_path.read_bytes() == before


def test_a_proposal_is_decided_once(store: Store, admin: User, officer: User, curator: User) -> None:
    proposal_id = proposed(store, admin, curator)
    refuse_role(store, principal=principal(admin), tenant="default", proposal_id=proposal_id)

    with pytest.raises(ProposalMovedOnError):
        approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposal_id)
    assert not can(principal(curator), Right.MANAGE_PEOPLE, "default")


def test_a_proposal_falls_with_the_role_of_who_made_it(
    store: Store, admin: User, officer: User, curator: User, make_person: MakePerson
) -> None:
    second = make_person("second", Role.CURATOR)
    approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposed(store, admin, second))
    proposal_id = proposed(store, second, curator)
    revoke_role(store, actor=SYSTEM, person_id=second.person_id, tenant="default", role=Role.ADMIN)

    with pytest.raises(NotPermittedError):
        approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposal_id)


def test_operator_is_proposed_by_an_operator(store: Store, operator: User, officer: User, curator: User) -> None:
    proposal_id = proposed(store, operator, curator, Role.OPERATOR)
    approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposal_id)

    assert principal(curator).is_operator


def test_an_admin_who_is_no_operator_proposes_none(store: Store, admin: User, officer: User, curator: User) -> None:
    with pytest.raises(NotPermittedError):
        proposed(store, admin, curator, Role.OPERATOR)


@pytest.mark.parametrize(("role", "place"), [(Role.ADMIN, "default"), (Role.OPERATOR, STORE)])
def test_there_is_no_second_door(store: Store, operator: User, curator: User, role: Role, place: str) -> None:
    before = store.ledger_path.read_bytes()

    with pytest.raises(SecondPersonError):
        grant_role(store, actor=SYSTEM, person_id=curator.person_id, tenant=place, role=role)
    with pytest.raises(SecondPersonError):
        create_person(store, actor=SYSTEM, username="eve", name="Eve", password=PASSWORD, roles=[(place, role)])
    with pytest.raises(SecondPersonError):
        invite(store, principal=principal(operator), tenant="default", name="Eve", roles=[role], now=timezone.now())

    assert store.ledger_path.read_bytes() == before


def test_the_last_admin_cannot_go(store: Store, admin: User, officer: User, curator: User) -> None:
    with pytest.raises(LastHolderError):
        revoke_role(store, actor=SYSTEM, person_id=admin.person_id, tenant="default", role=Role.ADMIN)

    approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposed(store, admin, curator))
    revoke_role(store, actor=SYSTEM, person_id=admin.person_id, tenant="default", role=Role.ADMIN)

    assert not can(principal(admin), Right.READ, "default")


def test_an_invited_admin_without_a_sign_in_does_not_count_as_one(store: Store, admin: User) -> None:
    with store.writing() as door:
        door.record(SYSTEM, "default", Action.ROLE_GRANTED, subjects=("p_1",), code="admin")

    with pytest.raises(LastHolderError):
        revoke_role(store, actor=SYSTEM, person_id=admin.person_id, tenant="default", role=Role.ADMIN)


def test_a_database_of_yesterday_has_todays_roles_after_catching_up(
    store: Store, admin: User, officer: User, curator: User
) -> None:
    models = (LedgerCursor, Tenant, Person, RoleGrant, RoleProposal, User)
    yesterday = serializers.serialize("json", [row for model in models for row in model.objects.all()])
    approve_role(store, principal=principal(officer), tenant="default", proposal_id=proposed(store, admin, curator))
    revoke_role(store, actor=SYSTEM, person_id=curator.person_id, tenant="default", role=Role.CURATOR)
    link_people(store, principal=principal(admin), kept=admin.person_id, joined=officer.person_id)
    today = [list(model.objects.order_by("pk").values()) for model in (Person, RoleProposal)]
    grants = set(RoleGrant.objects.values_list("person_id", "tenant", "role"))
    for model in models:
        model.objects.all().delete()
    for row in serializers.deserialize("json", yesterday):
        row.save()

    catch_up(store)

    assert [list(model.objects.order_by("pk").values()) for model in (Person, RoleProposal)] == today
    assert set(RoleGrant.objects.values_list("person_id", "tenant", "role")) == grants
    assert principal_of_person(officer.person_id).principal_id == admin.person_id
    assert principal_of_person(officer.person_id).opened_by == {admin.person_id}
