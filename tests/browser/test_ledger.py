"""The ledger on a phone, and a check of all files followed to its end."""

import pytest
from playwright.sync_api import expect

from apps.facts.tasks import run_verification_job
from apps.jobs.rules import Lane
from apps.jobs.runs import run_queued
from tests.browser.conftest import OpenBrowser

pytestmark = pytest.mark.browser

LEDGER = "/t/default/ledger/"


def test_on_a_phone_events_come_first_and_filters_fold_away(open_page: OpenBrowser) -> None:
    page = open_page("officer", width=390)
    page.goto(LEDGER)
    first = page.locator("[data-rows] > tr").first

    box = first.bounding_box()
    assert box is not None
    assert box["y"] < 300
    expect(page.get_by_label("Who", exact=True)).to_be_hidden()

    page.get_by_role("button", name="Filters").click()
    page.get_by_label("What", exact=True).select_option("role.granted")
    page.get_by_role("button", name="Find events").click()

    expect(page.get_by_role("button", name="Filters, 1 on")).to_be_visible()
    expect(first).to_contain_text("role.granted")
    page.get_by_role("link", name="Remove the filter: What role.granted").click()
    expect(page.get_by_role("button", name="Filters", exact=True)).to_be_visible()


def test_a_check_of_all_files_is_followed_to_its_end(open_page: OpenBrowser) -> None:
    page = open_page("admin")
    page.goto("/store/proof/")
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator("#verification")).to_contain_text("Queued")

    run_queued(Lane.LONG, {"verification": run_verification_job})

    expect(page.locator("#verification")).to_contain_text("The record is intact")
    expect(page.locator("#said")).to_contain_text("the record is intact")
