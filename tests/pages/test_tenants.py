"""The Tenants pages: what operators see of every tenant, and what retiring one closes."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from apps.accounts.actions import SYSTEM, reinstate_tenant, retire_tenant
from apps.accounts.models import RoleGrant, Tenant, User
from apps.accounts.rules import Role, Scope
from apps.facts.acting import acting
from apps.facts.actions.imports import run_import
from apps.facts.models import Upload
from apps.facts.queries.tenants import mark_of
from cruxstore.door import NewFact, Store
from cruxstore.errors import TenantRetiredError
from tests.conftest import MakePerson
from tests.pages.conftest import HOSTILE_NAME, StateFact
from tests.people import principal

TENANTS = "/store/tenants/"


@pytest.fixture
def boss(operator: User) -> Client:
    """A browser in which the operator has just signed in."""
    browser = Client()
    browser.post("/sign-in/", {"login": "operator", "password": "operator-test-1"})
    browser.get("/settings/")
    return browser


@pytest.fixture
def page_of_default(store: Store) -> str:
    return f"{TENANTS}{Tenant.objects.get(name='default').number}/"


def words_of(page: bytes) -> str:
    """What a page says, without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.decode()))


def test_tenants_are_listed_with_their_facts_and_people(boss: Client, state_fact: StateFact, stranger: User) -> None:
    state_fact("service:checkout", "gate", "open")

    page = words_of(boss.get(TENANTS).content)

    assert "2 tenants with people" in page
    assert "default 1 1 0 in use" in page
    assert "acme 0 1 0 in use" in page
    assert "No tenant is without people" in page


def test_what_the_journal_holds_without_people_is_listed_and_adopted(
    boss: Client, operator: User, state_fact: StateFact
) -> None:
    state_fact("team:a", "lead", "Ana", tenant="from a daemon")
    assert "from a daemon 1 in the journal alone" in words_of(boss.get(TENANTS).content)

    answer = boss.post(f"{TENANTS}adopt/", {"found": mark_of("from a daemon"), "first_admin": operator.person_id})

    assert answer.status_code == 302
    assert "from a daemon 1 1 0 in use" in words_of(boss.get(TENANTS).content)
    slug = Tenant.objects.get(name="from a daemon").slug
    assert "Ana" in boss.get(f"/t/{slug}/facts/").content.decode()


def test_a_tenant_that_was_made_without_people_is_found_too(boss: Client, operator: User) -> None:
    page = boss.get(TENANTS).content

    assert "acme 0 made, without people" in words_of(page)


def test_a_name_that_nobody_can_be_shown_is_not_offered(boss: Client, state_fact: StateFact) -> None:
    state_fact("team:a", "lead", "Ana", tenant="x" * 401)

    page = words_of(boss.get(TENANTS).content)

    assert "cannot be adopted" in page


def test_what_has_people_by_now_is_not_adopted(boss: Client, operator: User, stranger: User) -> None:
    answer = boss.post(f"{TENANTS}adopt/", {"found": mark_of("acme"), "first_admin": operator.person_id})

    assert answer.status_code == 409
    assert "Nothing was adopted" in answer.content.decode()
    assert not RoleGrant.objects.filter(tenant="acme", person_id=operator.person_id).exists()


def test_a_curator_is_nobodys_first_admin(boss: Client, curator: User) -> None:
    answer = boss.post(f"{TENANTS}adopt/", {"found": mark_of("acme"), "first_admin": curator.person_id})

    assert answer.status_code == 409
    assert not RoleGrant.objects.filter(tenant="acme").exists()


def test_a_tenant_is_made_and_its_maker_gets_in(boss: Client, operator: User) -> None:
    assert "First admin" in boss.get(f"{TENANTS}new/").content.decode()

    made = boss.post(f"{TENANTS}new/", {"name": "north", "first_admin": operator.person_id})

    assert made.headers["Location"] == f"{TENANTS}3/"
    assert "To its overview" in boss.get(made.headers["Location"]).content.decode()
    assert boss.get("/t/north/").status_code == 200


@pytest.mark.parametrize("name", ["", "default", "  "])
def test_a_tenant_that_cannot_be_made_says_why(boss: Client, operator: User, name: str) -> None:
    answer = boss.post(f"{TENANTS}new/", {"name": name, "first_admin": operator.person_id})

    assert answer.status_code == 422
    assert "No tenant was made" in answer.content.decode()
    assert Tenant.objects.count() == 2


