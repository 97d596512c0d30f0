"""Acting on facts in a browser: what will be written follows what is typed, keys act, and Undo takes back."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from apps.facts.models import IndexedFact
from tests.browser.conftest import OpenBrowser
from tests.browser.test_every_page import is_wider_than_its_window

pytestmark = pytest.mark.browser

STATE = "/t/default/facts/state/"
ACTS = ("correct", "validity", "horizon", "verify", "delete", "consolidate")


def address_of(entity: str, key: str) -> str:
    """The page of the newest fact of an entity and key."""
    row = IndexedFact.objects.filter(entity=entity, key=key).order_by("-id")[0]
    return f"/t/default/facts/{row.fact_id}/"


def flags() -> str:
    return address_of("service:checkout", "feature_flags")


def held() -> str:
    return address_of("customer:halden-foods", "contact_preference")


def state_over_a_value(page: Page) -> None:
    """Types a value over one that stands, and waits for what will be written."""
    page.goto(STATE)
    page.fill("#id_entity", "customer:halden-foods")
    page.fill("#id_key", "contact_preference")
    page.fill("#id_value", "Written notice only")
    page.press("#id_value", "Tab")
    expect(page.locator("#will")).to_contain_text("is retired")


def test_what_will_be_written_follows_what_is_typed(open_page: OpenBrowser) -> None:
    page = open_page()

    state_over_a_value(page)

    expect(page.locator("#will h2")).to_have_text("What will be written: one event and 2 lines")
    expect(page.locator("#will del").first).to_be_visible()
    expect(page.locator("#id_confidence")).to_be_focused()

    page.click("text=State the fact")

    expect(page.locator(".toast")).to_contain_text("Stated the fact: version 4, event")
    expect(page.locator("h1.title")).to_be_focused()
    expect(page.locator("#said")).to_contain_text("Stated the fact: version 4")


def test_keys_verify_set_the_horizon_and_undo(open_page: OpenBrowser) -> None:
    page = open_page()
    address = flags()
    page.goto(address)

    page.keyboard.press("v")
    expect(page.locator("h1")).to_have_text("Verify again")
    page.click("main button.main")
    expect(page.locator(".toast")).to_contain_text("Verified again, event")
    page.keyboard.press("h")
    expect(page.locator("h1")).to_have_text("Set the horizon")
    page.select_option("#id_horizon", "stable")
    expect(page.locator("#will")).to_contain_text("Horizon stable")
    page.click("main button.main")
    expect(page.locator(".toast")).to_contain_text("Set the horizon to stable")
    page.keyboard.press("u")

    expect(page.locator(".toast")).to_contain_text("Set the horizon to volatile")


def test_what_cannot_be_done_is_reachable_and_says_why(open_page: OpenBrowser) -> None:
    page = open_page()
    page.goto(held())
    button = page.locator("[role=link][aria-disabled=true]", has_text="Delete")

    button.focus()

    expect(button).to_be_focused()
    expect(page.locator(f"#{button.get_attribute('aria-describedby')}")).to_contain_text("Refused while")


def test_an_act_needs_no_script(open_page: OpenBrowser) -> None:
    page = open_page(scripts=False)
    page.goto(f"{flags()}validity/")

    page.fill("#id_valid_from", "2026-09-15")
    page.click("text=Show what will be written")
    expect(page.locator("#will")).to_contain_text("Valid from 2026-09-15 00:00, no end")
    page.click("main button.main")

    expect(page.locator(".toast")).to_contain_text("Set the validity, event")
    expect(page.locator("#h-valid")).to_contain_text("from 2026-09-15 00:00, no end")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_every_act_can_be_read_by_everyone(open_page: OpenBrowser, theme: str, width: int) -> None:
    page = open_page(width=width, theme=theme)
    axe, faults = Axe(), []

    for address in [STATE, *(f"{flags()}{act}/" for act in ACTS), f"{held()}delete/"]:
        page.goto(address)
        faults += [
            f"{address}: {violation['id']}: {node['target']} {node.get('failureSummary', '')}"
            for violation in axe.run(page).response["violations"]
            for node in violation["nodes"]
        ]
        if is_wider_than_its_window(page):
            faults.append(f"{address}: scrolls sideways")

    assert faults == []


def test_no_act_scrolls_sideways_at_320_pixels(open_page: OpenBrowser) -> None:
    page = open_page(width=320)
    addresses = [STATE, *(f"{flags()}{act}/" for act in ACTS), f"{held()}delete/", held()]

    wide = []
    for address in addresses:
        page.goto(address)
        if is_wider_than_its_window(page):
            wide.append(address)

    assert wide == []
