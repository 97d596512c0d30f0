"""Every page, light and dark, wide and narrow: axe finds nothing and nothing scrolls sideways."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page
from pytest_django import Settings

from apps.facts.models import IndexedFact
from apps.jobs.actions import enqueue
from apps.jobs.models import Job
from apps.jobs.rules import JobState
from cruxstore.door import Store
from cruxweb.environment import MailServer
from cruxweb.notices import look_what_waits
from tests.browser.conftest import OpenBrowser

pytestmark = pytest.mark.browser

ADDRESSES = {
    "overview": "/t/default/",
    "facts": "/t/default/facts/",
    "facts, filtered": "/t/default/facts/?q=halden&freshness=stale&state=current&sort=-effective&min_confidence=0.2",
    "facts, none": "/t/default/facts/?q=no-such-thing",
    "saved views": "/t/default/facts/views/?freshness=stale",
    "entities": "/t/default/entities/",
    "entity": "/t/default/entity/?name=customer:halden-foods",
    "imports": "/t/default/imports/",
    "new import": "/t/default/imports/new/",
    "findings": "/t/default/findings/",
    "findings, facts that may go": "/t/default/findings/?kind=expiry",
    "jobs": "/t/default/jobs/",
    "timetable": "/t/default/jobs/timetable/",
    "counts": "/t/default/counts/",
    "store": "/store/",
    "tenants": "/store/tenants/",
    "new tenant": "/store/tenants/new/",
    "tenant": "/store/tenants/1/",
    "compact": "/store/compact/",
    "proof": "/store/proof/",
    "ledger": "/t/default/ledger/",
    "bundle of a tenant": "/t/default/ledger/bundle/",
    "ledger, filtered": "/t/default/ledger/?action=role.granted&since=2020-01-01",
    "ledger, none": "/t/default/ledger/?actor=nobody",
    "decisions": "/t/default/decisions/",
    "people": "/t/default/people/",
    "invite": "/t/default/people/invite/",
    "agents' tokens": "/t/default/tokens/",
    "own tokens": "/settings/tokens/",
    "settings": "/settings/",
    "second factors": "/settings/sign-in/",
    "sessions": "/settings/sessions/",
    "password": "/settings/password/",
    "help": "/help/",
    "what a fact is": "/help/what-is-a-fact/",
    "glossary": "/help/glossary/",
}


@pytest.fixture(autouse=True)
def something_waits(demo: Store, settings: Settings) -> None:
    """Jobs of the tenant and of the store that a fault has stopped, on a site that sends mail."""
    settings.MAIL_SERVER = MailServer("127.0.0.1", 9, has_tls=False, user="", password="", sender="c@example.org")
    for tenant in ("default", None):
        job = enqueue("rebuild_index", tenant=tenant, started_by="p_1", arguments={})
        Job.objects.filter(pk=job.pk).update(state=JobState.DEAD.value, error="It stopped.", ended_at=timezone.now())
    look_what_waits()


def fact_addresses() -> dict[str, str]:
    """The pages of facts that differ most: a stale one, JSON, hostile text, one ahead of time, a stub."""
    chosen = {
        "stale fact": {"entity": "customer:halden-foods", "key": "contact_preference"},
        "JSON fact": {"entity": "service:checkout", "key": "feature_flags"},
        "hostile fact": {"entity": "vendor:northpass", "key": "sender_domain"},
        "fact ahead of time": {"entity": "edge:rotterdam-2", "key": "clock_offset_ms"},
        "private fact": {"owner": "triage-7"},
    }
    return {
        name: f"/t/default/facts/{IndexedFact.objects.filter(**where).order_by('-id')[0].fact_id}/"
        for name, where in chosen.items()
    }


def is_wider_than_its_window(page: Page) -> bool:
    """Whether the page as a whole can be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_every_page_can_be_read_by_everyone(open_page: OpenBrowser, theme: str, width: int) -> None:
    page = open_page("admin", width=width, theme=theme)
    axe = Axe()
    faults = []

    for name, address in {**ADDRESSES, **fact_addresses()}.items():
        page.goto(address)
        page.evaluate("document.querySelectorAll('main details').forEach((details) => { details.open = true })")
        faults += [
            f"{name}: {violation['id']}: {node['target']} {node.get('failureSummary', '')}"
            for violation in axe.run(page).response["violations"]
            for node in violation["nodes"]
        ]
        if is_wider_than_its_window(page):
            faults.append(f"{name}: scrolls sideways")

    assert faults == []


def test_nothing_scrolls_sideways_at_320_pixels(open_page: OpenBrowser) -> None:
    page = open_page("admin", width=320)

    wide = []
    for name, address in {**ADDRESSES, **fact_addresses()}.items():
        page.goto(address)
        if is_wider_than_its_window(page):
            wide.append(name)

    assert wide == []


def test_an_error_can_be_read_by_everyone(open_page: OpenBrowser) -> None:
    page = open_page()

    page.set_content(page.request.get("/t/default/facts/~00/").text())

    assert "Not found" in page.inner_text("h1")
    assert Axe().run(page).response["violations"] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_signing_in_can_be_read_by_everyone(open_page: OpenBrowser, theme: str) -> None:
    page = open_page(theme=theme, width=390)
    page.context.clear_cookies()
    page.goto("/sign-in/")

    assert Axe().run(page).response["violations"] == []
    assert not is_wider_than_its_window(page)


def test_every_target_is_large_enough(open_page: OpenBrowser) -> None:
    page = open_page("admin", width=390)

    small = []
    for name, address in {**ADDRESSES, **fact_addresses()}.items():
        page.goto(address)
        small += [
            f"{name}: {text}"
            for text in page.evaluate(
                """() => [...document.querySelectorAll('main a, main button, main summary, header a, header button')]
                .filter(e => !e.closest('p, dt, dd, li, td, h2') && e.checkVisibility())
                .filter(e => { const r = e.getBoundingClientRect(); return r.width < 24 || r.height < 24 })
                .map(e => e.outerHTML.slice(0, 90))"""
            )
        ]

    assert small == []