def test_a_renamed_tenant_is_called_so_on_every_page(boss: Client, page_of_default: str) -> None:
    assert boss.post(f"{page_of_default}rename/", {"called": "Acme Berlin"}).status_code == 302

    for address in ("/t/default/", "/t/default/facts/", "/t/default/people/", TENANTS):
        assert "Acme Berlin" in boss.get(address).content.decode(), address
    assert "in the journal default" in words_of(boss.get(TENANTS).content)


def test_what_a_tenant_is_called_is_only_text(boss: Client, page_of_default: str) -> None:
    boss.post(f"{page_of_default}rename/", {"called": HOSTILE_NAME})

    for address in (TENANTS, page_of_default, "/t/default/"):
        page = boss.get(address).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)" in page


def test_a_name_that_is_taken_is_refused_where_it_was_typed(boss: Client, page_of_default: str) -> None:
    answer = boss.post(f"{page_of_default}rename/", {"called": "ACME"})

    assert answer.status_code == 422
    assert "Another tenant is called ACME" in answer.content.decode()


def test_a_retired_tenant_is_not_there_for_its_people(
    boss: Client, page_of_default: str, as_curator: Client, state_fact: StateFact
) -> None:
    fact_id = state_fact("service:checkout", "gate", "open")

    assert boss.post(f"{page_of_default}retire/").status_code == 302

    assert as_curator.get(f"/t/default/facts/{fact_id}/").status_code == 404
    assert as_curator.post("/t/default/facts/new/", {}).status_code == 404
    assert as_curator.get("/").status_code == 403
    assert "retired" in as_curator.get("/").content.decode()
    assert "Retired since" in boss.get(page_of_default).content.decode()
    assert boss.get("/").headers["Location"] == "/store/"

    assert boss.post(f"{page_of_default}reinstate/").status_code == 302
    assert as_curator.get(f"/t/default/facts/{fact_id}/").status_code == 200


def test_retiring_twice_says_so_and_changes_nothing(boss: Client, page_of_default: str) -> None:
    boss.post(f"{page_of_default}retire/")

    answer = boss.post(f"{page_of_default}retire/")

    assert answer.status_code == 409
    assert "tenant_moved_on" in answer.content.decode()


def test_no_door_writes_to_a_retired_tenant(
    store: Store, operator: User, curator: User, tmp_path: Path, state_fact: StateFact
) -> None:
    fact_id = state_fact("service:checkout", "gate", "open")
    as_curator = Client()
    as_curator.force_login(curator)
    file = SimpleUploadedFile("facts.csv", b"entity,key,value\nservice:mail,state,up\n")
    started = as_curator.post(
        as_curator.post("/t/default/imports/new/", {"file": file, "form": "auto"}).headers["Location"]
    )
    retire_tenant(store, principal=principal(operator), name="default")
    size = store.journal_path.stat().st_size
    facts = tmp_path / "more.csv"
    facts.write_text("entity,key,value\nservice:mail,queue,empty\n")

    with pytest.raises(TenantRetiredError), acting(store) as (door, view):
        door.delete_facts(SYSTEM, "default", [fact_id], view=view)
    with pytest.raises(TenantRetiredError):
        run_import(
            store,
            Scope(tenant="default", principal_id=curator.person_id),
            actor=SYSTEM,
            import_id=started.headers["Location"].rstrip("/").rpartition("/")[2],
            digest=Upload.objects.get().digest,
        )
    with pytest.raises(CommandError, match="retired"):
        call_command("import_facts", str(facts), "--tenant", "default")
    with acting(store) as (door, view):
        door.store_facts(SYSTEM, "acme", [NewFact(entity="team:a", key="lead", value="Ana")], view=view)

    assert store.journal_path.read_bytes()[size:].count(b"\n") == 1
    reinstate_tenant(store, principal=principal(operator), name="default")
    call_command("import_facts", str(facts), "--tenant", "default")


def test_only_operators_see_tenants(make_person: MakePerson, sign_in: Callable[[User], Client]) -> None:
    admin = sign_in(make_person("admin", Role.ADMIN))

    assert admin.get(TENANTS).status_code == 403
    assert "Tenants" not in admin.get("/t/default/").content.decode()
