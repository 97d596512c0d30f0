"""What people do all day: move through rows with keys, filter, look, bring a file in; and all of it without scripts."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from apps.facts.tasks import run_import_job
from apps.jobs.rules import Lane
from apps.jobs.runs import run_queued
from tests.browser.conftest import OpenBrowser

pytestmark = pytest.mark.browser

FACTS = "/t/default/facts/"


def test_keys_move_select_and_open(open_page: OpenBrowser) -> None:
    page = open_page()
    page.goto(FACTS)
    rows = page.locator("[data-rows] > tr")
    key_of = [row.locator("th b").inner_text() for row in rows.all()]

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")

    expect(rows.nth(1).locator("th a")).to_be_focused()
    expect(rows.nth(1)).to_have_class("on")
    expect(page.locator("#said")).to_have_text("Row 2 of 25")
    expect(page.locator("#preview-title")).to_contain_text(key_of[1])

    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")

    expect(page.locator("#picked")).to_contain_text("2 facts selected")
    assert rows.nth(1).locator("input").is_checked() and rows.nth(2).locator("input").is_checked()

    page.keyboard.press("Enter")

    expect(page.locator("h1")).to_have_text(key_of[2])


def test_slash_searches_and_escape_returns_to_the_row(open_page: OpenBrowser) -> None:
    page = open_page()
    page.goto(FACTS)
    page.keyboard.press("j")

    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("jjj")
    assert page.locator("#q").input_value() == "jjj"
    page.keyboard.press("Escape")

    expect(page.locator("[data-rows] > tr").first.locator("th a")).to_be_focused()


def test_the_list_of_keys_opens_closes_and_gives_the_focus_back(open_page: OpenBrowser) -> None:
    page = open_page()
    page.goto(FACTS)
    page.keyboard.press("j")

    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Escape")

    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator("[data-rows] > tr").first.locator("th a")).to_be_focused()


def test_keys_can_be_switched_off(open_page: OpenBrowser) -> None:
    page = open_page()
    page.goto("/settings/")
    page.uncheck("#id_has_keys")
    page.click("text=Save the settings")
    page.goto(FACTS)

    page.keyboard.press("/")
    page.keyboard.press("j")

    expect(page.locator("body")).to_be_focused()


def test_a_facet_filters_keeps_the_focus_and_is_in_the_address(open_page: OpenBrowser) -> None:
    page = open_page()
    page.goto(FACTS)
    stale = page.get_by_role("checkbox", name="Stale")

    stale.focus()
    page.keyboard.press("Space")

    expect(page.locator(".chip", has_text="Freshness is Stale")).to_be_visible()
    expect(page).to_have_url(re.compile("freshness=stale"))
    expect(stale).to_be_focused()
    expect(page.locator("#said")).to_contain_text("facts")

    page.go_back()

    expect(page.locator(".chip", has_text="Freshness is Stale")).to_have_count(0)
    expect(page.locator("h1")).to_have_text("Facts")


def test_filters_are_a_drawer_on_a_phone(open_page: OpenBrowser) -> None:
    page = open_page(width=390)
    page.goto(FACTS)
    expect(page.locator("#facets")).to_be_hidden()

    page.click("text=Filters")
    page.check("input[name=marks][value=conflict]")
    expect(page.locator("#facets")).to_be_visible()
    page.click("text=Show the matching facts")

    expect(page.locator(".chip", has_text="Marks is Conflict")).to_be_visible()
    expect(page.locator("#facets")).to_be_hidden()


def test_a_click_beside_the_link_shows_the_row_in_the_preview(open_page: OpenBrowser) -> None:
    page = open_page()
    page.goto(FACTS)
    row = page.locator("[data-rows] > tr").nth(4)

    row.locator(".c-hor").click()

    expect(row).to_have_class("on")
    expect(page.locator("#preview-title")).to_contain_text(row.locator("th b").inner_text())


def test_the_theme_changes_at_once_and_stays(open_page: OpenBrowser) -> None:
    page = open_page(theme="light")
    page.goto(FACTS)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")

    page.click("summary:has-text('Account')")
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.click("button:has-text('Dark')")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto(FACTS)

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light


def test_hostile_text_stays_text_on_every_page_that_shows_it(open_page: OpenBrowser) -> None:
    page = open_page()

    for query in ("script", "northpass", "onerror", "hx-get"):
        page.goto(f"{FACTS}?q={query}")
        for address in [link.get_attribute("href") for link in page.locator("[data-rows] th a").all()][:6]:
            page.goto(str(address))
            assert page.locator("main script, main [hx-get], main [onerror], main iframe, main img").count() == 0


def test_a_file_is_brought_in_and_followed_until_it_is_there(open_page: OpenBrowser, tmp_path: Path) -> None:
    memory = tmp_path / "memory.jsonl"
    memory.write_text('{"type":"entity","name":"Harbour","entityType":"project","observations":["Started in March"]}\n')
    page = open_page()
    page.goto("/t/default/imports/new/")

    page.set_input_files("#id_file", memory)
    page.click("text=Show what it would store")
    expect(page.locator("h2").first).to_have_text("1 fact would be stored")
    page.click("text=Store 1 fact")
    expect(page.locator("#import")).to_contain_text("Running")
    run_queued(Lane.LONG, {"import": run_import_job})

    expect(page.locator("#import")).to_contain_text("Finished", timeout=10_000)
    expect(page.locator("#import")).to_contain_text("Started in March")
    assert page.locator("#import").get_attribute("hx-trigger") is None


def test_everything_works_without_scripts(open_page: OpenBrowser) -> None:
    page = open_page(scripts=False)
    page.goto(FACTS)

    page.get_by_role("checkbox", name="Stale").check()
    page.click("text=Show the matching facts")
    expect(page.locator(".chip", has_text="Freshness is Stale")).to_be_visible()
    page.click("text=Older")
    expect(page.locator("[data-rows] > tr").first).to_be_visible()
    page.fill("#q", "halden")
    page.press("#q", "Enter")
    page.locator("[data-rows] th a").first.click()
    expect(page.locator("h1.title")).to_be_visible()
    page.click("summary:has-text('Account')")
    page.click("button:has-text('Dark')")

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
