"""A running site over the demo store, and Debian's Chromium looking at it."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from apps.accounts.actions import SYSTEM, create_person, create_tenant
from apps.accounts.rules import STORE, Role, Scope
from apps.facts.demo.builder import build_demo_journal
from apps.facts.demo.people import PEOPLE, TENANTS
from apps.facts.projector import bring_up_to_date
from apps.facts.queries.scanning import Ground
from apps.review.actions.expiry import scan_expiry
from apps.review.actions.scan import scan_tenant
from apps.store import open_store
from cruxstore.door import Store

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

OpenBrowser = Callable[..., Page]


@pytest.fixture(scope="session", autouse=True)
def database_beside_playwright() -> None:
    """Playwright keeps an event loop in this thread, in which Django would refuse to ask the database."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, once for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def demo_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's journal, made once."""
    path = tmp_path_factory.mktemp("demo") / "facts.jsonl"
    build_demo_journal(today=datetime.now(UTC).date(), into=path, now_ns=time.time_ns())
    return path


@pytest.fixture
def demo(demo_journal: Path, data_dir: Path, transactional_db: None) -> Store:
    """The demo store with its people."""
    shutil.copy(demo_journal, data_dir / "facts.jsonl")
    store = open_store(is_demo=True)
    with store.writing() as door:
        door.adopt(SYSTEM)
    for tenant in TENANTS:
        create_tenant(store, actor=SYSTEM, name=tenant)
    for person in PEOPLE:
        create_person(
            store,
            actor=SYSTEM,
            username=person.username,
            name=person.name,
            password=person.password,
            roles=[(STORE if role == Role.OPERATOR else person.tenant, Role(role)) for role in person.roles],
            is_demo=True,
        )
    bring_up_to_date(store, now_ns=time.time_ns(), limit=None)
    ground = Ground.of(Scope(tenant="default", principal_id="schedule"))
    scan_tenant(ground, now=datetime.now(UTC))
    scan_expiry(ground, store=store, now=datetime.now(UTC))
    return store


@pytest.fixture
def open_page(chromium: Browser, demo: Store, live_server: LiveServer, settings: Settings) -> Iterator[OpenBrowser]:
    """Opens a page signed in as somebody; at the end, whatever its console complained about fails the test."""
    settings.CSRF_TRUSTED_ORIGINS = [live_server.url]
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            complaints.append(message.text)

    def open_as(username: str = "curator", *, width: int = 1440, theme: str = "light", scripts: bool = True) -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 900},
            color_scheme=theme,  # type: ignore[arg-type] # light or dark
            java_script_enabled=scripts,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", listen)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"a dialog says {dialog.message}"))
        page.goto("/sign-in/")
        page.fill("#id_login", username)
        page.fill("#id_password", f"{username}-demo")
        page.click("main button")
        page.wait_for_url("**/t/**")
        return page

    yield open_as
    for context in contexts:
        context.close()
    assert complaints == []
